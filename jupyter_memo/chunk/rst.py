"""reStructuredText by heading. Literal blocks, directives and tables stay whole, comments and bare targets are left
out, and the fields at the top say of the document what front matter says of a Markdown file.

Read by its lines and indents; docutils would run directives, and stop at those of Sphinx.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jupyter_memo.chunk import frontmatter
from jupyter_memo.chunk.clean import squeezed, without_blobs
from jupyter_memo.chunk.frontmatter import FrontMatter
from jupyter_memo.chunk.plain import Heading
from jupyter_memo.chunk.section import Block, Document, Outline, Section

CODE_DIRECTIVES = frozenset(
    {"code", "code-block", "sourcecode", "literalinclude", "math", "ipython", "jupyter-execute", "plot", "doctest"}
    | {"testcode", "parsed-literal", "table", "list-table", "csv-table", "raw", "productionlist", "graphviz", "mermaid"}
)
"""Directives whose line breaks matter; the text of others is prose."""

MAX_TABLE = 1000
"""Lines of a simple table; where none of them ends it, it ends with its first empty line."""

_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_DIRECTIVE = re.compile(r"\.\.\s+(?:\|[^|]+\|\s+)?([\w:.+-]+?)::(?:\s|$)")
_TARGET = re.compile(r"\.\.\s+_(?:[^:`]|\\:|`[^`]*`)+:\s*$")
_MARKUP = re.compile(r"\.\.\s+(?:_|\[|\||__)|__\s")
_FIELD = re.compile(r":([^:\s][^:]*):(?:\s+(.*))?$")
_TABLE = re.compile(r"(?:\+[-=+]{3,}\+|={2,}(?:\s+={2,})+)\s*$")
_DOCTEST = re.compile(r">>>\s")


def read(text: str) -> Document:
    """A .rst file."""
    text, blobs = without_blobs(text)
    lines = text.split("\n")
    headings = list(_headings(lines))
    outline = Outline()
    sections: list[Section] = []
    ends = [*(first for first, *_ in headings), len(lines)]
    blocks = list(_blocks(lines, 0, ends[0]))
    sections.append(Section(header=(), blocks=tuple(blocks)))
    front = _front_matter(blocks)
    for (first, after, level, title), end in zip(headings, ends[1:], strict=True):
        outline.enter(level, title)
        heading = Block(text="\n".join(lines[first:after]), line=first + 1)
        blocks = list(_blocks(lines, after, end))
        if first == ends[0] and front == FrontMatter():
            front = _front_matter(blocks)
        sections.append(Section(header=outline.header, heading=heading, blocks=tuple(blocks)))
    notes = (f"{blobs} pieces of embedded data left out",) if blobs else ()
    return Document(sections=tuple(sections), title=outline.title, front=front, notes=(*front.notes, *notes))


def _blocks(lines: list[str], start: int, stop: int) -> Iterator[Block]:
    """Paragraphs, and as one block each what must not be cut apart."""
    place = start
    while place < stop:
        line = lines[place]
        if not line.strip():
            place += 1
            continue
        first = place
        explicit = line.startswith("..") and (line[2:3].isspace() or line.rstrip() == "..")
        if explicit:
            place = _indented(lines, place + 1, stop)
            if _is_text(line):
                directive = _DIRECTIVE.match(line)
                code = directive is not None and directive[1].rpartition(":")[2] in CODE_DIRECTIVES
                yield _block(lines, first, place, code=code)
            continue
        while place < stop and lines[place].strip() and not (place > first and lines[place].startswith(".. ")):
            place += 1
        if _TABLE.match(line.strip()):
            place = _table(lines, first, place, stop)
            yield _block(lines, first, place, code=True)
        elif _DOCTEST.match(line.lstrip()):
            yield _block(lines, first, place, code=True)
        else:
            yield _block(lines, first, place, code=False)
            if lines[place - 1].rstrip().endswith("::"):
                first = next((at for at in range(place, stop) if lines[at].strip()), stop)
                place = _indented(lines, first, stop)
                if place > first:
                    yield _block(lines, first, place, code=True)


def _is_text(line: str) -> bool:
    """Whether a line that begins with two dots says something: a comment does not, nor does a name for a place."""
    if _TARGET.match(line):
        return False
    return _DIRECTIVE.match(line) is not None or _MARKUP.match(line) is not None


def _indented(lines: list[str], place: int, stop: int) -> int:
    """The line after an indented stretch with the empty lines in it."""
    end = place
    while place < stop and (not lines[place].strip() or lines[place][:1].isspace()):
        place += 1
        if lines[place - 1].strip():
            end = place
    return end


def _table(lines: list[str], first: int, place: int, stop: int) -> int:
    """The line after a table whose first stretch ends before `place`. A simple one may have empty lines; it ends with
    the first row of signs before one."""
    if lines[first].lstrip().startswith("+"):
        return place
    for at in range(first + 1, min(stop, first + MAX_TABLE)):
        if _TABLE.match(lines[at].strip()) and (at + 1 >= stop or not lines[at + 1].strip()):
            return max(at + 1, place)
    return place


def _block(lines: list[str], first: int, after: int, *, code: bool) -> Block:
    while after > first + 1 and not lines[after - 1].strip():
        after -= 1
    text = "\n".join(lines[first:after])
    return Block(text=squeezed(text) if code else text, line=first + 1, code=code)


def _front_matter(blocks: list[Block]) -> FrontMatter:
    """What a list of fields says that is all of a block at the top."""
    for block in blocks[:2]:
        found: dict[str, str] = {}
        name = ""
        for line in block.text.split("\n"):
            if match := _FIELD.match(line):
                name = match[1].strip().lower()
                found[name] = match[2] or ""
            elif name and line[:1].isspace():
                found[name] += " " + line.strip()
            else:
                found = {}
                break
        if found:
            return frontmatter.of_fields(dict(found))
    return FrontMatter()


def _headings(lines: list[str]) -> Iterator[Heading]:
    """A title under (and perhaps over) a row of one sign, at least as long as it; levels in the order styles
    appear."""
    styles: list[tuple[str, bool]] = []
    place = 0
    while place + 1 < len(lines):
        over = _UNDERLINE.fullmatch(lines[place]) and place + 2 < len(lines) and lines[place + 1].strip()
        title_at = place + 1 if over and _is_row(lines[place + 2], lines[place][0]) else place
        title = lines[title_at]
        row = lines[title_at + 1] if title_at + 1 < len(lines) else ""
        above = lines[place - 1].strip() if place else ""
        flush = title.strip() and (title_at > place or title[:1].strip())
        if flush and not above and not _UNDERLINE.fullmatch(title) and _is_row(row, row[:1]) and _covers(row, title):
            style = (row[0], title_at > place)
            if style not in styles:
                styles.append(style)
            yield place, title_at + 2, styles.index(style) + 1, " ".join(title.split())
            place = title_at + 2
        else:
            place += 1


def _is_row(line: str, sign: str) -> bool:
    return bool(sign) and line.startswith(sign) and _UNDERLINE.fullmatch(line) is not None


def _covers(row: str, title: str) -> bool:
    return len(row.rstrip()) >= len(title.strip()) - 1  # one too short happens, and docutils only warns
