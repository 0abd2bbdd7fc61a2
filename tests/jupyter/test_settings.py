"""Settings as the panel reads and changes them, and the schema of JupyterLab's form."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from jupyter_memo import config
from jupyter_memo.errors import ConfigError
from jupyter_memo.jupyter import settings


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own settings file, not written yet, nor its folder."""
    file = tmp_path / "home" / "own" / config.FILE_NAME
    monkeypatch.setattr(config, "own_file", lambda: file)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    (tmp_path / "root").mkdir()
    return file


@pytest.fixture
def root(own: Path, tmp_path: Path) -> Path:
    return tmp_path / "root"


def write(own: Path, text: str) -> None:
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(text, encoding="utf-8")


def one(found: dict[str, Any], key: str) -> dict[str, Any]:
    (told,) = (each for each in found["settings"] if each["key"] == key)
    return told


def test_every_setting_is_read_with_its_help(own: Path, root: Path) -> None:
    found = settings.read(root)
    assert list(config.fields()) == [each["key"] for each in found["settings"]]
    assert {"default"} == {each["origin"] for each in found["settings"]}
    assert all(each["help"] for each in found["settings"])
    assert str(Path("~/own/jupyter_memo.toml")) == found["file"]
    json.dumps(found, allow_nan=False)


def test_a_setting_of_the_own_file_is_told_with_the_file(own: Path, root: Path) -> None:
    write(own, '[search]\nlimit = 5\n[index.ttl]\n"a" = "30d"\n')
    told = one(settings.read(root), "search.limit")
    assert (5, None, "file", 5) == (told["value"], told["default"], told["origin"], told["own"])
    assert str(Path("~/own/jupyter_memo.toml")) == told["where"]
    assert [["a", "30d"]] == one(settings.read(root), "index.ttl")["own"]


def test_what_the_project_says_overrides_the_own_file(own: Path, root: Path) -> None:
    write(own, 'profile = "rrf"\n')
    (root / config.FILE_NAME).write_text('profile = "code"\n')
    told = one(settings.read(root), "profile")
    assert ("code", "file", str(root / config.FILE_NAME), "rrf") == (
        told["value"], told["origin"], told["where"], told["own"],
    )  # fmt: skip


def test_what_the_environment_says_is_told_with_the_variable(
    own: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(own, 'profile = "rrf"\n')
    monkeypatch.setenv("JUPYTER_MEMO__PROFILE", "precise")
    told = one(settings.write(root, {"profile": "code"}), "profile")
    assert ("precise", "environment", "JUPYTER_MEMO__PROFILE", "code") == (
        told["value"], told["origin"], told["where"], told["own"],
    )  # fmt: skip


def test_a_change_is_what_a_new_notebook_finds(own: Path, root: Path) -> None:
    settings.write(root, {"search.limit": 7, "index.trust.file": 1, "share": "titles", "index.ignore": ["*.log"]})
    found = config.load(start=root)
    assert (7, 1, "titles", ("*.log",)) == (
        found.search.limit, found.index.trust.file, found.share, found.index.ignore,
    )  # fmt: skip


def test_comments_and_order_of_the_file_stay(own: Path, root: Path) -> None:
    write(own, '# mine\nprofile = "rrf" # why\n\n[search]\n# pages\nlimit = 5\nmode = "exact"\n')
    settings.write(root, {"search.limit": 6, "share": "full"})
    text = own.read_text()
    assert [
        "# mine", 'profile = "rrf" # why', 'share = "full"', "[search]", "# pages", "limit = 6", 'mode = "exact"',
    ] == [line for line in text.splitlines() if line]  # fmt: skip


def test_the_ends_of_lines_stay(own: Path, root: Path) -> None:
    own.parent.mkdir(parents=True)
    own.write_bytes(b'# mine\r\nprofile = "rrf"\r\n')
    settings.write(root, {"profile": "code"})
    assert b'# mine\r\nprofile = "code"\r\n' == own.read_bytes()


def test_null_takes_a_setting_out(own: Path, root: Path) -> None:
    write(own, 'profile = "rrf"\n[search]\nlimit = 5\n')
    found = settings.write(root, {"search.limit": None, "index.trust.file": None})
    assert (None, "default") == (one(found, "search.limit")["own"], one(found, "search.limit")["origin"])
    assert 'profile = "rrf"' == own.read_text().strip()


def test_a_section_that_holds_a_comment_stays_when_it_is_empty(own: Path, root: Path) -> None:
    write(own, "[search]\n# pages\nlimit = 5\n")
    settings.write(root, {"search.limit": None})
    assert "[search]\n# pages\n" == own.read_text()


def test_rules_by_path_are_written_as_a_person_writes_them(own: Path, root: Path) -> None:
    write(own, "[index]\nwatch = false\n")
    rules = [["z/*", "last"], ["2024", "old"], ["a/*", "{root}"]]
    found = settings.write(root, {"index.namespaces": rules})
    assert rules == one(found, "index.namespaces")["own"]
    assert '[index.namespaces]\n"z/*" = "last"\n2024 = "old"\n"a/*" = "{root}"\n' in own.read_text()


def test_a_rule_that_stands_twice_is_kept_as_it_is(own: Path, root: Path) -> None:
    rules = [["a/*", "one"], ["a/*", "two"]]
    assert rules == one(settings.write(root, {"index.namespaces": rules}), "index.namespaces")["own"]


def test_a_setting_may_be_changed_in_an_inline_section(own: Path, root: Path) -> None:
    write(own, "index = { watch = false }\n")
    found = settings.write(root, {"index.ttl": [["a", "3d"]], "index.trust.file": 0, "search.limit": 4})
    assert ([["a", "3d"]], 0, 4, False) == tuple(
        one(found, key)["own"] for key in ("index.ttl", "index.trust.file", "search.limit", "index.watch")
    )


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"search.limit": 500}, "search.limit = 500 is not valid"),
        ({"search.limit": "many"}, "search.limit = 'many' is not valid"),
        ({"search.limt": 5}, "Did you mean search.limit?"),
        ({"search.limt": None}, "Did you mean search.limit?"),
        ({"search": 5}, "no setting is called 'search'"),
        ({"store.x": 5}, "no setting is called 'store.x'"),
        ({"profile": "cod"}, "Did you mean code?"),
        ({"store": "index"}, "is no full path"),
        ({"store": "/a\0b"}, "names no folder"),
        ({"user": "\ud800"}, "user cannot be written down"),
        ({"lock_timeout_seconds": float("nan")}, "lock_timeout_seconds = nan is not valid"),
        ({"index.namespaces": [["!a", "b"]]}, "is no glob"),
        ({"index.namespaces": [["a"]]}, "index.namespaces"),
        ({"profile": "code", "index.ttl": [["a", "soon"]]}, "index.ttl"),
    ],
)
def test_a_bad_value_is_refused_and_nothing_is_changed(
    own: Path, root: Path, changes: dict[str, Any], told: str
) -> None:
    write(own, "[search]\nlimit = 5\n")
    with pytest.raises(ConfigError) as raised:
        settings.write(root, changes)
    assert told in str(raised.value)
    assert "[search]\nlimit = 5\n" == own.read_text()
    assert [own] == list(own.parent.iterdir())


def test_a_file_that_is_broken_is_not_written_over(own: Path, root: Path) -> None:
    write(own, "[search\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        settings.write(root, {"profile": "code"})
    assert "[search\n" == own.read_text()


def test_another_fault_of_the_file_is_told_and_can_be_mended(own: Path, root: Path) -> None:
    write(own, "[search]\nlimit = 500\n")
    with pytest.raises(ConfigError, match=r"search\.limit = 500"):
        settings.write(root, {"profile": "code"})
    assert 5 == one(settings.write(root, {"search.limit": 5}), "search.limit")["value"]


def test_a_file_that_is_a_link_stays_one(own: Path, root: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text('profile = "rrf"\n')
    kept.chmod(0o640)
    own.parent.mkdir(parents=True)
    own.symlink_to(kept)
    settings.write(root, {"profile": "code"})
    assert own.is_symlink()
    assert ('profile = "code"\n', 0o640) == (kept.read_text(), stat.S_IMODE(kept.stat().st_mode))


def test_a_new_file_is_private(own: Path, root: Path) -> None:
    settings.write(root, {"profile": "code"})
    assert 0o600 == stat.S_IMODE(own.stat().st_mode)


def test_a_file_that_cannot_be_written_is_an_error_with_its_cure(own: Path, root: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    own.parent.write_text("a file where the folder should be")
    with pytest.raises(ConfigError, match=r"cannot be written: .*Check its permissions"):
        settings.write(root, {"profile": "code"})


def test_nothing_to_change_leaves_the_file_alone(own: Path, root: Path) -> None:
    write(own, "[search]\nlimit   =   5\n")
    before = own.stat().st_mtime_ns
    settings.write(root, {"search.limit": 5, "profile": None})
    assert before == own.stat().st_mtime_ns


def test_the_schema_of_the_form_is_up_to_date() -> None:
    if not settings.SCHEMA_FILE.parent.parent.is_dir():
        pytest.skip("this is no checkout")
    assert 0 == settings.main(["--check"])


def test_a_schema_that_is_out_of_date_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(settings, "SCHEMA_FILE", tmp_path / "schema" / "plugin.json")
    assert 1 == settings.main(["--check"])
    assert "python -m jupyter_memo.jupyter.settings" in capsys.readouterr().err
    assert (0, 0) == (settings.main([]), settings.main(["--check"]))


def test_the_form_takes_its_own_defaults_and_what_the_file_may_say(own: Path, root: Path) -> None:
    drawn = settings.schema()
    Draft7Validator.check_schema(drawn)
    check = Draft7Validator(drawn)
    write(own, '[index.namespaces]\n"a/*" = "b"\n')
    for name in ("default", "value"):
        nested: dict[str, Any] = {}
        for each in settings.read(root)["settings"]:
            *sections, key = each["key"].split(".")
            here = nested
            for section in sections:
                here = here.setdefault(section, {})
            here[key] = each[name]
        check.validate(nested)


@pytest.mark.parametrize(
    "values",
    [
        {"profile": "cod"},
        {"search": {"limit": 0}},
        {"search": {"limit": 101}},
        {"index": {"trust": {"file": 4}}},
        {"index": {"namespaces": [["a"]]}},
        {"panel": {"side": "top"}},
    ],
)
def test_the_form_refuses_what_the_settings_refuse(values: dict[str, Any]) -> None:
    assert not Draft7Validator(settings.schema()).is_valid(values)


def test_a_change_waits_for_another_programs(own: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(own, 'profile = "rrf"\n')
    monkeypatch.setattr(settings, "LOCK_SECONDS", 0.2)
    with settings._alone(own), pytest.raises(ConfigError, match=r"is being changed by another program.*Try again"):
        settings.write(root, {"profile": "code"})
    assert 'profile = "rrf"\n' == own.read_text()
    settings.write(root, {"profile": "code"})
    assert 'profile = "code"\n' == own.read_text()


def test_changes_of_several_programs_are_all_kept(own: Path, root: Path) -> None:
    changes = [{"search.limit": 7}, {"share": "titles"}, {"index.keywords": 3}, {"user": "me"}, {"profile": "code"}]
    with ThreadPoolExecutor(len(changes)) as pool:
        list(pool.map(lambda change: settings.write(root, change), changes))
    assert {key for change in changes for key in change} == {
        each["key"] for each in settings.read(root)["settings"] if each["own"] is not None
    }
