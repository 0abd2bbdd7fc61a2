"""Confidence: the share of words stretched by the length of the query, the numbers written out."""

from __future__ import annotations

import dataclasses

import pytest

from jupyter_memo.ranking.confidence import confidence, highest, terms
from jupyter_memo.response import Candidate, Vote


def candidate(share: float, cosine: float) -> Candidate:
    votes = (
        Vote(arm="keyword", rank=1, raw=share, raw_kind="share", weight=0.55, contribution=0.55 * share),
        Vote(arm="semantic", rank=1, raw=cosine, raw_kind="cosine", weight=0.45, contribution=0.45 * cosine),
    )
    return Candidate(id="a", votes=votes, fused=0.0, score=0.0)


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (6, 0.45 * 0.4 + 0.55 * 0.2),
        (24, 0.45 * 0.4 + 0.55 * 0.4),  # four times as long: the root of four
        (1, 0.45 * 0.4 + 0.55 * 0.2 / 6**0.5),
        (600, 0.45 * 0.4 + 0.55),  # no more than all the words
    ],
)
def test_the_share_grows_with_the_root_of_the_length(count: int, expected: float) -> None:
    assert pytest.approx(expected) == confidence(candidate(0.2, 0.4), count)


def test_an_arm_that_did_not_vote_adds_nothing() -> None:
    assert 0.0 == confidence(Candidate(id="a", votes=(), fused=0.0, score=0.0), 6)


@pytest.mark.parametrize(
    ("words", "count"),
    [("how does the pump of the well fail", 3), ("pump pump pumps", 1), ("", 1), ("how", 1), ("ポンプが故障する", 6)],
)
def test_terms_are_different_content_words(words: str, count: int) -> None:
    assert count == terms(words)


@pytest.mark.parametrize("count", [1, 6, 30])
def test_the_highest_confidence_need_not_be_that_of_the_best_evidence(count: int) -> None:
    shares = ((0.1, 0.5), (0.3, 0.2), (0.6, 0.05), (0.0, 0.45))
    scored = [candidate(share, cosine) for share, cosine in shares]
    fused = [dataclasses.replace(each, fused=sum(vote.contribution for vote in each.votes)) for each in scored]
    for order in (fused, fused[::-1]):
        assert max(confidence(each, count) for each in fused) == highest(order, count)


def test_no_candidates_give_no_confidence() -> None:
    assert 0.0 == highest((), 6)
