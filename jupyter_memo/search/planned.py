"""What is looked for and where: the plans of a query, its whole scope, and the state of the store that is asked."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
from dataclasses import dataclass
from datetime import datetime

from jupyter_memo.errors import QueryError
from jupyter_memo.profile import Reading
from jupyter_memo.query import Query, Scope
from jupyter_memo.records import SURFACES
from jupyter_memo.search import similar, voting
from jupyter_memo.search.spelling import spelled
from jupyter_memo.store import filters
from jupyter_memo.store.lance import Snapshot, Store
from jupyter_memo.text import plan as planner
from jupyter_memo.text.plan import QueryPlan


def merge(asked: Scope, typed: Scope) -> Scope:
    """The scope of keywords and the scope typed in the query as one; a field given in both must hold in both."""
    changes: dict[str, object] = {}
    for entry in dataclasses.fields(Scope):
        here, there = getattr(asked, entry.name), getattr(typed, entry.name)
        if there in (None, ()):
            continue
        if here in (None, ()) or here == there:
            changes[entry.name] = there
        elif entry.name in ("since", "min_trust"):
            changes[entry.name] = max(here, there)
        elif entry.name in ("before", "as_of"):
            changes[entry.name] = min(here, there)
        elif isinstance(here, tuple):
            both = tuple(value for value in here if value in there)
            if not both:
                raise QueryError(
                    f"the query says {entry.name} {', '.join(there)} but the options say {', '.join(here)}. Keep one"
                )
            changes[entry.name] = both
        else:
            raise QueryError(f"the query says {entry.name} {there} but the options say {here}. Keep one")
    return dataclasses.replace(asked, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What is looked for and where: the plan, the whole scope, one state of the store, and the scope's predicates.
    `like` is what it is to be like, where that was asked."""

    plan: QueryPlan
    scope: Scope
    snapshot: Snapshot
    predicates: tuple[filters.Predicate, ...]
    like: similar.Like | None = None
    others: tuple[QueryPlan, ...] = ()

    @property
    def plans(self) -> tuple[QueryPlan, ...]:
        """The plan and those of the other wordings of the question."""
        return (self.plan, *self.others)

    @property
    def described(self) -> str:
        """The plan in words."""
        if self.like is not None:
            return similar.describe(self.like)
        return "; and ".join(map(planner.describe, self.plans))

    @property
    def where(self) -> str:
        return filters.where(self.predicates)

    @property
    def filter_only(self) -> bool:
        """Whether the query names nothing to rank by."""
        plan = self.plan
        return self.like is None and not (plan.words.strip() or plan.identifiers or plan.semantic.strip())


async def planned(
    store: Store, query: Query, now: datetime, reading: Reading, snapshot: Snapshot | None = None
) -> Planned:
    """Plan a query over the newest state of the store, or over `snapshot`. Raises QueryError for an empty query without
    a filter or a malformed field."""
    snapshot = snapshot or await store.snapshot()
    if query.like is not None:
        if query.queries:
            raise QueryError("what something is to be like has no other wordings. Leave queries out")
        wanted, plan = await similar.like(store, query, query.like, snapshot, now)
        scope = merge(query.scope, plan.scope)
        predicates = filters.predicates(scope, now=now, open_runs=snapshot.open_runs, always=snapshot.always)
        predicates = (*predicates, *similar.apart(wanted))
        return Planned(plan=plan, scope=scope, snapshot=snapshot, predicates=predicates, like=wanted)
    asked = query.scope
    if 1 < len(query.surfaces) < len(SURFACES):
        asked = merge(asked, Scope(surfaces=query.surfaces))
    texts = tuple(filter(str.strip, (query.text, *query.queries))) or (query.text,)
    plans = [planner.plan(text, mode=query.mode, now=now, plain_negation=reading.plain_negation) for text in texts]
    scope = functools.reduce(merge, (plan.scope for plan in plans), asked)
    if not any(map(str.strip, texts)) and scope == Scope():
        raise QueryError("the query is empty. Type what you look for, or give a filter such as kind:note")
    if reading.variants and query.mode in ("auto", "keyword"):
        plans = await asyncio.gather(*(spelled(store, plan, snapshot.open_runs) for plan in plans))
    plan, *others = voting.agreed(plans)
    predicates = filters.predicates(scope, now=now, open_runs=snapshot.open_runs, always=snapshot.always)
    return Planned(plan=plan, scope=scope, snapshot=snapshot, predicates=predicates, others=tuple(others))
