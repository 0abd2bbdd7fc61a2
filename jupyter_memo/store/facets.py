"""How many passages there are of each kind, namespace, tag, folder and month: what a list of results can be cut by."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from lancedb.table import AsyncTable

TAGS = 100
FOLDERS = 100
MONTHS = 120
"""The most values of each; nobody picks from a longer list."""

FOLDER_DEPTH = 2
"""Folders are counted down to this depth, each with all that lies below it."""

Facets = dict[str, list[tuple[str, int]]]


async def facets(table: AsyncTable, where: str) -> pa.Table:
    """The columns that `counted` reads, of the rows under a condition."""
    return await table.query().where(where).select(["kind", "namespace", "tags", "uri", "created_at"]).to_arrow()


async def namespaces(table: AsyncTable, where: str) -> list[str]:
    """The namespaces of the rows under a condition, most rows first."""
    rows = await table.query().where(where).select(["namespace"]).to_arrow()
    return [name for name, _ in _most(_counts(rows["namespace"]))]


def counted(rows: pa.Table) -> Facets:
    """(value, passages) by facet, most first, months the newest first. Months are those of UTC."""
    folders: Counter[str] = Counter()
    for uri, number in _counts(rows["uri"]).items():
        parts = uri.split("/")[:-1][:FOLDER_DEPTH]
        for depth in range(1, len(parts) + 1):
            folders["/".join(parts[:depth])] += number
    # As numbers: formatting times needs a database of zones, which Windows has not.
    months = Counter(
        {
            f"{year:04d}-{month:02d}": number
            for (year, month), number in _pairs(pc.year(rows["created_at"]), pc.month(rows["created_at"])).items()
        }
    )
    return {
        "kinds": _most(_counts(rows["kind"])),
        "namespaces": _most(_counts(rows["namespace"])),
        "tags": _most(_counts(pc.list_flatten(rows["tags"])))[:TAGS],
        "folders": _most(folders)[:FOLDERS],
        "months": sorted(months.items(), reverse=True)[:MONTHS],
    }


def _counts(column: pa.ChunkedArray) -> Counter[str]:
    found = Counter[str]()
    for entry in pc.value_counts(column):
        value = entry["values"].as_py()
        if value is not None:
            found[value] += entry["counts"].as_py()
    return found


def _pairs(*columns: Any) -> Counter[tuple[int, ...]]:
    grouped = pa.table({str(place): column for place, column in enumerate(columns)}).group_by(
        [str(place) for place in range(len(columns))]
    )
    made = grouped.aggregate([([], "count_all")]).to_pylist()
    return Counter({tuple(row[str(place)] for place in range(len(columns))): row["count_all"] for row in made})


def _most(found: Counter[str]) -> list[tuple[str, int]]:
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
