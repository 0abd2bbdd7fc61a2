"""What a document says of itself in its first lines: title, kind, tags, dates, validity, namespace."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import yaml

from jupyter_memo.errors import QueryError
from jupyter_memo.query import parse_days
from jupyter_memo.records import KINDS, Kind

WORTH_READING = frozenset(
    {"abstract", "aliases", "author", "authors", "categories", "description", "doi", "keywords", "subtitle", "summary"}
)
"""Keys whose values a reader would search for. Front matter that has one of them is a piece of its own; the rest
(layout, kernels, formats) only steers programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """The typed fields; each is None or empty where the source does not say it, or says it in a way that has no
    meaning (then `notes` tells). Times are aware UTC; `ttl_days` is how long the document is valid from its date on."""

    title: str | None = None
    kind: Kind | None = None
    tags: tuple[str, ...] = ()
    namespace: str | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    ttl_days: float | None = None
    lang: str | None = None
    worth_reading: bool = False
    notes: tuple[str, ...] = ()


def parse(source: str, *, toml: bool = False) -> FrontMatter:
    """Typed fields of front matter as it stands between its fences. Never raises: what cannot be read is noted."""
    try:
        loaded: Any = tomllib.loads(source) if toml else yaml.safe_load(source)
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError):
        return FrontMatter(notes=("front matter could not be read",), worth_reading=True)
    if loaded is None:
        return FrontMatter()
    if not isinstance(loaded, dict):
        return FrontMatter(notes=("front matter is not a list of fields",), worth_reading=True)
    return of_fields({str(key).lower(): value for key, value in loaded.items()})


def of_fields(fields: dict[str, Any]) -> FrontMatter:
    """The typed fields among named values; names are in lower case."""
    notes: list[str] = []
    return FrontMatter(
        title=_words(fields.get("title")),
        kind=_kind(fields.get("kind"), notes),
        tags=_tags(fields.get("tags", fields.get("tag"))),
        namespace=_words(fields.get("namespace")),
        created_at=_time(fields, ("created", "created_at", "date"), notes),
        expires_at=_time(fields, ("expires", "expires_at", "valid_until", "valid_to"), notes),
        ttl_days=_ttl(fields.get("ttl"), notes),
        lang=_words(fields.get("lang", fields.get("language"))),
        worth_reading=not WORTH_READING.isdisjoint(fields),
        notes=tuple(notes),
    )


def _words(value: object) -> str | None:
    """One line of text, or None for what is none."""
    return " ".join(str(value).split()) or None if isinstance(value, str | int | float | date) else None


def _kind(value: object, notes: list[str]) -> Kind | None:
    if value is None:
        return None
    kind = str(value).strip().lower()
    if kind in KINDS:
        return kind
    near = difflib.get_close_matches(kind[:40], KINDS, n=1)
    notes.append(f"kind {kind[:40]!r} in the front matter is unknown" + (f", did you mean {near[0]}?" if near else ""))
    return None


def _tags(value: object) -> tuple[str, ...]:
    """Tags from a list, or from one line with commas or blanks between them; a leading # is no part of a tag."""
    if isinstance(value, str):
        value = value.split(",") if "," in value else value.split()
    if not isinstance(value, list):
        return ()
    tags = (str(tag).strip().removeprefix("#") for tag in value if isinstance(tag, str | int | float))
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def _time(fields: dict[str, Any], names: tuple[str, ...], notes: list[str]) -> datetime | None:
    for name in names:
        value = fields.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, int) and 1000 <= value <= 9999:
            return datetime(value, 1, 1, tzinfo=UTC)
        try:
            if isinstance(value, str):
                value = _written(value.strip())
            if isinstance(value, datetime):
                return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
            if isinstance(value, date):
                return datetime(value.year, value.month, value.day, tzinfo=UTC)
        except (ValueError, OverflowError):
            pass
        notes.append(f"{name} in the front matter is no date as 2026-06-30 is one")
    return None


def _ttl(value: object, notes: list[str]) -> float | None:
    if value is None or value == "":
        return None
    try:
        return parse_days(value)
    except QueryError:
        notes.append("ttl in the front matter is no time to live as 30d or 2w is one")
        return None


def _written(text: str) -> datetime:
    """A time as ISO writes it, or a day as papers write it. Raises ValueError."""
    for form in ("%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y"):
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return datetime.fromisoformat(text.replace("/", "-"))
