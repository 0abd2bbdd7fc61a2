"""RIS, EndNote and PubMed files: a passage a reference, readable, under its title and its key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.records import Chunk, Parsed

Count = Callable[[str], int]

RIS = """Provider: a library

TY  - JOUR
ID  - muller2011
AU  - Müller, Jürgen
AU  - van der Berg, Anna
TI  - The N-D über β-decay
JO  - Rev. Mod. Phys.
T2  - Reviews of Modern Physics
PY  - 2011/03/05/
VL  - 83
IS  - 2
SP  - 1
EP  - 9
DO  - 10.1000/a_b
KW  - tides
KW  - decay
AB  - Half of it, 50 % of an Ångström,
cost $5.
N1  - read twice
ER  -

TY  - BOOK
A2  - Editor, Ed
T1  - Second
DA  - 1998
ER  -
"""

ENW = """%0 Journal Article
%A Müller, Jürgen
%A Anna van der Berg
%T The N-D über β-decay
%J Reviews of Modern Physics
%D 2011
%8 March 5
%V 83
%N 2
%P 1-9
%R 10.1000/a_b
%K tides
decay
%X Half of it cost $5.
%F muller2011

%0 Book
%T Second
"""

NBIB = """
PMID- 21234567
OWN - NLM
DP  - 2011 Mar 5
TI  - The N-D über
      β-decay.
PG  - 1-9
LID - 10.1000/a_b [doi]
AB  - Half of it cost $5.
FAU - Müller, Jürgen
AU  - Muller J
JT  - Reviews of modern physics
MH  - Tides
OT  - decay

PMID- 2
TI  - Second
"""


def parse(source: str, count: Count, name: str = "a.ris") -> Parsed:
    return registry.parse(name, source.encode(), count_tokens=count, max_tokens=100)


def reference(source: str, count: Count, name: str = "a.ris") -> Chunk:
    return next(piece for piece in parse(source, count, name).chunks if piece.span.key)


def test_a_reference_is_written_out_as_a_reader_would(count: Count) -> None:
    assert (
        "Jürgen Müller, Anna van der Berg (2011). Reviews of Modern Physics\n\n"
        "volume: 83\nissue: 2\npages: 1–9\ndoi: 10.1000/a_b\nkeywords: tides, decay\nkey: muller2011 (JOUR)\n\n"
        "Half of it, 50 % of an Ångström, cost $5.\n\nread twice"
    ) == reference(RIS, count).text


def test_a_reference_knows_its_title_key_lines_and_date(count: Count) -> None:
    piece = reference(RIS, count)
    assert ("The N-D über β-decay",) == piece.header
    assert ("muller2011", 3, 21) == (piece.span.key, piece.span.start_line, piece.span.end_line)
    assert datetime(2011, 3, 5, tzinfo=UTC) == piece.created_at
    assert "paper" == parse(RIS, count).kind


def test_an_editor_stands_in_where_there_is_no_author(count: Count) -> None:
    piece = parse(RIS, count).chunks[-1]
    assert (("Second",), "Ed Editor (1998)\n\neditor: Ed Editor\ntype: BOOK", 23, 27) == (
        piece.header,
        piece.text,
        piece.span.start_line,
        piece.span.end_line,
    )


def test_what_belongs_to_no_reference_is_kept_as_it_stands(count: Count) -> None:
    piece = parse(RIS, count).chunks[0]
    assert ("Provider: a library", 1, None) == (piece.text, piece.span.start_line, piece.span.key)


@pytest.mark.parametrize(("name", "source", "key"), [("a.enw", ENW, "muller2011"), ("a.nbib", NBIB, "21234567")])
def test_other_tagged_formats_read_the_same(count: Count, name: str, source: str, key: str) -> None:
    piece = reference(source, count, name)
    assert ("The N-D über β-decay", key) == (piece.header[0].rstrip("."), piece.span.key)
    assert piece.text.startswith("Jürgen Müller")
    assert "(2011). Reviews of" in piece.text
    assert "doi: 10.1000/a_b\n" in piece.text
    assert "ides, decay\n" in piece.text
    assert datetime(2011, 3, 5, tzinfo=UTC) == piece.created_at
    assert ("Second",) == parse(source, count, name).chunks[-1].header


def test_a_reference_without_an_end_ends_where_the_next_begins(count: Count) -> None:
    pieces = parse("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\n", count).chunks
    assert [(("One",), 1, 2), (("Two",), 3, 4)] == [
        (piece.header, piece.span.start_line, piece.span.end_line) for piece in pieces
    ]


@pytest.mark.parametrize(
    ("date", "published"),
    [
        ("2020/05/17/", datetime(2020, 5, 17, tzinfo=UTC)),
        ("2020\nDA  - May 17", datetime(2020, 1, 1, tzinfo=UTC)),
        ("2020///spring", datetime(2020, 1, 1, tzinfo=UTC)),
        ("1998/13/40/", datetime(1998, 1, 1, tzinfo=UTC)),
        ("in press", None),
        ("0000", None),
    ],
)
def test_the_date_is_that_of_publication_where_there_is_one(
    count: Count, date: str, published: datetime | None
) -> None:
    assert published == parse(f"TY  - JOUR\nTI  - One\nPY  - {date}\nER  - \n", count).chunks[0].created_at


def test_many_authors_are_counted(count: Count) -> None:
    source = "TY  - JOUR\n" + "AU  - One, A\n" * 300 + "ER  - \n"
    assert any("and 100 more" in piece.text for piece in parse(source, count).chunks)


def test_a_file_of_ten_thousand_lines_of_one_field_is_read(count: Count) -> None:
    assert parse("TY  - JOUR\nAB  - x\n" + "word of it\n" * 10_000, count).chunks
