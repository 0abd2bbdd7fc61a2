"""A filter that shortens a long list and keeps its first result: told only where it does so when it is followed."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from jupyter_memo.errors import QueryError
from jupyter_memo.profile import Reading
from jupyter_memo.query import Scope
from jupyter_memo.ranking.select import cutoff
from jupyter_memo.ranking.stage import Context, Ranked
from jupyter_memo.records import Passage
from jupyter_memo.response import NarrowHint
from jupyter_memo.search.planned import Planned, merge
from jupyter_memo.store import filters
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import Row
from jupyter_memo.text import plan as planner

MAX_SHARE = 0.6
MIN_LEFT = 3
"""A filter is worth a hint when it leaves at most this share of the list, and more than a result or two."""

TRIES = 3
"""So many filters, those that leave least, are counted in the store, each by a look-up, before none is offered."""

_APART = re.compile(r"[\s,]")
_SPECIAL = re.compile('[*?"“”]')


Holds = Callable[[Passage, str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One filter: its field and value as typed, the part of the scope that it is, and which passages it leaves."""

    field: str
    value: str
    name: str
    test: Holds

    def holds(self, passage: Passage | None) -> bool:
        return passage is not None and self.test(passage, self.value)

    @property
    def typed(self) -> str:
        quoted = f'"{self.value}"' if _APART.search(self.value) else self.value
        return f"{self.field}:{quoted}"

    @property
    def scope(self) -> Scope:
        value: object = _day(self.value) if self.name in ("since", "before") else (self.value,)
        changes: dict[str, object] = {self.name: value}
        return dataclasses.replace(Scope(), **changes)  # type: ignore[arg-type]


async def narrow(
    store: Store,
    asked: Planned,
    context: Context,
    ranked: Ranked,
    rows: Mapping[str, Row],
    *,
    total: int,
    exact: bool,
) -> NarrowHint | None:
    """The filter that leaves most of a list that is longer than its page, while shortening it to MAX_SHARE at most.

    `total` is how long the list is, `exact` says that no arm was full: then what a filter leaves is known from the list
    itself, and where that ends by its scores. Where an arm was full a filter lets others in, so there the passages that
    it leaves in the store bound the list. Where only a bound is known `NarrowHint.at_most` says so.
    """
    first = ranked.kept[0].passage if ranked.kept else None
    if first is None or total <= context.query.limit:
        return None
    worth = []
    for number, each in enumerate(_filters(first, asked.scope)):
        left = _left(ranked, rows, context, each)
        if MIN_LEFT <= left.listed <= MAX_SHARE * total:
            worth.append((-left.listed, number, each, left))
    worth.sort(key=lambda entry: entry[:2])
    known = exact and context.listed is None
    for _, _, each, left in worth if known else worth[-TRIES:]:
        leaves, at_most = left.listed, left.at_most
        if not known:
            there = await _count(store, asked, context, each)
            if there != left.held:  # else the arms brought all of them
                leaves, at_most = there, context.listed is None
        if leaves <= MAX_SHARE * total and _can_be_typed(each, asked, context, context.resolved.profile.reading):
            return NarrowHint(field=each.field, value=each.value, leaves=leaves, of=total, at_most=at_most)
    return None


def _filters(first: Passage, scope: Scope) -> Iterator[Filter]:
    """The filters that keep the first result: what it is, where it lies, when it was written. None of a field that the
    scope has already, none of a value that cannot be typed."""
    folders = first.uri.split("/")[:-1]
    places = ["/".join(folders[:depth]) + "/" for depth in range(1, len(folders) + 1)]
    found: list[tuple[str, str, str, Holds]] = [
        ("kind", "kinds", first.kind, lambda passage, value: passage.kind == value),
        ("ns", "namespaces", first.namespace, lambda passage, value: passage.namespace == value),
        *(("tag", "tags", tag, lambda passage, value: value in passage.tags) for tag in first.tags),
        ("lib", "libraries", first.library or "", lambda passage, value: passage.library == value),
        ("lang", "langs", first.lang or "", lambda passage, value: passage.lang == value),
        *(("source", "sources", place, lambda passage, value: passage.uri.startswith(value)) for place in places),
        ("source", "sources", first.uri, lambda passage, value: passage.uri == value),
        *(("since", "since", time, lambda passage, value: passage.created_at >= _day(value)) for time in _begun(first)),
        *(("before", "before", time, lambda passage, value: passage.created_at < _day(value)) for time in _over(first)),
    ]
    for field, name, value, holds in found:
        if value and not getattr(scope, name) and value.isprintable() and not _SPECIAL.search(value):
            yield Filter(field=field, value=value, name=name, test=holds)


def _begun(passage: Passage) -> tuple[str, str]:
    """The year and the month it was written in."""
    made = passage.created_at.astimezone(UTC)
    return f"{made.year:04d}", f"{made.year:04d}-{made.month:02d}"


def _over(passage: Passage) -> tuple[str, str]:
    """The year and the month after it was written."""
    made = passage.created_at.astimezone(UTC)
    return f"{made.year + 1:04d}", f"{made.year + made.month // 12:04d}-{made.month % 12 + 1:02d}"


@functools.lru_cache(maxsize=64)
def _day(time: str) -> datetime:
    year, _, month = time.partition("-")
    return datetime(int(year), int(month or 1), 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a filter leaves: `held` of those that were found, `listed` of them before the list ends (`at_most`)."""

    held: int
    listed: int
    at_most: bool


def _left(ranked: Ranked, rows: Mapping[str, Row], context: Context, each: Filter) -> Left:
    """What is folded below one that a filter takes away stands in its place, with a score that is not known here; then,
    and under rank fusion, where ranks move up, the end of the list is not known either."""
    left, scored = [], context.resolved.profile.fusion.method == "evidence"
    for candidate in ranked.kept:
        if each.holds(candidate.passage):
            left.append(candidate)
        elif any(each.holds(rows[below.id].passage) for below in candidate.folded):
            left.append(candidate)
            scored = False
    ends = context.resolved.profile.cutoff.enabled and context.listed is None
    listed = len(cutoff(tuple(left), context)[0]) if ends and scored else len(left)
    return Left(held=len(left), listed=listed, at_most=ends and not scored)


async def _count(store: Store, asked: Planned, context: Context, each: Filter) -> int:
    """How many passages of the scope it leaves in the store; of a query that only filters, how many it would list."""
    version = asked.snapshot.version
    added = filters.predicates(each.scope, now=context.now, open_runs=asked.snapshot.open_runs)[-1]
    where = filters.where((*asked.predicates, added))
    documents = context.query.granularity == "document"
    if context.listed is not None and (documents or asked.plan.left_out or asked.plan.phrases):
        return len(await store.listing(where, asked.plan, by_source=documents, version=version))
    return await store.count(where, version=version)


def _can_be_typed(each: Filter, asked: Planned, context: Context, reading: Reading) -> bool:
    """Whether it is read as that filter and nothing else where it is typed behind the query."""
    text, query = context.query.text, context.query
    if asked.like is not None:
        return bool(asked.like.rows)  # behind a text a filter would be a part of it
    before, after = (
        planner.plan(typed, mode=query.mode, now=context.now, plain_negation=reading.plain_negation)
        for typed in (text, f"{text} {each.typed}")
    )
    try:
        same = merge(before.scope, each.scope) == after.scope
    except QueryError:
        return False
    return same and (before.words, before.phrases, before.left_out) == (after.words, after.phrases, after.left_out)
