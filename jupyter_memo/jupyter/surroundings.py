"""Two installations at work: the kernel's and the Jupyter server's. Which they are, and where they disagree.

A kernel finds its server by the note that the server leaves (`note`); the server finds the kernels it may start by
their specifications. Nothing is started and nothing is changed by looking.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil
from jupyter_core.paths import jupyter_data_dir, jupyter_path, jupyter_runtime_dir

from jupyter_memo import __version__, config, wire
from jupyter_memo.jupyter import note
from jupyter_memo.response import Check

PANEL = "jupyter-memo"
"""The folder of the panel's files below `labextensions`."""

SERVER_PART = "jupyter server extension enable jupyter_memo"
TEXTS = ("version", "python", "environment")

Installation = Mapping[str, Any]
"""What `here` tells of an installation."""


def here(*, store: str | None, embedder: str | None) -> dict[str, Any]:
    """The installation of this process, as the note of a server holds it: {version, python, environment, schema, store,
    embedder, panel}; `panel` is the version of the panel's files that a server here would find, empty without any."""
    return {
        "version": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "environment": sys.prefix,
        "schema": wire.SCHEMA,
        "store": store,
        "embedder": embedder,
        "panel": _panel([Path(folder) for folder in jupyter_path("labextensions")]),
    }


def of_kernel(*, store: str, embedder: str | None) -> tuple[Check, ...]:
    """The checks of a kernel that has opened `store`: this installation, the server's, and what they disagree on."""
    kernel = here(store=store, embedder=embedder)
    pid, server = _server()
    mine = Check(name="kernel", ok=True, detail=_named(kernel))
    if server is not None:
        return (mine, *_compared(kernel, server))
    return (mine, _without_note(pid))


def of_server() -> tuple[Check, ...]:
    """The checks of a server, or of its worker: its installation, the panel's files, the kernels that it may start."""
    server = here(store=None, embedder=None)
    return (Check(name="server", ok=True, detail=_named(server)), _panel_check(server), *_kernels())


def _compared(kernel: Installation, server: Installation) -> Iterator[Check]:
    theirs, same_place = config.shown(Path(server["environment"])), kernel["environment"] == server["environment"]
    cure = ""
    if kernel["version"] != server["version"] or kernel["schema"] != server.get("schema"):
        if same_place:
            cure = "restart JupyterLab, then this kernel: one of them still runs what was there before"
        elif _numbers(server["version"]) < _numbers(kernel["version"]):
            cure = f"pip install -U jupyter_memo in {theirs}, then restart JupyterLab"
        else:
            mine = config.shown(Path(kernel["environment"]))
            cure = f"pip install -U jupyter_memo in {mine}, then restart this kernel"
    differs = f"; this kernel's is {kernel['version']}" if kernel["version"] != server["version"] else ""
    if not differs and cure:
        differs = f"; it saves results in form {server.get('schema')}, this kernel in form {kernel['schema']}"
    yield Check(name="server", ok=not cure, detail=_named(server) + differs, cure=cure)
    yield _panel_check(server)
    yield from _one_store(kernel, server)


def _one_store(kernel: Installation, server: Installation) -> Iterator[Check]:
    mine, theirs = kernel["store"], server.get("store")
    if not isinstance(theirs, str) or not isinstance(mine, str):
        return
    same = _place(mine) == _place(theirs)
    if not same:
        detail = f"panel and kernel use different stores: the panel {_shown(theirs)}, this kernel {_shown(mine)}"
        cure = f"%memo open {_shown(theirs)}, or name one in the setting `store`; JupyterLab looks when it starts"
        yield Check(name="one store", ok=False, detail=detail, cure=cure)
        return
    yield Check(name="one store", ok=True, detail="panel and kernel use the same")
    models = (kernel["embedder"], server.get("embedder"))
    if all(isinstance(model, str) for model in models) and models[0] != models[1]:
        detail = f"the panel searches with the model {models[1]}, this kernel with {models[0]}"
        cure = "set `embedder` in the settings, then restart the kernel; %memo backfill makes the vectors"
        yield Check(name="one model", ok=False, detail=detail, cure=cure)


def _without_note(pid: int | None) -> Check:
    if pid is None:
        detail = "no JupyterLab server found: something else started this kernel. There is no side panel here"
        return Check(name="server", ok=True, detail=detail)
    prefix = _prefix(_command(pid))
    if prefix is None:
        detail = "the Jupyter server of this kernel runs without the server part of jupyter_memo"
        cure = "pip install jupyter_memo where JupyterLab is installed, then restart JupyterLab"
        return Check(name="server", ok=False, detail=detail, cure=cure)
    place = config.shown(prefix)
    folders = [folder / "labextensions" for folder in (prefix / "share" / "jupyter", Path(jupyter_data_dir()))]
    if _panel(folders) or prefix == Path(sys.prefix):
        detail = f"the panel is installed in {place}, but the server part of jupyter_memo is not loaded"
        cure = f"restart JupyterLab; if that does not help: {SERVER_PART} in {place}, and restart it again"
    else:
        detail = f"there is no jupyter_memo in {place}, which runs JupyterLab: no side panel, and plain results"
        cure = f"pip install jupyter_memo in {place}, then restart JupyterLab"
    return Check(name="server", ok=False, detail=detail, cure=cure)


def _panel_check(server: Installation) -> Check:
    place = config.shown(Path(server["environment"]))
    if server.get("panel", "") != "":
        return Check(name="panel", ok=True, detail=f"its files are installed ({server['panel']})")
    detail = f"the server part is there, the panel is not: JupyterLab finds no extension called {PANEL}"
    cure = f"pip install --force-reinstall --no-deps jupyter_memo in {place}, then reload the page"
    return Check(name="panel", ok=False, detail=detail, cure=cure)


def _kernels() -> Iterator[Check]:
    """One check for each Python kernel of another installation."""
    from jupyter_client.kernelspec import KernelSpecManager

    for name, found in sorted(KernelSpecManager().get_all_specs().items()):
        spec = found["spec"]
        command = (spec.get("argv") or [""])[0]
        prefix = _prefix(command)
        if spec.get("language") != "python" or prefix is None or prefix == Path(sys.prefix):
            continue
        place, version = config.shown(prefix), _installed(prefix)
        title = f"kernel {spec.get('display_name') or name}"
        if not version:
            detail = f"no jupyter_memo found in {place}: the panel works beside it, the magics do not"
            yield Check(name=title, ok=True, detail=detail)
        elif version == __version__:
            yield Check(name=title, ok=True, detail=f"jupyter_memo {version} · {place}")
        else:
            older = _numbers(version) < _numbers(__version__)
            where, again = (place, "that kernel") if older else (config.shown(Path(sys.prefix)), "JupyterLab")
            cure = f"pip install -U jupyter_memo in {where}, then restart {again}"
            detail = f"jupyter_memo {version} in {place}; the server's is {__version__}"
            yield Check(name=title, ok=False, detail=detail, cure=cure)


def _server() -> tuple[int | None, Installation | None]:
    """The server that this kernel belongs to, and its note; each None where there is none."""
    candidates = list(_ancestors())
    for pid in candidates:
        told = _read(note.path(pid), pid)
        if told is not None:
            return pid, told
    runtime = Path(jupyter_runtime_dir())
    return next((pid for pid in candidates if (runtime / f"jpserver-{pid}.json").is_file()), None), None


def _ancestors() -> Iterator[int]:
    """Processes that may be the server: whoever said that it started this kernel, then those above it."""
    named = config.parent_pid()
    if named is not None:
        yield named
    with contextlib.suppress(psutil.Error, OSError):
        yield from (process.pid for process in psutil.Process().parents())


def _read(path: Path, pid: int) -> Installation | None:
    """A note; None where there is none, where it is not whole, or where it is of a process that is gone."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        begun = psutil.Process(pid).create_time()
        # A number that the system has given away again; clocks are set, hence the minute.
        stale = path.stat().st_mtime < begun - 60
    except (OSError, ValueError, psutil.Error):
        return None
    whole = isinstance(told, dict) and all(isinstance(told.get(name), str) for name in TEXTS)
    return told if whole and not stale else None


def _command(pid: int) -> str:
    with contextlib.suppress(psutil.Error, OSError, IndexError):
        return psutil.Process(pid).cmdline()[0]
    return ""


def _prefix(command: str) -> Path | None:
    """The environment of a Python interpreter, by the path it was started with; None for what is none."""
    path = Path(command)
    if not path.is_absolute() or not re.fullmatch(r"python[\d.]*w?(\.exe)?", path.name, re.IGNORECASE):
        return None
    folder = path.parent
    return folder.parent if folder.name in ("bin", "Scripts") else folder


def _installed(prefix: Path) -> str:
    """The version of jupyter_memo in an environment, empty where none is found."""
    patterns = ("lib*/python3*/*-packages", "local/lib/python3*/*-packages", "Lib/site-packages")
    folders = [str(folder) for pattern in patterns for folder in prefix.glob(pattern)]
    found = next(iter(metadata.distributions(name="jupyter_memo", path=folders)), None)
    return "" if found is None else found.version


def _panel(folders: list[Path]) -> str:
    for folder in folders:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            told = json.loads((folder / PANEL / "package.json").read_text(encoding="utf-8"))
            return str(told.get("version", "?"))
    return ""


def _named(found: Installation) -> str:
    place = config.shown(Path(found["environment"]))
    return f"jupyter_memo {found['version']} · Python {found['python']} · {place}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def _place(store: str) -> str:
    return store if "://" in store else os.path.realpath(store)


def _shown(store: str) -> str:
    return store if "://" in store else config.shown(Path(store))
