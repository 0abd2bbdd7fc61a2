"""A process that is killed while it indexes, back-fills or tidies up: nothing is doubled, halved or lost that counted,
and the next run ends where an undisturbed one would.

The worker tells each step it takes; it is killed a random moment after a random one. Step and moment come from a seed.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.records import Source
from jupyter_memo.store import terms
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import Row

KINDS = ("index", "backfill", "maintain", "purge")

KILLS = 5
"""In a case."""

CASES = 4
"""One of each kind: 20 kills. By hand 20 cases were run."""

FILES = 24

WAIT_SECONDS = 120
"""For a worker's next step; it takes some milliseconds."""

SETTINGS = {"index__target_chunk_tokens": 0}
"""Each section is a passage."""

WORKER = """
import json, os, random, sys
from pathlib import Path
from jupyter_memo.engine import Memo
from jupyter_memo.ingest import commit
from jupyter_memo.store.lance import Store

home, kind, seed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
settings, files = json.loads(sys.argv[4]), int(sys.argv[5])
exec(sys.argv[6])
chance = random.Random(seed)
commit.BATCH_PASSAGES, commit.GROUP_BATCHES = 8, 2
writing = {}

def tell(**what):
    print(json.dumps(what), flush=True)

def wrap(name):
    real = getattr(Store, name)

    async def told(self, *args, **options):
        if name == "put_sources":
            for source in args[0]:
                writing.setdefault(source.run_id, []).append([source.uri, source.sha256, source.removed_at is not None])
        tell(step=name)
        result = await real(self, *args, **options)
        tell(step=name + " done", committed=writing.pop(args[0], []) if name == "commit" else [])
        return result

    setattr(Store, name, told)

for name in ("begin", "add", "supersede", "respan", "tally", "put_sources", "commit", "set_vectors", "optimize",
             "prune", "purge", "set_meta"):
    wrap(name)

def edit(most):
    number = int((home / "round").read_text()) + 1
    (home / "round").write_text(str(number))
    for file in chance.sample(range(files), chance.randint(1, most)):
        path = home / "lab" / f"{file}.md"
        if path.exists() and chance.random() < 0.2:
            path.unlink()
            continue
        (home / "fresh").write_text(content(file, number))
        os.replace(home / "fresh", path)

def index(embedder, most):
    edit(most)
    with Memo.open(home / "store", embedder=embedder, **settings) as memo:
        memo.index(home / "lab")

tell(step="ready")
while True:
    if kind == "index":
        index("hash", files)
    elif kind == "backfill":
        index("none", files)
        with Memo.open(home / "store", embedder="hash", **settings) as memo:
            memo.backfill()
    else:
        with Memo.open(home / "store", embedder="hash", **settings) as memo:
            for _ in range(3):
                edit(4)
                memo.index(home / "lab")
                if kind == "maintain":
                    memo.optimize()
                    memo.maintain(history_days=0)
                else:
                    memo.purge()
"""

CONTENT = '''
def content(file, number):
    """What a file holds in a round: some sections, each of which says of how many it is one."""
    of = 1 + (7 * file + 3 * number) % 6
    words = lambda part: f"word{(file + number + part) % 40} common{part}"
    return "".join(
        f"# Part {part}\\n\\nfile {file} round {number} part {part} of {of} {words(part)}\\n\\n"
        for part in range(1, of + 1)
    )
'''

_scope: dict[str, Any] = {}
exec(CONTENT, _scope)
content = _scope["content"]


def worked_on(home: Path, kind: str, seed: int, steps: int, moment: float) -> list[tuple[str, str, bool]]:
    """Let a worker work, kill it `moment` seconds after so many steps; what it saw committed, in order."""
    arguments = [str(home), kind, str(seed), json.dumps(SETTINGS), str(FILES), CONTENT]
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    lines: list[str] = []
    guard = threading.Timer(WAIT_SECONDS, process.kill)
    guard.start()
    try:
        for line in process.stdout:
            lines.append(line)
            if len(lines) > steps:
                break
        else:
            raise AssertionError(f"the worker ended by itself: {process.communicate()[1][-3000:]}")
        threading.Event().wait(moment)
    finally:
        guard.cancel()
        process.kill()
        rest, _ = process.communicate()
    told = [json.loads(line) for line in (*lines, *rest.splitlines()) if line.rstrip().endswith("}")]
    return [tuple(each) for step in told for each in step.get("committed", ())]


def held(store: Path) -> tuple[dict[str, Source], list[Row], Counter[str], tuple[str, ...]]:
    """Sources by uri, living rows, term statistics, and open runs, as a reader of the store sees them."""

    async def read() -> tuple[list[Source], list[Row], Counter[str], tuple[str, ...]]:
        opened = await Store.open(store, read_only=True)
        try:
            sources = await opened.sources()
            rows = await opened.source_passages(*(source.id for source in sources)) if sources else []
            runs = (await opened.snapshot()).open_runs
            names = sorted(terms.count(rows))
            counts = await opened.statistics(names, runs)
            counted = Counter(counts.frequencies)
            if counts.passages:
                counted |= Counter({terms.PASSAGES: counts.passages, terms.LENGTH: counts.length})
            return sources, rows, counted, runs
        finally:
            await opened.close()

    sources, rows, counted, runs = asyncio.run(read())
    assert len(sources) == len({source.uri for source in sources})
    return {source.uri: source for source in sources}, rows, counted, runs


def digests(rounds: int) -> dict[str, int]:
    """The round in which a file had these bytes, by their digest and the file's number."""
    return {
        hashlib.sha256(content(file, number).encode()).hexdigest() + f" lab/{file}.md": number
        for file in range(FILES)
        for number in range(rounds + 1)
    }


def check_whole(home: Path, committed: list[tuple[str, str, bool]]) -> None:
    """What a reader sees right after the kill."""
    sources, rows, counted, _ = held(home / "store")
    known = digests(int((home / "round").read_text()))
    assert len(rows) == len({row.passage.id for row in rows})
    parts: dict[str, list[tuple[int, ...]]] = {}
    for row in rows:
        found = re.match(r"file (\d+) round (\d+) part (\d+) of (\d+)", row.passage.text)
        assert found, row.passage.text
        parts.setdefault(row.passage.uri, []).append(tuple(map(int, found.groups())))
    for uri, source in sources.items():
        file, number = int(uri.split("/")[1].split(".")[0]), known[f"{source.sha256} {uri}"]
        of = content(file, number).count("# Part")
        whole = [] if source.removed_at else [(file, number, part, of) for part in range(1, of + 1)]
        assert whole == sorted(parts.pop(uri, [])), uri
    assert {} == parts
    assert terms.count(rows) == counted
    for uri, digest, removed in committed:
        at_least = known[f"{digest} {uri}"], removed
        source = sources.get(uri)
        if source is None:  # its removal was committed, and tidied up
            assert any(gone for name, _, gone in committed if name == uri) or not (home / uri).exists()
            continue
        assert at_least <= (known[f"{source.sha256} {uri}"], source.removed_at is not None), uri


def state(store: Path) -> tuple[dict[str, str], dict[str, tuple[str, bool]], Counter[str]]:
    """Texts by id, sources that are there, and statistics, which are a recount of the living rows."""
    sources, rows, counted, runs = held(store)
    assert () == runs
    assert terms.count(rows) == counted
    there = {uri: (source.sha256, False) for uri, source in sources.items() if source.removed_at is None}
    return {row.passage.id: row.passage.text for row in rows}, there, counted


def vectors(memo: Memo) -> dict[str, np.ndarray]:
    async def read() -> dict[str, np.ndarray]:
        (key,) = await memo._store.vector_keys()
        sources = await memo._store.sources()
        rows = await memo._store.source_passages(*(source.id for source in sources))
        found = await memo._store.fetch([row.passage.id for row in rows], key)
        assert 0 == (await memo._store.counts(key))["without_vectors"]
        return {id: row.vector for id, row in found.items() if row.vector is not None}

    return memo._runner.run(read())


def check_mended(home: Path, undisturbed: Path) -> None:
    """The next run ends where a first run over the same files ends."""
    found = {}
    for store in (home / "store", undisturbed):
        with Memo.open(store, embedder="hash", **SETTINGS) as memo:
            memo.index(home / "lab")
            memo.backfill()
            again = memo.index(home / "lab")
            assert (0, 0, 0) == (again.added, again.dropped, again.embedded)
            found[store] = vectors(memo)
    assert state(undisturbed) == state(home / "store")
    mended, fresh = found[home / "store"], found[undisturbed]
    assert sorted(fresh) == sorted(mended)
    assert all(np.array_equal(fresh[id], mended[id]) for id in fresh)


def kill_again_and_again(home: Path, number: int) -> None:
    """Kills of one worker after another, each on the store that the one before left; some begin with none at all."""
    chance = random.Random(number)
    kind = KINDS[number % len(KINDS)]
    home.mkdir()
    (home / "lab").mkdir()
    (home / "round").write_text("0")
    if chance.random() < 0.5:
        for file in range(FILES):
            (home / "lab" / f"{file}.md").write_text(content(file, 0))
        with Memo.open(home / "store", embedder=chance.choice(("hash", "none")), **SETTINGS) as memo:
            memo.index(home / "lab")
    committed: list[tuple[str, str, bool]] = []
    for attempt in range(KILLS):
        steps = chance.randint(1, 150 if kind in ("index", "backfill") else 300)
        moment = chance.choice((0.0, 0.03, 0.3)) * chance.random()
        committed += worked_on(home, kind, 10 * number + attempt, steps, moment)
        check_whole(home, committed)
    check_mended(home, home / "undisturbed")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(CASES), ids=lambda number: f"{KINDS[number % len(KINDS)]}-{number}")
def test_killed_workers_leave_whole_sources_and_the_next_run_completes_them(tmp_path: Path, number: int) -> None:
    kill_again_and_again(tmp_path / "home", number)
