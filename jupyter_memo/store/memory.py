"""Memory that large pieces of work leave with the allocator, given back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Let the C library return what is free. Compaction runs in many threads, and glibc keeps for each of them what it
    once needed: measured, a third of the process after an upkeep of 200,000 passages. Elsewhere this does nothing."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
