"""A scope as SQL: the one place where a value becomes part of a filter.

Every read of passages carries these predicates, applied before an arm picks its best. Each has a name in words for the
trace. LanceDB's SQL is DataFusion's: texts stand in single quotes, a single quote is doubled, nothing else is special.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from jupyter_memo.query import Scope
from jupyter_memo.store.tables import micros, utf8

SYSTEM_NAMESPACES = ("archive:", "agent:")
"""Beginnings of namespaces that are searched only when the scope names them."""

SYSTEMIC = " or ".join(f"starts_with(namespace, '{prefix}')" for prefix in SYSTEM_NAMESPACES)
UNSYSTEMIC = "not " + " or ".join(SYSTEM_NAMESPACES)
"""SQL for passages in them, and the name of the predicate that leaves them out."""

_UNENDED = "superseded_at is null"
_UNFORGOTTEN = "forgotten_at is null"
_LASTING = "expires_at is null"
_NOT_HIDDEN = f"not ({SYSTEMIC})"

EVERYTHING = "true"
"""The condition that every row fulfils."""

USUAL = (_UNENDED, _UNFORGOTTEN, _LASTING, _NOT_HIDDEN)
"""Conditions of nearly every search that in most stores every row fulfils. Each costs as much as finding a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """One condition. `name` says it in words ("kind notebook"), `sql` is what the store evaluates."""

    name: str
    sql: str


def quote(value: str) -> str:
    """A text as one SQL literal, whatever it holds."""
    return "'" + utf8(value).replace("'", "''") + "'"


def any_of(column: str, values: Iterable[str]) -> str:
    """SQL for "the column is one of these"; never true when there are none."""
    literals = ", ".join(quote(value) for value in values)
    return f"{column} in ({literals})" if literals else "false"


def moment(time: datetime) -> str:
    """A time as SQL, to the microsecond."""
    return f"to_timestamp_micros({micros(time)})"


def committed(open_runs: Sequence[str]) -> str:
    """SQL for rows whose run is complete."""
    return f"not ({any_of('run_id', open_runs)})" if open_runs else "true"


def current(open_runs: Sequence[str]) -> str:
    """SQL for the newest complete life of each passage: begun by a complete run and not ended by one."""
    if not open_runs:
        return "superseded_run is null"
    return f"{committed(open_runs)} and (superseded_run is null or {any_of('superseded_run', open_runs)})"


def predicates(
    scope: Scope, *, now: datetime, open_runs: Sequence[str], always: Collection[str] = ()
) -> tuple[Predicate, ...]:
    """What a passage must fulfil to be found in this scope, the live filter first.

    `now` is when the question is asked: what has expired by then is out. `open_runs` are the runs that have not been
    committed, from the snapshot the search reads, and `always` are those of USUAL that hold for every row of it. With
    `scope.as_of` the live filter asks about that time instead.
    """
    found = [_live(scope.as_of or now, scope.as_of is not None, open_runs, always)]
    if not scope.namespaces:
        sql = EVERYTHING if _NOT_HIDDEN in always else _NOT_HIDDEN
        found.append(Predicate(name=UNSYSTEMIC, sql=sql))
    for word, column, values in (
        ("namespace", "namespace", scope.namespaces),
        ("kind", "kind", scope.kinds),
        ("surface", "", scope.surfaces),
        ("library", "library", scope.libraries),
        ("version", "version", scope.versions),
        ("language", "lang", scope.langs),
        ("owner", "owner", () if scope.owner is None else (scope.owner,)),
    ):
        if values:
            sql = any_of(column, values) if column else " or ".join(map(home, values))
            found.append(Predicate(name=_named(word, values), sql=sql))
    if scope.sources:
        found.append(Predicate(name=_named("source", scope.sources), sql=" or ".join(map(glob, scope.sources))))
    if scope.tags:
        literals = ", ".join(quote(tag) for tag in scope.tags)
        found.append(Predicate(name=_named("tag", scope.tags), sql=f"array_has_any(tags, [{literals}])"))
    if scope.min_trust is not None:
        # The column holds 8 bits, and a larger literal is an error.
        least = max(-1, min(int(scope.min_trust), 100))
        found.append(Predicate(name=f"trust {scope.min_trust} or more", sql=f"trust >= {least}"))
    if scope.since is not None:
        found.append(Predicate(name=f"since {_day(scope.since)}", sql=f"created_at >= {moment(scope.since)}"))
    if scope.before is not None:
        found.append(Predicate(name=f"before {_day(scope.before)}", sql=f"created_at < {moment(scope.before)}"))
    return tuple(found)


def home(surface: str) -> str:
    """SQL for what `records.surface_of` says of a row: a conversation is chat, whatever column it was written with."""
    own = any_of("surface", (surface,))
    return f"({own} or kind = 'conversation')" if surface == "chat" else f"({own} and kind <> 'conversation')"


def where(predicates: Iterable[Predicate]) -> str:
    """One condition out of all of them; `true` when there are none."""
    conditions = (f"({predicate.sql})" for predicate in predicates if predicate.sql != EVERYTHING)
    return " and ".join(conditions) or EVERYTHING


def both(one: str, other: str) -> str:
    """Two conditions as one."""
    known = [f"({each})" for each in (one, other) if each != EVERYTHING]
    return " and ".join(known) or EVERYTHING


def _live(time: datetime, past: bool, open_runs: Sequence[str], always: Collection[str]) -> Predicate:
    at = moment(time)
    # The times have an index that knows the nulls; the run decides only while one is open.
    ends = [_UNENDED]
    conditions = []
    if _UNFORGOTTEN not in always:
        conditions.append(_UNFORGOTTEN)
    if _LASTING not in always:
        conditions.append(f"({_LASTING} or expires_at > {at})")
    if past:
        ends.append(f"superseded_at > {at}")
        conditions.append(f"recorded_at <= {at}")
    if open_runs:
        ends.append(any_of("superseded_run", open_runs))
        conditions.append(committed(open_runs))
    if _UNENDED not in always:
        conditions.insert(0, f"({' or '.join(ends)})")
    sql = " and ".join(conditions) or EVERYTHING
    return Predicate(name=f"as of {_day(time)}" if past else "live", sql=sql)


def expired(after: datetime, until: datetime) -> str:
    """Passages whose time ran out between two moments."""
    return f"expires_at > {moment(after)} and expires_at <= {moment(until)}"


def glob(pattern: str) -> str:
    """SQL for a uri under a pattern. `*` stands for any run of characters, `/` among them, `?` for one; all others for
    themselves. A pattern that ends with `/` means all below that folder."""
    if pattern.endswith("/"):
        pattern += "*"
    if not any(sign in pattern for sign in "*?"):
        return f"uri = {quote(pattern)}"
    if not any(sign in pattern[:-1] for sign in "*?") and pattern.endswith("*"):
        return f"starts_with(uri, {quote(pattern[:-1])})"  # many times as quick as a pattern
    parts = {"*": ".*", "?": "."}
    regex = "".join(parts.get(sign) or _literal(sign) for sign in pattern)
    return f"regexp_like(uri, {quote(f'(?s)^{regex}$')})"


def _literal(sign: str) -> str:
    return sign if sign.isalnum() or not sign.isascii() else f"\\x{{{ord(sign):x}}}"


def _named(word: str, values: Sequence[str]) -> str:
    return f"{word} {' or '.join(values)}"


def _day(time: datetime) -> str:
    """2026-06-01, with the time of day where there is one."""
    utc = time.astimezone(UTC) if time.tzinfo else time
    return f"{utc:%Y-%m-%d}" if (utc.hour, utc.minute, utc.second) == (0, 0, 0) else f"{utc:%Y-%m-%d %H:%M:%S}"
