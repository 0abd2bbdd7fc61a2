"""Maximal marginal relevance as a pure stage, the arithmetic written out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as some

from jupyter_memo import profile
from jupyter_memo.errors import ProfileError
from jupyter_memo.profile import GENERIC_BANDS, ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.ranking.diversify import diversify, spread
from jupyter_memo.ranking.stage import Candidates, Context, order
from jupyter_memo.records import Passage
from jupyter_memo.response import Candidate
from jupyter_memo.text import words
from jupyter_memo.text.plan import QueryPlan

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ON = {"mmr.enabled": True}

TEXTS = some.lists(some.sampled_from(["moss", "lichen", "gauge", "weir", "trout"]), max_size=4).map(" ".join)
LISTS = some.lists(some.tuples(some.sampled_from([0.0, 0.2, 0.5, 0.5001, 0.9]), TEXTS), max_size=8).map(
    lambda drawn: order(tuple(candidate(f"{at}", score, text) for at, (score, text) in enumerate(drawn)))
)


def candidate(id: str, score: float, text: str) -> Candidate:
    passage = Passage(id=id, source_id="s", uri="s", text=text, created_at=NOW, recorded_at=NOW)
    return Candidate(id=id, votes=(), fused=score, score=score, passage=passage)


def context(**constants: object) -> Context:
    chosen = profile.override(profile.get("default"), **constants)
    resolved = ResolvedProfile(profile=chosen, model="m", bands=GENERIC_BANDS)
    return Context(query=Query(text="q"), plan=QueryPlan(text="q"), resolved=resolved, now=NOW)


def ids(candidates: Candidates) -> str:
    return "".join(each.id for each in candidates)


FOUR = (
    candidate("a", 0.8, "trout moss weir"),
    candidate("b", 0.72, "trout moss weir"),
    candidate("c", 0.6, "trout moss gauge"),
    candidate("d", 0.4, "lichen"),
)


def test_likeness_is_the_words_in_both_by_the_words_in_either() -> None:
    one, other = words.speaks_of("the trout and the moss"), words.speaks_of("moss at a weir")
    assert (1 / 3, 1.0, 0.0) == (words.jaccard(one, other), words.jaccard(one, one), words.jaccard(one, frozenset()))


def test_texts_without_words_are_alike_in_nothing() -> None:
    assert 0.0 == words.jaccard(words.speaks_of(""), words.speaks_of("!?"))


def test_scripts_without_spaces_are_compared_by_their_characters_and_pairs() -> None:
    # 水温 and 水位: 水, 温, 水温 against 水, 位, 水位.
    assert 1 / 5 == words.jaccard(words.speaks_of("水温"), words.speaks_of("水位"))


def test_the_next_is_the_most_relevant_less_its_likeness_to_what_was_chosen() -> None:
    # Relevance .8/.8 = 1, .9, .75, .5; lambda .7. The first is a.
    # b = .7 × .9 - .3 × 1 = .33; c = .7 × .75 - .3 × 2/4 = .375; d = .7 × .5 - .3 × 0 = .35: c is second.
    # b = .33 still; d = .35 still, as it shares no word with c: d is third.
    assert "acdb" == ids(spread(FOUR, 0.7))


def test_scores_stay_as_they_are() -> None:
    assert [0.8, 0.6, 0.4, 0.72] == [each.score for each in spread(FOUR, 0.7)]


def test_relevance_alone_changes_nothing() -> None:
    assert "abcd" == ids(spread(FOUR, 1.0))


def test_a_list_whose_scores_say_nothing_stays_as_it_is() -> None:
    assert "ab" == ids(spread((candidate("a", 0.0, "moss"), candidate("b", 0.0, "moss")), 0.7))


def test_off_is_the_very_same_list_and_says_so() -> None:
    after, facts = diversify(FOUR, context())
    assert after is FOUR
    assert (False, "off in profile default (mmr.enabled)") == (facts.ran, facts.note)


def test_on_says_how_many_moved() -> None:
    after, facts = diversify(FOUR, context(**ON))
    assert ("acdb", True, "3 of 4 moved, lambda 0.7") == (ids(after), facts.ran, facts.note)


def test_what_is_beyond_the_pool_keeps_its_place() -> None:
    after, facts = diversify(FOUR, context(**ON, **{"mmr.pool": 3}))
    # Without d: c .375 stands before b .33, and d after both.
    assert ("acbd", "2 of 3 moved, lambda 0.7") == (ids(after), facts.note)


@given(LISTS)
def test_lambda_one_is_the_order_of_the_scores(candidates: Candidates) -> None:
    assert candidates == spread(candidates, 1.0)


@given(LISTS, some.sampled_from([0.0, 0.3, 0.7, 1.0]))
def test_nothing_is_lost_and_the_first_stays(candidates: Candidates, lambda_: float) -> None:
    after = spread(candidates, lambda_)
    assert sorted(ids(candidates)) == sorted(ids(after))
    assert candidates[:1] == after[:1]


@given(TEXTS.filter(bool), TEXTS, some.floats(0.1, 1.0))
def test_a_copy_of_the_first_goes_below_what_is_as_good_and_says_something_else(
    text: str, other: str, score: float
) -> None:
    unlike = words.jaccard(words.speaks_of(text), words.speaks_of(other)) < 1
    copies = (candidate("a", score, text), candidate("b", score, text), candidate("c", score, other))
    assert ("acb" if unlike else "abc") == ids(spread(copies, 0.7))


@pytest.mark.parametrize("constants", [{"mmr.lambda_": 1.1}, {"mmr.lambda_": -0.1}, {"mmr.pool": 0}, {"mmr.pool": 201}])
def test_constants_out_of_range_are_refused(constants: dict[str, object]) -> None:
    with pytest.raises(ProfileError, match="mmr"):
        context(**constants)
