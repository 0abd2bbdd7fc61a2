"""R by definition: each function, class and method at the top level of a file, with the comments right above it.

No grammar of R is published as a package for Python, so brackets, strings and comments are followed here; that is all
it takes to know where a statement ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jupyter_memo.chunk import code
from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.section import Block, Document

MAX_STATEMENT = 5000
"""Lines after which a statement that no bracket closes is taken for broken, and ends where it began..."""

MAX_BROKEN = 20
"""...as often as this; what follows then is text."""

_FUNCTION = re.compile(r"\s*(`[^`]+`|[\w.]+(?:[$@][\w.]+)*)\s*(?:<<?-|=)\s*(?:function\b|\\\(|(?:\w+::)?R6Class\b)")
_SET = re.compile(r"\s*(?:\w+::)?set(?:Class|Generic|Method|Validity|RefClass)\w*\(\s*[\"']([^\"']+)[\"']")
_SIGN = re.compile(r"""#.*|r"-*[(\[{]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[(\[{]|[)\]}]|["']""")
_OPEN_STRING = {quote: re.compile(rf"(?:[^{quote}\\]|\\.)*{quote}") for quote in "\"'"}
_CARRIED_ON = re.compile(r"(?:%[^%\s]*%|\|>|[-+*/=<>&|~,^]|<-)\s*(?:#.*)?$")


def read(text: str) -> Document:
    """A file of R."""
    text, blobs = without_blobs(text)
    lines = text.split("\n")
    sections = [code.section(header, blocks, "r") for header, blocks in _parts(lines)]
    notes = (f"{blobs} pieces of embedded data left out",) if blobs else ()
    return Document(sections=tuple(sections), lang="r", notes=notes)


def _parts(lines: list[str]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    start = 0
    for first, after in _statements(lines):
        match = _FUNCTION.match(lines[first]) or _SET.match(lines[first])
        if match is None:
            continue
        begin = first
        while begin > start and lines[begin - 1].lstrip().startswith("#"):
            begin -= 1
        yield from _part((), lines, start, begin)
        yield from _part((match[1].strip("`"),), lines, begin, after)
        start = after
    yield from _part((), lines, start, len(lines))


def _part(
    header: tuple[str, ...], lines: list[str], first: int, after: int
) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    text = "\n".join(lines[first:after])
    if text.strip():
        yield header, [Block(text=text, line=first + 1, code=True)]


def _statements(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The first line of each statement at the top level, and the line after its last (0-based)."""
    place = broken = 0
    while place < len(lines) and broken < MAX_BROKEN:
        if not lines[place].strip() or lines[place].lstrip().startswith("#"):
            place += 1
            continue
        after = _after(lines, place)
        broken += after == 0
        yield place, after or place + 1
        place = after or place + 1


def _after(lines: list[str], first: int) -> int:
    """The line after a statement: where every bracket is closed, no string is open and no sign asks for more; 0 where
    there is none."""
    depth, quote = 0, ""
    for place in range(first, min(len(lines), first + MAX_STATEMENT)):
        line, at = lines[place], 0
        if quote:
            closed = _OPEN_STRING[quote].match(line)
            if closed is None:
                continue
            at, quote = closed.end(), ""
        for match in _SIGN.finditer(line, at):
            sign = match[0]
            if sign in "([{":
                depth += 1
            elif sign in ")]}":
                depth -= 1
            elif sign in ("'", '"'):
                quote = sign
                break
        bare_head = place == first and line.rstrip().endswith("function")
        if depth <= 0 and not quote and not _CARRIED_ON.search(line) and not bare_head:
            follows = lines[place + 1].lstrip() if place + 1 < len(lines) else ""
            if not (follows.startswith("{") and "function" in line):
                return place + 1
    return len(lines) if len(lines) <= first + MAX_STATEMENT and not quote and depth <= 0 else 0
