"""Identifiers of the standard library: python tests/bench/identifiers.py [QUERIES]

Documents are the functions and classes of the running Python's own library; queries are constants, CamelCase,
snake_case and dotted names that occur in at most five of them; relevant are whole-token occurrences, more so where the
name is defined. The exact arm must reach recall@10 = 1; the fused list must not fall below words alone.
"""

from __future__ import annotations

import ast
import random
import re
import sys
import sysconfig
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import asking, baseline, measures
from jupyter_memo.evaluate.sets import Document, EvaluationSet, Question

SKIPPED = {"test", "tests", "idlelib", "lib2to3", "site-packages", "turtledemo", "__pycache__", "pydoc_data"}
TOKEN = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
SHAPES = (
    re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"),
    re.compile(r"(?:[A-Z][a-z0-9]+){2,}"),
    re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+"),
    re.compile(r"[A-Za-z_]\w+\.[A-Za-z_]\w+"),
)
MOST_DOCUMENTS = 5


def library(most_files: int = 160) -> dict[str, str]:
    """Functions and classes by `module:name:line`."""
    root = Path(sysconfig.get_paths()["stdlib"])
    documents: dict[str, str] = {}
    files = [path for path in sorted(root.rglob("*.py")) if not SKIPPED & set(path.relative_to(root).parts)]
    for path in files[:most_files]:
        source = path.read_text(encoding="utf-8", errors="replace")
        for node in ast.parse(source).body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                text = ast.get_source_segment(source, node)
                if text:
                    module = path.relative_to(root).with_suffix("").as_posix().replace("/", ".")
                    documents[f"{module}:{node.name}:{node.lineno}"] = text
    return documents


def evaluation_set(documents: Mapping[str, str], queries: int, seed: int = 0) -> EvaluationSet:
    """Names that occur in at most five documents, as queries, with their whole-token occurrences as judgements."""
    held: dict[str, set[str]] = defaultdict(set)
    for id, text in documents.items():
        for token in set(TOKEN.findall(text)):
            held[token].add(id)
    names = [
        name
        for name, ids in sorted(held.items())
        if len(ids) <= MOST_DOCUMENTS and any(shape.fullmatch(name) for shape in SHAPES)
    ]
    chosen = random.Random(seed).sample(names, min(queries, len(names)))
    return EvaluationSet(
        name="stdlib_ident",
        documents=tuple(Document(id=id, title="", text=text, kind="code") for id, text in documents.items()),
        questions=tuple(Question(id=name, text=name) for name in chosen),
        gains={name: {id: 3 if f":{name}:" in id else 1 for id in held[name]} for name in chosen},
    )


def main() -> None:
    evaluated = evaluation_set(library(), int(sys.argv[1]) if len(sys.argv) > 1 else 500)
    chosen = asking.ranking_only(asking.named("default"))
    with tempfile.TemporaryDirectory() as folder, Memo.open(folder, embedder="none") as memo:
        memo.add(list(evaluated.records()))
        for mode in ("exact", "keyword", "auto"):
            run = {}
            for question in evaluated.questions:
                found = memo.search(
                    question.text, mode=mode, limit=10, granularity="document", profile=chosen, explain=False
                )
                run[question.id] = {result.passage.uri: 1.0 / result.rank for result in found.results}
            _print(mode, measures.per_question(run, evaluated), evaluated)
            if mode == "exact":
                missed = [name for name, gains in evaluated.gains.items() if not set(gains) <= set(run[name])]
                print(
                    f"  {len(evaluated.questions)} names over {len(evaluated.documents)} documents, missed:",
                    missed[:20],
                )
    _print("bm25s", measures.per_question(baseline.bm25(evaluated), evaluated), evaluated)


def _print(name: str, values: measures.PerQuestion, evaluated: EvaluationSet) -> None:
    weights = evaluated.weights()
    print(name, {measure: round(measures.mean(each, weights), 4) for measure, each in values.items()})


if __name__ == "__main__":
    main()
