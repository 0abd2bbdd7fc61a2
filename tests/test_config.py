"""Where settings come from, which place wins, and where the store is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import config
from jupyter_memo.errors import ConfigError


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own settings file, not written yet; the working folder is an empty project."""
    file = tmp_path / "own" / config.FILE_NAME
    file.parent.mkdir()
    monkeypatch.setattr(config, "own_file", lambda: file)
    (tmp_path / "project" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    return file


def project(own: Path) -> Path:
    return own.parent.parent / "project" / config.FILE_NAME


def test_the_later_place_wins_setting_by_setting(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write_text('user = "own"\nprofile = "rrf"\nshare = "none"\n[search]\nlimit = 3\nmode = "exact"\n')
    project(own).write_text('profile = "code"\nshare = "titles"\n[search]\nlimit = 4\n')
    monkeypatch.setenv("JUPYTER_MEMO__SHARE", "full")
    monkeypatch.setenv("JUPYTER_MEMO__SEARCH__LIMIT", "5")
    settings = config.load(search__limit=6)
    assert ("own", "code", "full") == (settings.user, settings.profile, settings.share)
    assert (6, "exact") == (settings.search.limit, settings.search.mode)


def test_the_project_is_looked_for_from_the_folder_that_is_named(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(own).write_text('profile = "code"\n')
    monkeypatch.chdir(own.parent)
    assert "default" == config.load().profile
    assert "code" == config.load(start=project(own).parent / "deep").profile


def test_a_list_in_the_environment_is_json(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_MEMO__INDEX__IGNORE", '["*.log", "old"]')
    assert ("*.log", "old") == config.load().index.ignore


def test_a_list_in_the_environment_that_is_no_json_is_named(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_MEMO__INDEX__IGNORE", "*.log")
    with pytest.raises(ConfigError, match=r"JUPYTER_MEMO__INDEX__IGNORE = '\*.log' is no JSON"):
        config.load()


def test_a_rule_in_a_later_place_replaces_all_rules_before_it(own: Path) -> None:
    own.write_text('[index.namespaces]\n"a/*" = "a"\n')
    project(own).write_text('store = "x"\n[index.namespaces]\n"b/*" = "b"\n')
    assert (("b/*", "b"),) == config.load().index.namespaces


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[search]\nlimit = 500\n",
            r"jupyter_memo\.toml: search\.limit = 500 is not valid: .*less than or equal to 100",
        ),
        (
            "[search]\nlimt = 5\n",
            r"jupyter_memo\.toml: no setting is called 'search\.limt'\. Did you mean search\.limit\?",
        ),
        ("search = 5\n", r"jupyter_memo\.toml: search is a section, not a value\. .*search\.limit"),
        ("store.x = 5\n", r"store = \{'x': 5\} is not valid"),
        ("[index]\nignore = [1]\n", r"index\.ignore = 1 is not valid"),
        ('"search.limit" = 5\n"a.b" = 1\n', r"no setting is called 'a\.b'"),
        ('store = " "\n', "names no folder"),
        ("lock_timeout_seconds = inf\n", "lock_timeout_seconds = inf is not valid"),
        ("profile = \n", r"jupyter_memo\.toml cannot be read: .*Mend it"),
        ("x = " + "[" * 50_000, r"jupyter_memo\.toml cannot be read: .*Mend it"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_the_file(own: Path, text: str, told: str) -> None:
    own.write_text(text)
    with pytest.raises(ConfigError, match=told):
        config.load()


def test_a_wrong_value_is_told_where_it_stands_though_another_place_is_weaker(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.write_text("[search]\nlimit = 5\n")
    monkeypatch.setenv("JUPYTER_MEMO__SEARCH__LIMIT", "many")
    with pytest.raises(ConfigError, match=r"^JUPYTER_MEMO__SEARCH__LIMIT: search\.limit = 'many' is not valid"):
        config.load()


def test_a_variable_that_names_no_setting_is_an_error(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_MEMO__PROFIL", "code")
    with pytest.raises(
        ConfigError, match=r"JUPYTER_MEMO__PROFIL names no setting\. Did you mean JUPYTER_MEMO__PROFILE"
    ):
        config.load()


def test_a_relative_store_in_a_file_lies_beside_the_file(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(own).write_text('store = "index"\n')
    monkeypatch.chdir(project(own).parent / "deep")
    settings = config.load()
    assert str(project(own).parent / "index") == config.store_path(None, settings)


@pytest.mark.parametrize("address", ["s3://bucket/store", "db://mine"])
def test_an_address_in_a_file_is_left_as_it_is(own: Path, address: str) -> None:
    own.write_text(f'store = "{address}"\n')
    assert address == config.store_path(None, config.load())


def test_a_folder_of_settings_that_may_not_be_looked_into_holds_none(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "own_file", lambda: own.parent / ("x" * 300) / config.FILE_NAME)
    assert config.Settings() == config.load()


def test_the_home_of_nobody_is_no_place_for_a_store(own: Path) -> None:
    with pytest.raises(ConfigError, match="no such home folder"):
        config.store_path("~nobody-of-this-name/x", config.load())
    own.write_text('store = "~nobody-of-this-name/x"\n')
    with pytest.raises(ConfigError, match="no such home folder"):
        config.load()


def test_the_store_is_looked_for_from_the_folder_that_is_named(own: Path) -> None:
    folder = project(own).parent
    (folder / ".memo").mkdir()
    assert str(folder / ".memo") == config.store_path(None, config.Settings(), start=folder / "deep")
    assert str(folder / "deep" / "x") == config.store_path("x", config.Settings(), start=folder / "deep")


def test_a_variable_is_the_name_in_capitals() -> None:
    assert "JUPYTER_MEMO__INDEX__TRUST__FILE" == config.variable("index.trust.file")


def test_every_setting_is_described() -> None:
    fields = {**config.fields(), **config.PanelSettings.model_fields}
    assert [] == [key for key, field in fields.items() if not field.description]


def test_a_path_is_shown_from_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert str(Path("~/a/b")) == config.shown(tmp_path / "a" / "b")
    assert str(tmp_path.parent / "b") == config.shown(tmp_path.parent / "b")


@pytest.mark.parametrize("path", ["", " ", "\0", 5, b"x"])
def test_a_store_that_is_named_by_nothing_is_refused(own: Path, path: Any) -> None:
    with pytest.raises(ConfigError, match="is no place for an index"):
        config.store_path(path, config.Settings())
