"""Profiles of a user's own: what a settings file may say, and how a slip is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import config, own_profiles, profile
from jupyter_memo.engine import Memo
from jupyter_memo.errors import ProfileError
from jupyter_memo.evaluate.asking import named
from jupyter_memo.profile import PROFILES, ResolvedProfile

PLACE = "~/jupyter_memo.toml"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own settings file, not written yet; the working folder is an empty project."""
    file = tmp_path / "own" / config.FILE_NAME
    file.parent.mkdir()
    monkeypatch.setattr(config, "own_file", lambda: file)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return file


def made(**table: Any) -> profile.Profile:
    return own_profiles.read({"mine": table}, PLACE)["mine"]


def test_dotted_and_nested_constants_are_the_same() -> None:
    dotted = made(base="rrf", **{"cutoff.gap": 0.6, "recency.kinds": ["note"]})
    assert dotted == made(base="rrf", cutoff={"gap": 0.6}, recency={"kinds": ["note"]})
    assert (0.6, ("note",)) == (dotted.cutoff.gap, dotted.recency.kinds)


def test_all_else_is_that_of_its_base() -> None:
    assert {"depth": (70, 100)} == own_profiles.differences(made(base="memo-mcp", depth=70), PROFILES["memo-mcp"])


def test_without_a_base_it_is_made_from_default() -> None:
    assert {"fusion.balance": (0.6, 0.45)} == own_profiles.differences(
        made(fusion={"balance": 0.6}), PROFILES["default"]
    )


def test_one_may_be_made_from_another_of_the_same_file_in_any_order() -> None:
    read = own_profiles.read({"b": {"base": "a", "depth": 70}, "a": {"base": "rrf", "fusion.k": 30}}, PLACE)
    assert (70, 30, "a") == (read["b"].depth, read["b"].fusion.k, read["b"].base)


def test_name_and_purpose_rank_nothing() -> None:
    def hashed(purpose: str) -> str:
        return ResolvedProfile(profile=made(purpose=purpose), model="m", bands=profile.GENERIC_BANDS).hash

    assert hashed("papers") == hashed("letters")


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"cutof.gap": 0.6}, r"no profile constant is called 'cutof\.gap'\. Did you mean cutoff\.gap\?"),
        ({"fusion": {"balanec": 0.6}}, r"'fusion\.balanec'\. Did you mean fusion\.balance\?"),
        ({"name": "x"}, "no profile constant is called 'name'"),
        ({"base": "rff"}, r"base: no profile is called 'rff'\. Did you mean rrf\?"),
        ({"base": "mine"}, "leads back to itself"),
        ({"base": 3}, "base = 3 is no line of text"),
        ({"depth": 1.5}, r"depth = 1\.5 is not valid\. Write a whole number"),
        ({"depth": True}, "depth = True is not valid"),
        ({"cutoff.gap": "half"}, "cutoff.gap = 'half' is not valid. Write a number"),
        ({"cutoff.gap": float("nan")}, "cutoff.gap = nan is not valid"),
        ({"cutoff.enabled": 1}, "Write true or false"),
        ({"fusion.method": "max"}, "Write one of evidence, rrf, minmax"),
        ({"recency.kinds": ["nots"]}, "Write a list of some of these: document, "),
        ({"cutoff.gap": 1.5}, r"cutoff\.gap is 1\.5; it must be above 0 and at most 1"),
        ({"fusion.balance": 1.5}, "a balance of fusion is outside 0 to 1"),
        ({"base": "semantic-only", "fusion.semantic": 0}, "every arm weight is 0"),
    ],
)
def test_a_slip_is_told_with_the_file_the_profile_and_a_cure(table: dict[str, Any], told: str) -> None:
    with pytest.raises(ProfileError, match=rf"^~/jupyter_memo\.toml: profiles\.mine: .*{told}"):
        made(**table)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"base": "rrf", "fusion.balance": 0.6}, "fusion.method = rrf"),
        ({"base": "rrf", "abstain.most": 0.3}, "fusion.method = rrf"),
        ({"base": "rrf", "cutoff.above": 0.3}, "fusion.method = rrf"),
        ({"base": "minmax", "fusion.k": 30}, "fusion.method = minmax"),
        ({"fusion.keyword": 0.8}, "fusion.method = evidence"),
        ({"fusion.semantic": 0, "fusion.balance": 0.6}, "fusion.semantic = 0"),
        ({"base": "semantic-only", "fusion.method": "evidence", "fusion.pairs": 0.1}, "no words are searched"),
        ({"base": "keyword-only", "abstain.band": "weak"}, "fusion.semantic = 0"),
        ({"mmr.lambda_": 0.5}, "mmr.enabled = false"),
        ({"base": "memtomem", "cutoff.gap": 0.6}, "cutoff.enabled = false"),
        ({"base": "memo-mcp", "reading.unwanted": 0.5}, "reading.plain_negation = false"),
        ({"base": "code", "recency.half_life_days": 30}, r"recency.kinds = \[\]"),
        ({"recency": {"floor": 1, "half_life_days": 30}}, "recency.floor = 1"),
        ({"base": "semantic-only", "depth": 20, "page": 50}, "the arms bring at most 20 passages"),
        ({"base": "semantic-only", "depth": 20, "cutoff.min_results": 21}, "the arms bring at most 20 passages"),
    ],
)
def test_a_constant_that_the_others_make_idle_contradicts_them(table: dict[str, Any], told: str) -> None:
    with pytest.raises(ProfileError, match=rf"profiles\.mine: .* contradicts .*{told}"):
        made(**table)


@pytest.mark.parametrize(
    "table",
    [
        {"fusion.keyword": 0},
        {"base": "keyword-only", "fusion.semantic": 0.5},
        {"base": "rrf", "fusion.method": "evidence", "fusion.balance": 0.6},
        {"mmr": {"enabled": True, "lambda_": 0.5}},
        {"base": "memtomem", "cutoff": {"enabled": True, "gap": 0.6}},
        {"recency.kinds": []},
        {"cutoff.enabled": False},
        {"cutoff.min_results": 40},
    ],
)
def test_what_can_matter_is_let_through(table: dict[str, Any]) -> None:
    assert "mine" == made(**table).name


@pytest.mark.parametrize("name", ["default", "rrf", "memtomem"])
def test_a_name_of_the_package_is_not_to_be_had(name: str) -> None:
    with pytest.raises(ProfileError, match=f"{name} is a profile of this package. Give yours another name"):
        own_profiles.read({name: {"depth": 50}}, PLACE)


@pytest.mark.parametrize("name", ["a b", "a,b", "a+b", ""])
def test_a_name_that_could_not_be_typed_is_refused(name: str) -> None:
    with pytest.raises(ProfileError, match="no name for a profile"):
        own_profiles.read({name: {}}, PLACE)


@pytest.mark.parametrize("tables", [3, {"mine": 3}, ["mine"]])
def test_what_is_no_table_is_refused(tables: Any) -> None:
    with pytest.raises(ProfileError, match="is no table"):
        own_profiles.read(tables, PLACE)


def test_the_constants_of_every_profile_of_the_package_can_be_written_down_as_they_are() -> None:
    for each in PROFILES.values():
        given = own_profiles.constants(each)
        assert given == {key: own_profiles.value_of(key, value) for key, value in given.items()}


def test_a_settings_file_brings_profiles_and_may_set_one(own: Path) -> None:
    own.write_text(
        'profile = "papers"\n[profiles.papers]\nfusion.balance = 0.6\n[profiles.papers.recency]\nkinds = []\n'
    )
    settings = config.load()
    assert (0.6, ()) == (settings.ranking.fusion.balance, settings.ranking.recency.kinds)
    assert [*PROFILES, "papers"] == list(settings.profiles)


def test_the_project_adds_to_the_own_profiles_and_builds_on_them(own: Path) -> None:
    own.write_text('[profiles.mine]\nbase = "rrf"\ndepth = 70\n[profiles.other]\ndepth = 60\n')
    Path(config.FILE_NAME).write_text('[profiles.mine]\nbase = "other"\n[profiles.more]\nbase = "mine"\npage = 5\n')
    settings = config.load(profile="more")
    assert (60, 5, "evidence") == (settings.ranking.depth, settings.ranking.page, settings.ranking.fusion.method)
    assert 60 == settings.profiles["mine"].depth


def test_a_slip_names_the_file_it_stands_in(own: Path) -> None:
    own.write_text("[profiles.mine]\ndepht = 50\n")
    with pytest.raises(ProfileError, match=r"own/jupyter_memo\.toml: profiles\.mine: .*Did you mean depth"):
        config.load()


def test_profiles_are_no_setting_of_the_form(own: Path) -> None:
    own.write_text("[profiles.mine]\ndepth = 50\n")
    assert not any(key.startswith("profiles") for key in config.fields())
    assert all("profiles" not in layer.values for layer in config.layers())


@pytest.mark.parametrize(("mode", "chosen"), [("semantic", "keyword-only"), ("exact", "memtomem")])
def test_a_mode_that_is_set_needs_an_arm_that_the_set_profile_runs(own: Path, mode: str, chosen: str) -> None:
    settings = config.load(profile=chosen, search__mode=mode)
    with pytest.raises(ProfileError, match=f"search.mode = '{mode}' finds nothing by profile {chosen}"):
        assert settings.ranking


def test_a_profile_of_ones_own_works_wherever_a_name_does(own: Path, tmp_path: Path, embedder: Any) -> None:
    own.write_text('[profiles.deep]\nbase = "rrf"\ndepth = 200\n[profiles.words]\nbase = "keyword-only"\npage = 1\n')
    with Memo.open(tmp_path / ".memo", profile="deep", embedder=embedder) as memo:
        memo.add([{"text": "a red kite"}, {"text": "a kite over the red valley"}])
        assert ("deep", "words") == (
            memo.search("kite").trace.profile,
            memo.search("kite", profile="words").trace.profile,
        )
        assert 1 == len(memo.search("kite", profile="words"))
        assert memo.explain(memo.search("kite", profile="words"), 1).same
        assert "found" == memo.why_not("kite", memo.search("kite").results[0].passage.uri, profile="words").step
        assert "deep" == memo.status().profile
        assert {"deep", "words"} < {each.name for each in memo.profiles()}
        with pytest.raises(ProfileError, match="Did you mean deep"):
            memo.search("kite", profile="deeep")
        assert 40 == named("deep+fusion.k=40", {each.name: each for each in memo.profiles()}).fusion.k
