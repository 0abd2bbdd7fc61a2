"""Runs: what is written counts from its commit on, whole; what was cut short never does."""

from __future__ import annotations

import asyncio
import dataclasses
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


async def live(store: Store, **scope) -> list[str]:
    """Ids of what a search would see, doubles included."""
    snapshot = await store.snapshot()
    condition = where(predicates(Scope(**scope), now=NOW, open_runs=snapshot.open_runs))
    return sorted(await store.newest(condition, None, 10_000, 0, version=snapshot.version))


def test_nothing_of_an_open_run_is_seen(run, store, row, write, source) -> None:
    run(write(store, "r1", [row("old", "one"), row("kept", "two")]))

    async def halfway() -> None:
        async with store.writing():
            await store.begin("r2")
            await store.add([row("new", "three")], None, "r2")
            await store.supersede(["old"], NOW, "r2")
            await store.put_sources([source("s1", "r2")])
            assert ["kept", "old"] == await live(store)
            assert [] == await store.sources()
            assert {"kept", "old"} == {item.passage.id for item in await store.source_passages("s1")}
            assert {"kept", "old"} == {*await store.fetch(["new", "kept", "old"])}
            assert (await store.fetch(["old"]))["old"].passage.superseded_at is None
            assert {"passages": 2, "uncommitted": 1, "superseded": 0} == {
                name: (await store.counts())[name] for name in ("passages", "uncommitted", "superseded")
            }
            await store.commit("r2")

    run(halfway())
    assert ["kept", "new"] == run(live(store))
    assert ["s1"] == [item.id for item in run(store.sources())]
    assert {"kept", "new"} == {item.passage.id for item in run(store.source_passages("s1"))}


def test_a_run_that_failed_is_undone_by_the_next_writer(run, store, row, write, source) -> None:
    run(write(store, "r1", [row("old", "one")]))

    async def fail() -> None:
        async with store.writing():
            await store.begin("r0")
            await store.put_sources([source("s1", "r0", title="first")])
            await store.commit("r0")
        async with store.writing():
            await store.begin("r2")
            await store.add([row("new", "two"), row("old", "one", trust=3)], None, "r2")
            await store.put_sources([source("s1", "r2", title="second")])
            raise KeyError("cut short")

    with pytest.raises(KeyError):
        run(fail())
    assert ["old"] == run(live(store))
    run(write(store, "r3"))
    assert ["old"] == run(live(store))
    assert 2 == run(store.fetch(["old"]))["old"].passage.trust
    assert ["first"] == [item.title for item in run(store.sources())]
    assert {"rows": 1, "uncommitted": 0} == {name: run(store.counts())[name] for name in ("rows", "uncommitted")}


def test_undoing_may_itself_be_cut_short(run, store, row, write, monkeypatch) -> None:
    from jupyter_memo.store import meta

    run(write(store, "r1", [row("old", "one")]))

    async def leave_open() -> None:
        async with store.writing():
            await store.begin("r2")
            await store.add([row("new", "two")], None, "r2")
            await store.supersede(["old"], NOW, "r2")

    run(leave_open())
    with monkeypatch.context() as patch:

        async def die(*_: object) -> None:
            raise KeyError("cut short")

        patch.setattr(meta, "close", die)
        with pytest.raises(KeyError):
            run(write(store, "r3"))
    assert ["old"] == run(live(store))
    run(write(store, "r4"))
    assert ["old"] == run(live(store))
    assert () == run(store.snapshot()).open_runs


def test_the_same_id_again_begins_a_new_life_without_a_gap(run, store, row, write, day) -> None:
    run(write(store, "r1", [row("p", "text", trust=1, recorded_at=day(0))]))
    run(write(store, "r2", [row("p", "text", trust=2, recorded_at=day(5))]))
    assert ["p"] == run(live(store))
    assert 2 == run(store.fetch(["p"]))["p"].passage.trust
    assert ["p"] == run(live(store, as_of=day(3)))
    assert ["p"] == run(live(store, as_of=day(5)))
    past = where(predicates(Scope(as_of=day(3)), now=NOW, open_runs=()))
    assert 1 == run(store.fetch(["p"], where=past))["p"].passage.trust


def test_a_superseded_id_comes_back_to_life(run, store, row, write, day, optimize) -> None:
    run(write(store, "r1", [row("p", "text", recorded_at=day(0))]))
    run(write(store, "r2", end=["p"], at=day(2)))
    assert [] == run(live(store))
    run(write(store, "r3", [row("p", "text", recorded_at=day(4))]))
    run(optimize(store))
    assert ["p"] == run(live(store))
    assert [["p"], [], ["p"]] == [run(live(store, as_of=day(number))) for number in (1, 3, 5)]
    assert run(store.fetch(["p"]))["p"].passage.superseded_at is None


def test_an_id_added_twice_in_one_run_is_there_once(run, store, row) -> None:
    async def twice() -> None:
        async with store.writing():
            await store.begin("r")
            await store.add([row("p", "text", trust=1), row("p", "text", trust=2)], None, "r")
            await store.add([row("p", "text", trust=3), row("q", "other")], None, "r")
            await store.commit("r")

    run(twice())
    assert ["p", "q"] == run(live(store))
    assert 3 == run(store.fetch(["p"]))["p"].passage.trust
    assert 2 == run(store.counts())["rows"]


def test_as_of_asks_what_was_live_then(run, store, row, write, day) -> None:
    rows = [
        row("early", "a", recorded_at=day(1)),
        row("late", "b", recorded_at=day(10)),
        row("ended", "c", recorded_at=day(1)),
        row("forgotten", "d", recorded_at=day(1), forgotten_at=day(20)),
        row("expired", "e", recorded_at=day(1), expires_at=day(6)),
    ]
    run(write(store, "r1", rows))
    run(write(store, "r2", end=["ended"], at=day(7)))
    assert [] == run(live(store, as_of=day(0.5)))
    assert ["early", "ended", "expired"] == run(live(store, as_of=day(5)))
    assert ["early", "ended"] == run(live(store, as_of=day(6.5)))
    assert ["early"] == run(live(store, as_of=day(7)))
    assert ["early", "late"] == run(live(store))


def test_as_of_sees_nothing_of_an_open_run(run, store, row, write, day) -> None:
    run(write(store, "r1", [row("old", "a", recorded_at=day(1))]))

    async def halfway() -> list[str]:
        async with store.writing():
            await store.begin("r2")
            await store.add([row("new", "b", recorded_at=day(2))], None, "r2")
            await store.supersede(["old"], day(2), "r2")
            return await live(store, as_of=day(5))

    assert ["old"] == run(halfway())


def test_moved_passages_keep_words_vectors_and_life(run, store, row, write, vector, key, day) -> None:
    before = row("p", "text", vector=vector("text"), recorded_at=day(1), tags=("a",))
    run(write(store, "r1", [before, row("q", "other", vector=vector("other"))], key=key))
    moved = dataclasses.replace(before.passage, uri="moved.md", tags=("b",), trust=3, recorded_at=day(9), text="lost")

    async def move() -> None:
        async with store.writing():
            await store.begin("r2")
            await store.respan([moved], "r2")
            await store.commit("r2")

    run(move())
    after = run(store.fetch(["p"], key))["p"]
    expected = dataclasses.replace(before.passage, uri="moved.md", tags=("b",), trust=3)
    assert dataclasses.replace(before, passage=expected) == after
    assert pytest.approx(before.vector, abs=1e-3) == after.vector
    assert ["p", "q"] == run(live(store))


def test_moving_leaves_earlier_lives_as_they_were(run, store, row, write, day) -> None:
    run(write(store, "r1", [row("p", "text", uri="first.md", recorded_at=day(1))]))
    run(write(store, "r2", [row("p", "text", uri="second.md", recorded_at=day(3))]))

    async def move() -> None:
        async with store.writing():
            await store.begin("r3")
            await store.respan([row("p", "text", uri="third.md").passage], "r3")
            await store.commit("r3")

    run(move())
    past = where(predicates(Scope(as_of=day(2)), now=NOW, open_runs=()))
    assert "first.md" == run(store.fetch(["p"], where=past))["p"].passage.uri
    assert "third.md" == run(store.fetch(["p"]))["p"].passage.uri


def test_the_newest_state_of_a_source_wins_and_old_ones_are_cleared_away(run, store, source, optimize) -> None:
    async def put(run_id: str, **fields) -> None:
        async with store.writing():
            await store.begin(run_id)
            await store.put_sources([source("s1", run_id, **fields)])
            await store.commit(run_id)

    run(put("r1", title="one"))
    run(put("r2", title="two"))
    run(put("r3", title="three", removed_at=NOW))
    assert [("three", NOW)] == [(item.title, item.removed_at) for item in run(store.sources())]
    run(optimize(store))
    assert ["three"] == [item.title for item in run(store.sources())]
    assert 1 == run(store._tables.sources.count_rows())


def test_a_name_of_a_run_is_used_once(run, store, row, write) -> None:
    run(write(store, "r1", [row("p", "text")]))
    with pytest.raises(StoreError, match="name of its own"):
        run(write(store, "r1", [row("q", "text")]))


def test_writing_to_no_open_run_is_refused(run, store, row, source) -> None:
    async def attempt(call) -> None:
        async with store.writing():
            await call

    for call in (
        store.add([row("p", "x")], None, "r"),
        store.supersede(["p"], NOW, "r"),
        store.put_sources([source("s", "r")]),
        store.commit("r"),
    ):
        with pytest.raises(StoreError, match="no run 'r' is open"):
            run(attempt(call))


def test_writing_without_the_lock_is_refused(run, store) -> None:
    with pytest.raises(StoreError, match="without its lock"):
        run(store.begin("r"))
    with pytest.raises(StoreError, match="without its lock"):
        run(store.set_meta("a", "b"))


def test_two_writers_of_one_process_wait_for_each_other(run, store, row) -> None:
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

TIME = datetime(2026, 2, 1, tzinfo=UTC)

def row(id, text, trust=2):
    passage = Passage(id=id, source_id="s1", uri="a.md", text=text, trust=trust, created_at=TIME, recorded_at=TIME)
    return Row(passage=passage, lex=text)

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


def test_a_killed_process_leaves_the_old_state_and_the_next_writer_heals(run, store, row, write) -> None:
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


def test_two_processes_that_write_the_same_ids_make_no_doubles(run, store, row, write) -> None:
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


def test_a_second_store_sees_a_commit_at_once(run, store, row, write) -> None:
    other = run(Store.open(store.path, read_only=True))
    assert [] == run(live(other))
    run(write(store, "r1", [row("p", "text")]))
    assert ["p"] == run(live(other))


def test_a_new_life_begins_no_earlier_than_the_last_one_ended(run, store, row, write, day) -> None:
    run(write(store, "r1", [row("p", "text", recorded_at=day(1))]))
    run(write(store, "r2", end=["p"], at=day(8)))
    run(write(store, "r3", [row("p", "text", recorded_at=day(1))]))
    assert day(8) == run(store.fetch(["p"]))["p"].passage.recorded_at
    assert [["p"], ["p"]] == [run(live(store, as_of=day(number))) for number in (5, 9)]
