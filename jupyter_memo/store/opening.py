"""Finding, creating and checking the tables of a store, and saying in words what is wrong with one."""

from __future__ import annotations

import asyncio
import functools
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import lancedb
import pyarrow as pa
from lancedb.table import AsyncTable

from jupyter_memo import config
from jupyter_memo.errors import StoreError
from jupyter_memo.runner import UNBROKEN
from jupyter_memo.store import access, indexes, meta, terms
from jupyter_memo.store.lock import exclusive
from jupyter_memo.store.tables import PASSAGES, SOURCES

INDEX_CACHE_BYTES = 128 * 2**20
METADATA_CACHE_BYTES = 32 * 2**20
"""LanceDB's own limits are several GiB; a kernel lives for days beside others. Four times as much was measured to make
no search over 200,000 passages faster: what is not held here, the system holds."""

ONCE_BYTES = 8 * 2**20
"""Either cache of a session that reads everything once, where a larger one makes nothing faster."""

CREATION_SECONDS = 60.0

RESTORE = "Restore the folder from a backup, or move it away and index again"
_SOURCE_LINES = re.compile(r", /\S+\.rs:\d+:\d+.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Tables:
    """An open database and its tables. Reads check for commits of other processes every time."""

    database: lancedb.AsyncConnection
    passages: AsyncTable
    sources: AsyncTable
    terms: AsyncTable
    meta: AsyncTable

    def close(self) -> None:
        """Let them go. Closing twice does nothing."""
        for table in (self.passages, self.sources, self.terms, self.meta):
            table.close()
        self.database.close()


def locate(path: str | Path) -> tuple[str, bool]:
    """Where a store is, and whether that is on this machine. Local paths are made absolute: LanceDB takes any
    relative one that begins with "db" for its cloud."""
    text = str(path)
    if isinstance(path, str) and "://" in text:
        return text, False
    return str(Path(path).expanduser().absolute()), True


async def open_tables(
    location: str,
    *,
    local: bool,
    read_only: bool,
    index_cache_bytes: int = INDEX_CACHE_BYTES,
    metadata_cache_bytes: int = METADATA_CACHE_BYTES,
) -> Tables:
    """Open the tables, or create them. Raises StoreError."""
    if local:
        _prepare_folder(Path(location), read_only=read_only)
    try:
        config.bound_reading()
        session = lancedb.Session(index_cache_bytes, metadata_cache_bytes)
        database = await lancedb.connect_async(location, read_consistency_interval=timedelta(0), session=session)
        table = await _table(database, "meta")
        if table is None and read_only:
            raise _absent(location)
        if table is None and local:
            async with exclusive(Path(location), timeout_seconds=CREATION_SECONDS):
                table = await _table(database, "meta") or await _create(database, location)
        elif table is None:
            table = await _create(database, location)
        await meta.check_version(table, location)
        passages, sources = await _table(database, "passages"), await _table(database, "sources")
        counted = await _table(database, "terms")
        if passages is None or sources is None or counted is None:
            raise damaged(location, "a table is missing")
        if not {*PASSAGES.names} <= {*(await passages.schema()).names}:
            raise damaged(location, "a column is missing")
    except (RuntimeError, OSError, ValueError, pa.ArrowException) as error:
        if not local:
            cure = "Check the address, its credentials and the network"
            raise StoreError(f"the store at {location} cannot be opened: {reason(error)}. {cure}") from error
        raise damaged(location, reason(error)) from error
    return Tables(database, passages, sources, counted, table)


def _prepare_folder(folder: Path, *, read_only: bool) -> None:
    try:
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder} is a file; a store is a folder. Name another path")
        if folder.exists() and not access.readable(folder):
            raise StoreError(
                f"the store at {folder} is somebody else's: you may not open it. %memo open PATH opens yours"
            )
        if read_only and not folder.exists():
            raise _absent(str(folder))
        if not read_only:
            # What a person searches is private, so the folder is.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the folder {folder} cannot be opened: {error.strerror}. Check its permissions") from error


async def _create(database: lancedb.AsyncConnection, location: str) -> AsyncTable:
    """Create what is not there; `meta` comes last, so that a store with it is whole."""
    passages = await _table(database, "passages")
    if passages is None:
        passages = await database.create_table("passages", schema=PASSAGES)
    elif await passages.count_rows():
        raise damaged(location, "there are passages but the table `meta` is missing")
    await indexes.ensure_indexes(passages)
    if await _table(database, "sources") is None:
        await database.create_table("sources", schema=SOURCES)
    if await _table(database, "terms") is None:
        await terms.ensure_index(await database.create_table("terms", schema=terms.TERMS))
    return await database.create_table("meta", data=meta.first_row())


async def _table(database: lancedb.AsyncConnection, name: str) -> AsyncTable | None:
    try:
        return await database.open_table(name)
    except ValueError as error:
        if "not found" in str(error):
            return None
        raise


class Opened(Protocol):
    """What an error message needs to know of a store."""

    path: str
    process: int

    async def in_place(self) -> None:
        """Raises StoreError where the store is not there any more."""


S = TypeVar("S", bound=Opened)
P = ParamSpec("P")
T = TypeVar("T")


def told(method: Callable[Concatenate[S, P], Awaitable[T]]) -> Callable[Concatenate[S, P], Awaitable[T]]:
    """Make a method say in words what the library's errors mean for the person who reads them."""

    @functools.wraps(method)
    async def wrapped(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        check_process(store)
        try:
            await store.in_place()
            return await method(store, *args, **kwargs)
        except (RuntimeError, OSError, pa.ArrowException) as error:
            raise explained(store.path, error) from error

    return wrapped


def unbroken(method: Callable[Concatenate[S, P], Awaitable[T]]) -> Callable[Concatenate[S, P], Awaitable[T]]:
    """Let a write that has begun come to its end when its task is cancelled, and cancel the task then.

    Otherwise the lock would be free while the library is still writing, and rows of a run that the next writer has
    undone could arrive after that.
    """

    @functools.wraps(method)
    async def wrapped(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        work = asyncio.get_running_loop().create_task(_result(method(store, *args, **kwargs)), name=UNBROKEN)
        cancelled: asyncio.CancelledError | None = None
        while not work.done():
            try:
                await asyncio.wait([work])
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            # Looked at, so that nobody complains of an error that was never seen.
            work.exception()
            raise cancelled
        return work.result()

    return wrapped


async def _result(work: Awaitable[T]) -> T:
    return await work


def check_process(store: Opened) -> None:
    """Raise StoreError in a fork: the library's threads are not there, so a query would never return."""
    if os.getpid() != store.process:
        raise StoreError("this store was opened before the process forked. Use spawn, and open it in each process")


def explained(location: str, error: Exception) -> StoreError:
    """An error of the library with its cure."""
    text = reason(error)
    if "commit conflict" in text:
        return StoreError(f"another process kept changing the store at {location}. Try again")
    if "No space left" in text:
        return StoreError(f"the disk of the store at {location} is full. Make room and try again")
    if "ot found" in text or "no longer exists" in text:
        cure = f"It may have been cleaned up meanwhile. Search again. {RESTORE} if it stays so"
        return StoreError(f"a part of the store at {location} is gone ({text}). {cure}")
    return StoreError(f"the store at {location} failed: {text}. Check its permissions and the room on disk")


def _absent(location: str) -> StoreError:
    return StoreError(f"there is no store at {location}. Index something first: %memo_index FOLDER")


def deleted(location: str) -> StoreError:
    """The error for a store that was there when it was opened."""
    return StoreError(f"the store at {location} was deleted while it was open. %memo_index PATH makes a new one")


def damaged(location: str, text: str) -> StoreError:
    """The error for a store that cannot be read as one."""
    return StoreError(f"the store at {location} cannot be read: {text}. {RESTORE}")


def reason(error: Any) -> str:
    """The first line of an error, without the library's own source lines."""
    text = str(error).removeprefix("lance error: ").strip()
    return _SOURCE_LINES.sub("", text).split("\n", 1)[0][:300] or type(error).__name__
