"""Where pieces of real files are said to stand, read again from the file by other means: that place says what they say.

Words are compared, so that what is documented (white space, escapes, LaTeX written out, hyphens joined) may differ.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.records import Chunk

Count = Callable[[str], int]

SHARE = 0.95
"""Of the words of a piece that stand in its place; a word that was hyphenated stands there in two parts."""

SCAN = "non_text_searchable.pdf"


def words(text: str) -> list[str]:
    text = re.sub(r"\w*\s*\[… \d+ \w+ left out\]\s*\w*", " ", text)
    return re.findall(r"\w{3,}", unicodedata.normalize("NFKC", text).lower())


def held(piece: str, place: str) -> float:
    """The share of a piece's words that stand in a place."""
    there, asked = set(words(place)), words(piece)
    return sum(word in there for word in asked) / len(asked) if asked else 1.0


def pieces(folder: Path, suffix: str, count: Count) -> Iterator[tuple[Path, Chunk]]:
    for path in sorted(folder.rglob(f"*{suffix}")):
        if path.name != SCAN:
            for piece in registry.parse(path.name, path.read_bytes(), count_tokens=count, max_tokens=254).chunks:
                yield path, piece


def all_text(value: Any) -> str:
    """Every text anywhere in a JSON value."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(map(all_text, value.values()))
    return "\n".join(map(all_text, value)) if isinstance(value, list) else str(value)


def joined(source: str | list[str]) -> str:
    """A cell's lines; old notebooks list them without their line feeds."""
    if isinstance(source, str):
        return source
    return ("" if any(line.endswith("\n") for line in source) else "\n").join(source)


@functools.lru_cache(maxsize=1)
def notebook_at(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_piece_of_a_notebook_stands_in_its_cell_and_on_its_lines(shared_data: Path, count: Count) -> None:
    checked = 0
    for path, piece in pieces(shared_data / "notebooks", ".ipynb", count):
        notebook = notebook_at(path)
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
        assert piece.span.cell is not None
        cell = cells[piece.span.cell]
        source = joined(cell.get("source", cell.get("input", "")))
        if piece.span.start_line is not None and piece.span.end_line is not None:
            lines = source.split("\n")
            assert 1 <= piece.span.start_line <= piece.span.end_line <= len(lines)
            place = "\n".join(lines[piece.span.start_line - 1 : piece.span.end_line])
        else:
            place = source
        if piece.span.part != "source":
            place += "\n" + re.sub(r"\x1b\[[0-9;]*m", "", all_text(cell.get("outputs", [])))
            place += "\n" + re.sub(r"<[^>]*>|\x1b\[[0-9;]*m", " ", all_text(cell.get("outputs", [])))
            place += "\n" + all_text(cell.get("attachments", {}))
            place += "\nfigure image output widget stream error result"
        assert SHARE <= held(piece.text, place), (path.name, piece.span, piece.text)
        checked += 1
    assert 1000 < checked


@pytest.mark.slow
def test_a_page_of_a_paper_holds_its_pieces(shared_data: Path, count: Count) -> None:
    from pypdf import PdfReader

    checked = 0
    pages: dict[Path, list[str]] = {}
    for path, piece in pieces(shared_data / "formats", ".pdf", count):
        if path not in pages:
            pages[path] = [page.extract_text() for page in PdfReader(path).pages]
        assert piece.span.page is not None
        place = pages[path][piece.span.page - 1]
        whole = re.sub(r"[-\u00ad\u2010]\s*\n\s*", "", place)
        assert 0.85 <= held(piece.text, f"{place}\n{whole}"), (path.name, piece.span, piece.text)
        checked += 1
    assert 20 < checked


def test_a_reference_stands_on_its_lines_under_its_key(shared_data: Path, count: Count) -> None:
    checked = 0
    for path, piece in pieces(shared_data / "formats", ".bib", count):
        lines = path.read_text(encoding="utf-8").split("\n")
        first, last, key = piece.span.start_line, piece.span.end_line, piece.span.key
        assert first is not None
        assert last is not None
        assert key is not None
        assert key in lines[first - 1]
        place = "\n".join(lines[first - 1 : last])
        plain = re.sub(r"[{}\\'\"`^~$]", "", place)
        spaced = re.sub(r"[{}\\'\"`^~$]", " ", place)
        assert 0.75 <= held(piece.text, f"{plain}\n{spaced}\nkey"), (path.name, piece.span, piece.text)
        checked += 1
    assert 20 < checked


def test_a_turn_of_a_chat_is_the_message_of_its_number(shared_data: Path, count: Count) -> None:
    checked = 0
    for path, piece in pieces(shared_data / "formats" / "chat", ".chat", count):
        said = [message for message in json.loads(path.read_text(encoding="utf-8"))["messages"] if message.get("body")]
        assert piece.span.turn is not None
        assert SHARE <= held(piece.text, said[piece.span.turn - 1]["body"]), (path.name, piece.span)
        checked += 1
    assert 4 <= checked


def test_a_turn_of_an_export_stands_in_the_conversation_of_its_place(shared_data: Path, count: Count) -> None:
    checked = 0
    for path, piece in pieces(shared_data / "formats" / "chat", ".json", count):
        talks = json.loads(path.read_text(encoding="utf-8"))
        place = int(piece.span.key.strip("[]")) if piece.span.key else 0
        assert piece.span.turn is not None
        assert SHARE <= held(piece.text, all_text(talks[place])), (path.name, piece.span)
        turns = talks[place].get("chat_messages")
        if turns:
            turns = [turn for turn in turns if all_text([turn.get("text"), turn.get("content")]).strip()]
            assert SHARE <= held(piece.text, all_text(turns[piece.span.turn - 1])), (path.name, piece.span)
        checked += 1
    assert 4 <= checked


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_a_table_spans_all_lines_of_its_file_and_shows_rows_of_it(shared_data: Path, count: Count, suffix: str) -> None:
    checked = 0
    for path, piece in pieces(shared_data / "formats", suffix, count):
        text = path.read_text(encoding="utf-8")
        assert (1, len(text.splitlines())) == (piece.span.start_line, piece.span.end_line)
        _, found, rows = piece.text.partition("first rows:\n" if "first rows:\n" in piece.text else "\nrows:\n")
        if found:
            assert SHARE <= held(rows, text), (path.name, rows)
            checked += 1
    assert 0 < checked


@pytest.mark.parametrize("suffix", [".json", ".yml", ".yaml", ".toml"])
def test_a_piece_under_a_key_stands_on_its_lines_with_that_key(shared_data: Path, count: Count, suffix: str) -> None:
    checked = 0
    for path, piece in pieces(shared_data / "formats" / "config", suffix, count):
        lines = path.read_text(encoding="utf-8").split("\n")
        first, last = piece.span.start_line, piece.span.end_line
        assert first is not None
        assert last is not None
        assert 1 <= first <= last <= len(lines)
        place = "\n".join(lines[first - 1 : last])
        assert SHARE <= held(piece.text, place), (path.name, piece.span, piece.text)
        checked += 1
    assert 0 < checked
