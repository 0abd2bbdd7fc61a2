"""Vectors that come later: passages are found by words at once and by meaning when their vectors follow."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from jupyter_memo.errors import StoreError
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey

WIDE = ModelKey(id="wide", sha256="3" * 64, dim=384)


async def fill(store: Store, key: ModelKey, ids: list[str], vectors: np.ndarray) -> None:
    async with store.writing():
        await store.ensure_vectors(key)
        await store.set_vectors(key, ids, vectors)


def test_vectors_of_384_numbers_fill_rows_that_had_none(run, store, plan, row, write, vector, optimize) -> None:
    rows = [row(f"p{number:03d}", f"text {number}", vector=vector(str(number), 384)) for number in range(100)]
    run(write(store, "r1", rows[:30], key=WIDE))
    run(write(store, "r2", [row(item.passage.id, item.passage.text) for item in rows[30:]], key=WIDE))
    run(write(store, "r3", [row("late", "later text")]))
    run(optimize(store))
    missing = run(store.missing_vectors(WIDE, 1000))
    assert {*(f"p{number:03d}" for number in range(30, 100)), "late"} == {item.passage.id for item in missing}
    assert 5 == len(run(store.missing_vectors(WIDE, 5)))
    assert 71 == run(store.counts(WIDE))["without_vectors"]
    vectors = np.stack([item.vector for item in rows[30:]])
    run(fill(store, WIDE, [item.passage.id for item in rows[30:]], vectors))
    assert ["late"] == [item.passage.id for item in run(store.missing_vectors(WIDE, 1000))]
    for number in (3, 31, 99):
        hits = run(store.semantic(vector(str(number), 384), WIDE, plan(), "true", 1))
        assert [(f"p{number:03d}", pytest.approx(1, abs=1e-3))] == hits
    assert ["p099"] == [id for id, _ in run(store.keyword(plan("99"), "true", 10))]
    run(optimize(store))
    assert 100 == len(run(store.semantic(vector("x", 384), WIDE, plan(), "true", 200)))


def test_a_column_is_added_to_rows_that_were_there_before(run, store, plan, row, write, vector) -> None:
    run(write(store, "r", [row("p", "text")]))
    assert ["p"] == [item.passage.id for item in run(store.missing_vectors(WIDE, 10))]
    run(fill(store, WIDE, ["p"], vector("text", 384).reshape(1, -1)))
    assert ["p"] == [id for id, _ in run(store.semantic(vector("x", 384), WIDE, plan(), "true", 10))]
    assert [WIDE] == run(store.vector_keys())


def test_vectors_for_ids_that_are_gone_are_passed_over(run, store, row, write, vector) -> None:
    run(write(store, "r", [row("p", "text")]))
    run(fill(store, WIDE, ["gone", "p"], np.stack([vector("a", 384), vector("b", 384)])))
    assert 1 == run(store.count("true"))
    assert pytest.approx(vector("b", 384), abs=1e-3) == run(store.fetch(["p"], WIDE))["p"].vector


def test_the_last_of_several_vectors_for_one_id_is_kept(run, store, row, write, vector) -> None:
    run(write(store, "r", [row("p", "text")]))
    run(fill(store, WIDE, ["p", "p"], np.stack([vector("a", 384), vector("b", 384)])))
    assert pytest.approx(vector("b", 384), abs=1e-3) == run(store.fetch(["p"], WIDE))["p"].vector


def test_vectors_come_only_when_they_are_asked_for(run, store, row, write, vector, key) -> None:
    run(write(store, "r", [row("p", "text", vector=vector("text"))], key=key))
    assert run(store.fetch(["p"]))["p"].vector is None
    assert run(store.fetch(["p"], WIDE))["p"].vector is None
    assert np.float32 == run(store.fetch(["p"], key))["p"].vector.dtype


def test_an_earlier_life_hands_its_vectors_on_when_the_words_are_the_same(run, store, row, write, vector, key) -> None:
    run(write(store, "r1", [row("same", "a", vector=vector("a")), row("changed", "b", vector=vector("b"))], key=key))
    run(write(store, "r2", end=["same", "changed"]))
    run(write(store, "r3", [row("same", "a"), row("changed", "b with other words")]))
    rows = run(store.fetch(["same", "changed"], key))
    assert pytest.approx(vector("a"), abs=1e-3) == rows["same"].vector
    assert rows["changed"].vector is None


def test_an_earlier_life_in_another_context_hands_no_vector_on(run, store, row, write, vector, key) -> None:
    run(write(store, "r1", [row("p", "a", vector=vector("a"))], key=key))
    run(write(store, "r2", [dataclasses.replace(row("p", "a"), context="said before")]))
    assert run(store.fetch(["p"], key))["p"].vector is None


def test_the_mean_of_two_vectors_is_found_by_the_mean_of_two_cosines(
    run, store, plan, row, write, vector, key, settle
) -> None:
    query, pairs = vector("query"), [(vector(f"a{number}"), vector(f"b{number}")) for number in range(30)]
    rows = [row(f"p{number:02d}", "x", vector=(one + other) / 2) for number, (one, other) in enumerate(pairs)]
    run(write(store, "r", rows, key=key))
    run(settle(store))
    means = {f"p{number:02d}": (one @ query + other @ query) / 2 for number, (one, other) in enumerate(pairs)}
    expected = sorted(means.items(), key=lambda each: -each[1])[:5]
    hits = run(store.semantic(query, key, plan(), "true", 5))
    assert [id for id, _ in expected] == [id for id, _ in hits]
    assert pytest.approx([mean for _, mean in expected], abs=1e-3) == [cosine for _, cosine in hits]


def test_a_new_vector_goes_before_an_inherited_one(run, store, row, write, vector, key) -> None:
    run(write(store, "r1", [row("p", "a", vector=vector("a"))], key=key))
    run(write(store, "r2", [row("p", "a", vector=vector("b"))], key=key))
    assert pytest.approx(vector("b"), abs=1e-3) == run(store.fetch(["p"], key))["p"].vector


def test_forgotten_and_superseded_passages_wait_for_no_vector(run, store, row, write, day, key) -> None:
    rows = [row("live", "a"), row("ended", "b"), row("forgotten", "c", forgotten_at=day(1))]
    run(write(store, "r1", rows, key=key))
    run(write(store, "r2", end=["ended"]))
    assert ["live"] == [item.passage.id for item in run(store.missing_vectors(key, 10))]


@pytest.mark.parametrize(("shape", "value"), [((1, 4), 0), ((2, 8), 0), ((8,), 0), ((1, 8), np.nan), ((1, 8), np.inf)])
def test_vectors_that_cannot_be_are_refused(run, store, row, write, key, shape, value) -> None:
    run(write(store, "r", [row("p", "text")]))
    with pytest.raises(ValueError, match="vector"):
        run(fill(store, key, ["p"], np.full(shape, value, dtype=np.float32)))


def test_a_row_with_a_vector_of_another_length_is_refused(run, store, row, write, vector, key) -> None:
    with pytest.raises(ValueError, match=r"shape \(4,\)"):
        run(write(store, "r", [row("p", "text", vector=vector("text", 4))], key=key))
    assert 0 == run(store.counts())["passages"]


def test_vectors_without_their_column_are_refused(run, store, row, vector, key) -> None:
    async def attempt() -> None:
        async with store.writing():
            await store.begin("r")
            await store.add([row("p", "text", vector=vector("text"))], key, "r")

    with pytest.raises(StoreError, match="ensure_vectors"):
        run(attempt())
