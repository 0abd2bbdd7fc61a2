"""Abstention: a short honest list, or none, instead of the nearest unrelated passages."""

from __future__ import annotations

from jupyter_memo.profile import Bands
from jupyter_memo.ranking.confidence import highest, terms
from jupyter_memo.ranking.stage import Candidates, Context, Facts
from jupyter_memo.response import Band, Candidate, Floor

NEAREST = 3
"""Of a list that is refused as a whole, so many are named, as misses."""


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
    """Drop candidates whose only evidence is a cosine below the model's band, and all of them when the best confidence
    is what this index shows for questions it cannot answer.

    `query.min_relevance` is the caller's own floor on cosine; like the model's it never touches what words, an
    identifier or a phrase found. Nothing is refused under a phrase; what an identifier found stays, and so does what
    holds every word that was asked for.
    """
    floor = cosine_floor(context)
    spared = bool(context.plan.phrases)
    kept = tuple(candidate for candidate in candidates if spared or not _only_cosine_below(candidate, floor))
    gone = len(candidates) - len(kept)
    notes = [f"{gone} with nothing but a cosine below {floor:.2f}"] if gone else []
    judged, refused = None if spared else judge(candidates, context), candidates[:0]
    if judged and judged.refused:
        found = tuple(candidate for candidate in kept if _literal(candidate))
        notes.append(f"best confidence {judged.best:.3f} below {judged.least:.3f}, {len(kept) - len(found)} dropped")
        refused = () if found else candidates[:NEAREST]
        kept = found
    return kept, Facts(note=", ".join(notes) or "nothing below the floor", floor=judged, refused=refused)


def cosine_floor(context: Context) -> float:
    """The cosine below which meaning alone is no evidence: that of the profile's band, or the caller's own where it is
    higher; -1 where neither holds."""
    rules, bands = context.resolved.profile.abstain, context.resolved.bands
    own = (bands.weak if rules.band == "weak" else bands.floor) if rules.enabled else -1.0
    return own if context.query.min_relevance is None else max(own, context.query.min_relevance)


def judge(candidates: Candidates, context: Context) -> Floor | None:
    """The best confidence of all candidates, before age and other weights, against the floor for the arms that ran, and
    the best cosine against the one that needs no words beside it. With abstention off nothing is refused."""
    found = least(context)
    if not candidates or found is None:
        return None
    floor, calibrated = found
    best = highest(candidates, terms(context.plan.words))
    known = context.resolved.calibration
    certain = known.cosine if known and "semantic" in context.arms else None
    cosine = max((each.relevance for each in candidates if each.relevance is not None), default=None)
    by_itself = certain is not None and cosine is not None and cosine >= certain
    return Floor(
        best=best,
        least=floor,
        calibrated=calibrated,
        refused=context.resolved.profile.abstain.enabled and best < floor and not by_itself,
        cosine=cosine,
        certain=certain,
    )


def least(context: Context) -> tuple[float, bool] | None:
    """The floor of confidence for the arms that ran, and whether it was measured on this index; None where the fusion
    gives no evidence or only identifiers were looked for."""
    resolved = context.resolved
    if resolved.profile.fusion.method != "evidence" or context.arms <= {"exact"}:
        return None
    known, own = resolved.calibration, resolved.profile.abstain.uncalibrated
    if "semantic" not in context.arms:
        measured = known.words if known else None
    elif context.arms == {"semantic"}:
        measured, own = known.meaning if known else None, resolved.bands.floor
    else:
        measured = known.hybrid if known else None
    return (own, False) if measured is None else (min(measured, resolved.profile.abstain.most), True)


def _literal(candidate: Candidate) -> bool:
    return candidate.whole or any(vote.arm == "exact" and vote.rank is not None for vote in candidate.votes)


def _only_cosine_below(candidate: Candidate, floor: float) -> bool:
    return (
        candidate.relevance is not None
        and candidate.relevance < floor
        and all(vote.arm == "semantic" for vote in candidate.votes)
    )
