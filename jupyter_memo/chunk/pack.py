"""Fitting what a reader found into a model's window: short neighbours are joined, long ones split, nothing is cut off.

Joined are neighbours of the same parent that are short (a quarter of the target each), up to the target: never across
headings of different parents, so that the breadcrumb of what was joined is true for all of it; a short introduction
takes in the short sections right below it. The headings of what was joined stand in the text. A joined piece is one
unbroken stretch of its source, so its lines are exact.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from operator import attrgetter

from jupyter_memo.chunk.cut import GAP_TOKENS, CountTokens
from jupyter_memo.chunk.section import Block, Section
from jupyter_memo.chunk.window import Window, together
from jupyter_memo.records import Chunk, Span

SHORT_SHARE = 4
"""A piece is short at a quarter of the target: two or three sentences. What is longer says enough alone."""

_place = attrgetter(*(field.name for field in dataclasses.fields(Span) if field.name != "key"))
"""Where a section is, but for its key."""

_EMPTY = re.compile(r"(?:[\s!-/:-@\[-`{-~]|&nbsp;|&emsp;|&ensp;)*")
"""A text of signs and blanks only: spacing, rules, borders."""


def fit(
    sections: Iterable[Section], *, count_tokens: CountTokens, max_tokens: int, target_tokens: int | None = None
) -> tuple[Chunk, ...]:
    """Sections in the order of their source to chunks that fit `max_tokens` with their breadcrumb.

    `target_tokens` is the size up to which short neighbours are joined: None is the window, 0 joins nothing.
    """
    window = Window(count_tokens, max_tokens)
    target = max_tokens if target_tokens is None else min(target_tokens, max_tokens)
    kept: Iterable[Section] = list(_worth_keeping(list(sections)))
    if target > 0:
        # One by one: what was counted to be joined is still known when the joined piece is cut.
        kept = _joined(list(_with_tails(kept, window, target)), window, target)
    return tuple(chunk for section in _apart(kept) for chunk in window.chunks(section))


def split(chunk: Chunk, *, count_tokens: CountTokens, max_tokens: int) -> tuple[Chunk, ...]:
    """One chunk as it is when it fits, else in pieces; lines are counted from its `start_line` where it has one. Its
    context helps to find each piece."""
    block = Block(text=chunk.text, line=chunk.span.start_line, code=chunk.code)
    section = Section(
        header=chunk.header,
        blocks=(block,),
        span=chunk.span,
        code=chunk.code,
        lang=chunk.lang,
        context=chunk.context,
        created_at=chunk.created_at,
    )
    return tuple(Window(count_tokens, max_tokens).chunks(section))


def _worth_keeping(sections: list[Section]) -> Iterator[Section]:
    """Sections with text, and headings with nothing below them; a heading over other headings is in their
    breadcrumbs."""
    for place, section in enumerate(sections):
        following = sections[place + 1] if place + 1 < len(sections) else None
        leads = following is not None and following.header[: len(section.header)] == section.header
        says = any(
            block.text.strip() and (section.code or not _EMPTY.fullmatch(block.text)) for block in section.blocks
        )
        if says or (section.heading and section.header and not leads):
            yield section


def _with_tails(sections: Iterable[Section], window: Window, target: int) -> Iterator[Section]:
    """Short tails put under the section before them; they end its last piece where they fit."""
    before: Section | None = None
    for section in sections:
        tail = section.join == "tail" and before is not None and section.span.cell == before.span.cell
        if before and tail and window.count(_text(section, heading=False)) <= target // SHORT_SHARE:
            span = dataclasses.replace(before.span, part=None)
            before = dataclasses.replace(before, blocks=(*before.blocks, *section.blocks), span=span)
            continue
        if before:
            yield before
        before = section
    if before:
        yield before


class _Run:
    """Neighbours that become one piece: sections, or a numbered block of one where it says each. `parent` is None as
    long as there is one; `cost` counts the texts in tokens, `room` is what they may be under that parent."""

    __slots__ = ("cost", "members", "parent", "room")

    def __init__(self, section: Section, number: int, cost: int) -> None:
        self.members = [(section, number)]
        self.cost, self.room = cost, 0
        self.parent: tuple[str, ...] | None = None

    def takes(self, section: Section, number: int, cost: int, window: Window, target: int) -> bool:
        """Take a neighbour in, if its place and its size allow it."""
        before = self.members[-1][0]
        if before is not section or self.parent is None:
            first = self.members[0][0]
            above = _above(first, section)
            allowed = (first.header, first.header[:-1]) if self.parent is None else (self.parent,)
            room = target - window.cost(above, "")
            if above not in allowed or not _alike(before, section) or self.cost + GAP_TOKENS + cost > room:
                return False
            self.parent, self.room = above, room
        elif self.cost + GAP_TOKENS + cost > self.room:
            return False
        self.members.append((section, number))
        self.cost += GAP_TOKENS + cost
        return True

    def merged(self) -> Section:
        """The run as one section; what was not under its breadcrumb keeps its heading in the text."""
        parent = self.parent
        first, number = self.members[0]
        if parent is None:
            return _alone(first, number)
        blocks: list[Block] = []
        for section, number in self.members:
            if section.one:
                blocks.append(section.blocks[number])
            else:
                blocks += _blocks(section, heading=section.header != parent)
        key = (".".join(parent) or None) if first.span.key else None
        span = dataclasses.replace(first.span, key=key)
        return dataclasses.replace(first, header=parent, heading=None, blocks=tuple(blocks), span=span, one=None)


def _joined(sections: list[Section], window: Window, target: int) -> Iterator[Section]:
    """Sections with runs of short neighbours made one."""
    run: _Run | None = None
    limits = {"any": target, "each": target, "short": target // SHORT_SHARE}
    for place, section in enumerate(sections):
        following = sections[place + 1] if place + 1 < len(sections) else None
        leads = following is not None and following.header[:-1] == section.header and following.header != section.header
        limit = limits.get(section.join, -1) - window.cost(section.header, "")
        texts = [block.text for block in section.blocks] if section.one else [_text(section, heading=True)]
        for number, text in enumerate(texts):
            cost = window.count(text)
            last = leads and number == len(texts) - 1
            if run and cost <= limit and not last and run.takes(section, number, cost, window, target):
                continue
            if run:
                yield run.merged()
            run = _Run(section, number, cost) if cost <= limit else None
            if not run:
                yield _alone(section, number)
    if run:
        yield run.merged()


def _alone(section: Section, number: int) -> Section:
    """A section, or of one that says each the one with a number."""
    return section.one(number) if section.one else section


def _apart(sections: Iterable[Section]) -> Iterator[Section]:
    """Sections of which none says each."""
    for section in sections:
        if section.one:
            yield from map(section.one, range(len(section.blocks)))
        else:
            yield section


def _above(first: Section, section: Section) -> tuple[str, ...]:
    """The breadcrumb that would be true for both: that of an introduction over what follows it, that of two parts
    under one title, else the parent's."""
    if section.header[:-1] == first.header != section.header:
        return first.header
    if section.header == first.header and not (section.heading or first.heading):
        return first.header
    return section.header[:-1]


def _alike(first: Section, second: Section) -> bool:
    """Whether two neighbours lie in one place: the same cell, the same part, both with lines or both without."""
    return (
        first.code == second.code
        and first.lang == second.lang
        and _place(first.span) == _place(second.span)
        and (_first_line(first) is None) == (_first_line(second) is None)
    )


def _text(section: Section, *, heading: bool) -> str:
    if len(section.blocks) == 1 and not (heading and section.heading):
        return section.blocks[0].text
    return together(list(_blocks(section, heading=heading)))


def _blocks(section: Section, *, heading: bool) -> Iterator[Block]:
    if heading and section.heading:
        yield section.heading
    yield from section.blocks


def _first_line(section: Section) -> int | None:
    first = section.heading or (section.blocks[0] if section.blocks else None)
    return first.line if first else None
