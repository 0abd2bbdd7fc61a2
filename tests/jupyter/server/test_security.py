"""Who may ask, and what for: everything else is refused with the right status."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient

from jupyter_memo.jupyter.routes import CODES, MOST_BYTES, ROUTES, SEARCH_HEADER
from jupyter_memo.jupyter.server import MemoServer

Ask = Callable[..., Any]

VERBS = ("get", "head", "post", "put", "patch", "delete")
ASKED = [
    (verb.upper(), re.sub(r"\(.*\)", "abc", route[0]).removeprefix("jupyter-memo/"))
    for route in ROUTES
    for verb in VERBS
    if verb in vars(route[1])
]


@pytest.fixture(scope="module")
def engine() -> str:
    return "scripted"


@pytest.fixture
def memo_server(jp_serverapp: Any) -> MemoServer:
    return jp_serverapp.web_app.settings["jupyter_memo"]  # type: ignore[no-any-return]


def test_every_verb_asks_who_it_is_and_what_they_may() -> None:
    for _, handler, *_ in ROUTES:
        own = [getattr(handler, verb) for verb in VERBS if verb in vars(handler)]
        assert own
        assert "jupyter_memo" == handler.auth_resource
        for method in own:
            layers = [method.__code__.co_qualname, method.__wrapped__.__code__.co_qualname]
            assert ["authenticated.<locals>.wrapper", "authorized.<locals>.wrapper.<locals>.inner"] == layers
            assert inspect.iscoroutinefunction(inspect.unwrap(method))


@pytest.mark.parametrize("open_to_all", [True, False])
async def test_nobody_gets_in_without_the_token(
    jp_serverapp: Any, told: Ask, memo_server: MemoServer, open_to_all: bool
) -> None:
    jp_serverapp.web_app.settings["allow_unauthenticated_access"] = open_to_all
    for token in ("", "token wrong"):
        for method, route in ASKED:
            body = None if method == "GET" else {}
            status, error = await told(method, route, body, headers={"Authorization": token})
            assert (403, "Forbidden") == (status, error["code"]), (method, route, token)
    assert 0 == memo_server.relay.waiting
    assert [] == memo_server.jobs.told()


async def test_whom_the_authorizer_refuses_is_refused(
    jp_serverapp: Any, told: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def refuse(_: Any, handler: Any, user: Any, action: str, resource: str) -> bool:
        asked.append((action, resource))
        return False

    monkeypatch.setattr(type(jp_serverapp.authorizer), "is_authorized", refuse)
    for method, route in ASKED:
        status, _ = await told(method, route, None if method == "GET" else {})
        assert 403 == status
    assert [("read" if method == "GET" else "write", "jupyter_memo") for method, _ in ASKED] == asked


async def test_a_cookie_alone_changes_nothing(
    fetch: Ask, jp_fetch: Ask, jp_serverapp: Any, http_server_client: Any, jp_base_url: str
) -> None:
    token = jp_serverapp.identity_provider.token
    seen = await http_server_client.fetch(f"{jp_base_url}api/status?token={token}")
    cookies = [line.split(";")[0] for line in seen.headers.get_list("Set-Cookie")]
    login = "; ".join(cookies)
    no_token = {"Authorization": "", "Cookie": login}
    answer = await fetch("POST", "search", {"query": "x"}, headers=dict(no_token))
    assert 403 == answer.code
    with_both = {**no_token, "Cookie": f"{login}; _xsrf=abc", "X-XSRFToken": "abc"}
    answer = await fetch("POST", "search", {"query": "x"}, headers=with_both)
    assert 200 == answer.code


async def test_a_page_from_elsewhere_reads_nothing(fetch: Ask) -> None:
    for method, route in (("GET", "status"), ("POST", "search")):
        body = None if method == "GET" else {"query": "x"}
        answer = await fetch(method, route, body, headers={"Authorization": "", "Origin": "https://example.org"})
        assert answer.code in (403, 404)
        assert b"store" not in answer.body


async def test_paths_outside_of_the_folders_are_refused(
    told: Ask, root: Path, tmp_path: Path, memo_server: MemoServer
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)
    listed = ["..", "../", "a/../../x", str(outside), "/", "link", "link/deeper", "a\0b"]
    for path in listed:
        status, error = await told("POST", "index", {"paths": ["", path]})
        assert (403, "Outside") == (status, error["code"]), path
        assert str(root) not in json.dumps(error)
    assert [] == memo_server.jobs.told()


@pytest.mark.parametrize("traits", [{"roots": ["/tmp", "~/papers"]}])
async def test_folders_that_are_configured_may_be_indexed_too(
    told: Ask, tmp_path: Path, traits: dict[str, Any]
) -> None:
    status, _ = await told("POST", "index", {"paths": [str(tmp_path)]})
    assert 202 == status


async def test_what_is_no_object_of_json_is_refused(told: Ask) -> None:
    for body in ("[1]", "3", '"x"', "{", "\0", b"\xff\xfe", "[" * 100_000, '{"query": NaN, }'):
        for route in ("search", "index", "cite"):
            status, error = await told("POST", route, body)
            assert (400, "BadRequest") == (status, error["code"]), body[:20]


async def test_a_huge_body_is_refused(told: Ask) -> None:
    for route in ("search", "similar", "index"):
        status, error = await told("POST", route, json.dumps({"query": "x" * MOST_BYTES}))
        assert (413, "TooLarge") == (status, error["code"])


async def test_a_message_names_neither_its_verb_nor_its_request(fetch: Ask) -> None:
    strange = {"query": "x", "do": "index", "request": "1", "self": 1, "told": 2, "message": 3, "paths": ["/"]}
    answer = await fetch("POST", "search", strange)
    assert 200 == answer.code
    assert "1" != answer.headers[SEARCH_HEADER]


async def test_answers_are_never_taken_for_a_page(fetch: Ask) -> None:
    for query in ("hostile", "refuse"):
        answer = await fetch("POST", "search", {"query": query})
        assert answer.headers["Content-Type"].startswith("application/json")
        assert "nosniff" == answer.headers["X-Content-Type-Options"]
        assert "no-store" == answer.headers["Cache-Control"]


async def test_two_hundred_searches_at_once_are_answered_or_turned_away(
    fetch: Ask, http_server: Any, jp_auth_header: dict[str, str], jp_base_url: str
) -> None:
    client = AsyncHTTPServerClient(force_instance=True, http_server=http_server)
    client.max_clients = 200
    ask = {"method": "POST", "headers": jp_auth_header, "body": '{"query": "x"}', "raise_error": False}
    url = f"{jp_base_url}jupyter-memo/search"
    answers = await asyncio.gather(*(client.fetch(url, request_timeout=120, **ask) for _ in range(200)))
    client.close()
    assert {200} <= {answer.code for answer in answers} <= {200, 429}
    assert 200 == (await fetch("POST", "search", {"query": "x"})).code


@pytest.mark.parametrize("traits", [{"roots": ["~nobody-of-this-name/x", "~"]}])
async def test_a_folder_that_is_mistyped_takes_no_other_along(memo_server: MemoServer, traits: dict[str, Any]) -> None:
    assert [Path.home()] == memo_server.folders


@pytest.mark.parametrize("traits", [{"store": "~nobody-of-this-name/x"}])
async def test_a_store_that_is_mistyped_is_no_other_one(memo_server: MemoServer, traits: dict[str, Any]) -> None:
    assert "~nobody-of-this-name/x" == memo_server._opening["store"]


async def test_what_the_framework_refuses_has_a_code(memo_server: MemoServer) -> None:
    assert {400, 403, 404, 405, 408, 413, 415} <= CODES.keys()
