"""Fitting sections into a window: what is joined, what is split, and that nothing is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_memo.chunk.pack import fit, split
from jupyter_memo.chunk.section import Block, Section
from jupyter_memo.chunk.window import BREADCRUMB_JOIN
from jupyter_memo.records import Chunk, Span

Count = Callable[[str], int]


def words(number: int, word: str = "word") -> str:
    return " ".join([word] * number)


def section(*header: str, text: str = "text", line: int = 2, heading: str = "", **rest: object) -> Section:
    above = Block(text=heading, line=line - 1) if heading else None
    return Section(header=header, blocks=(Block(text=text, line=line),), heading=above, **rest)  # type: ignore[arg-type]


def test_short_neighbours_of_one_parent_become_one_piece_with_their_headings_in_the_text(count: Count) -> None:
    found = fit(
        [
            section("Top", "A", text="one", line=2, heading="## A"),
            section("Top", "B", text="two", line=4, heading="## B"),
        ],
        count_tokens=count,
        max_tokens=100,
    )
    assert (Chunk(text="## A\none\n## B\ntwo", header=("Top",), span=Span(start_line=1, end_line=4)),) == found


def test_a_short_introduction_takes_in_the_short_sections_below_it(count: Count) -> None:
    found = fit(
        [section("Top", text="intro", heading="# Top"), section("Top", "A", text="one", line=4, heading="## A")],
        count_tokens=count,
        max_tokens=100,
    )
    assert [(("Top",), "intro\n## A\none", 2, 4)] == [
        (piece.header, piece.text, piece.span.start_line, piece.span.end_line) for piece in found
    ]


def test_sections_of_different_parents_are_never_joined(count: Count) -> None:
    found = fit([section("A", "x"), section("B", "y")], count_tokens=count, max_tokens=100)
    assert [("A", "x"), ("B", "y")] == [piece.header for piece in found]


def test_a_section_that_says_enough_alone_is_not_joined(count: Count) -> None:
    found = fit([section("A", text=words(40)), section("B", text="short")], count_tokens=count, max_tokens=100)
    assert 2 == len(found)


def test_a_target_of_zero_joins_nothing(count: Count) -> None:
    found = fit([section("A"), section("B")], count_tokens=count, max_tokens=100, target_tokens=0)
    assert [("A",), ("B",)] == [piece.header for piece in found]


def test_joining_stops_at_the_target(count: Count) -> None:
    parts = [section(name, text=words(4)) for name in "ABCDEFGH"]
    found = fit(parts, count_tokens=count, max_tokens=200, target_tokens=24)
    assert 1 < len(found) < 8
    assert all(count(piece.text) <= 24 for piece in found)


def test_records_join_whenever_they_fit(count: Count) -> None:
    records = [Section(header=(), blocks=(Block(text=words(30), line=line),), join="any") for line in range(1, 5)]
    found = fit(records, count_tokens=count, max_tokens=70)
    assert [(1, 2), (3, 4)] == [(piece.span.start_line, piece.span.end_line) for piece in found]


def test_a_heading_over_other_headings_is_no_piece_and_one_over_nothing_is(count: Count) -> None:
    lead = Section(header=("A",), blocks=(), heading=Block(text="# A", line=1))
    last = Section(header=("A", "C"), blocks=(), heading=Block(text="## C", line=9))
    found = fit([lead, section("A", "B", text=words(50), line=5), last], count_tokens=count, max_tokens=100)
    assert [(("A", "B"), words(50)), (("A", "C"), "C")] == [(piece.header, piece.text) for piece in found]


def test_long_prose_is_cut_between_sentences(count: Count) -> None:
    text = " ".join(f"Sentence {number} has exactly seven words here." for number in range(12))
    found = fit([section("A", text=text)], count_tokens=count, max_tokens=30)
    assert 1 < len(found)
    assert all(piece.text.endswith(".") and piece.text.startswith("Sentence") for piece in found)


def test_a_wrapped_paragraph_is_cut_between_sentences_and_keeps_its_lines(count: Count) -> None:
    text = "One two three\nfour five. Six seven\neight nine. Ten eleven\ntwelve."
    found = fit([section(text=text, line=10)], count_tokens=count, max_tokens=10)
    assert all(piece.text.endswith(".") for piece in found)
    assert (10, 13) == (found[0].span.start_line, found[-1].span.end_line)


def test_long_code_is_cut_at_empty_lines_first(count: Count) -> None:
    code = "\n".join(["a = 1", "b = 2", "", "c = 3", "d = 4"])
    part = Section(header=(), blocks=(Block(text=code, line=1, code=True),), code=True)
    found = fit([part], count_tokens=count, max_tokens=8)
    assert [("a = 1\nb = 2", 1, 2), ("c = 3\nd = 4", 4, 5)] == [
        (piece.text, piece.span.start_line, piece.span.end_line) for piece in found
    ]
    assert all(piece.code for piece in found)


def test_a_block_that_fits_is_never_cut(count: Count) -> None:
    blocks = (Block(text=words(15), line=1), Block(text="| a |\n| b |\n| c |", line=3, code=True))
    found = fit([Section(header=(), blocks=blocks)], count_tokens=count, max_tokens=20)
    assert [words(15), "| a |\n| b |\n| c |"] == [piece.text for piece in found]


def test_a_short_tail_ends_the_last_piece_of_its_cell(count: Count) -> None:
    source = Section(
        header=(), blocks=(Block(text="x = 1", line=1, code=True),), span=Span(cell=3, part="source"), join="never"
    )
    tail = Section(header=(), blocks=(Block(text="42", code=True),), span=Span(cell=3, part="output"), join="tail")
    (piece,) = fit([source, tail], count_tokens=count, max_tokens=100)
    assert "x = 1\n\n42" == piece.text
    assert Span(cell=3, start_line=1, end_line=1) == piece.span


def test_a_long_tail_is_a_piece_of_its_own(count: Count) -> None:
    source = Section(
        header=(), blocks=(Block(text="x = 1", line=1, code=True),), span=Span(cell=3, part="source"), join="never"
    )
    tail = Section(header=(), blocks=(Block(text=words(60), code=True),), span=Span(cell=3, part="output"), join="tail")
    found = fit([source, tail], count_tokens=count, max_tokens=100)
    assert ["source", "output"] == [piece.span.part for piece in found]


def test_a_breadcrumb_too_long_loses_its_outer_titles(count: Count) -> None:
    (piece,) = fit([section(words(30), "Inner", text="text")], count_tokens=count, max_tokens=40)
    assert ("Inner",) == piece.header


def test_a_title_too_long_for_the_window_comes_back_as_text(count: Count) -> None:
    title = " ".join(f"title{number}" for number in range(40))
    found = fit([section(title, text="body")], count_tokens=count, max_tokens=20)
    joined = " ".join(piece.text for piece in found)
    assert all(f"title{number}" in joined for number in range(40))
    assert all(count(BREADCRUMB_JOIN.join(piece.header)) + count(piece.text) <= 20 for piece in found)


def test_an_unbroken_run_without_blanks_is_still_cut(count: Count) -> None:
    found = fit([section(text="a" * 10_000)], count_tokens=count, max_tokens=50)
    assert "a" * 10_000 == "".join(piece.text for piece in found)
    assert all(len(piece.text) <= 16 * 51 for piece in found)


def test_half_a_surrogate_pair_never_reaches_a_piece(count: Count) -> None:
    (piece,) = fit([section("t\ud800", text="x\udfff")], count_tokens=count, max_tokens=50)
    assert (("t\ufffd",), "x\ufffd") == (piece.header, piece.text)


def test_a_record_that_fits_stays_as_it_is(count: Count) -> None:
    record = Chunk(text="any text", header=("Title",))
    assert (record,) == split(record, count_tokens=count, max_tokens=50)


def test_a_record_of_signs_is_not_lost(count: Count) -> None:
    assert ("???",) == tuple(piece.text for piece in split(Chunk(text="???"), count_tokens=count, max_tokens=50))


LINE = st.text(alphabet="ab c.,(\t)é漢", min_size=1, max_size=80).filter(str.strip)


@st.composite
def sources(draw: st.DrawFn) -> tuple[list[str], list[Section]]:
    """Lines of a source, and sections that cover them but for empty lines."""
    lines: list[str] = []
    found: list[Section] = []
    for _ in range(draw(st.integers(0, 6))):
        header = tuple(draw(st.lists(st.sampled_from(["A", "B", "a longer title"]), max_size=3)))
        heading = None
        if header and draw(st.booleans()):
            lines.append(f"# {header[-1]}")
            heading = Block(text=lines[-1], line=len(lines))
        blocks: list[Block] = []
        for _ in range(draw(st.integers(0, 3))):
            text = draw(st.lists(LINE, min_size=1, max_size=5))
            blocks.append(Block(text="\n".join(text), line=len(lines) + 1, code=draw(st.booleans())))
            lines += [*text, *[""] * draw(st.integers(0, 2))]
        join = draw(st.sampled_from(["never", "short", "any"]))
        found.append(Section(header=header, blocks=tuple(blocks), heading=heading, join=join))  # type: ignore[arg-type]
    return lines, found


def letters(text: str) -> Counter[str]:
    return Counter(re.sub(r"[\W_]", "", text))


def spoken(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


@settings(max_examples=300, deadline=None)
@given(sources(), st.sampled_from([20, 40, 100]), st.sampled_from([None, 0, 30]))
def test_pieces_fit_hold_everything_and_know_their_lines(
    source: tuple[list[str], list[Section]], max_tokens: int, target: int | None
) -> None:
    def count(text: str) -> int:
        return len(re.findall(r"\w+|[^\w\s]", text))

    lines, given_sections = source
    found = fit(given_sections, count_tokens=count, max_tokens=max_tokens, target_tokens=target)
    wanted = letters("".join(block.text for part in given_sections for block in part.blocks))
    assert not wanted - letters("".join(piece.text for piece in found))
    for piece in found:
        assert count(BREADCRUMB_JOIN.join(piece.header)) + count(piece.text) <= max_tokens
        assert piece.span.start_line is not None
        assert piece.span.end_line is not None
        stretch = spoken(" ".join(lines[piece.span.start_line - 1 : piece.span.end_line]))
        assert spoken(piece.text) in stretch or (piece.text,) == piece.header[-1:]
