"""A reference read back from its passage says what its entry said, and no more."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from jupyter_memo.chunk import reference, registry
from jupyter_memo.chunk.reference import Reference
from jupyter_memo.records import Passage

Count = Callable[[str], int]

INDEXED = datetime(2026, 2, 3, tzinfo=UTC)


def references(name: str, source: str, count: Count, *, window: int = 200) -> list[Reference | None]:
    parsed = registry.parse(name, source.encode(), count_tokens=count, max_tokens=window)
    return [
        reference.of(
            Passage(
                id="0" * 32,
                source_id="s",
                uri=f"notes/{name}",
                text=chunk.text,
                header=chunk.header,
                span=chunk.span,
                kind=parsed.kind or "document",
                created_at=chunk.created_at or INDEXED,
                recorded_at=INDEXED,
            )
        )
        for chunk in parsed.chunks
    ]


def only(name: str, source: str, count: Count) -> Reference:
    (found,) = references(name, source, count)
    assert found is not None
    return found


WHOLE = Reference(
    key="weir9",
    type="article",
    title="Weirs in spate",
    authors=("Jürgen Müller", "Anna van der Berg"),
    year=2011,
    month=3,
    day=5,
    fields={
        "journal": "Reviews of Rivers",
        "volume": "83",
        "number": "2",
        "pages": "1–9",
        "publisher": "Alder",
        "doi": "10.1000/a_b",
        "url": "https://example.org/a_b",
    },
)

BIB = """@article{weir9, title = {Weirs in spate}, author = {M{\\"u}ller, J{\\"u}rgen and van der Berg, Anna},
 journal = {Reviews of Rivers}, date = {2011-03-05}, volume = 83, number = 2, pages = {1--9}, publisher = {Alder},
 doi = {10.1000/a\\_b}, url = {https://example.org/a_b}, abstract = {key: other (book)}}
"""
RIS = """TY  - JOUR
ID  - weir9
AU  - Müller, Jürgen
AU  - van der Berg, Anna
TI  - Weirs in spate
T2  - Reviews of Rivers
DA  - 2011/03/05/
VL  - 83
IS  - 2
SP  - 1
EP  - 9
PB  - Alder
DO  - 10.1000/a_b
UR  - https://example.org/a_b
AB  - key: other (book)
ER  -
"""
ENW = """%0 Journal Article
%A Müller, Jürgen
%A van der Berg, Anna
%T Weirs in spate
%J Reviews of Rivers
%D 2011
%8 March 5
%V 83
%N 2
%P 1–9
%I Alder
%R 10.1000/a_b
%U https://example.org/a_b
%F weir9
"""


@pytest.mark.parametrize(("name", "source"), [("a.bib", BIB), ("a.ris", RIS), ("a.enw", ENW)])
def test_every_writer_is_read_back(name: str, source: str, count: Count) -> None:
    assert WHOLE == only(name, source, count)


def test_a_pubmed_entry_is_read_back(count: Count) -> None:
    source = "PMID- 42\nDP  - 2011 Mar\nTI  - Weirs\nPG  - 1-9\nFAU - Müller, Jürgen\nJT  - Rivers\nVI  - 8\nIP  - 2\n"
    assert Reference(
        key="42",
        type="article",
        title="Weirs",
        authors=("Jürgen Müller",),
        year=2011,
        month=3,
        fields={"volume": "8", "number": "2", "pages": "1-9", "journal": "Rivers"},
    ) == only("a.nbib", source, count)


def test_only_a_year_is_only_a_year(count: Count) -> None:
    found = only("a.bib", "@article{k, title={T}, author={A. B.}, journal={J}, year=2016}", count)
    assert (2016, None, None) == (found.year, found.month, found.day)


@pytest.mark.parametrize(
    ("entry", "fields"),
    [
        ("@book{k, publisher={Alder}, series={Rivers}", {"publisher": "Alder", "series": "Rivers"}),
        ("@book{k, publisher={Alder}", {"publisher": "Alder"}),
        ("@inproceedings{k, booktitle={Proc. (2019). X}", {"booktitle": "Proc. (2019). X"}),
        ("@phdthesis{k, school={ETH}", {"school": "ETH"}),
        ("@misc{k, organization={ETH}", {"organization": "ETH"}),
        ("@article{k, journaltitle={Rivers}", {"journal": "Rivers"}),
        ("@article{k, publisher={arXiv}", {"publisher": "arXiv"}),
    ],
)
def test_the_place_is_the_field_it_was(entry: str, fields: dict[str, str], count: Count) -> None:
    found = only("a.bib", f"{entry}, title={{T}}, author={{A. B.}}, year=2020}}", count)
    assert fields == found.fields
    assert (("A. B.",), 2020) == (found.authors, found.year)


def test_editors_are_no_authors(count: Count) -> None:
    found = only("a.bib", "@book{k, title={T}, editor={Ed Itor and others}, year=2020}", count)
    assert ((), ("Ed Itor",), True) == (found.authors, found.editors, found.others)
    found = only("a.ris", "TY  - BOOK\nID  - k\nA2  - Itor, Ed\nTI  - T\nPY  - 2020\nPB  - Alder\nER  -\n", count)
    assert ((), ("Ed Itor",), {"publisher": "Alder"}) == (found.authors, found.editors, found.fields)


def test_a_name_with_a_comma_is_one_name(count: Count) -> None:
    found = only("a.bib", "@book{k, title={T}, author={{Barnes, Noble Inc} and Ann Lee}, year=2020}", count)
    assert ("Barnes, Noble Inc", "Ann Lee") == found.authors


def test_what_no_year_parts_is_left_out(count: Count) -> None:
    found = only("a.bib", "@misc{k, title={T}, author={A. B.}, organization={Proc. (2020)}}", count)
    assert ((), None, {"organization": "Proc. (2020)"}) == (found.authors, found.year, found.fields)


@pytest.mark.parametrize("place", ["", "organization={Alder}"])
def test_people_without_a_year_are_told_where_the_place_has_a_line(place: str, count: Count) -> None:
    found = only("a.bib", f"@misc{{k, title={{T}}, author={{A. B. and Cee, D.}}, {place}}}", count)
    assert (("A. B.", "D. Cee"), None) == (found.authors, found.year)


def test_a_part_of_a_long_reference_knows_its_key_and_title(count: Count) -> None:
    source = f"@article{{k, title={{T}}, author={{A. B.}}, year=2020, abstract={{{'One more word. ' * 90}}}}}"
    found = references("a.bib", source, count, window=60)
    assert ("k", "T", ("A. B.",)) == ((whole := found[0]).key, whole.title, whole.authors)  # type: ignore[union-attr]
    assert Reference(key="k", title="T") == found[-1]


def test_what_is_no_reference_is_none(count: Count) -> None:
    assert [None] == references("a.ris", "some words only\n", count)
    assert [None] == references("a.md", "# T\n\nkey: k (article)\n", count)
