"""Small durable texts by key: the schema version, the open runs, the models that have vectors, and what callers
keep."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pyarrow as pa
from lancedb.table import AsyncTable

from jupyter_memo.errors import StoreError
from jupyter_memo.store.filters import quote
from jupyter_memo.store.tables import META, SCHEMA_VERSION, ModelKey

SCHEMA_KEY = "schema_version"
RUN = "run:"
MODEL = "model:"
USER = "user:"


def first_row() -> pa.Table:
    """What a new `meta` table holds: the schema version. It is written last, so a store that has it is whole."""
    return pa.table({"key": [SCHEMA_KEY], "value": [str(SCHEMA_VERSION)]}, schema=META)


async def get(table: AsyncTable, key: str) -> str | None:
    """The value of a key."""
    found = await table.query().where(f"key = {quote(key)}").select(["value"]).limit(1).to_arrow()
    value: str | None = found["value"][0].as_py() if len(found) else None
    return value


async def put(table: AsyncTable, key: str, value: str) -> None:
    """Set a key, in one commit."""
    row = pa.table({"key": [key], "value": [value]}, schema=META)
    # With an index on the key, concurrent upserts were measured to double rows; without it they did not.
    builder = table.merge_insert("key").use_index(False).when_matched_update_all().when_not_matched_insert_all()
    await builder.execute(row)


async def check_version(table: AsyncTable, path: str) -> None:
    """Raise StoreError when the store was written by a newer version of this package or says nothing of its version."""
    value = await get(table, SCHEMA_KEY)
    if value is None or not value.isascii() or not value.isdigit():
        raise StoreError(f"the store at {path} does not say its schema version. Restore it or index anew")
    if int(value) > SCHEMA_VERSION:
        raise StoreError(
            f"the store at {path} has schema {value}; this version of jupyter_memo knows {SCHEMA_VERSION}. "
            "Run: pip install -U jupyter_memo"
        )


async def open_runs(table: AsyncTable) -> dict[str, datetime]:
    """The runs that were begun and not committed, with the time they began."""
    found = await table.query().where(f"starts_with(key, '{RUN}')").select(["key", "value"]).to_arrow()
    pairs = zip(found["key"].to_pylist(), found["value"].to_pylist(), strict=True)
    return {key.removeprefix(RUN): datetime.fromisoformat(value) for key, value in sorted(pairs)}


async def begin(table: AsyncTable, run_id: str) -> None:
    """Write a run down as open."""
    await put(table, RUN + run_id, datetime.now(UTC).isoformat())


async def close(table: AsyncTable, run_id: str) -> None:
    """Take a run off the open ones, in one commit: from here on its rows count."""
    await table.delete(f"key = {quote(RUN + run_id)}")


async def models(table: AsyncTable) -> list[ModelKey]:
    """The models that have a vector column, by their column."""
    found = await table.query().where(f"starts_with(key, '{MODEL}')").select(["key", "value"]).to_arrow()
    values = dict(zip(found["key"].to_pylist(), found["value"].to_pylist(), strict=True))
    return [ModelKey(**json.loads(values[key])) for key in sorted(values)]


async def put_model(table: AsyncTable, key: ModelKey) -> None:
    """Write down which model a vector column belongs to."""
    await put(table, MODEL + key.column, json.dumps({"id": key.id, "sha256": key.sha256, "dim": key.dim}))
