"""What each arm does for one result: the same search again, without it."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Awaitable, Callable, Sequence

from jupyter_memo import profile as profiles
from jupyter_memo.profile import Profile
from jupyter_memo.query import LIMIT_MAX, Mode, Query
from jupyter_memo.response import Ablation, Arm, Result, SearchResponse, Without

Search = Callable[[Query, Profile], Awaitable[SearchResponse]]
"""One search over the state of the index that the list was made from."""


async def ablate(response: SearchResponse, rank: int, profile: Profile, search: Search) -> Ablation:
    """Take the result of that rank apart. `profile` is the one the list was made by.

    Each rank is that of a fresh search with the arm's weight at 0. With n arms there are at most 2^n - 1 searches;
    sets of arms are tried from small to large until one keeps the result on its page. Raises QueryError for a rank that
    is not on the page.
    """
    result = response.at(rank)
    ran = tuple(trace.arm for trace in response.trace.arms if trace.ran)
    query = again(response)
    last = response.offset + response.limit
    ranks: dict[tuple[Arm, ...], int | None] = {(): None}

    async def rank_with(arms: tuple[Arm, ...]) -> int | None:
        if arms not in ranks:
            found = await search(query, only(profile, arms, ran))
            ranks[arms] = _rank(found, result)
        return ranks[arms]

    whole = await search(query, profile)
    page = [each.passage.id for each in whole.results[response.offset :][: len(response.results)]]
    ranks[ran] = _rank(whole, result)
    without = [Without(arm=arm, rank=await rank_with(tuple(each for each in ran if each != arm))) for arm in ran]
    enough = ran
    for arms in (some for size in range(1, len(ran)) for some in itertools.combinations(ran, size)):
        stands = await rank_with(arms)
        if stands is not None and stands <= last:
            enough = arms
            break
    return Ablation(
        response=dataclasses.replace(response, results=(result,)),
        without=tuple(without),
        enough=enough,
        last=last,
        same=page == [each.passage.id for each in response.results],
    )


def _rank(response: SearchResponse, result: Result) -> int | None:
    """Where a passage stands, or what it is folded below; where a document stands, whichever passage is its best."""
    for each in response.results:
        if result.document is None and result.passage.id in (each.passage.id, *(below.id for below in each.folded)):
            return each.rank
        if result.document is not None and result.document in (each.document, *(below.uri for below in each.folded)):
            return each.rank
    return None


def again(response: SearchResponse) -> Query:
    """The query of a response, for its whole list: same scope, mode and moment, no budget."""
    mode: Mode = response.trace.mode_asked  # type: ignore[assignment]
    return Query(
        text=response.query,
        mode=mode,
        granularity=response.granularity,  # type: ignore[arg-type]
        scope=response.scope,
        limit=LIMIT_MAX,
        min_relevance=response.min_relevance,
        explain=False,
        record=False,
        sync=False,
        now=response.now,
        queries=response.queries,
        surfaces=tuple(leg.surface for leg in response.legs),
    )


def only(profile: Profile, arms: Sequence[Arm], ran: Sequence[Arm]) -> Profile:
    """The profile in which of the arms that ran only these have a weight."""
    return profiles.override(profile, **{f"fusion.{arm}": 0.0 for arm in ran if arm not in arms})
