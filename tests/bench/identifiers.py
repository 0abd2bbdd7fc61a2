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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import corpora
from corpora import EvaluationSet

from jupyter_memo import profile
from jupyter_memo.engine import Memo

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


def evaluation_set(documents: dict[str, str], queries: int, seed: int = 0) -> EvaluationSet:
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
        documents={id: {"title": "", "text": text} for id, text in documents.items()},
        queries={name: name for name in chosen},
        gains={name: {id: 3 if f":{name}:" in id else 1 for id in held[name]} for name in chosen},
    )


def main() -> None:
    evaluated = evaluation_set(library(), int(sys.argv[1]) if len(sys.argv) > 1 else 500)
    chosen = profile.override(profile.get("memo-mcp"), **{"cutoff.enabled": False, "abstain.enabled": False})
    with tempfile.TemporaryDirectory() as folder, Memo.open(folder, embedder="none") as memo:
        memo.add([{"id": id, "text": each["text"], "kind": "code"} for id, each in evaluated.documents.items()])
        for mode in ("exact", "keyword", "auto"):
            run = {}
            for query, text in evaluated.queries.items():
                found = memo.search(text, mode=mode, limit=10, granularity="document", profile=chosen, explain=False)
                run[query] = {result.passage.uri: 1.0 / result.rank for result in found.results}
            figures = corpora.score(run, evaluated)
            print(mode, {name: round(value, 4) for name, value in figures.items()})
            if mode == "exact":
                missed = [query for query in run if not set(evaluated.gains[query]) <= set(run[query])]
                print(
                    f"  {len(evaluated.queries)} names over {len(evaluated.documents)} documents, missed:", missed[:20]
                )
    run = corpora.bm25_reference(evaluated)
    print("bm25s", {name: round(value, 4) for name, value in corpora.score(run, evaluated).items()})


if __name__ == "__main__":
    main()
