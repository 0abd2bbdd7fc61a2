from __future__ import annotations

import time
from datetime import timedelta

import pytest

from jupyter_memo.errors import StoreError
from jupyter_memo.store import indexes
from jupyter_memo.store.lance import Store


def test_upkeep_does_nothing_while_it_is_not_worth_it(run, store, row, write) -> None:
    run(write(store, "r", [row(f"p{number}", "text") for number in range(10)]))
    before = run(store.snapshot()).version

    async def keep() -> None:
        async with store.writing():
            await store.optimize()

    run(keep())
    assert before == run(store.snapshot()).version
    assert 10 == run(store.counts())["unindexed"]


def test_upkeep_comes_by_itself_when_many_rows_are_outside_the_indexes(run, store, row, write) -> None:
    run(write(store, "r", [row(f"p{number}", "text") for number in range(indexes.WORTH_ROWS)]))

    async def keep() -> None:
        async with store.writing():
            await store.optimize()

    run(keep())
    assert 0 == run(store.counts())["unindexed"]


def test_upkeep_joins_many_small_pieces(run, store, row, write) -> None:
    async def many() -> None:
        async with store.writing():
            await store.begin("r")
            for number in range(indexes.WORTH_FRAGMENTS):
                await store.add([row(f"p{number}", "text")], None, "r")
            await store.commit("r")
            assert indexes.WORTH_FRAGMENTS == (await store.counts())["fragments"]
            await store.optimize()

    run(many())
    assert 1 == run(store.counts())["fragments"]
    assert indexes.WORTH_FRAGMENTS == run(store.counts())["passages"]


@pytest.mark.slow
def test_a_version_stays_until_its_successor_is_old(run, store, row, write, optimize, monkeypatch) -> None:
    monkeypatch.setattr(indexes, "GRACE", timedelta(seconds=5))
    run(write(store, "r1", [row("p1", "word")]))
    first = run(store.snapshot()).version
    time.sleep(5.5)
    run(write(store, "r2", [row("p2", "word")]))
    run(optimize(store))
    assert 1 == run(run(Store.open(store.path)).count("true", version=first))
    time.sleep(6.5)
    run(optimize(store))
    with pytest.raises(StoreError, match="Search again"):
        run(run(Store.open(store.path)).count("true", version=first))


def test_a_version_that_is_gone_is_an_error_with_the_cure(run, store, row, write) -> None:
    with pytest.raises(StoreError, match="Search again"):
        run(store.count("true", version=10_000))


def test_upkeep_is_tried_again_when_another_writer_was_in_the_way(run, store, row, write, monkeypatch) -> None:
    run(write(store, "r", [row("p", "word")]))
    calls = []
    optimize = store._tables.passages.optimize

    async def contested(**options) -> None:
        calls.append(options)
        if len(calls) < 3:
            raise RuntimeError("lance error: Retryable commit conflict for version 7")
        await optimize(**options)

    monkeypatch.setattr(store._tables.passages, "optimize", contested)
    monkeypatch.setattr(indexes, "BACK_OFF_SECONDS", 0.0)
    run(indexes.maintain(store._tables.passages))
    assert 3 == len(calls)
    assert 0 == run(store.counts())["unindexed"]


def test_other_failures_of_upkeep_are_not_tried_again(run, store, monkeypatch) -> None:
    calls = []

    async def broken(**options) -> None:
        calls.append(options)
        raise RuntimeError("lance error: disk on fire")

    monkeypatch.setattr(store._tables.passages, "optimize", broken)

    async def keep() -> None:
        async with store.writing():
            await store.optimize(force=True)

    with pytest.raises(StoreError, match="disk on fire"):
        run(keep())
    assert 1 == len(calls)
