"""Records as callers hand them over: what is missing is missing, and what cannot be meant is refused by number."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jupyter_memo.errors import QueryError
from jupyter_memo.ingest import given
from jupyter_memo.ingest.prepare import Options, Prepared, Reading

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAN = float("nan")
READING = Reading(count_tokens=lambda text: len(text.split()), max_tokens=100)


def read(records: Any, **options: Any) -> list[Prepared]:
    return [prepared for _, prepared in given.prepared(records, Options(**options), READING, NOW)]


def missing(name: str) -> Any:
    if name in ("None", "nan"):
        return {"None": None, "nan": NAN}[name]
    return getattr(pytest.importorskip("pandas"), name)


@pytest.mark.parametrize("name", ["None", "nan", "NaT", "NA"])
@pytest.mark.parametrize("field", [name for name in given.FIELDS if name != "text"])
def test_a_missing_value_is_a_field_that_was_not_given(name: str, field: str) -> None:
    (with_it,) = read([{"text": "one probe", field: missing(name)}])
    assert read([{"text": "one probe"}]) == [with_it]


@pytest.mark.parametrize("name", ["None", "nan", "NaT", "NA"])
def test_a_missing_text_is_no_text(name: str) -> None:
    with pytest.raises(QueryError, match="record 2 has no text"):
        read([{"text": "one"}, {"text": missing(name)}])


def test_ids_that_a_data_frame_made_floats_are_whole_again() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["one", "two", "three"], "id": [1, None, None]})
    uris = [prepared.source.uri for prepared in read(frame)]
    assert ("1", 3) == (uris[0], len(set(uris)))
    assert all(uri.startswith("record/") for uri in uris[1:])


def test_trust_that_a_data_frame_made_a_float_is_whole_again() -> None:
    (prepared,) = read([{"text": "one", "trust": 1.0}])
    assert [1] == [row.passage.trust for row in prepared.rows]


def test_missing_tags_among_others_are_left_out() -> None:
    (prepared,) = read([{"text": "one", "tags": ["a", None, NAN, " "]}])
    assert ("a",) == prepared.rows[0].passage.tags


def test_a_single_tag_need_not_be_a_list() -> None:
    assert [("a",), ("7",)] == [
        each.rows[0].passage.tags for each in read([{"text": "x", "tags": t} for t in ("a", 7)])
    ]


def test_a_header_may_be_an_array() -> None:
    numpy = pytest.importorskip("numpy")
    (prepared,) = read([{"text": "one", "header": numpy.array(["Part", "Probe"])}])
    assert ("Part", "Probe") == prepared.rows[0].passage.header


@pytest.mark.parametrize("trust", ["high", 1000, -1, 1.5, True])
def test_a_trust_that_cannot_be_meant_names_the_record(trust: object) -> None:
    with pytest.raises(QueryError, match=r"^record 2: trust "):
        read([{"text": "one"}, {"text": "two", "trust": trust}])


@pytest.mark.parametrize("field", ["created_at", "expires_at"])
@pytest.mark.parametrize("value", [1e20, float("inf"), -1e300, 10**400, True, "soon"])
def test_a_time_that_cannot_be_meant_names_the_record_and_the_field(field: str, value: object) -> None:
    with pytest.raises(QueryError, match=f"^record 2: {field}:"):
        read([{"text": "one"}, {"text": "two", field: value}])


def test_a_number_is_a_time_in_seconds() -> None:
    (prepared,) = read([{"text": "one", "created_at": 86400.5}])
    assert datetime(1970, 1, 2, tzinfo=UTC) + timedelta(seconds=0.5) == prepared.rows[0].passage.created_at


def test_a_time_of_a_data_frame_may_hold_nanoseconds() -> None:
    pandas = pytest.importorskip("pandas")
    (prepared,) = read([{"text": "one", "created_at": pandas.Timestamp("2026-01-02T00:00:00.000000001")}])
    assert datetime(2026, 1, 2, tzinfo=UTC) == prepared.rows[0].passage.created_at


def test_an_unknown_kind_names_the_record_and_the_nearest_kind() -> None:
    with pytest.raises(QueryError, match=r"^record 1: kind 'notes' is unknown. Did you mean note"):
        read([{"text": "one", "kind": "notes"}])


def test_options_refuse_an_unknown_kind_and_name_the_nearest() -> None:
    with pytest.raises(QueryError, match=r"kind 'notes' is unknown. Did you mean note"):
        Options(kind="notes")  # type: ignore[arg-type]


@pytest.mark.parametrize("trust", ["2", 4, -1, 1.5, True])
def test_options_refuse_a_trust_that_cannot_be_meant(trust: Any) -> None:
    with pytest.raises(QueryError, match=r"^trust "):
        Options(trust=trust)


def test_text_given_as_tags_is_one_tag() -> None:
    assert ("draft",) == Options(tags="draft").tags  # type: ignore[arg-type]
    assert Options(tags=("draft",)) == Options(tags=["draft"])  # type: ignore[arg-type]


def test_options_stay_readable_in_the_fingerprint() -> None:
    fingerprint = READING.fingerprint(Options(tags="draft", trust=1))  # type: ignore[arg-type]
    assert (["draft"], 1) == tuple(json.loads(fingerprint)["options"][name] for name in ("tags", "trust"))


@pytest.mark.parametrize(
    ("records", "number"),
    [
        ([{"text": "one"}, {"text": "two"}], 2),
        ({"text": "one", "id": "a", "title": "t"}, 1),
        (({"text": "one"} for _ in range(2)), 0),
    ],
)
def test_the_number_of_records_is_known_where_they_have_a_length(records: Any, number: int) -> None:
    assert number == given.number(records)


def test_the_number_of_rows_of_a_table_is_known_and_that_of_a_stream_is_not() -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"text": ["one", "two", "three"]})
    assert (3, 0) == (given.number(table), given.number(table.to_reader()))
