"""Where a passage is, in words: path, headings, and the line, cell, page or turn that a reader would go to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from jupyter_memo.records import Passage, Span
from jupyter_memo.render import numbers, visible
from jupyter_memo.response import Result

CRUMB = " › "
DOT = " · "

DEEPEST = 12
"""So many folders at most tell two files of one name apart; beyond them the whole path does."""


def path(passage: Passage) -> str:
    """The uri and the headings above the passage: `notes/criticality.md › Open questions`, without its own title."""
    return CRUMB.join(visible.line(part) for part in (passage.uri, *passage.header[:-1]))


def place(span: Span, title: str = "") -> str:
    """The place inside the source: `L120–138`, `cell 12 · In[7]`, `p. 4`, `turn 14`, `train.schedule`, or nothing.

    Cells are counted from 1, as somebody counts them in JupyterLab. Lines inside a cell are named only when the passage
    does not begin with the cell. A key that is already the title is not repeated.
    """
    parts: list[str] = []
    if span.page is not None:
        parts.append(f"p. {span.page}")
    if span.turn is not None:
        parts.append(f"turn {span.turn}")
    if span.cell is not None:
        parts.append(f"cell {span.cell + 1}")
        side = "Out" if span.part == "output" else "In"
        if span.execution_count is not None:
            parts.append(f"{side}[{span.execution_count}]")
        elif span.part == "output":
            parts.append("output")
    if span.key and visible.line(span.key) != title:
        parts.append(visible.line(span.key))
    if span.start_line is not None and (span.cell is None or span.start_line > 1):
        parts.append(lines(span.start_line, span.end_line))
    return DOT.join(parts)


def lines(start: int, end: int | None) -> str:
    """`L120–138`, or `L120` for one line."""
    return f"L{start}" if end is None or end == start else f"L{start}–{end}"


def where(passage: Passage) -> str:
    """Path and place: `notes/criticality.md › Open questions · L120–138`."""
    inside = place(passage.span, title(passage))
    return f"{path(passage)}{DOT}{inside}" if inside else path(passage)


def endings(paths: Sequence[str]) -> tuple[str, ...]:
    """The shortest ending of each path that no other of them has: the name of the file, and where two share it, as many
    folders as tell them apart. Equal paths have equal endings; one that another ends with stays whole."""
    parts = {path: path.split("/") for path in paths}
    tails = {
        path: ["/".join(each[-depth:]) for depth in range(1, min(DEEPEST, len(each)) + 1)]
        for path, each in parts.items()
    }
    held = Counter(tail for each in tails.values() for tail in each)
    short = {path: next((tail for tail in each if tail and held[tail] == 1), path) for path, each in tails.items()}
    return tuple(short[path] for path in paths)


def title(passage: Passage) -> str:
    """The passage's title as one line; the file name where it has none."""
    return visible.line(passage.title) or visible.line(passage.uri.rsplit("/", 1)[-1]) or passage.id


def heading(result: Result) -> str:
    """The title of a result: of a whole document its outermost heading, not that of its best passage."""
    passage = result.passage
    outermost = visible.line(passage.header[0]) if passage.header else ""
    return (result.document is not None and outermost) or title(passage)


def crumbs(result: Result) -> str:
    """The path of a result without its own title: of a document the uri and the headings down to its best passage."""
    passage = result.passage
    if result.document is None:
        return path(passage)
    return CRUMB.join(visible.line(part) for part in (passage.uri, *passage.header[1:]))


def whereabouts(result: Result) -> str:
    """Path and place of a result, as `where` for a passage."""
    inside = place(result.passage.span, title(result.passage))
    return DOT.join(filter(None, (crumbs(result), inside)))


def age(passage: Passage, now: datetime) -> str:
    """How long ago it was written: `19 days ago`. What lies in the future counts as today."""
    return numbers.age((now - passage.created_at).total_seconds() / 86_400)
