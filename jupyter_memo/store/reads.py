"""Whole rows out of the passages, and how many there are of what."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

import pyarrow as pa
from lancedb.table import AsyncTable

from jupyter_memo.query import Scope
from jupyter_memo.records import Passage, Source
from jupyter_memo.store import filters, indexes, lookup
from jupyter_memo.store.indexes import IDENT
from jupyter_memo.store.tables import PASSAGES, PLACE, ModelKey, Row, rows_of, sources_of, vector_columns
from jupyter_memo.store.writes import batches

FETCHED_IDS = 500
"""Rows that are asked for by id in one query."""

NO_PLACES: Mapping[str, int] = MappingProxyType({})

_EVERYWHERE = Scope()


async def rows(
    table: AsyncTable, where: str, runs: Sequence[str], *, key: ModelKey | None = None, limit: int | None = None
) -> list[Row]:
    """Rows under a condition, with vectors when `key` is given. What one of the open `runs` has ended goes on living
    until that run is committed."""
    query = table.query().where(where).select(await _columns(table, runs, key))
    return _read(await (query if limit is None else query.limit(limit)).to_arrow(), runs, key)


async def of_sources(table: AsyncTable, ids: Sequence[str], runs: Sequence[str]) -> list[Row]:
    """The rows of sources that have not ended, by id."""
    columns, current = await _columns(table, runs, None), filters.current(runs)
    looking = lookup.found(table, "source_id", ids, condition=current, select=columns)
    return sorted([row async for rows in looking for row in _read(rows, runs, None)], key=lambda row: row.passage.id)


async def fetch(
    table: AsyncTable,
    ids: Sequence[str],
    runs: Sequence[str],
    *,
    key: ModelKey | None,
    where: str | None,
    names: bool = True,
    places: Mapping[str, int] = NO_PLACES,
) -> dict[str, Row]:
    """Rows by id; of several lives the one under `where`, without it the one that is live, else the last. `places` are
    rows of the table at which passages stand that are under `where`; what is not there is looked for."""
    columns = await _columns(table, runs, key, names=names)
    there = [place for id in ids if (place := places.get(id, -1)) >= 0]
    found: dict[str, Row] = {}
    if there:
        rows = await table.take_row_ids(there).select(columns).to_arrow()
        found = {row.passage.id: row for row in _read(rows, runs, key)}
    for batch in batches([id for id in ids if id not in found], FETCHED_IDS):
        condition = filters.both(filters.any_of("id", batch), where or filters.committed(runs))
        for row in _read(await table.query().where(condition).select(columns).to_arrow(), runs, key):
            other = found.get(row.passage.id)
            if other is None or _age(row.passage) > _age(other.passage):
                found[row.passage.id] = row
    return found


async def _columns(table: AsyncTable, runs: Sequence[str], key: ModelKey | None, *, names: bool = True) -> list[str]:
    """The columns that a row is made of; each one costs, wanted or not."""
    unread = {"run_id", *(() if runs else ("superseded_run",)), *(() if names else (IDENT,))}
    columns = [name for name in PASSAGES.names if name not in unread]
    if key is not None:
        there = vector_columns(await table.schema())
        columns += (part.key.column for part in key.parts if part.key.column in there)
    return columns


def _read(found: pa.Table, runs: Sequence[str], key: ModelKey | None) -> list[Row]:
    if IDENT not in found.column_names:
        found = found.append_column(PASSAGES.field(IDENT), pa.array([""] * len(found), pa.string()))
    listed = rows_of(found, key)
    if not runs:
        return listed
    ended = found["superseded_run"].to_pylist()
    return [_living(row) if run in runs else row for row, run in zip(listed, ended, strict=True)]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage stands among those of its source: what does not apply comes first."""

    id: str
    source_id: str
    at: tuple[int, ...]


async def places(table: AsyncTable, where: str) -> list[Place]:
    """The places of all passages under a condition."""
    found = await table.query().where(where).select(["id", "source_id", *PLACE]).to_arrow()
    columns = [found[name].fill_null(-1).to_pylist() for name in PLACE]
    return [
        Place(id, source, tuple(at))
        for id, source, *at in zip(found["id"].to_pylist(), found["source_id"].to_pylist(), *columns, strict=True)
    ]


async def sources(table: AsyncTable, runs: Sequence[str], ids: Sequence[str] | None) -> list[Source]:
    """The newest committed state of sources, by id: of these, or of all where `ids` is None."""
    current = filters.current(runs)
    if ids is None:
        found = sources_of(await table.query().where(current).to_arrow())
    else:
        found = [
            source async for rows in lookup.found(table, "id", ids, condition=current) for source in sources_of(rows)
        ]
    return sorted(found, key=lambda source: source.id)


async def shares(table: AsyncTable, runs: Sequence[str]) -> Counter[tuple[str, str]]:
    """The passages of all sources that are there, by namespace and kind. No more than a batch of them is held."""
    found: Counter[tuple[str, str]] = Counter()
    there = table.query().where(f"{filters.current(runs)} and removed_at is null")
    async for batch in await there.select(["namespace", "kind", "passages"]).to_batches():
        summed = pa.Table.from_batches([batch]).group_by(["namespace", "kind"]).aggregate([("passages", "sum")])
        columns = (summed[name].to_pylist() for name in ("namespace", "kind", "passages_sum"))
        for namespace, kind, passages in zip(*columns, strict=True):
            found[namespace or "", kind] += passages or 0
    return found


async def without_vectors(table: AsyncTable, key: ModelKey, runs: Sequence[str]) -> str:
    """The condition for passages that a model has no vector of and should have."""
    condition = f"{filters.current(runs)} and forgotten_at is null"
    there = vector_columns(await table.schema())
    ways = [[part.key.column for part in key.parts if part.way == way] for way in range(max(1, len(key.ways)))]
    complete = [" and ".join(f"{name} is not null" for name in way) for way in ways if there.keys() >= {*way}]
    return f"{condition} and not ({' or '.join(f'({way})' for way in complete)})" if complete else condition


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
