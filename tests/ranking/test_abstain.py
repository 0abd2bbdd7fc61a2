"""Abstention as a pure stage: which floor holds for which arms, and what stays above all floors."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

import pytest

from jupyter_memo import profile
from jupyter_memo.profile import Bands, Calibration, ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.ranking import select
from jupyter_memo.ranking.abstain import abstain, judge
from jupyter_memo.ranking.stage import Candidates, Context
from jupyter_memo.response import Arm, Candidate, Vote
from jupyter_memo.text.plan import plan

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MEASURED = Calibration(passages=100, model="m", hybrid=0.30, words=0.20, meaning=0.34, spread=0.1)
USUAL = "harbour pilots steer heavy freight ships"
"""Of the usual number of words, so that confidence is the evidence itself."""

BOTH: frozenset[Arm] = frozenset({"keyword", "semantic"})


def context(
    text: str = USUAL,
    *,
    arms: frozenset[Arm] = BOTH,
    calibration: Calibration | None = MEASURED,
    name: str = "default",
    **constants: object,
) -> Context:
    chosen = profile.override(profile.get(name), **constants)
    bands = Bands(strong=0.55, moderate=0.42, weak=0.30, floor=0.25)
    resolved = ResolvedProfile(profile=chosen, model="m", bands=bands, calibration=calibration)
    return Context(query=Query(text=text), plan=plan(text, now=NOW), resolved=resolved, now=NOW, arms=arms)


def candidate(id: str, fused: float, *arms: Arm, whole: bool = False) -> Candidate:
    found = arms or ("keyword",)
    votes = tuple(
        Vote(
            arm=arm,
            rank=1,
            raw=2 * fused / len(found),
            raw_kind="share",
            weight=0.5,
            contribution=fused / len(found),
        )
        for arm in found
    )
    return Candidate(id=id, votes=votes, fused=fused, score=fused, relevance=0.5, whole=whole)


def kept(candidates: Candidates, given: Context) -> list[str]:
    return [each.id for each in abstain(candidates, given)[0]]


def test_everything_goes_when_the_best_evidence_is_below_the_floor() -> None:
    assert [] == kept((candidate("a", 0.29), candidate("b", 0.1)), context())


def test_nothing_goes_when_the_best_evidence_reaches_the_floor() -> None:
    assert ["a", "b"] == kept((candidate("a", 0.30), candidate("b", 0.1)), context())


@pytest.mark.parametrize(("cosine", "refused"), [(0.50, False), (0.49, True)])
def test_a_cosine_that_no_unrelated_question_reaches_is_an_answer_by_itself(cosine: float, refused: bool) -> None:
    certain = Calibration(passages=100, model="m", hybrid=0.30, cosine=0.50)
    near = dataclasses.replace(candidate("a", 0.2), relevance=cosine)
    judged = judge((near,), context(calibration=certain))
    assert judged is not None
    assert (refused, cosine, 0.50) == (judged.refused, judged.cosine, judged.certain)


def test_with_abstention_off_the_confidence_is_told_and_nothing_refused() -> None:
    judged = judge((candidate("a", 0.01),), context(**{"abstain.enabled": False}))
    assert judged is not None
    assert (pytest.approx(0.01), 0.30, False) == (judged.best, judged.least, judged.refused)


def test_what_an_identifier_found_stays_below_the_floor() -> None:
    assert ["b"] == kept((candidate("a", 0.2), candidate("b", 0.1, "keyword", "exact")), context())


def test_what_holds_every_word_that_was_asked_for_stays_below_the_floor() -> None:
    assert ["b"] == kept((candidate("a", 0.2), candidate("b", 0.1, whole=True)), context())


def test_a_phrase_is_never_refused() -> None:
    assert ["a"] == kept((candidate("a", 0.01),), context('"who sails"'))


@pytest.mark.parametrize(
    ("arms", "least"),
    [
        (frozenset({"keyword", "semantic"}), 0.30),
        (frozenset({"keyword", "exact", "semantic"}), 0.30),
        (frozenset({"keyword"}), 0.20),
        (frozenset({"semantic"}), 0.34),
    ],
)
def test_each_set_of_arms_has_its_own_floor(arms: frozenset[Arm], least: float) -> None:
    judged = judge((candidate("a", 0.5),), context(arms=arms))
    assert judged is not None
    assert (least, True) == (judged.least, judged.calibrated)


def test_the_floor_has_a_bound_where_the_probes_are_at_home() -> None:
    high = Calibration(passages=100, model="m", hybrid=0.6)
    judged = judge((candidate("a", 0.5),), context(calibration=high))
    assert judged is not None
    assert (0.36, False) == (judged.least, judged.refused)


@pytest.mark.parametrize(
    ("arms", "least"), [(BOTH, 0.15), (frozenset({"keyword"}), 0.15), (frozenset({"semantic"}), 0.25)]
)
def test_an_index_that_is_not_calibrated_has_a_low_floor_and_says_so(arms: frozenset[Arm], least: float) -> None:
    judged = judge((candidate("a", 0.5),), context(arms=arms, calibration=None))
    assert judged is not None
    assert (least, False) == (judged.least, judged.calibrated)


@pytest.mark.parametrize(
    "given",
    [
        context(name="rrf"),
        context(arms=frozenset({"exact"})),
    ],
    ids=["rank fusion", "mode exact"],
)
def test_no_evidence_is_judged_where_there_is_none_to_judge(given: Context) -> None:
    assert judge((candidate("a", 0.01),), given) is None


def test_the_best_confidence_is_that_before_age_and_other_weights() -> None:
    aged = candidate("a", 0.31)
    judged = judge((Candidate(id="a", votes=aged.votes, fused=0.31, score=0.25),), context())
    assert judged is not None
    assert (0.31, False) == (judged.best, judged.refused)


def test_the_note_of_the_stage_holds_both_numbers() -> None:
    facts = abstain((candidate("a", 0.29),), context())[1]
    assert "best confidence 0.290 below 0.300, 1 dropped" == facts.note


def listed(*scores: float) -> Candidates:
    return tuple(candidate(str(number), score) for number, score in enumerate(scores))


def test_a_list_of_evidence_ends_where_what_stands_above_half_the_floor_halves() -> None:
    # base .15: .40 - .15 = .25, .30 - .15 = .15, .22 - .15 = .07 < .15 / 2
    kept_, facts = select.cutoff(listed(0.6, 0.5, 0.4, 0.3, 0.22), context())
    assert facts.cutoff is not None
    assert (4, 4, pytest.approx(1 - 0.07 / 0.15)) == (len(kept_), facts.cutoff.index, facts.cutoff.drop)
    assert "both are counted from 0.150, as unrelated passages have evidence too" == facts.cutoff.cause


def test_a_list_of_evidence_that_falls_gently_is_not_cut() -> None:
    assert 6 == len(select.cutoff(listed(0.40, 0.36, 0.33, 0.30, 0.28, 0.26), context())[0])


def test_a_list_of_evidence_ends_below_half_the_floor_at_the_latest() -> None:
    assert 3 == len(select.cutoff(listed(0.5, 0.4, 0.14, 0.139), context())[0])
