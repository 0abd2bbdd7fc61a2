"""Weights: age, and what a query does not want, each told with its reason."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jupyter_memo import profile as profiles
from jupyter_memo.profile import GENERIC_BANDS, ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.ranking.stage import Candidates, Context
from jupyter_memo.ranking.weigh import weigh
from jupyter_memo.records import Passage
from jupyter_memo.response import Candidate
from jupyter_memo.text.plan import plan

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def candidate(id: str, text: str, score: float, header: tuple[str, ...] = ()) -> Candidate:
    passage = Passage(
        id=id,
        source_id="s",
        uri=id,
        surface="record",
        kind="document",
        text=text,
        header=header,
        sha256="",
        created_at=NOW,
        recorded_at=NOW,
    )
    return Candidate(id=id, votes=(), fused=score, score=score, passage=passage)


def weighed(query: str, *candidates: Candidate, profile: str = "default") -> Candidates:
    resolved = ResolvedProfile(profile=profiles.get(profile), model="", bands=GENERIC_BANDS)
    context = Context(query=Query(text=query), plan=plan(query, now=NOW), resolved=resolved, now=NOW)
    return weigh(candidates, context)[0]


def test_what_holds_the_unwanted_goes_down_and_stays() -> None:
    found = weighed("soup without garlic", candidate("a", "Garlic soup", 0.8), candidate("b", "Leek soup", 0.75))
    assert [("b", 0.75), ("a", 0.68)] == [(each.id, each.score) for each in found]


def test_the_weight_is_told_with_its_reason() -> None:
    (found,) = weighed("soup without garlic", candidate("a", "Soup", 0.8, header=("With garlic",)))
    assert [("unwanted", 0.85, "holds garlic")] == [(each.name, each.factor, each.detail) for each in found.weights]


@pytest.mark.parametrize("text", ["Soup without garlic", "Soup, no garlic", "Onion soup"])
def test_what_does_not_speak_for_the_unwanted_keeps_its_score(text: str) -> None:
    (found,) = weighed("soup without garlic", candidate("a", text, 0.8))
    assert (0.8, ()) == (found.score, found.weights)


def test_all_words_of_the_unwanted_must_be_held() -> None:
    (found,) = weighed('soup without "olive oil"', candidate("a", "Soup with oil", 0.8))
    assert 0.8 == found.score


def test_a_name_is_unwanted_letter_by_letter() -> None:
    found = weighed("compilers other than C++", candidate("a", "C and Rust", 0.8), candidate("b", "Rust and C++", 0.8))
    assert ["a", "b"] == [each.id for each in found]
    assert [0.8, 0.68] == [each.score for each in found]
