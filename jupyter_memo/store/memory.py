"""Memory that LanceDB has let go of and the allocator keeps for the process: keeping that small, giving it back."""

from __future__ import annotations

import ctypes
import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Names that `mallopt` takes, from glibc's malloc.h."""

APART_BYTES = 128 * 2**10
"""Where glibc begins: blocks from here on are mapped apart from the heaps, and go back whole when they are freed."""

GROWN_BYTES = 32 * 2**20
"""As far as glibc raises that by itself on a 64-bit machine, each time a larger block is freed (mallopt(3))."""

_lock = threading.Lock()
_inside = 0


@contextmanager
def blocks_apart() -> Iterator[None]:
    """For so long, keep large blocks out of the heaps.

    LanceDB works in dozens of threads, and glibc gives every few of them a heap of its own. The blocks of a batch are
    some 100 kB to some MB; once glibc has raised its threshold they come from these heaps, and the small pieces that
    end up between them keep the pages from going back: over a stream of 300,000 records the process held half as much
    again. Afterwards the threshold is where glibc would have raised it to, so that the arrays of somebody's own work in
    this process are made as fast as before.
    """
    global _inside
    with _lock:
        _inside += 1
        if _inside == 1:
            _set(APART_BYTES)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _set(GROWN_BYTES)


def give_back() -> bool:
    """Give what is free back to the system, some milliseconds of work; whether there was anything, and a way to."""
    library = _glibc()
    return library is not None and bool(library.malloc_trim(0))


def _set(size: int) -> None:
    library = _glibc()
    if library is not None:
        library.mallopt(_MMAP_THRESHOLD, size)
        library.mallopt(_TRIM_THRESHOLD, 2 * size)  # glibc keeps them in this proportion


@functools.cache
def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        library = ctypes.CDLL("libc.so.6")
    except OSError:
        return None
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None
