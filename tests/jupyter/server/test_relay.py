"""The way of a question to the worker and of its answer back, over an engine that does as it is told."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import wire
from jupyter_memo.jupyter import display, routes
from jupyter_memo.jupyter.refusals import RefusedError
from jupyter_memo.jupyter.relay import Relay
from jupyter_memo.jupyter.serving import MOST_BYTES

Ask = Callable[..., Any]

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


@pytest.fixture(scope="module")
def engine() -> str:
    return "scripted"


@pytest.fixture
def worker(jp_serverapp: Any) -> Relay:
    """The worker of the server under test."""
    return jp_serverapp.web_app.settings["jupyter_memo"].relay  # type: ignore[no-any-return]


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.01)


async def test_the_answer_is_what_the_magic_has_of_the_same_response(told: Ask) -> None:
    for name in ("response", "hostile", "degraded", "empty", "evidence"):
        response = wire.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
        status, found = await told("POST", "search", {"query": name})
        assert (200, wire.to_dict(display.saved(response), response.share)) == (status, found)
        if name != "hostile":  # which is too long for a notebook
            assert display.bundle(response)[display.MIME] == found


async def test_an_answer_without_end_is_cut(fetch: Ask) -> None:
    answer = await fetch("POST", "search", {"query": "endless"})
    assert 200 == answer.code
    assert len(answer.body) <= MOST_BYTES
    assert 7 == len(json.loads(answer.body)["results"])


async def test_a_later_search_of_a_view_takes_the_place_of_the_earlier(
    told: Ask, worker: Relay, caplog: pytest.LogCaptureFixture
) -> None:
    earlier = asyncio.ensure_future(told("POST", "search", {"query": "wait", "view": "a"}))
    await until(lambda: worker.waiting == 1)
    status, _ = await told("POST", "search", {"query": "x", "view": "a"})
    refused, error = await earlier
    assert (200, 409, "Superseded") == (status, refused, error["code"])
    assert "409" not in caplog.text


async def test_what_was_asked_first_is_the_earlier_also_when_it_is_looked_up_first(told: Ask, worker: Relay) -> None:
    earlier = asyncio.ensure_future(told("POST", "similar", {"id": "1", "view": "a"}))
    await until(lambda: worker.waiting == 1)
    later = asyncio.ensure_future(told("POST", "search", {"query": "wait", "view": "a"}))
    refused, error = await asyncio.wait_for(earlier, 30)
    assert (409, "Superseded") == (refused, error["code"])
    await told("POST", "search", {"query": "go on"})
    assert 200 == (await later)[0]


async def test_other_views_and_searches_without_one_are_left_alone(told: Ask, worker: Relay) -> None:
    earlier = [
        asyncio.ensure_future(told("POST", "search", {"query": "wait", **view})) for view in ({"view": "a"}, {}, {})
    ]
    await until(lambda: worker.waiting == 3)
    await told("POST", "search", {"query": "x", "view": "b"})
    assert 3 == worker.waiting
    await told("POST", "search", {"query": "go on"})
    assert [200, 200, 200] == [status for status, _ in await asyncio.gather(*earlier)]


async def test_closing_the_connection_cancels_the_search(
    told: Ask, worker: Relay, jp_http_port: int, jp_base_url: str, jp_auth_header: dict[str, str]
) -> None:
    _, before = await told("POST", "search", {"query": "how many were cancelled"})
    body = json.dumps({"query": "wait"})
    _, writer = await asyncio.open_connection("127.0.0.1", jp_http_port)
    head = [
        f"POST {jp_base_url}jupyter-memo/search HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: {jp_auth_header['Authorization']}",
        f"Content-Length: {len(body)}",
    ]
    writer.write(("\r\n".join(head) + "\r\n\r\n" + body).encode())
    await until(lambda: worker.waiting == 1)
    writer.close()
    await until(lambda: worker.waiting == 0)
    _, after = await told("POST", "search", {"query": "how many were cancelled"})
    assert int(before["message"].split()[0]) + 1 == int(after["message"].split()[0])


async def test_a_worker_that_dies_is_told_and_started_anew(told: Ask, worker: Relay) -> None:
    beside = asyncio.ensure_future(told("POST", "search", {"query": "wait"}))
    await until(lambda: worker.waiting == 1)
    first = worker.pid
    status, error = await told("POST", "search", {"query": "die"})
    assert (503, "WorkerGone") == (status, error["code"])
    assert error["hint"]
    assert 503 == (await beside)[0]
    status, _ = await told("POST", "search", {"query": "x"})
    assert 200 == status
    assert first != worker.pid


async def test_stopping_waits_for_no_answer_that_was_asked_for_before_a_change(
    jp_serverapp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    memo = jp_serverapp.web_app.settings["jupyter_memo"]
    memo.relay = Relay(
        {"store": "x"}, memo.root, (sys.executable, "-P", str(Path(__file__).with_name("engines.py")), "scripted")
    )
    asked = asyncio.ensure_future(memo.relay.ask("search", {"query": "wait"}))
    await until(lambda: memo.relay.pid is not None)
    await memo.settings_changed()
    await asyncio.wait_for(memo.stop_extension(), 30)
    with pytest.raises(RefusedError):
        await asked


async def test_half_an_answer_is_none(tmp_path: Path) -> None:
    said = """
import json, sys
sys.stdin.readline()
request = json.loads(sys.stdin.readline())["request"]
print(json.dumps({"request": request, "is": "done", "bytes": 100}))
print('{"results": [', end="", flush=True)
"""
    broken = Relay({}, tmp_path, (sys.executable, "-c", said))
    with pytest.raises(RefusedError, match="ended"):
        await broken.ask("search")
    await broken.close()


async def test_a_fault_of_the_engine_is_told_without_its_words(told: Ask) -> None:
    status, error = await told("POST", "search", {"query": "break"})
    assert (500, "internal") == (status, error["code"])
    assert "secret" not in json.dumps(error)
    assert "/" not in json.dumps(error)


async def test_a_refusal_of_the_engine_holds_its_cure(told: Ask) -> None:
    found = await told("POST", "search", {"query": "refuse"})
    error = {"code": "QueryError", "message": "this cannot be asked.", "hint": "Ask something else"}
    assert (400, error) == found


async def test_what_a_library_prints_stands_in_no_answer(told: Ask) -> None:
    for query in ("print", "x"):
        status, _ = await told("POST", "search", {"query": query})
        assert 200 == status


async def test_a_question_that_takes_too_long_is_given_up(
    told: Ask, worker: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "ANSWER_SECONDS", 0.05)
    status, error = await told("POST", "search", {"query": "wait"})
    assert (504, "Timeout", 0) == (status, error["code"], worker.waiting)


async def test_a_worker_that_answers_nothing_any_more_is_ended_and_started_anew(
    told: Ask, worker: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 200 == (await told("POST", "search", {"query": "x"}))[0]
    first = worker.pid
    monkeypatch.setattr(routes, "ANSWER_SECONDS", 0.3)
    status, error = await told("POST", "search", {"query": "hang"})
    assert (504, "Timeout", first) == (status, error["code"], worker.pid)
    status, error = await told("POST", "search", {"query": "x"})
    assert (504, "Timeout") == (status, error["code"])
    assert "started anew" in error["hint"]
    monkeypatch.undo()
    assert 200 == (await told("POST", "search", {"query": "x"}))[0]
    assert first != worker.pid


async def test_questions_of_one_moment_that_take_too_long_end_no_worker(
    told: Ask, worker: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 200 == (await told("POST", "search", {"query": "x"}))[0]
    first = worker.pid
    monkeypatch.setattr(routes, "ANSWER_SECONDS", 0.3)
    asked = [told("POST", "search", {"query": "wait"}) for _ in range(4)]
    assert [504] * 4 == [status for status, _ in await asyncio.gather(*asked)]
    assert first == worker.pid


async def test_a_worker_that_answers_in_between_is_left_alone(
    told: Ask, worker: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = None
    for _ in range(3):
        monkeypatch.undo()
        assert 200 == (await told("POST", "search", {"query": "x"}))[0]
        first = first or worker.pid
        monkeypatch.setattr(routes, "ANSWER_SECONDS", 0.1)
        assert 504 == (await told("POST", "search", {"query": "wait"}))[0]
    assert first == worker.pid


async def test_more_than_may_wait_are_turned_away(told: Ask, worker: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MOST_WAITING", 2)
    waiting = [asyncio.ensure_future(told("POST", "search", {"query": "wait"})) for _ in range(2)]
    await until(lambda: worker.waiting == 2)
    status, error = await told("POST", "search", {"query": "x"})
    assert (429, "Busy") == (status, error["code"])
    monkeypatch.undo()
    await told("POST", "search", {"query": "go on"})
    assert [200, 200] == [status for status, _ in await asyncio.gather(*waiting)]


@pytest.mark.parametrize("traits", [{"store": "/nowhere/damaged"}])
async def test_a_store_that_cannot_be_opened_is_told(told: Ask, traits: dict[str, Any]) -> None:
    status, error = await told("POST", "search", {"query": "x"})
    assert (503, "StoreError", "Index it again") == (status, error["code"], error["hint"])
    status, found = await told("GET", "status")
    assert (200, None, "StoreError") == (status, found["store"], found["error"]["code"])


@pytest.mark.parametrize("traits", [{"read_only": True}])
async def test_what_is_open_for_reading_only_takes_no_writes(told: Ask, traits: dict[str, Any]) -> None:
    for route, body in (("index", {"paths": [""]}), ("judge", {"search": "x", "rank": 1, "grade": 1})):
        status, error = await told("POST", route, body)
        assert (409, "ReadOnly") == (status, error["code"])
    _, found = await told("GET", "status")
    assert found["writable"] is False
