"""Conversations by turn: Jupyter `.chat`, exports of ChatGPT and Claude, and JSON or JSON Lines of roles and contents.

A passage is one turn, under the title of its conversation and under who said it when; the turn before is its context.
What is no conversation by its shape is left to the reader of its format.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from jupyter_memo.chunk import exports
from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.exports import Conversation
from jupyter_memo.chunk.frontmatter import FrontMatter
from jupyter_memo.chunk.section import Block, Document, Section
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Span

MAX_CONTEXT = 8_000
"""Characters of the turn before that are kept as context, its last ones; far more than is ever used of it."""

_HINT = re.compile(r'"(?:role|mapping|chat_messages|messages|sender|speaker|author|from|user)"\s*:')
"""A key that every conversation has; a file without one is not parsed to find out."""

HINT_CHARACTERS = 65_536
"""How far into a file the first such key may stand."""

_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")


def read(text: str, form: str, *, uri: str) -> Document | None:
    """A file of the form chat, json or jsonl by turn; None when a json or jsonl is no conversation by its shape.

    Raises IngestError for a .chat that is no JSON or no chat.
    """
    if form != "chat" and not _HINT.search(text, 0, HINT_CHARACTERS):
        return None
    left_out: Counter[str] = Counter()
    try:
        value, lines = _lines(text, left_out) if form == "jsonl" else (json.loads(text), [])
        found = exports.conversations(value, left_out)
    except (ValueError, RecursionError) as error:
        if form != "chat":
            return None  # the reader of JSON says what is wrong with it
        where = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise IngestError(f"it is not valid JSON ({where}). Save it again", uri=uri, stage="read") from error
    if found is None:
        if form != "chat":
            return None
        raise IngestError("it is JSON, but no chat: it has no list of messages", uri=uri, stage="chunk")
    several = len(found) > 1
    sections = tuple(section for each in found for section in _sections(each, lines, left_out, several=several))
    dates = [section.created_at for section in sections if section.created_at]
    titles = {each.title for each in found}
    return Document(
        sections=sections,
        title=(titles.pop() or None) if len(titles) == 1 else None,
        front=FrontMatter(kind="conversation", created_at=min(dates, default=None)),
        notes=tuple(f"{count} {what} left out" for what, count in left_out.items()),
    )


def _lines(text: str, left_out: Counter[str]) -> tuple[list[Any], list[int]]:
    """The values of JSON Lines and the number of the line each stands on. Nothing when the first is no conversation, so
    that a long file of data is not parsed for nothing. Raises ValueError when the first line is no JSON."""
    values: list[Any] = []
    lines: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values.append(json.loads(line))
        except ValueError:
            if not values:
                raise
            left_out["lines that are not valid JSON"] += 1
            continue
        lines.append(number)
        if len(values) == 1 and exports.conversations(values, Counter()) is None:
            return [], []
    return values, lines


def _sections(talk: Conversation, lines: list[int], left_out: Counter[str], *, several: bool) -> Iterator[Section]:
    """A section a turn. `lines` are those of the conversations where there are several, else of the messages."""
    before = ""
    for number, turn in enumerate(talk.turns, 1):
        text, blobs = without_blobs(turn.text)
        if blobs:
            left_out["embedded images or data"] += blobs
        time = turn.time or talk.time
        line = lines[talk.place if talk.own_list else turn.place] if lines else None
        said = ", ".join(filter(None, (turn.speaker, _stamp(turn.time))))
        yield Section(
            header=tuple(filter(None, (talk.title, said or f"turn {number}"))),
            blocks=tuple(_blocks(text)),
            span=Span(turn=number, key=f"[{talk.place}]" if several else None, start_line=line, end_line=line),
            context=before,
            created_at=time,
            join="never",
        )
        before = text[-MAX_CONTEXT:]


def _stamp(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def _blocks(text: str) -> Iterator[Block]:
    """A turn at its empty lines; code between fences stays whole."""
    run: list[str] = []
    fence = ""
    for line in (*text.split("\n"), ""):
        mark = _FENCE.match(line)
        if fence:
            run.append(line)
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                yield Block(text="\n".join(run), code=True)
                run, fence = [], ""
        elif mark:
            if run:
                yield Block(text="\n".join(run))
            run, fence = [line], mark[1]
        elif line.strip():
            run.append(line)
        elif run:
            yield Block(text="\n".join(run))
            run = []
    if run:
        yield Block(text="\n".join(run).rstrip(), code=True)
