"""Indexed text made safe to read: nothing in it may hide, reorder or redraw what stands around it.

Terminal sequences go. Other control characters and the bidirectional controls are shown by name, since text that holds
them means to deceive or is damaged, and its reader should see that. Invisible characters go: those that only hide text
(zero-width space, tags, variation selectors beyond emoji) always, joiners unless they stand between letters of a script
or signs that need them. Escaping for HTML comes after this and is not done here.
"""

from __future__ import annotations

import re
import unicodedata

LRM = "\u200e"

_TERMINAL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor movement
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|(?=\n)|$)"  # titles, links, device strings, to their end or that of the line
    r"|\x1b[ -/]*[0-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_LINES = re.compile(r"\r\n?|[\u0085\u2028\u2029\v\f]")
_HIDDEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2064\u3164\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_JOINER = re.compile(r"([^\x00-\xa0]?)([\u200c\u200d]+)(?=([^\x00-\xa0])?)")
_NAMED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]")
_BROKEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))


def text(value: str) -> str:
    """`value` with its line breaks and tabs, safe to show as text; line breaks become newlines."""
    if value.isascii() and value.isprintable():
        return value
    value = _LINES.sub("\n", _TERMINAL.sub("", value))
    value = _JOINER.sub(_joined, _HIDDEN.sub("", value))
    return _NAMED.sub(lambda found: f"[U+{ord(found[0]):04X}]", _BROKEN.sub("\ufffd", value))


def line(value: str) -> str:
    """`value` as one line: runs of white space become one space."""
    return " ".join(text(value).split())


def closed(value: str) -> str:
    """`value` for plain text: when it holds right-to-left letters, a left-to-right mark ends it, so that the numbers
    which follow stay where they are."""
    return value + LRM if any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in value) else value


def _joined(found: re.Match[str]) -> str:
    before, joiners, after = found.groups()
    return f"{before}{joiners[0]}" if before and after else before
