"""Abstention: a short honest list, or none, instead of the nearest unrelated passages."""

from __future__ import annotations

from jupyter_memo.profile import Bands
from jupyter_memo.ranking.stage import Candidates, Context, Facts
from jupyter_memo.response import Band, Candidate


def band(relevance: float | None, bands: Bands) -> Band:
    """The cosine in words. None (the semantic arm did not find it) is keyword-only."""
    if relevance is None:
        return "keyword-only"
    if relevance >= bands.strong:
        return "strong"
    if relevance >= bands.moderate:
        return "moderate"
    return "weak" if relevance >= bands.weak else "very-weak"


def abstain(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """Drop candidates whose only evidence is a cosine below the model's floor.

    `query.min_relevance` is the caller's own floor on cosine; like the model's it never touches what words, an
    identifier or a phrase found.
    """
    bands = context.resolved.bands
    floor = bands.floor if context.resolved.profile.abstain.enabled else -1.0
    if context.query.min_relevance is not None:
        floor = max(floor, context.query.min_relevance)
    spared = bool(context.plan.phrases)
    kept = tuple(candidate for candidate in candidates if spared or not _only_cosine_below(candidate, floor))
    gone = len(candidates) - len(kept)
    return kept, Facts(
        note=f"{gone} with nothing but a cosine below {floor:.2f}" if gone else "nothing below the floor"
    )


def _only_cosine_below(candidate: Candidate, floor: float) -> bool:
    return (
        all(vote.arm == "semantic" for vote in candidate.votes)
        and candidate.relevance is not None
        and candidate.relevance < floor
    )
