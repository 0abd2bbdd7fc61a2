"""BibTeX: a passage a reference, readable, under its title and its key."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Chunk, Parsed

Count = Callable[[str], int]

ENTRY = r"""@string{rmp = "Reviews of Modern Physics"}

@article{muller2011,
  title = {The {N-D} \emph{{\"u}ber} $\beta$-decay},
  author = {M{\"u}ller, J. and van der Berg, Anna and others},
  journal = rmp,
  year = 2011, month = mar,
  pages = {1--9},
  doi = {10.1000/a\_b},
  abstract = {Half of it, 50% of {\AA}ngstr{\"o}m, cost $5.},
}
"""


def parse(source: str, count: Count, *, window: int = 100) -> Parsed:
    return registry.parse("a.bib", source.encode(), count_tokens=count, max_tokens=window)


def only(source: str, count: Count) -> Chunk:
    (piece,) = parse(source, count).chunks
    return piece


def test_a_reference_is_written_out_as_a_reader_would(count: Count) -> None:
    assert (
        "J. Müller, Anna van der Berg and others (2011). Reviews of Modern Physics\n\n"
        "pages: 1–9\ndoi: 10.1000/a_b\nkey: muller2011 (article)\n\n"
        "Half of it, 50% of Ångström, cost $5."
    ) == only(ENTRY, count).text


def test_a_reference_knows_its_title_key_lines_and_date(count: Count) -> None:
    piece = only(ENTRY, count)
    assert ("The N-D über β-decay",) == piece.header
    assert ("muller2011", 3, 11) == (piece.span.key, piece.span.start_line, piece.span.end_line)
    assert datetime(2011, 3, 1, tzinfo=UTC) == piece.created_at
    assert "paper" == parse(ENTRY, count).kind


@pytest.mark.parametrize(
    ("fields", "published"),
    [
        ("date = {2020-05-17}", datetime(2020, 5, 17, tzinfo=UTC)),
        ("date = {2020-05/2021-01}", datetime(2020, 5, 1, tzinfo=UTC)),
        ("year = {1998}, month = {13}", datetime(1998, 1, 1, tzinfo=UTC)),
        ("year = {1998}, month = 6", datetime(1998, 6, 1, tzinfo=UTC)),
        ("year = {in press}", None),
        ("year = {0000}", None),
        ("title = {x}", None),
    ],
)
def test_the_date_is_that_of_publication_where_there_is_one(
    count: Count, fields: str, published: datetime | None
) -> None:
    assert published == only(f"@misc{{k, note = {{text}}, {fields}}}", count).created_at


def test_a_reference_without_title_stands_under_its_key(count: Count) -> None:
    assert ("k",) == only("@misc{k, note = {Only a note}}", count).header


def test_each_reference_is_a_passage_of_its_own(count: Count) -> None:
    source = "@a{one, title={A}}\n@comment{skipped}\nsome words\n@a{two, title={B}}\n"
    assert [("one", 1), ("two", 4)] == [
        (piece.span.key, piece.span.start_line) for piece in parse(source, count).chunks
    ]


def test_a_long_abstract_is_split_and_every_piece_knows_its_reference(count: Count) -> None:
    source = f"@a{{k, title={{T}},\n abstract={{{'One more word. ' * 60}}}}}"
    pieces = parse(source, count, window=60).chunks
    assert 2 < len(pieces)
    assert {("k", 1, 2)} == {(piece.span.key, piece.span.start_line, piece.span.end_line) for piece in pieces}


def test_a_key_or_a_field_that_stands_twice_loses_nothing(count: Count) -> None:
    source = "@a{k, title={First}}\n@a{k, title={Second}}\n@a{m, title={Third}, title={Fourth}}"
    parsed = parse(source, count)
    assert ["First", "Second"] == [piece.header[0] for piece in parsed.chunks[:2]]
    assert parsed.chunks[2].header[0] in ("Third", "Fourth")
    assert () == parsed.notes


def test_a_broken_entry_is_kept_as_it_stands_with_a_note(count: Count) -> None:
    parsed = parse("@a{broken, title={never closed\n\n@a{good, title={Fine}}\n", count)
    assert ("1 entries do not parse as BibTeX, read as they stand",) == parsed.notes
    assert "never closed" in parsed.chunks[0].text
    assert ("Fine",) == parsed.chunks[1].header


def test_a_file_of_nothing_but_broken_entries_stays_small(count: Count) -> None:
    parsed = parse("@a{\n" * 3000, count)
    assert 1000 == len(parsed.chunks)
    assert "all but 1000 of them left out" in parsed.notes[0]


def test_the_parser_says_nothing_on_the_screen(count: Count, capsys: pytest.CaptureFixture[str]) -> None:
    handlers = logging.getLogger().handlers[:]
    try:
        logging.getLogger().handlers.clear()
        parse("@a{broken\n@a{good, title={Fine}}\n", count)
    finally:
        logging.getLogger().handlers[:] = handlers
    assert ("", "") == capsys.readouterr()


@pytest.mark.parametrize(
    "title", ["{" * 5000 + "x" + "}" * 5000, r"\href{x}{label}", r"\frac{a", "word " * 9000, "$" * 99]
)
def test_hostile_latex_is_text(count: Count, title: str) -> None:
    assert parse(f"@a{{k, note={{{title}}}, title={{T}}}}", count).chunks


def test_prose_under_the_suffix_is_one_clear_error(count: Count) -> None:
    with pytest.raises(IngestError, match="holds no text"):
        parse("no entry here", count)


def test_every_entry_of_the_real_files_is_a_passage_at_its_lines(count: Count, shared_data: Path) -> None:
    for path in sorted((shared_data / "formats").rglob("*.bib")):
        source = path.read_text(encoding="utf-8")
        parsed = parse(source, count, window=254)
        assert source.count("\n@") + source.startswith("@") == len({piece.span.key for piece in parsed.chunks}), path
        lines = source.split("\n")
        for piece in parsed.chunks:
            first, last = piece.span.start_line, piece.span.end_line
            assert first is not None
            assert last is not None
            assert lines[first - 1].lstrip().startswith("@")
            assert str(piece.span.key) in lines[first - 1]
            assert "}" in lines[last - 1]
            assert piece.created_at is not None
