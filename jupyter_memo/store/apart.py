"""The upkeep of a large store in a process of its own, which gives all its memory back when it ends.

Joining pieces and merging indexes takes some bytes for each row, for a moment, in dozens of threads; glibc keeps a heap
for every few of them, and of each up to 64 MB that no call gives back. A process of its own can have one heap, and what
it holds is gone with it. The parent holds the write lock meanwhile. The child ends when its stdin does, so that it does
not outlive a parent that was killed; every step of it is one commit, so that none is half done.
"""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import tempfile
import threading
from typing import IO

from lancedb.table import AsyncTable

from jupyter_memo import config
from jupyter_memo.store import opening

ROWS = 10_000
"""From so many rows on: starting a process takes a second and 100 MB, more than the upkeep of a smaller table."""

LAST_BYTES = 2000

MOST_SECONDS = 1800.0
"""No upkeep takes so long; a process that hangs must not hold up whoever wants to write for ever."""


_log = logging.getLogger(__name__)


async def worth_it(table: AsyncTable) -> bool:
    """Whether a table is so large that its upkeep belongs into a process of its own."""
    return bool(await table.count_rows() >= ROWS)


async def tend(path: str, force: bool) -> bool:
    """`Store.tend` of the store in this folder; whether that was done. Runs under the write lock."""
    return await asyncio.to_thread(_tended, path, *(("--force",) if force else ()))


def _tended(*words: str) -> bool:
    # An application that holds an interpreter names itself as the executable, or none.
    if getattr(sys, "frozen", False) or not sys.executable:
        return False
    try:
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(  # noqa: S603 (our own module, by our own interpreter)
                (sys.executable, "-P", "-m", "jupyter_memo.store.apart", *words),
                env=config.lean_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,  # an interrupt at the terminal is the parent's
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            ) as process,
        ):
            try:
                status = process.wait(MOST_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                status = None
            if status != 0:
                _log.debug("the upkeep in a process of its own ended with %s: %s", status, _last(said))
            return status == 0
    except OSError:  # no such interpreter, or no room for a process
        return False


def _last(said: IO[bytes]) -> str:
    """The last line that a process said: what its error was. Lines before it may tell of more than that."""
    said.seek(0, os.SEEK_END)
    said.seek(max(0, said.tell() - LAST_BYTES))
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


async def _tend(path: str, force: bool) -> None:
    from jupyter_memo.store.lance import Store

    # For reading only, so that it asks for no lock: the parent has it.
    tables = await opening.open_tables(path, local=True, read_only=True, index_cache_bytes=opening.ONCE_BYTES)
    await Store(path, tables, read_only=True, local=True, lock_timeout_seconds=0).tend(force=force)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def main(path: str, *options: str) -> None:
    """What the process does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    done = False
    try:
        asyncio.run(_tend(path, "--force" in options))
        done = True
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)  # noqa: T201 (for the parent)
    finally:
        os._exit(0 if done else 1)  # the thread that reads stdin would hold up another end


if __name__ == "__main__":
    main(*sys.argv[1:])
