"""What the allocator does, asked of itself."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from jupyter_memo.store import lance, memory

LIBRARY = memory._glibc()
pytestmark = pytest.mark.skipif(LIBRARY is None, reason="the allocator here is not glibc's")

APART = """
import ctypes
from contextlib import suppress
from jupyter_memo.store import memory

class Mallinfo(ctypes.Structure):  # struct mallinfo2 of malloc.h; hblks counts the blocks that are mapped apart
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks".split()]
    _fields_ += [("rest", ctypes.c_size_t * 6)]

library = memory._glibc()
library.mallinfo2.restype = Mallinfo
library.malloc.restype = ctypes.c_void_p

def apart():
    memory.give_back()  # a free piece of a heap is taken before anything is mapped
    before = library.mallinfo2().hblks
    block = ctypes.c_void_p(library.malloc(ctypes.c_size_t(2**20)))
    after = library.mallinfo2().hblks
    library.free(block)
    print("apart" if after > before else "within", end=" ")

memory._set(memory.GROWN_BYTES)  # as in any process that has let go of a large array
apart()
"""


def places(steps: str) -> list[str]:
    """Where a block of 1 MiB lies before some steps and whenever they look, in a new process: one that has worked has
    free pieces of any size."""
    done = subprocess.run([sys.executable, "-c", APART + steps], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.split()


def test_blocks_lie_apart_for_so_long_and_no_longer() -> None:
    assert ["within", "apart", "within"] == places("with memory.blocks_apart(): apart()\napart()")


def test_the_last_to_leave_ends_it() -> None:
    steps = "with memory.blocks_apart():\n    with memory.blocks_apart(): pass\n    apart()\napart()"
    assert ["within", "apart", "within"] == places(steps)


def test_a_fault_inside_ends_it() -> None:
    assert ["within", "within"] == places("with suppress(ValueError), memory.blocks_apart(): int('x')\napart()")


def test_a_run_keeps_blocks_apart_once_it_is_long(run, store, row, write, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[str] = []
    held = memory.blocks_apart

    @contextlib.contextmanager
    def counted() -> Iterator[None]:
        entered.append("")
        with held():
            yield

    monkeypatch.setattr(memory, "blocks_apart", counted)
    monkeypatch.setattr(lance, "LOOK_EVERY", 2)
    numbers = []
    for commit in range(4):
        run(write(store, f"r{commit}", [row(f"p{commit}", "word")]))
        numbers.append(len(entered))
    assert [0, 0, 1, 2] == numbers
