"""One writer at a time, over processes and over tasks of one process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from jupyter_memo.errors import StoreError

WRITE = "write.lock"
"""Held while a store is written to: for moments."""

RUN = "run.lock"
"""Held while somebody brings a store in step with the disk: for as long as that takes."""

POLL_SECONDS = 0.05


@asynccontextmanager
async def exclusive(folder: Path, *, timeout_seconds: float, name: str = WRITE) -> AsyncIterator[None]:
    """Hold the lock of a store's folder. The operating system lets it go when a process dies.

    Waits up to `timeout_seconds` (0: one try) without blocking the event loop, then raises StoreError.
    """
    # A lock object of its own for each holder, so that two tasks of one process exclude each other as well.
    lock = FileLock(folder / name, thread_local=False)
    deadline = time.monotonic() + timeout_seconds
    while True:
        try:
            lock.acquire(blocking=False)
            break
        except Timeout:
            if time.monotonic() >= deadline:
                raise StoreError(
                    f"the store at {folder} is locked by another process that is writing to it "
                    f"(waited {timeout_seconds:g} s). Wait until it is done, or stop it"
                ) from None
        except (OSError, NotImplementedError) as error:
            raise StoreError(
                f"the store at {folder} cannot be locked for writing: {error}. "
                "Check that its folder may be written to and stands on a disk that knows file locks"
            ) from error
        await asyncio.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        lock.release()


@asynccontextmanager
async def turn(lock: asyncio.Lock, address: str, *, timeout_seconds: float) -> AsyncIterator[None]:
    """Hold a lock of this process alone, for stores on no file system. One writing process at a time is up to the
    user."""
    try:
        await asyncio.wait_for(lock.acquire(), timeout_seconds or POLL_SECONDS)
    except TimeoutError:
        raise StoreError(f"the store at {address} is being written to. Wait until that is done") from None
    try:
        yield
    finally:
        lock.release()
