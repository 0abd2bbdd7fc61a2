"""Two profiles on one question, as text and HTML: the two lists side by side, then each move with its cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

import wcwidth

from jupyter_memo.comparison import Comparison, Move, Side
from jupyter_memo.render import html, numbers, text, visible
from jupyter_memo.render.location import DOT, endings, place
from jupyter_memo.render.reading import listed

LABELS = {
    "reading": "reading",
    "depth": "depth",
    "arms": "arms",
    "fusion": "fusion",
    "recency": "age",
    "abstain": "floor",
    "fold": "folding",
    "cutoff": "cutoff",
    "mmr": "diversity",
    "page": "page",
}
"""What a group of constants is called; a group that is not here by its own name."""

MARKS = {"same": numbers.NOTHING, "entered": "new", "left": "gone"}
UP, DOWN = "▴", "▾"
ARROW = " → "
NO_BREAK = "\u00a0"

MOVES_HEAD = ("move", "rank", "passage", "cause")
LEAST_WIDTH = 40


def plain(compared: Comparison, width: int = text.WIDTH) -> str:
    """The whole comparison as text of at most `width` columns, without a final newline."""
    width = max(width, LEAST_WIDTH)
    beside = apart(compared)
    blocks = [
        [*text.wrapped(query(compared), width), *text.wrapped(DOT.join(head(compared)), width)],
        [line for note in notes(compared) for line in text.wrapped(note, width)],
        _lists_plain(compared, width) if not compared.same else [],
        [line for move in moved(compared) for line in _move_plain(move, beside.get(move.id, ""), width)],
        [line for told in differing(compared) for line in text.wrapped(told, width, hanging="  ")],
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks if block)


def static(compared: Comparison) -> str:
    """The same as an `<article>` that needs no script and no style sheet."""
    first, *rest = head(compared)
    parts = [
        f"<article class='{html.PLAIN}'>",
        f"<h3>{escape(query(compared), quote=False)}</h3>",
        f"<p><strong>{escape(first)}</strong>{escape(''.join(DOT + part for part in rest))}</p>",
        *(f"<p>{escape(note)}</p>" for note in notes(compared)),
        _lists_html(compared) if not compared.same else "",
        html.table(MOVES_HEAD, [_move_row(move) for move in moved(compared)], text=(1, 2, 3))
        if moved(compared)
        else "",
        *(f"<p>{escape(told)}</p>" for told in differing(compared)),
        "</article>",
    ]
    return html.one_block("\n".join(filter(None, parts)))


def query(compared: Comparison) -> str:
    """The question as one line."""
    return visible.line(compared.query) or "(no words)"


def head(compared: Comparison) -> tuple[str, ...]:
    """What is compared, what is on which page, how alike the orders are, of which index."""
    counts = compared.counts
    both = counts["same"] + counts["up"] + counts["down"]
    a, b = visible.line(compared.a.profile), visible.line(compared.b.profile)
    told = [f"{a}{ARROW}{b}"]
    found = [f"{numbers.count(both)} in both"]
    found += [f"{numbers.count(counts['left'])} only in {a}"] if counts["left"] else []
    found += [f"{numbers.count(counts['entered'])} only in {b}"] if counts["entered"] else []
    told.append(", ".join(found))
    if compared.correlation is not None:
        told.append(f"rank correlation τ = {numbers.fixed(compared.correlation, 2)}")
    told.append(f"index {compared.index_version}")
    return tuple(told)


def notes(compared: Comparison) -> tuple[str, ...]:
    """What is to be said of the two lists as a whole."""
    told = []
    if compared.degraded.flag:
        told.append(visible.line(compared.degraded.reason))
    if compared.same:
        count = len(compared.differences)
        though = (
            ", though one constant differs" if count == 1 else f", though {count} constants differ" if count else ""
        )
        told.append(f"The two lists are the same{though}.")
    empty = [side for side in (compared.a, compared.b) if side.reason]
    told += [f"{visible.line(side.profile)}: {visible.line(side.reason or '')}" for side in empty]
    told += [visible.line(hint) for hint in compared.hints]
    return tuple(told)


def moved(compared: Comparison) -> tuple[Move, ...]:
    """Those that moved, in b's order, then those that left its page."""
    changed = [move for move in compared.moves if move.kind != "same"]
    shown = sorted((move for move in changed if move.kind != "left"), key=lambda move: move.rank_b or 0)
    return (*shown, *(move for move in changed if move.kind == "left"))


def mark(move: Move) -> str:
    """`▴ 2`, `▾ 1`, `–`, `new`, `gone`."""
    if move.kind in MARKS:
        return MARKS[move.kind]
    return f"{UP if move.places > 0 else DOWN} {numbers.count(abs(move.places))}"


def ranks(move: Move) -> str:
    """`5 → 3`; a dash where the whole list does not hold it."""
    shown = [numbers.NOTHING if rank is None else numbers.count(rank) for rank in (move.rank_a, move.rank_b)]
    return ARROW.replace(" ", NO_BREAK).join(shown)


def title(move: Move) -> str:
    """The passage's title as one line; the file name where it has none."""
    return visible.line(move.title) or visible.line(move.uri.rsplit("/", 1)[-1]) or move.id


def apart(compared: Comparison) -> dict[str, str]:
    """What tells the rows of one title apart, by their ids: the end of the path, and where that is one too the place in
    it. A title that only one of them has needs nothing, and one that is the name of the file not that again."""
    called: dict[str, list[Move]] = {}
    for move in compared.moves:
        called.setdefault(title(move), []).append(move)
    told = {}
    for moves in called.values():
        if len(moves) < 2:
            continue
        paths = [visible.line(move.uri) for move in moves]
        times = Counter(paths)
        for move, path, ending in zip(moves, paths, endings(paths), strict=True):
            name = title(move)
            file = ending[: -len(name)] if ending.endswith(f"/{name}") else ending
            inside = place(move.span, name) if times[path] > 1 else ""
            told[move.id] = DOT.join(filter(None, (file if len(times) > 1 else "", inside)))
    return told


def where(move: Move) -> str:
    """Path and place."""
    return DOT.join(filter(None, (visible.line(move.uri), place(move.span, title(move)))))


def cause(move: Move) -> str:
    """The group that made the move and how, then its steps where there are several: they add up to the move."""
    if move.cause is None:
        return ""
    label = _label(move.cause.group)
    earlier = [_label(step.group) for step in move.steps]
    before = earlier[: earlier.index(label)] if label in earlier and not move.cause.alone else []
    after = f" (after {listed(before)})" if before else ""
    told = f"{label}{after}: {visible.line(move.cause.sentence)}"
    if len(move.steps) < 2:
        return told
    steps = ", ".join(
        f"{_label(step.group)} {numbers.NOTHING if step.before is None else step.before}"
        f"{ARROW}{numbers.NOTHING if step.after is None else step.after}"
        for step in move.steps
    )
    return f"{told} [{steps}]"


def differing(compared: Comparison) -> tuple[str, ...]:
    """The constants that differ, a line a group, in the order in which they were changed; none where nothing does."""
    groups: dict[str, list[str]] = {}
    for each in compared.differences:
        groups.setdefault(each.group, []).append(visible.line(f"{each.constant} {each.a}{ARROW}{each.b}"))
    return tuple(f"Different {_label(group)}: {', '.join(told)}" for group, told in groups.items())


def _label(group: str) -> str:
    return LABELS.get(group) or visible.line(group)


def _page(compared: Comparison, side: str) -> list[Move]:
    """What is on the page of a side, in its order."""
    gone = "entered" if side == "a" else "left"
    listed = [move for move in compared.moves if move.kind != gone]
    return sorted(listed, key=lambda move: (move.rank_a if side == "a" else move.rank_b) or 0)


def _lists_plain(compared: Comparison, width: int) -> list[str]:
    room, beside = (width - 2) // 2, apart(compared)
    columns = (
        _list_plain(compared.a, [(f"{move.rank_a}", move, "") for move in _page(compared, "a")], beside, room),
        _list_plain(compared.b, [(f"{move.rank_b}", move, mark(move)) for move in _page(compared, "b")], beside, room),
    )
    longest = max(map(len, columns))
    padded = [[*column, *[""] * (longest - len(column))] for column in columns]
    return text.table([*zip(*padded, strict=True)])


def _list_plain(side: Side, rows: Sequence[tuple[str, Move, str]], beside: Mapping[str, str], room: int) -> list[str]:
    lines = text.wrapped(visible.line(side.profile), room, lines=1)
    for rank, move, moved_by in rows:
        behind = f"  {moved_by}" if moved_by else ""
        left = room - 4 - len(behind)
        told = f"{DOT}{beside[move.id]}" if move.id in beside else ""
        if wcwidth.width(told) > left // 2:
            told = wcwidth.clip(told, 0, left // 2 - 1) + "…"
        shown = text.wrapped(visible.closed(title(move)), left - wcwidth.width(told), lines=1)[0]
        lines.append(f"{rank.rjust(2)}  {shown}{visible.closed(told)}{behind}")
    return lines


def _move_plain(move: Move, beside: str, width: int) -> list[str]:
    named = DOT.join(map(visible.closed, filter(None, (title(move), beside))))
    first = f"{mark(move).ljust(5)} {named}, {ranks(move)}"
    lines = text.wrapped(first, width, hanging=" " * 6)
    return [*lines, *text.wrapped(cause(move), width, indent=" " * 6)] if move.cause else lines


def _lists_html(compared: Comparison) -> str:
    a, b = _page(compared, "a"), _page(compared, "b")
    beside = apart(compared)
    names = {move.id: DOT.join(filter(None, (title(move), beside.get(move.id)))) for move in compared.moves}
    rows = []
    for at in range(max(len(a), len(b))):
        left = (str(a[at].rank_a), names[a[at].id]) if at < len(a) else ("", "")
        right = (str(b[at].rank_b), names[b[at].id], mark(b[at])) if at < len(b) else ("", "", "")
        rows.append((*left, *right))
    left_name, right_name = visible.line(compared.a.profile), visible.line(compared.b.profile)
    return html.table(("", left_name, "", right_name, "move"), rows, text=(1, 3, 4))


def _move_row(move: Move) -> tuple[str, ...]:
    named = DOT.join(filter(None, (title(move), where(move))))
    return mark(move), ranks(move), named, cause(move)
