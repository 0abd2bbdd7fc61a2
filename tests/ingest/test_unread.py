"""What could not be read stays known until it is mended or gone, for the status to tell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_memo import cli
from jupyter_memo.engine import Memo
from jupyter_memo.ingest import unread
from jupyter_memo.ingest.roots import Root, Roots


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "sound.md").write_text("# Optics\n\nDirty lenses scatter the beam.\n")
    (folder / "torn.json").write_text('{"station": ')
    return folder


@pytest.fixture
def memo(tmp_path: Path):
    with Memo.open(tmp_path / "store", embedder="none") as memo:
        yield memo


def told(memo: Memo) -> list[str]:
    return [source.uri for source in memo.status().unread]


def test_a_file_that_could_not_be_read_is_in_the_status_with_its_reason(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    status = memo.status()
    assert 1 == status.unread_total
    assert ["notes/torn.json"] == told(memo)
    assert "not valid JSON" in status.unread[0].reason


def test_a_dry_run_keeps_nothing(memo: Memo, notes: Path) -> None:
    memo.index(notes, dry_run=True)
    assert [] == told(memo)


def test_the_status_of_a_later_process_tells_it_too(tmp_path: Path, memo: Memo, notes: Path, capsys) -> None:
    memo.index(notes)
    memo.close()
    assert 0 == cli.main(["status", "--store", str(tmp_path / "store"), "--embedder", "none"])
    page = capsys.readouterr().out
    assert "not read     1 file could not be read\n" in page
    assert "notes/torn.json: it is not valid JSON" in page
    assert str(tmp_path) not in page.split("not read", 1)[1]


def test_a_mended_file_leaves_the_list_at_the_next_run(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "torn.json").write_text('{"station": "alder"}')
    memo.index(notes)
    assert [] == told(memo)


def test_a_mended_file_leaves_the_list_at_the_next_search(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "torn.json").write_text('{"station": "alder"}')
    memo.search("alder")
    assert [] == told(memo)


@pytest.mark.parametrize("mend", [lambda file: file.write_text('{"station": "alder"}'), Path.unlink])
def test_what_a_run_has_put_there_between_two_searches_leaves_the_list_too(memo: Memo, notes: Path, mend) -> None:
    (notes / "torn.json").unlink()
    memo.index(notes)
    memo.search("lenses")
    (notes / "torn.json").write_text('{"station": ')
    memo.index(notes)
    mend(notes / "torn.json")
    memo.search("lenses")
    assert [] == told(memo)


def test_a_file_that_is_gone_leaves_the_list_at_the_next_search(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    memo.search("lenses")
    (notes / "torn.json").unlink()
    memo.search("lenses")
    assert [] == told(memo)


def test_a_file_that_breaks_between_searches_enters_the_list(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "late.ipynb").write_text("{")
    memo.search("lenses")
    memo.search("lenses")
    assert ["notes/late.ipynb", "notes/torn.json"] == told(memo)


def test_a_run_over_one_folder_leaves_what_is_known_of_others(memo: Memo, notes: Path, tmp_path: Path) -> None:
    memo.index(notes)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.json").write_text("[")
    memo.index(tmp_path / "data")
    assert ["data/a.json", "notes/torn.json"] == told(memo)


def test_a_folder_that_may_not_be_looked_into_is_told(memo: Memo, notes: Path, monkeypatch) -> None:
    import os

    (notes / "locked").mkdir()
    scandir = os.scandir

    def refuse(path):
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    memo.index(notes)
    assert ["notes/locked/", "notes/torn.json"] == told(memo)


def test_each_uri_is_looked_up_among_the_paths_and_not_compared_with_all(tmp_path: Path, monkeypatch) -> None:
    roots = Roots(entries=(Root(alias="notes", folder=tmp_path),))
    apart = unread.outside(roots, [tmp_path / f"{number}.md" for number in range(50)])
    compared, compare = [], Path.is_relative_to
    monkeypatch.setattr(Path, "is_relative_to", lambda *paths: compared.append(paths) or compare(*paths))
    assert (False, True) == (apart("notes/49.md"), apart("notes/other.md"))
    assert len(compared) <= 2


def test_a_list_without_end_is_counted_and_cut(memo: Memo, notes: Path, monkeypatch) -> None:
    monkeypatch.setattr(unread, "TOLD", 3)
    for number in range(5):
        (notes / f"more{number}.json").write_text("[")
    memo.index(notes)
    status = memo.status()
    assert (6, 3) == (status.unread_total, len(status.unread))


def test_a_list_that_cannot_be_read_is_no_list() -> None:
    assert () == unread.loads("{").entries
    assert () == unread.loads(json.dumps([["a"]])).entries


def test_a_search_over_sound_files_writes_nothing(memo: Memo, notes: Path) -> None:
    (notes / "torn.json").unlink()
    memo.index(notes)
    memo.search("lenses")
    version = memo.status().index_version
    memo.search("lenses")
    assert version == memo.status().index_version
