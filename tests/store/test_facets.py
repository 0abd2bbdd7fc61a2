"""What a list can be cut by, counted over rows."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from jupyter_memo.engine import Memo
from jupyter_memo.store import facets
from jupyter_memo.store.tables import PASSAGES

COLUMNS = ("kind", "namespace", "tags", "uri", "created_at")


def rows(*listed: tuple[Any, ...]) -> pa.Table:
    schema = pa.schema([PASSAGES.field(name) for name in COLUMNS])
    return pa.Table.from_pylist([dict(zip(COLUMNS, each, strict=True)) for each in listed], schema)


JUNE, MAY = datetime(2026, 6, 30, 23, 59, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)


def test_values_stand_in_the_order_of_their_number_and_months_the_newest_first() -> None:
    found = facets.counted(
        rows(
            ("note", "", ["a", "b"], "x.md", MAY),
            ("note", "phi", ["b"], "y.md", JUNE),
            ("code", "phi", None, "z.py", MAY),
        )
    )
    assert [("note", 2), ("code", 1)] == found["kinds"]
    assert [("phi", 2), ("", 1)] == found["namespaces"]
    assert [("b", 2), ("a", 1)] == found["tags"]
    assert [("2026-06", 1), ("2026-05", 2)] == found["months"]


def test_folders_count_what_lies_below_them_two_levels_down() -> None:
    found = facets.counted(
        rows(
            ("note", "", [], "a/b/c/d.md", MAY),
            ("note", "", [], "a/b.md", MAY),
            ("note", "", [], "top.md", MAY),
        )
    )
    assert [("a", 2), ("a/b", 1)] == found["folders"]


def test_an_empty_index_has_none() -> None:
    assert {"kinds": [], "namespaces": [], "tags": [], "folders": [], "months": []} == facets.counted(rows())


def test_what_expires_is_counted_no_more(tmp_path: Path) -> None:
    with Memo.open(tmp_path / ".memo", embedder="none") as memo:
        soon = datetime.now(UTC) + timedelta(seconds=1)
        memo.add([{"text": "heron", "kind": "note", "expires_at": soon}, {"text": "crane", "kind": "note"}])
        asyncio.run(memo.facets_async())
        while datetime.now(UTC) <= soon:
            time.sleep(0.1)
        assert [("note", 1)] == asyncio.run(memo.facets_async())["kinds"]
