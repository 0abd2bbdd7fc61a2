"""Passages that wait for vectors get them once, whoever opens the store meanwhile."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import ModelError
from jupyter_memo.ingest import backfill
from jupyter_memo.models.hash import HashEmbedder

TEXTS = [{"id": f"r/{number}", "text": f"probe {number}"} for number in range(30)]
PATIENCE_SECONDS = 30


class Gated(HashEmbedder):
    """Counts every text it embeds, and embeds none until its gate is open."""

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "seen", Counter())
        object.__setattr__(self, "gate", threading.Event())
        object.__setattr__(self, "began", threading.Event())

    def encode_passages(self, texts: list[str]) -> np.ndarray:
        self.began.set()  # type: ignore[attr-defined]
        self.gate.wait(PATIENCE_SECONDS)  # type: ignore[attr-defined]
        self.seen.update(texts)  # type: ignore[attr-defined]
        return super().encode_passages(texts)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store whose passages all wait."""
    with Memo.open(tmp_path, embedder="none") as memo:
        memo.add(TEXTS)
    return tmp_path


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backfill, "POLL_SECONDS", 0.02)


def filled(memo: Memo) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while memo.status().pending and time.monotonic() < deadline:
        time.sleep(0.02)
    return not memo.status().pending


@pytest.mark.slow
def test_who_opens_a_store_that_is_being_filled_embeds_nothing_again(store: Path) -> None:
    model = Gated()
    with Memo.open(store, embedder=model) as first:
        assert model.began.wait(PATIENCE_SECONDS)
        with Memo.open(store, embedder=model) as second:
            waiting = threading.Timer(0.2, model.gate.set)
            waiting.start()
            assert 0 == second.backfill()
            assert filled(first)
    seen = {text: times for text, times in model.seen.items() if text.startswith("probe")}
    assert dict.fromkeys((record["text"] for record in TEXTS), 1) == seen


def test_when_who_fills_a_store_is_gone_another_takes_over(store: Path) -> None:
    stuck, model = Gated(), Gated()
    model.gate.set()
    first = Memo.open(store, embedder=stuck)
    assert stuck.began.wait(PATIENCE_SECONDS)
    with Memo.open(store, embedder=model) as second:
        stuck.gate.set()
        first.close()
        assert filled(second)


def test_a_search_and_a_writer_do_not_wait_for_the_filling(store: Path) -> None:
    model = Gated()
    with Memo.open(store, embedder=model) as memo:
        assert model.began.wait(PATIENCE_SECONDS)
        with Memo.open(store, embedder="none") as other:
            assert 1 == other.add([{"text": "another"}]).added
            assert other.search("another").results
        model.gate.set()
        assert filled(memo)


def test_a_model_that_fails_leaves_the_store_to_others(store: Path) -> None:
    class Failing(HashEmbedder):
        def encode_passages(self, texts: list[str]) -> np.ndarray:
            raise ModelError("no memory")

    with Memo.open(store, embedder=Failing()) as memo, pytest.raises(ModelError, match="no memory"):
        memo.backfill()
    with Memo.open(store, embedder="hash") as memo:
        assert filled(memo)
