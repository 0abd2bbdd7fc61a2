"""What is asked: a query, its scope, its mode."""

from __future__ import annotations

import dataclasses
import difflib
import math
import numbers
import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, get_args

from jupyter_memo.errors import QueryError
from jupyter_memo.records import KINDS, SURFACES, Kind, Surface

Mode = Literal["auto", "keyword", "exact", "semantic"]
MODES: tuple[Mode, ...] = get_args(Mode)

Granularity = Literal["passage", "document", "fact"]
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)

LIMIT_MAX = 100
"""The most results one page may hold; more is what `offset` is for."""

QUERIES_MAX = 9
"""So many other wordings of a question vote beside it: each costs a search of its own."""

LIKE = "like: "
"""What a query begins with that asks for what is like something: a passage, a source, a text."""

TRUST_MAX = 3

GRADE_MAX = 3

WHOLE_MAX = 2**53 - 1
"""The largest whole number that all who read JSON read as it is."""

BRIEF = 80
"""Characters of a value that a message repeats."""


def whole(value: object, name: str) -> int:
    """A whole number, also one of NumPy's. Raises QueryError naming the field for anything else, True included, and for
    one that is no count of anything."""
    try:
        if isinstance(value, bool):
            raise TypeError(value)
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError as error:
        raise QueryError(f"{name} {brief(value)} is not a whole number. Write it in digits, as in {name}=1") from error
    if abs(number) > WHOLE_MAX:
        raise QueryError(f"{name} {brief(number)} is too large a number. Write a smaller one")
    return number


def checked_trust(value: object) -> int:
    """A trust of 0 to 3. Raises QueryError for anything else."""
    trust = whole(value, "trust")
    if not 0 <= trust <= TRUST_MAX:
        raise QueryError(f"trust {trust} is outside 0..{TRUST_MAX}. Files have 2; 3 is checked by its owner")
    return trust


def checked_grade(value: object) -> int:
    """A grade of 0 to 3. Raises QueryError for anything else."""
    grade = whole(value, "grade")
    if not 0 <= grade <= GRADE_MAX:
        raise QueryError(f"grade {grade} is outside 0..{GRADE_MAX}. 0 is no answer, {GRADE_MAX} is the answer")
    return grade


def checked_similarity(value: object) -> float | None:
    """A least cosine of -1 to 1, or None for none. Raises QueryError for anything else."""
    if value is None:
        return None
    if not -1 <= _real(value) <= 1:
        raise QueryError(f"min_similarity {brief(value)} is no cosine. Write a number of 0 to 1, such as 0.5")
    return _real(value)


def _texts(value: object, name: str) -> tuple[str, ...]:
    """One text or several. Raises QueryError naming the field for what is neither."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise QueryError(f"{name} {brief(value)} is no text and no list of texts. Write it in quotes")
    return tuple(str(each) for each in value)


def _real(value: object) -> float:
    """A number as a float; NaN for what is none, or too large to be one."""
    try:
        return float(value) if not isinstance(value, bool) and isinstance(value, numbers.Real) else math.nan
    except OverflowError:
        return math.nan


def brief(value: object) -> str:
    """What was given, for a message of one line."""
    try:
        told = repr(value)
    except (ValueError, RecursionError):  # a number of more digits than Python writes out
        told = f"a {type(value).__name__} of thousands of digits"
    return told if len(told) <= BRIEF else told[:BRIEF] + "…"


def checked_queries(values: object) -> tuple[str, ...]:
    """The other wordings of a question, blank ones left out. Raises QueryError for what is no list of texts, or too
    many of them."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise QueryError(f"queries is a {type(values).__name__}. Give a list of texts, as in queries=['…', '…']")
    given = tuple(values)
    for value in given:
        if not isinstance(value, str):
            raise QueryError(f"one of queries is a {type(value).__name__}, not text. Give a list of texts")
    queries = tuple(dict.fromkeys(value for value in given if value.strip()))
    if len(queries) > QUERIES_MAX:
        raise QueryError(f"{len(queries)} queries are given beside the text; at most {QUERIES_MAX} can vote")
    return queries


def checked_surfaces(values: object) -> tuple[Surface, ...]:
    """Where to search, in the fixed order: one name or several of SURFACES, or "all". Raises QueryError, naming the
    nearest, for anything else."""
    given = (values,) if isinstance(values, str) else tuple(values) if isinstance(values, Iterable) else (values,)
    for value in given:
        if value not in (*SURFACES, "all"):
            near = difflib.get_close_matches(brief(value).strip("'"), SURFACES, n=1)
            meant = f"Did you mean {near[0]}? " if near else ""
            raise QueryError(f"surface {brief(value)} is unknown. {meant}Surfaces: {', '.join(SURFACES)}, all")
    return tuple(surface for surface in SURFACES if surface in given or "all" in given)


def checked_label(value: object, name: str) -> str | None:
    """A text, or None for none. Raises QueryError naming the field for anything else, a number too: 1.10 is not 1.1."""
    if value is None or isinstance(value, str):
        return value
    raise QueryError(f"{name} {brief(value)} is no text. Write it in quotes, as in {name}='x'")


def checked_tags(value: object) -> tuple[str, ...]:
    """Tags, one as a text or several in a list. Raises QueryError for anything else."""
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if value is None:
        return ()
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise QueryError(f"tags {brief(value)} is no text and no list of texts. Write them as in tags=['x', 'y']")
    return tuple(tag for each in value if (tag := checked_label(each, "tags")) is not None)


def checked_kind(value: object) -> Kind:
    """A kind of record. Raises QueryError, naming the nearest, for anything else."""
    for kind in KINDS:
        if kind == value:
            return kind
    near = difflib.get_close_matches(brief(value).strip("'"), KINDS, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise QueryError(f"kind {brief(value)} is unknown. {meant}Kinds: {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which passages may be found. Several values in one field mean any of them; several fields mean all of them.

    `sources` are globs over `uri` (`notes/*.md`); `since` and `before` bound `created_at` (since <= created < before);
    `as_of` asks what was live at that time; `min_trust` is 0 to 3. An empty scope is the whole live index without the
    system namespaces.
    """

    namespaces: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    langs: tuple[str, ...] = ()
    owner: str | None = None
    min_trust: int | None = None
    since: datetime | None = None
    before: datetime | None = None
    as_of: datetime | None = None

    def __post_init__(self) -> None:
        if self.min_trust is not None:
            object.__setattr__(self, "min_trust", whole(self.min_trust, "min_trust"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question as it was asked, before it is planned.

    `limit` is 1 to 100 results a page, `offset` how many to skip, `max_tokens` the budget in model tokens (None: none).
    `min_relevance` is a floor on the cosine alone: of what nothing but meaning found, and in a query that begins with
    `LIKE` of everything.
    `now` fixes the clock for recency and for the live filter; without a zone it is UTC. `queries` are the same question
    in other words, which vote with `text`; at most QUERIES_MAX. With two `surfaces` or three each is searched by
    itself, and what they find is merged (`ranking.surfaces`); one is the same as a scope of it. Raises QueryError for a
    value that cannot be meant.
    """

    text: str
    mode: Mode = "auto"
    granularity: Granularity = "passage"
    scope: Scope = field(default_factory=Scope)
    limit: int = 10
    offset: int = 0
    max_tokens: int | None = None
    min_relevance: float | None = None
    explain: bool = True
    record: bool = True
    sync: bool = True
    now: datetime | None = None
    queries: tuple[str, ...] = ()
    surfaces: tuple[Surface, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise QueryError(f"the query is a {type(self.text).__name__}, not text. Write it in quotes, or use str()")
        object.__setattr__(self, "queries", checked_queries(self.queries))
        self._set_surfaces()
        if self.mode not in MODES:
            raise QueryError(f"mode {brief(self.mode)} is unknown. Use one of: {', '.join(MODES)}")
        if self.granularity not in GRANULARITIES:
            raise QueryError(
                f"granularity {brief(self.granularity)} is unknown. Use one of: {', '.join(GRANULARITIES)}"
            )
        if self.granularity == "fact":
            raise QueryError("facts are not extracted by this version. Use passage or document")
        for name in ("limit", "offset", "max_tokens"):
            if name != "max_tokens" or self.max_tokens is not None:
                object.__setattr__(self, name, whole(getattr(self, name), name))
        if self.min_relevance is not None and not math.isfinite(_real(self.min_relevance)):
            raise QueryError(f"min_relevance {brief(self.min_relevance)} is not a number. Write a cosine, such as 0.4")
        if self.now is not None:
            object.__setattr__(self, "now", parse_time(self.now, "now"))
        if not 1 <= self.limit <= LIMIT_MAX:
            raise QueryError(f"limit {self.limit} is outside 1..{LIMIT_MAX}. For more, page with offset=")
        if self.offset < 0:
            raise QueryError(f"offset {self.offset} is negative. The first page has offset=0")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise QueryError(f"max_tokens {self.max_tokens} is below 1. Leave it out for no budget")

    def _set_surfaces(self) -> None:
        surfaces = checked_surfaces(self.surfaces)
        if len(surfaces) == 1:
            held = self.scope.surfaces
            if held and surfaces[0] not in held:
                raise QueryError(f"surfaces says {surfaces[0]} but the scope says {', '.join(held)}. Keep one")
            object.__setattr__(self, "scope", dataclasses.replace(self.scope, surfaces=surfaces))
        object.__setattr__(self, "surfaces", surfaces if len(surfaces) > 1 else ())

    @property
    def like(self) -> str | None:
        """What something is to be like; None for any other query."""
        target = self.text.removeprefix(LIKE).strip("\r\n")
        return target if self.text.startswith(LIKE) and target.strip() else None


_SINGULAR = {
    "namespace": "namespaces",
    "kind": "kinds",
    "surface": "surfaces",
    "source": "sources",
    "library": "libraries",
    "version": "versions",
    "tag": "tags",
    "lang": "langs",
}

_PARTIAL_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?")
_DURATION = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)\s?(h|hours?|d|days?|w|weeks?|m|months?|y|years?|)")
_DAYS = {"h": 1 / 24, "d": 1, "": 1, "w": 7, "m": 30, "y": 365}


def parse_time(value: object, name: str = "since") -> datetime:
    """An aware UTC time from a datetime, a date, or text: 2026, 2026-06, 2026-06-30, an ISO time. A year or month means
    its first moment; what has no zone is taken as UTC. Raises QueryError naming the field `name`."""
    try:
        if isinstance(value, str) and (partial := _PARTIAL_DATE.fullmatch(value.strip())):
            value = datetime(int(partial[1]), int(partial[2] or 1), 1, tzinfo=UTC)
        elif isinstance(value, str):
            value = datetime.fromisoformat(value.strip())
        elif isinstance(value, date) and not isinstance(value, datetime):
            value = datetime(value.year, value.month, value.day, tzinfo=UTC)
        if not isinstance(value, datetime) or value != value:  # the NaT of data frames differs from itself
            raise ValueError(value)
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        told = value if isinstance(value, str) and len(value) <= BRIEF else brief(value)
        raise QueryError(f"{name}:{told} is not a date. Write 2026, 2026-06 or 2026-06-30") from error


def parse_days(value: object, name: str = "ttl") -> float:
    """A time to live in days: 30d, 2w, 6m, 1y (months of 30 days, years of 365), a number of days, or a timedelta.
    Raises QueryError naming the field `name`."""
    days = 0.0
    if isinstance(value, timedelta):
        days = value / timedelta(days=1)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        days = _real(value)
    elif isinstance(value, str) and (found := _DURATION.fullmatch(value.strip().lower())):
        days = float(found[1]) * _DAYS[found[2][:1]]
    if not 0 < days < float("inf"):
        told = value if isinstance(value, str) and len(value) <= BRIEF else brief(value)
        raise QueryError(f"{name}:{told} is no time to live. Write 12h, 30d, 2w, 6m or 1y")
    return days


def scope_of(scope: Scope | None, fields: dict[str, Any]) -> Scope:
    """A scope with keyword fields on top: plural or singular names, one value or several, dates also as text.

    Raises QueryError for an unknown field (naming the nearest) or a value that cannot be meant; fields that are None
    count as not given.
    """
    if scope is not None and not isinstance(scope, Scope):
        raise QueryError(f"scope is a {type(scope).__name__}. Give a Scope, or its fields as in kind='note'")
    names = [entry.name for entry in dataclasses.fields(Scope)]
    changes: dict[str, Any] = {}
    for given, value in fields.items():
        name = _SINGULAR.get(given, given)
        if name not in names:
            near = difflib.get_close_matches(given, [*names, *_SINGULAR], n=1)
            raise QueryError(f"no scope field is called {given!r}." + (f" Did you mean {near[0]}?" if near else ""))
        if value is None:
            continue
        if name in ("since", "before", "as_of"):
            changes[name] = parse_time(value, name)
        elif name == "min_trust":
            digits = isinstance(value, str) and value.strip().isdecimal() and len(value) <= BRIEF
            changes[name] = whole(int(value) if digits else value, name)
        elif name == "owner":
            changes[name] = value if isinstance(value, str) else brief(value)
        else:
            changes[name] = _texts(value, given)
    merged = dataclasses.replace(scope or Scope(), **changes)
    for kind in merged.kinds:
        checked_kind(kind)
    checked_surfaces(merged.surfaces)
    return merged
