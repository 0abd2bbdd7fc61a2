"""Indexes over the passages, and the upkeep of the tables: compaction, new rows into the indexes, old versions away."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from lancedb.index import FTS, Bitmap, BTree, IvfSq, LabelList
from lancedb.table import AsyncTable

from jupyter_memo.store.tables import vector_columns

LEX = "lex"
IDENT = "ident"
CJK = "cjk"

# The column holds stems already, from the project's own analyzer: what is counted, marked and matched is the same word.
_WORDS = FTS(
    base_tokenizer="whitespace",
    stem=False,
    lower_case=False,
    remove_stop_words=False,
    ascii_folding=False,
    max_token_length=64,
    with_position=True,
)
_LITERALS = FTS(
    base_tokenizer="whitespace",
    stem=False,
    lower_case=False,
    remove_stop_words=False,
    ascii_folding=False,
    max_token_length=200,
)
_CHARACTERS = FTS(
    base_tokenizer="whitespace", stem=False, remove_stop_words=False, ascii_folding=False, with_position=True
)

PASSAGE_INDEXES: dict[str, Any] = {
    LEX: _WORDS,
    IDENT: _LITERALS,
    CJK: _CHARACTERS,
    "id": BTree(),
    "source_id": BTree(),
    "uri": BTree(),
    "created_at": BTree(),
    "recorded_at": BTree(),
    "expires_at": BTree(),
    "superseded_at": BTree(),
    "forgotten_at": BTree(),
    "tags": LabelList(),
    **{
        name: Bitmap()
        for name in (
            "surface",
            "kind",
            "namespace",
            "owner",
            "library",
            "version",
            "trust",
            "lang",
            "superseded_run",
            "run_id",
        )
    },
}
"""One index a column: of two full-text indexes on one column only the first would ever answer."""

SOURCE_INDEXES: dict[str, Any] = {"id": BTree()}
"""What sources are looked up by, batch after batch; every other read of them takes all there are."""

INDEXED_ROWS = 4096
"""A small table gets its indexes when it has grown to this; below, a scan costs as little."""

FLAT_ROWS = 50_000
"""Up to so many vectors are compared one by one, which is exact and takes some 50 ms; above, an index is built."""

WORTH_FRAGMENTS = 50
WORTH_UNINDEXED = 0.05
WORTH_ROWS = 64
WORTH_VERSIONS = 4
"""Upkeep is worth its time from so many fragments, or so many times as many versions, or from this share of rows
outside the indexes on; below so many such rows scanning them costs nothing."""

MOST_FRAGMENTS = 400
ROWS_FRAGMENT = 1000
"""Compaction rewrites a table whole up to a million rows. The passages of a large one wait for a fragment more with
every so many rows, so that what a write costs in upkeep does not grow with them, but never for more than a search
bears."""

GRACE = timedelta(minutes=10)
"""A version stays this long after a newer one replaced it: a search may still be reading it."""

RETRIES = 6
BACK_OFF_SECONDS = 0.1


async def ensure_indexes(table: AsyncTable, wanted: Mapping[str, Any] = PASSAGE_INDEXES) -> None:
    """Create the indexes that are not there. On an empty table they fill as rows come."""
    there = {column for index in await table.list_indices() for column in index.columns}
    for column, config in wanted.items():
        if column not in there:
            await table.create_index(column, config=config)


async def ensure_source_indexes(table: AsyncTable) -> None:
    """Create the indexes of the sources once there are enough of them."""
    if await table.count_rows() >= INDEXED_ROWS:
        await ensure_indexes(table, SOURCE_INDEXES)


async def unindexed_rows(table: AsyncTable) -> int:
    """Rows that the word index does not hold yet; they are found by scanning."""
    for index in await table.list_indices():
        if LEX in index.columns:
            stats = await table.index_stats(index.name)
            return int(stats.num_unindexed_rows) if stats is not None else 0
    return int(await table.count_rows())


async def fragments(table: AsyncTable) -> int:
    """How many pieces a table is stored in."""
    stats: Any = await table.stats()
    return int(stats["fragment_stats"]["num_fragments"])


async def crowded(table: AsyncTable) -> bool:
    """Whether a table of small rows has gathered more pieces or versions than it should have. Rewriting it costs little
    however long it is, and every batch of a long run looks into all of its pieces."""
    return await fragments(table) >= WORTH_FRAGMENTS or len(await _versions(table)) >= WORTH_VERSIONS * WORTH_FRAGMENTS


def bearable(rows: int) -> int:
    """How many fragments a table of so many rows may have before they are joined."""
    return max(WORTH_FRAGMENTS, min(MOST_FRAGMENTS, rows // ROWS_FRAGMENT))


async def worth_it(table: AsyncTable) -> bool:
    """Whether upkeep would make reading faster."""
    rows = await table.count_rows()
    if await fragments(table) >= bearable(rows):
        return True
    waiting = await unindexed_rows(table)
    return waiting >= WORTH_ROWS and waiting > WORTH_UNINDEXED * rows


async def maintain(table: AsyncTable) -> None:
    """Compact, index what is new, delete versions nobody can be reading. Retried while another writer is in the way."""
    for attempt in range(RETRIES):
        try:
            await table.optimize(cleanup_older_than=reclaimable(await _versions(table), GRACE))
            return
        except RuntimeError as error:
            # The library has no error type of its own for this.
            if "Retryable commit conflict" not in str(error) or attempt == RETRIES - 1:
                raise
            await asyncio.sleep(BACK_OFF_SECONDS * 2**attempt)


async def _versions(table: AsyncTable) -> list[datetime]:
    # The library gives local times without a zone.
    versions: list[dict[str, Any]] = await table.list_versions()
    return [version["timestamp"].astimezone(UTC) for version in versions]


def reclaimable(versions: Sequence[datetime], grace: timedelta, now: datetime | None = None) -> timedelta:
    """The age from which versions may be deleted, so that none goes that was the newest within `grace`.

    The age of a version counts from its own commit: the one that was the newest for a month is a month old in the
    second in which it is replaced, and a search may be reading it. What counts is when its successor came."""
    now = now or datetime.now(UTC)
    old = [version for version in versions if version <= now - grace]
    oldest_kept = max(old, default=now - grace)
    margin = timedelta(seconds=1)
    age: timedelta = now - oldest_kept + margin
    return age


async def ensure_vector_indexes(table: AsyncTable) -> None:
    """Build the index of each vector column that has outgrown exact search."""
    if await table.count_rows() <= FLAT_ROWS:
        return
    there = {column for index in await table.list_indices() for column in index.columns}
    for column in vector_columns(await table.schema()):
        if column not in there and await table.count_rows(f"{column} is not null") > FLAT_ROWS:
            await table.create_index(column, config=cast(Any, IvfSq(distance_type="dot")))


async def rebuild(passages: AsyncTable) -> None:
    """Make every index of the passages anew from the rows that are there."""
    await rebuild_plain(passages, PASSAGE_INDEXES)
    columns = vector_columns(await passages.schema())
    for index in await passages.list_indices():
        if columns.keys() & {*index.columns}:
            await passages.drop_index(index.name)
    await ensure_vector_indexes(passages)


async def rebuild_plain(table: AsyncTable, wanted: Mapping[str, Any]) -> None:
    """Make those of these indexes that a table has anew."""
    there = {column for index in await table.list_indices() for column in index.columns}
    for column, config in wanted.items():
        if column in there:
            await table.create_index(column, config=config, replace=True)


async def leave_newest(table: AsyncTable) -> None:
    """Delete every version but the newest, and every file that it does not need, at once."""
    # Twice: what the first pass joins or indexes makes versions that are too young for it.
    for _ in range(2):
        await table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)


async def has_index(table: AsyncTable, column: str) -> bool:
    """Whether a column has an index."""
    return any(column in index.columns for index in await table.list_indices())
