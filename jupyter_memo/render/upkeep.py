"""What maintaining or purging a store did, as text and HTML: one line, then what is to be known of it."""

from __future__ import annotations

from html import escape

from jupyter_memo.render import numbers, visible
from jupyter_memo.render.text import WIDTH, wrapped
from jupyter_memo.response import Upkeep

DOT = " · "


def summary(done: Upkeep) -> str:
    """One line: passages and sources deleted from history, the size of the store before and after, time."""
    verb = {"maintain": "pruned", "purge": "erased"}[done.work]
    would = f"would be {verb}" if done.dry_run else verb
    gone = f"{_many(done.passages, 'ended passage')}, {_many(done.sources, 'removed source')} {would}"
    sizes = ""
    if done.bytes_before is not None and done.bytes_after is not None:
        sizes = f"{megabytes(done.bytes_before)} on the disk"
        if not done.dry_run:
            sizes = f"{megabytes(done.bytes_before)} → {megabytes(done.bytes_after)} on the disk"
    return DOT.join(filter(None, (gone, sizes, numbers.seconds(done.seconds))))


def plain(done: Upkeep, width: int = WIDTH) -> str:
    """As text, without a final newline."""
    return "\n".join(line for part in _parts(done) for line in wrapped(part, width))


def html(done: Upkeep) -> str:
    """As script-free HTML."""
    return "\n".join(("<div>", *(f"<p>{escape(part)}</p>" for part in _parts(done)), "</div>"))


def megabytes(size: int) -> str:
    """A size in bytes as 12.3 MB."""
    return f"{numbers.fixed(size / 1e6, 1)}{numbers.NARROW}MB"


def _parts(done: Upkeep) -> tuple[str, ...]:
    dry = ("Dry run: nothing was erased.",) if done.dry_run else ()
    return (*dry, summary(done), *map(visible.line, done.hints))


def _many(number: int, what: str) -> str:
    return f"{numbers.count(number)} {what}{'' if number == 1 else 's'}"
