"""The profiles there are, and the constants of one, as text and HTML."""

from __future__ import annotations

from jupyter_memo import own_profiles
from jupyter_memo.profile import PROFILES
from jupyter_memo.render import profiles

OWN = own_profiles.read(
    {"mine": {"base": "rrf", "depth": 70, "purpose": "<b>papers</b>\u202e"}, "ours": {"base": "mine", "page": 5}},
    "jupyter_memo.toml",
)


def test_every_profile_is_listed_with_its_purpose_and_what_sets_it_apart() -> None:
    lines = profiles.profiles_plain(tuple(PROFILES.values())).split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("precise "))
    assert "precise        a deeper look, a shorter list" == lines[at]
    assert "depth 200, fusion.method rrf, cutoff.gap 0.6, cutoff.min_results 2" == lines[at + 1].strip()
    assert all(each.purpose for each in PROFILES.values())


def test_a_profile_of_ones_own_is_told_apart_from_its_base() -> None:
    told = profiles.profiles_plain((*PROFILES.values(), *OWN.values()))
    assert "<b>papers</b>[U+202E] · made from rrf" in told
    lines = told.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("ours "))
    assert ["ours           made from mine", "page 5"] == [lines[at], lines[at + 1].strip()]


def test_the_constants_of_one_are_marked_where_they_differ_from_its_base() -> None:
    told = profiles.constants_plain(OWN["mine"], PROFILES["rrf"]).split("\n")
    assert ["*", "depth", "70", "100"] == next(line for line in told if " depth " in line).split()
    assert ["page", "10"] == next(line for line in told if line.strip().startswith("page")).split()
    assert 1 == sum(line.startswith("*") for line in told)
    assert len(own_profiles.constants(OWN["mine"])) + 1 == len([line for line in told if line.startswith(("*", " "))])


def test_default_has_nothing_to_be_told_apart_from() -> None:
    told = profiles.constants_plain(PROFILES["default"], PROFILES["default"])
    assert "*" not in told
    assert "fusion.method" in told


def test_html_escapes_what_a_user_wrote() -> None:
    for page in (profiles.profiles_html(tuple(OWN.values())), profiles.constants_html(OWN["mine"], PROFILES["rrf"])):
        assert "<b>" not in page
        assert "&lt;b&gt;papers" in page
