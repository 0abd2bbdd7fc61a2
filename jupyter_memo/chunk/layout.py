"""From lines on printed pages to paragraphs: running headers dropped, hyphens at the ends of lines joined.

Works on where lines stand and how large they are, in points from the lower left corner of the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

RUNNING_PAGES = 3
"""A line at the edge of a page is a running header when it stands at its height on so many pages, numbers apart..."""

RUNNING_SHARE = 3
"""...and on one page in so many: left and right pages, and chapters, may have headers of their own."""

EDGE_LINES = 3
"""Lines from the top and from the bottom of a page that may be running headers..."""

EDGE_SHARE = 0.12
"""...when they stand in this share of the height of all that is printed."""

WIDE_GAP = 1.2
"""A gap of so many usual ones ends a paragraph."""

SIZE_RATIO = 1.15
"""Type that differs so much is a heading or a note, and no part of the paragraph before it."""

COMPOUNDING = frozenset({"cross", "half", "high", "long", "low", "non", "self", "semi", "short", "well"})
"""First parts of compounds that keep their hyphen when the text does not show how it writes them."""

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_UNREADABLE = re.compile(r"(?:/(?:gid|g|uni)\d{2,}|\(cid:\d+\)|\ufffd)+", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x1f\x7f\ue000-\uf8ff]")
_HYPHEN = re.compile(r"(\w{1,60})[-\u00ad\u2010]$")
_LINK = re.compile(r"https?://\S*[/=&_-]$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_NUMBER = re.compile(r"\d+")
_SENTENCE_END = (".", "!", "?", ":", ";", "…", ")", "]", "”", '"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a page: its text, where its baseline begins, the size of its type, whether it is written upright."""

    text: str
    x: float
    y: float
    size: float
    upright: bool = True


def legible(text: str) -> str:
    """A text without ligatures, control characters and names of glyphs that have no character."""
    return _CONTROL.sub(" ", _UNREADABLE.sub(" ", text.translate(_LIGATURES)))


def without_running(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Pages without the lines that stand at the same edge of many of them: headers, footers, page numbers. A page that
    would lose all its words keeps them."""
    heights = [line.y for lines in pages for line in lines]
    top, bottom = max(heights, default=0.0), min(heights, default=0.0)
    margin = (top - bottom) * EDGE_SHARE

    def edges(lines: Sequence[Line]) -> list[Line]:
        by_height = sorted(lines, key=lambda line: line.y)
        low = [line for line in by_height[:EDGE_LINES] if line.y <= bottom + margin]
        return low + [line for line in by_height[-EDGE_LINES:] if line.y >= top - margin and line not in low]

    seen: Counter[tuple[str, int]] = Counter()
    for lines in pages:
        seen.update({_running(line) for line in edges(lines)})
    needed = max(RUNNING_PAGES, len(pages) // RUNNING_SHARE)
    kept = []
    for lines in pages:
        dropped = {id(line) for line in edges(lines) if seen[_running(line)] >= needed}
        rest = [line for line in lines if id(line) not in dropped]
        words = any(any(map(str.isalpha, line.text)) for line in lines)
        kept.append(rest if rest or not words else list(lines))
    return kept


def _running(line: Line) -> tuple[str, int]:
    """What makes two lines the same header: their words, any numbers, and about the same height."""
    return _NUMBER.sub("#", " ".join(line.text.split())), round(line.y / 8)


def paragraphs(lines: Sequence[Line], known: Counter[str]) -> Iterator[str]:
    """The paragraphs of one page. `known` counts the words of the whole text: it decides whether a hyphen at the end of
    a line belongs to the word."""
    usual = _usual_gap(lines)
    run: list[str] = []
    for place, line in enumerate(lines):
        if run and _begins(lines[place - 1], line, usual):
            yield _joined(run, known)
            run = []
        run.append(line.text.strip())
    if run:
        yield _joined(run, known)


def vocabulary(pages: Iterable[Sequence[Line]]) -> Counter[str]:
    """How often each word stands in the text, with its hyphens, in lower case; the ends of lines do not count."""
    known: Counter[str] = Counter()
    for lines in pages:
        for line in lines:
            known.update(_WORD.findall(_HYPHEN.sub("", line.text.rstrip()).lower()))
    return known


def _usual_gap(lines: Sequence[Line]) -> float:
    """The distance of the lines of a paragraph, in sizes of type."""
    gaps = [gap for above, below in pairwise(lines) if 0.5 < (gap := (above.y - below.y) / (below.size or 1)) < 3]
    return median(gaps) if gaps else 1.2


def _begins(above: Line, line: Line, usual: float) -> bool:
    """Whether a line begins a paragraph of its own."""
    size = max(line.size, 1.0)
    gap = (above.y - line.y) / size
    ended = above.text.rstrip().endswith(_SENTENCE_END)
    if max(above.size, line.size) > SIZE_RATIO * max(min(above.size, line.size), 0.1) and gap > 0.6:
        return True
    if gap < -0.5:  # the next column
        return ended or not line.text.lstrip()[:1].islower()
    if gap > usual * WIDE_GAP:
        return True
    indented = 0.5 * size < line.x - above.x < 4 * size
    return indented and gap > 0.5 and ended


def _joined(lines: list[str], known: Counter[str]) -> str:
    parts = lines[:1]
    for line in lines[1:]:
        above = parts[-1]
        match = _HYPHEN.search(above)
        if match and line[:1].islower():
            rest = re.match(r"\w+", line)
            belongs = _hyphenated(match[1].lower(), rest[0].lower() if rest else "", known)
            parts[-1] = above[: match.end(1)] + ("-" if belongs else "")
            parts.append(line)
        elif _LINK.search(above):
            parts.append(line)
        else:
            parts.append(f" {line}")
    return " ".join("".join(parts).split())


def _hyphenated(first: str, last: str, known: Counter[str]) -> bool:
    """Whether two parts of a word have a hyphen between them elsewhere, or would have one."""
    whole, parted = known[first + last], known[f"{first}-{last}"]
    if whole or parted:
        return parted > whole
    return first in COMPOUNDING or (known[first] > 0 and known[last] > 0)
