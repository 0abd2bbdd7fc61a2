"""Where JupyterLab opens a passage, and how it is quoted."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath
from typing import Any

from jupyter_memo.records import Passage, Span
from jupyter_memo.response import SearchResponse

_ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|!(?=\[)")
_LANGUAGE = re.compile(r"[\w+#.-]+")

OUTSIDE = "outside the folder that JupyterLab serves"
GONE = "no longer there"
NO_FILE = "a record that was added from Python; there is no file"

KINDS = {".ipynb": "notebook", ".pdf": "pdf", ".html": "html", ".csv": "csv", ".json": "json"}


def place(passage: Passage, path: Path | None, root: str) -> dict[str, Any]:
    """The place of a passage as JupyterLab names it: `path` from the served folder on, null with the reason (`why`)
    where it cannot be opened; then cell, lines, page or turn, as far as they are known. `cell` counts from 0."""
    span = passage.span
    found: dict[str, Any] = {"path": None, "kind": KINDS.get(PurePath(passage.uri).suffix.lower(), "text"), "why": ""}
    found |= {
        name: value
        for name, value in {
            "cell_id": span.cell_id,
            "cell": span.cell,
            "part": span.part,
            "line": span.start_line,
            "line_end": span.end_line,
            "page": span.page,
            "turn": span.turn,
            "key": span.key,
        }.items()
        if value is not None
    }
    recorded = passage.surface == "memory" or (passage.surface == "chat" and path is None and span == Span())
    if recorded:
        return found | {"kind": "record", "why": NO_FILE}
    # Path.exists raises where a folder of somebody else may not be entered.
    if path is None or not os.path.exists(path):  # noqa: PTH110
        return found | {"why": GONE}
    ways = ((way(path), way(root)) for way in (os.path.abspath, os.path.realpath))
    inside = next(filter(None, (_below(file, folder) for file, folder in ways)), None)
    return found | ({"path": inside} if inside and root else {"why": OUTSIDE})


def quote(response: SearchResponse, rank: int) -> str:
    """A result as a quote in Markdown, with its citation below. Code is fenced; in other text Markdown stays, but for
    images and HTML, by which a note from elsewhere could call home from the notebook that quotes it."""
    result = response.at(rank)
    text = result.passage.text or result.snippet
    if result.passage.code:
        fence = "```"
        while fence in text:
            fence += "`"
        # A notebook may call its language anything, also what would end the fence.
        lang = result.passage.lang or ""
        text = f"{fence}{lang if _LANGUAGE.fullmatch(lang) else ''}\n{text}\n{fence}"
    else:
        text = _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", text)
    lines = [*text.splitlines(), "", *response.cite("markdown", (rank,)).splitlines()]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _below(path: str, folder: str) -> str | None:
    below = Path(path)
    return below.relative_to(folder).as_posix() if below.is_relative_to(folder) else None
