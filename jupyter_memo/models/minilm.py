"""The default model: all-MiniLM-L6-v2 in int8 on onnxruntime, from files inside the package. No network, no torch."""

from __future__ import annotations

import hashlib
import json
import os
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_memo.errors import ModelError
from jupyter_memo.models import windows
from jupyter_memo.profile import Bands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = Path(__file__).parent / "weights"
WINDOW = 256
"""Tokens the model was trained to read, its own two ([CLS] and [SEP]) among them."""

OVERLAP = 32
"""Tokens that neighbouring windows of a long text share, so that one of them reads a sentence on the border whole."""

THREADS = min(4, os.cpu_count() or 1)
"""Texts that are embedded side by side. Each takes one core; more than four would take the machine from its user."""

BANDS = Bands(strong=0.55, moderate=0.42, weak=0.30, floor=0.25)
"""Measured against 40 off-topic questions on four technical collections: at .30 at most 3 % of their best hits survive
and 82 to 100 % of the on-topic ones do; at .55 some three of four best hits are relevant."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MiniLM:
    """all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019), 384 dimensions, English.

    A text is one call of the network. In a batch the activations of all texts would share one int8 scale, and a vector
    would depend on its neighbours.
    """

    session: Any
    tokenizer: Any
    pool: ThreadPoolExecutor
    sha256: str
    id: str = "minilm"
    dim: int = 384
    max_tokens: int = WINDOW - 2
    bands: Bands = BANDS
    languages: tuple[str, ...] = ("en",)

    def count_tokens(self, text: str) -> int:
        return len(self._ids(text))

    def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        jobs: list[Future[NDArray[np.float32]]] = [self.pool.submit(self._embed, text) for text in texts]
        rows = np.empty((len(texts), self.dim), np.float32)
        try:
            for row, job in zip(rows, jobs, strict=True):
                row[:] = job.result()
        except BaseException:  # an interrupt too: what has not begun must not go on in the background
            for job in jobs:
                job.cancel()
            raise
        return rows

    def encode_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return self.encode_passages(texts)

    def _ids(self, text: str) -> list[int]:
        # A lone surrogate cannot be encoded; half a character read from a damaged file must not stop an index run.
        readable = text.encode("utf-8", "replace").decode("utf-8")
        return list(self.tokenizer.encode(readable, add_special_tokens=False).ids)

    def _embed(self, text: str) -> NDArray[np.float32]:
        import numpy as np

        ids = self._ids(text)
        first, last = self.tokenizer.token_to_id("[CLS]"), self.tokenizer.token_to_id("[SEP]")
        rows = []
        for span in windows.spans(len(ids), size=self.max_tokens, overlap=OVERLAP):
            tokens = np.array([[first, *ids[span], last]], np.int64)
            inputs = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
            try:
                rows.append(self.session.run(["embedding"], inputs)[0][0])
            except Exception as error:
                raise ModelError(f"the default model failed on a text of {len(ids)} tokens: {error}") from error
        return rows[0] if len(rows) == 1 else windows.mean_direction(np.stack(rows))


@cache
def shared() -> MiniLM:
    """The model of this process: loaded once, safe to use from several threads. Raises ModelError."""
    return read(WEIGHTS)


def read(folder: Path) -> MiniLM:
    """The model from a folder of model_int8.onnx, tokenizer.json and stamp.json, which holds the SHA-256 of the two.

    Raises ModelError when a file is missing or is not the one that was built.
    """
    try:
        stamp = json.loads((folder / "stamp.json").read_text(encoding="utf-8"))
        files = {name: (folder / name).read_bytes() for name in ("model_int8.onnx", "tokenizer.json")}
        for name, data in files.items():
            if hashlib.sha256(data).hexdigest() != stamp[name]:
                raise ValueError(f"{name} is damaged")
    except (OSError, KeyError, ValueError) as error:
        raise ModelError(
            f"the default model cannot be read ({error}). It comes with the package: run "
            "pip install --force-reinstall --no-deps jupyter_memo, or pip install -e . in a checkout"
        ) from error
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Threads that wait for work by spinning would take a core from whatever else the notebook is doing.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3  # errors only: a notebook is no place for notes on devices it does not have
    try:
        session = onnxruntime.InferenceSession(files["model_int8.onnx"], options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_buffer(files["tokenizer.json"])
    except Exception as error:
        raise ModelError(
            f"onnxruntime {onnxruntime.__version__} cannot run the default model: {error}. "
            "Run: pip install --upgrade onnxruntime tokenizers"
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pool = ThreadPoolExecutor(THREADS, thread_name_prefix="jupyter_memo-minilm")
    return MiniLM(session=session, tokenizer=tokenizer, pool=pool, sha256=stamp["model_int8.onnx"])
