"""Maintaining and purging as a surface sees them: files that change, a reader in another process, a kill."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_memo import cli
from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.models.hash import HashEmbedder


@pytest.fixture
def word() -> str:
    """A word that stands nowhere else, and that no index run takes for a key."""
    return "".join(secrets.choice("bdfgklmnprstvz") + secrets.choice("aeiou") for _ in range(7))


@pytest.fixture
def changed(memo: Memo, tmp_path: Path, word: str) -> Path:
    """A folder in which one file held the word as its name, heading and text, and one still does."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / f"{word}.md").write_text(f"# About {word}\n\nThe secret is {word}.\n")
    (notes / "other.md").write_text("# Birds\n\nThe red kite soars over the valley.\n")
    memo.index(notes)
    (notes / f"{word}.md").unlink()
    (notes / "other.md").write_text("# Birds\n\nThe barn owl hunts at night.\n")
    memo.index(notes)
    return notes


def holds(memo: Memo, word: str) -> bool:
    return any(word.encode() in path.read_bytes().lower() for path in Path(memo.path).rglob("*") if path.is_file())


def test_what_was_purged_is_nowhere_on_the_disk_and_the_rest_is_found(memo: Memo, changed: Path, word: str) -> None:
    assert holds(memo, word)
    dry = memo.purge(changed / f"{word}.md", dry_run=True)
    assert (1, 1, True) == (dry.passages, dry.sources, holds(memo, word))
    done = memo.purge(changed / f"{word}.md")
    assert (1, 1, 0) == (done.passages, done.sources, done.current)
    assert not holds(memo, word)
    assert holds(memo, "kite")
    assert ["notes/other.md"] == [each.passage.uri for each in memo.search("barn owl", sync=False)]
    memo.purge()
    assert not holds(memo, "kite")


def test_purging_what_is_still_in_its_file_says_how_to_be_rid_of_it(memo: Memo, changed: Path) -> None:
    done = memo.purge("notes/other.md", "no/such.md")
    assert 1 == done.current
    assert any("still in the file" in hint for hint in done.hints)
    assert any(hint.startswith("no/such.md") for hint in done.hints)
    assert 1 == len(memo.search("barn owl", sync=False))


def test_maintaining_keeps_the_days_that_are_asked_for(memo: Memo, changed: Path, word: str) -> None:
    assert 0 == memo.maintain().passages
    assert 0 == memo.maintain(history_days=0.5).passages
    done = memo.maintain(history_days=0)
    assert (2, 1) == (done.passages, done.sources)
    assert 1 == memo.status().passages
    with pytest.raises(QueryError, match="history_days"):
        memo.maintain(history_days=-1)


READER = """
import sys
from jupyter_memo.engine import Memo
from jupyter_memo.errors import StoreError

memo = Memo.open(sys.argv[1], embedder="hash", read_only=True)
print("ready", flush=True)
while True:
    try:
        found = memo.search("constant probe", sync=False, limit=50)
    except StoreError as error:
        print("again" if "earch again" in str(error) else f"odd: {error}", flush=True)
        continue
    uris = sorted({each.passage.uri for each in found})
    whole = uris == [f"{number}" for number in range(3)]
    told = f"degraded: {found.degraded.reason}" if found.degraded.flag else f"odd: {uris}"
    print("whole" if whole else told, flush=True)
"""

PURGER = """
import sys
from jupyter_memo.engine import Memo

memo = Memo.open(sys.argv[1], embedder="hash")
print("ready", flush=True)
while True:
    memo.purge()
"""


def process(code: str, store: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    started = subprocess.Popen(
        [sys.executable, "-c", code, str(store)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert started.stdout is not None
    assert "ready" == started.stdout.readline().strip()
    return started


@pytest.mark.slow
def test_a_search_in_another_process_during_a_purge_answers_or_says_to_search_again(memo: Memo) -> None:
    def write(turn: int) -> None:
        memo.add([{"id": f"{number}", "text": f"constant probe {number} of turn {turn}"} for number in range(3)])

    write(0)
    reader = process(READER, Path(memo.path))
    try:
        for turn in range(1, 4):
            write(turn)
            memo.purge()
    finally:
        reader.terminate()
        told, _ = reader.communicate()
    lines = told.splitlines()[:-1]
    assert "whole" in lines
    assert [] == [line for line in lines if line.startswith("odd")]


@pytest.mark.slow
@pytest.mark.parametrize("after_ms", [60, pytest.param(150, marks=pytest.mark.slow), 300])
def test_a_purge_that_is_killed_leaves_a_store_that_opens_and_purges(tmp_path: Path, after_ms: int, word: str) -> None:
    with Memo.open(tmp_path / ".memo", embedder=HashEmbedder()) as memo:
        memo.add([{"id": f"{number}", "text": f"probe {number} {word}"} for number in range(20)])
        memo.add([{"id": f"{number}", "text": f"other {number}"} for number in range(20)])
        assert holds(memo, word)
    purger = process(PURGER, tmp_path / ".memo")
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            purger.wait(after_ms / 1000)
    finally:
        purger.kill()
        purger.communicate()
    with Memo.open(tmp_path / ".memo", embedder=HashEmbedder()) as memo:
        assert 20 == memo.status().passages
        memo.purge()
        assert not holds(memo, word)
        assert 20 == len(memo.search("other", limit=30))


def test_the_command_line_asks_before_it_purges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = ["--store", str(tmp_path / ".memo")]
    with Memo.open(tmp_path / ".memo", embedder=HashEmbedder()):
        pass
    assert 0 == cli.main(["maintain", "--history-days", "0", *store])
    assert "0 ended passages" in capsys.readouterr().out
    assert 2 == cli.main(["purge", *store])
    assert "cannot be undone" in capsys.readouterr().err
    assert 0 == cli.main(["purge", "--yes", *store])
    assert "erased" in capsys.readouterr().out
