"""Rows by many values of one column: all of them, each once, and never many values in one query."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_memo.store import filters, lookup


@pytest.mark.parametrize("number", [0, 1, 49, 50, 51, 100, 401, 500])
def test_every_value_is_found_once_however_many_there_are(run, store, row, write, number: int) -> None:
    there = [f"p{at:03}" for at in range(0, 500, 2)]
    run(write(store, "r1", [row(id, "word") for id in there]))
    asked = [f"p{at:03}" for at in range(number)]

    async def found() -> list[str]:
        tables = lookup.found(store._tables.passages, "id", [*asked, *asked[:3]], select=["id"])
        return [id async for table in tables for id in table["id"].to_pylist()]

    assert sorted({*there} & {*asked}) == sorted(run(found()))


def test_a_condition_holds_for_all_of_it(run, store, row, write) -> None:
    run(write(store, "r1", [row("a", "word", kind="note"), row("b", "word", kind="paper")]))

    async def found() -> list[str]:
        either = "kind = 'paper' or kind = 'data'"
        tables = lookup.found(store._tables.passages, "id", ["a", "b"], condition=either, select=["id"])
        return [id async for table in tables for id in table["id"].to_pylist()]

    assert ["b"] == run(found())


@pytest.mark.parametrize(("number", "most"), [(30, 30), (200, 50), (1000, 125), (4000, 500)])
def test_so_many_values_are_looked_for_at_once(
    run, store, monkeypatch: pytest.MonkeyPatch, number: int, most: int
) -> None:
    sizes: list[int] = []
    any_of = filters.any_of

    def counted(column: str, values: Any) -> str:
        sizes.append(len(values))
        return any_of(column, values)

    async def look() -> None:
        async for _ in lookup.found(store._tables.passages, "id", map(str, range(number))):
            pass

    monkeypatch.setattr(filters, "any_of", counted)
    run(look())
    assert (number, most) == (sum(sizes), max(sizes))
