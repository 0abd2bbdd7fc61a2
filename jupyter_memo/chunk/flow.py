"""The text of a page as it flows between its tags, made into blocks: paragraphs, lists, tables, code.

Each line of a block knows the lines of the source it was made of. A paragraph keeps the line feeds of its source, which
in prose are blanks; a row of a table is one line, however many its cells take.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from jupyter_memo.chunk.clean import squeezed
from jupyter_memo.chunk.markup import written_out
from jupyter_memo.chunk.section import Block

HEADINGS = {f"h{level}": level for level in range(1, 7)}

BREAKING = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "main",
        "nav",
        "p",
        "section",
        "summary",
    }
)
"""Elements that stand on lines of their own."""

LISTS = frozenset({"ul", "ol", "dir"})

MAX_LINES = 200
"""Lines of a block; what is longer is several. No window holds so many, and a block is looked through as a whole."""

MAX_ROW = 1000
"""Characters of a row after which a paragraph in a cell ends it: that table is there for its looks."""

MAX_DEPTH = 8
"""Levels of a list that are indented."""

NO_DESCRIPTION = frozenset({"", "No description has been provided for this image"})
"""What an image without a description has in its place, in notebooks that were exported."""

_BLANKS = re.compile(r"\s+")
_SIGN = re.compile(r"[^\S\n]*[¶#§🔗\u200b\ue000-\uf8ff]*")
_NUMBERS = re.compile(r"[\s\d]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of a page; `level` is that of a heading, 0 for what is none."""

    block: Block
    level: int = 0


@dataclass(slots=True)
class _Line:
    """A line as it is put together, and the lines of the source it is made of."""

    first: int
    last: int
    indent: str = ""
    parts: list[str] = field(default_factory=list)

    def shown(self) -> str:
        text = _BLANKS.sub(" ", "".join(self.parts)).strip()
        return self.indent + text if text else ""


class _Row(_Line):
    """A line whose parts are cells."""

    def shown(self) -> str:
        cells = [_BLANKS.sub(" ", cell).strip() for cell in "".join(self.parts).split("\n")[1:]]
        return " | ".join(cells).rstrip() if any(cells) else ""


class Flow:
    """What is said between tags becomes pieces; those that are done wait in `done`."""

    def __init__(self) -> None:
        self.done: list[Piece] = []
        self._lines: list[tuple[int, int, str]] = []
        self._line: _Line | None = None
        self._level = self._code = self._table = 0
        self._first_of_code = False
        self._lists: list[int | None] = []
        self._indent = ""
        self._anchor = 0

    def say(self, raw: str, line: int) -> None:
        """Text as it stands in the source from a line on."""
        if self._first_of_code:
            self._first_of_code = False
            if raw.startswith("\n"):  # is no part of the code
                raw, line = raw[1:], line + 1
        for number, part in enumerate(raw.split("\n"), line):
            if number > line and not isinstance(self._line, _Row):
                self._end_line(number - 1)
            self._add(written_out(part), number)

    def open(self, name: str, line: int) -> None:
        """An element begins."""
        if name == "a":
            self._anchor = len(self._line.parts) if self._line else 0
        elif name == "pre":
            self.end()
            self._code, self._first_of_code = self._code + 1, True
        elif name in HEADINGS:
            self.end()
            self._level = HEADINGS[name]
        elif name == "table":
            self.end()
            self._table += 1
        elif name == "tr" and self._table:
            self._end_line()
            self._line = _Row(line, line)
        elif name in ("td", "th") and isinstance(self._line, _Row):
            self._line.parts.append("\n")
        elif name in LISTS:
            self._end_line()
            self._lists.append(1 if name == "ol" else None)
        elif name == "li" and self._lists and not isinstance(self._line, _Row):
            self._end_line()
            self._indent = "  " * min(len(self._lists) - 1, MAX_DEPTH) + self._bullet()
        elif name in BREAKING or name in ("li", "td", "th"):
            self._break()

    def close(self, name: str) -> None:
        """An element ends."""
        if name == "a":
            # the sign that links a heading to itself
            if self._line and _SIGN.fullmatch("".join(self._line.parts[self._anchor :])):
                del self._line.parts[self._anchor :]
            self._anchor = len(self._line.parts) if self._line else 0  # what was looked at is not looked at again
        elif name == "pre" and self._code:
            self.end()
            self._code -= 1
        elif name in HEADINGS:
            self.end()
            self._level = 0
        elif name == "table" and self._table:
            self.end()
            self._table -= 1
        elif name in LISTS and self._lists:
            self._end_line()
            self._lists.pop()
            self._indent = ""
            if not self._lists:
                self.end()
        elif name in ("li", "tr"):
            self._end_line()
        elif name in BREAKING:
            self._break()

    def mark(self, name: str, attributes: Mapping[str, str], line: int) -> None:
        """An element without content."""
        if name == "br":
            if isinstance(self._line, _Row):
                self._line.parts.append(" ")
            else:
                self._end_line(line if self._code else None)
        elif name == "hr":
            self.end()
        elif name == "img" and (alt := attributes.get("alt", "").strip()) not in NO_DESCRIPTION:
            self._add(f" {alt} ", line)

    def end(self) -> None:
        """A block ends."""
        self._end_line()
        self._hand_over()

    def _hand_over(self) -> None:
        lines, self._lines = self._lines, []
        if self._code:
            while lines and not lines[-1][2].strip():
                lines.pop()
            while lines and not lines[0][2].strip():
                lines.pop(0)
            if len(lines) > 1 and all(_NUMBERS.fullmatch(text) for *_, text in lines):
                return  # the numbers of lines, beside a listing
        if not lines:
            return
        text = "\n".join(text for *_, text in lines)
        code = (self._code or self._table) > 0 and not self._level
        places = tuple((first, last) for first, last, _ in lines)
        block = Block(text=squeezed(text) if code else text, line=places[0][0], code=code, places=places)
        self.done.append(Piece(block, self._level))
        self._level = 0

    def _break(self) -> None:
        """What stands before and what stands after are two paragraphs; in a list two lines, in a row one cell."""
        if isinstance(self._line, _Row):
            if sum(map(len, self._line.parts)) <= MAX_ROW:
                self._line.parts.append(" ")
                return
            self.end()
        elif self._code:
            self._end_line()
        elif self._lists:
            self._end_line()
            self._indent = self._indent or "  " * min(len(self._lists), MAX_DEPTH)
        else:
            self.end()

    def _bullet(self) -> str:
        number = self._lists[-1]
        if number is None:
            return "- "
        self._lists[-1] = number + 1
        return f"{number}. "

    def _add(self, text: str, number: int) -> None:
        if self._line is None:
            if not text or not (self._code or text.strip()):
                return
            self._line = _Line(number, number, self._indent)
            self._indent = ""
        self._line.last = number
        if text:
            self._line.parts.append(text.replace("\n", " ") if isinstance(self._line, _Row) else text)

    def _end_line(self, number: int | None = None) -> None:
        """A line ends; in code one that is empty counts as well, where the `number` of its line is given."""
        line, self._line = self._line, None
        self._anchor = 0
        if self._code:
            if line is not None:
                shown = "".join(line.parts).expandtabs().rstrip()
                self._lines += ((line.first, line.last, part) for part in shown.split("\n"))
            elif number is not None:
                self._lines.append((number, number, ""))
        elif line is not None and (text := line.shown()):
            self._lines.append((line.first, line.last, text))
        if len(self._lines) >= MAX_LINES:
            self._hand_over()
