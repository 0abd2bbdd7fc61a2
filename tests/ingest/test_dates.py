"""Pieces that have a date of their own, apart from their file's."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.engine import Memo

BIB = "@article{old, title={Tides of old}, year={1999}}\n\n@article{new, title={Tides of late}, year={2021}}\n"
TURNS = [
    {"role": "user", "content": "When is the neap tide?", "timestamp": "2024-05-01T10:00:00Z"},
    {"role": "assistant", "content": "On Thursday at noon.", "timestamp": "2025-06-01T10:00:00Z"},
]


def test_references_are_dated_by_their_publication(memo: Memo, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    memo.index(tmp_path / "refs.bib")
    (found,) = memo.search("tides before:2010")
    assert datetime(1999, 1, 1, tzinfo=UTC) == found.passage.created_at
    assert ("paper", "old") == (found.passage.kind, found.passage.span.key)


def test_turns_have_their_own_time_and_are_found_by_the_turn_before(memo: Memo, tmp_path: Path) -> None:
    (tmp_path / "talk.jsonl").write_text("\n".join(map(json.dumps, TURNS)), encoding="utf-8")
    memo.index(tmp_path / "talk.jsonl")
    (found,) = memo.search("neap tide since:2025", mode="keyword")
    assert ("On Thursday at noon.", 2) == (found.passage.text, found.passage.span.turn)
    assert "conversation" == found.passage.kind


def test_a_reader_that_changes_reads_its_files_again_and_embeds_nothing(
    memo: Memo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    (tmp_path / "note.md").write_text("Neap tides are low.", encoding="utf-8")
    memo.index(tmp_path)
    monkeypatch.setitem(registry.VERSIONS, "bibtex", 99)
    report = memo.index(tmp_path)
    status = {source.uri.rsplit("/", 1)[-1]: source.status for source in report.sources}
    assert {"refs.bib": "indexed", "note.md": "unchanged"} == {name: status[name] for name in ("refs.bib", "note.md")}
    assert (3, 0, 0) == (report.kept, report.added, report.embedded)
