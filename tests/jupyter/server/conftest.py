"""Jupyter servers with the extension, in this process; a worker is kept for all tests of a module."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_jupyter.jupyter_server import *  # noqa: F403

from jupyter_memo.jupyter import relay, server

ENGINES = Path(__file__).with_name("engines.py")


class Kept(relay.Relay):
    """A worker that outlives its server."""

    async def close(self) -> None:
        pass

    async def end(self) -> None:
        await super().close()


@pytest.fixture(scope="module")
def kept() -> Iterator[dict[str, Kept]]:
    """The workers of a module, by what they were opened with."""
    workers: dict[str, Kept] = {}
    yield workers
    for worker in workers.values():
        asyncio.run(worker.end())


@pytest.fixture(scope="module")
def engine() -> str:
    """Which engine of `engines.py` the workers hold; empty for the real one."""
    return ""


@pytest.fixture(autouse=True)
def workers(kept: dict[str, Kept], engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers take the workers that are kept, over the hash embedder; an index run has one of its own."""
    monkeypatch.setenv("JUPYTER_MEMO__EMBEDDER", "hash")
    command = (sys.executable, "-P", str(ENGINES), engine) if engine else relay.COMMAND

    def made(opening: dict[str, Any], folder: Path) -> relay.Relay:
        if opening.get("index"):
            return relay.Relay(opening, folder, command)
        key = json.dumps(opening)
        if key not in kept:
            kept[key] = Kept(opening, folder, command)
        return kept[key]

    monkeypatch.setattr(server, "Relay", made)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the servers of a module serve."""
    return tmp_path_factory.mktemp("root")


@pytest.fixture
def jp_root_dir(root: Path) -> Path:
    return root


@pytest.fixture
def traits() -> dict[str, Any]:
    """What a module configures of `MemoServer`."""
    return {}


@pytest.fixture
def jp_server_config(root: Path, traits: dict[str, Any]) -> dict[str, Any]:
    return {
        "ServerApp": {"jpserver_extensions": {"jupyter_memo": True, "jupyter_server_terminals": False}},
        "MemoServer": {"store": str(root / ".memo"), **traits},
    }


@pytest.fixture
def fetch(jp_fetch: Callable[..., Any]) -> Callable[..., Any]:
    """Ask a route: `await fetch("POST", "search", {…})` gives the answer, whatever its status."""

    async def ask(method: str, route: str, body: Any = None, **more: Any) -> Any:
        if body is not None:
            more["body"] = body if isinstance(body, str | bytes) else json.dumps(body)
        return await jp_fetch(
            "jupyter-memo",
            *route.split("/"),
            method=method,
            raise_error=False,
            allow_nonstandard_methods=True,
            request_timeout=120,
            **more,
        )

    return ask


@pytest.fixture
def told(fetch: Callable[..., Any]) -> Callable[..., Any]:
    """The same, read: (status, JSON)."""

    async def ask(method: str, route: str, body: Any = None, **more: Any) -> tuple[int, Any]:
        answer = await fetch(method, route, body, **more)
        return answer.code, json.loads(answer.body)

    return ask


@pytest.fixture
def finished(told: Callable[..., Any]) -> Callable[..., Any]:
    """Wait for an index run to be over; gives what is told of it."""

    async def wait(job: str) -> dict[str, Any]:
        while True:
            _, found = await told("GET", f"index/{job}")
            if found["state"] in ("done", "failed", "cancelled"):
                return dict(found)
            await asyncio.sleep(0.05)

    return wait
