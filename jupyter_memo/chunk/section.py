"""What readers hand to the packer: sections under a breadcrumb, made of blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from jupyter_memo.chunk.frontmatter import FrontMatter
from jupyter_memo.records import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of a section: a paragraph, a list, a fence, a table, a statement.

    `line` is the number of its first line, 1-based; None where the source has no lines. `code` (a table too) is kept
    whole where it fits, else split between lines; where a section is too long, other text may be split at sentences.

    `places` are, for each line of a text that is not the source's own, the first and the last line of the source it is
    made of; where there are none, each line of the text is the next one of the source.
    """

    text: str
    line: int | None = None
    code: bool = False
    places: tuple[tuple[int, int], ...] = ()

    @property
    def last(self) -> int | None:
        """The number of its last line."""
        if self.places:
            return self.places[-1][1]
        return None if self.line is None else self.line + self.text.count("\n")

    def told_as(self, text: str) -> Block:
        """Another text for it, of one line, which is made of all its lines."""
        places = ((self.places[0][0], self.places[-1][1]),) if self.places else ()
        return Block(text=text, line=self.line, code=self.code, places=places)

    def part(self, start: int, end: int, above: int) -> Block:
        """A stretch of it, from one character up to another, that begins below so many of its lines."""
        text = self.text[start:end]
        if self.places:
            places = self.places[above : above + text.count("\n") + 1]
            return Block(text=text, line=places[0][0], code=self.code, places=places)
        return Block(text=text, line=None if self.line is None else self.line + above, code=self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """What a reader found under one breadcrumb. `heading` is the section's own heading as it stands in the source (it
    is not in `blocks`). `span` says where it is, but for its lines: those are its blocks', and its own only where the
    text is not the source's and no block has any. `context` and `created_at` are those of the chunks it becomes.

    `join` says how it may become one piece with its neighbours: never; with short ones when it is short; with any when
    they fit together; or, short, as the tail of the section before it (what a cell put out, after what it says). Where
    it says each, its blocks are so many small sections that join any, as the elements of a list are, and `one` makes
    the section of the block with a number: a list may have a million of them, and few stay alone.
    """

    header: tuple[str, ...]
    blocks: tuple[Block, ...]
    heading: Block | None = None
    span: Span = field(default_factory=Span)
    code: bool = False
    lang: str | None = None
    context: str = ""
    created_at: datetime | None = None
    join: Literal["never", "short", "any", "tail", "each"] = "short"
    one: Callable[[int], Section] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole source as its reader found it."""

    sections: tuple[Section, ...]
    title: str | None = None
    front: FrontMatter = field(default_factory=FrontMatter)
    lang: str | None = None
    notes: tuple[str, ...] = ()


class Outline:
    """The titles above the place where a reader stands."""

    def __init__(self, *above: str) -> None:
        self._titles: list[tuple[int, str]] = [(0, title) for title in above]
        self._first: str | None = None
        self._top: str | None = None

    @property
    def header(self) -> tuple[str, ...]:
        """The breadcrumb, outermost first."""
        return tuple(title for _, title in self._titles)

    @property
    def title(self) -> str | None:
        """The title of the whole: the first heading of the first level, else the first of any."""
        return self._top or self._first

    def enter(self, level: int, title: str) -> None:
        """A heading: what stood at its level (1 is the outermost) or deeper has ended. An empty title only ends it."""
        while self._titles and self._titles[-1][0] >= level:
            self._titles.pop()
        if title:
            self._titles.append((level, title))
            self._first = self._first or title
            self._top = self._top or (title if level == 1 else None)
