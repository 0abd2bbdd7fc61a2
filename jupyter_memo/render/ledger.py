"""The arithmetic of one result, ready to print: votes, their sum, the weights, the score. What is printed adds up."""

from __future__ import annotations

import math
from dataclasses import dataclass

from jupyter_memo.render import location, numbers, visible
from jupyter_memo.response import ARM_LETTERS, ARMS, Result, SearchResponse, Vote

QUOTIENTS = ("rrf", "rerank", "signals")
"""Scales whose votes may come from ranks: rank fusion itself, and rerankers that run after it."""

SHARES = {
    "minmax": "weight × (raw − low) ÷ (high − low)",
    "evidence": "weight × evidence",
    "weighted_max": "weight × share",
    "signals": "weight × signal",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row: an arm with its rank, raw value, unit, formula and contribution, or a weight with its reason."""

    name: str
    rank: str = ""
    raw: str = ""
    unit: str = ""
    formula: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All rows of one result. `formula` heads the column of how a contribution came about, for this list's scale.

    `votes` add up to `fused` (or to `score` when nothing follows); `fused` or `rerank` times the `weights` is `score`.
    """

    formula: str
    votes: tuple[Line, ...]
    fused: str
    rerank: str
    weights: tuple[Line, ...]
    score: str

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every row above the score, in the order of the sum."""
        between = []
        if self.fused:
            between.append(Line(name="fused", value=self.fused))
        if self.rerank:
            between.append(Line(name="rerank", value=self.rerank))
        return (*self.votes, *between, *self.weights)


def ledger(result: Result, response: SearchResponse) -> Ledger | None:
    """The rows of one result; None when it carries no reasons or nothing was scored."""
    why = result.why
    scale = response.score_scale
    if why is None or scale == "none":
        return None
    votes_scale = native(response)
    digits = numbers.explain_digits(scale)
    vote_digits = numbers.explain_digits("rrf") if scale == "rerank" else digits
    base = why.fused if why.rerank is None else why.rerank
    follows = why.rerank is not None or bool(why.weights) or not math.isclose(why.fused, why.final, abs_tol=1e-8)
    written, factors, score = numbers.product(base, [weight.factor for weight in why.weights], why.final, digits)
    fused = numbers.fixed(why.fused, vote_digits) if why.rerank is not None else written
    votes = sorted(why.arms, key=lambda vote: ARMS.index(vote.arm))
    values = numbers.parts([vote.contribution for vote in votes], fused)
    k = _k(response)
    return Ledger(
        formula=_formula(votes_scale, k),
        votes=tuple(_line(vote, value, votes_scale, k) for vote, value in zip(votes, values, strict=True)),
        fused=fused if follows else "",
        rerank=written if why.rerank is not None else "",
        weights=tuple(
            Line(
                name=weight.name,
                raw=numbers.fixed(why.freshness.age_days, 0) if weight.name == "age" else "",
                unit="days" if weight.name == "age" else visible.line(weight.detail),
                value=factor,
            )
            for weight, factor in zip(why.weights, factors, strict=True)
        ),
        score=score,
    )


def native(response: SearchResponse) -> str:
    """The scale of the votes: that of each surface by itself where several were merged."""
    return response.legs[0].scale if response.legs else response.score_scale


def story(result: Result) -> tuple[str, ...]:
    """What the rows do not say: the words that matched, how the rank moved, when it was written and read."""
    why = result.why
    if why is None:
        return ()
    told = []
    matched = tuple(dict.fromkeys(visible.line(term) for vote in why.arms for term in vote.matched_terms))
    if matched:
        told.append("Matched: " + ", ".join(matched) + ".")
    moves = [
        f"{place.stage} {place.rank}"
        for before, place in zip((None, *why.places), why.places, strict=False)
        if before is None or before.rank != place.rank
    ]
    if len(moves) > 1:
        told.append("Rank: " + ", ".join(moves) + ".")
    if why.rrf_rank is not None:
        before = ", before age," if why.weights else ""
        told.append(f"By rank fusion alone{before} it would stand {numbers.ordinal(why.rrf_rank)}.")
    written = why.freshness.created_at.date().isoformat()
    read = why.provenance.recorded_at.date().isoformat()
    told.append(f"Written {written}, indexed {read}, trust {why.provenance.trust}.")
    return tuple(told)


def letters(result: Result, arms: tuple[str, ...]) -> tuple[str, ...]:
    """One cell an arm: its letter and the rank it gave (`K1`), or an empty one where it did not find the passage."""
    ranks = {str(vote.arm): vote.rank for vote in result.why.arms} if result.why else {}
    return tuple("" if ranks.get(arm) is None else f"{ARM_LETTERS[arm]}{ranks[arm]}" for arm in arms)


def facts(result: Result, response: SearchResponse) -> tuple[str, ...]:
    """Band, kind and age of one result, and where several surfaces were merged its own, with its score there. A list
    without scores has no band."""
    age = location.age(result.passage, response.now)
    band = () if response.score_scale == "none" else (result.band,)
    return (*band, result.passage.kind, age, *home(result, response))


def home(result: Result, response: SearchResponse) -> tuple[str, ...]:
    """`chat 0.281`: the surface of a result, and its score there; nothing where the list is one."""
    if result.native is None:
        return ()
    return (f"{result.passage.surface} {numbers.score(result.native, native(response))}",)


def _line(vote: Vote, value: str, scale: str, k: int | None) -> Line:
    share = vote.contribution / vote.weight if vote.weight else 0.0
    if vote.rank is not None and k is not None:
        formula = f"{numbers.weight(vote.weight)} ÷ {k + vote.rank}"
    elif not vote.contribution:
        formula = ""
    elif scale in SHARES:
        formula = f"{numbers.weight(vote.weight)} × {numbers.fixed(share, numbers.explain_digits(scale))}"
    else:
        formula = numbers.weight(vote.weight)
    return Line(
        name=vote.arm,
        rank=numbers.NOTHING if vote.rank is None else numbers.count(vote.rank),
        raw=numbers.raw(vote.raw, vote.raw_kind),
        unit=numbers.UNITS[vote.raw_kind] + (f" by {visible.line(vote.model)}" if vote.model else ""),
        formula=formula,
        value=value,
    )


def _formula(scale: str, k: int | None) -> str:
    return f"weight ÷ ({k} + rank)" if k is not None else SHARES.get(scale, "weight")


def _k(response: SearchResponse) -> int | None:
    """The k of reciprocal rank fusion, read off the votes: contribution = weight / (k + rank).

    None when any vote disagrees, as it does when several phrasings of a query vote together: then the column shows the
    weights alone rather than a quotient that is not the one that was taken.
    """
    if native(response) not in QUOTIENTS:
        return None
    found = set()
    for result in response.results:
        for vote in result.why.arms if result.why else ():
            if vote.rank is None or not vote.contribution:
                continue
            k = vote.weight / vote.contribution - vote.rank
            if k < 0.5 or not math.isclose(k, round(k), abs_tol=1e-3):
                return None
            found.add(round(k))
    return found.pop() if len(found) == 1 else None
