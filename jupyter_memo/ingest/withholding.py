"""A parsed source without what looks like a secret, and what the report says of it: how many, what and where."""

from __future__ import annotations

import dataclasses
import json

from jupyter_memo.ingest import secrets
from jupyter_memo.ingest.secrets import Secret
from jupyter_memo.records import Chunk, Parsed

NAMED = 3
"""Places that a report names for each kind of secret; the others are counted."""

HINT = (
    "What looks like a key or a password was held back and is in no part of the index. If it is none: index the file "
    "again with --allow-secrets (allow_secrets=True in Python), or name it in the setting index.allow_secrets."
)


def without_secrets(parsed: Parsed) -> tuple[Parsed, int, str]:
    """The source without those chunks, how many they are, and the reason for the report (empty where there are none).

    What stands beside the chunks (title, tags, the turn before as a context) is dropped where it holds a secret itself.
    """
    held = secrets.held_back(parsed.chunks)
    turns = {(parsed.chunks[number].span.key, parsed.chunks[number].span.turn) for number in held}
    kept = tuple(_alone(chunk, turns) for number, chunk in enumerate(parsed.chunks) if number not in held)
    clean = dataclasses.replace(
        parsed,
        chunks=kept,
        title=parsed.title if not (parsed.title and secrets.find(parsed.title)) else None,
        tags=tuple(tag for tag in parsed.tags if not secrets.find(tag)),
        notes=tuple(note for note in parsed.notes if not secrets.find(note)),
        namespace=parsed.namespace if not (parsed.namespace and secrets.find(parsed.namespace)) else None,
    )
    return clean, len(held), _told({number: (parsed.chunks[number], what) for number, what in held.items()})


def remarked(fingerprint: str, held: int, reason: str) -> str:
    """The fingerprint of a source as it is stored, with what was held back of it when it was read."""
    return f"{fingerprint}\n{json.dumps([held, reason])}" if reason else fingerprint


def bare(fingerprint: str) -> str:
    """A stored fingerprint without what was remarked of the source when it was read: only this is to be compared."""
    return fingerprint.partition("\n")[0]


def withheld(fingerprint: str) -> tuple[int, str]:
    """How many passages of a stored source were held back, and why; a whole file, by its name, counts as one."""
    remark = fingerprint.partition("\n")[2]
    if not remark:
        return 0, ""
    number, reason = json.loads(remark)
    return int(number), str(reason)


def _alone(chunk: Chunk, turns: set[tuple[str | None, int | None]]) -> Chunk:
    """A chunk without its context where that is a turn that is held back, or holds a secret."""
    if not chunk.context:
        return chunk
    before = (chunk.span.key, chunk.span.turn - 1) if chunk.span.turn else None
    if before in turns or secrets.find(chunk.context):
        return dataclasses.replace(chunk, context="")
    return chunk


def _told(held: dict[int, tuple[Chunk, Secret]]) -> str:
    if not held:
        return ""
    places: dict[str, list[str]] = {}
    for _, (chunk, secret) in sorted(held.items()):
        places.setdefault(secret.what, []).append(_place(chunk, secret))
    parts = []
    for what, found in places.items():
        named = ", ".join(place for place in dict.fromkeys(found[:NAMED]) if place)
        more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
        parts.append(f"{what} ({named}{more})" if named else what)
    number = "1 passage" if len(held) == 1 else f"{len(held)} passages"
    return f"{number} held back: {'; '.join(parts)}"


def _place(chunk: Chunk, secret: Secret) -> str:
    """Where a secret stands, as far as the chunk tells: page, turn or cell, and line."""
    span = chunk.span
    parts = []
    if span.page is not None:
        parts.append(f"page {span.page}")
    if span.turn is not None:
        parts.append(f"turn {span.turn}")
    if span.cell is not None:
        parts.append(f"cell {span.cell + 1}" + (" output" if span.part == "output" else ""))
    if span.start_line is not None:
        last = span.start_line if span.end_line is None else span.end_line
        # Where the text is the lines themselves, the line is known; where some were left out, the stretch is.
        whole = last - span.start_line == chunk.text.count("\n")
        if whole or last == span.start_line:
            parts.append(f"line {min(span.start_line + secret.line, last)}")
        else:
            parts.append(f"lines {span.start_line} to {last}")
    elif span.key:
        parts.append(span.key)
    return " ".join(parts)
