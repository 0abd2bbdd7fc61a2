"""Runs: what is written counts from its commit on, whole; what was cut short never does."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from jupyter_memo.errors import StoreError
from jupyter_memo.query import Scope
from jupyter_memo.store.filters import predicates, where

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_nothing_of_an_open_run_is_seen(run, live, store, row, write, source) -> None:
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


def test_a_snapshot_stays_as_it_was_while_others_write(run, store, row, write, plan) -> None:
    run(write(store, "r1", [row("old", "word"), row("kept", "word")]))
    snapshot = run(store.snapshot())
    condition = where(predicates(Scope(), now=NOW, open_runs=snapshot.open_runs))

    async def search() -> tuple[list[str], list[str], list[str], int]:
        version = snapshot.version
        return (
            sorted(id for id, _ in await store.keyword(plan("word"), condition, 10, version=version)),
            sorted(await store.newest(condition, None, 10, 0, version=version)),
            sorted(await store.fetch(["old", "kept", "new"], where=condition, version=version)),
            await store.count(condition, version=version),
        )

    async def searches_meanwhile() -> list[tuple[list[str], list[str], list[str], int]]:
        found = []
        async with store.writing():
            await store.begin("r2")
            await store.add([row("new", "word"), row("kept", "word")], None, "r2")
            await store.supersede(["old"], NOW, "r2")
            found.append(await search())
            await store.commit("r2")
            found.append(await search())
            await store.optimize(force=True)
            found.append(await search())
        return found

    assert [(["kept", "old"],) * 3 + (2,)] * 3 == run(searches_meanwhile())


def test_a_run_that_failed_is_undone_by_the_next_writer(run, live, store, row, write, source) -> None:
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


def test_undoing_may_itself_be_cut_short(run, live, store, row, write, monkeypatch) -> None:
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


def test_the_same_id_again_begins_a_new_life_without_a_gap(run, live, store, row, write, day) -> None:
    run(write(store, "r1", [row("p", "text", trust=1, recorded_at=day(0))]))
    run(write(store, "r2", [row("p", "text", trust=2, recorded_at=day(5))]))
    assert ["p"] == run(live(store))
    assert 2 == run(store.fetch(["p"]))["p"].passage.trust
    assert ["p"] == run(live(store, as_of=day(3)))
    assert ["p"] == run(live(store, as_of=day(5)))
    past = where(predicates(Scope(as_of=day(3)), now=NOW, open_runs=()))
    assert 1 == run(store.fetch(["p"], where=past))["p"].passage.trust


def test_a_superseded_id_comes_back_to_life(run, live, store, row, write, day, optimize) -> None:
    run(write(store, "r1", [row("p", "text", recorded_at=day(0))]))
    run(write(store, "r2", end=["p"], at=day(2)))
    assert [] == run(live(store))
    run(write(store, "r3", [row("p", "text", recorded_at=day(4))]))
    run(optimize(store))
    assert ["p"] == run(live(store))
    assert [["p"], [], ["p"]] == [run(live(store, as_of=day(number))) for number in (1, 3, 5)]
    assert run(store.fetch(["p"]))["p"].passage.superseded_at is None


def test_an_id_added_twice_in_one_run_is_there_once(run, live, store, row) -> None:
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


def test_as_of_asks_what_was_live_then(run, live, store, row, write, day) -> None:
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


def test_a_passage_is_out_from_the_moment_it_expires(run, live, store, row, write) -> None:
    rows = [row("now", "a", expires_at=NOW), row("later", "b", expires_at=NOW + timedelta(microseconds=1))]
    run(write(store, "r", rows))
    assert ["later"] == run(live(store))


def test_as_of_sees_nothing_of_an_open_run(run, live, store, row, write, day) -> None:
    run(write(store, "r1", [row("old", "a", recorded_at=day(1))]))

    async def halfway() -> list[str]:
        async with store.writing():
            await store.begin("r2")
            await store.add([row("new", "b", recorded_at=day(2))], None, "r2")
            await store.supersede(["old"], day(2), "r2")
            return await live(store, as_of=day(5))

    assert ["old"] == run(halfway())


def test_moved_passages_keep_words_vectors_and_life(run, live, store, row, write, vector, key, day) -> None:
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


def test_a_new_life_begins_no_earlier_than_the_last_one_ended(run, live, store, row, write, day) -> None:
    run(write(store, "r1", [row("p", "text", recorded_at=day(1))]))
    run(write(store, "r2", end=["p"], at=day(8)))
    run(write(store, "r3", [row("p", "text", recorded_at=day(1))]))
    assert day(8) == run(store.fetch(["p"]))["p"].passage.recorded_at
    assert [["p"], ["p"]] == [run(live(store, as_of=day(number))) for number in (5, 9)]


def test_the_passages_of_sources_are_summed_by_namespace_and_kind_without_those_removed(
    run, store, write, source, day
) -> None:
    listed = (
        source("a", "r1", namespace="field", kind="note", passages=2),
        source("b", "r1", namespace="field", kind="note", passages=3),
        source("c", "r1", namespace="", kind="paper", passages=5),
        source("d", "r1", namespace="", kind="paper", passages=7, removed_at=day(1)),
    )

    async def put() -> None:
        async with store.writing():
            await store.begin("r1")
            await store.put_sources(listed)
            await store.commit("r1")

    run(put())
    assert {("field", "note"): 5, ("", "paper"): 5} == dict(run(store.shares()))
