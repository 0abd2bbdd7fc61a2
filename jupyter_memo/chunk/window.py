"""One model's window: what fits into it with its breadcrumb, and how what does not fit is cut.

Between blocks first, then inside a block that is too long alone: prose at sentences (semchunk), code and tables at
empty lines and between lines. Nothing is lost but white space at a cut.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import cast

from jupyter_memo.chunk.section import Block, Section
from jupyter_memo.records import Chunk, Span

CountTokens = Callable[[str], int]

BREADCRUMB_JOIN = " › "
"""How a breadcrumb is written on the line above its text when both are counted, and embedded, together."""

CHARACTERS_A_TOKEN = 16
"""A text counts as at least one token for so many characters, whatever the tokenizer says: a word list counts a line
of 10,000 letters as one unknown word."""

_WRAP = re.compile(r"(?<=[^\s])\n(?=[^\s\-*+>|#\d=~`:\[])")
"""The end of a line that the next one carries on: no list item, quotation, table row or definition begins there."""

MIN_BUDGET = 8
"""Tokens a text may always have: below that, cutting would not come to an end with every tokenizer."""

CACHED_TEXTS = 2048

GAP_TOKENS = 1
"""What joining two texts may cost: an empty line is a token to some tokenizers."""

STRETCH = 200_000
"""Characters in which a place to cut is looked for at a time, so that a line of any length takes only as much longer as
it is longer, and no more room."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def within(text: str, limit: int, count_tokens: CountTokens) -> bool:
    """Whether a text has at most `limit` tokens; a text far too long is not counted."""
    return len(text) // CHARACTERS_A_TOKEN <= limit and count_tokens(text) <= limit


def together(blocks: list[Block]) -> str:
    """Blocks as one text: one line stays one, next lines stay next lines, any wider gap is one empty line."""
    parts: list[str] = []
    for place, block in enumerate(blocks):
        if place:
            last = blocks[place - 1].last
            gap = None if last is None or block.line is None else block.line - last
            near = "\n" if gap == 1 or block.code else " "
            parts.append(near if gap in (0, 1) else "\n\n")
        parts.append(block.text)
    return "".join(parts)


class Window:
    """One model's window, and how sections are cut to it."""

    def __init__(self, count_tokens: CountTokens, max_tokens: int) -> None:
        # a heading, a key, a block is counted when it is joined, and again when it is cut
        self._count = lru_cache(maxsize=CACHED_TEXTS)(count_tokens)
        self.max_tokens = max(max_tokens, 1)

    def count(self, text: str) -> int:
        floor = len(text) // CHARACTERS_A_TOKEN
        return floor if floor > self.max_tokens else max(self._count(text), floor)

    def cost(self, header: tuple[str, ...], text: str) -> int:
        return self.count(BREADCRUMB_JOIN.join(header)) + self.count(text)

    def chunks(self, section: Section) -> Iterator[Chunk]:
        header, lost = self._header(section.header)
        blocks = [_trimmed(block) for block in section.blocks if block.text.strip()]
        if lost:
            blocks.insert(0, Block(text=lost, line=section.heading.line if section.heading else None))
        if not blocks and section.heading:
            title = section.header[-1] if section.header else section.heading.text
            blocks = [dataclasses.replace(section.heading, text=title)]
        code = section.code or (bool(blocks) and all(block.code for block in blocks))
        budget = max(self.max_tokens - self.count(BREADCRUMB_JOIN.join(header)), MIN_BUDGET)
        for piece in self._pieces(blocks, budget):
            text = _LONE_SURROGATE.sub("\ufffd", together(piece))
            yield Chunk(
                text=text,
                header=header,
                context=section.context,
                span=_span(section, piece),
                code=code,
                lang=section.lang,
                created_at=section.created_at,
            )

    def _header(self, header: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
        """A breadcrumb of at most half the window: outer titles go first. A title too long even so is clipped, and
        comes back as text, so that none of its words is lost."""
        header = tuple(_LONE_SURROGATE.sub("\ufffd", title) for title in header)
        half = self.max_tokens // 2
        while len(header) > 1 and self.count(BREADCRUMB_JOIN.join(header)) > half:
            header = header[1:]
        if not header or self.count(header[0]) <= half:
            return header, ""
        words = header[0].split()
        while len(words) > 1 and self.count(" ".join(words) + "…") > half:
            words = words[: len(words) // 2]
        clipped = " ".join(words)[: half * CHARACTERS_A_TOKEN] + "…"
        return ((clipped,) if self.count(clipped) <= half else ()), header[0]

    def _pieces(self, blocks: list[Block], budget: int) -> Iterator[list[Block]]:
        """Runs of blocks that fit the budget; a block that does not fit alone is cut first."""
        run: list[Block] = []
        used = 0
        for block in self._cut_all(blocks, budget):
            cost = self.count(block.text) + GAP_TOKENS
            if run and used + cost > budget:
                yield from self._checked(run, budget)
                run, used = [], 0
            run.append(block)
            used += cost
        if run:
            yield from self._checked(run, budget)

    def _checked(self, run: list[Block], budget: int) -> Iterator[list[Block]]:
        """A run as it is when it fits as one text: for some tokenizers a text is more than the sum of its parts."""
        if len(run) == 1 or self.count(together(run)) <= budget:
            yield run
        else:
            yield from self._checked(run[: len(run) // 2], budget)
            yield from self._checked(run[len(run) // 2 :], budget)

    def _cut_all(self, blocks: list[Block], budget: int) -> Iterator[Block]:
        for block in blocks:
            if self.count(block.text) <= budget:
                yield block
            elif block.code and "\n" in block.text:
                yield from self._cut_lines(block, budget)
            else:
                yield from self._cut_sentences(block, budget)

    def _cut_lines(self, block: Block, budget: int) -> Iterator[Block]:
        """Code cut where an empty line is, and between lines where a stretch without one is too long."""
        for stretch in _stretches(block):
            if self.count(stretch.text) <= budget:
                yield stretch
                continue
            run: list[str] = []
            used = 0
            first = stretch.line
            for place, line in enumerate(stretch.text.split("\n")):
                here = None if stretch.line is None else stretch.line + place
                cost = self.count(line) + GAP_TOKENS
                if run and used + cost > budget:
                    yield Block(text="\n".join(run), line=first, code=True)
                    run, used = [], 0
                if cost > budget:
                    yield from self._cut_sentences(Block(text=line, line=here, code=True), budget)
                    continue
                if not run:
                    first = here
                run.append(line)
                used += cost
            if run:
                yield Block(text="\n".join(run), line=first, code=True)

    def _cut_sentences(self, block: Block, budget: int) -> Iterator[Block]:
        from semchunk.semchunk import chunk as semantic

        # Its memory of counts is global and never emptied, so it stays off.
        # In prose a line feed inside a paragraph is a blank, so that cuts fall between sentences; it keeps its place.
        text = block.text if block.code else _WRAP.sub(" ", block.text)
        line, counted = block.line, 0
        for first, last in _parts(text):
            _, places = semantic(text[first:last], budget, self.count, memoize=False, offsets=True)
            for start, end in cast("list[tuple[int, int]]", places):
                if line is not None:
                    line += block.text.count("\n", counted, first + start)
                counted = first + start
                yield Block(text=block.text[first + start : first + end], line=line, code=block.code)


def _span(section: Section, piece: list[Block]) -> Span:
    """Where a piece is. In a cell, what has lines is its source and what has none is what it put out."""
    if all(block.line is None for block in piece) and section.span.start_line is not None:
        return section.span
    starts = [block.line for block in piece if block.line is not None]
    ends = [block.last for block in piece if block.last is not None]
    part = section.span.part
    if section.span.cell is not None and part is None and len(starts) in (0, len(piece)):
        part = "source" if starts else "output"
    return dataclasses.replace(
        section.span, start_line=starts[0] if starts else None, end_line=ends[-1] if ends else None, part=part
    )


def _stretches(block: Block) -> Iterator[Block]:
    """A block of code at its empty lines."""
    run: list[str] = []
    first = 0
    for place, line in enumerate([*block.text.split("\n"), ""]):
        if line.strip():
            first = first if run else place
            run.append(line)
        elif run:
            yield Block(text="\n".join(run), line=None if block.line is None else block.line + first, code=True)
            run = []


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Where a text may be parted before it is looked at closely: whole up to STRETCH, else at sentences or blanks."""
    start = 0
    while len(text) - start > STRETCH:
        end = start + STRETCH
        for sign in ("\n", ". ", " "):
            place = text.rfind(sign, start + STRETCH // 2, end)
            if place >= 0:
                end = place + len(sign)
                break
        yield start, end
        start = end
    yield start, len(text)


def _trimmed(block: Block) -> Block:
    """A block without empty lines around it; its first line keeps its indentation."""
    text = block.text.rstrip()
    lead = len(text) - len(text.lstrip())
    skipped = text.count("\n", 0, lead)
    text = text[text.rfind("\n", 0, lead) + 1 :]
    return Block(text=text, line=None if block.line is None else block.line + skipped, code=block.code)
