"""HTML as a row of texts and tags, in one pass: whatever the markup is, its reading takes time in step with its length.

Written out here because the standard library's html.parser does not do that before Python 3.11.14: 30 kB of `<a ` take
it 8 seconds, and twice as much takes it four times as long. What is malformed is read as browsers read it, as far as
that says where text begins and ends. Nothing is fetched, run or expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Literal, NamedTuple

RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
"""Elements whose content is no markup."""

KEPT = frozenset(
    {"hidden", "aria-hidden", "style", "role", "class", "id", "name", "property", "content", "alt", "encoding", "open"}
)
"""Attributes that are told; the others are passed over."""

_NAME = re.compile(r"[A-Za-z][^\s/>]*+")
_ATTRIBUTE = re.compile(r"[\s/]*+([^\s/>][^\s/>=]*+)(?:\s*+(=)\s*+)?")
_BARE_VALUE = re.compile(r"[^\s>]*+")
_SIGNS = re.compile(r"[A-Za-z/!?]")
_LONG_NUMBER = re.compile(r"&#[0-9]{9,}+;?|&#[xX][0-9A-Fa-f]{8,}+;?")

_NOTHING: Mapping[str, str] = {}


class Token(NamedTuple):
    """A stretch of the source from `start` on. A text holds itself as it stands, entities and all, a tag its name in
    lower case; `alone` is a tag that opens and closes at once."""

    sort: Literal["text", "open", "close"]
    start: int
    value: str
    attributes: Mapping[str, str] = _NOTHING
    alone: bool = False


def written_out(text: str) -> str:
    """A text with its entities as the characters they stand for."""
    if "&" not in text:
        return text
    # No character has a number of nine digits, and Python refuses to read one of thousands.
    return unescape(_LONG_NUMBER.sub("\ufffd", text))


def tokens(text: str, *, xml: bool = False) -> Iterator[Token]:
    """The texts and tags of a document in order. Comments, declarations and instructions are left out; in `xml` an
    element may be closed by a stroke in its own tag, and CDATA is text."""
    find = _Finder(text)
    place, end = 0, len(text)
    while place < end:
        start = find("<", place)
        if start < 0:
            start = end
        if start > place:
            yield Token("text", place, text[place:start])
        if start == end:
            return
        sign = text[start + 1 : start + 2]
        if not _SIGNS.match(sign):
            yield Token("text", start, "<")
            place = start + 1
        elif sign == "!":
            if xml and text.startswith("<![CDATA[", start):
                stop = find("]]>", start)
                yield Token("text", start + 9, text[start + 9 : stop if stop >= 0 else end].replace("&", "&amp;"))
                place = stop + 3 if stop >= 0 else end
            else:
                place = _after_declaration(text, start, find)
        elif sign == "?" or (sign == "/" and not text[start + 2 : start + 3].isalpha()):
            place = find.after(">", start)
        elif sign == "/":
            found = _NAME.match(text, start + 2)
            place = find.after(">", start)
            if found:
                yield Token("close", start, found[0].lower())
        else:
            token, place = _opening(text, start, find, xml)
            yield token
            if token.value in RAW and not token.alone:
                stop = find.closing(token.value, place)
                if stop > place:
                    yield Token("text", place, text[place:stop])
                place = stop


class _Finder:
    """Looks for short texts from ever later places. What is not there any more is not looked for again, so that all
    looking together takes no more than some passes over the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next: dict[str, int] = {}

    def __call__(self, wanted: str, place: int) -> int:
        """Where it stands at or after a place; -1 where it does not."""
        known = self._next.get(wanted)
        if known is None or 0 <= known < place:
            known = self._next[wanted] = self._text.find(wanted, place)
        return known

    def after(self, wanted: str, place: int) -> int:
        """The place behind it; the end of the text where it does not come any more."""
        found = self(wanted, place)
        return len(self._text) if found < 0 else found + len(wanted)

    def closing(self, name: str, place: int) -> int:
        """Where the tag that closes an element of raw text stands; the end of the text where there is none."""
        found = re.compile(f"</{re.escape(name)}(?=[\\s/>])", re.IGNORECASE).search(self._text, place)
        return found.start() if found else len(self._text)


def _after_declaration(text: str, start: int, find: _Finder) -> int:
    """The place behind a comment or a declaration."""
    if not text.startswith("<!--", start):
        return find.after(">", start)
    for short in ("<!-->", "<!--->"):
        if text.startswith(short, start):
            return start + len(short)
    ends = [stop + len(mark) for mark in ("-->", "--!>") if (stop := find(mark, start + 4)) >= 0]
    return min(ends, default=len(text))


def _opening(text: str, start: int, find: _Finder, xml: bool) -> tuple[Token, int]:
    """The opening tag that begins at a place, and the place behind it."""
    found = _NAME.match(text, start + 1)
    name = found[0].lower() if found else ""
    place = found.end() if found else start + 1
    attributes: dict[str, str] = {}
    while True:
        if text[place : place + 1] == ">":
            return Token("open", start, name, attributes or _NOTHING), place + 1
        found = _ATTRIBUTE.match(text, place)
        if not found:
            stop = find.after(">", place)
            alone = xml and text[stop - 2 : stop] == "/>"
            return Token("open", start, name, attributes or _NOTHING, alone), stop
        key, place = found[1].lower(), found.end()
        value = ""
        if found[2]:
            value, place = _value(text, place, find)
        if key in KEPT:
            attributes.setdefault(key, written_out(value))


def _value(text: str, place: int, find: _Finder) -> tuple[str, int]:
    """The value of an attribute and the place behind it. A quote that is never closed ends with its tag."""
    quote = text[place : place + 1]
    if quote in ('"', "'"):
        stop = find(quote, place + 1)
        if stop >= 0:
            return text[place + 1 : stop], stop + 1
        stop = find(">", place)
        return text[place + 1 :] if stop < 0 else text[place + 1 : stop], len(text) if stop < 0 else stop
    found = _BARE_VALUE.match(text, place)
    return (found[0], found.end()) if found else ("", place)
