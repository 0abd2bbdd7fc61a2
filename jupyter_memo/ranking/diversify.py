"""Diversity: what says the same as a result above it gives way to what says something else, where a profile asks."""

from __future__ import annotations

from jupyter_memo.ranking.stage import SCORE_DIGITS, Candidates, Context, Facts
from jupyter_memo.response import Candidate
from jupyter_memo.text import words


def diversify(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """Reorder the first `mmr.pool` candidates by marginal relevance; scores stay as they are, and so does the first.

    It stands before the limit, so that it can bring others to the page, and looks at the same candidates whatever page
    is asked for, so that pages have no gaps.
    """
    profile = context.resolved.profile
    if not profile.mmr.enabled:
        return candidates, Facts(note=f"off in profile {profile.name} (mmr.enabled)", ran=False)
    pool = candidates[: profile.mmr.pool]
    chosen = spread(pool, profile.mmr.lambda_)
    moved = sum(one is not other for one, other in zip(pool, chosen, strict=True))
    note = f"{moved} of {len(pool)} moved, lambda {profile.mmr.lambda_:g}"
    return (*chosen, *candidates[len(pool) :]), Facts(note=note)


def spread(candidates: Candidates, lambda_: float) -> Candidates:
    """The same candidates by maximal marginal relevance, greedily: next is the one with the most of
    lambda × score ÷ best score - (1 - lambda) × its greatest likeness to one already chosen.

    Likeness is the word Jaccard of the texts. The score is a share of the best one, not stretched over the list: so
    nothing counts as irrelevant for being last. Of equals the one that stood higher comes first, thus lambda 1 changes
    nothing.
    """
    best = max((candidate.score for candidate in candidates), default=0.0)
    if best <= 0:
        return candidates
    held = [words.speaks_of(_text(candidate)) for candidate in candidates]
    gains = [lambda_ * candidate.score / best for candidate in candidates]
    likeness = [0.0] * len(candidates)
    left = list(range(len(candidates)))
    chosen = []
    while left:
        # Sums are rounded as scores are, so that a tie is a tie on every machine; `max` takes the first of them.
        at = max(left, key=lambda each: round(gains[each] - (1 - lambda_) * likeness[each], SCORE_DIGITS))
        left.remove(at)
        chosen.append(candidates[at])
        for other in left:
            likeness[other] = max(likeness[other], words.jaccard(held[at], held[other]))
    return tuple(chosen)


def _text(candidate: Candidate) -> str:
    return candidate.passage.text if candidate.passage else ""
