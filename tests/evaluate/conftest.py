"""Small evaluation sets whose figures can be worked out on paper."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """written(name, documents, queries, qrels, packed=False) writes a set and gives its folder.

    Documents are {id: text} or {id: dict}, queries likewise, qrels (query, document, score).
    """

    def write(name: str, documents: Any, queries: Any, qrels: Any, *, packed: bool = False) -> Path:
        folder = tmp_path / "sets" / name
        folder.mkdir(parents=True)
        for stem, entries in (("corpus", documents), ("queries", queries)):
            lines = [
                json.dumps({"id": id, **(entry if isinstance(entry, dict) else {"text": entry})}) + "\n"
                for id, entry in entries.items()
            ]
            data = "".join(lines).encode()
            path = folder / f"{stem}.jsonl{'.gz' if packed else ''}"
            path.write_bytes(gzip.compress(data) if packed else data)
        rows = "".join(f"{query}\t{document}\t{score}\n" for query, document, score in qrels)
        (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + rows, encoding="utf-8")
        return folder

    return write
