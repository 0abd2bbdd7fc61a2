"""Time words of a query ("last week", "since March 2025") as the fields they would be: a suggestion, never applied.

A query for "what we decided last week" may want the notes of that week or the note that says "last week". So its words
stay words, and the reader is told the filter. Weeks begin on Monday; all days are those of UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

YEARS_BACK = 10
"""A year that lies further back is what a text speaks of rather than when it was written."""

RECENT = "90d"

READ_CHARACTERS = 1_000
"""Of a query so much is read for time words: longer ones are texts."""

MOST = 2

_MONTHS = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)
_MONTH = "|".join(_MONTHS)
_NAMED = "|".join(month.title() for month in _MONTHS)
_NUMBERS = dict(zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True))  # noqa: SIM905
_UNITS = {"day": "d", "week": "w", "month": "m", "year": "y"}

Span = tuple[date | str, date | str | None]
"""The first day and the day after the last one, either as a day or as a field's value; None for an open end."""


def suggested(text: str, now: datetime) -> tuple[tuple[str, str], ...]:
    """Time words as they stand in the text, each with the fields it would be: ("last week", "since:2026-02-16
    before:2026-02-23"). Empty strings never; at most MOST."""
    read = text[:READ_CHARACTERS]
    today = now.astimezone(UTC).date()
    found: list[tuple[int, int, str, str]] = []
    for pattern, meant in _RULES:
        for match in pattern.finditer(read):
            span = meant(match, today)
            if span is not None and not any(start < match.end() and match.start() < end for start, end, *_ in found):
                found.append((match.start(), match.end(), match.group(), _fields(span)))
    return tuple((words, fields) for _, _, words, fields in sorted(found)[:MOST])


def _fields(span: Span) -> str:
    since, before = span
    parts = (f"since:{since}" if since else "", f"before:{before}" if before else "")
    return " ".join(filter(None, parts))


def _day(match: re.Match[str], today: date) -> Span:
    yesterday = today - timedelta(days=1)
    return (yesterday, today) if match[1].lower() == "yesterday" else (today, None)


def _unit(match: re.Match[str], today: date) -> Span:
    begins = {"week": today - timedelta(days=today.weekday()), "month": today.replace(day=1)}
    unit = match[2].lower()
    start = begins.get(unit, today.replace(month=1, day=1))
    if match[1].lower() == "this":
        return start, None
    before = {
        "week": start - timedelta(days=7),
        "month": (start - timedelta(days=1)).replace(day=1),
    }.get(unit, start.replace(year=start.year - 1))
    return before, start


def _ago(match: re.Match[str], _today: date) -> Span:
    number = _NUMBERS.get(match[1].lower()) or int(match[1])
    return f"{number}{_UNITS[match[2].lower()]}", None


def _recent(_match: re.Match[str], _today: date) -> Span:
    return RECENT, None


def _bound(match: re.Match[str], _today: date) -> Span | None:
    month = f"-{_MONTHS.index(match[2].lower()) + 1:02d}" if match[2] else ""
    value = f"{match[3]}{month}"
    return (value, None) if match[1].lower() == "since" else ("", value)


def _year(match: re.Match[str], today: date) -> Span | None:
    year = int(match[2])
    if not today.year - YEARS_BACK <= year <= today.year:
        return None
    month = _MONTHS.index(match[1].lower()) + 1 if match[1] else 0
    return _month(year, month) if month else (date(year, 1, 1), date(year + 1, 1, 1))


def _last_month(match: re.Match[str], today: date) -> Span:
    month = _MONTHS.index(match[1].lower()) + 1
    return _month(today.year - (month >= today.month), month)


def _month(year: int, month: int) -> Span:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Span | None]], ...] = (
    (re.compile(r"\b(yesterday|today)\b", re.IGNORECASE), _day),
    (re.compile(r"\b(last|past|previous|this) (week|month|year)\b", re.IGNORECASE), _unit),
    (re.compile(rf"\b(?:last|past) (\d{{1,3}}|{'|'.join(_NUMBERS)}) (day|week|month|year)s?\b", re.IGNORECASE), _ago),
    (re.compile(rf"\b(since|before) (?:({_MONTH}) )?((?:19|20)\d\d)\b", re.IGNORECASE), _bound),
    (re.compile(rf"\b(?:in|from|of|during)\s(?:({_MONTH}) )((?:19|20)\d\d)\b", re.IGNORECASE), _year),
    (re.compile(r"\bin()\s((?:19|20)\d\d)\b", re.IGNORECASE), _year),
    (re.compile(rf"\b(?:last|in|from) ({_NAMED})\b(?! \d)"), _last_month),
    (re.compile(r"\b(?:recent|recently|lately)\b", re.IGNORECASE), _recent),
)
