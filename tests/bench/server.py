"""What an index run costs a Jupyter server: python tests/bench/server.py [--passages 20000] [--seconds 20]

A real server with the extension and, for this bench alone, a second extension that measures the lag of its event loop:
how much later than asked for a timer of 10 ms rings. First idle, then while a run over generated files (hash embedder)
goes on in its worker and a search is asked twice a second. A run before it is cancelled at its first file. Prints both
lags, their ratio, the time of the searches, and the time from the cancel to the end of that run. Exits 1 when the 99th
percentile of the lag is more than three times the idle one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TICK_SECONDS = 0.01
PAUSE_SECONDS = 0.5
MOST_TIMES = 3.0

PARAGRAPHS = 20
"""Passages of a generated file: each is as long as a passage may be, so that none are joined."""

WORDS = 160

ROUTE = "bench-lag"


def _load_jupyter_server_extension(app: Any) -> None:
    """As an extension of the server: GET /bench-lag gives the lags, in seconds, since it was asked last."""
    from tornado.web import RequestHandler

    lags: list[float] = []

    async def measure() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(TICK_SECONDS)
            lags.append(time.perf_counter() - began - TICK_SECONDS)

    class Lag(RequestHandler):
        def get(self) -> None:
            self.finish({"lags": list(lags)})
            lags.clear()

    app.web_app.add_handlers(".*$", [(f"/{ROUTE}", Lag)])
    app.bench = asyncio.ensure_future(measure())


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "server"}]


class Server:
    """A Jupyter server over a folder, as a process of its own."""

    def __init__(self, folder: Path, root: Path) -> None:
        homes = {f"JUPYTER_{kind}_DIR": str(folder / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
        self._log = (folder / "log").open("wb")
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyter_server", "--allow-root", "--no-browser", "--ServerApp.ip=127.0.0.1"),
                *("--ServerApp.port=0", "--IdentityProvider.token=abc", f"--ServerApp.root_dir={root}"),
                f"--MemoServer.store={root / '.memo'}",
                "--ServerApp.jpserver_extensions={'jupyter_memo': True, 'server': True}",
                "--ServerApp.allow_unauthenticated_access=True",
            ],
            env={
                **os.environ,
                **homes,
                "JUPYTER_MEMO__EMBEDDER": "hash",
                "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), *filter(None, sys.path))),
            },
            stderr=self._log,
        )
        about = folder / "runtime" / f"jpserver-{self.process.pid}.json"
        while True:
            with contextlib.suppress(OSError, ValueError):
                self._url = json.loads(about.read_text(encoding="utf-8"))["url"]
                self.ask("GET", "api/status")
                break
            if self.process.poll() is not None:
                sys.exit((folder / "log").read_text())
            time.sleep(0.1)

    def ask(self, method: str, route: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._url + route, data, {"Authorization": "token abc", "Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def lags(self) -> list[float]:
        return [float(lag) for lag in self.ask("GET", ROUTE)["lags"]]

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self._log.close()


def generate(root: Path, passages: int) -> list[str]:
    """Files of so many passages, and the words in them."""
    chance = random.Random(3)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(5000)]
    root.mkdir(parents=True)
    for number in range(max(1, passages // PARAGRAPHS)):
        parts = (
            f"# {' '.join(chance.choices(words, k=3))}\n\n{' '.join(chance.choices(words, k=WORDS))}."
            for _ in range(PARAGRAPHS)
        )
        (root / f"{number:05}.md").write_text("\n\n".join(parts), encoding="utf-8")
    return words


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def milliseconds(values: Sequence[float]) -> str:
    middle, high = percentile(values, 0.5), percentile(values, 0.99)
    return f"p50 {middle * 1000:6.2f} ms  p99 {high * 1000:6.2f} ms  most {max(values) * 1000:6.1f} ms  n {len(values)}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long the idle server is looked at")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="memo-bench-") as folder:
        root = Path(folder) / "root"
        words = generate(root, given.passages)
        server = Server(Path(folder), root)
        try:
            return measured(server, words, given.seconds)
        finally:
            server.close()


def measured(server: Server, words: list[str], seconds: float) -> int:
    """The three parts, one after the other."""
    chance = random.Random(5)
    server.ask("GET", "jupyter-memo/status")
    server.lags()
    time.sleep(seconds)
    idle = server.lags()
    print(f"idle       {milliseconds(idle)}")

    cancelled = cancel(server)
    server.lags()
    job = server.ask("POST", "jupyter-memo/index", {"paths": [""]})["job"]
    began, took, found = time.perf_counter(), [], 0
    while (state := server.ask("GET", f"jupyter-memo/index/{job}"))["state"] in ("waiting", "running"):
        asked = time.perf_counter()
        query = " ".join(chance.choices(words, k=3))
        answer = server.ask("POST", "jupyter-memo/search", {"query": query, "sync": False, "view": "bench"})
        took.append(time.perf_counter() - asked)
        found += bool(answer["results"])
        time.sleep(PAUSE_SECONDS)
    busy = server.lags()
    if state["state"] != "done":
        sys.exit(json.dumps(state))
    print(
        f"indexing   {milliseconds(busy)}   {state['report']['added']} passages in {time.perf_counter() - began:.0f} s"
    )
    print(
        f"searches   p50 {statistics.median(took) * 1000:.0f} ms  p95 {percentile(took, 0.95) * 1000:.0f} ms  "
        f"n {len(took)}, {found} with results"
    )

    times = percentile(busy, 0.99) / percentile(idle, 0.99)
    print(f"cancel     {cancelled * 1000:.0f} ms from the request to the end of the run")
    print(f"lag        p99 is {times:.2f} times that of the idle server (at most {MOST_TIMES})")
    return int(times > MOST_TIMES)


def cancel(server: Server) -> float:
    """Begin a run, cancel it when its first file is through, and give the seconds until it is over."""
    job = server.ask("POST", "jupyter-memo/index", {"paths": [""]})["job"]
    while not server.ask("GET", f"jupyter-memo/index/{job}")["done"]:
        time.sleep(TICK_SECONDS)
    began = time.perf_counter()
    server.ask("DELETE", f"jupyter-memo/index/{job}")
    while (state := server.ask("GET", f"jupyter-memo/index/{job}")["state"]) == "cancelling":
        time.sleep(TICK_SECONDS)
    if state != "cancelled":
        sys.exit(f"the run that was to be cancelled is {state}: take more passages")
    return time.perf_counter() - began


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
