"""Several wordings of one question: each is searched by itself, and their scores vote.

A passage's score is the mean of its scores under the queries (the weight of each is 1 / their number), and so is every
arm's contribution to it. What one query leaves out, and what a field of it asks for, holds for all; a phrase holds for
the vote of the query that has it, as another wording may well say it in other words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from jupyter_memo.profile import Fusion
from jupyter_memo.ranking import fusion
from jupyter_memo.ranking.evidence import Statistics
from jupyter_memo.ranking.stage import RAW_DIGITS, SCORE_DIGITS, Candidates, order
from jupyter_memo.response import ARMS, Arm, ArmHit, ArmTrace, Candidate, Vote
from jupyter_memo.search import fuse as fusing
from jupyter_memo.search.arms import Found
from jupyter_memo.store.tables import Row
from jupyter_memo.text.plan import QueryPlan


def agreed(plans: Sequence[QueryPlan]) -> tuple[QueryPlan, ...]:
    """The plans that look for something, with the exclusions of all in each; the first, by which the list is weighed
    and told, has what is unwanted, the fields and the hints of all."""

    def every(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for plan in plans for value in getattr(plan, name)))

    if len(plans) == 1:
        return tuple(plans)
    shared = {name: every(name) for name in ("excluded", "excluded_phrases", "excluded_identifiers")}
    told = {name: every(name) for name in ("unwanted", "fields", "suggested", "hints")}
    voting = [plan for plan in plans if plan.words or plan.semantic] or [*plans[:1]]
    first, *others = (dataclasses.replace(plan, **shared) for plan in voting)  # type: ignore[arg-type]
    return (dataclasses.replace(first, **told), *others)  # type: ignore[arg-type]


def together(founds: Sequence[Found], what: str = "queries") -> Found:
    """What the arms found for all queries, or on all of `what`, as if each had been one arm: a passage stands where its
    best rank puts it."""
    first = founds[0]
    if len(founds) == 1:
        return first
    lists = {arm: _merged(arm, founds) for arm in ARMS if any(found.ran(arm) for found in founds)}
    traces = tuple(_trace(arm, founds, len(lists.get(arm, ())), what) for arm in ARMS)
    return dataclasses.replace(
        first,
        lists=lists,
        traces=traces,
        degraded=next((found.degraded for found in founds if found.degraded.flag), first.degraded),
        vector=next((found.vector for found in founds if found.vector is not None), None),
        failed=tuple(dict.fromkeys(arm for found in founds for arm in found.failed)),
        cures={arm: cure for found in reversed(founds) for arm, cure in found.cures.items()},
    )


def fuse(
    founds: Sequence[Found],
    rows: Mapping[str, Row],
    plans: Sequence[QueryPlan],
    constants: Fusion,
    statistics: Statistics | None,
    *,
    languages: Sequence[str],
    against: float,
) -> Candidates:
    """Candidates fused for each query, and then over the queries."""
    if len(founds) == 1:
        return fusing.fuse(founds[0], rows, plans[0], constants, statistics, languages=languages, against=against)
    fused: list[Candidates] = []
    for found, plan in zip(founds, plans, strict=True):
        own = {hit.id for hits in found.lists.values() for hit in hits}
        held = {id: row for id, row in rows.items() if id in own or not plan.phrases}
        if found.lists:
            fused.append(fusing.fuse(found, held, plan, constants, statistics, languages=languages, against=against))
    return _voted(fused, len(founds), _rank_scores(founds, constants), constants)


def _voted(fused: Sequence[Candidates], queries: int, by_rank: Mapping[str, float], constants: Fusion) -> Candidates:
    given: dict[str, list[Candidate]] = {}
    for candidates in fused:
        for candidate in candidates:
            given.setdefault(candidate.id, []).append(candidate)
    ordered = sorted(given, key=lambda id: (-by_rank.get(id, 0.0), id))
    places = {id: rank for rank, id in enumerate(ordered, 1)}
    return order(tuple(_one(each, queries, places[each[0].id], constants) for each in given.values()))


def _one(given: Sequence[Candidate], queries: int, rrf_rank: int, constants: Fusion) -> Candidate:
    votes = tuple(
        _vote(votes, queries, constants)
        for arm in ARMS
        if (votes := [vote for candidate in given for vote in candidate.votes if vote.arm == arm])
    )
    fused = round(sum(vote.contribution for vote in votes), SCORE_DIGITS)
    cosines = [candidate.relevance for candidate in given if candidate.relevance is not None]
    return dataclasses.replace(
        given[0],
        votes=votes,
        fused=fused,
        score=fused,
        relevance=max(cosines, default=None),
        whole=any(candidate.whole for candidate in given),
        rrf_rank=rrf_rank if any(candidate.rrf_rank is not None for candidate in given) else None,
    )


def _vote(votes: Sequence[Vote], queries: int, constants: Fusion) -> Vote:
    """The mean of an arm's votes over all queries, those that did not vote counted as 0. The best rank is told, and raw
    and weight so that the formula of the fusion still gives the contribution."""
    first = votes[0]
    contribution = sum(vote.contribution for vote in votes) / queries
    rank = min((vote.rank for vote in votes if vote.rank is not None), default=None)
    raw, weight = max(vote.raw for vote in votes), first.weight / queries
    if constants.method == "evidence":
        raw = round(sum(max(0.0, vote.raw) for vote in votes) / queries, RAW_DIGITS)
        weight = contribution / raw if raw else first.weight
    elif constants.method == "rrf" and rank is not None:
        weight = contribution * (constants.k + rank)
    return dataclasses.replace(first, rank=rank, raw=raw, weight=weight, contribution=contribution)


def _rank_scores(founds: Sequence[Found], constants: Fusion) -> dict[str, float]:
    scores: dict[str, float] = {}
    for found in founds:
        for id, score in fusion.scores(found.lists, constants).items():
            scores[id] = scores.get(id, 0.0) + score / len(founds)
    return {id: round(score, SCORE_DIGITS) for id, score in scores.items()}


def _merged(arm: Arm, founds: Sequence[Found]) -> tuple[ArmHit, ...]:
    best: dict[str, ArmHit] = {}
    for found in founds:
        for hit in found.lists.get(arm, ()):
            known = best.get(hit.id)
            if known is None or (hit.rank or 0, -hit.raw) < (known.rank or 0, -known.raw):
                best[hit.id] = hit
    ordered = sorted(best.values(), key=lambda hit: (hit.rank or 0, -hit.raw, hit.id))
    return tuple(dataclasses.replace(hit, rank=rank) for rank, hit in enumerate(ordered, 1))


def _trace(arm: Arm, founds: Sequence[Found], candidates: int, what: str) -> ArmTrace:
    traces = [trace for found in founds for trace in found.traces if trace.arm == arm]
    ran = [trace for trace in traces if trace.ran]
    if not ran:
        return traces[0]
    reason = "; ".join(dict.fromkeys(trace.reason for trace in ran))
    start = min(trace.start_ms for trace in ran)
    return dataclasses.replace(
        ran[0],
        reason=f"{len(ran)} {what}: {reason}" if len(ran) > 1 else reason,
        candidates=candidates,
        start_ms=start,
        ms=max(trace.start_ms + trace.ms for trace in ran) - start,
    )
