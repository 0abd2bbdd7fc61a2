"""What was read of one version of the passages, kept while it is asked again: counts, and what holds for every row."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from lancedb.table import AsyncTable

from jupyter_memo.store import filters

T = TypeVar("T")

KEPT = 256
"""Small values that are kept: a version is asked under a handful of filters."""

LONGEST = 2_000
"""Characters of a condition whose count is kept; longer ones list ids, and nobody asks those twice."""


SCOPES = 8
MOST_PLACES = 5_000
"""Places are kept of so many scopes, and of so many passages in each: what the searches under way have found."""


class Seen:
    """What was read, by version and name. Who asks while it is being read waits for the same reading."""

    def __init__(self) -> None:
        self._read: OrderedDict[tuple[int, str], asyncio.Future[Any]] = OrderedDict()
        self._places: OrderedDict[tuple[int, str], dict[str, int]] = OrderedDict()

    async def once(self, version: int, name: str, read: Callable[[], Awaitable[T]]) -> T:
        """What `read` gives, read once for each version and name. What fails is read again the next time."""
        key = (version, name)
        known = self._read.get(key)
        if known is None or (known.done() and (known.cancelled() or known.exception() is not None)):
            known = asyncio.ensure_future(read())
            # Looked at, so that nobody complains of an error when all who waited for it have left.
            known.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._read[key] = known
            while len(self._read) > KEPT:
                self._read.popitem(last=False)
        self._read.move_to_end(key)
        # One who leaves must not take the reading from the others.
        value: T = await asyncio.shield(known)
        return value

    async def count(self, table: AsyncTable, version: int, where: str) -> int:
        """How many rows of that version fulfil a condition. `table` is checked out at it."""
        if len(where) > LONGEST:
            return int(await table.count_rows(where))
        return int(await self.once(version, f"count {where}", lambda: table.count_rows(where)))

    def places(self, version: int, where: str) -> dict[str, int]:
        """The rows of that version at which passages stand that were found under a condition, for whoever finds them to
        fill in: to read a row by its place costs less than to look for its id. Searches of one scope share them."""
        known = self._places.pop((version, where), {})
        if len(known) > MOST_PLACES:
            known = {}
        self._places[version, where] = known
        while len(self._places) > SCOPES:
            self._places.popitem(last=False)
        return known

    async def always(self, table: AsyncTable, version: int, rows: int) -> tuple[str, ...]:
        """Those of `filters.USUAL` that all of the rows fulfil: no filter needs to ask for them."""

        async def read() -> tuple[str, ...]:
            counts = await asyncio.gather(*(table.count_rows(each) for each in filters.USUAL))
            return tuple(each for each, count in zip(filters.USUAL, counts, strict=True) if count == rows)

        return await self.once(version, "always", read)
