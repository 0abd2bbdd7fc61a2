"""Who may write: a new folder is private, a shared one keeps its mode, a store of somebody else is only read."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_memo import config
from jupyter_memo.engine import Memo
from jupyter_memo.errors import StoreError
from jupyter_memo.store import access

Closed = Callable[[Path], None]


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> Closed:
    """Makes a folder one that may be read and not written, below it as well: also for root, who runs some tests."""

    def close(folder: Path) -> None:
        may = os.access

        def asked(path: str | Path, mode: int) -> bool:
            return not (mode & os.W_OK and Path(path).is_relative_to(folder)) and may(path, mode)

        monkeypatch.setattr(os, "access", asked)

    return close


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A store that holds one passage of a file."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("The gauge was moved in June.\n")
    with Memo.open(tmp_path / ".memo", embedder="hash") as memo:
        memo.index(tmp_path / "notes")
    return tmp_path / ".memo"


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_folder_that_somebody_shares_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / ".memo"
    folder.mkdir()
    folder.chmod(0o2770)
    Memo.open(folder, embedder="none").close()
    assert 0o2770 == stat.S_IMODE(folder.stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_store_in_a_shared_folder_is_private_until_somebody_shares_it(tmp_path: Path) -> None:
    (tmp_path / "group").mkdir()
    (tmp_path / "group").chmod(0o2775)
    before = os.umask(0o002)
    try:
        Memo.open(tmp_path / "group" / ".memo", embedder="none").close()
    finally:
        os.umask(before)
    assert 0 == (tmp_path / "group" / ".memo").stat().st_mode & 0o077


def test_a_store_of_somebody_else_is_read_and_says_so(shared: Path, closed: Closed) -> None:
    before = sorted(shared.rglob("*"))
    closed(shared)
    with Memo.open(shared, embedder="hash") as memo:
        found = memo.search("gauge")
        status = memo.status()
        index = next(check for check in memo.doctor() if check.name == "index")
    assert 1 == len(found.results)
    assert (True, "you may not write to its folder") == (status.read_only, status.read_only_because)
    assert any(hint.startswith("Read only, you may not write to its folder: ") for hint in found.hints)
    assert index.detail.endswith("read-only: you may not write to its folder")
    assert before == sorted(shared.rglob("*"))


def test_a_store_that_was_asked_to_be_read_only_needs_no_remark(shared: Path) -> None:
    with Memo.open(shared, embedder="hash", read_only=True) as memo:
        assert "" == memo.status().read_only_because
        assert not any(hint.startswith("Read only") for hint in memo.search("gauge").hints)


def test_writing_to_a_store_of_somebody_else_is_refused_with_the_cure(shared: Path, closed: Closed) -> None:
    closed(shared)
    with Memo.open(shared, embedder="hash") as memo:
        for write in (lambda: memo.index(shared.parent / "notes"), lambda: memo.add([{"text": "x"}])):
            with pytest.raises(StoreError, match=r"you may not write to its folder\. Index into one of your own"):
                write()


def test_tables_of_somebody_else_in_a_folder_for_all_are_only_read(shared: Path, closed: Closed) -> None:
    closed(shared / "passages.lance")
    assert (False, True) == (access.writable(shared), access.others_only(str(shared)))


def test_a_private_store_of_somebody_else_is_told_and_not_looked_for(
    shared: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != shared and may(path, mode))
    with pytest.raises(StoreError, match="is somebody else's: you may not open it"):
        Memo.open(shared, embedder="none")
    assert str(shared) != config.store_path(None, config.Settings(), start=tmp_path)


def test_where_no_store_is_there_is_none_to_read(tmp_path: Path, closed: Closed) -> None:
    closed(tmp_path)
    assert (False, False) == (access.writable(tmp_path / "a" / ".memo"), access.others_only(str(tmp_path / "a")))


@pytest.mark.parametrize("address", ["s3://bucket/store", "db://mine"])
def test_of_a_remote_store_only_trying_tells(address: str) -> None:
    assert (True, False) == (access.writable(address), access.others_only(address))
