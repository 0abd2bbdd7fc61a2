"""Two installations: which the kernel and the server are, and where they disagree."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from jupyter_memo import __version__, config
from jupyter_memo.jupyter import note, surroundings
from jupyter_memo.response import Check

STORE = "/data/.memo"
Place = Callable[..., dict[str, Check]]


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Jupyter's folders, empty; no process above this one counts."""
    for name in ("RUNTIME", "DATA", "CONFIG"):
        monkeypatch.setenv(f"JUPYTER_{name}_DIR", str(tmp_path / name.lower()))
        (tmp_path / name.lower()).mkdir()
    monkeypatch.setattr(psutil.Process, "parents", lambda self: [])
    monkeypatch.delenv("JPY_PARENT_PID", raising=False)
    return tmp_path / "runtime"


@pytest.fixture
def seen(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """What a kernel sees of a server that is this very process, with some facts of its note changed."""

    def checks(**changes: Any) -> dict[str, Check]:
        told = surroundings.here(store=STORE, embedder="minilm") | {"panel": "0.1.0"} | changes
        note.write(told)
        monkeypatch.setenv("JPY_PARENT_PID", str(os.getpid()))
        return {check.name: check for check in surroundings.of_kernel(store=STORE, embedder="minilm")}

    return checks


def server_without_a_note(runtime: Path, monkeypatch: pytest.MonkeyPatch, python: Path) -> Check:
    monkeypatch.setenv("JPY_PARENT_PID", str(os.getpid()))
    (runtime / f"jpserver-{os.getpid()}.json").write_text("{}")
    monkeypatch.setattr(psutil.Process, "cmdline", lambda self: [str(python), "-m", "jupyterlab"])
    _, check = surroundings.of_kernel(store=STORE, embedder="minilm")
    return check


def environment(folder: Path, *, panel: bool = False, version: str = "") -> Path:
    """An environment, as far as it is looked at. Its interpreter."""
    if panel:
        (folder / "share/jupyter/labextensions/jupyter-memo").mkdir(parents=True)
        (folder / "share/jupyter/labextensions/jupyter-memo/package.json").write_text('{"version": "0.1.0"}')
    if version:
        info = folder / f"lib/python3.12/site-packages/jupyter_memo-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: jupyter_memo\nVersion: {version}\n")
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    return folder / "bin" / "python3"


def test_two_that_agree_are_named_and_nothing_is_wrong(seen: Place) -> None:
    checks = seen()
    assert ["kernel", "server", "panel", "one store"] == list(checks)
    assert all(check.ok and not check.cure for check in checks.values())
    named = f"jupyter_memo {__version__} · Python {sys.version.split()[0]} · {config.shown(Path(sys.prefix))}"
    assert [named, named] == [checks["kernel"].detail, checks["server"].detail]


@pytest.mark.parametrize(
    ("version", "cure"),
    [
        ("0.0.1", "pip install -U jupyter_memo in {theirs}, then restart JupyterLab"),
        ("99.0", "pip install -U jupyter_memo in {mine}, then restart this kernel"),
    ],
)
def test_the_older_of_two_versions_is_to_be_brought_up(seen: Place, version: str, cure: str) -> None:
    check = seen(version=version, environment="/opt/lab")["server"]
    assert not check.ok
    assert check.detail.startswith(f"jupyter_memo {version} · ")
    assert check.detail.endswith(f"{config.shown(Path('/opt/lab'))}; this kernel's is {__version__}")
    assert cure.format(theirs="/opt/lab", mine=config.shown(Path(sys.prefix))) == check.cure


def test_two_versions_of_one_environment_want_a_restart(seen: Place) -> None:
    assert seen(version="0.0.1")["server"].cure.startswith("restart JupyterLab, then this kernel")


def test_two_forms_of_saved_results_are_told(seen: Place) -> None:
    check = seen(schema=99)["server"]
    assert not check.ok
    assert "it saves results in form 99, this kernel in form" in check.detail


def test_two_stores_are_told_with_both(seen: Place) -> None:
    check = seen(store="/other/.memo")["one store"]
    told = "panel and kernel use different stores: the panel /other/.memo, this kernel /data/.memo"
    assert (False, told) == (check.ok, check.detail)
    assert "%memo open /other/.memo" in check.cure


def test_a_store_behind_a_link_is_the_same(runtime: Path, seen: Place, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "there")
    (tmp_path / "there").mkdir()
    seen(store=str(tmp_path / "link"))
    told = surroundings.of_kernel(store=str(tmp_path / "there"), embedder="minilm")
    assert all(check.ok for check in told)


def test_two_models_on_one_store_are_told(seen: Place) -> None:
    check = seen(embedder="none")["one model"]
    assert (False, "the panel searches with the model none, this kernel with minilm") == (check.ok, check.detail)


def test_a_server_part_without_the_panel_is_told(seen: Place) -> None:
    check = seen(panel="", environment="/opt/lab")["panel"]
    assert (False, "the server part is there, the panel is not: JupyterLab finds no extension called jupyter-memo") == (
        check.ok, check.detail,
    )  # fmt: skip
    assert "pip install --force-reinstall --no-deps jupyter_memo in /opt/lab" in check.cure


def test_without_a_server_it_is_said_and_nothing_is_wrong(runtime: Path) -> None:
    _, server = surroundings.of_kernel(store=STORE, embedder="minilm")
    assert server.ok
    assert server.detail.startswith("no JupyterLab server found")


def test_a_panel_without_the_server_part_is_told(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = server_without_a_note(runtime, monkeypatch, environment(tmp_path / "lab", panel=True))
    assert not check.ok
    assert f"the panel is installed in {tmp_path / 'lab'}, but the server part of jupyter_memo is not" in check.detail
    assert "jupyter server extension enable jupyter_memo" in check.cure


def test_a_server_that_has_nothing_of_ours_is_told(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = server_without_a_note(runtime, monkeypatch, environment(tmp_path / "lab"))
    assert check.detail.startswith(f"there is no jupyter_memo in {tmp_path / 'lab'}, which runs JupyterLab")
    assert f"pip install jupyter_memo in {tmp_path / 'lab'}, then restart JupyterLab" == check.cure


def test_a_server_whose_environment_nobody_knows_still_gets_a_cure(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = server_without_a_note(runtime, monkeypatch, tmp_path / "jupyterhub-singleuser")
    assert "pip install jupyter_memo where JupyterLab is installed, then restart JupyterLab" == check.cure


def test_a_server_above_is_found_though_nothing_names_it(
    seen: Place, monkeypatch: pytest.MonkeyPatch, runtime: Path
) -> None:
    seen()
    monkeypatch.setenv("JPY_PARENT_PID", "not a number")
    monkeypatch.setattr(psutil.Process, "parents", lambda self: [psutil.Process()])
    assert "panel" in {check.name for check in surroundings.of_kernel(store=STORE, embedder=None)}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1, "python": 2, "environment": 3}', "\udcff"])
def test_a_note_that_is_not_whole_is_none(seen: Place, runtime: Path, text: str) -> None:
    seen()
    note.path(os.getpid()).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert ["kernel", "server"] == [check.name for check in surroundings.of_kernel(store=STORE, embedder=None)]


def test_a_note_of_a_process_before_this_one_is_none(seen: Place, runtime: Path) -> None:
    seen()
    os.utime(note.path(os.getpid()), (0, 0))
    assert ["kernel", "server"] == [check.name for check in surroundings.of_kernel(store=STORE, embedder=None)]


def test_the_note_of_a_server_says_no_token(runtime: Path) -> None:
    told = surroundings.here(store=STORE, embedder="minilm")
    assert {"version", "python", "environment", "schema", "store", "embedder", "panel"} == set(told)


def kernel_of(runtime: Path, name: str, language: str, *argv: str) -> None:
    folder = runtime.parent / "data" / "kernels" / name
    folder.mkdir(parents=True)
    spec = {"argv": [*argv], "display_name": name.capitalize(), "language": language}
    (folder / "kernel.json").write_text(json.dumps(spec))


def test_the_server_names_the_kernels_of_other_environments(runtime: Path, tmp_path: Path) -> None:
    kernel_of(runtime, "same", "python", sys.executable, "-m", "ipykernel")
    kernel_of(runtime, "equal", "python", str(environment(tmp_path / "equal", version=__version__)))
    kernel_of(runtime, "older", "python", str(environment(tmp_path / "older", version="0.0.1")))
    kernel_of(runtime, "newer", "python", str(environment(tmp_path / "newer", version="99.0")))
    kernel_of(runtime, "without", "python", str(environment(tmp_path / "without")))
    kernel_of(runtime, "wrapped", "python", "conda", "run", "python")
    kernel_of(runtime, "other", "R", "/usr/bin/R")
    checks = {check.name: check for check in surroundings.of_server()}
    update, here = "pip install -U jupyter_memo in", config.shown(Path(sys.prefix))
    assert [
        (True, ""),
        (False, f"{update} {here}, then restart JupyterLab"),
        (False, f"{update} {tmp_path / 'older'}, then restart that kernel"),
        (True, ""),
    ] == [
        (check.ok, check.cure)
        for check in (checks[f"kernel {name}"] for name in ("Equal", "Newer", "Older", "Without"))
    ]
    assert not {"kernel Same", "kernel Wrapped", "kernel Other"} & checks.keys()
    assert f"jupyter_memo 0.0.1 in {tmp_path / 'older'}; the server's is {__version__}" == checks["kernel Older"].detail
    assert "no jupyter_memo found" in checks["kernel Without"].detail


def test_a_server_names_its_own_environment_and_the_panels_files(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = runtime.parent / "data" / "labextensions" / "jupyter-memo"
    files.mkdir(parents=True)
    # This package may be installed where the tests run, and what stands there comes first.
    monkeypatch.setattr(surroundings, "jupyter_path", lambda _name: [str(files.parent)])
    (files / "package.json").write_text('{"version": "1.2.3"}')
    server, panel = surroundings.of_server()[:2]
    assert (True, "its files are installed (1.2.3)") == (panel.ok, panel.detail)
    assert server.detail.startswith(f"jupyter_memo {__version__} · ")
