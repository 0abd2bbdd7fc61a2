"""What the allocator does, asked of itself."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator

import pytest

from jupyter_memo.store import lance, memory

LIBRARY = memory._glibc()
pytestmark = pytest.mark.skipif(LIBRARY is None, reason="the allocator here is not glibc's")

BLOCK = 2**20


class Mallinfo(ctypes.Structure):
    """`struct mallinfo2` of malloc.h; `hblks` counts the blocks that are mapped apart."""

    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks".split()] + [
        ("rest", ctypes.c_size_t * 3)
    ]


@pytest.fixture
def grown() -> Iterator[None]:
    """An allocator that has raised its threshold, as it does in any process that has let go of a large array."""
    memory._set(memory.GROWN_BYTES)
    yield
    memory._set(memory.GROWN_BYTES)


def mapped_apart() -> bool:
    """Whether a block of 1 MiB lies outside of the heaps."""
    assert LIBRARY is not None
    LIBRARY.mallinfo2.restype = Mallinfo
    LIBRARY.malloc.restype = ctypes.c_void_p
    memory.give_back()  # a free piece of a heap is taken before anything is mapped
    before = LIBRARY.mallinfo2().hblks
    block = ctypes.c_void_p(LIBRARY.malloc(ctypes.c_size_t(BLOCK)))
    after = LIBRARY.mallinfo2().hblks
    LIBRARY.free(block)
    return bool(after > before)


@pytest.mark.usefixtures("grown")
def test_blocks_lie_apart_for_so_long_and_no_longer() -> None:
    before = mapped_apart()
    with memory.blocks_apart():
        inside = mapped_apart()
    assert (False, True, False) == (before, inside, mapped_apart())


@pytest.mark.usefixtures("grown")
def test_the_last_to_leave_ends_it() -> None:
    with memory.blocks_apart():
        with memory.blocks_apart():
            pass
        assert mapped_apart()
    assert not mapped_apart()


@pytest.mark.usefixtures("grown")
def test_a_fault_inside_ends_it() -> None:
    with pytest.raises(ZeroDivisionError), memory.blocks_apart():
        raise ZeroDivisionError
    assert not mapped_apart()


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
