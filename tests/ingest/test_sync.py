"""A search sees the disk as it is: what was edited, added, renamed or removed since the last one."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.ingest import sync
from jupyter_memo.ingest.watch import Watch, watchable
from jupyter_memo.models.hash import HashEmbedder


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "optics.md").write_text("# Optics\n\nDirty lenses scatter the beam.\n")
    (folder / "clock.md").write_text("# Clock\n\nThe maser drifts.\n")
    return folder


@pytest.fixture
def memo(tmp_path: Path):
    with Memo.open(tmp_path / "store", embedder="none") as memo:
        yield memo


def found(memo: Memo, query: str, **options: object) -> list[str]:
    return sorted(result.passage.uri for result in memo.search(query, **options).results)


def test_an_edit_is_found_by_the_next_search_and_what_it_replaced_is_not(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "clock.md").write_text("# Clock\n\nThe hydrogen clock is steady.\n")
    assert ["notes/clock.md"] == found(memo, "hydrogen")
    assert [] == found(memo, "maser")


def test_a_new_file_below_an_indexed_folder_is_found(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "deep").mkdir()
    (notes / "deep" / "wind.md").write_text("# Wind\n\nThe anemometer froze.\n")
    assert ["notes/deep/wind.md"] == found(memo, "anemometer")


def test_a_new_file_has_what_was_said_of_the_folder_it_lies_in(memo: Memo, notes: Path) -> None:
    memo.index(notes, namespace="lab", tags=["bench"])
    (notes / "wind.md").write_text("The anemometer froze.\n")
    passage = memo.search("anemometer").results[0].passage
    assert ("lab", ("bench",)) == (passage.namespace, passage.tags)


def test_a_file_beside_a_file_that_was_indexed_alone_is_nobodys_business(memo: Memo, notes: Path) -> None:
    memo.index(notes / "optics.md")
    assert [] == found(memo, "maser")


def test_a_removed_file_is_gone_at_the_next_search(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "clock.md").unlink()
    assert [] == found(memo, "maser")


def test_a_folder_that_replaces_a_file_is_walked(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "clock.md").unlink()
    (notes / "clock.md").mkdir()
    (notes / "clock.md" / "in.md").write_text("The quartz ticks.\n")
    assert ["notes/clock.md/in.md"] == found(memo, "quartz")


def test_a_folder_that_is_out_of_reach_keeps_its_passages_and_is_named(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    shutil.move(notes, notes.with_name("unplugged"))
    response = memo.search("maser")
    assert 1 == len(response.results)
    assert any("The folder notes is not there" in hint for hint in response.hints)


def test_a_folder_that_is_gone_for_good_leaves_when_it_is_indexed_once_more(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    shutil.rmtree(notes)
    assert {"removed"} == {source.status for source in memo.index(notes).sources}
    response = memo.search("maser")
    assert ((), False) == (response.results, any("is not there" in hint for hint in response.hints))


def test_the_trace_counts_the_files_that_were_brought_up_to_date(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "clock.md").unlink()
    (notes / "wind.md").write_text("The anemometer froze.\n")
    assert [2, 0] == [memo.search("maser").trace.synced for _ in range(2)]


def test_a_search_that_asks_for_no_sync_asks_the_index_as_it_stands(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "clock.md").unlink()
    assert ["notes/clock.md"] == found(memo, "maser", sync=False)


def test_a_store_that_is_only_read_answers_as_it_stands(memo: Memo, notes: Path, tmp_path: Path) -> None:
    memo.index(notes)
    (notes / "clock.md").unlink()
    with Memo.open(tmp_path / "store", embedder="none", read_only=True) as reading:
        assert ["notes/clock.md"] == found(reading, "maser")


def test_while_another_run_indexes_a_search_answers_with_what_there_is_and_says_so(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "clock.md").unlink()

    async def search_beside_a_run():
        async with memo._store.alone():
            return await memo._search(*memo._asked("maser"))

    response = memo._runner.run(search_beside_a_run())
    assert 1 == len(response.results)
    assert any("another run is indexing" in hint for hint in response.hints)
    assert [] == found(memo, "maser")


def test_a_file_that_cannot_be_read_is_named_and_keeps_what_was_indexed_of_it(memo: Memo, notes: Path) -> None:
    (notes / "run.ipynb").write_text(
        '{"cells": [{"cell_type": "markdown", "source": "a bolometer", "metadata": {}}], '
        '"metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    )
    memo.index(notes)
    (notes / "run.ipynb").write_text('{"cells": [')
    for _ in range(2):
        response = memo.search("bolometer")
        assert ["notes/run.ipynb"] == [result.passage.uri for result in response.results]
        assert any("Could not read notes/run.ipynb" in hint for hint in response.hints)


def test_a_file_that_another_run_has_read_meanwhile_is_named_no_more(memo: Memo, notes: Path, tmp_path: Path) -> None:
    memo.index(notes)
    (notes / "run.ipynb").write_text('{"cells": [')
    assert any("Could not read notes/run.ipynb" in hint for hint in memo.search("bolometer").hints)
    (notes / "run.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    with Memo.open(memo.path, embedder="none") as other:
        other.index(notes)
    assert [] == [hint for hint in memo.search("bolometer").hints if "Could not read" in hint]


def test_vectors_follow_the_words(tmp_path: Path, notes: Path) -> None:
    with Memo.open(tmp_path / "store", embedder="hash") as memo:
        memo.index(notes)
        (notes / "wind.md").write_text("The anemometer froze.\n")
        assert ["notes/wind.md"] == found(memo, "anemometer", mode="keyword")
        memo._runner.run(_filled(memo))
        assert 0 == memo.status().pending


async def _filled(memo: Memo) -> None:
    if memo._sync._filling:
        await memo._sync._filling


def test_a_model_that_fails_leaves_the_words(tmp_path: Path, notes: Path) -> None:
    class Failing(HashEmbedder):
        def encode_passages(self, texts):
            raise RuntimeError("no memory")

    with Memo.open(tmp_path / "store", embedder=Failing()) as memo:
        memo.index(notes)
        (notes / "wind.md").write_text("The anemometer froze.\n")
        assert ["notes/wind.md"] == found(memo, "anemometer", mode="keyword")


def test_a_search_during_a_long_index_run_answers_and_says_what_goes_on(tmp_path: Path, notes: Path) -> None:
    entered, gate = threading.Event(), threading.Event()
    gate.set()

    class Gated(HashEmbedder):
        def encode_passages(self, texts):
            entered.set()
            gate.wait()
            return HashEmbedder.encode_passages(self, texts)

    with Memo.open(tmp_path / "store", embedder=Gated()) as memo:
        memo.index(notes)
        (notes / "wind.md").write_text("The anemometer froze.\n")
        entered.clear()
        gate.clear()
        run = threading.Thread(target=memo.index, args=(notes,))
        run.start()
        entered.wait()
        response = memo.search("maser", mode="keyword")
        still = run.is_alive()
        gate.set()
        run.join()
        assert (1, True) == (len(response.results), still)
        assert any("another run is indexing" in hint for hint in response.hints)
        assert ["notes/wind.md"] == found(memo, "anemometer", mode="keyword")


def test_a_long_sync_is_not_waited_for_and_goes_on(memo: Memo, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memo.index(notes)
    for number in range(40):
        (notes / f"n{number}.md").write_text(f"note {number} of the anemometer\n")
    memo._sync._wait_seconds = 0.0
    response = memo.search("anemometer")
    assert any("goes on while you search" in hint for hint in response.hints)
    memo._sync._wait_seconds = 60.0
    memo._runner.run(_brought(memo))
    assert 10 == len(memo.search("anemometer").results)


async def _brought(memo: Memo) -> None:
    await memo._sync._bringing


def test_a_large_tree_is_looked_at_again_when_the_watch_saw_something(
    memo: Memo, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "EVERY_TIME_FILES", 0)
    memo.index(notes)
    found(memo, "maser")
    found(memo, "maser")
    looks = memo._sync._looked
    found(memo, "maser")
    assert looks == memo._sync._looked
    (notes / "wind.md").write_text("The anemometer froze.\n")
    for _ in range(100):  # the system may take its time to tell
        if found(memo, "anemometer"):
            break
    assert ["notes/wind.md"] == found(memo, "anemometer")


def test_what_changes_right_after_a_sync_that_wrote_is_seen(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    for number in range(5):
        (notes / "clock.md").write_text(f"The maser lost word{number}.\n")
        assert ["notes/clock.md"] == found(memo, f"word{number}")


def test_without_a_watch_a_large_tree_is_looked_at_every_so_often(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "EVERY_TIME_FILES", 0)
    with Memo.open(tmp_path / "store", embedder="none", index__watch=False) as memo:
        memo.index(notes)
        found(memo, "maser")
        (notes / "clock.md").unlink()
        assert ["notes/clock.md"] == found(memo, "maser")
        monkeypatch.setattr(sync, "UNWATCHED_SECONDS", 0.0)
        assert [] == found(memo, "maser")


def test_a_watch_hears_of_a_change_once(tmp_path: Path) -> None:
    with Watch([tmp_path]) as watch:
        assert not watch.happened()
        (tmp_path / "a.md").write_text("x")
        assert any(watch.happened() for _ in range(500))
        while watch.happened():
            pass
        assert not watch.happened()


def test_a_watch_leaves_the_store_itself_out(tmp_path: Path) -> None:
    (tmp_path / ".memo").mkdir()
    with Watch([tmp_path]) as watch:
        (tmp_path / ".memo" / "data").write_text("x")
        assert not any(watch.happened() for _ in range(50))


def test_a_network_file_system_is_not_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Part:
        mountpoint, fstype = str(tmp_path), "nfs4"

    monkeypatch.setattr("jupyter_memo.ingest.watch.psutil.disk_partitions", lambda **_: [Part])
    assert not watchable([tmp_path / "notes"])


def test_what_is_held_back_is_said_without_saying_what_it_is(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    key = "AKIA" + "Q7Z2M4X9L1B8N5V3"
    (notes / "wind.md").write_text(f"# Wind\n\nThe anemometer froze.\n\n# Cloud\n\naccess key {key}\n")
    response = memo.search("anemometer")
    assert any("Not all of notes/wind.md is indexed" in hint for hint in response.hints)
    assert not any(key in hint for hint in response.hints)
