"""HTML by heading: prose, lists, tables and code of a page as a reader sees it, each with the lines it is written on.

Scripts, styles, navigation and what the page hides are left out. Only the text of the file is looked at: nothing is
run, nothing is fetched. `markup.py` finds the tags, `flow.py` makes blocks of what stands between them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from jupyter_memo.chunk import elements, markup
from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.elements import CELLS, ENDED_BY, OF_TABLES, PARAGRAPH_ENDS, VOID
from jupyter_memo.chunk.flow import Flow, Piece
from jupyter_memo.chunk.frontmatter import FrontMatter
from jupyter_memo.chunk.markup import Token
from jupyter_memo.chunk.section import Block, Document, Outline, Section
from jupyter_memo.errors import IngestError

MAX_CHARACTERS = 8_000_000
"""Of a page without its embedded images; one that long and made of nothing but tags takes 25 s and some 600 MB."""

_PROMPT = re.compile(r"\s*(?:In|Out)\s*\[[\s\d*\xa0]*\]:?\s*")
_DATES = frozenset({"article:published_time", "date", "dc.date", "dcterms.date", "dcterms.created", "citation_date"})


def read(text: str, *, uri: str) -> Document:
    """A page. Raises IngestError for one that is too long."""
    text, blobs = without_blobs(text)
    if len(text) > MAX_CHARACTERS:
        message = f"HTML of more than {MAX_CHARACTERS // 1_000_000} million characters is not read. Save it as text"
        raise IngestError(message, uri=uri, stage="read")
    page = _Page(text, xml=text.startswith("<?xml", 0, 100) or uri.lower().endswith(".xhtml"))
    page.read()
    pieces = page.pieces()
    title = " ".join(page.title.split())
    headed = any(piece.level == 1 for piece in pieces)
    outline = Outline(title) if title and not headed else Outline()
    found = list(_sections(pieces, outline))
    notes = (f"{blobs} embedded images or data left out",) if blobs else ()
    if page.hidden:
        notes = (*notes, "text that the page hides left out")
    front = FrontMatter(created_at=page.written)
    return Document(sections=tuple(found), title=outline.title or title or None, front=front, notes=notes)


def _sections(pieces: Iterable[Piece], outline: Outline) -> Iterator[Section]:
    """A section for each heading and one for what stands before the first."""
    heading: Block | None = None
    blocks: list[Block] = []
    for piece in pieces:
        if piece.level:
            if heading or blocks:
                yield Section(header=outline.header, heading=heading, blocks=tuple(blocks))
            outline.enter(piece.level, " ".join(piece.block.text.split()))
            heading, blocks = piece.block, []
        else:
            blocks.append(piece.block)
    if heading or blocks:
        yield Section(header=outline.header, heading=heading, blocks=tuple(blocks))


@dataclass(slots=True)
class _Open:
    """An element that is open: whether what it holds is left out, around what the page says, or that itself."""

    name: str
    out: bool = False
    around: bool = False
    main: bool = False
    hides: bool = False


@dataclass(slots=True)
class _Page:
    """One pass over a page. `title` is that of its head, `written` when it says it was, `hidden` whether text was left
    out because the page does not show it."""

    text: str
    xml: bool = False
    title: str = ""
    written: datetime | None = None
    hidden: bool = False
    _stack: list[_Open] = field(default_factory=list)
    _names: Counter[str] = field(default_factory=Counter)
    _cells: list[Counter[str]] = field(default_factory=lambda: [Counter()])
    _out: int = 0
    _hides: int = 0
    _around: int = 0
    _main: int = 0
    _pieces: list[tuple[Piece, bool, bool]] = field(default_factory=list)

    def pieces(self) -> list[Piece]:
        """What is worth reading: the main part where the page names one, else all but what stands around it. A page
        that is nothing but navigation is read as it is."""
        main = [piece for piece, inside, around in self._pieces if inside and not around]
        said = main or [piece for piece, _, around in self._pieces if not around]
        return said or [piece for piece, *_ in self._pieces]

    def read(self) -> None:
        line_feeds = [found.start() for found in re.finditer("\n", self.text)]
        flow = Flow()
        for token in markup.tokens(self.text, xml=self.xml):
            line = bisect_right(line_feeds, token.start - 1) + 1
            if token.sort == "text":
                self._say(token.value, line, flow)
            elif token.sort == "open":
                self._open(token, line, flow)
            else:
                self._close(token.value, flow)
            if flow.done:
                self._take(flow)
        flow.end()
        self._take(flow)

    def _take(self, flow: Flow) -> None:
        """Keep what is done, with where it stands: before that changes, what was begun there has to end."""
        for piece in flow.done:
            if not _PROMPT.fullmatch(piece.block.text):
                self._pieces.append((piece, self._main > 0, self._around > 0))
        flow.done = []

    def _say(self, raw: str, line: int, flow: Flow) -> None:
        if self._names["title"] and not self._names["body"] and not self._names["svg"]:
            self.title = self.title or markup.written_out(raw)[:1000]
        elif self._hides and not raw.isspace():
            self.hidden = self.hidden or self._out == self._hides
        elif not self._out and not self._names["title"]:
            flow.say(raw, line)

    def _open(self, token: Token, line: int, flow: Flow) -> None:
        name, attributes = token.value, token.attributes
        self._imply(name, flow)
        if name == "meta":
            self._meta(attributes.get("property") or attributes.get("name", ""), attributes.get("content", ""))
        hides = elements.hides(name, attributes)
        if name in VOID or token.alone:
            if not self._out and not hides:
                flow.mark(name, attributes, line)
            return
        inside = self._main > 0 or self._names["article"] > 0
        around = elements.is_around(name, attributes, inside=inside)
        main = name == "main" or attributes.get("role", "").lower() == "main"
        # A formula in marks comes with its source, which is what anybody would look for.
        marks = name != "annotation" and bool(self._stack) and self._stack[-1].name == "semantics"
        out = hides or marks or elements.is_left_out(name, attributes)
        if around or main:
            flow.end()
            self._take(flow)
        self._stack.append(_Open(name, out=out, around=around, main=main, hides=hides))
        self._count(self._stack[-1], 1)
        if not self._out:
            flow.open(name, line)

    def _imply(self, name: str, flow: Flow) -> None:
        """End what an opening tag ends that has no end tag of its own."""
        if name in PARAGRAPH_ENDS:
            self._close("p", flow)
        ended = ENDED_BY.get(name)
        while ended and self._stack and self._stack[-1].name in ended:
            self._pop(flow)

    def _close(self, name: str, flow: Flow) -> None:
        names = self._names if name in OF_TABLES else self._cells[-1]
        while names[name]:
            if self._pop(flow) == name:
                return

    def _pop(self, flow: Flow) -> str:
        closed = self._stack.pop()
        if not self._out:
            flow.close(closed.name)
        if closed.around or closed.main:
            flow.end()
            self._take(flow)
        self._count(closed, -1)
        return closed.name

    def _count(self, element: _Open, by: int) -> None:
        if by < 0 and element.name in CELLS:
            self._cells.pop()
        self._names[element.name] += by
        self._cells[-1][element.name] += by
        if by > 0 and element.name in CELLS:
            self._cells.append(Counter())
        self._out += by * element.out
        self._hides += by * element.hides
        self._around += by * element.around
        self._main += by * element.main

    def _meta(self, name: str, content: str) -> None:
        if self.written is None and name.lower() in _DATES:
            try:
                found = datetime.fromisoformat(content.strip().replace("/", "-"))
                self.written = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
            except (ValueError, OverflowError):  # in UTC the first day of the first year may be none
                return
