"""Which folders are believed: what others own is passed over, and what a project's file may not decide."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import platformdirs
import pytest

from jupyter_memo import config, project
from jupyter_memo.engine import Memo

OWN = os.geteuid() if hasattr(os, "geteuid") else None


def _expanded(path: Path, home: Path) -> Path:
    first, *rest = path.parts or ("",)
    if first == "~":
        return home.joinpath(*rest)
    if first.startswith("~"):
        raise RuntimeError("no home")
    return path


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own settings file, not written yet; the working folder is a folder in a project."""
    file = tmp_path / "own" / config.FILE_NAME
    file.parent.mkdir()
    monkeypatch.setattr(config, "own_file", lambda: file)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(Path, "expanduser", lambda path: _expanded(path, tmp_path))
    (tmp_path / "project" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project" / "deep")
    return file


@pytest.fixture
def folder(own: Path) -> Path:
    """The project."""
    return own.parent.parent / "project"


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Files and folders that belong to another account: whatever is put in here."""
    theirs: set[Path] = set()
    real = project._owners
    monkeypatch.setattr(project, "_owners", lambda path: {4242} if path in theirs else real(path))
    return theirs


def say(folder: Path, text: str) -> Path:
    file = folder / config.FILE_NAME
    file.write_text(text, encoding="utf-8")
    return file


# --- whose it is


def test_a_settings_file_of_another_account_is_passed_over_and_told(folder: Path, strangers: set[Path]) -> None:
    strangers.add(say(folder, 'profile = "code"\n'))
    assert "default" == config.load().profile
    (told,) = config.notices()
    assert "~/project/jupyter_memo.toml belongs to user 4242 and is passed over" in told
    assert 'trust_projects = ["~/project"]' in told


def test_what_another_account_wrote_need_not_be_sound(folder: Path, strangers: set[Path]) -> None:
    strangers.add(say(folder, "] no toml \0"))
    assert "default" == config.load().profile


def test_behind_a_file_that_is_passed_over_the_next_one_is_looked_for(folder: Path, strangers: set[Path]) -> None:
    strangers.add(say(folder / "deep", 'profile = "rrf"\n'))
    say(folder, 'profile = "code"\n')
    assert "code" == config.load().profile


def test_an_index_of_another_account_is_passed_over_and_told(folder: Path, strangers: set[Path]) -> None:
    (folder / "deep" / ".memo").mkdir()
    (folder / ".memo").mkdir()
    strangers.add(folder / "deep" / ".memo")
    assert str(folder / ".memo") == config.store_path(None, config.load())
    (told,) = config.notices()
    assert "~/project/deep/.memo belongs to user 4242 and is passed over" in told
    assert "%memo open" in told


def test_an_index_that_is_named_is_opened_whoever_owns_it(folder: Path, strangers: set[Path]) -> None:
    (folder / ".memo").mkdir()
    strangers.add(folder / ".memo")
    named = str(folder / ".memo")
    assert named == config.store_path(named, config.load())
    assert () == config.notices(named)
    assert named == config.store_path(None, config.load(store=named))
    assert () == config.notices(store=named)


@pytest.mark.skipif(OWN != 0, reason="only root gives files away")
def test_an_owner_is_read_from_the_disk(folder: Path) -> None:
    file = say(folder, "")
    assert "" == project.stranger(file)
    os.chown(file, 4242, -1)
    assert "user 4242" == project.stranger(file)
    link = folder / "link"
    link.symlink_to(own_file := say(folder / "deep", ""))
    assert "" == project.stranger(link)
    os.chown(link, 4242, -1, follow_symlinks=False)
    assert ("user 4242", "") == (project.stranger(link), project.stranger(own_file))
    (other := folder / "other").symlink_to(file)
    assert "user 4242" == project.stranger(other)


def test_what_the_system_owns_is_believed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "_owners", lambda path: {0})
    say(folder, 'profile = "code"\n')
    assert "code" == config.load().profile


def test_where_files_have_no_owners_all_are_believed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "_owners", lambda path: {4242})
    monkeypatch.delattr(os, "geteuid")
    say(folder, 'profile = "code"\n')
    assert "code" == config.load().profile


@pytest.mark.parametrize("entry", ["~/project", "{folder}", "~/*", "*"])
def test_a_folder_that_the_user_trusts_is_believed(own: Path, folder: Path, strangers: set[Path], entry: str) -> None:
    (folder / ".memo").mkdir()
    strangers |= {say(folder, 'profile = "code"\nshare = "full"\n'), folder / ".memo"}
    own.write_text(f'trust_projects = ["{entry.format(folder=folder)}"]\n')
    settings = config.load()
    assert ("code", "full", ()) == (settings.profile, settings.share, config.notices())
    assert str(folder / ".memo") == config.store_path(None, settings)


@pytest.mark.parametrize(
    "entry", ["~", "~/project/deep", "~/project/*", "~/proj*", "project", "", "~nobody-of-this-name/x"]
)
def test_trust_in_another_folder_is_none_in_this(own: Path, folder: Path, strangers: set[Path], entry: str) -> None:
    strangers.add(say(folder, 'profile = "code"\n'))
    own.write_text(f'trust_projects = ["{entry}"]\n')
    assert "default" == config.load().profile


def test_trust_is_given_in_the_environment_and_by_keyword_too(
    folder: Path, strangers: set[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    strangers.add(say(folder, 'profile = "code"\n'))
    assert "code" == config.load(trust_projects=(str(folder),)).profile
    monkeypatch.setenv("JUPYTER_MEMO__TRUST_PROJECTS", f'["{folder.as_posix()}"]')
    assert "code" == config.load().profile


# --- what a project's file may say


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('store = "../elsewhere"\n', "store"),
        ('store = "/srv/elsewhere"\n', "store"),
        ('store = "~/elsewhere"\n', "store"),
        ('store = "s3://bucket/x"\n', "store"),
        ('store = "link/x"\n', "store"),
        ('embedder = "transformers:./model"\n', "embedder"),
        ('embedder = "transformers:somebody/model"\n', "embedder"),
        ('share = "full"\n', "share"),
        ('[index]\nallow_secrets = ["**"]\n', "index.allow_secrets"),
        ("[index]\nhistory_days = 0\n", "index.history_days"),
        ("[index.trust]\nfile = 3\n", "index.trust.file"),
        ('trust_projects = ["*"]\n', "trust_projects"),
    ],
)
def test_what_could_harm_does_not_count_and_is_told(folder: Path, text: str, key: str) -> None:
    (folder / "link").symlink_to(folder.parent)
    say(folder, text + ("" if text.startswith("[") else '[search]\nmode = "exact"\n'))
    settings = config.load()
    assert config.Settings() == settings.model_copy(update={"search": config.SearchSettings()})
    (told,) = config.notices()
    assert told.startswith(f"~/project/jupyter_memo.toml: {key} does not count")
    assert 'trust_projects = ["~/project"]' in told
    assert "\n" not in told
    trusting = config.load(trust_projects=(str(folder),))
    assert config.Settings() != trusting.model_copy(
        update={"trust_projects": (), "search": config.SearchSettings()}
    ) or (key == "trust_projects")
    assert () == config.notices(trust_projects=(str(folder),))


def test_what_harms_nobody_counts(folder: Path) -> None:
    say(
        folder,
        'store = "index"\nembedder = "none"\nshare = "titles"\nprofile = "code"\n'
        "[index]\nhistory_days = 400\nignore = ['x']\n[index.trust]\nfile = 1\n",
    )
    settings = config.load()
    assert ("none", "titles", "code") == (settings.embedder, settings.share, settings.profile)
    assert (400, ("x",), 1) == (settings.index.history_days, settings.index.ignore, settings.index.trust.file)
    assert str(folder / "index") == settings.store
    assert () == config.notices()


def test_what_the_user_says_too_is_no_harm(own: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write_text('share = "full"\nembedder = "transformers:a/b"\n')
    say(folder, 'share = "full"\nembedder = "transformers:a/b"\n[index]\nhistory_days = 3\n')
    monkeypatch.setenv("JUPYTER_MEMO__INDEX__HISTORY_DAYS", "2")
    (folder / ".memo").mkdir()
    assert () == config.notices()


def test_a_project_saves_no_more_than_the_user_who_saves_less(own: Path, folder: Path) -> None:
    own.write_text('share = "none"\n')
    say(folder, 'share = "titles"\n')
    assert "none" == config.load().share


def test_several_that_do_not_count_are_told_in_one_line(folder: Path) -> None:
    say(folder, 'share = "full"\nstore = ".."\n')
    (told,) = config.notices()
    assert "share and store do not count" in told


def test_a_wrong_value_in_a_projects_file_is_an_error_as_anywhere(folder: Path) -> None:
    say(folder, "share = 5\n")
    with pytest.raises(config.ConfigError, match="share = 5 is not valid"):
        config.load()


def test_the_settings_of_the_user_do_not_pass_for_a_projects(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write_text('share = "full"\n')
    monkeypatch.chdir(own.parent)
    assert ("full", ()) == (config.load().share, config.notices())


@pytest.fixture
def elsewhere(own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own index, which no project lies around."""
    monkeypatch.setattr(platformdirs, "user_data_path", lambda name: own.parent / "data")
    return own.parent / "data" / "store"


def test_how_to_index_counts_for_an_index_in_the_project_alone(folder: Path, elsewhere: Path) -> None:
    say(folder, '[index]\nignore = ["*"]\nkeywords = 3\n[search]\nlimit = 3\n')
    assert ((), 3) == (config.load().index.ignore, config.load().search.limit)
    (told,) = config.notices()
    assert "index.ignore and index.keywords do not count, for the index lies outside its folder" in told
    assert "%memo open ~/project/.memo" in told
    (folder / ".memo").mkdir()
    assert (("*",), ()) == (config.load().index.ignore, config.notices())
    assert () == config.load(path=elsewhere).index.ignore
    assert () == config.load(store=str(elsewhere)).index.ignore
    assert ("*",) == config.load(path=folder / "deep" / "x").index.ignore


def test_how_to_index_counts_anywhere_in_a_folder_that_the_user_trusts(folder: Path, elsewhere: Path) -> None:
    say(folder, '[index]\nignore = ["*"]\n')
    assert ("*",) == config.load(trust_projects=(str(folder),)).index.ignore


def test_a_project_takes_nothing_out_of_the_users_own_index(folder: Path, elsewhere: Path) -> None:
    (notes := elsewhere.parent.parent / "notes").mkdir()
    (notes / "a.md").write_text("the heron")
    say(folder, '[index]\nignore = ["*"]\n')
    with Memo.open(embedder="none") as memo:
        assert str(elsewhere) == memo.path
        memo.index(notes)
        os.utime(notes / "a.md")
        assert 1 == len(memo.search("heron"))


# --- how it is told


def test_opening_tells_it_once_and_status_and_doctor_tell_it_always(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    say(folder, 'share = "full"\n')
    for _ in range(2):
        with caplog.at_level(logging.WARNING), Memo.open(folder / ".memo", embedder="none") as memo:
            (told,) = memo.status().notices
            (check,) = [each for each in memo.doctor() if each.name == "settings"]
    assert "share does not count" in told
    assert ("share does not count" in check.detail, "trust_projects" in check.cure) == (True, True)
    assert not check.ok
    assert [told] == [record.getMessage() for record in caplog.records]


def test_nothing_is_told_where_all_counts(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Memo.open(folder / ".memo", embedder="none") as memo:
        assert () == memo.status().notices
        assert "settings" not in {each.name for each in memo.doctor()}
    assert [] == caplog.records
