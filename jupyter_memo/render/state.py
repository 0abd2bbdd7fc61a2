"""The state of a store and what the doctor found, as text and HTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from jupyter_memo.render import numbers, visible
from jupyter_memo.render.html import table as html_table
from jupyter_memo.render.text import WIDTH, wrapped
from jupyter_memo.response import Check, Status

LABEL = 13

UNREAD_MOST = 5
"""Files that could not be read which are named; the report of an index run names more of them."""


def status_plain(status: Status, width: int = WIDTH) -> str:
    """The status as aligned lines, without a final newline."""
    lines = []
    for label, told in _status(status):
        lines += wrapped(told, width, indent=label.ljust(LABEL), hanging=" " * LABEL)
    return "\n".join(lines)


def status_html(status: Status) -> str:
    """The status as a list of terms."""
    rows = ((f"<dt>{escape(name)}</dt>" if name else "") + f"<dd>{escape(told)}</dd>" for name, told in _status(status))
    return f"<dl>{''.join(rows)}</dl>"


def checks_plain(checks: tuple[Check, ...], width: int = WIDTH) -> str:
    """One line a check, its cure below it where it failed; a verdict first."""
    label = max((len(visible.line(check.name)) for check in checks), default=0) + 2
    lines = [_verdict(checks)]
    for check in checks:
        name = f"{_mark(check)}{visible.line(check.name)}".ljust(label + 8)
        lines += wrapped(visible.line(check.detail), width, indent=name, hanging=" " * (label + 8))
        if not check.ok and check.cure:
            indent = " " * (label + 8)
            lines += wrapped(visible.line(check.cure), width, indent=indent, hanging=indent)
    return "\n".join(line.rstrip() for line in lines)


def checks_html(checks: tuple[Check, ...]) -> str:
    """A table: what was looked at, what was found, what to do."""
    rows = [
        (visible.line(check.name), "ok" if check.ok else "failed", visible.line(check.detail), visible.line(check.cure))
        for check in checks
    ]
    columns = 4 if any(row[3] for row in rows) else 3
    head = ("looked at", "", "found", "what to do")
    made = html_table(head[:columns], [row[:columns] for row in rows], text=(1, 2, 3))
    return f"<p>{escape(_verdict(checks))}</p>\n{made}"


def _status(status: Status) -> list[tuple[str, str]]:
    """(label, what is told); a row without a label belongs to the one above it."""
    rows = [
        ("store", visible.line(status.store) + _read_only(status)),
        ("index", f"version {status.index_version}, profile {visible.line(status.profile)}"),
        ("model", ", ".join(filter(None, (visible.line(status.model), visible.line(status.model_state))))),
        ("passages", f"{numbers.count(status.passages)} from {_many(status.sources, 'source')}"),
    ]
    if status.pending:
        waits = "waits" if status.pending == 1 else "wait"
        waiting = f"{_many(status.pending, 'passage')} {waits} for vectors (words find them): %memo backfill"
        rows.append(("pending", waiting))
    if status.roots:
        rows.append(("folders", ", ".join(visible.line(root) for root in status.roots)))
    for label, counts in (("namespaces", status.namespaces), ("kinds", status.kinds)):
        if counts:
            shown = (f"{visible.line(name) or '(none)'} {numbers.count(number)}" for name, number in counts)
            rows.append((label, ", ".join(shown)))
    rows += (("" if number else "not read", told) for number, told in enumerate(_unread(status)))
    rows += [("passed over", visible.line(notice)) for notice in status.notices]
    return rows


def _unread(status: Status) -> Iterator[str]:
    """What is not searchable as it is on the disk, and why."""
    if not status.unread_total:
        return
    yield f"{_many(status.unread_total, 'file')} could not be read"
    for file in status.unread[:UNREAD_MOST]:
        yield f"{visible.closed(visible.line(file.uri))}: {visible.line(file.reason)}"
    if status.unread_total > UNREAD_MOST:
        rest = numbers.count(status.unread_total - min(UNREAD_MOST, len(status.unread)))
        yield f"and {rest} more: %memo_index on their folder names them all"
    yield "The next search reads what was mended; a line in .memoignore leaves a file out for good."


def _read_only(status: Status) -> str:
    because = f": {visible.line(status.read_only_because)}" if status.read_only_because else ""
    return f" (read only{because})" if status.read_only else ""


def _verdict(checks: tuple[Check, ...]) -> str:
    failed = sum(not check.ok for check in checks)
    if not checks:
        return "Nothing was checked."
    if failed:
        return f"{failed} of {_many(len(checks), 'check')} failed."
    return "The check passed." if len(checks) == 1 else f"All {len(checks)} checks passed."


def _many(number: int, what: str) -> str:
    return f"{numbers.count(number)} {what}{'' if number == 1 else 's'}"


def _mark(check: Check) -> str:
    return "ok      " if check.ok else "failed  "
