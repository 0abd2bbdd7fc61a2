"""Closing, interrupting and racing: nothing hangs, nothing is lost, everything says what it is in words."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import ModelError, StoreError
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.models.protocols import Embedder


class Slow(HashEmbedder):
    def encode_passages(self, texts: list[str]) -> np.ndarray:
        time.sleep(0.02)
        return super().encode_passages(texts)


def write(folder: Path, files: int) -> Path:
    folder.mkdir(parents=True)
    for number in range(files):
        text = "".join(f"# Part {part}\n\n{f'word{number} ' * 150}\n\n" for part in range(5))
        (folder / f"{number:03}.md").write_text(text, encoding="utf-8")
    return folder


def test_a_call_after_close_is_one_clear_line(tmp_path: Path) -> None:
    memo = Memo.open(tmp_path, embedder="hash")
    memo.close()
    with pytest.raises(StoreError, match=r"Open it again with Memo\.open"):
        memo.search("x")


@pytest.mark.slow
def test_closing_while_another_thread_indexes_leaves_whole_sources(tmp_path: Path) -> None:
    folder = write(tmp_path / "files", 120)
    memo = Memo.open(tmp_path / "store", embedder=Slow())
    started = threading.Event()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            memo.index(folder, progress=lambda done, *_: started.set() if done > 60 else None)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert started.wait(60)
    memo.close()
    thread.join(60)
    assert not thread.is_alive()
    assert [StoreError] == [type(error) for error in failed]
    with Memo.open(tmp_path / "store", embedder="hash") as again:
        status = again.status()
        assert status.passages == 5 * status.sources
        again.index(folder)
        assert 600 == again.status().passages


def test_many_calls_racing_a_close_all_end(tmp_path: Path) -> None:
    memo = Memo.open(tmp_path, embedder="hash")
    memo.add([{"text": "a probe"}])

    def ask(_: int) -> str:
        try:
            memo.search("probe")
        except StoreError:
            return "closed"
        return "answered"

    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(ask, range(80))
        memo.close()
        assert {"answered", "closed"} >= set(answers)


@pytest.mark.parametrize(
    "call",
    [
        lambda memo: memo.search("probe"),
        lambda memo: memo.index("."),
        lambda memo: memo.add([{"text": "a probe"}]),
        lambda memo: memo.backfill(),
        lambda memo: memo.optimize(),
        lambda memo: asyncio.run(memo.index_async(".")),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_call_after_the_close_says_so_and_leaves_no_work_behind(tmp_path: Path, call: Callable[[Memo], Any]) -> None:
    memo = Memo.open(tmp_path, embedder="hash")
    memo.close()
    with pytest.raises(StoreError, match="this memo is closed"):
        call(memo)
    gc.collect()


def test_cancelling_an_async_index_stops_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "files", 200)

    async def cancelled(memo: Memo) -> None:
        task = asyncio.ensure_future(memo.index_async(folder))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with Memo.open(tmp_path / "store", embedder=Slow()) as memo:
        asyncio.run(cancelled(memo))
        held = memo.status().sources
        time.sleep(0.7)
        assert held == memo.status().sources < 200


@pytest.mark.slow
def test_a_process_ends_although_its_model_still_loads(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from jupyter_memo.engine import Memo\n"
        "memo = Memo.open(sys.argv[1], embedder=lambda: time.sleep(60))\n"
        "memo.search('kind:note')\n"
        "memo.close()\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, timeout=45)


def test_searches_do_not_queue_for_a_model_that_loads(tmp_path: Path) -> None:
    with Memo.open(tmp_path, embedder="none") as memo:
        memo.add([{"text": "a probe"}])
    gate = threading.Event()

    def late() -> Embedder:
        gate.wait(60)
        return HashEmbedder()

    with (
        Memo.open(tmp_path, embedder=late, search__model_wait_seconds=0.5) as memo,
        ThreadPoolExecutor(8) as pool,
    ):
        flags = list(pool.map(lambda _: memo.search("probe").degraded.code, range(8)))
        gate.set()
    assert ["model_loading"] * 8 == flags


def test_a_forgotten_memo_takes_its_thread_with_it(tmp_path: Path) -> None:
    def threads() -> int:
        gc.collect()
        return sum(thread.name == "jupyter_memo" for thread in threading.enumerate())

    before = threads()
    memo = Memo.open(tmp_path, embedder="hash")
    memo.status()
    del memo
    deadline = time.monotonic() + 20
    while threads() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert before == threads()


def test_a_model_that_breaks_in_a_backfill_is_a_model_error(tmp_path: Path) -> None:
    class Broken(HashEmbedder):
        def encode_passages(self, texts: list[str]) -> np.ndarray:
            raise RuntimeError("out of memory")

    with Memo.open(tmp_path, embedder="none") as memo:
        memo.add([{"text": "a probe"}])
    with Memo.open(tmp_path, embedder=Broken()) as memo, pytest.raises(ModelError, match="out of memory"):
        memo.backfill()


def test_a_locked_store_says_so_after_the_configured_time(tmp_path: Path) -> None:
    with (
        Memo.open(tmp_path, embedder="hash") as holder,
        Memo.open(tmp_path, embedder="hash", lock_timeout_seconds=0.2) as waiter,
    ):
        held, release = threading.Event(), threading.Event()

        async def hold() -> None:
            async with holder._store.writing():
                held.set()
                await asyncio.to_thread(release.wait, 30)

        thread = threading.Thread(target=lambda: holder._runner.run(hold()))
        thread.start()
        assert held.wait(10)
        with pytest.raises(StoreError, match="lock"):
            waiter.add([{"text": "x"}])
        release.set()
        thread.join(10)
