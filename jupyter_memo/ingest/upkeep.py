"""Keeping a store lean: history that is old enough is pruned, and history that must not be there is erased."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jupyter_memo.errors import QueryError
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.response import Upkeep
from jupyter_memo.store.lance import Store

LONGEST_DAYS = 300_000
"""Longer than any history: eight centuries."""

KEPT = (
    "Passages of these sources that stay: {count}. They are still in the file or record. "
    "Remove them there, or add an ignore rule, then index and purge again."
)


async def maintain(store: Store, history_days: float) -> Upkeep:
    """Delete what ended more than so many days ago, and put the tables in order. Raises QueryError for days that are
    no number from 0 on."""
    try:
        sound = math.isfinite(history_days) and history_days >= 0
    except (TypeError, OverflowError):
        sound = False
    if not sound:
        raise QueryError(f"history_days is {str(history_days)[:80]}; give a number of days, 0 to keep no history")
    began = time.perf_counter()
    before = datetime.now(UTC) - timedelta(days=min(history_days, LONGEST_DAYS))
    async with store.writing():
        bytes_before = await store.size()
        ended = await store.prune(before)
        await store.optimize(force=True)
        bytes_after = await store.size()
    return Upkeep(
        work="maintain",
        passages=ended.passages,
        sources=ended.sources,
        bytes_before=bytes_before,
        bytes_after=bytes_after,
        seconds=time.perf_counter() - began,
    )


async def purge(store: Store, targets: Sequence[str], roots: Roots, *, dry_run: bool) -> Upkeep:
    """Erase what has ended of the sources named, of all sources where none is. Raises QueryError for an empty name."""
    began = time.perf_counter()
    if not all(target.strip() for target in targets):
        raise QueryError("a name is empty. Name a path, uri, glob or id, or none for all history")
    ids: set[str] | None = None
    hints = []
    for target in targets:
        found: set[str] = set()
        for name in _names(target, roots):
            found |= await store.sources_named(name)
        if not found:
            hints.append(f"{target}: no source of that name is in the index, nor in its history.")
        ids = found | (ids or set())
    listed = None if ids is None else sorted(ids)
    bytes_before = bytes_after = await store.size()
    there = await store.ended(listed)
    if not dry_run:
        async with store.writing():
            bytes_before = await store.size()
            ended = await store.purge(listed)
            bytes_after = await store.size()
    if listed is not None and there.current:
        hints.append(KEPT.format(count=there.current))
    return Upkeep(
        work="purge",
        passages=(there if dry_run else ended).passages,
        sources=(there if dry_run else ended).sources,
        current=there.current,
        bytes_before=bytes_before,
        bytes_after=bytes_after,
        seconds=time.perf_counter() - began,
        dry_run=dry_run,
        hints=tuple(hints),
    )


def _names(target: str, roots: Roots) -> tuple[str, ...]:
    """What a person typed, and as the index calls it where it is a path, whether that is on the disk or not."""
    try:
        path = Path(os.path.abspath(Path(target).expanduser()))
        return tuple(dict.fromkeys((target, roots.uri(path))))
    except (OSError, RuntimeError, ValueError):  # no path, or one outside every root
        return (target,)
