"""A store whose folder is deleted, or made anew, while it is open."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import StoreError


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "heron.md").write_text("# Heron\n\nthe heron waits\n")
    (folder / "crane.md").write_text("# Crane\n\nthe crane dances\n")
    return folder


@pytest.fixture
def old(tmp_path: Path, notes: Path) -> Iterator[Memo]:
    """A store that is open, and holds what is in two notes."""
    with Memo.open(tmp_path / ".memo", embedder="none") as memo:
        memo.index(notes)
        yield memo


def uris(memo: Memo, query: str) -> list[str]:
    return [result.passage.uri for result in memo.search(query, sync=False)]


def test_a_store_that_was_deleted_is_told_with_the_cure(old: Memo) -> None:
    shutil.rmtree(old.path)
    for ask in (lambda: old.search("heron"), old.status, lambda: old.judge("heron", "x", 1), old.maintain):
        with pytest.raises(StoreError, match=r"was deleted while it was open\. %memo_index PATH makes a new one"):
            ask()
    assert not Path(old.path).exists()


def test_indexing_makes_a_deleted_store_anew(old: Memo, notes: Path) -> None:
    shutil.rmtree(old.path)
    (notes / "heron.md").unlink()
    assert 1 == old.index(notes).added
    assert (["notes/crane.md"], []) == (uris(old, "crane"), uris(old, "heron"))
    assert 0o700 == Path(old.path).stat().st_mode & 0o777


def test_adding_makes_a_deleted_store_anew(old: Memo) -> None:
    shutil.rmtree(old.path)
    assert 1 == old.add([{"text": "the stork"}]).added
    assert 1 == len(uris(old, "stork"))


def test_a_store_that_was_made_anew_is_opened_anew(old: Memo, notes: Path) -> None:
    shutil.rmtree(old.path)
    with Memo.open(old.path, embedder="none") as other:
        other.index(notes / "crane.md")
        assert (["notes/crane.md"], []) == (uris(old, "crane"), uris(old, "heron"))
        assert 1 == old.status().passages
        old.index(notes)
        assert ["notes/heron.md"] == uris(other, "heron") == uris(old, "heron")


def test_a_store_that_is_made_anew_again_and_again_is_followed(old: Memo) -> None:
    for number in range(3):
        shutil.rmtree(old.path)
        with Memo.open(old.path, embedder="none") as other:
            other.add([{"id": str(number), "text": f"heron number {number}"}])
        assert [str(number)] == uris(old, "heron")


def test_a_read_only_store_makes_no_new_one(old: Memo) -> None:
    with Memo.open(old.path, embedder="none", read_only=True) as reading:
        shutil.rmtree(old.path)
        with pytest.raises(StoreError, match="was deleted while it was open"):
            reading.search("heron")
        with pytest.raises(StoreError):
            reading.add([{"text": "x"}])
    assert not Path(old.path).exists()
