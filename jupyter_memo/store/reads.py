"""Whole rows out of the passages, and how many there are of what."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime

from lancedb.table import AsyncTable

from jupyter_memo.query import Scope
from jupyter_memo.records import Passage, Source
from jupyter_memo.store import filters, indexes
from jupyter_memo.store.tables import PASSAGES, ModelKey, Row, rows_of, sources_of, vector_columns
from jupyter_memo.store.writes import batches

FETCHED_IDS = 500
"""Rows that are asked for by id in one query."""

_EVERYWHERE = Scope()


async def rows(
    table: AsyncTable, where: str, runs: Sequence[str], *, key: ModelKey | None = None, limit: int | None = None
) -> list[Row]:
    """Rows under a condition, with vectors when `key` is given. What one of the open `runs` has ended goes on living
    until that run is committed."""
    columns = list(PASSAGES.names)
    if key is not None and key.column in vector_columns(await table.schema()):
        columns.append(key.column)
    query = table.query().where(where).select(columns)
    found = await (query if limit is None else query.limit(limit)).to_arrow()
    listed = rows_of(found, key.column if key else None)
    if not runs:
        return listed
    ended = found["superseded_run"].to_pylist()
    return [_living(row) if run in runs else row for row, run in zip(listed, ended, strict=True)]


async def fetch(
    table: AsyncTable, ids: Sequence[str], runs: Sequence[str], *, key: ModelKey | None, where: str | None
) -> dict[str, Row]:
    """Rows by id; of several lives the one under `where`, without it the one that is live, else the last."""
    found: dict[str, Row] = {}
    for batch in batches(ids, FETCHED_IDS):
        condition = f"{filters.any_of('id', batch)} and ({where or filters.committed(runs)})"
        for row in await rows(table, condition, runs, key=key):
            other = found.get(row.passage.id)
            if other is None or _age(row.passage) > _age(other.passage):
                found[row.passage.id] = row
    return found


async def sources(table: AsyncTable, runs: Sequence[str], ids: Sequence[str] | None) -> list[Source]:
    """The newest committed state of sources, by id: of these, or of all where `ids` is None."""
    current = filters.current(runs)
    if ids is None:
        found = sources_of(await table.query().where(current).to_arrow())
    else:
        found = []
        for batch in batches(tuple(dict.fromkeys(ids)), FETCHED_IDS):
            condition = f"{filters.any_of('id', batch)} and {current}"
            found.extend(sources_of(await table.query().where(condition).to_arrow()))
    return sorted(found, key=lambda source: source.id)


async def without_vectors(table: AsyncTable, key: ModelKey, runs: Sequence[str]) -> str:
    """The condition for passages that a model has no vector of and should have."""
    condition = f"{filters.current(runs)} and forgotten_at is null"
    known = key.column in vector_columns(await table.schema())
    return f"{condition} and {key.column} is null" if known else condition


async def counts(
    passages: AsyncTable, sources: AsyncTable, runs: Sequence[str], key: ModelKey | None
) -> dict[str, int]:
    """The numbers of `Store.counts`."""
    current = filters.current(runs)
    live = filters.predicates(_EVERYWHERE, now=datetime.now(UTC), open_runs=runs)[:1]
    every = await passages.count_rows()
    complete = await passages.count_rows(filters.committed(runs))
    numbers = {
        "passages": await passages.count_rows(filters.where(live)),
        "sources": await sources.count_rows(f"{current} and removed_at is null"),
        "superseded": complete - await passages.count_rows(current),
        "forgotten": await passages.count_rows(f"{current} and forgotten_at is not null"),
        "rows": every,
        "uncommitted": every - complete,
        "unindexed": await indexes.unindexed_rows(passages),
        "fragments": await indexes.fragments(passages),
    }
    if key is not None:
        numbers["without_vectors"] = await passages.count_rows(await without_vectors(passages, key, runs))
    return numbers


def _living(row: Row) -> Row:
    return dataclasses.replace(row, passage=dataclasses.replace(row.passage, superseded_at=None))


def _age(passage: Passage) -> tuple[bool, datetime]:
    return passage.superseded_at is None, passage.recorded_at
