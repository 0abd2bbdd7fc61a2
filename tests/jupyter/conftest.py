"""One IPython shell for all tests of the magics, and an engine that answers from the golden files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_memo import wire
from jupyter_memo.errors import MemoError
from jupyter_memo.jupyter.magics import MemoMagics
from jupyter_memo.profile import PROFILES, Profile
from jupyter_memo.response import Check, IndexReport, SearchResponse, SourceReport, Status

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="session")
def ipython() -> InteractiveShell:
    """A shell as a kernel has it, with its own folder and no history on disk."""
    os.environ["IPYTHONDIR"] = tempfile.mkdtemp(prefix="ipython-")
    from IPython.testing.globalipapp import start_ipython

    shell: InteractiveShell = start_ipython()
    shell.history_manager.enabled = False
    return shell


@pytest.fixture
def shell(ipython: InteractiveShell) -> Iterator[InteractiveShell]:
    """The shell with the extension loaded, and unloaded afterwards."""
    ipython.run_line_magic("load_ext", "jupyter_memo")
    yield ipython
    ipython.run_line_magic("unload_ext", "jupyter_memo")
    ipython.config.pop("MemoMagics", None)
    ipython.reset(new_session=False)


@pytest.fixture
def response() -> SearchResponse:
    return wire.loads((GOLDEN / "response.json").read_text(encoding="utf-8"))


class FakeEngine:
    """Remembers what it was asked, and answers from the golden files. For tests of parsing, not of searching."""

    def __init__(self, response: SearchResponse) -> None:
        self.response = response
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.indexed: list[tuple[tuple[str, ...], dict[str, Any]]] = []
        self.fails: BaseException | None = None
        self.closed = False
        self.path = "/data/.memo"

    def search(self, text: str, **given: Any) -> SearchResponse:
        self.asked.append((text, given))
        if self.fails:
            raise self.fails
        return self.response

    def index(self, *paths: str, progress: Any = None, **given: Any) -> IndexReport:
        self.indexed.append((paths, given))
        if self.fails:
            raise self.fails
        return IndexReport(added=1, sources=(SourceReport(uri=paths[0], status="indexed", added=1),))

    def status(self) -> Status:
        return Status(
            store="~/.memo", read_only=False, profile="default", model="hash", model_state="ready", passages=3,
            sources=2, pending=0, roots=(), index_version=1, namespaces=(), kinds=(),
        )  # fmt: skip

    def profiles(self) -> tuple[Profile, ...]:
        return tuple(PROFILES.values())

    def doctor(self) -> tuple[Check, ...]:
        return (Check(name="index", ok=False, detail="~/.memo is empty", cure="%memo_index PATH"),)

    def backfill(self, progress: Any = None) -> int:
        return 12

    def close(self) -> None:
        self.closed = True


class Opened:
    """Every engine the magics opened, with what they were opened by."""

    def __init__(self, response: SearchResponse) -> None:
        self._response = response
        self.calls: list[tuple[str | None, dict[str, Any]]] = []
        self.engines: list[FakeEngine] = []

    def __call__(self, path: str | None, **settings: Any) -> FakeEngine:
        self.calls.append((path, settings))
        if path == "broken":
            raise MemoError("the store at broken is damaged. Index it again")
        self.engines.append(FakeEngine(self._response))
        return self.engines[-1]


@pytest.fixture
def opened(shell: InteractiveShell, response: SearchResponse) -> Opened:
    """The magics with an opener of fake engines."""
    magics: MemoMagics = shell.magics_manager.registry["MemoMagics"]
    magics._opener = Opened(response)  # type: ignore[assignment]
    return magics._opener  # type: ignore[return-value]


@pytest.fixture
def engine(shell: InteractiveShell, opened: Opened) -> FakeEngine:
    """The one fake engine that the magics have open."""
    return shell.magics_manager.registry["MemoMagics"].engine  # type: ignore[no-any-return]
