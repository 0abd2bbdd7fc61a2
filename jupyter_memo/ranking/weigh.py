"""Weights: what is no evidence of a match but moves a rank. Applied before the sort, so the list stays monotonic."""

from __future__ import annotations

import dataclasses
from datetime import datetime

from jupyter_memo.profile import Recency
from jupyter_memo.ranking.stage import SCORE_DIGITS, Candidates, Context, Facts, order
from jupyter_memo.records import Passage
from jupyter_memo.response import Candidate, Weight
from jupyter_memo.text import negation

DAY_SECONDS = 86_400.0


def age_days(passage: Passage, now: datetime) -> float:
    """Days since the passage's document was last written, at least 0: a file from the future is new, not negative."""
    return max(0.0, (now - passage.created_at).total_seconds() / DAY_SECONDS)


def age_factor(age: float, recency: Recency) -> float:
    """floor + (1 - floor) × 0.5^(age / half-life); 1 for what is new, towards the floor for what is old."""
    return float(recency.floor + (1 - recency.floor) * 0.5 ** (age / recency.half_life_days))


def weigh(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """Multiply the score of candidates that hold what the query does not want by the profile's factor, and of those
    whose kind ages by their age factor."""
    recency, reading = context.resolved.profile.recency, context.resolved.profile.reading
    weighed, aged, down = [], 0, 0
    for candidate in candidates:
        passage = candidate.passage
        held = negation.held(context.plan.unwanted, passage.header, passage.text) if passage is not None else ()
        if held:
            candidate = _by(
                candidate, Weight(name="unwanted", factor=reading.unwanted, detail="holds " + ", ".join(held))
            )
            down += 1
        if passage is not None and passage.kind in recency.kinds and recency.floor < 1:
            age = age_days(passage, context.now)
            factor = age_factor(age, recency)
            weight = Weight(name="age", factor=factor, detail=f"{age:.0f} days old, {passage.kind}")
            candidate = _by(candidate, weight)
            aged += 1
        weighed.append(candidate)
    note = f"age, on {aged} {' and '.join(recency.kinds)}" if aged else "nothing here ages"
    if context.plan.unwanted:
        note += f"; {down} hold what is unwanted"
    return order(tuple(weighed)), Facts(note=note)


def _by(candidate: Candidate, weight: Weight) -> Candidate:
    return dataclasses.replace(
        candidate,
        score=round(candidate.score * weight.factor, SCORE_DIGITS),
        weights=(*candidate.weights, weight),
    )
