from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jupyter_memo.query import Scope
from jupyter_memo.store.filters import Predicate, predicates, quote, where

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def names(scope: Scope, open_runs: tuple[str, ...] = ()) -> list[str]:
    return [predicate.name for predicate in predicates(scope, now=NOW, open_runs=open_runs)]


def sql(scope: Scope, open_runs: tuple[str, ...] = ()) -> str:
    return where(predicates(scope, now=NOW, open_runs=open_runs))


def test_a_single_quote_is_doubled_and_nothing_else_is_touched() -> None:
    assert "'it''s a \\ \"\x00\n'" == quote("it's a \\ \"\x00\n")


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    assert "'a?b'" == quote("a\ud800b")


def test_no_predicates_are_true() -> None:
    assert "true" == where(())


def test_predicates_are_joined_with_and_in_brackets() -> None:
    assert "(a = 1 or b = 2) and (c)" == where(
        [Predicate(name="x", sql="a = 1 or b = 2"), Predicate(name="y", sql="c")]
    )


def test_an_empty_scope_is_live_and_without_the_system_namespaces() -> None:
    assert ["live", "not archive: or agent:"] == names(Scope())


def test_named_namespaces_show_what_is_hidden_otherwise() -> None:
    assert ["live", "namespace archive:2025 or notes"] == names(Scope(namespaces=("archive:2025", "notes")))


def test_every_field_has_a_name_in_words() -> None:
    scope = Scope(
        namespaces=("n",),
        kinds=("notebook",),
        surfaces=("file",),
        sources=("notes/*.md",),
        libraries=("numpy",),
        versions=("2.0",),
        tags=("a", "b"),
        langs=("python",),
        owner="me",
        min_trust=2,
        since=datetime(2026, 6, 1, tzinfo=UTC),
        before=datetime(2026, 6, 2, 8, 30, tzinfo=UTC),
        as_of=datetime(2026, 7, 1, tzinfo=UTC),
    )
    expected = [
        "as of 2026-07-01",
        "namespace n",
        "kind notebook",
        "surface file",
        "library numpy",
        "version 2.0",
        "language python",
        "owner me",
        "source notes/*.md",
        "tag a or b",
        "trust 2 or more",
        "since 2026-06-01",
        "before 2026-06-02 08:30:00",
    ]
    assert expected == names(scope)


def test_open_runs_are_left_out_and_what_they_ended_stays() -> None:
    text = sql(Scope(), open_runs=("r'1",))
    assert "not (run_id in ('r''1'))" in text
    assert "superseded_run in ('r''1')" in text


def test_without_open_runs_no_run_is_named() -> None:
    assert "run" not in sql(Scope())


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("notes/a.md", "uri = 'notes/a.md'"),
        ("notes/*.md", r"regexp_like(uri, '(?s)^notes\x{2f}.*\x{2e}md$')"),
        ("notes/", "starts_with(uri, 'notes/')"),
        ("[a]?", r"regexp_like(uri, '(?s)^\x{5b}a\x{5d}.$')"),
    ],
)
def test_a_source_glob_is_an_equation_a_beginning_or_an_anchored_expression(pattern: str, expected: str) -> None:
    assert expected in sql(Scope(sources=(pattern,)))
