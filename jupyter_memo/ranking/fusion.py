"""Fusion: several ranked lists become one, and each arm's part of every score stays readable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jupyter_memo.profile import Fusion
from jupyter_memo.ranking.stage import RAW_DIGITS, SCORE_DIGITS, Candidates, order
from jupyter_memo.response import ARMS, Arm, ArmHit, Candidate, RawKind, Vote

RAW_KINDS: dict[Arm, RawKind] = {
    "keyword": "bm25",
    "exact": "bm25",
    "semantic": "cosine",
    "fact": "cosine",
    "entity": "mention weight",
    "graph": "walk mass",
}


def fuse(lists: Mapping[Arm, Sequence[ArmHit]], fusion: Fusion) -> Candidates:
    """The union of the arms' lists, best first, each candidate with its votes.

    `fused` is the sum of the votes' contributions in the fixed order of `ARMS`, rounded to 1e-9. Under `rrf` a
    contribution is weight / (k + rank) (Cormack, Clarke and Büttcher 2009); under `minmax` it is
    weight × (raw - lo) / (hi - lo) over that arm's list, and the whole weight when hi = lo.
    """
    votes: dict[str, list[Vote]] = {}
    for arm in ARMS:
        hits = lists.get(arm, ())
        raws = [round(hit.raw, RAW_DIGITS) for hit in hits]
        low, high = (min(raws), max(raws)) if raws else (0.0, 0.0)
        weight = fusion.weight(arm)
        for hit, raw in zip(hits, raws, strict=True):
            if fusion.method == "minmax":
                part = weight * ((raw - low) / (high - low) if high > low else 1.0)
            else:
                part = _by_rank(hit, weight, fusion.k)
            vote = Vote(arm=arm, rank=hit.rank, raw=raw, raw_kind=RAW_KINDS[arm], weight=weight, contribution=part)
            votes.setdefault(hit.id, []).append(vote)
    return order(tuple(_candidate(id, tuple(given)) for id, given in votes.items()))


def ranks(lists: Mapping[Arm, Sequence[ArmHit]], fusion: Fusion) -> dict[str, int]:
    """Where rank fusion of the lists puts each passage, whatever the method of `fusion` is: the order of `fuse` under
    `rrf`, without its candidates."""
    ordered = sorted((-round(score, SCORE_DIGITS), id) for id, score in scores(lists, fusion).items())
    return {id: rank for rank, (_, id) in enumerate(ordered, 1)}


def scores(lists: Mapping[Arm, Sequence[ArmHit]], fusion: Fusion) -> dict[str, float]:
    """What rank fusion gives each passage: the sum of weight / (k + rank) over the lists."""
    given: dict[str, float] = {}
    for arm in ARMS:
        weight, k = fusion.weight(arm), fusion.k
        for hit in lists.get(arm, ()):
            given[hit.id] = given.get(hit.id, 0.0) + _by_rank(hit, weight, k)
    return given


def _by_rank(hit: ArmHit, weight: float, k: int) -> float:
    return weight / (k + hit.rank) if hit.rank is not None else 0.0


def _candidate(id: str, votes: tuple[Vote, ...]) -> Candidate:
    fused = round(sum(vote.contribution for vote in votes), SCORE_DIGITS)
    cosine = next((vote.raw for vote in votes if vote.arm == "semantic"), None)
    return Candidate(id=id, votes=votes, fused=fused, score=fused, relevance=cosine)
