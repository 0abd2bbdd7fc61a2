"""Retrieval quality beside a reference of the same run: python tests/bench/retrieval.py DATA_FOLDER [SET…]

Each set is indexed as records into a fresh store. Ranking is measured with cutoff and abstention off, by document. The
reference is bm25s (same stemmer) and one vector a document by the same model, fused by RRF with k = 60.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import corpora
from corpora import EvaluationSet, Run

from jupyter_memo import profile
from jupyter_memo.engine import Memo
from jupyter_memo.models import load
from jupyter_memo.query import Mode

SETS = ("cranfield", "nb_sections", "fastapi_en", "cosqa_dev", "memtomem_v2")
RANKING_ONLY = profile.override(
    profile.get("memo-mcp"), **{"cutoff.enabled": False, "abstain.enabled": False, "recency.kinds": ()}
)


def engine_run(memo: Memo, evaluated: EvaluationSet, mode: Mode) -> Run:
    """The first documents of every query as the engine ranks them."""
    run: Run = {}
    for query, text in evaluated.queries.items():
        found = memo.search(
            text, mode=mode, limit=corpora.DEPTH, granularity="document", profile=RANKING_ONLY, explain=False
        )
        run[query] = {result.passage.uri: 1.0 / result.rank for result in found.results}
    return run


def measure(evaluated: EvaluationSet) -> dict[str, Run]:
    """Every run of one set, by name, with the seconds it took on standard error."""
    embedder = load("minilm")
    runs: dict[str, Run] = {}
    with tempfile.TemporaryDirectory() as folder, Memo.open(folder, embedder=embedder) as memo:
        began = time.perf_counter()
        report = memo.add(
            [
                {"id": id, "title": document.get("title", ""), "text": document["text"]}
                for id, document in evaluated.documents.items()
                if document["text"].strip()
            ]
        )
        print(f"{evaluated.name}: {report.added} passages in {time.perf_counter() - began:.0f} s", file=sys.stderr)
        for name, mode in (("keyword", "keyword"), ("semantic", "semantic"), ("fused", "auto")):
            began = time.perf_counter()
            runs[name] = engine_run(memo, evaluated, mode)  # type: ignore[arg-type]
            ms = 1000 * (time.perf_counter() - began) / len(evaluated.queries)
            print(f"  {name}: {ms:.1f} ms a query", file=sys.stderr)
    runs["bm25s"] = corpora.bm25_reference(evaluated)
    runs["dense"] = corpora.dense_reference(evaluated, embedder)
    runs["reference"] = corpora.rrf(runs["bm25s"], runs["dense"])
    return runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    asked = parser.parse_args()
    columns = ("bm25s", "keyword", "dense", "semantic", "reference", "fused")
    print("| set (queries) | " + " | ".join(columns) + " | keyword - bm25s | fused - reference |")
    print("|---|" + "--:|" * (len(columns) + 2))
    totals: dict[str, list[float]] = {name: [] for name in columns}
    for name in asked.sets:
        evaluated = corpora.read(asked.data / name, lang="en" if name == "memtomem_v2" else None)
        figures = {run: corpora.score(found, evaluated)["nDCG@10"] for run, found in measure(evaluated).items()}
        for column in columns:
            totals[column].append(figures[column])
        _print(f"{evaluated.name} ({len(evaluated.queries)})", figures, columns)
    _print("mean", {column: statistics.mean(values) for column, values in totals.items()}, columns)


def _print(name: str, figures: dict[str, float], columns: tuple[str, ...]) -> None:
    cells = [f"{figures[column]:.3f}" for column in columns]
    cells += [f"{figures['keyword'] - figures['bm25s']:+.3f}", f"{figures['fused'] - figures['reference']:+.3f}"]
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
