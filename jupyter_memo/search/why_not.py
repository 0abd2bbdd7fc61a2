"""Why something is not on the page: the search once more, watched at every step, and the step that let go of it."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from jupyter_memo.query import LIMIT_MAX, Query
from jupyter_memo.records import Passage
from jupyter_memo.response import Arm, SearchResponse, WhyNot
from jupyter_memo.search import arms, named, pipeline, surfaces
from jupyter_memo.search.clock import Clock
from jupyter_memo.search.dropped import REWORD, Trail, Watched, day, ranked, watch
from jupyter_memo.search.pipeline import Ground
from jupyter_memo.search.planned import Planned, planned
from jupyter_memo.store import filters
from jupyter_memo.store.lance import Store
from jupyter_memo.text.plan import QueryPlan

DEEP = 10_000
"""How far down the list of one arm a rank is looked for."""

TITLES = 3
"""Of a source so many headings are told where none is like the one that was asked for."""

MOST_PASSAGES = 2_000
"""Of a target so many passages are followed."""


async def why_not(ground: Ground, query: Query, target: str) -> WhyNot:
    """Follow a passage (its id), a source (its uri), several (a glob) or a section (`uri#heading`) through a search.

    Step `not indexed` is told without its reason, which only the disk knows. Raises QueryError as a search does.
    """
    store, resolved = ground.store, ground.resolved
    asked = await planned(store, query, ground.now, resolved.profile.reading)
    whole = query
    follow = Follow(trail=Trail(query=query.text, target=target), store=store, asked=asked, now=ground.now)
    lives, beside = await _lives(store, target)
    if not lives:
        return follow.no_heading(beside) if beside else await follow.not_indexed()
    scoped = await follow.scoped(lives)
    if isinstance(scoped, WhyNot):
        return scoped
    spared = await follow.spared(scoped)
    if isinstance(spared, WhyNot):
        return spared
    stages_left = pipeline.stages_of(asked)
    home = next((each.surface for each in spared.values() if each.surface in query.surfaces), None)
    if home is not None and not asked.filter_only:
        # Each surface is searched by itself: what drops a passage there is told before the merged list is looked at.
        query, asked = surfaces.at_home(query, home, resolved), surfaces.on(home, asked, query.mode, resolved)
        follow = dataclasses.replace(follow, asked=asked)
        stages_left = surfaces.stages_of(asked)[0]
        follow.trail.passed.append(f"searched for on its surface, {home}")
    clock = Clock(time.perf_counter())
    gathered = await pipeline.gather(ground, query, asked, clock)
    candidates = tuple(candidate for candidate in gathered.candidates if candidate.id in spared)
    if not candidates:
        return await follow.unfound(spared, gathered, ground.meaning, resolved.profile.depth)
    stages: list[Watched] = []
    pipeline.rank(
        gathered.candidates,
        gathered.context,
        stages=tuple(watch(entry, stages) for entry in stages_left),
        began=clock.began,
    )
    told = ranked(follow.trail, candidates, stages, gathered.context)
    if home is None or told.step != "found":
        return told
    left = {told.id, *(each.id for each in stages[-1].after if each.id in spared)}
    ask = functools.partial(pipeline.run, ground, snapshot=asked.snapshot, how=surfaces.merged)
    return await _merged(follow.trail, whole, left, ask)


async def _merged(
    trail: Trail, query: Query, left: Collection[str], ask: Callable[[Query], Awaitable[SearchResponse]]
) -> WhyNot:
    """Where the best of what its own surface gave stands in the merged list: on the page, beyond it, over budget."""
    page = await ask(query)
    held = next((each for each in page if each.passage.id in left), None)
    if held is not None:
        sentence = f"It is there: {held.passage.uri} has rank {held.rank}."
        return trail.told("found", sentence, "", held.rank, None, held.passage)
    everything = await ask(dataclasses.replace(query, limit=LIMIT_MAX, offset=0, max_tokens=None))
    held = next((each for each in everything if each.passage.id in left), None)
    first, last = query.offset + 1, query.offset + query.limit
    if held is not None and first <= held.rank <= last:
        sentence = f"{held.passage.uri} has rank {held.rank} and did not fit the budget of {query.max_tokens} tokens."
        return trail.told(
            "budget", sentence, "Ask with a higher max_tokens.", held.rank, query.max_tokens, held.passage
        )
    rank = held.rank if held else LIMIT_MAX + 1
    sentence = (
        f"In the list of all surfaces it has rank {rank}{'' if held else ' or more'}; this page has {first} to {last}."
    )
    cure = "Ask for the page it is on (offset), a higher limit, or its surface alone."
    return trail.told("limit", sentence, cure, rank, last if rank > last else first, held.passage if held else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow:
    """A target on its way through the store; what is left of it after each step, or the verdict."""

    trail: Trail
    store: Store
    asked: Planned
    now: datetime

    async def not_indexed(self) -> WhyNot:
        sources = await self.store.sources()
        wanted = _split(self.trail.target)[0]
        held = next((source for source in sources if source.uri == wanted), None)
        if held is not None and held.removed_at is not None:
            sentence = f"{wanted} left the index on {day(held.removed_at)}, and nothing of it is kept."
            return self.trail.told("not live", sentence, "Index it again: %memo_index PATH")
        if held is not None:
            return self.trail.told("not indexed", f"{wanted} was read, but holds no text to search in.")
        live = sorted(source.uri for source in sources if source.removed_at is None)
        return dataclasses.replace(
            self.trail.told("not indexed", f"Nothing in the index is called {self.trail.target}."),
            near=named.near(wanted, live),
        )

    def no_heading(self, beside: Sequence[Passage]) -> WhyNot:
        """The source is there, its passages `beside`, and none of them stands under the heading."""
        path, heading = _split(self.trail.target)
        titles = named.headings(beside)
        sentence = f"{path} is indexed, but no passage of it stands under “{heading}”."
        if found := named.near_heading(heading, titles):
            uri = next(each.uri for each in beside if found in named.headings((each,)))
            return self.trail.told("not indexed", sentence, f"The nearest heading: {uri}#{found}")
        some = ", ".join(f"“{title}”" for title in titles[:TITLES])
        cure = f"Its headings begin with {some}." if some else f"It has no headings: ask for {path} itself."
        return self.trail.told("not indexed", sentence, cure)

    async def scoped(self, lives: Sequence[Passage]) -> Mapping[str, Passage] | WhyNot:
        """The target's passages that the scope leaves, or the predicate that left none."""
        held = {passage.id: passage for passage in sorted(lives, key=_age)}
        self.trail.passed.append(f"{_count(len(held), 'passage')} in the index")
        for number, predicate in enumerate(self.asked.predicates, 1):
            where = filters.where((*self.asked.predicates[:number], _these(held)))
            version = self.asked.snapshot.version
            left = await self.store.newest(where, None, MOST_PASSAGES, 0, version=version)
            if not left:
                return await self._unlive(held) if number == 1 else self._out_of_scope(predicate.name, held)
            rows = await self.store.fetch(left, where=where, version=version)
            held = {id: rows[id].passage for id in left if id in rows}
        self.trail.passed.append(f"{_count(len(held), 'passage')} in scope")
        return held

    async def spared(self, held: Mapping[str, Passage]) -> Mapping[str, Passage] | WhyNot:
        """Those that the query's own phrases and exclusions leave, or the one that left none."""
        plan = self.asked.plan
        bare = dataclasses.replace(plan, phrases=(), excluded=(), excluded_phrases=(), excluded_identifiers=())
        clauses: list[tuple[str, QueryPlan]] = [
            *((f"it does not hold the phrase “{each}”", _with(bare, "phrases", each)) for each in plan.phrases),
            *(
                (f"it holds “{each}”, which the query excludes", _with(bare, "excluded", each))
                for each in plan.excluded
            ),
            *(
                (f"it holds “{each}”, which the query excludes", _with(bare, "excluded_phrases", each))
                for each in plan.excluded_phrases
            ),
            *(
                (f"it holds “{each}”, which the query excludes", _with(bare, "excluded_identifiers", each))
                for each in plan.excluded_identifiers
            ),
        ]
        for told, clause in clauses:
            left = await self._newest(held, clause)
            if not left:
                one = next(iter(held.values()))
                required = "phrase" in told and "excludes" not in told
                cure = "Leave the quotes out." if required else "Leave that exclusion out."
                return self.trail.told("excluded", f"{one.uri}: {told}.", cure, passage=one)
            held = {id: held[id] for id in left}
        if clauses:
            self.trail.passed.append("phrases and exclusions hold")
        return held

    async def unfound(
        self, held: Mapping[str, Passage], gathered: pipeline.Gathered, meaning: arms.Meaning, depth: int
    ) -> WhyNot:
        """No arm brought it: how far down each list it stands, or that it holds nothing of the query."""
        found, asked = gathered.found, self.asked
        version = asked.snapshot.version
        if asked.filter_only:
            order = await self.store.listing(asked.where, asked.plan, version=version)
            rank = next((rank for rank, id in enumerate(order, 1) if id in held), None)
            one = held[order[rank - 1]] if rank else next(iter(held.values()))
            wanted = len(gathered.rows)
            sentence = f"The newest {wanted} passages are listed; {one.uri} is the {_rank(rank)} by date."
            return self.trail.told("depth", sentence, "Narrow the filter.", rank or DEEP, wanted, one)
        searches: dict[Arm, Callable[[str, int], Awaitable[list[tuple[str, float]]]]] = {
            "keyword": lambda where, depth: self.store.keyword(asked.plan, where, depth, version=version),
            "exact": lambda where, depth: self.store.exact(asked.plan, where, depth, version=version),
        }
        key, vector = meaning.key, found.vector
        if key is not None and vector is not None:
            searches["semantic"] = lambda where, depth: self.store.semantic(
                vector, key, asked.plan, where, depth, version=version
            )
        best: tuple[int, Arm, str, float] | None = None
        said = []
        for arm in (arm for arm in searches if found.ran(arm)):
            own = await searches[arm](filters.where((*asked.predicates, _these(held))), 1)
            if not own:
                said.append(_nothing_of(arm))
                continue
            hits = await searches[arm](asked.where, DEEP)
            place = next(((rank, id, raw) for rank, (id, raw) in enumerate(hits, 1) if id in held), None)
            rank, id, raw = place or (DEEP + 1, *own[0])
            said.append(f"{arm} ranks it {_rank(rank if place else None)}{_raw(arm, raw)}")
            if best is None or rank < best[0]:
                best = (rank, arm, id, raw)
        idle = [f"{trace.arm} did not run ({trace.reason})" for trace in found.traces if _missed(trace.arm, trace.ran)]
        told = "; ".join((*said, *idle))
        if best is None:
            one = next(iter(held.values()))
            return self.trail.told("no match", f"{one.uri} matches nothing of the query: {told}.", REWORD, passage=one)
        one = held[best[2]]
        sentence = f"No arm looks that far down: {told}. Each brings its first {depth}."
        return self.trail.told("depth", sentence, _narrow(one), best[0], depth, one)

    async def _unlive(self, held: Mapping[str, Passage]) -> WhyNot:
        one = list(held.values())[-1]
        if one.forgotten_at is not None:
            reason = f" ({one.forget_reason})" if one.forget_reason else ""
            return self.trail.told("not live", f"It was forgotten on {day(one.forgotten_at)}{reason}.", "", passage=one)
        if one.superseded_at is not None:
            gone = {source.id for source in await self.store.sources() if source.removed_at is not None}
            what = "left the index" if one.source_id in gone else "was replaced by a newer text"
            sentence = f"{one.uri} {what} on {day(one.superseded_at)}."
            return self.trail.told("not live", sentence, f"Ask as of then: as_of:{day(one.recorded_at)}", passage=one)
        if one.expires_at is not None and one.expires_at <= (self.asked.scope.as_of or self.now):
            return self.trail.told("not live", f"{one.uri} expired on {day(one.expires_at)}.", "", passage=one)
        sentence = f"{one.uri} was indexed on {day(one.recorded_at)}, after the time that was asked about."
        return self.trail.told("not live", sentence, "Leave as_of out.", passage=one)

    def _out_of_scope(self, predicate: str, held: Mapping[str, Passage]) -> WhyNot:
        one = next(iter(held.values()))
        facts = {
            "namespace": one.namespace,
            "kind": one.kind,
            "surface": one.surface,
            "library": one.library,
            "version": one.version,
            "language": one.lang,
            "tag": ", ".join(one.tags),
            "trust": str(one.trust),
            "since": day(one.created_at),
            "before": day(one.created_at),
        }
        word = predicate.split(" ")[0]
        own = facts.get(word)
        has = "" if word not in facts else f"; it has {own}" if own else "; it has none"
        hidden = predicate.startswith("not ")
        cure = f"Name its namespace: ns:{one.namespace}" if hidden else "Widen or drop that filter."
        return self.trail.told("scope", f"{one.uri} is left out by the filter “{predicate}”{has}.", cure, passage=one)

    async def _newest(self, held: Mapping[str, Passage], plan: QueryPlan) -> list[str]:
        where = filters.where((*self.asked.predicates, _these(held)))
        return await self.store.newest(where, plan, MOST_PASSAGES, 0, version=self.asked.snapshot.version)


async def _lives(store: Store, target: str) -> tuple[list[Passage], list[Passage]]:
    """Every life of what the target names, by id, by uri or glob, or by uri and heading; and where nothing stands under
    that heading, what lives beside it."""
    path, heading = _split(target)
    rows = await store.lives(f"{filters.any_of('id', (target,))} or {filters.glob(path)}", MOST_PASSAGES)
    found = [row.passage for row in rows]
    if not heading:
        return found, []
    live = [each for each in found if each.superseded_at is None and each.forgotten_at is None]
    gone = [each for each in found if each.superseded_at is not None or each.forgotten_at is not None]
    below = [*named.under(live, heading), *named.under(gone, heading)]
    return below or (found if not live else []), live


def _split(target: str) -> tuple[str, str]:
    path, mark, heading = target.rpartition("#")
    return (path, heading.strip()) if mark and path and heading.strip() else (target, "")


def _these(held: Iterable[str]) -> filters.Predicate:
    return filters.Predicate(name="the target", sql=filters.any_of("id", sorted(held)))


def _with(plan: QueryPlan, clause: str, value: str) -> QueryPlan:
    changes: dict[str, tuple[str, ...]] = {clause: (value,)}
    return dataclasses.replace(plan, **changes)  # type: ignore[arg-type]


def _missed(arm: Arm, ran: bool) -> bool:
    return not ran and arm in ("keyword", "semantic")


def _nothing_of(arm: Arm) -> str:
    return {"keyword": "it holds none of its words", "exact": "none of its identifiers"}.get(
        arm, "it has no vector of this model"
    )


def _raw(arm: Arm, raw: float) -> str:
    return f" (cosine {raw:.3f})" if arm == "semantic" else f" (BM25 {raw:.2f})"


def _rank(rank: int | None) -> str:
    return f"below {DEEP}" if rank is None else f"number {rank}"


def _narrow(passage: Passage) -> str:
    return f"Narrow the search, for instance with source:{passage.uri}, or ask in words that it uses."


def _age(passage: Passage) -> tuple[bool, datetime]:
    return passage.superseded_at is None, passage.recorded_at


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
