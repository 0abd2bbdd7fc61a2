"""Records a caller hands over: dicts, Arrow tables and streams or data frames become prepared sources, one by one."""

from __future__ import annotations

import difflib
import hashlib
import json
import numbers
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sized
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from jupyter_memo.errors import QueryError
from jupyter_memo.ingest import prepare as preparing
from jupyter_memo.ingest.labels import expiry
from jupyter_memo.ingest.prepare import Options, Prepared, Reading
from jupyter_memo.query import brief, checked_kind, checked_trust, parse_days, parse_time
from jupyter_memo.records import Kind, Parsed, Source

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
    "ttl",
    "lang",
    "thread",
    "context",
)

TABLE_ROWS = 1000
"""Rows of a table that are Python objects at one time."""

THREADS = 1000
THREAD_CHARACTERS = 2**24
"""Threads whose last turn is remembered, and the length of those turns together: one that has been silent for longer
than a thousand others begins anew."""


def records(given: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of a list of dicts, one dict, an Arrow table, batch or stream, a pandas or polars data frame, or of
    anything else that gives an Arrow stream or can be iterated, as they are asked for."""
    if isinstance(given, Mapping):
        yield given
    elif hasattr(given, "to_dict") and hasattr(given, "iloc") and hasattr(given, "columns"):
        # Not as Arrow: a column of a pandas frame may hold values of several types.
        for start in range(0, len(given), TABLE_ROWS):
            yield from given.iloc[start : start + TABLE_ROWS].to_dict(orient="records")
    elif isinstance(given, pa.RecordBatch):
        yield from _rows([given])
    elif hasattr(given, "__arrow_c_stream__"):
        try:
            stream = pa.RecordBatchReader.from_stream(given)
        except (pa.ArrowException, TypeError) as error:
            raise QueryError(f"{_NO_RECORDS}; this {type(given).__name__} is no table") from error
        yield from _rows(stream)
    elif hasattr(given, "to_pylist"):
        yield from given.to_pylist()
    elif isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        yield from given
    else:
        raise QueryError(_NO_RECORDS)


def number(given: Any) -> int:
    """How many records these are; 0 for what only reading them through would tell."""
    if isinstance(given, Mapping):
        return 1
    return len(given) if isinstance(given, Sized) else 0


_NO_RECORDS = "records are dicts, an Arrow table or a data frame, each row with a text"


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Mapping[str, Any]]:
    for batch in batches:
        for start in range(0, batch.num_rows, TABLE_ROWS):
            yield from batch.slice(start, TABLE_ROWS).to_pylist()


def prepared(given: Any, options: Options, reading: Reading, now: datetime) -> Iterator[tuple[Source, Prepared]]:
    """One prepared source a record, made as it is asked for. Raises QueryError, naming the record, for a missing text
    or an unknown field: before the first source where `given` has a length, so that it can be read twice, else when
    the record comes.

    A record's id is its uri; without one it is a digest of its text, so the same text is the same record. Records of
    one `thread` (in one namespace) are turns of a conversation in the order they come in: each has the text of the one
    before it as its context, unless it brings a `context` of its own.
    """
    if isinstance(given, Sized):
        for number, record in enumerate(records(given), 1):
            _check(record, number)
    threads = _Threads()
    for number, record in enumerate(records(given), 1):
        _check(record, number)
        text = str(record["text"])
        id = _text(record, "id") or "record/" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        title = _text(record, "title")
        breadcrumb = _several(record, "header")
        lang = _text(record, "lang")
        if title and (not breadcrumb or breadcrumb[-1] != title):
            breadcrumb = (*breadcrumb, title)
        own = Options(
            namespace=options.namespace or _text(record, "namespace"),
            kind=options.kind or _kind(record, number),
            tags=tuple(dict.fromkeys((*options.tags, *_several(record, "tags")))),
            library=options.library or _text(record, "library"),
            version=options.version or _text(record, "version"),
            trust=options.trust if options.trust is not None else _trust(record, number),
            allow_secrets=options.allow_secrets,
        )
        created = _time(record, "created_at", number)
        expires = _time(record, "expires_at", number) or _end(record, created or now, number)
        context = threads.context(record, id, text, own.namespace or "")
        content = json.dumps([text, breadcrumb, str(created), str(expires), lang, context])
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
            chunks=preparing.whole(text, breadcrumb, context, reading),
            created_at=created,
            expires_at=expires,
            lang=lang,
        )
        yield (
            source,
            preparing.prepare(
                parsed, source, own, count_tokens=reading.count_tokens, now=now, dated=now, labels=reading.labels
            ),
        )


class _Threads:
    """The last turn of each thread so far: its id, its text, its context. Holds the threads that spoke last."""

    def __init__(self) -> None:
        self._last: OrderedDict[tuple[str, str], tuple[str, str, str]] = OrderedDict()
        self._characters = 0

    def context(self, record: Mapping[str, Any], id: str, text: str, namespace: str) -> str:
        """The context of the next record: its own, else the text of the turn before; empty where there is neither."""
        context = _text(record, "context") or ""
        if thread := _text(record, "thread"):
            before = self._last.pop((namespace, thread), None)
            if before:
                self._characters -= _length(before)
            if before and not context:
                # One that is given again is no turn of its own: it has the context it had.
                context = before[2] if before[0] == id else before[1]
            self._last[namespace, thread] = turn = (id, text, context)
            self._characters += _length(turn)
            while len(self._last) > THREADS or (self._characters > THREAD_CHARACTERS and len(self._last) > 1):
                self._characters -= _length(self._last.popitem(last=False)[1])
        return context


def _length(turn: tuple[str, str, str]) -> int:
    return len(turn[1]) + len(turn[2])


def _check(record: Any, number: int) -> None:
    if not isinstance(record, Mapping):
        raise QueryError(f"record {number} is a {type(record).__name__}; a record is a dict with a text")
    for name in record:
        if name not in FIELDS:
            near = difflib.get_close_matches(str(name), FIELDS, n=1)
            cure = f"Did you mean {near[0]}?" if near else "Fields: " + ", ".join(FIELDS)
            raise QueryError(f"record {number} has an unknown field {name!r}. {cure}")
    text = _given(record, "text")
    if not isinstance(text, str) or not text.strip():
        raise QueryError(f"record {number} has no text. Every record needs a non-empty text")
    _kind(record, number)
    _trust(record, number)
    _time(record, "created_at", number)
    _time(record, "expires_at", number)


def _given(record: Mapping[str, Any], name: str) -> Any:
    """A field's value: None where it is missing, an int where a data frame made a float of one (1.0 beside NaN)."""
    value = record.get(name)
    if _missing(value):
        return None
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and float(value).is_integer():
        return int(float(value))
    return value


def _missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, NaT (both differ from themselves), pandas.NA (knows no truth)."""
    if value is None:
        return True
    if hasattr(value, "__len__"):  # comparing an array with itself gives an array
        return False
    try:
        return bool(value != value)
    except TypeError:
        return True


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = _given(record, name)
    return str(value).strip() or None if value is not None else None


def _kind(record: Mapping[str, Any], number: int) -> Kind | None:
    kind = _text(record, "kind")
    try:
        return checked_kind(kind) if kind is not None else None
    except QueryError as error:
        raise QueryError(f"record {number}: {error}") from error


def _trust(record: Mapping[str, Any], number: int) -> int | None:
    trust = _given(record, "trust")
    try:
        return checked_trust(trust) if trust is not None else None
    except QueryError as error:
        raise QueryError(f"record {number}: {error}") from error


def _end(record: Mapping[str, Any], start: datetime, number: int) -> datetime | None:
    """The end of a record's time to live; None for a record that has none. Without a date of its own, a record that is
    given again lives anew."""
    ttl = _given(record, "ttl")
    try:
        return expiry(start, parse_days(ttl)) if ttl is not None else None
    except QueryError as error:
        raise QueryError(f"record {number}: {error}") from error


def _several(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A field of several texts; one text (or number) is one of them, and what is missing or blank is none."""
    value = _given(record, name)
    if value is None:
        return ()
    values = value if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else (value,)
    return tuple(str(each).strip() for each in values if not _missing(each) and str(each).strip())


def _time(record: Mapping[str, Any], name: str, number: int) -> datetime | None:
    """An aware UTC time; a number counts seconds since 1970, and what has no zone is taken as UTC."""
    value = _given(record, name)
    if value is None:
        return None
    try:
        if hasattr(value, "to_pydatetime"):
            value = value.to_pydatetime(warn=False)  # nanoseconds are dropped knowingly
        elif not isinstance(value, bool) and isinstance(value, numbers.Real):
            value = datetime.fromtimestamp(float(value), UTC)
        return parse_time(value, name)
    except QueryError as error:
        raise QueryError(f"record {number}: {error}") from error
    except (ValueError, OverflowError, OSError) as error:
        cure = "A number counts seconds since 1970"
        raise QueryError(f"record {number}: {name}:{brief(value)} is not a date. {cure}") from error
