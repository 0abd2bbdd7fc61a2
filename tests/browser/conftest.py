"""A real JupyterLab on 127.0.0.1, Chromium in front of it, and notebooks that were saved with results in them."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo.comparison import Comparison
from jupyter_memo.response import SearchResponse

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PROJECT = Path(__file__).resolve().parents[2]
AXE = PROJECT / "labextension" / "node_modules" / "axe-core" / "axe.min.js"
ASSETS = PROJECT / "jupyter_memo" / "jupyter" / "labextension"
NOT_OURS = "/lab/extensions/@jupyter-widgets/"
"""The widget manager fails on a notebook that has no session; an error from there says nothing about this package."""

SERVER_PART = {"ServerApp": {"jpserver_extensions": {"jupyter_memo": True}}}
QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
START = 60_000
RESTORED = """() => {
    window.jupyterapp?.restored.then(() => { window.memoRestored = true; });
    return window.memoRestored === true;
}"""
OPEN = """path => {
    const kernelPreference = { shouldStart: false, canStart: false };
    void window.jupyterapp.commands.execute('docmanager:open', { path, kernelPreference });
}"""
SHOWN = """path => {
    const widget = window.jupyterapp.shell.currentWidget;
    return widget?.context?.path === path && widget.context.isReady && widget.isVisible;
}"""
"""Whether start-up is over, and whether a document is shown. They are polled: Chromium may collect a promise that is
waited for from outside the page."""

BROWSER_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass
class Lab:
    """A running JupyterLab: its address with the token, and the folder that it shows."""

    port: int
    token: str
    folder: Path

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    def get(self, path: str) -> Any:
        asked = urllib.request.Request(self.url(path), headers={"Authorization": f"token {self.token}"})
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return json.load(answer)

    def kernels(self) -> set[str]:
        """The ids of the kernels that run; a notebook that was only looked at adds none."""
        return {kernel["id"] for kernel in self.get("api/kernels")}

    def save(self, name: str, *shown: SearchResponse | Comparison) -> str:
        """A notebook with one cell and its saved output for each thing shown. Nobody has trusted it."""
        forms = [one._repr_mimebundle_() for one in shown]
        outputs = [[{"output_type": "display_data", "metadata": {}, "data": data}] for data in forms]
        cells = [
            {
                "cell_type": "code",
                "id": f"{name}-{at}",
                "metadata": {},
                "execution_count": None,
                "outputs": output,
                "source": f"%%memo_search\n{at}",
            }
            for at, output in enumerate(outputs)
        ]
        notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (self.folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        return f"{name}.ipynb"


@dataclass
class Tab:
    """One page of the browser with all that it said and asked for."""

    lab: Lab
    page: Any
    said: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def open(self, notebook: str) -> None:
        """Shows a notebook and waits until start-up is over: keys pressed before that are lost."""
        page = self.page
        page.goto(self.lab.url(f"lab?reset&token={self.lab.token}"))
        page.wait_for_function(RESTORED, timeout=START)
        page.wait_for_selector("#jupyterlab-splash", state="detached", timeout=START)
        self.show(notebook)
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=START)

    def show(self, path: str) -> None:
        """Shows a document, a notebook without a kernel, and waits until it is read."""
        self.page.evaluate(OPEN, path)
        self.page.wait_for_function(SHOWN, arg=path, timeout=START)

    def heard(self, error: str) -> None:
        if NOT_OURS not in error:
            self.said.append(error)

    def theme(self, name: str) -> None:
        self.page.evaluate(
            "async theme => { await window.jupyterapp.commands.execute('apputils:change-theme', { theme }); }",
            name,
        )
        light = "true" if "Light" in name else "false"
        self.page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A server with settings and a store of its own, the committed front end, and no news from anywhere."""
    with running(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@contextlib.contextmanager
def running(root: Path, *more: str, **variables: str) -> Iterator[Lab]:
    """A JupyterLab that shows `root`/work, with more options and environment variables of its own."""
    folder = root / "work"
    folder.mkdir(exist_ok=True)
    shutil.copytree(ASSETS, root / "data" / "labextensions" / "jupyter-memo")
    settings = root / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(QUIET), encoding="utf-8")
    (root / "config").mkdir(exist_ok=True)
    (root / "config" / "jupyter_server_config.json").write_text(json.dumps(SERVER_PART), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lab = Lab(port=port, token=secrets.token_hex(16), folder=folder)
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(root / "config"),
        "JUPYTER_DATA_DIR": str(root / "data"),
        "JUPYTER_PREFER_ENV_PATH": "0",  # an installed front end may be an older one
        "JUPYTER_RUNTIME_DIR": str(root / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(root / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(root / "workspaces"),
        "IPYTHONDIR": str(root / "ipython"),
        "JUPYTER_TOKEN": lab.token,
        "JUPYTER_MEMO__EMBEDDER": "hash",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH")))),
        **variables,
    }
    options = [
        "--no-browser",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.allow_root=True",
        "--LabApp.extension_manager=readonly",
        "--LabApp.expose_app_in_browser=True",
        f"--MemoServer.store={root / 'store'}",
        *more,
    ]
    log = root / "lab.log"
    with log.open("wb") as out:
        command = [sys.executable, "-m", "jupyterlab", *options]
        server = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT, cwd=folder)
        try:
            wait_for(lab, server, log)
            yield lab
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                # Its loop has ended; a thread that its file service had from AnyIO waits for work that will not come.
                server.kill()
                server.wait()


def wait_for(lab: Lab, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if server.poll() is not None:
            break
        try:
            lab.get("api/status")
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-4000:]}")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Chromium with a profile of its own. The browsers that Playwright would download are not used."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not here: pip install '.[test]'")
    if CHROMIUM is None:
        pytest.skip("Chromium is not here: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=CHROMIUM,
            headless=True,
            viewport={"width": 1400, "height": 1000},
            args=BROWSER_OPTIONS,
        )
        yield context
        context.close()


@pytest.fixture
def tab(lab: Lab, chromium: Any) -> Iterator[Tab]:
    """A fresh page. When the test is over it must have had no error and have asked nobody but this machine."""
    page = chromium.new_page()
    page.set_default_timeout(15_000)
    tab = Tab(lab=lab, page=page)
    page.on("console", lambda message: tab.heard(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: tab.heard(error.stack or str(error)))
    page.on("request", lambda asked: None if local(asked.url, lab) else tab.outside.append(asked.url))
    yield tab
    page.close()
    assert [] == tab.said
    assert [] == tab.outside


def local(url: str, lab: Lab) -> bool:
    return url.startswith((lab.url(""), f"ws://127.0.0.1:{lab.port}/", "data:", "blob:"))
