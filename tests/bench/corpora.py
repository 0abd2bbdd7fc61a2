"""Evaluation sets by path: read, searched with the engine, searched with the reference, scored with ir-measures."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bm25s
import ir_measures
import numpy as np
import Stemmer
from ir_measures import RR, R, nDCG

Run = dict[str, dict[str, float]]
MEASURES = (nDCG @ 10, R @ 10, R @ 100, RR @ 10)
DEPTH = 100
RRF_K = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """Documents (id -> title and text), queries (id -> text) and judgements (query -> document -> gain)."""

    name: str
    documents: Mapping[str, Mapping[str, Any]]
    queries: Mapping[str, str]
    gains: Mapping[str, Mapping[str, int]]

    def text(self, id: str) -> str:
        document = self.documents[id]
        return "\n".join(part for part in (document.get("title", ""), document["text"]) if part)


def read(folder: Path, *, lang: str | None = None) -> EvaluationSet:
    """A set in the layout of the data's README; gains are 2^score - 1, and linear for memtomem_v2."""
    linear = folder.name == "memtomem_v2"

    def lines(stem: str) -> Iterator[dict[str, Any]]:
        for path in (folder / f"{stem}.jsonl", folder / f"{stem}.jsonl.gz"):
            if path.exists():
                data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
                yield from (json.loads(line) for line in data.decode("utf-8").split("\n") if line)

    def kept(entry: dict[str, Any]) -> bool:
        return lang is None or entry.get("meta", {}).get("lang") == lang

    documents = {entry["id"]: entry for entry in lines("corpus") if kept(entry)}
    queries = {entry["id"]: entry["text"] for entry in lines("queries") if kept(entry)}
    gains: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, score = line.split("\t")
        if query in queries and document in documents:
            gains.setdefault(query, {})[document] = int(score) if linear else 2 ** int(score) - 1
    return EvaluationSet(
        name=folder.name + (f" ({lang})" if lang else ""),
        documents=documents,
        queries={id: text for id, text in queries.items() if id in gains},
        gains=gains,
    )


def score(run: Run, evaluated: EvaluationSet) -> dict[str, float]:
    """The mean of each measure over the judged queries."""
    results = ir_measures.calc_aggregate(MEASURES, evaluated.gains, run)
    return {str(measure): float(value) for measure, value in results.items()}


def bm25_reference(evaluated: EvaluationSet) -> Run:
    """bm25s over title and text: k1 1.2, b .75, English Snowball stems, stop words kept, as in the `lex` index."""
    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: Sequence[str]) -> Any:
        return bm25s.tokenize(
            list(texts), stopwords=None, stemmer=stemmer, token_pattern=r"(?u)[^\W_]+", show_progress=False
        )

    ids = list(evaluated.documents)
    index = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    index.index(tokens([evaluated.text(id) for id in ids]), show_progress=False)
    found, scores = index.retrieve(
        tokens(list(evaluated.queries.values())), k=min(DEPTH, len(ids)), show_progress=False
    )
    return {
        query: {ids[place]: float(value) for place, value in zip(places, values, strict=True) if value > 0}
        for query, places, values in zip(evaluated.queries, found, scores, strict=True)
    }


def dense_reference(evaluated: EvaluationSet, embedder: Any) -> Run:
    """Cosine of one vector a document (title and text) and one a query, by the same model."""
    ids = list(evaluated.documents)
    passages = embedder.encode_passages([evaluated.text(id) for id in ids])
    queries = embedder.encode_queries(list(evaluated.queries.values()))
    run: Run = {}
    for query, row in zip(evaluated.queries, queries @ passages.T, strict=True):
        best = np.argsort(-row, kind="stable")[:DEPTH]
        run[query] = {ids[place]: float(row[place]) for place in best}
    return run


def rrf(*runs: Run, weight: float = 0.5) -> Run:
    """Reciprocal rank fusion, k = 60, the same weight for each run."""
    fused: Run = {}
    for run in runs:
        for query, scores in run.items():
            ranked = sorted(scores, key=lambda id: (-scores[id], id))
            into = fused.setdefault(query, {})
            for rank, id in enumerate(ranked, 1):
                into[id] = into.get(id, 0.0) + weight / (RRF_K + rank)
    return fused
