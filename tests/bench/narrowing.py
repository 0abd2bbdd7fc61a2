"""Whether following a narrow hint shortens the list and keeps its first result, and whether it leaves what it says.

python tests/bench/narrowing.py DATA_FOLDER [--stores FOLDER] [--queries 100] [--sets …]

Each hint is followed twice: typed behind the query, and as an argument of the scope. Ends with 1 where fewer than 95 of
100 hints hold.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import sets
from jupyter_memo.render import reading
from jupyter_memo.response import SearchResponse

SETS = ("nb_sections", "fastapi_en", "cacm", "squad2_absent", "lihua", "locomo")
ARGUMENTS = {"ns": "namespace", "lib": "library"}
LEAST = 0.95


def whole(memo: Memo, query: str, **options: object) -> list[str]:
    """The ids of the whole list, page by page, with what is folded below each."""
    ids: list[str] = []
    offset = 0
    while True:
        page = memo.search(query, limit=100, offset=offset, explain=False, sync=False, **options)  # type: ignore[arg-type]
        ids += (id for each in page for id in (each.passage.id, *(below.id for below in each.folded)))
        offset += len(page)
        if not page.truncated or not len(page):
            return ids


def faults(memo: Memo, response: SearchResponse, options: dict[str, object], told: Counter[str]) -> Iterator[str]:
    """What does not hold of the hint of a response."""
    hint, narrowed = response.narrow_hint, reading.narrow(response)
    assert hint is not None
    assert narrowed is not None
    given = {**options, ARGUMENTS.get(hint.field, hint.field): hint.value}
    ways = {"typed": (f"{response.query} {narrowed[1]}", options), "argument": (response.query, given)}
    for way, (query, scope) in ways.items():
        found = memo.search(query, explain=False, sync=False, **scope)  # type: ignore[arg-type]
        if found.total >= response.total:
            yield f"{way}: {found.total} of {response.total}"
        if response.results[0].passage.id not in whole(memo, query, **scope):
            yield f"{way}: the first result is gone"
        told["leaves is exact"] += found.total == hint.leaves
        if found.total > hint.leaves or (found.total < hint.leaves and not hint.at_most):
            yield f"{way}: leaves {found.total}, told {hint.leaves}"


def report(memo: Memo, evaluated: sets.EvaluationSet, queries: int) -> tuple[int, int]:
    """Print how many hints there are and hold; both numbers."""
    questions = evaluated.questions[:: max(1, len(evaluated.questions) // queries)][:queries]
    told: Counter[str] = Counter()
    fields: Counter[str] = Counter()
    for question in questions:
        options: dict[str, object] = {"namespace": question.group} if question.group else {}
        response = memo.search(question.text, explain=False, sync=False, **options)  # type: ignore[arg-type]
        told["list"] += len(response) > 0
        told["longer than its page"] += response.total > response.limit
        if response.narrow_hint is None:
            continue
        fields[response.narrow_hint.field] += 1
        told["hints"] += 1
        told["at most"] += response.narrow_hint.at_most
        wrong = list(faults(memo, response, options, told))
        told["hold"] += not wrong
        for fault in wrong:
            print(f"    {question.text[:60]} | {response.narrow_hint} | {fault}")
    print(f"{evaluated.name}: {len(questions)} queries, {dict(told)}, {dict(fields)}", flush=True)
    return told["hints"], told["hold"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--stores", type=Path, help="a folder with a store of each set; indexed anew without it")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--sets", nargs="*", default=SETS)
    options = parser.parse_args()
    hints = held = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.sets:
            (evaluated,) = sets.read(options.data / name)
            path = (options.stores or Path(folder)) / name
            if not options.stores:
                with Memo.open(path, embedder="minilm") as memo:
                    memo.add(list(evaluated.records()))
            with Memo.open(path, embedder="minilm", read_only=True) as memo:
                more = report(memo, evaluated, options.queries)
                hints, held = hints + more[0], held + more[1]
    share = held / hints if hints else 1.0
    print(f"{held} of {hints} hints hold: {100 * share:.1f} %")
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main())
