"""What changes the tables. Every function runs under the write lock; nothing it writes counts before its run is closed.

A run that was begun and not closed, because its process died, is open: readers leave its rows out and keep what it
ended. `heal` undoes it. `respan`, `set_vectors` and `maintain` change rows in place: they never change which rows are
live."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import numpy as np
import pyarrow as pa
from lancedb.table import AsyncTable

from jupyter_memo.errors import StoreError
from jupyter_memo.records import Passage, Source
from jupyter_memo.store import filters, lookup, meta
from jupyter_memo.store.tables import (
    ModelKey,
    Part,
    Row,
    Vector,
    moved_table,
    passage_table,
    source_table,
    times_of,
    vector_array,
    vector_columns,
    vector_matrix,
)

BATCH = 1000
"""Rows or ids in one statement."""

_READ = ("id", "context", "text")
"""Two lives that are the same in these have the same vectors: the other words that find them (a file's name) are not
read by a model."""

REMOTE_RUN_AGE = timedelta(hours=1)
"""Where no file lock tells who is alive, a run that is open for so long has been left."""

Item = TypeVar("Item")


def batches(items: Sequence[Item], size: int = BATCH) -> Iterator[Sequence[Item]]:
    """A sequence cut into pieces."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


async def begin(passages: AsyncTable, table: AsyncTable, run_id: str) -> None:
    """Open a run. Its name must be new: undoing it must never touch rows of an earlier one."""
    name = filters.quote(run_id)
    if not run_id:
        raise ValueError("a run needs a name")
    if await passages.count_rows(f"run_id = {name} or superseded_run = {name}"):
        raise StoreError(f"the run {run_id!r} has written before. Give every run a name of its own")
    await meta.begin(table, run_id)


async def heal(
    passages: AsyncTable, sources: AsyncTable, counted: AsyncTable, table: AsyncTable, *, local: bool
) -> None:
    """Undo every run that was left open: what it added goes, what it ended lives on. May itself be cut short and run
    again."""
    for run_id, begun in (await meta.open_runs(table)).items():
        if not local and datetime.now(UTC) - begun < REMOTE_RUN_AGE:
            continue
        name = filters.quote(run_id)
        for rows in (passages, sources, counted):
            if await rows.count_rows(f"run_id = {name}"):
                await rows.delete(f"run_id = {name}")
        if await passages.count_rows(f"superseded_run = {name}"):
            revived = {"superseded_at": "null", "superseded_run": "null"}
            await passages.update(where=f"superseded_run = {name}", updates_sql=revived)
        if await sources.count_rows(f"superseded_run = {name}"):
            await sources.update(where=f"superseded_run = {name}", updates_sql={"superseded_run": "null"})
        await meta.close(table, run_id)


async def add(table: AsyncTable, rows: Sequence[Row], key: ModelKey | None, run_id: str) -> None:
    """Begin a new life for each row and end the one its id has."""
    newest = {row.passage.id: row for row in rows}
    for batch in batches(tuple(newest.values())):
        await _add(table, batch, key, run_id)


async def _add(table: AsyncTable, rows: Sequence[Row], key: ModelKey | None, run_id: str) -> None:
    columns = vector_columns(await table.schema())
    if key is not None and any(part.key.column not in columns for part in key.parts):
        raise StoreError(f"no vectors of {key.id} are kept yet. Call ensure_vectors first")
    ids = [row.passage.id for row in rows]
    looking = lookup.found(table, "id", ids, select=[*_READ, "run_id", "superseded_at", *columns])
    earlier = pa.concat_tables([found async for found in looking])
    vectors = {name: vector_array(_vectors(rows, earlier, name, key), dim) for name, dim in columns.items()}
    if run_id in earlier["run_id"].to_pylist():
        await table.delete(f"{filters.any_of('id', ids)} and run_id = {filters.quote(run_id)}")
    rows = _after(rows, earlier)
    for at in sorted({row.passage.recorded_at for row in rows} if len(earlier) else ()):
        await supersede(table, [row.passage.id for row in rows if row.passage.recorded_at == at], at, run_id)
    await table.add(passage_table(rows, run_id, vectors))


def _after(rows: Sequence[Row], earlier: pa.Table) -> Sequence[Row]:
    """The rows with no life that begins before an earlier one of the same id has ended: at no time are there two."""
    ends: dict[str, datetime] = {}
    for id, end in zip(earlier["id"].to_pylist(), times_of(earlier["superseded_at"]), strict=True):
        if end is not None:
            ends[id] = max(end, ends.get(id, end))
    later = []
    for row in rows:
        end = ends.get(row.passage.id)
        if end is not None and end > row.passage.recorded_at:
            row = replace(row, passage=replace(row.passage, recorded_at=end))
        later.append(row)
    return later


def _vectors(rows: Sequence[Row], earlier: pa.Table, column: str, key: ModelKey | None) -> list[Vector | None]:
    """The rows' own vectors; where a row has none, that of an earlier life with the same words: it is the same."""
    part = next((part for part in key.parts if part.key.column == column), None) if key is not None else None
    given = [None if key is None or part is None else _of(row.vector, part, key) for row in rows]
    if all(vector is not None for vector in given):
        return given
    matrix, there = vector_matrix(earlier[column])
    lives = zip(*(earlier[name].to_pylist() for name in _READ), strict=True)
    known = {life: place for place, (life, present) in enumerate(zip(lives, there, strict=True)) if present}
    vectors: list[Vector | None] = []
    for row, own in zip(rows, given, strict=True):
        place = known.get((row.passage.id, row.context, row.passage.text))
        vectors.append(own if own is not None else None if place is None else matrix[place])
    return vectors


def _of(vector: Vector | None, part: Part, key: ModelKey) -> Vector | None:
    """What a vector of a model holds for one of its columns; None where it holds nothing for it."""
    if vector is None or not key.ways:
        return vector
    return vector[part.place] if vector[part.place].any() else None


async def supersede(table: AsyncTable, ids: Sequence[str], at: datetime, run_id: str) -> None:
    """End the lives of these ids."""
    for batch in batches(ids):
        where = f"{filters.any_of('id', batch)} and superseded_at is null"
        ended = {"superseded_at": filters.moment(at), "superseded_run": filters.quote(run_id)}
        await table.update(where=where, updates_sql=ended)


async def respan(table: AsyncTable, passages: Sequence[Passage]) -> None:
    """Give living passages their new place and metadata, in place."""
    newest = {passage.id: passage for passage in passages}
    for batch in batches(tuple(newest.values())):
        builder = table.merge_insert("id").use_index(False)
        await builder.when_matched_update_all(where="target.superseded_at is null").execute(moved_table(batch))


async def put_sources(table: AsyncTable, sources: Sequence[Source]) -> None:
    """Begin a new row for each source and end the one before, both in the run the source names."""
    newest = {source.id: source for source in sources}
    for run_id in sorted({source.run_id for source in newest.values()}):
        name = filters.quote(run_id)
        for batch in batches([source for source in newest.values() if source.run_id == run_id]):
            mine = [source.id for source in batch]
            again = await _those(table, mine, f"run_id = {name}")
            if again:
                await table.delete(f"{filters.any_of('id', again)} and run_id = {name}")
            ended = await _those(table, mine, "superseded_run is null")
            if ended:
                where = f"{filters.any_of('id', ended)} and superseded_run is null"
                await table.update(where=where, updates_sql={"superseded_run": name})
            await table.add(source_table(batch))


async def _those(table: AsyncTable, ids: Sequence[str], condition: str) -> list[str]:
    """Which of these ids have a row that fulfils a condition."""
    looking = lookup.found(table, "id", ids, condition=condition, select=["id"])
    return sorted({id async for rows in looking for id in rows["id"].to_pylist()})


async def forget_old_sources(table: AsyncTable, open_runs: Sequence[str]) -> None:
    """Delete source rows that a closed run replaced: of a source only the newest state matters."""
    replaced = "superseded_run is not null"
    if open_runs:
        replaced += f" and not ({filters.any_of('superseded_run', open_runs)})"
    if await table.count_rows(replaced):
        await table.delete(replaced)


async def ensure_vectors(passages: AsyncTable, table: AsyncTable, key: ModelKey) -> None:
    """Make room for a model's vectors. The column comes first: a death between the two is mended by the next call."""
    for each in (part.key for part in key.parts):
        if each.column not in vector_columns(await passages.schema()):
            await passages.add_columns(each.field)
        if each not in await meta.models(table):
            await meta.put_model(table, each)


async def set_vectors(table: AsyncTable, key: ModelKey, ids: Sequence[str], vectors: Vector) -> None:
    """Fill in vectors, shape (len(ids), dim); ids that are gone are passed over."""
    if vectors.shape != (len(ids), key.dim):
        raise ValueError(f"vectors have shape {vectors.shape}; {len(ids)} of {key.id} have {(len(ids), key.dim)}")
    places = {id: place for place, id in enumerate(ids)}
    for part, batch in ((part, batch) for part in key.parts for batch in batches(tuple(places))):
        held = [(id, row) for id in batch if (row := _of(vectors[places[id]], part, key)) is not None]
        if not held:
            continue
        rows = [np.asarray(row, np.float32) for _, row in held]
        update = pa.table({"id": [id for id, _ in held], part.key.column: vector_array(rows, part.key.dim)})
        # Without the index on id: with it LanceDB rewrites the column for every row of the table and drops that index.
        await table.merge_insert("id").use_index(False).when_matched_update_all().execute(update)
