"""Memory that LanceDB has let go of and the allocator keeps for the process: giving it back."""

from __future__ import annotations

import ctypes
import functools
import sys


def give_back() -> bool:
    """Give what is free back to the system, some milliseconds of work; whether there was anything, and a way to.

    LanceDB works in dozens of threads, and glibc lets every few of them keep a heap of its own: after a large upkeep
    these hold hundreds of megabytes of nothing. How the allocator of somebody else's kernel works otherwise is not ours
    to change.
    """
    library = _glibc()
    return library is not None and bool(library.malloc_trim(0))


@functools.cache
def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        library = ctypes.CDLL("libc.so.6")
    except OSError:
        return None
    return library if hasattr(library, "malloc_trim") else None
