"""Which passages of a page are worth giving to a language model, and which of them are one piece of a source."""

from __future__ import annotations

from jupyter_memo.excerpts import Chosen
from jupyter_memo.records import Passage
from jupyter_memo.response import Result, SearchResponse

HEADING_LINES = 4
"""From the last line of a section to the first of the next: two blank lines and a heading lie between."""

BLANK_LINES = 2
"""The same between two parts of one section, where a blank line lies between."""


def choose(response: SearchResponse, *, even_if_flat: bool = False) -> Chosen:
    """All results, neighbours joined; nothing where the search found nothing, or on a flat page, whose passages lie
    there for want of better ones: given to a model they would read as evidence."""
    if not response.results:
        return Chosen(reason=response.reason or "Nothing in this index answers this.", hint=response.hint)
    cosines = [result.relevance for result in response.results if result.relevance is not None]
    if response.shape.flat_page and not even_if_flat:
        reason = (
            f"The page is flat: its {len(cosines)} cosines lie between {min(cosines):.2f} and {max(cosines):.2f}, as "
            "they do for a subject that this index does not cover."
        )
        words = ", ".join(response.words_to_try)
        return Chosen(reason=reason, hint=f"Name something these notes would name, such as {words}." if words else None)
    return Chosen(pieces=joined(response.results))


def joined(results: tuple[Result, ...]) -> tuple[tuple[Result, ...], ...]:
    """The results, those that follow each other in one source as one piece, which stands where its best one stood."""
    pieces: list[list[Result]] = []
    for result in sorted(results, key=lambda each: (each.passage.source_id, *_position(each.passage))):
        if pieces and follows(result.passage, pieces[-1][-1].passage):
            pieces[-1].append(result)
        else:
            pieces.append([result])
    return tuple(tuple(piece) for piece in sorted(pieces, key=lambda piece: min(each.rank for each in piece)))


def follows(passage: Passage, before: Passage) -> bool:
    """Whether nothing but blank lines and a heading lies between two passages of one source, as far as their places
    tell: lines, cells of a notebook, turns of a conversation. Two passages of a page of a PDF may lie anywhere."""
    here, there = passage.span, before.span
    if passage.source_id != before.source_id or here == there:
        return False
    if here.turn is not None and there.turn is not None:
        return here.turn == there.turn + 1
    if here.page is not None or there.page is not None or (here.cell is None) != (there.cell is None):
        return False
    if here.cell is not None and there.cell is not None and here.cell != there.cell:
        return here.cell == there.cell + 1 and here.start_line in (None, 1)
    if here.part != there.part:
        return (there.part, here.part) == ("source", "output")
    if here.start_line is None or there.end_line is None:
        return False
    gap = here.start_line - there.end_line
    return 0 <= gap <= (BLANK_LINES if passage.header == before.header else HEADING_LINES)


def _position(passage: Passage) -> tuple[int, int, int, int, int]:
    span = passage.span
    part = int(span.part == "output")
    return (span.turn or 0, span.page or 0, -1 if span.cell is None else span.cell, part, span.start_line or 0)
