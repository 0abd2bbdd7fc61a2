"""Do queries that turn against their subject find the reasons? python tests/bench/negation.py DATA [--stores FOLDER]

The negation queries of memtomem_v2 ("why not use X", "why avoid X"), each with documents that must stand below, for
they speak for X. Asked of the documents in the query's own language. A query is a success when a document that answers
it stands in the first ten, before every one of those; `pairs` is the share of (answer, hard negative) in the right
order.
Shown for each language and profile, with the queries that failed. Exits 1 below .45 in English with the first profile.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import asking, sets
from jupyter_memo.profile import Profile

SET = "memtomem_v2"
PAGE, WHOLE = 10, 100
LEAST = 0.45


@dataclass(frozen=True, slots=True)
class Outcome:
    """One query: whether it is a success, its pairs, and where the first answer and the first hard negative stand."""

    text: str
    success: bool
    pairs: tuple[bool, ...]
    answer: int | None
    negative: int | None


def hard_negatives(folder: Path) -> dict[str, set[str]]:
    found = defaultdict(set)
    with (folder / "hard_negatives.tsv").open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            found[line["query-id"]].add(line["corpus-id"])
    return found


def outcome(memo: Memo, profile: Profile, text: str, answers: set[str], hard: set[str]) -> Outcome:
    ids = [result.passage.uri for result in memo.search(text, profile=profile, limit=WHOLE, sync=False)]
    places = {id: place for place, id in reversed([*enumerate(ids, 1)])}
    answer = min((places[id] for id in answers if id in places), default=None)
    negative = min((places[id] for id in hard if id in places), default=None)
    success = answer is not None and answer <= PAGE and (negative is None or answer < negative)
    last = WHOLE + 1
    pairs = tuple(
        one in places and places[one] < places.get(other, last) for one in sorted(answers) for other in sorted(hard)
    )
    return Outcome(text, success, pairs, answer, negative)


def measure(data: Path, track: str, stores: Path, profiles: list[str], embedder: str) -> dict[str, list[Outcome]]:
    """The outcomes of the negation queries of one language, by profile."""
    (evaluated,) = sets.read(data / f"{SET}:{track}")
    hard, known = hard_negatives(data / SET), {document.id for document in evaluated.documents}
    path = stores / evaluated.name
    built = path.exists()
    outcomes: dict[str, list[Outcome]] = {}
    with Memo.open(path, embedder=embedder) as memo:
        if not built:
            memo.add(list(evaluated.records()))
            memo.backfill()
        for name in profiles:
            profile = asking.ranking_only(asking.named(name))
            asked = [each for each in evaluated.questions if each.meta.get("type") == "negation"]
            outcomes[name] = [
                outcome(
                    memo,
                    profile,
                    each.text,
                    {id for id, gain in evaluated.gains[each.id].items() if gain >= evaluated.primary},
                    hard[each.id] & known,
                )
                for each in asked
                if each.id in evaluated.gains
            ]
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--stores", type=Path, help="a folder with a store of each track; indexed anew without it")
    parser.add_argument("--profiles", default="default,default+reading.against=1,keyword-only,semantic-only,rrf")
    parser.add_argument("--embedder", default="minilm")
    options = parser.parse_args()
    names = options.profiles.split(",")
    reached = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for track in ("en", "ko"):
            found = measure(options.data, track, options.stores or Path(folder), names, options.embedder)
            for name, outcomes in found.items():
                share = statistics.mean(each.success for each in outcomes)
                pairs = [pair for each in outcomes for pair in each.pairs]
                right = f"{sum(pairs)} of {len(pairs)} pairs"
                good = sum(each.success for each in outcomes)
                print(
                    f"{track} {name}: {good} of {len(outcomes)} = {share:.2f}, {right} = {statistics.mean(pairs):.2f}"
                )
                if name == names[0]:
                    reached = share if track == "en" else reached
                    for each in outcomes:
                        if not each.success:
                            print(f"    answer at {each.answer}, hard negative at {each.negative}: {each.text}")
    return int(reached < LEAST)


if __name__ == "__main__":
    sys.exit(main())
