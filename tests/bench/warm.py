"""What a warm search costs beside LanceDB's own hybrid query: python tests/bench/warm.py DATA [--store FOLDER]

100,000 passages, made of real ones from DATA with a part of their words exchanged, in one store. Real questions are
asked of it in two ways: by `Memo.search` as it is, reasons and snippets included, and by LanceDB's hybrid query (words
and vector, 100 candidates each, its own RRF reranker, the columns that a list of results is made of) on the same open
table, indexes and filter. The vectors of the questions are made before, and the disk is not followed. What counts is
the CPU time of the process over all threads, the best of several rounds, both in the same run. Exits 1 where the sum of
the searches is more than 1.5 times that of the hybrid queries.

The hybrid query reads the vector index as the search does (`as here`: probes and refinement of `store.match`), or with
LanceDB's defaults (`bare`), which finds less and is shown beside. A hundredth of the passages are replaced after they
were added, as in a store that is in use: so the filter has something to keep out. `--fresh` leaves that away.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

os.environ.setdefault("LANCEDB_LOG", "error")  # else it warns that distance and score are given without being selected

from lancedb.query import MatchQuery

from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import sets
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.query import Scope
from jupyter_memo.search import meaning
from jupyter_memo.store import filters, match
from jupyter_memo.store.lance import Snapshot
from jupyter_memo.text.words import stems

MOST = 1.5
DEPTH = 100

SETS = ("squad2_absent", "nb_sections", "fastapi_en", "cranfield", "lihua", "cosqa_dev", "npl", "cacm", "nl2bash")
CODE = frozenset({"cosqa_dev", "nl2bash"})
LEAST_WORDS, MOST_WORDS = 40, 200
EXCHANGED = 0.25
"""The part of the words that others take the place of: with less many passages would be one."""

CHANGED = 100
"""Every so many-th passage is replaced."""

ASKED = ("squad2_absent", "nb_sections", "fastapi_en", "cranfield", "lihua", "cosqa_dev", "nl2bash")
ANY = "any question at all"
"""What was asked before: the state of the store is known, nothing of the questions is."""

FILTERED = "ns:squad2_absent "

COLUMNS = (
    "id", "source_id", "uri", "surface", "kind", "namespace", "owner", "visibility", "library", "version", "tags",
    "trust", "lang", "code", "header", "text", "start_line", "end_line", "cell", "cell_id", "execution_count", "part",
    "page", "turn", "key", "tokens", "sha256", "created_at", "recorded_at", "expires_at",
)  # fmt: skip
"""What a result tells of a passage."""


class Known(HashEmbedder):
    """The hash embedder with the vectors of the questions made beforehand."""

    def encode_queries(self, texts: list[str]) -> np.ndarray:
        made: dict[str, np.ndarray] = MADE
        if any(text not in made for text in texts):
            made.update(zip(texts, HashEmbedder.encode_queries(self, texts), strict=True))
        return np.stack([made[text] for text in texts])


MADE: dict[str, np.ndarray] = {}


@dataclass(frozen=True, slots=True)
class Case:
    """One question; `kind` is its row of the table, `asked` what of it LanceDB is asked."""

    kind: str
    text: str
    asked: str
    namespace: str = ""


def passages(data: Path, rows: int) -> Iterator[dict[str, Any]]:
    """Records of real words in their order, blanks and lines as they stood."""
    drawn = random.Random(7)
    read = [sets.read(data / name)[0] for name in SETS]
    texts = {each.name: [re.findall(r"\S+\s*", document.whole + "\n") for document in each.documents] for each in read}
    titles = {each.name: [document.title for document in each.documents] for each in read}
    words = [word for every in texts.values() for text in every for word in text]
    names = list(texts)
    day = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(rows):
        name = names[number % len(names)]
        at = drawn.randrange(len(texts[name]))
        wanted, taken = drawn.randint(LEAST_WORDS, MOST_WORDS), list[str]()
        for text in itertools.islice(itertools.cycle(texts[name]), at, at + 40):
            start = drawn.randrange(len(text) // 2 + 1)
            taken += text[start : start + wanted - len(taken)]
            if len(taken) >= wanted:
                break
        said = (drawn.choice(words) if drawn.random() < EXCHANGED else word for word in taken)
        yield {
            "id": f"{name}/{number % 4000}/{number}",
            "title": titles[name][at][:80],
            "text": "".join(said).strip(),
            "kind": "code" if name in CODE else "document",
            "namespace": name,
            "tags": [f"t{number % 17}"],
            "created_at": day + timedelta(hours=number % 8000),
        }


def cases(data: Path, each: int) -> list[Case]:
    """The same number of questions of every set, one set under a filter, and names as they are written."""
    found: list[Case] = []
    for name in ASKED:
        (evaluated,) = sets.read(data / name)
        chosen = evaluated.questions[:: max(1, len(evaluated.questions) // each)][:each]
        found += (Case(name, question.text, question.text) for question in chosen)
        if name == "squad2_absent":
            found += (Case("filter", FILTERED + question.text, question.text, name) for question in chosen)
    names = ("HTTPException status_code", "np.linalg.norm", "find name", "os.path.join", "BackgroundTasks", "DataFrame")
    found += (Case("names", text, text) for text in names[:each])
    return found


def spent(work: Callable[[], Any]) -> float:
    """CPU seconds of all threads."""
    began = time.process_time()
    work()
    return time.process_time() - began


def hybrid(memo: Memo, case: Case, *, bare: bool) -> Callable[[], Coroutine[Any, Any, Any]]:
    """LanceDB's own query for a question, prepared; its words as the column has them."""
    store = memo._store
    table = store._tables.passages
    key = meaning.key_of(memo._door.embedder or Known())
    vector = Known().encode_queries([case.asked])[0]
    spoken = " ".join(stems(case.asked))
    snapshot: Snapshot = memo._runner.run(cast(Any, store.snapshot()))
    scope = Scope(namespaces=(case.namespace,)) if case.namespace else Scope()
    now = datetime.now(UTC)
    where = filters.where(filters.predicates(scope, now=now, open_runs=snapshot.open_runs, always=snapshot.always))

    async def ask() -> Any:
        search = table.query().nearest_to(vector).column(key.column).distance_type("dot")
        if where != filters.EVERYTHING:
            search = search.where(where)
        if not bare:
            search = search.nprobes(match.PROBES).refine_factor(match.REFINE)
        words: Any = MatchQuery(spoken, "lex")
        found = search.nearest_to_text(words).limit(DEPTH).select([*COLUMNS])
        return await found.to_arrow()

    return ask


def forgetting(memo: Memo) -> Callable[[], None]:
    """Make a store forget what it has remembered of single questions: asked anew, each is as if for the first time."""
    store = memo._store
    read, (state, counted) = dict(store._seen._read), store._counted
    kept = dict(counted)

    def forget() -> None:
        store._seen._read.clear()
        store._seen._read.update(read)
        store._seen._places.clear()
        store._counted = (state, dict(kept))

    return forget


def build(memo: Memo, data: Path, rows: int, *, fresh: bool) -> None:
    began = time.perf_counter()
    report = memo.add(passages(data, rows))
    if not fresh:
        changed = itertools.islice(passages(data, rows), 0, rows, CHANGED)
        memo.add({**record, "text": f"{record['text']} once more"} for record in changed)
    memo.optimize()
    print(f"{report.added} passages in {time.perf_counter() - began:.0f} s", flush=True)


def compare(memo: Memo, asked: Sequence[Case], rounds: int) -> float:
    """Print the table; the ratio of the sums."""
    runner = memo._runner

    def running(case: Case, *, bare: bool) -> Callable[[], Any]:
        ask = hybrid(memo, case, bare=bare)
        return lambda: runner.run(ask())

    ways: list[tuple[str, list[Callable[[], Any]]]] = [
        ("search", [partial(memo.search, case.text, sync=False) for case in asked]),
        ("as here", [running(case, bare=False) for case in asked]),
        ("bare", [running(case, bare=True) for case in asked]),
    ]
    best = {name: [float("inf")] * len(asked) for name, _ in ways}
    memo.search(ANY, sync=False)
    forget = forgetting(memo)
    gc.collect()
    gc.freeze()
    for _ in range(rounds + 1):  # the first one warms the caches; its times can only be the worse ones
        for place in range(len(asked)):
            for name, works in ways:
                forget()
                best[name][place] = min(best[name][place], spent(works[place]))
    print(f"{'CPU ms a query':<16}{'queries':>8}{'search':>9}{'as here':>9}{'ratio':>7}{'bare':>9}{'ratio':>7}")
    kinds = dict.fromkeys(case.kind for case in asked)
    for kind in (*kinds, "all"):
        chosen = [place for place, case in enumerate(asked) if kind in (case.kind, "all")]
        ours, theirs, bare = (sum(best[name][place] for place in chosen) for name, _ in ways)
        line = f"{kind:<16}{len(chosen):>8}{1000 * ours / len(chosen):>9.2f}{1000 * theirs / len(chosen):>9.2f}"
        print(f"{line}{ours / theirs:>7.2f}{1000 * bare / len(chosen):>9.2f}{ours / bare:>7.2f}", flush=True)
    return sum(best["search"]) / sum(best["as here"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--store", type=Path, help="a folder for the store, used again when it is there")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--fresh", action="store_true", help="replace nothing after it was added")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--each", type=int, default=6, help="questions of each set")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.store or Path(folder)
        with Memo.open(path, embedder=Known()) as memo:
            if not memo.status().passages:
                build(memo, options.data, options.rows, fresh=options.fresh)
            ratio = compare(memo, cases(options.data, options.each), options.rounds)
    print(f"a search costs {ratio:.2f} times the hybrid query, at most {MOST} is wanted")
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main())
