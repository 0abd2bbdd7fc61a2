"""Records a caller hands over: dicts, an Arrow table or a data frame become prepared sources."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from jupyter_memo.errors import QueryError
from jupyter_memo.ingest import prepare as preparing
from jupyter_memo.ingest.prepare import Options, Prepared, Reading
from jupyter_memo.query import parse_time
from jupyter_memo.records import KINDS, Kind, Parsed, Source

FIELDS = (
    "text",
    "id",
    "title",
    "header",
    "kind",
    "tags",
    "namespace",
    "library",
    "version",
    "trust",
    "created_at",
    "expires_at",
    "lang",
)


def records(given: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of a list of dicts, one dict, an Arrow table or batch, or a pandas data frame."""
    if isinstance(given, Mapping):
        yield given
    elif hasattr(given, "to_pylist"):
        yield from given.to_pylist()
    elif hasattr(given, "to_dict") and hasattr(given, "columns"):
        yield from given.to_dict(orient="records")
    elif isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        yield from given
    else:
        raise QueryError("records are a list of dicts, an Arrow table or a data frame, each row with a text")


def prepared(given: Any, options: Options, reading: Reading, now: datetime) -> Iterator[tuple[Source, Prepared]]:
    """One prepared source a record. Raises QueryError, naming the record, for a missing text or an unknown field.

    A record's id is its uri; without one it is a digest of its text, so the same text is the same record.
    """
    for number, record in enumerate(records(given), 1):
        _check(record, number)
        text = str(record["text"])
        id = _text(record, "id") or "record/" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        title = _text(record, "title")
        header = record.get("header")
        breadcrumb = tuple(str(part) for part in header) if isinstance(header, (list, tuple)) else ()
        if isinstance(header, str) and header.strip():
            breadcrumb = (header.strip(),)
        if title and (not breadcrumb or breadcrumb[-1] != title):
            breadcrumb = (*breadcrumb, title)
        own = Options(
            namespace=options.namespace or _text(record, "namespace"),
            kind=options.kind or _kind(record, number),
            tags=tuple(dict.fromkeys((*options.tags, *_tags(record)))),
            library=options.library or _text(record, "library"),
            version=options.version or _text(record, "version"),
            trust=options.trust if options.trust is not None else record.get("trust"),
        )
        created, expires = _time(record, "created_at", number), _time(record, "expires_at", number)
        content = json.dumps([text, breadcrumb, str(created), str(expires), record.get("lang")])
        source = Source(
            id=preparing.source_id("memory", "", id),
            uri=id,
            path=id,
            surface="memory",
            title=title or "",
            sha256=hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest(),
            fingerprint=reading.fingerprint(own),
            size=len(text),
            recorded_at=now,
        )
        parsed = Parsed(
            chunks=preparing.whole(text, breadcrumb, reading),
            created_at=created,
            expires_at=expires,
            lang=_text(record, "lang"),
        )
        yield source, preparing.prepare(parsed, source, own, count_tokens=reading.count_tokens, now=now, dated=now)


def _check(record: Any, number: int) -> None:
    if not isinstance(record, Mapping):
        raise QueryError(f"record {number} is a {type(record).__name__}; a record is a dict with a text")
    for name in record:
        if name not in FIELDS:
            near = difflib.get_close_matches(str(name), FIELDS, n=1)
            cure = f"Did you mean {near[0]}?" if near else "Fields: " + ", ".join(FIELDS)
            raise QueryError(f"record {number} has an unknown field {name!r}. {cure}")
    if not isinstance(record.get("text"), str) or not record["text"].strip():
        raise QueryError(f"record {number} has no text. Every record needs a non-empty text")


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    return str(value).strip() or None if value is not None else None


def _kind(record: Mapping[str, Any], number: int) -> Kind | None:
    kind = _text(record, "kind")
    if kind is not None and kind not in KINDS:
        raise QueryError(f"record {number} has kind {kind!r}. Kinds: {', '.join(KINDS)}")
    return kind


def _tags(record: Mapping[str, Any]) -> tuple[str, ...]:
    tags = record.get("tags")
    if tags is None:
        return ()
    return (tags,) if isinstance(tags, str) else tuple(str(tag) for tag in tags)


def _time(record: Mapping[str, Any], name: str, number: int) -> datetime | None:
    """An aware UTC time; what has no zone is taken as UTC."""
    value = record.get(name)
    if value is None or value != value:  # NaT and NaN of data frames differ from themselves
        return None
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime()
    if isinstance(value, (int, float)):
        value = datetime.fromtimestamp(value, UTC)
    try:
        return parse_time(value, name)
    except QueryError as error:
        raise QueryError(f"record {number}: {error}") from error
