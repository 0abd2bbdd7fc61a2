"""A hashed bag of words: no weights, no meaning, the same vectors in every process. For tests and benches."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from jupyter_memo.profile import Bands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
_BANDS = Bands(strong=0.50, moderate=0.30, weak=0.15, floor=0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class HashEmbedder:
    """Every word adds +1 or -1 at a place that its hash names (signed feature hashing, Weinberger et al. 2009).

    Rows are normalised. A text without a word has a fixed row. 384 dimensions, as the default model has.
    """

    dim: int = 384
    max_tokens: int = 256
    bands: Bands = _BANDS
    languages: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"hash-{self.dim}"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(f"signed words 1, {self.dim}".encode()).hexdigest()

    def count_tokens(self, text: str) -> int:
        return len(_WORD.findall(text))

    def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                number = _number(word)
                row[(number >> 1) % self.dim] += 1 if number & 1 else -1
            if not row.any():  # no word at all, or words that cancelled out
                row[0] = 1
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    def encode_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return self.encode_passages(texts)


@lru_cache(maxsize=65_536)
def _number(word: str) -> int:
    """Python's own hash differs from process to process; this one does not."""
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
