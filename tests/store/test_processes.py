"""One writer at a time, over tasks and processes, and readers that never see the middle of a write."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from jupyter_memo.errors import StoreError
from jupyter_memo.query import Scope
from jupyter_memo.store.filters import predicates, where
from jupyter_memo.store.lance import Store

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_two_writers_of_one_process_wait_for_each_other(run, live, store, row) -> None:
    order: list[str] = []

    async def writer(name: str) -> None:
        async with store.writing():
            order.append(f"{name} begins")
            await store.begin(name)
            await asyncio.sleep(0.05)
            await store.add([row("p", name)], None, name)
            await store.commit(name)
            order.append(f"{name} ends")

    async def both() -> None:
        await asyncio.gather(writer("a"), writer("b"))

    run(both())
    assert order[0].split()[0] == order[1].split()[0]
    assert ["p"] == run(live(store))


def test_a_write_that_is_cancelled_ends_before_the_lock_is_free(run, store, row, write, monkeypatch) -> None:
    add, steps = store._tables.passages.add, []

    async def slow(rows) -> None:
        steps.append("begun")
        await asyncio.sleep(0.1)
        await add(rows)
        steps.append("done")

    async def writer() -> None:
        try:
            async with store.writing():
                await store.begin("r1")
                await store.add([row("p", "text")], None, "r1")
        finally:
            steps.append("free")

    async def cancel() -> None:
        task = asyncio.ensure_future(writer())
        while not steps:
            await asyncio.sleep(0.005)
        task.cancel()
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    monkeypatch.setattr(store._tables.passages, "add", slow)
    run(cancel())
    assert ["begun", "done", "free"] == steps
    assert ("r1",) == run(store.snapshot()).open_runs
    run(write(store, "r2"))
    assert 0 == run(store.counts())["rows"]


def test_a_lock_that_is_held_is_an_error_after_the_timeout(run, store) -> None:
    async def second() -> None:
        other = await Store.open(store.path)
        async with store.writing(), other.writing(timeout_seconds=0):
            raise AssertionError("two writers at once")

    with pytest.raises(StoreError, match="locked by another process"):
        run(second())


CHILD = """
import asyncio, sys
from datetime import UTC, datetime
from jupyter_memo.records import Passage, Source
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import Row
from jupyter_memo.text.words import stem_column

TIME = datetime(2026, 2, 1, tzinfo=UTC)

def row(id, text, trust=2):
    passage = Passage(id=id, source_id="s1", uri="a.md", text=text, trust=trust, created_at=TIME, recorded_at=TIME)
    return Row(passage=passage, lex=stem_column(text))

async def killed(store):
    async with store.writing():
        await store.begin("child")
        await store.add([row("new", "new"), row("both", "both", trust=3)], None, "child")
        await store.supersede(["old"], TIME, "child")
        await store.put_sources([Source(id="s1", uri="a.md", run_id="child", title="child", recorded_at=TIME)])
        print("ready", flush=True)
        await asyncio.sleep(600)

async def writing(store):
    print("ready", flush=True)
    for number in range(12):
        async with store.writing():
            await store.begin(f"child {number}")
            rows = [row(f"p{item:02d}", f"word child {number}") for item in range(20)]
            await store.add(rows, None, f"child {number}")
            await store.commit(f"child {number}")

async def replacing(store):
    for number in range(25):
        async with store.writing():
            await store.begin(f"child {number}")
            await store.add([row(f"{number} {item}", "word") for item in range(30)], None, f"child {number}")
            await store.supersede([f"{number - 1} {item}" for item in range(30)], TIME, f"child {number}")
            await store.commit(f"child {number}")
            if number == 0:
                print("ready", flush=True)

async def main():
    await globals()[sys.argv[2]](await Store.open(sys.argv[1]))

asyncio.run(main())
"""


def child(store: Store, name: str) -> subprocess.Popen[str]:
    """A second process on the same store, far enough to have begun."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", CHILD, store.path, name]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert "ready" == process.stdout.readline().strip()
    return process


def test_a_killed_process_leaves_the_old_state_and_the_next_writer_heals(run, live, store, row, write) -> None:
    run(write(store, "r1", [row("old", "old"), row("both", "both")]))
    process = child(store, "killed")
    try:
        assert ["both", "old"] == run(live(store))
    finally:
        process.kill()
        process.communicate()
    assert ("child",) == run(store.snapshot()).open_runs
    assert ["both", "old"] == run(live(store))
    assert 2 == run(store.fetch(["both"]))["both"].passage.trust
    run(write(store, "r2", [row("next", "next")]))
    assert ["both", "next", "old"] == run(live(store))
    assert [] == run(store.sources())
    assert 3 == run(store.counts())["rows"]
    reopened = run(Store.open(store.path))
    assert ["both", "next", "old"] == run(live(reopened))


@pytest.mark.slow
def test_two_processes_that_write_the_same_ids_make_no_doubles(run, live, store, row, write) -> None:
    ids = [f"p{item:02d}" for item in range(20)]
    process = child(store, "writing")
    try:
        for number in range(12):
            run(write(store, f"parent {number}", [row(id, f"word parent {number}") for id in ids]))
        process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert 0 == process.returncode
    assert ids == run(live(store))
    assert 20 * 24 == run(store.counts())["rows"]


@pytest.mark.slow
def test_a_reader_sees_one_state_while_another_process_replaces_everything(run, store, plan) -> None:
    process = child(store, "replacing")
    asked = plan("word")
    seen = set()

    async def search() -> list[str]:
        snapshot = await store.snapshot()
        condition = where(predicates(Scope(), now=NOW, open_runs=snapshot.open_runs))
        first = await store.keyword(asked, condition, 100, version=snapshot.version)
        second = await store.newest(condition, None, 100, 0, version=snapshot.version)
        rows = await store.fetch([id for id, _ in first], where=condition, version=snapshot.version)
        assert sorted(id for id, _ in first) == sorted(second) == sorted(rows)
        return second

    try:
        while process.poll() is None:
            found = run(search())
            assert 30 == len(found)
            seen |= {id.split()[0] for id in found}
    finally:
        process.kill()
        process.communicate()
    assert 0 == process.returncode
    assert len(seen) > 1


def test_a_second_store_sees_a_commit_at_once(run, live, store, row, write) -> None:
    other = run(Store.open(store.path, read_only=True))
    assert [] == run(live(other))
    run(write(store, "r1", [row("p", "text")]))
    assert ["p"] == run(live(other))
