"""One background event loop for an engine: a notebook's own loop stays free, and any thread may call."""

from __future__ import annotations

import asyncio
import concurrent.futures
import queue
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from jupyter_memo.errors import StoreError

T = TypeVar("T")
Last = Callable[[], Coroutine[Any, Any, None]]

UNBROKEN = "jupyter_memo-unbroken"
"""The name of tasks that must come to their end: closing waits for them where it cancels others."""

TICK_SECONDS = 0.1
"""How often a waiting caller looks for progress (a person reads no faster) and lets an interrupt through."""

CLOSE_SECONDS = 60.0
"""How long closing waits for a write that is under way: longer than any single one takes."""


class Runner:
    """Runs coroutines on a loop in a daemon thread. Every method may be called from any thread but the loop's own.

    Raises StoreError for work that comes after `close`.
    """

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self._gate = threading.Lock()
        self._closing = False
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.close()

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
        future = self._submit(work)
        try:
            while not future.done():
                concurrent.futures.wait([future], TICK_SECONDS)
                while events is not None and on_event is not None and not events.empty():
                    on_event(events.get())
            return future.result()
        except concurrent.futures.CancelledError:
            raise _closed() from None
        except BaseException:
            future.cancel()
            raise

    async def wrap(self, work: Coroutine[Any, Any, T]) -> T:
        """The same for a caller with a loop of its own; cancelling it cancels the work."""
        return await asyncio.wrap_future(self._submit(work))

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Runs a coroutine that nobody waits for."""
        self._submit(work)

    def close(self, last: Last | None = None) -> None:
        """Cancels what still runs, waits until writes that have begun are whole, runs `last`, ends the thread.

        Safe to call twice. On the loop's own thread (a forgotten engine may be collected there) nothing is waited for.
        """
        with self._gate:
            if self._closing:
                return
            self._closing = True
        if threading.current_thread() is self._thread:
            self._ending = self.loop.create_task(self._finish(last))
            self._ending.add_done_callback(lambda _: self.loop.stop())
            return
        try:
            asyncio.run_coroutine_threadsafe(self._finish(last), self.loop).result(CLOSE_SECONDS)
        finally:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(CLOSE_SECONDS)

    def _submit(self, work: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        with self._gate:
            if self._closing:
                work.close()
                raise _closed()
            return asyncio.run_coroutine_threadsafe(work, self.loop)

    async def _finish(self, last: Last | None) -> None:
        own = asyncio.current_task()
        for task in asyncio.all_tasks():
            if task is not own and task.get_name() != UNBROKEN:
                task.cancel()
        while others := [task for task in asyncio.all_tasks() if task is not own]:
            await asyncio.wait(others)
        if last is not None:
            await last()


def _closed() -> StoreError:
    return StoreError("this memo is closed. Open it again with Memo.open")
