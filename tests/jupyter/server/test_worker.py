"""The worker as a process: what it loads, when it ends; and the note that the server leaves of itself."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from jupyter_memo import __version__, wire
from jupyter_memo.errors import StoreError
from jupyter_memo.jupyter import worker

HEAVY = ("lancedb", "lance", "onnxruntime", "tokenizers", "pyarrow", "pandas", "torch", "jupyter_memo.engine")

PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def engine() -> str:
    return "scripted"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder within a project that has a store."""
    folder = tmp_path_factory.mktemp("project") / "root"
    (folder / ".memo").mkdir(parents=True)
    return folder


def loaded_by(code: str) -> set[str]:
    """What an interpreter has imported after that."""
    told = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    made = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return set(json.loads(made.stdout.splitlines()[-1]))


def test_the_server_loads_no_engine() -> None:
    code = "import jupyter_memo\njupyter_memo._jupyter_server_extension_points()"
    loaded = loaded_by(code)
    assert "jupyter_memo.jupyter.routes" in loaded
    assert set() == loaded & set(HEAVY)


def test_the_package_alone_loads_no_server() -> None:
    assert set() == loaded_by("import jupyter_memo") & {"jupyter_server", "tornado", "prometheus_client", *HEAVY}


def test_no_store_is_opened_for_a_question_that_was_taken_back() -> None:
    begun, go_on, opened = threading.Event(), threading.Event(), []

    def refused(opening: dict[str, Any]) -> Any:
        opened.append(opening)
        begun.set()
        go_on.wait(PATIENCE_SECONDS)
        raise StoreError("it is locked")

    frames = io.BytesIO()
    holder = worker.Worker({}, refused, frames)
    holder.take({"request": "1", "do": "search"})
    assert begun.wait(PATIENCE_SECONDS)
    holder.take({"request": "2", "do": "search"})
    holder.take({"request": "", "do": "cancel", "of": "2"})
    holder.take({"request": "3", "do": "search"})
    go_on.set()
    until = time.monotonic() + PATIENCE_SECONDS
    while b'"3"' not in frames.getvalue() and time.monotonic() < until:
        time.sleep(0.01)
    assert (2, False) == (len(opened), b'"2"' in frames.getvalue())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[str], Any]]]:
    """A Jupyter server as a process of its own, and a function that asks one of its routes."""
    homes = {f"JUPYTER_{kind}_DIR": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    root = tmp_path / "root"
    root.mkdir()
    # A user's folder may hold a file of any name.
    (root / "json.py").write_text("raise SystemExit('imported from the folder of the user')\n", encoding="utf-8")
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyter_server", "--allow-root", "--no-browser", "--ServerApp.ip=127.0.0.1"),
            *("--ServerApp.port=0", "--IdentityProvider.token=abc", f"--ServerApp.root_dir={root}"),
            f"--MemoServer.store={root / '.memo'}",
            "--ServerApp.jpserver_extensions={'jupyter_memo': True}",
        ],
        env={**os.environ, **homes, "JUPYTER_MEMO__EMBEDDER": "hash"},
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
    )

    def ask(route: str) -> Any:
        while True:
            with contextlib.suppress(OSError, ValueError):
                about = json.loads((tmp_path / "runtime" / f"jpserver-{process.pid}.json").read_text(encoding="utf-8"))
                url = f"{about['url']}jupyter-memo/{route}"
                request = urllib.request.Request(url, headers={"Authorization": "token abc"})
                with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                    return json.load(answer)
            assert process.poll() is None
            time.sleep(0.05)

    yield process, ask
    process.kill()
    process.wait()


def ended(process: psutil.Process) -> bool:
    """Whether a process is over; its entry may stand there until somebody asks for it."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


@pytest.mark.slow
def test_a_worker_ends_when_its_server_is_killed(running: Any) -> None:
    process, ask = running
    status = ask("status")
    assert (None, 0) == (status["error"], (status["store"] or {}).get("passages"))
    (worker,) = psutil.Process(process.pid).children()
    mapped = {entry.path for entry in psutil.Process(process.pid).memory_maps()}
    assert not [path for path in mapped if "lancedb" in path or "onnxruntime" in path]
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE_SECONDS)
    while not ended(worker):
        time.sleep(0.05)


@pytest.mark.parametrize("traits", [{"store": ""}])
async def test_the_store_is_looked_for_from_the_root_upwards(
    traits: dict[str, Any], root: Path, fetch: Callable[..., Any], kept: dict[str, Any]
) -> None:
    await fetch("POST", "search", {"query": "x"})
    assert [str(root / ".memo")] == [json.loads(opening)["store"] for opening in kept]


async def test_a_note_says_what_the_server_runs(jp_serverapp: Any, jp_runtime_dir: Path, root: Path) -> None:
    note = jp_runtime_dir / f"jupyter_memo-{os.getpid()}.json"
    told = json.loads(note.read_text(encoding="utf-8"))
    assert 0o600 == note.stat().st_mode & 0o777
    assert (__version__, sys.prefix, str(root / ".memo"), wire.SCHEMA) == (
        told["version"],
        told["environment"],
        told["store"],
        told["schema"],
    )
    await jp_serverapp.web_app.settings["jupyter_memo"].stop_extension()
    assert not note.exists()
