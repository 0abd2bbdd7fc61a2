"""Parquet, Feather and Arrow as tables in words."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Parsed

Count = Callable[[str], int]

TABLE = pa.table(
    {
        "time": pa.array([datetime(2020, 1, day, tzinfo=UTC) for day in (1, 2, 3)], pa.timestamp("ns", tz="UTC")),
        "depth": [1.5, None, -2.25],
        "flow (m/s)": pa.array([3, 1, 2], pa.int32()),
        "name": ["north", "south", None],
        "price": pa.array([Decimal("1.10"), Decimal("0.20"), Decimal("3.00")]),
        "vector": [[float(n) for n in range(20)]] * 3,
        "blob": [b"\xff\x00", b"", None],
    }
).cast(
    pa.schema(
        [
            pa.field("time", pa.timestamp("ns", tz="UTC")),
            pa.field("depth", pa.float64(), metadata={"units": "m", "long_name": "depth below the keel"}),
            pa.field("flow (m/s)", pa.int32()),
            pa.field("name", pa.string()),
            pa.field("price", pa.decimal128(3, 2)),
            pa.field("vector", pa.list_(pa.float64())),
            pa.field("blob", pa.binary()),
        ],
        metadata={"cruise": "Maria S. Merian 42", "pandas": "{}"},
    )
)


def parquet(table: pa.Table, **options: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()


def arrow(table: pa.Table, *, stream: bool = False) -> bytes:
    out = io.BytesIO()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return out.getvalue()


def feathered(table: pa.Table) -> bytes:
    out = io.BytesIO()
    feather.write_feather(table, out, compression="lz4")
    return out.getvalue()


def parse(data: bytes, count: Count, *, name: str = "a.parquet", window: int = 400) -> Parsed:
    return registry.parse(name, data, count_tokens=count, max_tokens=window)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.parquet", parquet(TABLE)),
        ("a.parquet", parquet(TABLE, write_statistics=False)),
        ("a.parquet", parquet(TABLE, row_group_size=1)),
        ("a.arrow", arrow(TABLE)),
        ("a.arrows", arrow(TABLE, stream=True)),
        ("a.feather", feathered(TABLE)),
    ],
)
def test_schema_bounds_units_and_rows_are_told(count: Count, name: str, data: bytes) -> None:
    (piece,) = parse(data, count, name=name).chunks
    text = piece.text
    assert text.startswith("Table of 3 rows and 7 columns.\n\ncruise: Maria S. Merian 42\n\n")
    assert "depth: double from -2.25 to 1.5; unit m; depth below the keel" in text
    assert "flow (m/s): int32 from 1 to 3" in text
    assert "price: decimal128(3, 2) from 0.20 to 3.00" in text
    assert "time: timestamp[ns, tz=UTC] from 2020-01-01" in text
    assert "-1.10" not in text
    assert "1.5 | 3 | north | 1.10 | 20 values | 2 bytes" in text
    assert "pandas" not in text


def test_a_column_of_nothing_has_no_bounds(count: Count) -> None:
    table = pa.table({"a": pa.array([None, None], pa.int64()), "b": [1, 2]})
    assert "a: int64\nb: int64 from 1 to 2" in parse(parquet(table), count).chunks[0].text


def test_what_is_not_finite_is_no_bound(count: Count) -> None:
    table = pa.table({"a": [float("nan"), 1.0, float("inf"), 2.0]})
    assert "a: double from 1 to 2" in parse(arrow(table), count, name="a.arrow").chunks[0].text


def test_a_table_without_rows_or_columns_is_told(count: Count) -> None:
    empty = pa.table({"a": pa.array([], pa.int64())})
    assert "Table of 0 rows and 1 column.\n\na: int64" == parse(parquet(empty), count).chunks[0].text
    assert "Table of 0 rows and 0 columns." == parse(arrow(pa.table({})), count, name="a.arrow").chunks[0].text


def test_of_a_long_table_the_first_rows_are_shown(count: Count) -> None:
    text = parse(parquet(pa.table({"n": range(100_000)})), count).chunks[0].text
    assert "n: int64 from 0 to 99999" in text
    assert text.endswith("first rows:\nn\n0\n1\n2\n3\n4")


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" + b"\0" * 100 + b"PAR1", b"ARROW1\0\0", b"FEA1", b"words"])
def test_what_is_no_table_is_one_clear_error(count: Count, data: bytes) -> None:
    with pytest.raises(IngestError, match="no valid Parquet, Feather or Arrow file") as caught:
        parse(data, count)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [parquet(TABLE), arrow(TABLE), feathered(TABLE)])
def test_a_damaged_file_is_read_or_refused(count: Count, data: bytes) -> None:
    chance = random.Random(7)
    for _ in range(60):
        damaged = bytearray(data)
        for _ in range(chance.choice((1, 5, 30))):
            damaged[chance.randrange(4, len(damaged))] = chance.randrange(256)
        try:
            assert parse(bytes(damaged), count).chunks
        except IngestError as error:
            assert "\n" not in str(error)  # noqa: PT017
