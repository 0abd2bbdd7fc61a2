"""Verbs of %memo that keep the store in order: maintain and purge."""

from __future__ import annotations

from collections.abc import Callable

from IPython.core.error import UsageError

from jupyter_memo.jupyter import manual, options
from jupyter_memo.jupyter.questions import Asked
from jupyter_memo.response import Upkeep


def maintain(asked: Asked, line: str) -> Upkeep:
    """%memo maintain."""
    parsed = options.parse(line, manual.VERB_OPTIONS["maintain"], anywhere=True)
    if parsed.words:
        raise UsageError(f"%memo maintain takes no names, but {' '.join(parsed.words)!r} was given")
    return asked.engine.maintain(history_days=parsed.given.get("history_days"))


def purge(asked: Asked, line: str) -> Upkeep:
    """%memo purge [TARGET…] --yes."""
    parsed = options.parse(line, manual.VERB_OPTIONS["purge"], anywhere=True)
    dry_run = "dry_run" in parsed.given
    if not dry_run and "yes" not in parsed.given:
        what = " ".join(parsed.words) or "all history"
        raise UsageError(f"purging {what} cannot be undone. Look with --dry-run first, then say --yes")
    targets = [options.expand(word, asked.variables) for word in parsed.words]
    return asked.engine.purge(*targets, dry_run=dry_run)


VERBS: dict[str, Callable[[Asked, str], Upkeep]] = {"maintain": maintain, "purge": purge}
