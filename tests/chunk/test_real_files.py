"""Every real notebook and file at hand: read whole, fitting, exact, clean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.chunk.window import BREADCRUMB_JOIN
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Parsed

Count = Callable[[str], int]
WINDOW = 254

WITHOUT_TEXT = {
    "nbformat__tests__test3_no_worksheets.ipynb",
    "nbformat__tests__test3_worksheet_with_no_cells.ipynb",
    "papermill__papermill__tests__notebooks__blank-vscode.ipynb",
}
SCAN = "non_text_searchable.pdf"


NOT_VERBATIM = {"json", "bibtex", "chat", "pdf", "csv"}
"""Readers that write a text out, so that it is not the lines of its file."""


def readable(source: str) -> str:
    """Markdown as it is read: without comments; every line stays where it is."""
    return re.sub("<!--.*?-->", lambda match: "\n" * match.group().count("\n"), source, flags=re.DOTALL)


def flat(text: str) -> str:
    """A text on one line, rows of dashes short."""
    return re.sub("-{8,}", "---", " ".join(text.split()))


def read_all(folder: Path, count: Count) -> dict[str, Parsed]:
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and registry.reader(name) and path.name != SCAN:
            found[name] = registry.parse(name, path.read_bytes(), count_tokens=count, max_tokens=WINDOW)
    return found


@pytest.fixture(scope="module")
def notebooks(shared_data: Path, count: Count) -> dict[str, Parsed]:
    found = read_all(shared_data / "notebooks", count)
    return {name: parsed for name, parsed in found.items() if name.endswith(".ipynb")}


@pytest.fixture(scope="module")
def files(shared_data: Path, count: Count) -> dict[str, Parsed]:
    return read_all(shared_data / "formats", count)


def test_every_notebook_with_text_gives_pieces(notebooks: dict[str, Parsed]) -> None:
    assert 68 == len(notebooks)
    assert WITHOUT_TEXT == {name for name, parsed in notebooks.items() if not parsed.chunks}
    assert all(notebooks[name].notes for name in WITHOUT_TEXT)


def test_every_piece_fits_the_window(notebooks: dict[str, Parsed], files: dict[str, Parsed], count: Count) -> None:
    for name, parsed in {**notebooks, **files}.items():
        for piece in parsed.chunks:
            assert WINDOW >= count(BREADCRUMB_JOIN.join(piece.header)) + count(piece.text), name


def test_no_colours_no_control_characters_and_no_base64_are_left(notebooks: dict[str, Parsed]) -> None:
    for name, parsed in notebooks.items():
        for piece in parsed.chunks:
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", piece.text), name
            assert not re.search(r"(?<![\w+/])(?=\w*[a-z])(?=\w*[A-Z])(?=\w*\d)[A-Za-z0-9+/]{200,}", piece.text), name


def test_every_piece_of_a_notebook_knows_its_cell(notebooks: dict[str, Parsed]) -> None:
    for parsed in notebooks.values():
        for piece in parsed.chunks:
            assert piece.span.cell is not None
            assert (piece.span.start_line is None) == (piece.span.part == "output")


def test_pieces_of_files_are_their_own_lines(shared_data: Path, files: dict[str, Parsed]) -> None:
    for name, parsed in files.items():
        if registry.reader(name) in NOT_VERBATIM:
            continue
        source = (shared_data / "formats" / name).read_text(encoding="utf-8")
        lines, read = source.split("\n"), readable(source).split("\n")
        for piece in parsed.chunks:
            first, last = piece.span.start_line, piece.span.end_line
            assert first is not None
            assert last is not None
            stretches = [flat(" ".join(whole[first - 1 : last])) for whole in (lines, read)]
            assert any(flat(piece.text) in stretch for stretch in stretches), (name, first)


def test_nothing_of_a_markdown_file_is_lost(shared_data: Path, files: dict[str, Parsed]) -> None:
    for name, parsed in files.items():
        if not name.startswith("vault/"):
            continue
        source = readable((shared_data / "formats" / name).read_text(encoding="utf-8"))
        source = re.sub(r"^(#+ .*)\]\(.*", r"\1", source, flags=re.MULTILINE)  # of a link in a title its words are kept
        source = re.sub(r"\A---\n.*?\n---\n", "", source, flags=re.DOTALL)
        held = "".join("".join(piece.header) + piece.text for piece in parsed.chunks)
        lost = Counter(re.findall(r"\w+", source)) - Counter(re.findall(r"\w+", held))
        assert not {word for word in lost if word not in held}, name


def test_invalid_bytes_of_a_notebook_are_an_error_and_never_another_exception(shared_data: Path, count: Count) -> None:
    data = (shared_data / "notebooks" / "nbformat__tests__test4.ipynb").read_bytes()
    for cut in range(1, len(data), len(data) // 40):
        with pytest.raises(IngestError):
            registry.parse("a.ipynb", data[:cut], count_tokens=count)
