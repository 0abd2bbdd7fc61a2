"""What people said of results: one row a verdict, appended and never changed. The latest of a query and a passage
counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import lancedb
import pyarrow as pa
from lancedb.table import AsyncTable

from jupyter_memo.records import Judgement
from jupyter_memo.store.tables import micros, times_of, utf8

NAME = "judgements"

_TEXT = pa.string()

JUDGEMENTS = pa.schema(
    [
        pa.field("query", _TEXT, nullable=False),
        pa.field("id", _TEXT, nullable=False),
        pa.field("grade", pa.int8(), nullable=False),
        ("uri", _TEXT),
        ("source_id", _TEXT),
        ("user", _TEXT),
        pa.field("at", pa.timestamp("us", tz="UTC"), nullable=False),
        ("index_version", pa.int64()),
        ("response", _TEXT),
    ]
)

_FIELDS = tuple(item.name for item in dataclasses.fields(Judgement))


async def table(database: lancedb.AsyncConnection, *, create: bool) -> AsyncTable | None:
    """The table; None where nobody has judged yet. Stores have it from their first judgement on."""
    try:
        return await database.open_table(NAME)
    except ValueError as error:
        if "not found" not in str(error):
            raise
    return await database.create_table(NAME, schema=JUDGEMENTS) if create else None


async def append(judged: AsyncTable, judgement: Judgement) -> None:
    """One row more, in one commit."""
    values = {name: getattr(judgement, name) for name in _FIELDS}
    values["at"] = micros(judgement.at)
    row = {
        item.name: pa.array([utf8(value) if isinstance(value, str) else value]).cast(item.type)
        for item, value in ((item, values[item.name]) for item in JUDGEMENTS)
    }
    await judged.add(pa.table(row, schema=JUDGEMENTS))


async def read(judged: AsyncTable) -> list[Judgement]:
    """Every row, the oldest first; of one moment in the order they were written."""
    rows = await judged.query().to_arrow()
    columns = {name: rows[name].to_pylist() for name in _FIELDS if name != "at"} | {"at": times_of(rows["at"])}
    found = [Judgement(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True)]
    return sorted(found, key=lambda judgement: judgement.at)


def latest(judgements: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """The last verdict of each query and passage; white space in a query makes no difference."""
    last: dict[tuple[str, str], Judgement] = {}
    for judgement in judgements:
        key = (" ".join(judgement.query.split()), judgement.id)
        last.pop(key, None)
        last[key] = judgement
    return tuple(last.values())
