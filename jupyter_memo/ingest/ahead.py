"""Work in stages that run beside each other: each is a little ahead of the next, and the first that fails ends all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Generic, Self, TypeVar

T = TypeVar("T")


class _End:
    """Stands after the last item."""


class Ahead(Generic[T]):
    """The items of an async iterator, made in a task of its own that is at most `size` of them ahead of their reader.

    An error of the iterator comes after the items before it. Leaving the context ends the task and waits for that.
    """

    def __init__(self, items: AsyncIterator[T], size: int) -> None:
        self._items = items
        self._room = asyncio.Semaphore(size)
        self._made: asyncio.Queue[T | _End] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._make())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])
        if not self._task.cancelled():
            # Looked at, so that nobody complains of an error that was never seen.
            self._task.exception()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        item = await self._made.get()
        if isinstance(item, _End):
            self._made.put_nowait(item)
            await self._task
            raise StopAsyncIteration
        self._room.release()
        return item

    def ready(self) -> Iterator[T]:
        """The items that are made already, each taken as it is asked for."""
        while not self._made.empty():
            item = self._made.get_nowait()
            if isinstance(item, _End):
                self._made.put_nowait(item)
                return
            self._room.release()
            yield item

    async def _make(self) -> None:
        try:
            async with closing(self._items) as items:
                async for item in items:
                    await self._room.acquire()
                    self._made.put_nowait(item)
        finally:
            self._made.put_nowait(_End())


@asynccontextmanager
async def closing(items: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """Close an iterator that can be closed, however its reader ends: else it would be closed at some later time."""
    try:
        yield items
    finally:
        if isinstance(items, AsyncGenerator):
            await items.aclose()
