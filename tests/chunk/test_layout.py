"""Lines on pages to paragraphs."""

from __future__ import annotations

from collections import Counter

import pytest

from jupyter_memo.chunk import layout
from jupyter_memo.chunk.layout import Line


def page(*texts: str, top: float = 700, x: float = 70, size: float = 10, gap: float = 12) -> list[Line]:
    return [Line(text=text, x=x, y=top - gap * place, size=size) for place, text in enumerate(texts)]


def read(lines: list[Line]) -> list[str]:
    return list(layout.paragraphs(lines, layout.vocabulary([lines])))


def test_lines_close_together_are_one_paragraph() -> None:
    assert ["One line and the next."] == read(page("One line", "and the next."))


def test_a_wider_gap_begins_a_paragraph() -> None:
    lines = [*page("First", "of it."), *page("Second", "of it.", top=660)]
    assert ["First of it.", "Second of it."] == read(lines)


def test_an_indented_line_after_a_sentence_begins_a_paragraph() -> None:
    lines = page("It ends here.", "Then it", "goes on.")
    lines[1] = Line(text="Then it", x=82, y=688, size=10)
    assert ["It ends here.", "Then it goes on."] == read(lines)


def test_larger_type_is_a_heading_of_its_own() -> None:
    assert ["Methods", "We did this."] == read([*page("Methods", size=14), *page("We did this.", top=688)])


def test_a_sentence_goes_on_in_the_next_column() -> None:
    lines = [*page("A sentence that", "goes on"), *page("in the next column.", x=320)]
    assert ["A sentence that goes on in the next column."] == read(lines)


def test_another_column_may_begin_a_paragraph() -> None:
    lines = [*page("One column", "ends."), *page("Another begins.", x=320)]
    assert ["One column ends.", "Another begins."] == read(lines)


@pytest.mark.parametrize(
    ("first", "second", "elsewhere", "joined"),
    [
        ("the con-", "sumption of", "", "the consumption of"),
        ("a self-", "reported value", "", "a self-reported value"),
        ("the socio-", "economic index", "socio-economic", "the socio-economic index"),
        ("the long-", "term effect", "longterm longterm", "the longterm effect"),
        ("in 2019-", "2020 it", "", "in 2019- 2020 it"),
        ("by Torres-", "Collado et al.", "", "by Torres- Collado et al."),
        ("see https://doi.org/", "10.1000/abc", "", "see https://doi.org/10.1000/abc"),
    ],
)
def test_the_end_of_a_line_is_joined_as_the_text_writes_it(
    first: str, second: str, elsewhere: str, joined: str
) -> None:
    known = layout.vocabulary([page(elsewhere, first, second)])
    assert [joined] == list(layout.paragraphs(page(first, second), known))


def test_what_stands_at_the_edge_of_many_pages_is_dropped() -> None:
    pages = [
        [*page(f"Journal of Tides 12, {number}"), *page(f"Body of page {number}", top=400), *page(f"{number}", top=40)]
        for number in range(1, 6)
    ]
    assert [[f"Body of page {number}"] for number in range(1, 6)] == [
        [line.text for line in lines] for lines in layout.without_running(pages)
    ]


def test_what_stands_on_two_pages_or_in_the_middle_stays() -> None:
    two = [page("Same words"), page("Same words")]
    assert two == layout.without_running(two)
    middle = [
        page(*(f"{word} {number}" for word in "abc"), "Results", *(f"{word}{number}" for word in "def"))
        for number in ("x", "y", "z")
    ]
    assert middle == layout.without_running(middle)


def test_ligatures_and_names_of_glyphs_are_taken_out() -> None:
    assert "efficient flow here" == " ".join(layout.legible("eﬃcient ﬂow /gid00030/gid00035(cid:12) here").split())


def test_an_empty_page_has_no_paragraphs() -> None:
    assert [] == list(layout.paragraphs([], Counter()))
