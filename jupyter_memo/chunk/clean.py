"""Taking out of a text what no one would search: colours of terminals, overwritten progress, embedded binaries."""

from __future__ import annotations

import re

_ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]|\x9b[0-?]*[ -/]*[@-~]|\x1b"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_DATA_URI = re.compile(r"data:[\w.+-]+/[\w.+-]+(?:;[\w=.-]+)*;base64,[A-Za-z0-9+/=_%-]{32,}")
_BLOB = re.compile(r"(?<![\w+/=])[A-Za-z0-9+/_-]{256,}={0,2}(?![\w+/=])")

_ROW = re.compile(r"([-=_*~#.+─━═—])\1{7,}")

MAX_LINES, HEAD_LINES = 60, 40
MAX_LINE, HEAD_LINE = 1000, 700
MAX_CHARACTERS, HEAD_CHARACTERS = 12_000, 8_000


def terminal(text: str) -> str:
    """What a terminal would show in the end: no colours, and of an overwritten line only its last state."""
    text = _ANSI.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        text = "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n"))
    while "\b" in text:
        shorter = re.sub("[^\n\b]\b", "", text)
        text = shorter if shorter != text else text.replace("\b", "")
    return _CONTROL.sub("", text)


def without_blobs(text: str) -> tuple[str, int]:
    """A text without embedded base64, and how many pieces were taken out. Lines stay where they are."""
    if len(text) < 64:
        return text, 0
    text, images = _DATA_URI.subn("[data left out]", text)
    blobs = 0

    def left_out(match: re.Match[str]) -> str:
        nonlocal blobs
        run = match.group()
        if not _is_blob(run):
            return run
        blobs += 1
        return f"[{len(run)} characters of data left out]"

    return _BLOB.sub(left_out, text), images + blobs


def squeezed(text: str) -> str:
    """Rows of one sign, as borders of tables have them, cut to three: to a tokenizer each dash is a token."""
    return _ROW.sub(r"\1\1\1", text)


def shortened(text: str) -> tuple[str, int]:
    """A long output as its beginning and its end, and how many lines and stretches were left out; a marker stands
    where."""
    cuts = 0
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if len(line) > MAX_LINE:
            tail = line[-(MAX_LINE - HEAD_LINE) :]
            lines[place] = f"{line[:HEAD_LINE]} [… {len(line) - MAX_LINE} characters left out] {tail}"
            cuts += 1
    head = _fitting(lines, HEAD_LINES, HEAD_CHARACTERS)
    tail_count = _fitting(lines[::-1], MAX_LINES - HEAD_LINES, MAX_CHARACTERS - HEAD_CHARACTERS)
    if len(lines) > MAX_LINES or sum(map(len, lines)) > MAX_CHARACTERS:
        left_out = len(lines) - head - tail_count
        if left_out > 0:
            lines[head : len(lines) - tail_count] = [f"[… {left_out} lines left out]"]
            cuts += left_out
    return "\n".join(lines), cuts


def _fitting(lines: list[str], count: int, characters: int) -> int:
    """How many of the first lines stay within both limits, at least one."""
    used = 0
    for place, line in enumerate(lines[:count]):
        used += len(line) + 1
        if used > characters:
            return max(place, 1)
    return min(count, len(lines))


def _is_blob(run: str) -> bool:
    """Letters of both cases and digits without order, as base64 has them; a row of dashes or of one letter is none."""
    head = run[:256]
    return (
        len(set(head)) > 20
        and any(map(str.isdigit, head))
        and any(map(str.isupper, head))
        and any(map(str.islower, head))
    )
