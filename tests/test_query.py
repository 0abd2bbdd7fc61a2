"""What a query and its scope accept, and what they say of the rest."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from jupyter_memo.errors import QueryError
from jupyter_memo.query import (
    Query,
    Scope,
    checked_grade,
    checked_kind,
    checked_similarity,
    checked_trust,
    parse_days,
    scope_of,
)


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


HUGE = (10**400, -(10**5000), float("inf"), float("nan"), True, b"x", object(), 2**63)


@pytest.mark.parametrize(
    "name", ["limit", "offset", "max_tokens", "min_relevance", "now", "queries", "mode", "surfaces"]
)
@pytest.mark.parametrize("value", HUGE, ids=lambda value: type(value).__name__)
def test_a_value_that_nobody_can_mean_is_refused_in_one_short_line(name: str, value: Any) -> None:
    if (name, value) == ("min_relevance", 2**63):
        return
    with pytest.raises(QueryError) as caught:
        Query(text="x", **{name: value})
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["kind", "since", "as_of", "min_trust", "tags", "sources", "namespace"])
@pytest.mark.parametrize("value", HUGE, ids=lambda value: type(value).__name__)
def test_a_field_that_nobody_can_mean_is_refused_in_one_short_line(name: str, value: Any) -> None:
    with pytest.raises(QueryError) as caught:
        scope_of(None, {name: value})
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("check", [checked_similarity, checked_grade, checked_trust, parse_days, checked_kind])
def test_checks_refuse_a_number_beyond_all_bounds(check: Any) -> None:
    for value in (10**400, -(10**5000), float("nan")):
        with pytest.raises(QueryError) as caught:
            check(value)
        assert len(str(caught.value)) < 300
