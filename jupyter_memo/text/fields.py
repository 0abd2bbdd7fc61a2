"""The fields of a query (`kind:note since:2026-06`): their names, their values, and the scope they make."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from jupyter_memo.errors import QueryError
from jupyter_memo.query import Scope
from jupyter_memo.records import KINDS

FIELDS: dict[str, str] = {
    "ns": "namespaces",
    "namespace": "namespaces",
    "kind": "kinds",
    "tag": "tags",
    "lib": "libraries",
    "version": "versions",
    "source": "sources",
    "lang": "langs",
    "trust": "min_trust",
    "since": "since",
    "before": "before",
    "as_of": "as_of",
}
"""Field names as they are typed, and the part of the scope each one fills."""

TRUST_MAX = 3

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_AGO = re.compile(r"(\d{1,4})([dwmy])")
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}


def into_scope(scope: Scope, name: str, values: tuple[str, ...], now: datetime) -> Scope:
    """The scope with one field added; several values mean any of them, a field given twice adds to its values (of a
    date given twice the last one counts). Raises QueryError, with the cure, for a value the field cannot have."""
    target = FIELDS[name]
    value: Any
    if target in ("since", "before", "as_of"):
        value = moment(name, _single(name, values), now)
    elif target == "min_trust":
        value = _trust(_single(name, values))
    else:
        known: tuple[str, ...] = getattr(scope, target)
        value = tuple(dict.fromkeys((*known, *(_TIDY.get(target, str.strip)(value) for value in values))))
    return dataclasses.replace(scope, **{target: value})


def moment(name: str, value: str, now: datetime) -> datetime:
    """The point in time a date field means, aware UTC.

    A year, month or day means its beginning; for `as_of` its end, so that what was written on that day counts. An ISO
    time without a zone is UTC. `today`, `yesterday` and `7d`, `2w`, `6m`, `1y` (of 30 and 365 days) count back from
    `now`.
    """
    word = value.strip().rstrip(".,;!?").lower()
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        if word in ("today", "yesterday"):
            start = today - timedelta(days=word == "yesterday")
            return _last(start + timedelta(days=1)) if name == "as_of" else start
        if ago := _AGO.fullmatch(word):
            return now.astimezone(UTC) - timedelta(days=int(ago[1]) * _DAYS[ago[2]])
        if date := _DATE.fullmatch(word):
            year, month, day = int(date[1]), int(date[2] or 1), int(date[3] or 1)
            start = datetime(year, month, day, tzinfo=UTC)
            return _last(_following(start, date)) if name == "as_of" else start
        time = datetime.fromisoformat(word.upper().replace("/", "-"))
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise QueryError(
            f"{name}:{_shown(value)} is not a date. Write {name}:2026, {name}:2026-06, {name}:2026-06-30 or {name}:7d"
        ) from error


def _following(start: datetime, date: re.Match[str]) -> datetime:
    """The beginning of the next year, month or day."""
    if date[3]:
        return start + timedelta(days=1)
    if date[2]:
        return start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
    return start.replace(year=start.year + 1)


def _last(following: datetime) -> datetime:
    return following - timedelta(microseconds=1)


def _kind(value: str) -> str:
    kind = value.strip().lower()
    if kind in KINDS:
        return kind
    near = difflib.get_close_matches(kind[:40], KINDS, n=1, cutoff=0.5)
    cure = f"Did you mean kind:{near[0]}? " if near else ""
    raise QueryError(f"kind:{_shown(value)} is not a kind. {cure}Kinds are {', '.join(KINDS)}")


def _trust(value: str) -> int:
    word = value.strip()
    if len(word) == 1 and word.isascii() and word.isdigit() and int(word) <= TRUST_MAX:
        return int(word)
    raise QueryError(f"trust:{_shown(value)} is not a level. Write trust:0 to trust:{TRUST_MAX}, the least that counts")


_TIDY: dict[str, Callable[[str], str]] = {
    "kinds": _kind,
    "tags": lambda tag: tag.strip().removeprefix("#"),
    "langs": lambda lang: lang.strip().lower(),
}


def _single(name: str, values: tuple[str, ...]) -> str:
    if len(values) != 1:
        raise QueryError(f"{name}: takes one value, not {len(values)}. Give the one you mean")
    return values[0]


def _shown(value: str) -> str:
    return value if len(value) <= 40 else value[:39] + "…"
