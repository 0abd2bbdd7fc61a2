"""A file that is renamed or moved keeps its passages' ids, their vectors and their history."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jupyter_memo import profile
from jupyter_memo.engine import Memo
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.records import Passage

TEXT = "# Optics\n\nDirty lenses scatter the beam.\n\n# Clock\n\nThe maser drifts by a nanosecond a day.\n"


READ: list[str] = []


class Counting(HashEmbedder):
    """Notes what it is given to read."""

    def encode_passages(self, texts: list[str]):
        READ.extend(texts)
        return HashEmbedder.encode_passages(self, texts)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "optics.md").write_text(TEXT)
    return folder


@pytest.fixture
def memo(tmp_path: Path):
    with Memo.open(tmp_path / "store", embedder=Counting(), index__target_chunk_tokens=0) as memo:
        yield memo


EVERY_COPY = profile.override(profile.get("default"), **{"fold.enabled": False})


def passages(memo: Memo, query: str = "maser lenses") -> dict[str, Passage]:
    found = memo.search(query, profile=EVERY_COPY, sync=False, limit=100)
    return {each.passage.id: each.passage for each in found.results}


@pytest.mark.parametrize("place", ["lenses.md", "deep/optics.md", "OPTICS.md"])
def test_a_file_of_another_name_or_folder_keeps_its_ids(memo: Memo, notes: Path, place: str) -> None:
    memo.index(notes)
    before = passages(memo)
    (notes / "optics.md").rename(notes / place)
    memo.index(notes)
    after = passages(memo)
    assert set(before) == set(after)
    assert {f"notes/{place}"} == {passage.uri for passage in after.values()}


def test_a_moved_file_is_found_by_its_new_name_and_not_by_its_old_one(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "optics.md").rename(notes / "zwiebelkuchen.md")
    memo.index(notes)
    assert memo.search("zwiebelkuchen", mode="keyword", sync=False).results
    assert () == memo.search("kind:document optics.md", mode="exact", sync=False).results


def test_a_moved_file_is_not_read_by_the_model_again(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    READ.clear()
    (notes / "optics.md").rename(notes / "lenses.md")
    report = memo.index(notes)
    assert [] == READ
    assert (0, 0, 2) == (report.embedded, report.pending, report.kept)
    assert 0 == memo.status().pending


def test_a_moved_file_is_what_it_was_called_then_as_of_an_earlier_time(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    then = max(passage.recorded_at for passage in passages(memo).values())
    (notes / "optics.md").rename(notes / "lenses.md")
    memo.index(notes)
    found = memo.search("maser", as_of=then.isoformat(), sync=False)
    assert {"notes/optics.md"} == {each.passage.uri for each in found.results}


def test_a_judgement_follows_a_moved_file(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    memo.judge(memo.search("maser", sync=False), 1, 3)
    (notes / "optics.md").rename(notes / "lenses.md")
    memo.index(notes)
    assert memo.judgements()[0].id == memo.search("maser", sync=False).results[0].passage.id


def test_a_copy_is_a_source_of_its_own(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    (notes / "copy.md").write_text(TEXT)
    memo.index(notes)
    assert 4 == len(passages(memo))


def test_a_new_file_at_the_old_name_has_ids_of_its_own(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    before = set(passages(memo))
    (notes / "optics.md").rename(notes / "lenses.md")
    (notes / "optics.md").write_text(TEXT)
    memo.index(notes)
    uris = {passage.uri for passage in passages(memo).values()}
    assert {"notes/optics.md", "notes/lenses.md"} == uris
    assert 4 == len(passages(memo))
    assert before < set(passages(memo))


def test_a_file_moved_over_another_takes_its_place(memo: Memo, notes: Path) -> None:
    (notes / "other.md").write_text("# Wind\n\nThe maser hut shook.\n")
    memo.index(notes)
    kept = {id for id, passage in passages(memo).items() if passage.uri == "notes/optics.md"}
    (notes / "optics.md").rename(notes / "other.md")
    report = memo.index(notes)
    assert kept == set(passages(memo))
    assert ["another file has its name now"] == [
        source.reason for source in report.sources if source.status == "removed"
    ]


def test_two_files_that_change_names_are_two_edited_files(memo: Memo, notes: Path) -> None:
    (notes / "other.md").write_text("# Wind\n\nThe maser hut shook.\n")
    memo.index(notes)
    (notes / "other.md").rename(notes / "x.md")
    (notes / "optics.md").rename(notes / "other.md")
    (notes / "x.md").rename(notes / "optics.md")
    memo.index(notes)
    assert {"notes/optics.md": 1, "notes/other.md": 2} == {
        uri: sum(passage.uri == uri for passage in passages(memo).values())
        for uri in ("notes/optics.md", "notes/other.md")
    }


def test_a_file_that_left_and_came_back_elsewhere_has_its_ids_again(memo: Memo, notes: Path) -> None:
    memo.index(notes)
    before = set(passages(memo))
    (notes / "optics.md").unlink()
    memo.index(notes)
    (notes / "deep" / "again.md").write_text(TEXT)
    memo.index(notes)
    assert before == set(passages(memo))


def test_a_file_of_a_folder_that_is_out_of_reach_is_a_copy_elsewhere(memo: Memo, notes: Path, tmp_path: Path) -> None:
    memo.index(notes)
    notes.rename(tmp_path / "unmounted")
    other = tmp_path / "other"
    other.mkdir()
    (other / "optics.md").write_text(TEXT)
    memo.index(other)
    assert 4 == len(passages(memo))


def test_a_touched_file_is_trusted_by_its_time_after_one_look(memo: Memo, notes: Path) -> None:
    path = notes / "optics.md"
    os.utime(path, (1_700_000_000, 1_700_000_000))
    memo.index(notes)
    os.utime(path, (1_700_000_500, 1_700_000_500))
    assert "unchanged" == memo.index(notes).sources[0].status
    held = memo._runner.run(memo._store.files())[0]
    assert 1_700_000_500 * 10**9 == held.mtime_ns
