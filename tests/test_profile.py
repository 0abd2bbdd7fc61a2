from __future__ import annotations

import pytest

from jupyter_memo import profile
from jupyter_memo.errors import ProfileError
from jupyter_memo.profile import Cutoff, Fusion, Profile, Reading, Recency, ResolvedProfile


@pytest.mark.parametrize(
    "constants",
    [
        {"depth": 0},
        {"fusion": Fusion(k=0)},
        {"fusion": Fusion(keyword=-0.1)},
        {"fusion": Fusion(keyword=0, semantic=0, exact=0, fact=0, entity=0, graph=0)},
        {"recency": Recency(floor=1.2)},
        {"recency": Recency(half_life_days=0)},
        {"cutoff": Cutoff(gap=0)},
        {"page": 101},
        {"reading": Reading(unwanted=0)},
        {"reading": Reading(against=1.1)},
    ],
)
def test_constants_that_contradict_each_other_are_refused(constants: dict[str, object]) -> None:
    with pytest.raises(ProfileError, match="profile mine"):
        Profile(name="mine", **constants)  # type: ignore[arg-type]


def test_an_unknown_profile_names_the_nearest() -> None:
    with pytest.raises(ProfileError, match="Did you mean keyword-only"):
        profile.get("keyword_only")


def test_one_constant_can_be_changed_by_its_dotted_name() -> None:
    assert 0.6 == profile.override(profile.get("default"), **{"cutoff.gap": 0.6}).cutoff.gap


def test_an_unknown_constant_is_refused() -> None:
    with pytest.raises(ProfileError, match=r"cutoff\.gape"):
        profile.override(profile.get("default"), **{"cutoff.gape": 0.6})


def test_the_hash_changes_with_any_constant() -> None:
    def hashed(each: Profile) -> str:
        return ResolvedProfile(profile=each, model="m", bands=profile.GENERIC_BANDS).hash

    default = profile.get("default")
    assert hashed(default) != hashed(profile.override(default, **{"fusion.k": 61}))


def test_the_hash_is_the_same_in_every_process() -> None:
    resolved = ResolvedProfile(profile=Profile(name="x"), model="m", bands=profile.GENERIC_BANDS)
    assert resolved.hash == ResolvedProfile(profile=Profile(name="x"), model="m", bands=profile.GENERIC_BANDS).hash
    assert 16 == len(resolved.hash)
