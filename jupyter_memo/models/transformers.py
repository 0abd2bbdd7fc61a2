"""Any sentence-transformers model, by folder or hub name (extra `st`)."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_memo.errors import MissingExtraError, ModelError
from jupyter_memo.models import windows
from jupyter_memo.profile import GENERIC_BANDS, Bands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

KNOWN_BANDS = {
    "all-MiniLM-L6-v2": Bands(strong=0.55, moderate=0.42, weak=0.30, floor=0.25),
    "granite-embedding-small-english-r2": Bands(strong=0.88, moderate=0.80, weak=0.72, floor=0.72),
    "granite-embedding-english-r2": Bands(strong=0.85, moderate=0.75, weak=0.65, floor=0.65),
}
"""By the last part of the model's name. MiniLM's as measured for the default model, granite's from memo-mcp. Unrelated
texts lie near .63 under granite small, so one scale for all models would call everything strong."""

NO_LIMIT = 1_000_000
"""`max_tokens` of a model without a window, such as a table of word vectors."""

BATCH = 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TransformersEmbedder:
    """A sentence-transformers model. Passages and questions get the model's own prompts where it has them.

    A text longer than the window is halved at white space until every piece fits, and its row is the normalised mean.
    Rows of one text agree between batches to float precision only: padding changes the order of additions.
    """

    model: Any
    id: str
    sha256: str
    dim: int
    max_tokens: int
    bands: Bands
    languages: tuple[str, ...]
    # The tokenizers behind these models keep state while they encode and cannot be entered twice.
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count_tokens(self, text: str) -> int:
        with self.lock:
            return _count(self.model.tokenizer, text)

    def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
        return self._encode(self.model.encode_document, texts)

    def encode_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return self._encode(self.model.encode_query, texts)

    def _encode(self, encode: Any, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.empty((0, self.dim), np.float32)
        try:
            with self.lock:
                tokenizer = self.model.tokenizer
                pieces = [
                    windows.halves(_readable(text), size=self.max_tokens, count=lambda part: _count(tokenizer, part))
                    for text in texts
                ]
                flat = [piece for parts in pieces for piece in parts]
                rows = encode(flat, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)
        except Exception as error:
            raise ModelError(f"{self.id} failed on {len(texts)} texts: {error}") from error
        ends = np.cumsum([len(parts) for parts in pieces])
        return np.stack(
            [
                rows[end - 1] if len(parts) == 1 else windows.mean_direction(rows[end - len(parts) : end])
                for parts, end in zip(pieces, ends, strict=True)
            ]
        ).astype(np.float32, copy=False)


def read(name: str) -> TransformersEmbedder:
    """The model in a folder, or of that name on the hub: from the local cache, else downloaded, which the log says.

    Runs no code that comes with a model. Raises MissingExtraError without sentence-transformers, ModelError when there
    is no such model.
    """
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtraError("sentence-transformers", "st") from error
    folder = Path(name).expanduser()
    model: Any
    try:
        if folder.is_dir():
            model = SentenceTransformer(str(folder), local_files_only=True)
        elif name.startswith((".", "/", "~")) or "\\" in name:
            raise ModelError(f"there is no model folder {name}. Name a folder, or a model of the hub as owner/name")
        else:
            model = _from_hub(SentenceTransformer, name)
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(
            f"the model {name} cannot be loaded: {error}. Check its name, and the network if it is not in the cache"
        ) from error
    last = folder.name or name
    return TransformersEmbedder(
        model=model,
        # A folder goes by its last part: an index is shared between machines, the path to a folder is not.
        id=f"transformers:{last if folder.is_dir() else name}",
        sha256=_fingerprint(model),
        dim=int(model.get_embedding_dimension()),
        max_tokens=_window(model),
        bands=KNOWN_BANDS.get(last, GENERIC_BANDS),
        languages=_languages(model),
    )


def _from_hub(make: Any, name: str) -> Any:
    try:
        return make(name, local_files_only=True)
    except Exception as absent:
        log.warning("%s is not in the local cache (%s): downloading it from the hub", name, type(absent).__name__)
        return make(name)


def _fingerprint(model: Any) -> str:
    """SHA-256 over the parameters by name, the prompts and the window: what a vector depends on, wherever it lies."""
    import torch

    digest = hashlib.sha256(json.dumps([model.prompts, str(model.max_seq_length)], sort_keys=True).encode())
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
    return digest.hexdigest()


def _window(model: Any) -> int:
    """What fits besides the model's own tokens and its longest prompt."""
    limit = model.max_seq_length
    if limit is None or limit >= NO_LIMIT:
        return NO_LIMIT
    tokenizer = model.tokenizer
    special = tokenizer.num_special_tokens_to_add() if hasattr(tokenizer, "num_special_tokens_to_add") else 0
    prompt = max((_count(tokenizer, text) for text in model.prompts.values() if text), default=0)
    return max(1, int(limit) - special - prompt)


def _count(tokenizer: Any, text: str) -> int:
    text = _readable(text)
    if callable(tokenizer):
        return len(tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)["input_ids"])
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


def _languages(model: Any) -> tuple[str, ...]:
    stated = getattr(model.model_card_data, "language", None) or ()
    return (stated,) if isinstance(stated, str) else tuple(stated)


def _readable(text: str) -> str:
    """Half a character read from a damaged file must not stop an index run."""
    return text.encode("utf-8", "replace").decode("utf-8")
