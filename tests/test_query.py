"""What a query and its scope accept, and what they say of the rest."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from jupyter_memo.errors import QueryError
from jupyter_memo.query import Query, Scope, scope_of


def test_a_clock_without_a_zone_is_utc() -> None:
    assert datetime(2026, 3, 1, 12, tzinfo=UTC) == Query(text="probe", now=datetime(2026, 3, 1, 12)).now  # noqa: DTZ001


@pytest.mark.parametrize("name", ["limit", "offset", "max_tokens"])
@pytest.mark.parametrize("value", ["5", 5.0, True])
def test_a_count_that_is_no_whole_number_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(QueryError, match=rf"^{name} .*is not a whole number.*{name}=1"):
        Query(**{"text": "probe", name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["limit", "offset"])
def test_a_page_needs_its_numbers(name: str) -> None:
    with pytest.raises(QueryError, match=f"^{name} None is not a whole number"):
        Query(**{"text": "probe", name: None})  # type: ignore[arg-type]


def test_a_whole_number_of_numpy_is_a_whole_number() -> None:
    numpy = pytest.importorskip("numpy")
    limit = Query(text="probe", limit=numpy.int64(5)).limit
    assert (5, int) == (limit, type(limit))


@pytest.mark.parametrize("text", [None, 5, b"probe", ["probe"]])
def test_a_query_that_is_not_text_is_refused_with_the_cure(text: Any) -> None:
    with pytest.raises(QueryError, match=r"not text\. Write it in quotes"):
        Query(text=text)


def test_facts_are_refused_with_what_can_be_asked_for() -> None:
    with pytest.raises(QueryError, match=r"^facts are not extracted by this version\. Use passage or document$"):
        Query(text="probe", granularity="fact")


def test_a_relevance_that_is_no_number_is_refused() -> None:
    with pytest.raises(QueryError, match="min_relevance 'high' is not a number"):
        Query(text="probe", min_relevance="high")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["x", 1.5, True])
def test_a_least_trust_that_is_no_whole_number_is_refused(value: Any) -> None:
    with pytest.raises(QueryError, match=r"^min_trust .*is not a whole number"):
        scope_of(None, {"min_trust": value})
    with pytest.raises(QueryError, match=r"^min_trust .*is not a whole number"):
        Query(text="probe", scope=Scope(min_trust=value))


def test_a_least_trust_may_be_written_as_text() -> None:
    assert Scope(min_trust=2) == scope_of(None, {"min_trust": "2"})


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(QueryError, match="Did you mean note"):
        scope_of(None, {"kind": "notes"})
