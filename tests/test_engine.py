"""The engine as a surface sees it: threads, loops, interrupts, a model that is late, two processes."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import ConfigError, ModelError, StoreError
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.models.protocols import Embedder

TEXTS = [{"id": str(number), "text": f"probe number {number} in field {number % 3}"} for number in range(30)]


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, jupyter_memo; "
        "print([name for name in ('lancedb', 'torch', 'pyarrow', 'pandas', 'onnxruntime') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()


def test_searches_work_inside_a_running_loop(memo: Memo) -> None:
    memo.add(TEXTS)

    async def inside() -> tuple[int, int]:
        return len(memo.search("probe")), len(await memo.search_async("probe"))

    assert (10, 10) == asyncio.run(inside())


def test_searches_from_many_threads_agree(memo: Memo) -> None:
    memo.add(TEXTS)
    with ThreadPoolExecutor(6) as pool:
        lists = list(pool.map(lambda _: [each.passage.id for each in memo.search("probe field")], range(24)))
    assert all(each == lists[0] for each in lists)


def test_a_search_while_another_thread_indexes_sees_whole_sources(memo: Memo) -> None:
    stop = threading.Event()
    counts = set()

    def look() -> None:
        while not stop.is_set():
            counts.add(memo.status().passages)

    looker = threading.Thread(target=look)
    looker.start()
    memo.add(TEXTS)
    stop.set()
    looker.join()
    assert counts <= {0, 30}


@pytest.mark.slow
def test_an_interrupt_leaves_whole_sources_and_a_usable_index(tmp_path: Path) -> None:
    class Slow(HashEmbedder):
        def encode_passages(self, texts: list[str]) -> np.ndarray:
            time.sleep(0.02)
            return super().encode_passages(texts)

    for number in range(100):
        (tmp_path / f"{number:02}.md").write_text(
            "".join(f"# Part {part}\n\n{f'word{number} ' * 150}\n\n" for part in range(10)), encoding="utf-8"
        )
    with Memo.open(tmp_path / ".memo", embedder=Slow()) as memo:

        def later(done: int, total: int, what: str) -> None:
            if done >= 30 and memo.status().sources:
                signal.raise_signal(signal.SIGINT)

        with pytest.raises(KeyboardInterrupt):
            memo.index(tmp_path, progress=later)
        rest = memo.index(tmp_path)
        whole = sum(source.status == "unchanged" for source in rest.sources)
        assert 0 < whole < 100
        assert (10 * whole, 1000) == (rest.kept, memo.status().passages)


def test_a_model_that_is_late_degrades_the_search_and_the_vectors_follow(tmp_path: Path) -> None:
    with Memo.open(tmp_path, embedder="hash") as memo:
        memo.add(TEXTS)
    gate = threading.Event()

    def late() -> Embedder:
        gate.wait(30)
        return HashEmbedder()

    with Memo.open(tmp_path, embedder=late, search__model_wait_seconds=0.05) as memo:
        response = memo.search("probe")
        assert (True, "model_loading", "keyword_only") == (
            response.degraded.flag,
            response.degraded.code,
            response.mode_effective,
        )
        assert 10 == len(response)
        gate.set()
        deadline = time.monotonic() + 30
        while memo.search("probe").degraded.flag and time.monotonic() < deadline:
            time.sleep(0.05)
        assert "hybrid" == memo.search("probe").mode_effective


def test_a_model_that_fails_degrades_the_search_and_names_the_reason(tmp_path: Path) -> None:
    def broken() -> Embedder:
        raise ModelError("the weights are damaged")

    with Memo.open(tmp_path, embedder=broken) as memo:
        report = memo.add(TEXTS)
        response = memo.search("probe")
        assert (0, 30) == (report.embedded, report.pending)
        assert "model_failed" == response.degraded.code
        assert "the weights are damaged" in response.degraded.reason
        with pytest.raises(ModelError, match="the weights are damaged"):
            memo.backfill()


@pytest.mark.slow
def test_backfill_embeds_what_was_written_without_a_model(tmp_path: Path) -> None:
    with Memo.open(tmp_path, embedder="none") as memo:
        memo.add(TEXTS)
    with Memo.open(tmp_path, embedder="hash") as memo:
        memo.backfill()
        assert 0 == memo.status().pending
        assert "hybrid" == memo.search("probe").mode_effective


def test_opening_with_a_model_embeds_what_waits(tmp_path: Path) -> None:
    with Memo.open(tmp_path, embedder="none") as memo:
        memo.add(TEXTS)
    with Memo.open(tmp_path, embedder="hash") as memo:
        deadline = time.monotonic() + 30
        while memo.status().pending and time.monotonic() < deadline:
            time.sleep(0.05)
        assert 0 == memo.status().pending


def test_no_embedder_is_a_setting_and_not_a_fault(tmp_path: Path) -> None:
    with Memo.open(tmp_path, embedder="none") as memo:
        memo.add(TEXTS)
        response = memo.search("probe")
        assert (False, "keyword_only") == (response.degraded.flag, response.mode_effective)


def test_vectors_of_another_model_are_not_mixed(tmp_path: Path) -> None:
    with Memo.open(tmp_path, embedder="hash") as memo:
        memo.add(TEXTS)
    with Memo.open(tmp_path, embedder=HashEmbedder(dim=64), read_only=True) as memo:
        assert "other_model" == memo.search("probe").degraded.code


def test_a_second_process_sees_new_passages_at_once(memo: Memo) -> None:
    memo.add(TEXTS[:5])
    code = (
        "import sys; from jupyter_memo.engine import Memo\n"
        "if __name__ == '__main__':\n"
        "    with Memo.open(sys.argv[1], embedder='hash') as memo: memo.add([{'id': 'x', 'text': 'a heron'}])"
    )
    subprocess.run([sys.executable, "-c", code, memo.path], check=True, capture_output=True)
    assert ["x"] == [each.passage.uri for each in memo.search("heron", mode="keyword")]


def test_the_settings_name_page_and_mode_where_a_call_does_not(tmp_path: Path) -> None:
    with Memo.open(tmp_path, embedder="hash", search__limit=2, search__mode="keyword") as memo:
        memo.add(TEXTS)
        standing, said = memo.search("probe"), memo.search("probe", limit=1, mode="semantic")
    assert (2, "keyword") == (len(standing.results), standing.trace.mode_asked)
    assert (1, "semantic") == (len(said.results), said.trace.mode_asked)


def test_a_wrong_setting_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"Did you mean index\.max_megabytes"):
        Memo.open(tmp_path, index__max_megabyte=3)


def test_a_wrong_embedder_is_refused_at_open(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Did you mean minilm"):
        Memo.open(tmp_path, embedder="minilmm")


def test_a_file_where_the_store_should_be_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "store"
    path.write_text("x")
    with pytest.raises(StoreError):
        Memo.open(path, embedder="hash")


def test_the_store_is_found_upwards_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".memo").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    with Memo.open(embedder="hash") as memo:
        assert str(tmp_path / ".memo") == memo.path


def test_the_environment_names_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_MEMO__STORE", str(tmp_path / "elsewhere"))
    with Memo.open(embedder="hash") as memo:
        assert str(tmp_path / "elsewhere") == memo.path


def test_closing_twice_does_nothing(tmp_path: Path) -> None:
    memo = Memo.open(tmp_path, embedder="hash")
    memo.close()
    memo.close()


def test_the_doctor_names_a_cure_for_what_is_wrong(memo: Memo) -> None:
    empty = {check.name: check for check in memo.doctor()}["index"]
    assert (False, "%memo_index PATH") == (empty.ok, empty.cure)
    memo.add(TEXTS)
    assert all(check.ok for check in memo.doctor())
