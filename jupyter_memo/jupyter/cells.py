"""The cell that a magic stands in, and those before it: what "this cell" means to who asks from inside one."""

from __future__ import annotations

import re

from IPython.core.interactiveshell import InteractiveShell

_OWN = re.compile(r"\s*(?:[^\W\d]\w*\s*=\s*)?(?P<percent>%{1,2})(?:memo|memo_search|memo_index|load_ext)\b")


def around(shell: InteractiveShell | None) -> str:
    """The text of the running cell without its own magics; where nothing else stands in it, that of the cell which ran
    last and had a text. Empty where there is none."""
    manager = None if shell is None else shell.history_manager
    history: list[str] = [] if manager is None else manager.input_hist_raw
    return next(filter(None, map(without_magics, reversed(history))), "")


def without_magics(cell: str) -> str:
    """A cell without the lines that call this extension; nothing of one that is such a call as a whole."""
    lines = []
    for line in cell.split("\n"):
        own = _OWN.match(line)
        if own and own["percent"] == "%%":
            break
        if not own:
            lines.append(line)
    return "\n".join(lines).strip("\r\n") if any(map(str.strip, lines)) else ""
