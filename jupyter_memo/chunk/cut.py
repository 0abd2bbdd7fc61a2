"""Where what is too long is cut: looked ahead for, as a paragraph is broken into lines (Knuth and Plass 1981).

Each way of cutting has a price: for every piece the square of the share of its budget that it leaves empty, and for
every cut what it cuts apart. The cheapest way is taken. So there are no more pieces than the text needs, they are of
like size, without a rest of one sentence at the end, and they end between blocks where that leaves little empty, else
between lines, else between sentences. Code and tables that fit are never cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from jupyter_memo.chunk.section import Block

BLOCK, LINE, SENTENCE, INSIDE = 0.0, 0.025, 0.05, 0.15
"""The price of a cut between blocks; between lines that stand for themselves (of a list, of verse; in code, an empty
line); between sentences (in code, lines); inside one. In squares of the share of a budget left empty: a piece may be up
to a fifth shorter to end with its paragraph. At twice and at four times of this, at nothing, and with lines as dear as
sentences, some .01 of nDCG@10 or recall@10 is lost on chunk_spans (`tests/bench/chunking.py`)."""

GAP_TOKENS = 1
"""What joining two texts may cost: an empty line is a token to some tokenizers."""

MIN_GRAIN = 60
"""Characters between two places where prose may be cut: a title on a line of its own stays with what follows it, and
a text of such lines does not take longer than any other."""

STRETCH = 200_000
"""Characters in which a place to cut is looked for at a time, so that a line of any length takes only as much longer as
it is longer, and no more room."""

_WRAP = re.compile(r"(?<=[^\s])\n(?=[^\s\-*+>|#\d=~`:\[])")
"""The end of a line that the next one carries on: no list item, quotation, table row or definition begins there."""

_BORDER = re.compile(
    r"""\n+
    | [.!?\u2026\u0964\u061f\u06d4] ["')\]\u201d\u2019\u00bb*_]*+ [^\S\n]++ (?=\S)
    | [\u3002\uff01\uff1f] [\u300d\u300f\uff09\u201d]*+""",
    re.VERBOSE,
)
"""The end of a line or of a sentence, in any script."""

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grain:
    """What is not cut any further: `start` to `end` in the text of a block, how many of its lines are above, its size
    in tokens, and the price of a cut before it."""

    block: Block
    start: int
    end: int
    above: int
    tokens: int
    price: float


def grains(blocks: Sequence[Block], budget: int, count_tokens: CountTokens) -> Iterator[Grain]:
    """All of some blocks but white space, in order; no grain has more tokens than the budget."""
    for block in blocks:
        # In prose a line feed inside a paragraph is a blank.
        text = block.text if block.code else _WRAP.sub(" ", block.text)
        above, counted = 0, 0
        for start, end, tokens, price in _places(text, block.code, budget, count_tokens):
            above += block.text.count("\n", counted, start)
            counted = start
            yield Grain(block=block, start=start, end=end, above=above, tokens=tokens, price=price)


def cheapest(found: Sequence[Grain], budget: int) -> Iterator[Sequence[Grain]]:
    """Grains in runs, one a piece, by the cheapest way of cutting."""
    # Where the grains are small each end has hundreds of starts: what their prices are made of is worked out once.
    empty = [(1 - size / budget) ** 2 for size in range(budget + 1)]
    tokens = [grain.tokens + GAP_TOKENS for grain in found]
    before = [0.0, *(grain.price for grain in found[1:])]
    prices, begins = [0.0], [0]
    for end in range(1, len(found) + 1):
        least, begin, size = float("inf"), end - 1, -GAP_TOKENS
        for start in range(end - 1, -1, -1):
            size += tokens[start]
            if size > budget and start < end - 1:
                break
            left = empty[size] if size <= budget else (1 - size / budget) ** 2
            price = prices[start] + left + before[start]
            if price < least:
                least, begin = price, start
        prices.append(least)
        begins.append(begin)
    ends = [len(found)]
    while ends[-1]:
        ends.append(begins[ends[-1]])
    for begin, end in zip(ends[:0:-1], ends[-2::-1], strict=True):
        yield found[begin:end]


def merged(run: Sequence[Grain]) -> list[Block]:
    """A run as blocks; what lies in one block is one stretch of it."""
    found: list[Block] = []
    first = run[0]
    for grain, following in zip(run, (*run[1:], None), strict=True):
        if following is None or following.block is not first.block:
            found.append(first.block.part(first.start, grain.end, first.above))
            first = following or first
    return found


def _places(text: str, code: bool, budget: int, count_tokens: CountTokens) -> Iterator[tuple[int, int, int, float]]:
    """Begin, end, tokens and price before it of each grain of a block."""
    price = BLOCK
    for start, stop, after in _lines(text, budget, count_tokens) if code else _sentences(text):
        end = start + len(text[start:stop].rstrip())
        tokens = count_tokens(text[start:end])
        if tokens > budget:
            for first, last in _inside(text[start:end], budget, count_tokens):
                yield start + first, start + last, count_tokens(text[start + first : start + last]), price
                price = INSIDE
        elif end > start:
            yield start, end, tokens, price
        price = after


def _sentences(text: str) -> Iterator[tuple[int, int, float]]:
    """Begin and end of the lines and sentences of prose, and the price of a cut after each."""
    start = 0
    for match in _BORDER.finditer(text):
        line = "\n" in match.group()
        following = text[match.end() : match.end() + 1]
        # an abbreviation, the number of a figure
        goes_on = not line and (following.islower() or following.isdigit())
        if match.end() - start >= MIN_GRAIN and not goes_on:
            yield start, match.end(), LINE if line else SENTENCE
            start = match.end()
    yield start, len(text), BLOCK


def _lines(text: str, budget: int, count_tokens: CountTokens) -> Iterator[tuple[int, int, float]]:
    """Code whole where it fits, else at its empty lines, and where a stretch without one is too long, at its lines;
    with the price of a cut after each."""
    if count_tokens(text) <= budget:
        yield 0, len(text), BLOCK
        return
    for first, last in _stretches(text):
        if count_tokens(text[first:last]) <= budget:
            yield first, last, LINE
            continue
        for start, stop in _each_line(text, first, last):
            yield start, stop, SENTENCE if stop < last else LINE


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """What stands between empty lines."""
    first = end = 0
    for start, stop in _each_line(text, 0, len(text)):
        if text[start:stop].strip():
            first = first if end else start
            end = stop
        elif end:
            yield first, end
            end = 0
    if end:
        yield first, end


def _each_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end) + 1 or end
        yield start, stop
        start = stop


def _inside(text: str, budget: int, count_tokens: CountTokens) -> Iterator[tuple[int, int]]:
    """A sentence or a line that is too long alone, at what semchunk finds best: clauses, words, letters."""
    from semchunk.semchunk import chunk as semantic

    for first, last in _parts(text):
        # Its memory of counts is global and never emptied, so it stays off.
        _, places = semantic(text[first:last], budget, count_tokens, memoize=False, offsets=True)
        for start, end in cast("list[tuple[int, int]]", places):
            yield first + start, first + end


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
