"""Records of every sort and any number: read in small batches, written whole, embedded once."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.ingest import arriving, commit, given, index, tally
from jupyter_memo.ingest.ahead import Ahead
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.response import IndexReport, SourceReport

BATCH = 20
MANY = 2 * BATCH + 5
TABLE = pa.table({"id": ["a", "b"], "text": ["heron by the weir", "otter in the reeds"], "tags": [["x"], None]})


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches small enough that a few records are several."""
    for module in (commit, arriving):
        monkeypatch.setattr(module, "BATCH_SOURCES", BATCH)


class Counting(HashEmbedder):
    """Keeps every text it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "seen", [])

    def encode_passages(self, texts: list[str]) -> np.ndarray:
        self.seen.extend(texts)  # type: ignore[attr-defined]
        return super().encode_passages(texts)


def rows(count: int, say: str = "probe") -> Iterator[dict[str, str]]:
    for number in range(count):
        yield {"id": f"r/{number}", "text": f"{say} {number}"}


def statuses(report: IndexReport) -> list[tuple[str, str, str]]:
    return [(source.uri, source.status, source.reason) for source in report.sources]


async def counts(memo: Memo) -> dict[str, int]:
    return await memo._store.counts()


def texts(records: Any) -> list[str]:
    return [record["text"] for record in given.records(records)]


def test_a_generator_longer_than_a_batch_is_added_whole(memo: Memo) -> None:
    report = memo.add(rows(MANY))
    assert (MANY, MANY, MANY) == (report.added, report.embedded, len(report.sources))
    assert MANY == memo.status().passages
    again = memo.add(rows(MANY))
    assert (MANY, 0, 0) == (again.kept, again.added, again.embedded)


def told(memo: Memo, records: Any) -> list[tuple[int, int, str]]:
    seen: list[tuple[int, int, str]] = []
    memo.add(records, progress=lambda *event: seen.append(event))
    return seen


def test_progress_counts_up_to_the_number_of_records(memo: Memo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "TELL_SECONDS", 0)
    seen = told(memo, list(rows(MANY)))
    assert ((0, MANY, ""), (MANY, MANY, "")) == (seen[0], seen[-1])
    assert (1, MANY, "r/0") == seen[1]
    assert [*range(MANY + 1)] == sorted({done for done, _, _ in seen})


def test_progress_of_records_without_a_length_says_how_many_there_were_so_far(
    memo: Memo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "TELL_SECONDS", 0)
    seen = told(memo, rows(MANY))
    assert {0} == {total for _, total, _ in seen[:-1]}
    assert (MANY, MANY, "") == seen[-1]
    assert [*range(MANY + 1)] == sorted({done for done, _, _ in seen})


def test_progress_counts_records_that_are_there_already_or_given_twice(
    memo: Memo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "TELL_SECONDS", 0)
    memo.add(rows(MANY))
    seen = told(memo, [*rows(MANY), *rows(3, say="other"), *rows(3, say="third")])
    assert [*range(MANY + 7)] == sorted({done for done, _, _ in seen})


def test_progress_is_told_no_oftener_than_anybody_reads(memo: Memo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "TELL_SECONDS", 1e6)
    assert [(0, 0, ""), (MANY, MANY, "")] == told(memo, rows(MANY))


def test_a_generator_is_read_only_a_little_further_than_it_is_written(memo: Memo, monkeypatch: Any) -> None:
    monkeypatch.setattr(commit, "GROUP_BATCHES", 1)
    ahead: list[int] = []

    def watched() -> Iterator[dict[str, str]]:
        for number, record in enumerate(rows(6 * BATCH)):
            if number == 6 * BATCH - 1:
                ahead.append(memo.status().passages)
            yield record

    memo.add(watched())
    assert ahead[0] > 0


@pytest.mark.parametrize(
    "records",
    [
        pytest.param(lambda: TABLE, id="table"),
        pytest.param(lambda: TABLE.to_batches()[0], id="batch"),
        pytest.param(lambda: TABLE.to_reader(), id="reader"),
        pytest.param(lambda: pytest.importorskip("pandas").DataFrame(TABLE.to_pylist()), id="pandas"),
        pytest.param(lambda: pytest.importorskip("polars").from_arrow(TABLE), id="polars"),
        pytest.param(lambda: {row["id"]: row for row in TABLE.to_pylist()}.values(), id="values"),
        pytest.param(lambda: iter(TABLE.to_pylist()), id="iterator"),
    ],
)
def test_records_of_every_sort_are_added_and_found(memo: Memo, records: Any) -> None:
    report = memo.add(records())
    assert 2 == report.added
    assert ["a"] == [result.passage.uri for result in memo.search("heron weir", tags=("x",))]


def test_rows_of_a_table_come_in_their_order_across_pieces(monkeypatch: Any) -> None:
    monkeypatch.setattr(given, "TABLE_ROWS", 2)
    wanted = [f"t{number}" for number in range(5)]
    table = pa.table({"text": wanted})
    assert wanted == texts(table) == texts(table.to_reader(3))
    assert wanted == texts(pytest.importorskip("pandas").DataFrame({"text": wanted}))
    assert wanted == texts(pytest.importorskip("polars").DataFrame({"text": wanted}))


@pytest.mark.parametrize("records", [7, "text", pa.chunked_array([["just", "texts"]])], ids=["int", "str", "column"])
def test_what_holds_no_records_is_refused_in_words(records: Any) -> None:
    with pytest.raises(QueryError, match="records are"):
        texts(records)


def test_a_bad_record_far_down_a_list_leaves_nothing_written(memo: Memo) -> None:
    with pytest.raises(QueryError, match=f"record {MANY + 1} has no text"):
        memo.add([*rows(MANY), {"text": ""}])
    assert 0 == memo.status().passages


def test_a_bad_record_of_a_generator_leaves_those_before_it_written(memo: Memo) -> None:
    with pytest.raises(QueryError, match=f"record {MANY + 1} has no text"):
        memo.add(itertools.chain(rows(MANY), [{"text": ""}], rows(9, "after")))
    assert MANY == memo.status().passages == memo.status().sources


def test_an_error_of_the_callers_own_generator_comes_through(memo: Memo) -> None:
    def broken() -> Iterator[dict[str, str]]:
        yield {"text": "before"}
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        memo.add(broken())
    assert 1 == memo.status().passages


@pytest.mark.slow
@pytest.mark.parametrize("group", [1, 8])
def test_a_record_that_comes_again_in_a_later_batch_replaces_the_earlier_one(
    memo: Memo, monkeypatch: Any, group: int
) -> None:
    monkeypatch.setattr(commit, "GROUP_BATCHES", group)
    report = memo.add(
        itertools.chain([{"id": "a", "text": "one zebra"}], rows(MANY), [{"id": "a", "text": "two zebra"}])
    )
    assert ["two zebra"] == [result.passage.text for result in memo.search("zebra")]
    assert MANY + 1 == memo.status().passages
    assert ("a", "indexed", arriving.REPLACES) in statuses(report)


@pytest.mark.slow
def test_a_record_that_goes_back_to_what_the_index_held_before_the_run_is_the_last_one(memo: Memo) -> None:
    first, other = {"id": "a", "text": "one zebra"}, {"id": "a", "text": "two zebra"}
    memo.add([first])
    memo.add(itertools.chain([other], rows(MANY), [first]))
    assert ["one zebra"] == [result.passage.text for result in memo.search("zebra")]


@pytest.mark.slow
def test_a_record_that_is_said_twice_in_two_batches_is_written_once(memo: Memo) -> None:
    record = {"id": "a", "text": "one zebra"}
    report = memo.add(itertools.chain([record], rows(MANY), [record]))
    assert (MANY + 1, 1) == (report.added, report.skipped)
    assert ("a", "skipped", arriving.GIVEN_BEFORE) in statuses(report)


@pytest.mark.slow
def test_no_text_is_embedded_twice(tmp_path: Path) -> None:
    model = Counting()
    with Memo.open(tmp_path, embedder=model) as memo:
        memo.add(rows(MANY))
        memo.add(rows(MANY))
        changed = memo.add({"id": f"r/{number}", "text": f"probe {number + number % 2 * MANY}"} for number in range(20))
    seen: list[str] = [text for text in model.seen if text.startswith("probe")]  # type: ignore[attr-defined]
    assert (10, 10) == (changed.added, changed.embedded)
    assert len(seen) == len(set(seen)) == MANY + 10


def test_a_vector_of_a_passage_that_another_process_wrote_without_one_is_kept(tmp_path: Path) -> None:
    record = {"id": "a", "text": "heron by the weir"}

    class Meanwhile(HashEmbedder):
        """While it embeds, somebody without a model writes the same record."""

        def encode_passages(self, texts: list[str]) -> np.ndarray:
            with Memo.open(tmp_path, embedder="none") as other:
                other.add([record])
            return super().encode_passages(texts)

    with Memo.open(tmp_path, embedder=Meanwhile()) as memo:
        report = memo.add([record])
        assert (1, 0, 1, 0) == (report.kept, report.added, report.embedded, report.pending)
        assert 0 == memo.status().pending


def test_a_cancelled_stream_leaves_whole_records_and_stops_reading(tmp_path: Path) -> None:
    read = 0
    begun = threading.Event()

    def endless() -> Iterator[dict[str, str]]:
        nonlocal read
        for read in itertools.count():
            if read > 8 * BATCH:
                begun.set()
            yield {
                "id": f"r/{read}",
                "text": " ".join(f"Sentence {part} of {read} is a long one." for part in range(60)),
            }

    async def cancelled(memo: Memo) -> None:
        task = asyncio.ensure_future(asyncio.to_thread(memo.add, endless()))
        await asyncio.to_thread(begun.wait, 60)
        memo.close()
        with pytest.raises(Exception, match="closed"):
            await task

    with Memo.open(tmp_path, embedder="hash") as memo:
        asyncio.run(cancelled(memo))
    stopped = read
    with Memo.open(tmp_path, embedder="hash") as memo:
        status = memo.status()
        assert 0 < status.sources < stopped
        assert status.passages % status.sources == 0
        assert stopped == read


@pytest.mark.slow
def test_a_long_run_looks_after_the_store_on_its_way(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(commit, "UPKEEP_PASSAGES", BATCH)
    monkeypatch.setattr(commit, "GROUP_BATCHES", 1)
    indexed: list[int] = []

    def watched(memo: Memo) -> Iterator[dict[str, str]]:
        for number, record in enumerate(rows(10 * BATCH)):
            if number == 10 * BATCH - 1:
                there = memo._runner.run(counts(memo))
                indexed.append(there["rows"] - there["unindexed"])
            yield record

    with Memo.open(tmp_path, embedder="hash") as memo:
        memo.add(watched(memo))
    assert indexed[0] > 0


def test_a_report_lists_a_bounded_number_of_sources_and_counts_them_all(monkeypatch: Any) -> None:
    monkeypatch.setattr(tally, "LISTED", 4)
    sums = tally.Tally()
    sums.sources.extend(SourceReport(uri=f"s/{number}", status="indexed", added=2) for number in range(10))
    sums.sources.extend(SourceReport(uri=f"f/{number}", status="failed", kept=1) for number in range(3))
    report = sums.report(1.0, dry_run=False)
    assert (20, 3, 3) == (report.added, report.kept, report.failed)
    assert ["f/0", "f/1", "f/2", "s/0"] == [source.uri for source in report.sources]
    assert (("indexed", 9),) == report.unlisted


def test_a_thread_is_remembered_while_it_is_among_those_that_spoke_last(monkeypatch: Any) -> None:
    monkeypatch.setattr(given, "THREADS", 2)
    threads = given._Threads()

    def say(thread: str, text: str) -> str:
        return threads.context({"thread": thread}, text, text, "")

    assert ["", "", "one", ""] == [say("a", "one"), say("b", "two"), say("a", "three"), say("c", "four")]
    assert ("three", "") == (say("a", "five"), say("b", "six"))


async def _numbers(count: int, fail: bool = False) -> AsyncIterator[int]:
    for number in range(count):
        yield number
    if fail:
        raise ValueError("at the end")


def test_what_is_made_ahead_comes_in_order_and_its_error_last() -> None:
    found: list[int] = []

    async def read() -> None:
        async with Ahead(_numbers(5, fail=True), 2) as items:
            async for item in items:
                found.append(item)  # noqa: PERF401 - what came before the error is to be kept

    with pytest.raises(ValueError, match="at the end"):
        asyncio.run(read())
    assert [0, 1, 2, 3, 4] == found


def test_leaving_early_ends_what_is_made_ahead() -> None:
    ended = []

    async def endless() -> AsyncIterator[int]:
        try:
            for number in itertools.count():
                yield number
        finally:
            ended.append(True)

    async def read() -> int:
        async with Ahead(endless(), 2) as items:
            async for item in items:
                await asyncio.sleep(0)
                return item
        raise AssertionError

    assert 0 == asyncio.run(read())
    assert [True] == ended
