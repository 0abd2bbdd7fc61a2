"""What ranking costs beside the rest of a search: python tests/bench/stages.py DATA [--stores FOLDER] [--queries 100]

Real queries of two sets, at the depth at which the arms together find about 300 passages. The whole is the CPU time of
the process over all threads; the parts run on one thread and are measured by the time of that thread, so that what the
store does meanwhile is not put down to them. Exits 1 when fusion and stages are more than a tenth of the whole on any
set.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import sets
from jupyter_memo.profile import Profile
from jupyter_memo.ranking import evidence, fusion
from jupyter_memo.ranking.stage import Ranked
from jupyter_memo.response import SearchResponse
from jupyter_memo.search import answer, fuse, pipeline

SETS = ("nb_sections", "cranfield")
CANDIDATES = 300
DEPTHS = (100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300)
SAMPLE = 20
"""So many queries find the depth."""

PARTS: tuple[tuple[str, Any, str], ...] = (
    ("fusion", fuse, "fuse"),
    ("  measure", fuse, "measure"),
    ("  evidence", evidence, "fuse"),
    ("  rank fusion", fusion, "fuse"),
    ("response", answer, "build"),
)
"""The parts by name, with the module and the function that does each; an indented one is inside the one above."""

MOST = 0.10


class Spent:
    """Seconds of the measuring thread, by part."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(work)
        def measured(*args: Any, **options: Any) -> Any:
            began = time.thread_time()
            try:
                return work(*args, **options)
            finally:
                self.seconds[name] += time.thread_time() - began

        return measured

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Measure every part of the searches within."""
        places = [*((module, name) for _, module, name in PARTS), (pipeline, "rank")]
        kept = [getattr(module, name) for module, name in places]
        rank = self.timed("stages", pipeline.rank)

        def ranked(candidates: Any, context: Any, *, stages: Any, began: float) -> Ranked:
            each = tuple((name, self.timed(f"  {name}", stage)) for name, stage in stages)
            found: Ranked = rank(candidates, context, stages=each, began=began)
            return found

        for part, module, name in PARTS:
            setattr(module, name, self.timed(part, getattr(module, name)))
        setattr(pipeline, "rank", ranked)  # noqa: B010 - as the parts above; mypy allows no other signature
        try:
            yield
        finally:
            for (module, name), work in zip(places, kept, strict=True):
                setattr(module, name, work)


def ask(memo: Memo, questions: Sequence[sets.Question], profile: Profile) -> list[SearchResponse]:
    return [memo.search(each.text, profile=profile, namespace=each.group or None) for each in questions]


def candidates(responses: Sequence[SearchResponse]) -> float:
    """How many passages the arms found together, on the mean."""
    return statistics.mean(stage.after for each in responses for stage in each.trace.stages if stage.stage == "fusion")


def at_depth(memo: Memo, questions: Sequence[sets.Question]) -> Profile:
    """The default profile at the depth that comes nearest to the wanted number of candidates."""
    tried = [profiles.override(profiles.get("default"), depth=depth) for depth in DEPTHS]
    sample = questions[:SAMPLE]
    return min(tried, key=lambda profile: abs(candidates(ask(memo, sample, profile)) - CANDIDATES))


def report(memo: Memo, evaluated: sets.EvaluationSet, queries: int) -> float:
    """Print what each part costs; the share of fusion and stages."""
    questions = evaluated.questions[:: max(1, len(evaluated.questions) // queries)][:queries]
    profile = at_depth(memo, questions)
    spent = Spent()
    # Else the collector goes through all that was loaded, at the expense of whichever part it happens to interrupt.
    gc.collect()
    gc.freeze()
    with spent.watching():
        began, wall = time.process_time(), time.perf_counter()
        responses = ask(memo, questions, profile)
        whole, passed = time.process_time() - began, time.perf_counter() - wall
    count = len(questions)
    print(
        f"{evaluated.name}: {count} queries, depth {profile.depth}, {candidates(responses):.0f} candidates,"
        f" {1000 * passed / count:.1f} ms a query"
    )
    share = (spent.seconds["fusion"] + spent.seconds["stages"]) / whole
    rows = (("whole", whole), *spent.seconds.items(), ("fusion + stages", share * whole))
    print(f"  {'CPU':<18} {'ms':>8} {'of the whole':>13}")
    for name, seconds in sorted(rows, key=lambda row: _place(row[0])):
        print(f"  {name:<18} {1000 * seconds / count:8.3f} {100 * seconds / whole:11.1f} %", flush=True)
    return share


def _place(name: str) -> int:
    order = ("whole", *(part for part, _, _ in PARTS[:-1]), "stages", *(f"  {stage}" for stage, _ in pipeline.STAGES))
    return (*order, "response", "fusion + stages").index(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--stores", type=Path, help="a folder with a store of each set; indexed anew without it")
    parser.add_argument("--queries", type=int, default=100)
    options = parser.parse_args()
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        for name in SETS:
            (evaluated,) = sets.read(options.data / name)
            path = (options.stores or Path(folder)) / name
            if not options.stores:
                with Memo.open(path, embedder="minilm") as memo:
                    memo.add(list(evaluated.records()))
                    memo.optimize()
            with Memo.open(path, embedder="minilm", read_only=True) as memo:
                shares.append(report(memo, evaluated, options.queries))
    return int(max(shares) > MOST)


if __name__ == "__main__":
    sys.exit(main())
