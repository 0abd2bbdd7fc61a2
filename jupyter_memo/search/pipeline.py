"""One search: scope, arms, fusion, fetch, the stages, the response. `rank` is the only loop over stages."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from jupyter_memo.profile import ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.ranking import abstain, alike, diversify, fold, select, weigh
from jupyter_memo.ranking.stage import Candidates, Context, Ranked, Stage
from jupyter_memo.response import FilterTrace, Leg, Place, SearchResponse, StageTrace, Synced, Trace
from jupyter_memo.search import answer, arms, beside, hidden, narrowing, similar, voting
from jupyter_memo.search import fuse as fusing
from jupyter_memo.search.clock import Clock
from jupyter_memo.search.planned import Planned, planned
from jupyter_memo.store import filters
from jupyter_memo.store.lance import Snapshot, Store
from jupyter_memo.store.tables import Row, compared

STAGES: tuple[tuple[str, Stage], ...] = (
    ("weigh", weigh.weigh),
    ("abstain", abstain.abstain),
    ("document", select.document),
    ("fold", fold.fold),
    ("cutoff", select.cutoff),
    ("diversify", diversify.diversify),
    ("limit", select.limit),
    ("budget", select.budget),
)
"""The stages after fusion and fetch, in order. Adding one is a function, a profile field, an entry here and a test."""

UNRANKED = tuple(entry for entry in STAGES if entry[0] in ("document", "limit", "budget"))
"""The stages of a query that only filters: its list is newest first, and no score says otherwise."""

LIKE_STAGES = (("itself", alike.itself), ("similarity", alike.similarity), *STAGES)
"""The stages of a query for what is like something."""

PLACED = ("weigh", "abstain", "fold", "diversify")
"""The stages after which a result's place is worth telling: those that reorder or thin the whole list."""


def rank(
    candidates: Candidates,
    context: Context,
    *,
    stages: tuple[tuple[str, Stage], ...] = STAGES,
    began: float,
    first: str = "fused",
) -> Ranked:
    """Run every stage over the fused candidates, measure it, and remember where each candidate stood; `first` is what
    they have come through."""
    traces, facts = [], []
    standings = {first: candidates}
    kept = candidates
    for name, stage in stages:
        start = time.perf_counter()
        after, fact = stage(candidates, context)
        ms = 1000 * (time.perf_counter() - start)
        traces.append(
            StageTrace(
                stage=name,
                before=len(candidates),
                after=len(after),
                start_ms=1000 * (start - began),
                ms=ms,
                note=fact.note,
                ran=fact.ran,
            )
        )
        facts.append(fact)
        candidates = after
        if name in PLACED and fact.ran:
            standings[name] = after
        if name in ("document", "fold"):
            kept = after
    return Ranked(
        page=candidates, kept=kept, traces=tuple(traces), facts=tuple(facts), places=_places(standings, candidates)
    )


def stages_of(asked: Planned) -> tuple[tuple[str, Stage], ...]:
    """The stages after fusion and fetch that such a query goes through."""
    if asked.filter_only:
        return UNRANKED
    return STAGES if asked.like is None else LIKE_STAGES


def _places(standings: dict[str, Candidates], page: Candidates) -> dict[str, tuple[Place, ...]]:
    shown = {candidate.id for candidate in page}
    places: dict[str, tuple[Place, ...]] = dict.fromkeys(shown, ())
    for stage, candidates in standings.items():
        for rank, candidate in enumerate(candidates, 1):
            if candidate.id in shown:
                places[candidate.id] += (Place(stage=stage, rank=rank, score=candidate.score),)
    return places


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a search stands on, the same for every list that it makes: the store, the rules, the model, the moment, and
    how long an arm may take."""

    store: Store
    resolved: ResolvedProfile
    meaning: arms.Meaning
    now: datetime
    timeout_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What ranking begins with: the arms' lists, the fetched rows, the fused candidates, and the context."""

    found: arms.Found
    rows: Mapping[str, Row]
    candidates: Candidates
    context: Context


async def gather(ground: Ground, query: Query, asked: Planned, clock: Clock) -> Gathered:
    """Run the arms, fetch what they found and fuse it."""
    store, resolved, meaning = ground.store, ground.resolved, ground.meaning
    plan, where, version = asked.plan, asked.where, asked.snapshot.version
    listed: int | None = None
    if asked.like is not None:
        meaning = await similar.meaning(store, asked.like, meaning)
    if asked.filter_only:
        founds = [arms.nothing_to_rank()]
        every = await store.listing(where, plan, by_source=query.granularity == "document", version=version)
        listed = len(every)
        ids = every[: max(resolved.profile.depth, query.offset + query.limit)]
    else:
        founds = await asyncio.gather(
            *(
                arms.run(
                    store,
                    each,
                    where=where,
                    version=version,
                    profile=resolved.profile,
                    mode=query.mode,
                    meaning=meaning,
                    began=clock.began,
                    timeout_seconds=ground.timeout_seconds,
                )
                for each in asked.plans
            )
        )
        ids = list(dict.fromkeys(hit.id for each in founds for hits in each.lists.values() for hit in hits))
    found = voting.together(founds)
    clock.restart()
    judged = asked.like is not None and query.min_relevance is not None
    by_cosine = judged or resolved.profile.fusion.method == "evidence"
    routed = meaning.key is not None and bool(meaning.key.ways)  # then a vector also tells which model judged
    key = meaning.key if found.vector is not None and (by_cosine or routed) else None
    rows, statistics = await asyncio.gather(
        store.fetch(ids, key, where=where, version=version, names=any(plan.identifiers for plan in asked.plans)),
        fusing.counted(store, asked.plans, resolved.profile.fusion, asked.snapshot.open_runs),
    )
    clock.mark("fetch", len(ids), len(rows), "texts, once")
    rows = {id: rows[id] for id in ids if id in rows}
    candidates = voting.fuse(
        founds,
        rows,
        asked.plans,
        resolved.profile.fusion,
        statistics,
        languages=meaning.languages,
        against=resolved.profile.reading.against,
    )
    if asked.like is not None:
        candidates = similar.measured(candidates, rows, found)
    hits = sum(len(hits) for hits in found.lists.values())
    clock.mark("fusion", len(rows), len(candidates), f"{hits} hits, {len(candidates)} passages")
    context = Context(
        query=query,
        plan=plan,
        resolved=resolved,
        now=ground.now,
        arms=frozenset(found.lists),
        others=asked.others,
        vectors={
            id: compared(row.vector, found.vector, found.key) for id, row in rows.items() if row.vector is not None
        },
        listed=listed,
    )
    return Gathered(found=found, rows=rows, candidates=candidates, context=context)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """A list made: what it began with, what the stages left of it, and of a list over several surfaces each of them,
    with the native scores by passage id."""

    gathered: Gathered
    ranked: Ranked
    legs: tuple[Leg, ...] = ()
    native: Mapping[str, float] = field(default_factory=dict)


How = Callable[[Ground, Query, Planned, Clock], Awaitable[Worked]]
"""How the list of one planned query is made."""


async def whole(ground: Ground, query: Query, asked: Planned, clock: Clock) -> Worked:
    """One list over the whole scope."""
    gathered = await gather(ground, query, asked, clock)
    ranked = rank(gathered.candidates, gathered.context, stages=stages_of(asked), began=clock.began)
    return Worked(gathered=gathered, ranked=ranked)


async def run(
    ground: Ground,
    query: Query,
    *,
    snapshot: Snapshot | None = None,
    synced: Synced | None = None,
    how: How = whole,
) -> SearchResponse:
    """Answer one query, over the newest state of the store or over `snapshot`. `synced` is what was done before to
    follow the disk, None where there is nothing to follow. Raises QueryError as `planned` does."""
    store, resolved = ground.store, ground.resolved
    clock = Clock(time.perf_counter())
    clock.follow(synced, asked=query.sync)
    asked = await planned(store, query, ground.now, resolved.profile.reading, snapshot)
    clock.mark("plan", 0, 0, asked.described)
    snapshot = asked.snapshot
    counting = asyncio.ensure_future(_filter_traces(store, asked.predicates, snapshot.passages, snapshot.version))
    try:
        worked = await (whole if asked.filter_only else how)(ground, query, asked, clock)
        gathered, ranked = worked.gathered, worked.ranked
        found, context = gathered.found, gathered.context
        filter_traces = await counting
    finally:
        counting.cancel()
    trace = Trace(
        mode_asked=query.mode,
        mode_run=answer.mode_effective(found, filter_only=asked.filter_only),
        profile=resolved.profile.name,
        profile_hash=resolved.hash,
        model=resolved.model,
        plan=asked.described,
        arms=found.traces,
        filters=filter_traces,
        stages=(*clock.traces, *ranked.traces),
        floor=next((fact.floor for fact in ranked.facts if fact.floor), None),
        cutoff=next((fact.cutoff for fact in ranked.facts if fact.cutoff), None),
        budget=next(fact.budget for fact in ranked.facts if fact.budget),
        as_of=asked.scope.as_of,
        index_version=snapshot.version,
        synced=synced.changed + synced.removed if synced else 0,
        total_ms=1000 * (time.perf_counter() - clock.began),
    )
    answered = answer.build(context=context, ranked=ranked, found=found, rows=gathered.rows, trace=trace)
    if worked.legs:
        answered = answer.merged(answered, worked.legs, worked.native)
    else:
        hint = await narrowing.narrow(
            store,
            asked,
            context,
            ranked,
            gathered.rows,
            total=answered.total,
            exact=answered.total_mode == "exact",
        )
        answered = dataclasses.replace(answered, narrow_hint=hint)
    answered = await beside.beside(store, asked, context, answered)
    unsearched = await hidden.hint(store, filter_traces)
    return dataclasses.replace(answered, hints=(*answered.hints, unsearched)) if unsearched else answered


async def _filter_traces(
    store: Store, predicates: tuple[filters.Predicate, ...], passages: int, version: int
) -> tuple[FilterTrace, ...]:
    """How many passages each predicate leaves, after those before it."""
    counts = await asyncio.gather(
        *(store.count(filters.where(predicates[: index + 1]), version=version) for index in range(len(predicates)))
    )
    named = (FilterTrace(predicate=entry.name, left=left) for entry, left in zip(predicates, counts, strict=True))
    return (FilterTrace(predicate="in the index", left=passages), *named)
