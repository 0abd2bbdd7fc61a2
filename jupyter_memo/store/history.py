"""What has ended, and its end on the disk: history that is old enough is deleted, or erased with every byte of it.

Deleting marks a row as gone and leaves its bytes in the files until they are rewritten, in the indexes as well, and in
every earlier version of the table. `erase` is for texts that must not be there any more: it writes all tables and all
indexes anew and then deletes whatever else lies in their folders. Both run under the write lock, end no passage and
touch none that has not ended. Cut short, they leave a store that is whole; doing them again completes them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lancedb.table import AsyncTable

from jupyter_memo.store import filters, indexes, terms
from jupyter_memo.store.opening import Tables
from jupyter_memo.store.writes import batches, forget_old_sources

NAMED_IDS = 500
"""Sources that are named in one statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """Passages and sources that are history (deleted, or there to be), and passages of the same sources that are
    not."""

    passages: int = 0
    sources: int = 0
    current: int = 0


async def sources_named(tables: Tables, name: str) -> set[str]:
    """The ids of all sources with this id or uri, with a uri under this glob, or below this folder, now or earlier."""
    condition = " or ".join((filters.glob(name), f"starts_with(uri, {filters.quote(name.rstrip('/') + '/')})"))
    found: set[str] = set()
    if name == ".":  # the folder that the store lies in: its sources have no alias before their path
        own = await tables.sources.query().where("root = '' and surface = 'file'").select(["id"]).to_arrow()
        found.update(own["id"].to_pylist())
    for table, id in ((tables.passages, "source_id"), (tables.sources, "id")):
        mine = f"{id} = {filters.quote(name)} or {condition}"
        async for batch in await table.query().where(mine).select([id]).to_batches():
            found.update(batch.column(id).to_pylist())
    return found


async def count(tables: Tables, ids: Sequence[str] | None, open_runs: Sequence[str]) -> Ended:
    """What of these sources is history, of all where `ids` is None."""
    passages = sources = current = 0
    for mine in _each("source_id", ids):
        passages += await tables.passages.count_rows(_ended(mine, open_runs))
        current += await tables.passages.count_rows(f"{mine} and {filters.current(open_runs)}")
    for mine in _each("id", ids):
        sources += await tables.sources.count_rows(_removed(mine, open_runs))
    return Ended(passages=passages, sources=sources, current=current)


async def delete(
    tables: Tables, ids: Sequence[str] | None, open_runs: Sequence[str], *, before: datetime | None = None
) -> Ended:
    """Delete passages that had ended `before` then (None: all that have), and removed sources that hold none any more,
    of these sources or of all; how many that were."""
    passages = sources = 0
    for mine in _each("source_id", ids):
        ended = _ended(mine, open_runs, before)
        if found := await tables.passages.count_rows(ended):
            passages += found
            await tables.passages.delete(ended)
    for mine in _each("id", ids):
        query = tables.sources.query().where(_removed(mine, open_runs, before)).select(["id"])
        removed = sorted((await query.to_arrow())["id"].to_pylist())
        for batch in batches(removed, NAMED_IDS):
            held = tables.passages.query().where(filters.any_of("source_id", batch)).select(["source_id"])
            empty = [*{*batch}.difference((await held.to_arrow())["source_id"].to_pylist())]
            if empty:
                sources += len(empty)
                await tables.sources.delete(filters.any_of("id", empty))
    return Ended(passages=passages, sources=sources)


async def erase(tables: Tables) -> None:
    """Write every table and index anew, without what was deleted, and leave nothing else in their folders."""
    await _rewrite(tables.passages, "id")
    await indexes.rebuild(tables.passages)
    await terms.sum_up(tables.terms)
    await forget_old_sources(tables.sources, ())
    await _rewrite(tables.sources, "id")
    await indexes.rebuild_plain(tables.sources, indexes.SOURCE_INDEXES)
    await _rewrite(tables.meta, "key")
    for table in (tables.passages, tables.sources, tables.terms, tables.meta):
        await indexes.leave_newest(table)


def size(folder: str) -> int:
    """Bytes of all files below a folder."""
    found = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                found += (Path(place) / name).stat().st_size
            except OSError:  # gone between the two looks: another process cleaned up
                continue
    return found


async def _rewrite(table: AsyncTable, column: str) -> None:
    # Compaction leaves deleted rows in place while they are few. An update writes the rows it touches anew: here all.
    if await table.count_rows():
        await table.update(where="true", updates_sql={column: column})


def _each(column: str, ids: Sequence[str] | None) -> list[str]:
    """Conditions that together name these sources; one that names all where `ids` is None."""
    if ids is None:
        return ["true"]
    return [filters.any_of(column, batch) for batch in batches(sorted(ids), NAMED_IDS)]


def _ended(mine: str, open_runs: Sequence[str], before: datetime | None = None) -> str:
    time = "superseded_at is not null" if before is None else f"superseded_at < {filters.moment(before)}"
    closed = f" and not ({filters.any_of('superseded_run', open_runs)})" if open_runs else ""
    return f"{mine} and {time}{closed}"


def _removed(mine: str, open_runs: Sequence[str], before: datetime | None = None) -> str:
    time = "removed_at is not null" if before is None else f"removed_at < {filters.moment(before)}"
    return f"{mine} and {time} and {filters.current(open_runs)}"
