from __future__ import annotations

import pytest

from jupyter_memo.errors import ProfileError, QueryError
from jupyter_memo.evaluate import sweeping
from jupyter_memo.evaluate.evaluation import Measured
from jupyter_memo.profile import get


def line(name, run, value):
    return Measured(set=name, run=run, table="ranking", count=1, values=(("nDCG@10", value),))


def lines(figures):
    return [line(name, run, value) for name, runs in figures.items() for run, value in runs.items()]


FIGURES = {
    "x_en": {"base": 0.5, "low": 0.9, "high": 0.1},
    "x_ko": {"base": 0.5, "low": 0.7, "high": 0.3},
    "y": {"base": 0.5, "low": 0.2, "high": 0.6},
    "z": {"base": 0.5, "low": 0.4, "high": 0.5},
}
FAMILIES = {"x_en": "x", "x_ko": "x", "y": "y", "z": "z"}


def test_a_value_is_chosen_on_the_other_families_and_reported_on_the_one_left_out():
    first = sweeping.choices(lines(FIGURES), "base", FAMILIES)[0]
    assert ("x", ("x_en", "x_ko"), "high") == (first.left_out, first.sets, first.run)
    assert pytest.approx((0.2, 0.5, 0.8)) == (first.value, first.base, first.best)


def test_every_family_is_left_out_once():
    assert ["x", "y", "z"] == [choice.left_out for choice in sweeping.choices(lines(FIGURES), "base", FAMILIES)]


def test_the_unchanged_profile_is_no_candidate():
    figures = {name: {"base": 1.0, "low": 0.1, "high": 0.2} for name in ("y", "z")}
    assert {"high"} == {choice.run for choice in sweeping.choices(lines(figures), "base", {"y": "y", "z": "z"})}


def test_one_family_leaves_nothing_to_choose_on():
    assert () == sweeping.choices(lines({"y": {"base": 0.5, "low": 0.1}}), "base", {"y": "y"})


def test_variants_are_the_profile_and_one_for_each_value():
    made = sweeping.variants(get("default"), "fusion.k", (10, 20))
    assert ["default", "default+fusion.k=10", "default+fusion.k=20"] == [profile.name for profile in made]
    assert [60, 10, 20] == [profile.fusion.k for profile in made]


def test_an_unknown_constant_is_refused():
    with pytest.raises(ProfileError, match=r"fusion\.kk"):
        sweeping.variants(get("default"), "fusion.kk", (10,))


def test_a_sweep_needs_a_value():
    with pytest.raises(QueryError, match="at least one value"):
        sweeping.variants(get("default"), "fusion.k", ())


def test_a_sweep_is_measured_through_the_engine(memo, written):
    birds = written("birds", {"kite": "red kite", "owl": "barn owl"}, {"q": "red kite"}, [("q", "kite", 1)])
    fish = written("fish", {"eel": "river eel", "cod": "cold cod"}, {"q": "river eel"}, [("q", "eel", 1)])
    found = memo.evaluate(birds, fish, profiles=("default",), sweep=("depth", (1, 5)), shipped=False, reference=False)
    assert ["default", "default+depth=1", "default+depth=5"] == [name for name, _, _ in found.profiles]
    assert ["birds", "fish"] == [choice.left_out for choice in found.choices]
    assert "chosen on the others" in str(found)
