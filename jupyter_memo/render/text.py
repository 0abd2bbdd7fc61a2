"""A response as plain text in fixed columns: what a terminal, a diff or a notebook without HTML shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import wcwidth

from jupyter_memo.render import ledger, location, numbers, reading, visible
from jupyter_memo.response import Result, SearchResponse

WIDTH = 88
PROSE_WIDTH = 78
PROSE_LINES = 3
CODE_LINES = 6
AROUND_LINES = 2
LETTER_WIDTH = 5
LONGEST = 2_000
"""Characters of one paragraph. Wrapping costs the square of the longest word, and a hostile text is one long word."""

DOT = " · "


def plain(response: SearchResponse, width: int = WIDTH) -> str:
    """The whole answer as text of at most `width` columns (wide characters count as two), without a final newline.

    Widths below 40 are treated as 40. With `response.open_why` each result is followed by its arithmetic.
    """
    width = max(width, 40)
    blocks = [_head(response, width), *(list(block) for block in _body(response, width))]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks if block)


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = (), gap: int = 2) -> list[str]:
    """Rows of equal length in aligned columns; the columns in `right` end at the same place."""
    right = frozenset(right)
    widths = [max(wcwidth.width(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        (" " * gap)
        .join(
            wcwidth.rjust(cell, widths[at]) if at in right else wcwidth.ljust(cell, widths[at])
            for at, cell in enumerate(row)
        )
        .rstrip()
        for row in rows
    ]


def wrapped(
    text: str, width: int, *, indent: str = "", hanging: str | None = None, lines: int | None = None
) -> list[str]:
    """`text` in lines of at most `width` columns; beyond `lines` of them or LONGEST characters an ellipsis ends it."""
    longest = LONGEST if lines is None else min(LONGEST, 2 * (lines + 1) * width)
    if len(text) > longest:
        text = text[:longest] + "…"
    return wcwidth.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        max_lines=lines,
        placeholder=" …",
        propagate_sgr=False,
    )


def _head(response: SearchResponse, width: int) -> list[str]:
    query = wrapped(reading.query(response) or "(no words)", width)
    also = wrapped(reading.also(response), width) if response.queries else []
    return [*query, *also, *_sides(DOT.join(reading.head(response)), DOT.join(reading.run(response)), width)]


def _sides(left: str, right: str, width: int) -> list[str]:
    """`left` and `right` at the two ends of a line, or of two where they do not fit."""
    room = width - wcwidth.width(left) - wcwidth.width(right)
    if room >= 2:
        return [left + " " * room + right]
    return [*wrapped(left, width), *wrapped(right, width)]


def _body(response: SearchResponse, width: int) -> Iterator[list[str]]:
    for what, meaning in reading.notes(response):
        yield wrapped(f"{what} {meaning}", width)
    empty = reading.void(response)
    if empty:
        label = max(len(name) for name, _ in empty) + 2
        yield [
            line for name, told in empty for line in wrapped(told, width, indent=name.ljust(label), hanging=" " * label)
        ]
    arms = reading.arms(response)
    for result in response.results:
        yield list(_result(result, response, arms, width))
    yield list(_end(response, width))


def _result(result: Result, response: SearchResponse, arms: tuple[str, ...], width: int) -> Iterator[str]:
    margin = max(2, len(str(response.offset + len(response.results)))) + 2
    inner = " " * margin
    score = "" if response.score_scale == "none" else numbers.score(result.score, response.score_scale)
    room = width - margin - wcwidth.width(score) - 2
    title = wrapped(location.heading(result), room, lines=1)[0]
    number = f"{result.rank}".rjust(margin - 2)
    yield from _sides(f"{number}  {visible.closed(title)}", score, width)
    yield from wrapped(location.whereabouts(result), width, indent=inner, hanging=inner + "  ")
    yield from _snippet(result, width, inner + "  ", whole=response.share == "full")
    if result.document is not None:
        yield f"{inner}best passage of its document"
    for side, beside in reading.around(result):
        room = min(width - margin - 2, PROSE_WIDTH)
        head = f"{inner}  {side}: "
        yield from wrapped(" ".join(beside.split()), room, indent=head, hanging=f"{inner}  ", lines=AROUND_LINES)
    letters = "".join((cell or "·").ljust(LETTER_WIDTH) for cell in ledger.letters(result, arms)).rstrip()
    found = letters if result.why is not None else ""
    facts = DOT.join(ledger.facts(result, response))
    yield from (inner + line for line in _sides(found, facts, width - margin))
    if result.folded:
        yield f"{inner}+ {reading.folded(result)}"
    if response.open_why:
        yield from (f"{inner}  {line}" for line in why(result, response, width - margin - 2))


def _snippet(result: Result, width: int, indent: str, *, whole: bool) -> Iterator[str]:
    """The snippet in a few lines, or with `whole` all of the passage."""
    room = min(width - len(indent), PROSE_WIDTH)
    snippet = visible.text((whole and result.passage.text) or result.snippet).expandtabs(4).strip("\n")
    if not snippet:
        return
    if not result.passage.code:
        for paragraph in snippet.split("\n") if whole else (snippet,):
            yield from (indent + line for line in wrapped(paragraph, room, lines=None if whole else PROSE_LINES))
        return
    lines = snippet.rstrip().split("\n")
    for line in lines if whole else lines[:CODE_LINES]:
        fits = wcwidth.width(line) <= width - len(indent)
        yield indent + (line if fits else wcwidth.clip(line, 0, width - len(indent) - 1) + "…")
    if len(lines) > CODE_LINES and not whole:
        yield f"{indent}…"


def why(result: Result, response: SearchResponse, width: int = WIDTH) -> list[str]:
    """The arithmetic of one result and what it does not say, as lines; none where it carries no reasons."""
    entry = ledger.ledger(result, response)
    if entry is None:
        return []
    head = ("arm", "rank", "raw", "unit", entry.formula, "contribution")
    rows = [(line.name, line.rank, line.raw, line.unit, line.formula, line.value) for line in entry.lines]
    aligned = table([head, *rows, ("score", "", "", "", "", entry.score)], right=(1, 2, 4, 5))
    return [*aligned, *wrapped(" ".join(ledger.story(result)), width)]


def _end(response: SearchResponse, width: int) -> Iterator[str]:
    hint = reading.narrow(response)
    told = " ".join(filter(None, (reading.ending(response), "".join(hint) if hint else "")))
    if told:
        yield from wrapped(told, width)
    for remark in (*reading.legs(response), *reading.remarks(response)):
        yield from wrapped(remark, width)
    legend = reading.legend(response)
    if legend:
        yield from wrapped(f"{legend.replace(',', ' ')}: letter and rank in that arm.", width)
    idle = reading.idle(response) if response.open_why else reading.idle_arms(response)
    if idle:
        yield from wrapped(idle, width)
