"""Markdown by heading."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.chunk.markdown import heading_title
from jupyter_memo.records import Parsed

Count = Callable[[str], int]


@pytest.fixture
def parse(count: Count) -> Callable[..., Parsed]:
    def run(text: str, *, name: str = "a.md", target: int | None = 0, window: int = 100) -> Parsed:
        return registry.parse(name, text.encode(), count_tokens=count, max_tokens=window, target_tokens=target)

    return run


Parse = Callable[..., Parsed]


def outline(parsed: Parsed) -> list[tuple[tuple[str, ...], str, int | None, int | None]]:
    return [(piece.header, piece.text, piece.span.start_line, piece.span.end_line) for piece in parsed.chunks]


def test_sections_have_their_breadcrumb_and_their_lines(parse: Parse) -> None:
    parsed = parse("before\n\n# Top\n\nintro\n\n## Sub\none\ntwo\n\n# Next\nlast\n")
    assert [
        ((), "before", 1, 1),
        (("Top",), "intro", 5, 5),
        (("Top", "Sub"), "one\ntwo", 8, 9),
        (("Next",), "last", 12, 12),
    ] == outline(parsed)
    assert "Top" == parsed.title


def test_underlined_headings_count(parse: Parse) -> None:
    assert [(("Top", "Sub"), "text", 7, 7)] == outline(parse("Top\n===\n\nSub\n---\n\ntext"))


def test_a_heading_in_a_fence_is_text(parse: Parse) -> None:
    assert [(("A",), "```\n# not\n```", 2, 4)] == outline(parse("# A\n```\n# not\n```"))


def test_levels_may_be_skipped(parse: Parse) -> None:
    parsed = parse("# A\n### B\nb\n## C\nc")
    assert [("A", "B"), ("A", "C")] == [piece.header for piece in parsed.chunks]


def test_comments_are_left_out_and_lines_stay(parse: Parse) -> None:
    parsed = parse("# A\n<!-- one\ntwo -->\n\nkept <!-- x --> text `<!-- code -->`\n")
    assert [(("A",), "kept  text `<!-- code -->`", 5, 5)] == outline(parsed)


def test_rules_are_left_out_and_html_and_tables_kept(parse: Parse) -> None:
    parsed = parse("<b>bold</b>\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert [((), "<b>bold</b>\n\n| a | b |\n|---|---|\n| 1 | 2 |", 1, 7)] == outline(parsed)


def test_definitions_of_links_are_text(parse: Parse) -> None:
    assert "[x]: other.md 'Other note'" in parse("text\n\n[x]: other.md 'Other note'\n").chunks[0].text


def test_a_section_of_code_alone_keeps_its_line_breaks(parse: Parse) -> None:
    first, second = parse("# A\n\n```python\nx = 1\n```\n\n# B\n\ntext\n").chunks
    assert (True, False) == (first.code, second.code)


def test_a_table_is_whole_while_it_fits(parse: Parse) -> None:
    table = "\n".join(["| a | b |", "|---|---|", *["| 1 | 2 |"] * 5])
    parsed = parse(f"{'word ' * 40}\n\n{table}\n", window=60)
    assert table == parsed.chunks[-1].text


FRONT = """---
title: Field notes
kind: paper
tags: [ml, '#stats', 7]
date: 2026-06-30
namespace: team/a
expires: 2027-01-01T10:00:00+02:00
layout: post
---
Text.

## Part
More.
"""


def test_front_matter_is_typed(parse: Parse) -> None:
    parsed = parse(FRONT)
    assert ("Field notes", "paper", ("ml", "stats", "7"), "team/a") == (
        parsed.title,
        parsed.kind,
        parsed.tags,
        parsed.namespace,
    )
    assert datetime(2026, 6, 30, tzinfo=UTC) == parsed.created_at
    assert datetime(2027, 1, 1, 8, tzinfo=UTC) == parsed.expires_at
    assert () == parsed.notes


def test_a_title_in_front_matter_stands_above_all_headings(parse: Parse) -> None:
    assert [(("Field notes",), "Text.", 10, 10), (("Field notes", "Part"), "More.", 13, 13)] == outline(parse(FRONT))


def test_a_title_in_front_matter_is_not_doubled_by_the_first_heading(parse: Parse) -> None:
    assert [("Real",)] == [piece.header for piece in parse("---\ntitle: Other\n---\n# Real\ntext").chunks]


def test_front_matter_with_words_to_search_is_a_piece(parse: Parse) -> None:
    parsed = parse("---\ntitle: T\nauthors: [Ada Lovelace]\n---\n# T\ntext")
    assert (("T",), "title: T\nauthors: [Ada Lovelace]", 2, 3) == outline(parsed)[0]


@pytest.mark.parametrize(
    ("front", "note"),
    [
        ("kind: notebok", "did you mean notebook?"),
        ("date: someday", "no date"),
        ("- a list", "not a list of fields"),
        ("a: [", "could not be read"),
    ],
)
def test_front_matter_that_has_no_meaning_is_noted_and_the_text_is_read(parse: Parse, front: str, note: str) -> None:
    parsed = parse(f"---\n{front}\n---\ntext")
    assert "text" == parsed.chunks[-1].text
    assert note in " ".join(parsed.notes)


@pytest.mark.parametrize(
    ("written", "day"),
    [("07 August 2018", 7), ("2018-08-09", 9), ("2018/08/10", 10), ("August 11, 2018", 11), ("'2018-08-12'", 12)],
)
def test_dates_are_read_as_papers_and_notes_write_them(parse: Parse, written: str, day: int) -> None:
    assert datetime(2018, 8, day, tzinfo=UTC) == parse(f"---\ndate: {written}\n---\ntext").created_at


def test_toml_front_matter_is_read(parse: Parse) -> None:
    parsed = parse('+++\ntitle = "T"\ntags = ["a"]\n+++\ntext')
    assert ("T", ("a",), "text") == (parsed.title, parsed.tags, parsed.chunks[0].text)


def test_a_rule_at_the_beginning_is_no_front_matter(parse: Parse) -> None:
    assert "text" in parse("---\n\ntext without an end").chunks[0].text


def test_a_transcript_is_markdown_of_kind_conversation(parse: Parse) -> None:
    parsed = parse("---\nkind: conversation\n---\n## Ada\nHello.\n\n## Bob\nHi.\n")
    assert ("conversation", [("Ada",), ("Bob",)]) == (parsed.kind, [piece.header for piece in parsed.chunks])


def test_embedded_pictures_are_left_out_with_a_note(parse: Parse) -> None:
    parsed = parse("see ![plot](data:image/png;base64," + "iVBORw0KGgo" * 40 + ") here")
    assert "see ![plot]([data left out]) here" == parsed.chunks[0].text
    assert ("1 embedded images or data left out",) == parsed.notes


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("Plain", "Plain"),
        ("**Bold** and `code_x`", "Bold and code_x"),
        ("[Link](http://x.y) text", "Link text"),
        ("Title {#id .class}", "Title"),
        ("A <a name='x'></a>B", "A B"),
        ("![logo](x.png) Name", "logo Name"),
        ("1. Über *die* Sache", "1. Über die Sache"),
    ],
)
def test_a_title_is_the_words_of_its_heading(content: str, title: str) -> None:
    assert title == heading_title(content)


def test_windows_line_feeds_count_as_one_line(count: Count) -> None:
    parsed = registry.parse("a.md", b"# A\r\n\r\ntext\r\n", count_tokens=count)
    assert [(("A",), "text", 3, 3)] == outline(parsed)
