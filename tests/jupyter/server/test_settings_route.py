"""Settings over REST: a change is in the user's own file, and what is asked next is answered by it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import config, project
from jupyter_memo.engine import Memo
from jupyter_memo.jupyter import note, relay, server

Ask = Callable[..., Any]


@pytest.fixture(autouse=True)
def workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every server has workers of its own, which find the user's file where the server does."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("JUPYTER_MEMO__EMBEDDER", "hash")
    monkeypatch.setattr(server, "Relay", relay.Relay)
    if not config.own_file().is_relative_to(tmp_path):
        pytest.skip("this system has one place for the settings of a user")


@pytest.fixture
def traits() -> dict[str, Any]:
    """No store is configured: the settings name it."""
    return {"store": ""}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the servers serve, with a store of three passages in it."""
    folder = tmp_path_factory.mktemp("root")
    with Memo.open(folder / ".memo", embedder="hash") as opened:
        opened.add([{"id": str(number), "text": f"heron number {number}"} for number in range(3)])
    return folder


async def found(told: Ask) -> int:
    status, response = await told("POST", "search", {"query": "heron"})
    assert 200 == status
    return len(response["results"])


@pytest.mark.slow
async def test_a_change_is_written_and_what_is_asked_after_it_goes_by_it(told: Ask) -> None:
    assert 3 == await found(told)
    before = asyncio.ensure_future(found(told))
    await asyncio.sleep(0)
    status, standing = await told("PUT", "settings", {"search.limit": 1})
    changed = next(each for each in standing["settings"] if each["key"] == "search.limit")
    assert (200, 1, "file") == (status, changed["value"], changed["origin"])
    assert "limit = 1" in config.own_file().read_text()
    assert (3, 1) == (await before, await found(told))


@pytest.mark.slow
async def test_another_store_is_another_index(told: Ask, tmp_path: Path) -> None:
    await told("PUT", "settings", {"store": str(tmp_path / "other")})
    assert 0 == await found(told)
    assert str(tmp_path / "other") == json.loads(note.path(os.getpid()).read_text())["store"]


async def test_a_refused_change_changes_nothing(told: Ask, jp_serverapp: Any) -> None:
    before = jp_serverapp.web_app.settings["jupyter_memo"].relay
    status, error = await told("PUT", "settings", {"search.limit": 500})
    assert (400, "ConfigError") == (status, error["code"])
    assert "search.limit = 500 is not valid" in error["message"]
    assert before is jp_serverapp.web_app.settings["jupyter_memo"].relay
    assert not config.own_file().exists()


async def test_the_note_holds_no_token_and_is_the_users_alone(jp_serverapp: Any) -> None:
    (where,) = Path(jp_serverapp.runtime_dir).glob("jupyter_memo-*.json")
    assert 0o600 == where.stat().st_mode & 0o777
    assert jp_serverapp.identity_provider.token not in where.read_text()


async def test_what_the_server_passed_over_is_told_by_the_panel(
    told: Ask, root: Path, jp_serverapp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    memo = jp_serverapp.web_app.settings["jupyter_memo"]
    monkeypatch.setattr(project, "_owners", lambda path: {4242} if path.parent == root else {0})
    await memo.settings_changed()
    _, standing = await told("GET", "status")
    (notice,) = standing["store"]["notices"]
    assert ".memo belongs to user 4242 and is passed over" in notice
    assert str(root) not in standing["store"]["store"]
    _, doctor = await told("GET", "doctor")
    (check,) = [each for each in doctor["checks"] if each["name"] == "settings"]
    assert "passed over" in check["detail"]
