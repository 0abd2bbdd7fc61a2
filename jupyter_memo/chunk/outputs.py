"""What the cells of a notebook put out, as text: streams, results and errors; pictures and widgets are counted, not
kept."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from jupyter_memo.chunk.clean import shortened, squeezed, terminal, without_blobs

PLURALS = {
    "image": ("image output", "image outputs"),
    "widget": ("widget", "widgets"),
    "HTML": ("HTML-only output", "HTML-only outputs"),
    "search": ("search of an index", "searches of an index"),
    "other": ("output that is no text", "outputs that are no text"),
    "shortened": ("long output shortened", "long outputs shortened"),
    "data": ("piece of embedded data", "pieces of embedded data"),
    "cell": ("cell that could not be read", "cells that could not be read"),
}
"""How what was left out is counted in the notes of a report."""

MAX_FRAME_LINES = 24
"""Lines of a traceback that are kept, counted from its end: the last frames are where it happened."""

_SEARCH = "application/vnd.jupyter-memo"
"""With this a search says what it found: texts that stand in the index already, where they are from."""

_MIME_OF_OLD = {
    "text": "text/plain",
    "html": "text/html",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "latex": "text/latex",
    "json": "application/json",
    "javascript": "application/javascript",
}
"""Names of formats before nbformat 4, when they stood in the output itself."""

_REPR = re.compile(
    r"<[\w.]+(?: [^<>\n]*)?(?: at 0x[0-9a-fA-F]+)[^<>\n]*>|<(?:Figure|IPython)\b[^\n]*>|\[?<matplotlib[^\n]*"
)
_ADDRESS = re.compile(r"\s+at 0x[0-9a-fA-F]+")


def text_of(value: object) -> str:
    """A source or output of any nbformat: a string, or a list of strings. Those of nbformat 4 end with their line
    feed, older ones were split at it."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return ""
    parts = [part for part in value if isinstance(part, str)]
    return ("" if any(part.endswith("\n") for part in parts[:-1]) else "\n").join(parts)


def texts(outputs: object, counts: Counter[str]) -> list[str]:
    """The texts of one cell's outputs in order, each cleaned and shortened; messages of one stream are one text.

    `counts` takes up what was left out, under the keys of PLURALS.
    """
    found: list[str] = []
    stream: tuple[str, list[str]] | None = None
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            counts["other"] += 1
            continue
        kind = output.get("output_type")
        if kind == "stream":
            name = str(output.get("name") or output.get("stream") or "stdout")
            if stream is None or stream[0] != name:
                found += _ended(stream, counts)
                stream = (name, [])
            stream[1].append(text_of(output.get("text")))
            continue
        found += _ended(stream, counts)
        stream = None
        text = _error(output) if kind in ("error", "pyerr") else _display(output, counts)
        found += _cleaned(text, counts)
    found += _ended(stream, counts)
    return found


def remarks(counts: Counter[str]) -> tuple[str, ...]:
    """What was left out, in words: `3 image outputs left out`."""
    told = []
    for key, (one, many) in PLURALS.items():
        if counts[key]:
            verb = "" if key in ("shortened", "cell") else " left out"
            told.append(f"{counts[key]} {one if counts[key] == 1 else many}{verb}")
    return tuple(told)


def _ended(stream: tuple[str, list[str]] | None, counts: Counter[str]) -> list[str]:
    return _cleaned("".join(stream[1]), counts) if stream else []


def _cleaned(text: str, counts: Counter[str]) -> list[str]:
    text, blobs = without_blobs(squeezed(terminal(text)))
    text = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    text, cuts = shortened(text)
    counts["data"] += blobs
    counts["shortened"] += bool(cuts)
    return [text] if text.strip() else []


def _error(output: dict[str, Any]) -> str:
    """Name and message, then the end of the traceback."""
    name = " ".join(text_of(output.get("ename")).split())
    value = terminal(text_of(output.get("evalue"))).strip()
    summary = ": ".join(part for part in (name, value) if part)
    trace = output.get("traceback")
    frames = "\n".join(part for part in trace if isinstance(part, str)) if isinstance(trace, list) else text_of(trace)
    lines = [line.rstrip() for line in terminal(frames).strip("\n").split("\n")]
    if lines and summary and " ".join(summary.split()) in " ".join(" ".join(lines[-8:]).split()):
        summary = ""
    if len(lines) > MAX_FRAME_LINES:
        left_out = len(lines) - MAX_FRAME_LINES
        lines = [f"[… {left_out} lines left out]", *lines[-MAX_FRAME_LINES:]]
        summary = summary or name
    return "\n".join([summary, *lines] if summary else lines)


def _display(output: dict[str, Any], counts: Counter[str]) -> str:
    """The most readable text of a result or display, or nothing, counted."""
    data = output.get("data")
    if not isinstance(data, dict):
        data = {mime: output[name] for name, mime in _MIME_OF_OLD.items() if name in output}
    plain = text_of(data.get("text/plain"))
    if any(mime.startswith(_SEARCH) for mime in data):
        counts["search"] += 1
        return ""
    if any("widget-view" in mime for mime in data):
        counts["widget"] += 1
        return ""
    for mime in ("text/markdown", "text/latex"):
        if text := text_of(data.get(mime)):
            return text
    bare = _is_bare(plain)
    if any(mime.startswith(("image/", "video/", "audio/")) or mime == "application/pdf" for mime in data):
        counts["image"] += 1
        return "" if bare else plain
    if plain.strip() and not bare:
        return _ADDRESS.sub("", plain)
    if "text/html" in data:
        counts["HTML"] += 1
    elif set(data) - {"text/plain"}:
        counts["other"] += 1
    return ""


def _is_bare(plain: str) -> bool:
    """Whether a text is only the name of an object: <Figure size 640x480>, <Axes at 0x7f…>."""
    return not plain.strip() or _REPR.fullmatch(plain.strip()) is not None
