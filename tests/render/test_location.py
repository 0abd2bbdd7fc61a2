"""Where a passage is, in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from jupyter_memo.records import Passage, Span
from jupyter_memo.render import location
from jupyter_memo.response import Result

WHEN = datetime(2026, 11, 29, tzinfo=UTC)


def passage(**fields: object) -> Passage:
    plain = Passage(id="p", source_id="s", uri="notes/criticality.md", text="", created_at=WHEN, recorded_at=WHEN)
    return replace(plain, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("document", "header", "heading", "whereabouts"),
    [
        (None, ("Ising", "Methods", "Other"), "Other", "notes/criticality.md › Ising › Methods · L5"),
        ("notes/criticality.md", ("Ising", "Methods", "Other"), "Ising", "notes/criticality.md › Methods › Other · L5"),
        ("notes/criticality.md", ("Ising",), "Ising", "notes/criticality.md · L5"),
        ("notes/criticality.md", (), "criticality.md", "notes/criticality.md · L5"),
    ],
)
def test_a_document_has_its_own_title_and_the_heading_of_its_passage_follows_as_its_place(
    document: str | None, header: tuple[str, ...], heading: str, whereabouts: str
) -> None:
    found = Result(
        rank=1,
        passage=passage(header=header, span=Span(start_line=5, end_line=5)),
        score=1.0,
        relevance=None,
        band="keyword-only",
        snippet="",
        document=document,
    )
    assert (heading, whereabouts) == (location.heading(found), location.whereabouts(found))


@pytest.mark.parametrize(
    ("span", "shown"),
    [
        (Span(), ""),
        (Span(start_line=120, end_line=138), "L120–138"),
        (Span(start_line=5, end_line=5), "L5"),
        (Span(cell=0), "cell 1"),
        (Span(cell=11, execution_count=7, part="source", start_line=1, end_line=9), "cell 12 · In[7]"),
        (Span(cell=11, execution_count=7, part="output"), "cell 12 · Out[7]"),
        (Span(cell=2, part="output"), "cell 3 · output"),
        (Span(cell=2, execution_count=4, start_line=40, end_line=61), "cell 3 · In[4] · L40–61"),
        (Span(page=4), "p. 4"),
        (Span(turn=14), "turn 14"),
        (Span(key="train.schedule", start_line=3, end_line=9), "train.schedule · L3–9"),
    ],
)
def test_a_place_is_named_as_a_reader_would_go_there(span: Span, shown: str) -> None:
    assert shown == location.place(span)


def test_the_path_holds_the_headings_above_the_title() -> None:
    found = passage(header=("Open questions", "Why the flow loses ESS"), span=Span(start_line=120, end_line=138))
    assert "notes/criticality.md › Open questions · L120–138" == location.where(found)


def test_a_passage_without_headings_is_called_as_its_file() -> None:
    assert "criticality.md" == location.title(passage())


def test_a_key_that_is_the_title_is_not_repeated() -> None:
    found = passage(uri="config.yaml", header=("train",), span=Span(key="train"))
    assert "config.yaml" == location.where(found)


def test_headings_over_several_lines_are_one_line() -> None:
    assert "notes/criticality.md › a b" == location.path(passage(header=("a\n b", "t")))


def test_what_was_written_in_the_future_counts_as_today() -> None:
    assert "today" == location.age(passage(created_at=WHEN + timedelta(days=3)), WHEN)


@pytest.mark.parametrize(
    ("paths", "endings"),
    [
        ((), ()),
        (("notes/a.md", "notes/b.md"), ("a.md", "b.md")),
        (("2025/a.md", "2026/a.md", "2026/b.md"), ("2025/a.md", "2026/a.md", "b.md")),
        (("x/notes/a.md", "y/notes/a.md"), ("x/notes/a.md", "y/notes/a.md")),
        (("x/1/a.md", "x/2/a.md", "y/2/a.md"), ("1/a.md", "x/2/a.md", "y/2/a.md")),
        (("a.md", "old/a.md"), ("a.md", "old/a.md")),
        (("2026/a.md", "2026/a.md"), ("a.md", "a.md")),
        (("2025/a.md", "2026/a.md", "2026/a.md"), ("2025/a.md", "2026/a.md", "2026/a.md")),
        (("a/", "", "b//c.md", "/d.md"), ("a/", "", "c.md", "d.md")),
        (("/".join("x" * 40), "/".join("y" + "x" * 39)), ("/".join("x" * 40), "/".join("y" + "x" * 39))),
    ],
)
def test_the_shortest_ending_that_no_other_path_has_names_a_file(
    paths: tuple[str, ...], endings: tuple[str, ...]
) -> None:
    assert endings == location.endings(paths)
