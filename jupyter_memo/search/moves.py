"""Two profiles on one question: both lists, and for each passage the constants that moved it.

The constants that differ fall into groups, each a part of the ranking. From profile a to profile b goes a path that
takes b's constants over group by group, in the order of the pipeline, and the list is made again after each: so the
steps of a passage add up to its move. The cause is the step that did most of it, of those first that do it from a on
with no other group changed. All lists are searches of one state of the index at one moment, nothing is estimated.
"""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jupyter_memo import own_profiles
from jupyter_memo.comparison import Cause, Comparison, Difference, Move, MoveKind, Side, Step
from jupyter_memo.errors import QueryError
from jupyter_memo.profile import Profile
from jupyter_memo.query import LIMIT_MAX, Query
from jupyter_memo.response import ARMS, Result, SearchResponse
from jupyter_memo.search import causes

Search = Callable[[Query, Profile], Awaitable[SearchResponse]]
"""One search, always over the same state of the index."""

ORDER = ("reading", "depth", "arms", "fusion", "recency", "abstain", "fold", "cutoff", "mmr", "page")
"""Groups in the order of the pipeline; one that is not here stands before the page."""

OUTSIDE = LIMIT_MAX + 1
"""What a passage outside of a list counts as, where changes of rank are measured."""

NOT_TAKEN = ("offset", "max_tokens", "profile")


def checked(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of a search that a comparison takes. Raises QueryError for the others."""
    for name in NOT_TAKEN:
        if options.get(name) is not None:
            raise QueryError(f"lists are compared from their beginning and by two profiles. Leave {name} out")
    return options


def grouped(a: Profile, b: Profile) -> dict[str, dict[str, tuple[Any, Any]]]:
    """The constants that differ, by group in the order of the pipeline: {group: {constant: (a's, b's)}}."""
    found: dict[str, dict[str, tuple[Any, Any]]] = {}
    for key, pair in own_profiles.differences(a, b).items():
        found.setdefault(_group(key, pair), {})[key] = pair
    return {group: found[group] for group in sorted(found, key=_place)}


def mixed(a: Profile, b: Profile, groups: Collection[str]) -> Profile:
    """Profile a with these groups of constants from b."""
    changes = {
        key: theirs for group, held in grouped(a, b).items() if group in groups for key, (_, theirs) in held.items()
    }
    return own_profiles.changed(a, changes, name=f"{a.name} with {', '.join(groups)} of {b.name}") if changes else a


async def compare(query: Query, a: Profile, b: Profile, limit_b: int, search: Search) -> Comparison:
    """Compare the first `query.limit` of a with the first `limit_b` of b. `query.now` is set."""
    groups = grouped(a, b)
    whole = dataclasses.replace(
        query, limit=LIMIT_MAX, offset=0, max_tokens=None, explain=True, record=False, sync=False
    )
    runs = Runs(query=whole, a=a, b=b, groups=tuple(groups), limits=(query.limit, limit_b), search=search)
    path = [await runs.after(runs.groups[:taken]) for taken in range(max(1, len(groups)))]
    path.append(await runs.after(runs.groups, whole=True))
    moves = [move async for move in _moves(runs, path)]
    first, last = path[0].response, path[-1].response
    return Comparison(
        query=query.text,
        a=_side(a, path[0]),
        b=_side(b, path[-1]),
        moves=tuple(moves),
        differences=tuple(
            Difference(group=group, constant=key, a=own_profiles.written(ours), b=own_profiles.written(theirs))
            for group, held in groups.items()
            for key, (ours, theirs) in held.items()
        ),
        correlation=tau([(move.rank_a, move.rank_b) for move in moves if move.kind in ("same", "up", "down")]),
        model=first.trace.model,
        index_version=first.trace.index_version,
        now=first.now,
        hints=tuple(dict.fromkeys((*first.hints, *last.hints))),
        degraded=first.degraded if first.degraded.flag else last.degraded,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class List:
    """One whole list: who stands where, and how many make its page."""

    response: SearchResponse
    limit: int
    results: Mapping[str, Result]

    def rank(self, id: str) -> int | None:
        return self.results[id].rank if id in self.results else None

    def shows(self, id: str) -> bool:
        return id in self.results and self.results[id].rank <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The lists of one comparison, each made once. `limits` are the pages of a and b."""

    query: Query
    a: Profile
    b: Profile
    groups: tuple[str, ...]
    limits: tuple[int, int]
    search: Search
    kept: dict[frozenset[str] | None, List] = field(default_factory=dict)

    async def after(self, taken: Sequence[str], *, whole: bool = False) -> List:
        """The list by profile a with these groups from b; by b itself where it is the `whole`."""
        key = frozenset(taken) if not whole else None
        if key not in self.kept:
            profile = self.b if whole else mixed(self.a, self.b, taken)
            response = await self.search(self.query, profile)
            results = {result.document or result.passage.id: result for result in response.results}
            limit = self.limits[whole or "page" in taken]
            self.kept[key] = List(response=response, limit=limit, results=results)
        return self.kept[key]


async def _moves(runs: Runs, path: Sequence[List]) -> AsyncIterator[Move]:
    first, last = path[0], path[-1]
    shown = [id for id in first.results if first.shows(id)]
    shown += [id for id in last.results if last.shows(id) and not first.shows(id)]
    for id in shown:
        kind = _kind(id, first, last)
        result = first.results[id] if id in first.results else last.results[id]
        yield Move(
            id=id,
            title=result.passage.title,
            uri=result.passage.uri,
            span=result.passage.span,
            kind=kind,
            rank_a=first.rank(id),
            rank_b=last.rank(id),
            cause=None if kind == "same" else await _cause(id, kind, runs, path),
            steps=tuple(_steps(id, runs.groups, path)),
        )


async def _cause(id: str, kind: MoveKind, runs: Runs, path: Sequence[List]) -> Cause | None:
    """The step that did most of a move, of those that need no other one before."""
    best: tuple[tuple[bool, int], str, bool, tuple[List, List]] | None = None
    for at, group in enumerate(runs.groups):
        before, after = path[at], path[at + 1]
        if before.rank(id) == after.rank(id) and before.shows(id) == after.shows(id):
            continue
        single = await runs.after((group,)) if len(runs.groups) > 1 else path[-1]
        alone = _kind(id, path[0], single) == kind
        done = _towards(id, kind, before, after)
        if done <= 0 and not alone:
            continue
        key = (alone, done)
        if best is None or key > best[0]:
            best = (key, group, alone, (path[0], single) if alone else (before, after))
    if best is None:
        return None
    _, group, alone, (before, after) = best
    sentence = causes.sentence(group, id, before.response, after.response, (runs.a, runs.b), after.limit)
    return Cause(group=group, sentence=sentence, alone=alone)


def _towards(id: str, kind: MoveKind, before: List, after: List) -> int:
    """By how many places a step went the way of the whole move; where it crosses the end of the page, that counts more
    than any number of places."""
    change = (before.rank(id) or OUTSIDE) - (after.rank(id) or OUTSIDE)
    crossed = after.shows(id) - before.shows(id)
    up = kind in ("up", "entered")
    return (change if up else -change) + OUTSIDE * (crossed if up else -crossed)


def _steps(id: str, groups: Sequence[str], path: Sequence[List]) -> Iterator[Step]:
    for group, before, after in zip(groups, path, path[1:], strict=False):
        if before.rank(id) != after.rank(id):
            yield Step(group=group, before=before.rank(id), after=after.rank(id))


def _kind(id: str, first: List, last: List) -> MoveKind:
    if not last.shows(id):
        return "left" if first.shows(id) else "same"
    if not first.shows(id):
        return "entered"
    before, after = first.results[id].rank, last.results[id].rank
    return "same" if before == after else "up" if after < before else "down"


def _side(profile: Profile, held: List) -> Side:
    response = held.response
    return Side(
        profile=profile.name,
        profile_hash=response.trace.profile_hash,
        scale=response.score_scale,
        limit=held.limit,
        listed=len(response.results),
        arms=tuple(trace.arm for trace in response.trace.arms if trace.ran),
        reason=response.reason,
    )


def tau(pairs: Sequence[tuple[int | None, int | None]]) -> float | None:
    """Kendall's rank correlation of two lists of the same things without ties: (pairs in the same order - pairs in the
    other) / pairs (Kendall 1938)."""
    ranks = [(one, other) for one, other in pairs if one is not None and other is not None]
    count = len(ranks) * (len(ranks) - 1) // 2
    if not count:
        return None
    agreeing = sum(
        (one[0] - other[0]) * (one[1] - other[1]) > 0 for at, one in enumerate(ranks) for other in ranks[:at]
    )
    return (2 * agreeing - count) / count


def _group(key: str, pair: tuple[Any, Any]) -> str:
    section, _, name = key.rpartition(".")
    if section == "fusion" and name in ARMS:
        return "fusion" if all(pair) else "arms"
    return section or name


def _place(group: str) -> float:
    return ORDER.index(group) if group in ORDER else len(ORDER) - 1.5
