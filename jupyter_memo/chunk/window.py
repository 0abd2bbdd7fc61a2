"""One model's window: what fits into it with its breadcrumb is one piece, and what does not fit is cut (`cut.py`).

Nothing is lost but white space at a cut.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from jupyter_memo.chunk import cut
from jupyter_memo.chunk.cut import GAP_TOKENS, CountTokens, Grain
from jupyter_memo.chunk.section import Block, Section
from jupyter_memo.records import Chunk, Span

BREADCRUMB_JOIN = " › "
"""How a breadcrumb is written on the line above its text when both are counted, and embedded, together."""

CHARACTERS_A_TOKEN = 16
"""A text counts as at least one token for so many characters, whatever the tokenizer says: a word list counts a line
of 10,000 letters as one unknown word."""

SPARE_TOKENS = 2
"""What a tokenizer may put around a text."""

MIN_BUDGET = 8
"""Tokens a text may always have: below that, cutting would not come to an end with every tokenizer."""

CACHED_TEXTS = 2048

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def within(text: str, limit: int, count_tokens: CountTokens) -> bool:
    """Whether a text has at most `limit` tokens; a text far too long is not counted, nor one so short that its letters
    are no more than that: no token is less than one of ASCII."""
    if len(text) + SPARE_TOKENS <= limit and text.isascii():
        return True
    return len(text) // CHARACTERS_A_TOKEN <= limit and count_tokens(text) <= limit


def together(blocks: list[Block]) -> str:
    """Blocks as one text: one line stays one, next lines stay next lines, any wider gap is one empty line. Where the
    text is not the source's own, its lines say nothing of gaps."""
    parts: list[str] = []
    for place, block in enumerate(blocks):
        if place and (block.places or blocks[place - 1].places):
            parts.append("\n\n")
        elif place:
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
            blocks.insert(0, section.heading.told_as(lost) if section.heading else Block(text=lost))
        if not blocks and section.heading:
            title = section.header[-1] if section.header else section.heading.text
            blocks = [section.heading.told_as(title)]
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
        """All blocks as one piece where they fit, else cut where it costs least."""
        if self._fits(blocks, budget):
            yield from (blocks,) if blocks else ()
            return
        for run in cut.cheapest(list(cut.grains(blocks, budget, self.count)), budget):
            yield from self._checked(run, budget)

    def _fits(self, blocks: list[Block], budget: int) -> bool:
        """Whether blocks fit as one text; of many, no more are counted than it takes to know."""
        used = -GAP_TOKENS
        for block in blocks:
            used += self.count(block.text) + GAP_TOKENS
            if used > budget:
                return False
        return self.count(together(blocks)) <= budget

    def _checked(self, run: Sequence[Grain], budget: int) -> Iterator[list[Block]]:
        """A run as it is when it fits as one text: for some tokenizers a text is more than the sum of its parts."""
        blocks = cut.merged(run)
        if len(run) == 1 or self.count(together(blocks)) <= budget:
            yield blocks
        else:
            yield from self._checked(run[: len(run) // 2], budget)
            yield from self._checked(run[len(run) // 2 :], budget)


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


def _trimmed(block: Block) -> Block:
    """A block without empty lines around it; its first line keeps its indentation."""
    text = block.text.rstrip()
    if len(text) == len(block.text) and not text[:1].isspace():
        return block
    lead = len(text) - len(text.lstrip())
    begin = text.rfind("\n", 0, lead) + 1
    return block.part(begin, len(text), text.count("\n", 0, begin))
