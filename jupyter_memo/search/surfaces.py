"""A search over several surfaces: each is searched by itself under one plan, and the lists are merged."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jupyter_memo.profile import ResolvedProfile
from jupyter_memo.query import Mode, Query
from jupyter_memo.ranking import surfaces as merging
from jupyter_memo.ranking.stage import Facts, Ranked, Stage
from jupyter_memo.records import Surface
from jupyter_memo.response import Leg, Place, StageTrace
from jupyter_memo.search import pipeline, voting
from jupyter_memo.search.clock import Clock
from jupyter_memo.search.pipeline import Gathered, Ground, Worked
from jupyter_memo.search.planned import Planned
from jupyter_memo.store import filters
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.words import identifiers, literal_tokens

LAST = "cutoff"
"""The last stage that each surface goes through alone; what follows is done to the merged list."""

NEAREST = 3
"""Of a list that is refused as a whole, so many are named, as misses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """One surface, searched: what was found, what the stages left of it, and how long each step took."""

    surface: Surface
    gathered: Gathered
    ranked: Ranked
    steps: tuple[StageTrace, ...]
    floor: float | None


async def merged(ground: Ground, query: Query, asked: Planned, clock: Clock) -> Worked:
    """Search each of `query.surfaces`, at once, and merge what they give (`ranking.surfaces`)."""
    resolved, meaning = ground.resolved, ground.meaning
    alone, after = stages_of(asked)
    once = dataclasses.replace(meaning, encode=_once(meaning.encode) if meaning.encode else None)
    shared = dataclasses.replace(ground, meaning=once)

    async def search(surface: Surface) -> Searched:
        own = Clock(clock.began)
        here = at_home(query, surface, resolved)
        gathered = await pipeline.gather(shared, here, on(surface, asked, query.mode, resolved), own)
        ranked = pipeline.rank(gathered.candidates, gathered.context, stages=alone, began=clock.began)
        return Searched(surface=surface, gathered=gathered, ranked=ranked, steps=own.traces, floor=here.min_relevance)

    legs = await asyncio.gather(*(search(surface) for surface in query.surfaces))
    start = time.perf_counter()
    listed = merging.merge(
        {leg.surface: leg.ranked.page for leg in legs},
        resolved.profile.surfaces,
        absolute=resolved.profile.fusion.method == "evidence",
    )
    step = StageTrace(
        stage="merge",
        before=len(listed),
        after=len(listed),
        start_ms=1000 * (start - clock.began),
        ms=1000 * (time.perf_counter() - start),
        note=", ".join(f"{len(leg.ranked.page)} of {leg.surface}" for leg in legs),
    )
    context = dataclasses.replace(
        legs[0].gathered.context,
        query=query,
        plan=asked.plan,
        others=asked.others,
        arms=frozenset(arm for leg in legs for arm in leg.gathered.context.arms),
        vectors={id: vector for leg in legs for id, vector in leg.gathered.context.vectors.items()},
    )
    page = pipeline.rank(listed, context, stages=after, began=clock.began, first="merge")
    clock.traces = (*clock.traces, *_summed([leg.steps for leg in legs], legs))
    kept = {candidate.id: candidate for leg in legs for candidate in leg.ranked.kept}
    gathered = Gathered(
        found=voting.together([leg.gathered.found for leg in legs], "surfaces"),
        rows={id: row for leg in legs for id, row in leg.gathered.rows.items()},
        candidates=listed,
        context=context,
    )
    ranked = Ranked(
        page=page.page,
        kept=tuple({candidate.id: candidate for candidate in (*listed, *kept.values())}.values()),
        traces=(*_summed([leg.ranked.traces for leg in legs], legs), step, *page.traces),
        facts=(_judged(legs), *page.facts),
        places={id: (*_before(id, legs), *places) for id, places in page.places.items()},
    )
    native = {candidate.id: candidate.score for leg in legs for candidate in leg.ranked.page}
    return Worked(gathered=gathered, ranked=ranked, legs=tuple(_leg(each, resolved) for each in legs), native=native)


def stages_of(asked: Planned) -> tuple[tuple[tuple[str, Stage], ...], tuple[tuple[str, Stage], ...]]:
    """The stages that each surface goes through alone, and those that the merged list goes through."""
    stages = pipeline.stages_of(asked)
    last = next(at for at, (name, _) in enumerate(stages, 1) if name == LAST)
    return stages[:last], stages[last:]


def at_home(query: Query, surface: Surface, resolved: ResolvedProfile) -> Query:
    """The query as one surface of it is asked."""
    floor = merging.floor(surface, query.min_relevance, resolved.profile.surfaces, resolved.bands)
    return dataclasses.replace(query, min_relevance=floor)


def on(surface: Surface, asked: Planned, mode: Mode, resolved: ResolvedProfile) -> Planned:
    """What is looked for on one surface: the same, or where the profile says so its plain words."""
    here = filters.Predicate(name=f"surface {surface}", sql=filters.home(surface))
    constants = resolved.profile.surfaces
    plan, others = asked.plan, asked.others
    if asked.like is None and not constants.shared_plan and surface in constants.floored:
        plan, *rest = (_plain(each, mode) for each in asked.plans)
        others = tuple(rest)
    return dataclasses.replace(asked, predicates=(*asked.predicates, here), plan=plan, others=others)


def _plain(plan: QueryPlan, mode: Mode) -> QueryPlan:
    """The query as words alone: no sign in it is a command."""
    names = tuple(dict.fromkeys(token.whole for token in literal_tokens(plan.text))) if mode == "exact" else ()
    return QueryPlan(
        text=plan.text,
        words=plan.text,
        semantic=plan.text.strip(),
        identifiers=names or identifiers(plan.text),
    )


def _once(
    encode: Callable[[str], Awaitable[np.ndarray]],
) -> Callable[[str], Awaitable[np.ndarray]]:
    """An encoder that embeds each text once, however many surfaces ask."""
    known: dict[str, asyncio.Future[np.ndarray]] = {}

    async def vector(text: str) -> np.ndarray:
        if text not in known:
            known[text] = asyncio.ensure_future(encode(text))
        # One surface that is too slow is cancelled alone.
        return await asyncio.shield(known[text])

    return vector


def _summed(traces: Sequence[Sequence[StageTrace]], legs: Sequence[Searched]) -> tuple[StageTrace, ...]:
    """The steps of all surfaces, those of one name as one; each surface's remark where they differ."""
    named: dict[str, list[tuple[Surface, StageTrace]]] = {}
    for leg, steps in zip(legs, traces, strict=True):
        for step in steps:
            named.setdefault(step.stage, []).append((leg.surface, step))
    return tuple(map(_sum, named.values()))


def _sum(steps: Sequence[tuple[Surface, StageTrace]]) -> StageTrace:
    first = steps[0][1]
    notes = [(surface, step.note) for surface, step in steps if step.note]
    same = len({note for _, note in notes}) == 1
    start = min(step.start_ms for _, step in steps)
    return dataclasses.replace(
        first,
        before=sum(step.before for _, step in steps),
        after=sum(step.after for _, step in steps),
        start_ms=start,
        ms=max(step.start_ms + step.ms for _, step in steps) - start,
        note=first.note if same else "; ".join(f"{surface}: {note}" for surface, note in notes),
        ran=any(step.ran for _, step in steps),
    )


def _judged(legs: Sequence[Searched]) -> Facts:
    """What abstention said of the surface that came closest to an answer; refused is the list where all are."""
    floors = [fact.floor for leg in legs for fact in leg.ranked.facts if fact.floor]
    open_ = [floor for floor in floors if not floor.refused]
    refused = [each for leg in legs for fact in leg.ranked.facts for each in fact.refused]
    hints = dict.fromkeys(fact.hint for leg in legs for fact in leg.ranked.facts if fact.hint)
    return Facts(
        floor=max(open_ or floors, key=lambda floor: floor.best, default=None),
        refused=() if open_ else tuple(sorted(refused, key=lambda each: (-each.fused, each.id))[:NEAREST]),
        hint=" ".join(hints),
    )


def _before(id: str, legs: Sequence[Searched]) -> tuple[Place, ...]:
    return next((leg.ranked.places[id] for leg in legs if id in leg.ranked.places), ())


def _leg(searched: Searched, resolved: ResolvedProfile) -> Leg:
    ranked = searched.ranked
    best = max((candidate.score for candidate in ranked.page), default=None)
    notes = []
    judged = next((fact.floor for fact in ranked.facts if fact.floor), None)
    if not searched.gathered.candidates:
        notes.append("nothing found")
    elif judged and judged.refused:
        notes.append(f"best confidence {judged.best:.3f}, under the floor {judged.least:.3f}")
    cut = next((fact.cutoff for fact in ranked.facts if fact.cutoff), None)
    if cut:
        notes.append(f"ended after {cut.index}, where the score falls by {cut.drop:.0%}")
    return Leg(
        surface=searched.surface,
        found=len(searched.gathered.candidates),
        merged=len(ranked.page),
        shown=0,
        scale=resolved.profile.fusion.method,
        best=best,
        nearest=merging.nearest(ranked.page),
        floor=searched.floor,
        note="; ".join(notes),
    )
