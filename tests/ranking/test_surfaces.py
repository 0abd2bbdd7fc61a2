"""Ranked lists of several surfaces become one: by rank, weighted with the share of a surface's best score."""

from __future__ import annotations

import dataclasses

import pytest

from jupyter_memo.profile import Bands, Surfaces
from jupyter_memo.ranking.surfaces import floor, merge, nearness
from jupyter_memo.response import Candidate, Folded

BANDS = Bands(strong=0.55, moderate=0.42, weak=0.30, floor=0.25)
RULES = Surfaces()


def listed(*scores: float, name: str = "p") -> tuple[Candidate, ...]:
    return tuple(
        Candidate(id=f"{name}{number}", votes=(), fused=score, score=score) for number, score in enumerate(scores, 1)
    )


def test_a_score_is_the_rank_share_times_the_share_of_the_best() -> None:
    merged = merge({"chat": listed(0.5, 0.4, name="c"), "file": listed(0.2, 0.1, name="f")}, RULES)
    expected = {"c1": 1.0, "f1": 1.0, "c2": 61 / 62 * 0.8, "f2": 61 / 62 * 0.5}
    assert pytest.approx(expected, abs=1e-9) == {each.id: each.score for each in merged}


def near(cosine: float | None, *scores: float, name: str = "p") -> tuple[Candidate, ...]:
    first, *others = listed(*scores, name=name)
    return (dataclasses.replace(first, relevance=cosine), *others)


def test_a_surface_counts_by_its_highest_cosine_as_a_share_of_the_highest_of_all() -> None:
    lists = {"chat": near(0.2, 0.9, 0.8, name="c"), "file": near(0.5, 0.4, 0.3, name="f")}
    expected = {"f1": 1.0, "f2": 61 / 62 * 0.75, "c1": 0.4, "c2": 0.4 * 61 / 62 * 8 / 9}
    assert pytest.approx(expected, abs=1e-9) == {each.id: each.score for each in merge(lists, RULES)}
    alike = merge(lists, dataclasses.replace(RULES, calibrated=False))
    assert [1.0, 1.0] == [each.score for each in alike[:2]]


def test_nearness_without_cosines_is_that_of_native_scores_where_they_have_one_unit() -> None:
    lists = {"chat": near(None, 0.2), "file": near(0.5, 0.4), "memory": ()}
    assert {"chat": 0.5, "file": 1.0} == nearness(lists, absolute=True)
    assert {"chat": 1.0, "file": 1.0} == nearness(lists)


def test_nearness_is_never_below_nought() -> None:
    assert {"chat": 0.0, "file": 1.0} == nearness({"chat": near(-0.2, 0.2), "file": near(0.5, 0.4)})
    assert {"chat": 1.0} == nearness({"chat": near(-0.2, 0.2)})


def test_with_equal_nearness_the_first_of_every_surface_is_at_the_top_the_highest_native_score_first() -> None:
    merged = merge({"memory": listed(0.3, 0.29, name="m"), "chat": listed(0.6, 0.1, name="c")}, RULES)
    assert ["c1", "m1", "m2", "c2"] == [each.id for each in merged]


def test_without_relevance_surfaces_take_turns() -> None:
    rules = dataclasses.replace(RULES, relevance=False)
    merged = merge({"memory": listed(0.3, 0.29, 0.28, name="m"), "chat": listed(0.6, 0.1, 0.01, name="c")}, rules)
    assert ["c1", "m1", "m2", "c2", "m3", "c3"] == [each.id for each in merged]
    assert pytest.approx(61 / 62) == merged[2].score


def test_the_weight_times_the_native_score_is_the_score() -> None:
    for rules in (RULES, dataclasses.replace(RULES, relevance=False)):
        for each in merge({"chat": listed(0.5, 0.4, 0.2), "file": listed(0.21, 0.13, name="f")}, rules):
            (weight,) = each.weights
            assert ("surface", pytest.approx(each.score, abs=1e-9)) == (weight.name, each.fused * weight.factor)


def test_scores_of_nought_stay_so() -> None:
    assert [0.0, 0.0] == [each.score for each in merge({"chat": listed(0.0, 0.0)}, RULES)]


def test_what_is_folded_below_a_result_is_on_the_scale_of_the_list() -> None:
    copy = Folded(id="copy", uri="u", title="t", score=0.25, likeness=1.0)
    one = dataclasses.replace(listed(0.5)[0], folded=(copy,))
    assert 0.5 == merge({"chat": (one,)}, RULES)[0].folded[0].score


@pytest.mark.parametrize(
    ("surface", "asked", "expected"),
    [
        ("memory", None, None),
        ("memory", 0.2, 0.2),
        ("chat", None, 0.30),
        ("file", 0.2, 0.30),
        ("file", 0.5, 0.5),
        ("chat", 0, 0),
    ],
)
def test_the_floor_only_tightens_and_nought_opts_out(surface, asked, expected) -> None:
    assert expected == floor(surface, asked, RULES, BANDS)


def test_the_floor_can_be_switched_off() -> None:
    assert floor("chat", None, dataclasses.replace(RULES, floor="none"), BANDS) is None
