"""The tables as Arrow schemas, and the way from record to row and back.

A row of `passages` is one life of a passage. Indexing the same passage again ends the life before and begins a new
one, in one commit: a reader sees the one or the other, and `as_of` finds both. So an `id` may stand in several rows,
of which at most one is live. `run_id` is the write that began the life, `superseded_run` the one that ended it.
`sources` works the same way. `meta` holds small texts by key. Times are UTC microseconds; spans and counts are
64-bit."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from jupyter_memo.records import Passage, Source, Span, surface_of

SCHEMA_VERSION = 1

ROUNDED = 1e-5
"""By less than this the length of a unit vector differs from 1."""

Vector = npt.NDArray[np.float32]

_TEXT = pa.string()
_TIME = pa.timestamp("us", tz="UTC")
_INT = pa.int64()
# A label-list index is only used when the child of the list is called "item".
_TEXTS = pa.list_(pa.field("item", _TEXT))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

PASSAGES = pa.schema(
    [
        pa.field("id", _TEXT, nullable=False),
        ("source_id", _TEXT),
        ("uri", _TEXT),
        ("surface", _TEXT),
        ("kind", _TEXT),
        ("namespace", _TEXT),
        ("owner", _TEXT),
        ("visibility", _TEXT),
        ("library", _TEXT),
        ("version", _TEXT),
        ("tags", _TEXTS),
        ("trust", pa.int8()),
        ("lang", _TEXT),
        ("code", pa.bool_()),
        ("header", _TEXTS),
        ("text", _TEXT),
        ("context", _TEXT),
        ("lex", _TEXT),
        ("ident", _TEXT),
        ("cjk", _TEXT),
        ("start_line", _INT),
        ("end_line", _INT),
        ("cell", _INT),
        ("cell_id", _TEXT),
        ("execution_count", _INT),
        ("part", _TEXT),
        ("page", _INT),
        ("turn", _INT),
        ("key", _TEXT),
        ("tokens", _INT),
        ("sha256", _TEXT),
        ("created_at", _TIME),
        ("recorded_at", _TIME),
        ("expires_at", _TIME),
        ("superseded_at", _TIME),
        ("superseded_by", _TEXT),
        ("superseded_run", _TEXT),
        ("forgotten_at", _TIME),
        ("forget_reason", _TEXT),
        pa.field("run_id", _TEXT, nullable=False),
    ]
)

SOURCES = pa.schema(
    [
        pa.field("id", _TEXT, nullable=False),
        ("uri", _TEXT),
        ("root", _TEXT),
        ("path", _TEXT),
        ("surface", _TEXT),
        ("kind", _TEXT),
        ("namespace", _TEXT),
        ("title", _TEXT),
        ("sha256", _TEXT),
        ("fingerprint", _TEXT),
        ("size", _INT),
        ("mtime_ns", _INT),
        ("passages", _INT),
        ("recorded_at", _TIME),
        ("removed_at", _TIME),
        ("superseded_run", _TEXT),
        pa.field("run_id", _TEXT, nullable=False),
    ]
)

META = pa.schema([pa.field("key", _TEXT, nullable=False), ("value", _TEXT)])

_SPAN = tuple(item.name for item in dataclasses.fields(Span))
PLACE = ("page", "turn", "cell", "start_line")
"""The columns by which the passages of a source follow each other; those that do not apply are null."""

_SOUGHT = ("context", "lex", "ident", "cjk")
_LIFE = ("recorded_at", "superseded_at", "superseded_by", "superseded_run", "forgotten_at", "forget_reason", "run_id")

MOVABLE = tuple(name for name in PASSAGES.names if name not in {"text", *_SOUGHT, *_LIFE})
"""The columns that change when a passage keeps its words but not its place: all but texts, vectors and its life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A passage with what the index matches: `lex` by stems, `ident` by literal tokens, `cjk` by characters and
    bigrams, `vector` by meaning (float32, shape (dim,); None where it is not known).

    `context` is text that precedes the passage and helps to find it: `lex`, `cjk` and `vector` hold it too. A vector
    has unit length where there is none; with it, it is the mean of two unit vectors, so that its product with a
    query's is the mean of two cosines. That is why no vector is ever made a unit vector again."""

    passage: Passage
    context: str = ""
    lex: str = ""
    ident: str = ""
    cjk: str = ""
    vector: Vector | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelKey:
    """One embedding model exactly: vectors of different keys are never compared. `dim` is the length of its vectors.

    One that is made of several has `ways`, and a column for each of their keys instead of its own. Its vectors hold
    those of all the columns side by side, in that order, 0 where there is none. A passage is complete when it has the
    vectors of one of the ways, and where it has those of several the last counts. `model` is what is told of who
    judged."""

    id: str
    sha256: str
    dim: int
    ways: tuple[tuple[ModelKey, ...], ...] = ()
    model: str = field(default="", compare=False)

    @property
    def column(self) -> str:
        """The name of its vector column in `passages`."""
        return "v_" + hashlib.sha256(f"{self.id}\n{self.sha256}\n{self.dim}".encode()).hexdigest()[:12]

    @property
    def field(self) -> pa.Field:
        """Its column: nullable float16 lists of fixed length."""
        return pa.field(self.column, pa.list_(pa.float16(), self.dim))

    @property
    def parts(self) -> tuple[Part, ...]:
        """Its columns, each with its place in a vector."""
        parts: list[Part] = []
        start = 0
        for number, way in enumerate(self.ways or ((self,),)):
            for key in way:
                parts.append(Part(key=key, place=slice(start, start + key.dim), way=number))
                start += key.dim
        return tuple(parts)

    def judges(self, query: Vector) -> tuple[str, ...]:
        """The models that a query asks, where there are several."""
        asked = (part.key.model for part in self.parts if self.ways and query[part.place].any())
        return tuple(dict.fromkeys(asked))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One vector column of a model: its key, its place in the model's vectors, the number of its way."""

    key: ModelKey
    place: slice
    way: int


def cosine(vector: Vector | None, query: Vector, key: ModelKey | None = None) -> float | None:
    """The cosine of a passage's vector and a query's, both of this model; None where nothing of the one is asked for
    by the other."""
    if vector is None:
        return None
    if key is None or not key.ways:
        return float(np.dot(vector, query))
    part = judge(vector, query, key)
    if part is None:
        return None
    asked = query[part.place]
    return bounded(float(np.dot(vector[part.place], asked)), float(np.linalg.norm(asked)))


def judge(vector: Vector, query: Vector, key: ModelKey) -> Part | None:
    """Whose cosine of the two it is: the part that both have something in."""
    return next((part for part in key.parts if vector[part.place].any() and query[part.place].any()), None)


def compared(vector: Vector, query: Vector | None, key: ModelKey | None) -> Vector:
    """What of a passage's vector the query is compared with, 0 elsewhere: by this two passages are likened."""
    if key is None or not key.ways or query is None:
        return vector
    kept = np.zeros_like(vector)
    for part in key.parts:
        if query[part.place].any():
            kept[part.place] = vector[part.place]
    return kept


def bounded(product: float, most: float) -> float:
    """A product that may come up to `most`, at most 1 and in the same order: as it is up to the half, which few texts
    but copies exceed, and from there straight on to 1."""
    bend = most / 2
    if most < 1 + ROUNDED or product <= bend:
        return product
    return bend + (product - bend) * (1 - bend) / (most - bend)


def vector_columns(schema: pa.Schema) -> dict[str, int]:
    """The vector columns of a schema with their lengths."""
    return {item.name: item.type.list_size for item in schema if item.name.startswith("v_")}


def vector_array(vectors: Sequence[Vector | None], dim: int) -> pa.Array:
    """Vectors as one float16 column, null where there is none. Raises ValueError on a wrong shape or a value that is no
    number."""
    values = np.zeros((len(vectors), dim), dtype=np.float16)
    absent = np.ones(len(vectors), dtype=bool)
    for place, vector in enumerate(vectors):
        if vector is None:
            continue
        if vector.shape != (dim,):
            raise ValueError(f"a vector has shape {vector.shape}; this model's have ({dim},)")
        if not np.isfinite(vector).all():
            raise ValueError("a vector holds values that are not numbers")
        values[place] = vector
        absent[place] = False
    return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), dim, mask=pa.array(absent))


def vector_matrix(column: pa.ChunkedArray) -> tuple[Vector, npt.NDArray[np.bool_]]:
    """A vector column as float32 rows, shape (n, dim), and which of them are there; rows that are null hold zeros."""
    dim = column.type.list_size
    there = np.asarray(column.is_valid())
    rows = np.zeros((len(column), dim), dtype=np.float32)
    if there.any():
        flat = column.drop_null().combine_chunks().flatten()
        rows[there] = flat.to_numpy(zero_copy_only=False).reshape(-1, dim)
    return rows, there


def passage_table(rows: Sequence[Row], run_id: str, vectors: Mapping[str, pa.Array]) -> pa.Table:
    """Rows as they are written, `vectors` holding one array for each vector column."""
    records = []
    for row in rows:
        record = _passage_values(row.passage)
        record.update({name: getattr(row, name) for name in _SOUGHT}, run_id=run_id)
        records.append(record)
    table = _table(records, PASSAGES)
    for name, array in vectors.items():
        table = table.append_column(name, array)
    return table


def moved_table(passages: Sequence[Passage]) -> pa.Table:
    """Passages with the columns of MOVABLE alone."""
    schema = pa.schema([PASSAGES.field(name) for name in MOVABLE])
    return _table([_passage_values(passage) for passage in passages], schema)


def source_table(sources: Sequence[Source]) -> pa.Table:
    """Sources as they are written."""
    return _table([{item.name: getattr(source, item.name) for item in _SOURCE} for source in sources], SOURCES)


def vectors_of(table: pa.Table, key: ModelKey) -> list[Vector | None]:
    """The vectors of a model in a table that holds its columns, or some of them."""
    parts = [part for part in key.parts if part.key.column in table.column_names]
    if not key.ways:
        matrix, there = vector_matrix(table[key.column]) if parts else (np.zeros((len(table), 0)), [False] * len(table))
        return [matrix[place] if there[place] else None for place in range(len(table))]
    rows, known = np.zeros((len(table), key.dim), np.float32), np.zeros(len(table), bool)
    for part in parts:
        matrix, there = vector_matrix(table[part.key.column])
        if part.way and there.any():
            rows[there] = 0
        rows[:, part.place] = np.where(there[:, None], matrix, rows[:, part.place])
        known |= there
    return [rows[place] if known[place] else None for place in range(len(table))]


def rows_of(table: pa.Table, key: ModelKey | None = None) -> list[Row]:
    """Rows of `passages` as they were given, with their vectors of that model."""
    vectors = [None] * len(table) if key is None else vectors_of(table, key)
    columns = _columns(table)
    columns["header"] = list(map(tuple, columns["header"]))
    columns["tags"] = list(map(tuple, columns["tags"]))
    columns["surface"] = list(map(surface_of, columns["surface"], columns["kind"]))
    columns["span"] = [Span(**span) for span in _dicts(columns, _SPAN)]
    passages = (Passage(**values) for values in _dicts(columns, (*_PASSAGE_NAMES, "span")))
    return [
        Row(passage=passage, vector=vector, **texts)
        for passage, vector, texts in zip(passages, vectors, _dicts(columns, _SOUGHT), strict=True)
    ]


def sources_of(table: pa.Table) -> list[Source]:
    """Sources as they were given."""
    return [Source(**{item.name: record[item.name] for item in _SOURCE}) for record in _records(table)]


_PASSAGE = tuple(item for item in dataclasses.fields(Passage) if item.name != "span")
_PASSAGE_NAMES = tuple(item.name for item in _PASSAGE)
_SOURCE = dataclasses.fields(Source)


def _passage_values(passage: Passage) -> dict[str, Any]:
    values = {item.name: getattr(passage, item.name) for item in _PASSAGE}
    values.update({name: getattr(passage.span, name) for name in _SPAN})
    return values


def _table(records: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    columns = {name: [record.get(name) for record in records] for name in schema.names}
    try:
        return pa.table({name: _array(values, schema.field(name)) for name, values in columns.items()}, schema=schema)
    except UnicodeEncodeError:
        columns = {name: [_storable(value) for value in values] for name, values in columns.items()}
        return pa.table({name: _array(values, schema.field(name)) for name, values in columns.items()}, schema=schema)


def _array(values: list[Any], item: pa.Field) -> pa.Array:
    if item.type == _TIME:
        return pa.array([None if value is None else micros(value) for value in values], _INT).cast(_TIME)
    return pa.array(values, item.type)


def utf8(text: str) -> str:
    """The text as it can be stored: half a surrogate pair, as broken JSON gives it, becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _storable(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_storable(item) for item in value)
    return utf8(value) if isinstance(value, str) else value


def micros(time: datetime) -> int:
    """Microseconds since 1970 in UTC; a time without a zone is taken as UTC."""
    aware = time if time.tzinfo is not None else time.replace(tzinfo=UTC)
    return (aware - _EPOCH) // timedelta(microseconds=1)


def times_of(column: pa.ChunkedArray) -> list[datetime | None]:
    """A column of times as aware UTC."""
    # Through integers, because Arrow needs a zone data base for "UTC", which not every machine has.
    values = column.cast(_INT).to_pylist()
    return [None if value is None else _EPOCH + timedelta(microseconds=value) for value in values]


def _records(table: pa.Table) -> list[dict[str, Any]]:
    columns = _columns(table)
    return list(_dicts(columns, tuple(columns)))


def _columns(table: pa.Table) -> dict[str, list[Any]]:
    """The columns as lists, times as aware UTC, without vectors."""
    schema = table.schema
    return {
        name: times_of(table[name]) if schema.field(name).type == _TIME else table[name].to_pylist()
        for name in table.column_names
        if not name.startswith("v_")
    }


def _dicts(columns: Mapping[str, list[Any]], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of these columns."""
    return (dict(zip(names, values, strict=True)) for values in zip(*(columns[name] for name in names), strict=True))
