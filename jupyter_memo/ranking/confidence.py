"""How much speaks for a candidate being an answer at all: evidence, made comparable between short and long queries.

A score orders one list. Whether its best is an answer is another question, and there the length of the query matters: a
passage that answers a paragraph of thirty words holds a small share of them, one that has nothing to do with a question
of four words holds one of them by accident and so a large share.
"""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_memo.response import Candidate
from jupyter_memo.text.words import asked, content, has_cjk

USUAL_TERMS = 6
"""At this many content words confidence is the evidence itself. So long are the longer ones of the probes."""

POWER = 0.5
"""The share of the words grows with the root of the query's length over the usual one. Of eight sets with fourteen
sources of unanswerable questions, the least AUC was .941 without this and .968 with it; higher powers cost the others
what they gave there."""


ROUNDED = 1e-6
"""More than the rounding of a fused score can hide."""


def terms(words: str) -> int:
    """How many different content words a query has, its question words left out; the usual number for a query in a
    script without blanks, where words cannot be counted."""
    if has_cjk(words):
        return USUAL_TERMS
    return max(1, len(set(asked(words)) & set(content(words))))


def confidence(candidate: Candidate, count: int) -> float:
    """weight × cosine + weight × min(1, share × (terms / usual)^.5), from the votes as they were fused: 0 to 1."""
    stretch = _stretch(count)
    meaning = share = weight = 0.0
    for vote in candidate.votes:
        if vote.arm == "semantic":
            meaning += vote.contribution
        else:
            share += max(0.0, vote.raw or 0.0)
            weight = vote.weight
    return meaning + weight * min(1.0, share * stretch)


def highest(candidates: Iterable[Candidate], count: int) -> float:
    """The highest confidence of candidates that evidence fusion made; 0 where there are none."""
    # A confidence is at most the evidence so stretched, and the best few of a list bound all others.
    reach, best = max(1.0, _stretch(count)), 0.0
    for candidate in candidates:
        if candidate.fused * reach > best - ROUNDED:
            best = max(best, confidence(candidate, count))
    return best


def _stretch(count: int) -> float:
    return float((count / USUAL_TERMS) ** POWER)
