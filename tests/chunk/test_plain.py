"""Plain text, and headings where a format has them."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_memo.chunk import registry
from jupyter_memo.records import Parsed

Count = Callable[[str], int]


def parse(name: str, source: str, count: Count, *, target: int | None = 0, window: int = 100) -> Parsed:
    return registry.parse(name, source.encode(), count_tokens=count, max_tokens=window, target_tokens=target)


def headers(parsed: Parsed) -> list[tuple[tuple[str, ...], int | None]]:
    return [(piece.header, piece.span.start_line) for piece in parsed.chunks]


def test_paragraphs_that_do_not_fit_the_window_become_pieces_of_like_size(count: Count) -> None:
    source = "\n\n".join("word " * 30 for _ in range(4))
    parsed = parse("a.txt", source, count)
    assert [(1, 3), (5, 7)] == [(piece.span.start_line, piece.span.end_line) for piece in parsed.chunks]
    assert "note" == parsed.kind


def test_latex_org_and_asciidoc_headings_are_read(count: Count) -> None:
    assert [(("A", "B"), 3)] == headers(parse("a.tex", "\\section{A}\n\\subsection*{B}\ntext", count))
    assert [(("A", "B"), 3)] == headers(parse("a.org", "* A\n** B\ntext", count))
    assert [(("A", "B"), 3)] == headers(parse("a.adoc", "= A\n== B\ntext", count))


def test_a_log_keeps_its_lines(count: Count) -> None:
    parsed = parse("a.log", "\n".join(f"2026-01-01 line {number}" for number in range(30)), count, window=40)
    assert all(piece.code for piece in parsed.chunks)
    assert 30 == sum(len(piece.text.split("\n")) for piece in parsed.chunks)
