"""reStructuredText by heading, with its blocks whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.records import Parsed

Count = Callable[[str], int]


def parse(name: str, source: str, count: Count, *, target: int | None = 0, window: int = 100) -> Parsed:
    return registry.parse(name, source.encode(), count_tokens=count, max_tokens=window, target_tokens=target)


def headers(parsed: Parsed) -> list[tuple[tuple[str, ...], int | None]]:
    return [(piece.header, piece.span.start_line) for piece in parsed.chunks]


def test_rst_titles_are_levels_in_the_order_of_their_styles(count: Count) -> None:
    source = "=====\nTitle\n=====\n\nintro\n\nPart\n----\n\none\n\nSub\n^^^\n\ntwo\n\nOther\n-----\n\nthree\n"
    parsed = parse("a.rst", source, count)
    assert [
        (("Title",), 5),
        (("Title", "Part"), 10),
        (("Title", "Part", "Sub"), 15),
        (("Title", "Other"), 20),
    ] == headers(parsed)
    assert ("Title", "document") == (parsed.title, parsed.kind)


def test_rst_rows_without_a_title_are_text(count: Count) -> None:
    source = "Title\n=====\n\n=====  =====\nA      B\n=====  =====\n1      2\n=====  =====\n\n----\n\nend\n"
    parsed = parse("a.rst", source, count)
    assert [("Title",)] == list({piece.header for piece in parsed.chunks})


@pytest.mark.parametrize(
    "block",
    [
        "Like this::\n\n    x = 1\n\n    y = 2",
        ".. code-block:: python\n\n   def f():\n\n       return 1",
        "=====  =====\nA      B\n=====  =====\n1      2\n\n3      4\n=====  =====",
        "+---+---+\n| a | b |\n+---+---+",
        ">>> 1 + 1\n2",
    ],
)
def test_what_must_not_be_cut_apart_is_not(count: Count, block: str) -> None:
    around = "Word after word. " * 5
    parsed = parse("a.rst", f"{around}\n\n{block}\n\n{around}\n", count, window=40)
    code = block.removeprefix("Like this::\n\n")
    assert any(code in piece.text for piece in parsed.chunks)


def test_comments_and_names_of_places_are_left_out(count: Count) -> None:
    source = ".. _top:\n\nTitle\n=====\n\n.. a comment\n   of two lines\n\nText.\n\n.. note:: Careful.\n\n.. _a: http://x.org\n"
    (piece,) = parse("a.rst", source, count, target=None).chunks
    assert "Text.\n\n.. note:: Careful.\n\n.. _a: http://x.org" == piece.text
    assert (9, 13) == (piece.span.start_line, piece.span.end_line)


@pytest.mark.parametrize("before", ["", "Title\n=====\n\n"])
def test_fields_at_the_top_say_of_the_document_what_front_matter_does(count: Count, before: str) -> None:
    parsed = parse("a.rst", f"{before}:Author: Anna\n:Date: 2025-03-01\n:Tags: tides, sea\n\nText.\n", count)
    assert datetime(2025, 3, 1, tzinfo=UTC) == parsed.created_at
    assert ("tides", "sea") == parsed.tags
    assert "Anna" in parsed.chunks[0].text


def test_fields_further_down_are_text(count: Count) -> None:
    assert None is parse("a.rst", "Text.\n\nT\n===\n\nMore.\n\nMore.\n\n:Date: 2025-03-01\n", count).created_at


@pytest.mark.parametrize(
    "source", ["..", ".. \n", "::", "=== ===", ".. x::", "+---+", ":a:\n", "a::\n\n  b", "\n\n..\n\n  x\n\ny"]
)
def test_odd_beginnings_come_to_an_end(source: str, count: Count) -> None:
    assert parse("a.rst", f"{source}\n\nText.\n", count).chunks
