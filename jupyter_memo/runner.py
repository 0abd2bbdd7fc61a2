"""One background event loop for an engine: a notebook's own loop stays free, and any thread may call."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

TICK_SECONDS = 0.1
"""How often a waiting caller looks for progress: as often as a person can read it."""


class Runner:
    """Runs coroutines on a loop in a daemon thread. Every method may be called from any thread but the loop's own."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def run(
        self,
        work: Coroutine[Any, Any, T],
        *,
        events: queue.SimpleQueue[Any] | None = None,
        on_event: Callable[[Any], None] | None = None,
    ) -> T:
        """The coroutine's result. An interrupt cancels it and passes through at once.

        `on_event` is called here, in the caller's thread, with whatever the work puts into `events`.
        """
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("this would wait for itself; await the async twin instead")
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            while True:
                try:
                    return future.result(TICK_SECONDS if events is not None else None)
                except TimeoutError:
                    if future.done():
                        raise
                finally:
                    while events is not None and on_event is not None and not events.empty():
                        on_event(events.get())
        except BaseException:
            future.cancel()
            raise

    async def wrap(self, work: Coroutine[Any, Any, T]) -> T:
        """The same for a caller with a loop of its own."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Runs a coroutine that nobody waits for."""
        asyncio.run_coroutine_threadsafe(work, self.loop)

    def close(self) -> None:
        """Cancels what still runs and ends the thread. Safe to call twice."""
        if self.loop.is_closed():
            return
        if threading.current_thread() is not self._thread:
            asyncio.run_coroutine_threadsafe(self._cancel_all(), self.loop).result(timeout=10)
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(timeout=10)
            self.loop.close()

    async def _cancel_all(self) -> None:
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
