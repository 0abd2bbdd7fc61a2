from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_memo.records import Passage, Source, Span
from jupyter_memo.store.indexes import PASSAGE_INDEXES, reclaimable
from jupyter_memo.store.tables import (
    PASSAGES,
    SOURCES,
    ModelKey,
    Row,
    bounded,
    compared,
    cosine,
    passage_table,
    rows_of,
    source_table,
    sources_of,
    vector_array,
    vectors_of,
)

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
texts = st.text(max_size=20)
numbers = st.none() | st.integers(-(2**62), 2**62)
moments = st.datetimes(timezones=st.just(UTC))
spans = st.builds(
    Span,
    start_line=numbers,
    end_line=numbers,
    cell=numbers,
    cell_id=st.none() | texts,
    execution_count=numbers,
    part=st.none() | st.sampled_from(["source", "output"]),
    page=numbers,
    turn=numbers,
    key=st.none() | texts,
)
passages = st.builds(
    Passage,
    **dict.fromkeys(("id", "source_id", "uri", "text", "namespace", "owner", "visibility", "sha256"), texts),
    **{name: st.none() | texts for name in ("library", "version", "lang", "superseded_by", "forget_reason")},
    **{name: st.none() | moments for name in ("expires_at", "superseded_at", "forgotten_at")},
    header=st.lists(texts, max_size=3).map(tuple),
    tags=st.lists(texts, max_size=3).map(tuple),
    span=spans,
    trust=st.integers(0, 3),
    code=st.booleans(),
    tokens=st.integers(0, 2**40),
    created_at=moments,
    recorded_at=moments,
)


@given(passage=passages, context=texts, lex=texts, ident=texts, cjk=texts)
def test_a_passage_comes_back_as_it_was(passage, context, lex, ident, cjk) -> None:
    row = Row(passage=passage, context=context, lex=lex, ident=ident, cjk=cjk)
    assert [row] == rows_of(passage_table([row], "r", {}))


@given(
    source=st.builds(
        Source,
        **dict.fromkeys(("id", "uri", "root", "path", "namespace", "title", "sha256", "fingerprint", "run_id"), texts),
        size=st.integers(0, 2**62),
        mtime_ns=st.integers(0, 2**62),
        passages=st.integers(0, 2**40),
        recorded_at=moments,
        removed_at=st.none() | moments,
    )
)
def test_a_source_comes_back_as_it_was(source) -> None:
    assert [source] == sources_of(source_table([source]))


def test_times_of_any_zone_are_kept_as_utc(row) -> None:
    korea = timezone(timedelta(hours=9))
    item = row("p", created_at=datetime(2026, 1, 1, 9, 0, tzinfo=korea), recorded_at=datetime(2026, 1, 1))  # noqa: DTZ001
    passage = rows_of(passage_table([item], "r", {}))[0].passage
    assert datetime(2026, 1, 1, tzinfo=UTC) == passage.created_at == passage.recorded_at
    assert UTC is passage.created_at.tzinfo


def test_half_a_surrogate_pair_is_stored_as_a_question_mark(row) -> None:
    item = row("p", "a\ud800b", tags=("\udfff", "b"), header=("x\ud800",))
    passage = rows_of(passage_table([item], "r", {}))[0].passage
    assert ("a?b", ("?", "b"), ("x?",)) == (passage.text, passage.tags, passage.header)


def test_every_field_of_a_record_has_a_column() -> None:
    fields = {item.name for item in (*dataclasses.fields(Passage), *dataclasses.fields(Span))} - {"span"}
    assert {*fields, "context", "lex", "ident", "cjk", "superseded_run", "run_id"} == {*PASSAGES.names}
    assert {*(item.name for item in dataclasses.fields(Source)), "superseded_run"} == {*SOURCES.names}


def test_every_indexed_column_exists() -> None:
    assert {*PASSAGE_INDEXES} <= {*PASSAGES.names}


def test_the_child_of_the_tags_is_called_item() -> None:
    assert "item" == PASSAGES.field("tags").type.value_field.name


def test_the_column_of_a_model_depends_on_all_that_makes_it() -> None:
    keys = [
        ModelKey(id="a", sha256="b", dim=8),
        ModelKey(id="a2", sha256="b", dim=8),
        ModelKey(id="a", sha256="c", dim=8),
        ModelKey(id="a", sha256="b", dim=9),
    ]
    assert 4 == len({key.column for key in keys})
    assert "v_35f637ce4d0a" == keys[0].column


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        # In minutes. What was the newest within the grace of ten stays, however long ago it was committed.
        ([], 10),
        ([0], 10),
        ([5, 3], 10),
        ([600], 600),
        ([600, 0], 600),
        ([600, 15, 5], 15),
        ([600, 30, 11, 0], 11),
    ],
)
def test_versions_go_when_their_successor_is_older_than_the_grace(ages, expected) -> None:
    versions = [NOW - timedelta(minutes=age) for age in ages]
    age = reclaimable(versions, timedelta(minutes=10), NOW)
    assert timedelta(minutes=expected, seconds=1) == age


def test_a_product_beyond_half_of_the_most_bends_towards_one_and_keeps_its_order() -> None:
    products = [-0.2, 0.3, 0.7, 0.9, 1.2, 1.4]
    found = [bounded(product, 1.4) for product in products]
    assert sorted(set(found)) == found
    assert [-0.2, 0.3, 0.7] == found[:3]
    assert pytest.approx(1.0) == found[-1]
    assert products[:3] == [bounded(product, 1.0) for product in products[:3]]


def test_of_vectors_of_several_ways_the_last_way_counts() -> None:
    first, second, third = (ModelKey(id=name, sha256="a" * 64, dim=2, model=name) for name in "abc")
    key = ModelKey(id="abc", sha256="b" * 64, dim=6, ways=((first, second), (third,)))
    there = {
        first.column: vector_array([np.array([1, 0], np.float32)] * 2, 2),
        third.column: vector_array([None, np.array([0, 1], np.float32)], 2),
    }
    held = vectors_of(pa.table(there), key)
    assert [[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]] == [row.tolist() for row in held if row is not None]
    asked = np.array([0, 0, 1, 0, 0, 1], np.float32)
    assert [None, 1.0] == [cosine(row, asked, key) for row in held]
    assert ("b", "c") == key.judges(asked)
    assert [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]] == [
        compared(row, asked, key).tolist() for row in held if row is not None
    ]
