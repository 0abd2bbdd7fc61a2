"""Parquet, Feather and Arrow as tables, from their schema and statistics; values are read only where those say
nothing."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq

from jupyter_memo.chunk import table
from jupyter_memo.chunk.section import Document
from jupyter_memo.chunk.table import Column
from jupyter_memo.errors import IngestError

BATCH_ROWS = 65_536

UNIT_KEYS = ("unit", "units")
REMARK_KEYS = ("description", "comment", "long_name", "label", "doc")

MACHINE_KEYS = frozenset({"pandas", "ARROW:schema", "huggingface", "r", "geo", "org.apache.spark.version"})
"""Metadata for programs (besides what begins with org.apache)."""

Bounds = dict[str, tuple[Any, Any]]


def read(data: bytes, *, uri: str) -> Document:
    """A Parquet file, or one of Arrow's own formats. Raises IngestError when it is neither."""
    try:
        if data[:4] == b"PAR1":
            return _parquet(data)
        return _arrow(data)
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError, MemoryError) as error:
        reason = " ".join(str(error).split())[:120]
        message = f"it is no valid Parquet, Feather or Arrow file ({reason}). Write it again"
        raise IngestError(message, uri=uri, stage="read") from error


def _parquet(data: bytes) -> Document:
    file = pq.ParquetFile(io.BytesIO(data))
    schema: pa.Schema = file.schema_arrow
    count = file.metadata.num_rows
    bounds = _statistics(file.metadata)
    unknown = [field.name for field in schema if _has_bounds(field.type) and field.name not in bounds]
    if unknown and count:
        bounds |= _bounds(file.iter_batches(BATCH_ROWS, columns=unknown))
    first = next(file.iter_batches(table.WHOLE_ROWS), None) if count else None
    return _document(schema, bounds, first, count, file.metadata.metadata)


def _arrow(data: bytes) -> Document:
    source = pa.BufferReader(data)
    if data[:4] == b"FEA1":
        whole = feather.read_table(io.BytesIO(data), use_threads=False)
        batches, schema = whole.to_batches(BATCH_ROWS), whole.schema
    elif data[:6] == b"ARROW1":
        file = pa.ipc.open_file(source)
        batches, schema = [file.get_batch(place) for place in range(file.num_record_batches)], file.schema
    else:
        stream = pa.ipc.open_stream(source)
        batches, schema = list(stream), stream.schema
    first = next((batch.slice(0, table.WHOLE_ROWS) for batch in batches if batch.num_rows), None)
    names = [field.name for field in schema if _has_bounds(field.type)]
    bounds = _bounds(batch.select(names) for batch in batches) if names else {}
    return _document(schema, bounds, first, sum(batch.num_rows for batch in batches), schema.metadata)


def _document(
    schema: pa.Schema, bounds: Bounds, first: pa.RecordBatch | None, count: int, metadata: Mapping[bytes, bytes] | None
) -> Document:
    columns = [
        Column(
            name=field.name,
            holds=_holds(field, bounds.get(field.name)),
            unit=_said(field.metadata, UNIT_KEYS) or table.unit_of(field.name),
            remark=_said(field.metadata, REMARK_KEYS),
        )
        for field in schema
    ]
    shown = table.WHOLE_ROWS if count <= table.WHOLE_ROWS else table.FIRST_ROWS
    rows = (
        list(zip(*(_values(column, shown) for column in first.columns[: table.SHOWN_COLUMNS]), strict=True))
        if first
        else []
    )
    remarks = [
        f"{key}: {value}"
        for key, value in _texts(metadata)
        if key not in MACHINE_KEYS and not key.startswith(("org.apache", "PANDAS"))
    ]
    return table.document(columns, rows, count, remarks=remarks)


def _holds(field: pa.Field, bounds: tuple[Any, Any] | None) -> str:
    kind = str(field.type)[:80]
    return f"{kind} from {_shown(bounds[0])} to {_shown(bounds[1])}" if bounds else kind


def _has_bounds(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_date(kind)
        or pa.types.is_timestamp(kind)
    )


def _statistics(metadata: pq.FileMetaData) -> Bounds:
    """The bounds of columns that have statistics in every row group; what has none in one of them has none."""
    bounds: Bounds = {}
    without: set[str] = set()
    for group in range(metadata.num_row_groups):
        part = metadata.row_group(group)
        for place in range(part.num_columns):
            column = part.column(place)
            name, statistics = column.path_in_schema, column.statistics
            if statistics is not None and statistics.null_count == part.num_rows:
                continue
            if statistics is None or not statistics.has_min_max:
                without.add(name)
                continue
            _widen(bounds, name, statistics.min, statistics.max)
    return {name: pair for name, pair in bounds.items() if name not in without}


def _bounds(batches: Iterator[pa.RecordBatch]) -> Bounds:
    bounds: Bounds = {}
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if pa.types.is_floating(column.type):
                column = pc.drop_null(pc.if_else(pc.is_finite(column), column, None))
            found = pc.min_max(column)
            low, high = found["min"], found["max"]
            if low.is_valid:
                _widen(bounds, name, *(_python(value) for value in (low, high)))
    return bounds


def _widen(bounds: Bounds, name: str, low: Any, high: Any) -> None:
    held = bounds.get(name)
    bounds[name] = (min(held[0], low), max(held[1], high)) if held else (low, high)


def _python(value: pa.Scalar) -> Any:
    """A value of Python; of a time its text, since nanoseconds have none."""
    return str(value.cast(pa.string())) if pa.types.is_temporal(value.type) else value.as_py()


def _values(column: pa.Array, count: int) -> list[str]:
    part = column.slice(0, count)
    try:
        return [str(value or "") for value in part.cast(pa.string()).to_pylist()]
    except (pa.ArrowException, UnicodeDecodeError):  # nested, or bytes
        return ["" if not value.is_valid else _nested(value) for value in part]


def _nested(value: pa.Scalar) -> str:
    if pa.types.is_binary(value.type) or pa.types.is_large_binary(value.type):
        return f"{len(value.as_py())} bytes"
    if hasattr(value, "values") and value.values is not None and len(value.values) > 10:
        return f"{len(value.values)} values"
    return str(value)


def _shown(value: Any) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return table.cell(f"{value:.10g}" if isinstance(value, float) else str(value))


def _said(metadata: Mapping[bytes, bytes] | None, keys: tuple[str, ...]) -> str:
    found = {key.lower(): value for key, value in _texts(metadata)}
    return next((" ".join(found[key].split()) for key in keys if found.get(key)), "")


def _texts(metadata: Mapping[bytes, bytes] | None) -> Iterator[tuple[str, str]]:
    for key, value in (metadata or {}).items():
        yield key.decode("utf-8", "replace"), value[:4000].decode("utf-8", "replace")
