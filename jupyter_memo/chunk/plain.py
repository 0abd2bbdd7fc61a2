"""Plain text by paragraphs, with headings where the format has them: LaTeX, Org, AsciiDoc.

Suffixes read here are an explicit list: a file nobody listed is skipped by name, never indexed by chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.section import Block, Document, Outline, Section

SUFFIXES = (".txt", ".text", ".log", ".tex", ".org", ".adoc")

_LATEX = re.compile(
    r"\s*\\(part|chapter|section|subsection|subsubsection|paragraph)\*?\s*(?:\[[^\]]*\])?\{(.+)\}\s*(?:%.*)?$"
)
_LATEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_ORG = re.compile(r"(\*+)[ \t]+(\S.*)$")
_ADOC = re.compile(r"(={1,6})[ \t]+(\S.*)$")

Heading = tuple[int, int, int, str]
"""First line of a heading, the line after its last (both 0-based), its level from 1, its title."""


def read(text: str, suffix: str) -> Document:
    """A text file; `suffix` (lower case, with its dot) says which headings it may have."""
    text, blobs = without_blobs(text)
    lines = text.split("\n")
    find = _HEADINGS.get(suffix)
    headings = list(find(lines)) if find else []
    outline = Outline()
    sections = list(_sections(lines, headings, outline, code=suffix == ".log"))
    notes = (f"{blobs} pieces of embedded data left out",) if blobs else ()
    return Document(sections=tuple(sections), title=outline.title, notes=notes)


def _sections(lines: list[str], headings: list[Heading], outline: Outline, *, code: bool) -> Iterator[Section]:
    ends = [*(first for first, *_ in headings), len(lines)]
    if ends[0]:
        yield Section(header=(), blocks=tuple(_paragraphs(lines, 0, ends[0], code)), code=code)
    for (first, after, level, title), end in zip(headings, ends[1:], strict=True):
        outline.enter(level, title)
        heading = Block(text="\n".join(lines[first:after]), line=first + 1)
        yield Section(header=outline.header, heading=heading, blocks=tuple(_paragraphs(lines, after, end, code)))


def _paragraphs(lines: list[str], start: int, stop: int, code: bool) -> Iterator[Block]:
    run: list[str] = []
    for place in range(start, stop + 1):
        line = lines[place] if place < stop else ""
        if line.strip():
            run.append(line)
        elif run:
            yield Block(text="\n".join(run), line=place - len(run) + 1, code=code)
            run = []


def _latex(lines: list[str]) -> Iterator[Heading]:
    for place, line in enumerate(lines):
        if match := _LATEX.match(line):
            yield place, place + 1, _LATEX_LEVELS.index(match[1]) + 1, " ".join(match[2].split())


def _signed(pattern: re.Pattern[str]) -> Callable[[list[str]], Iterator[Heading]]:
    """Headings whose level is the number of their leading signs."""

    def find(lines: list[str]) -> Iterator[Heading]:
        for place, line in enumerate(lines):
            if match := pattern.match(line):
                yield place, place + 1, len(match[1]), " ".join(match[2].split())

    return find


_HEADINGS: dict[str, Callable[[list[str]], Iterator[Heading]]] = {
    ".tex": _latex,
    ".org": _signed(_ORG),
    ".adoc": _signed(_ADOC),
}
