"""The words of an index that begin alike, and how many passages hold each."""

from __future__ import annotations

import pytest

from jupyter_memo.store import terms


@pytest.fixture
def filled(run, store, row):
    async def write(run_id: str, rows, ended=()) -> None:
        async with store.writing():
            await store.begin(run_id)
            await store.tally(rows, ended, run_id)
            await store.commit(run_id)

    first, second = row("a", "river rivet"), row("b", "river stone")
    run(write("r1", [first, second, row("c", "riddle")]))
    run(write("r2", [], [second]))
    return store


def test_terms_that_begin_alike_are_counted_over_all_runs(run, filled) -> None:
    assert {"s:river": 1, "s:rivet": 1} == run(filled.vocabulary("s:riv", ()))


def test_terms_that_stand_nowhere_any_more_are_left_out(run, filled) -> None:
    assert {} == run(filled.vocabulary("s:st", ()))


def test_a_run_that_is_open_does_not_count(run, filled) -> None:
    assert {"s:river": 2, "s:rivet": 1} == run(filled.vocabulary("s:riv", ("r2",)))


@pytest.mark.parametrize("prefix", ["s:'", "s:%", "s:\U0010fffe"])
def test_any_prefix_may_be_asked_for(run, filled, prefix) -> None:
    assert {} == run(filled.vocabulary(prefix, ()))


def test_the_sums_of_upkeep_are_counted(run, filled) -> None:
    run(terms.sum_up(filled._tables.terms))
    assert {"s:river": 1, "s:rivet": 1} == run(filled.vocabulary("s:riv", ()))
