"""200 queries with the plan a person would expect of each: `plan_table.txt`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jupyter_memo.text.plan import plan

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

MANY = ("phrase", "cited", "without", "less", "name", "only", "try")
PARTS = ("words", "meaning", "why-not", "hint", *MANY)

LINES = [
    line
    for line in (Path(__file__).parent / "plan_table.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("# ")
]


def expected(line: str) -> tuple[str, dict[str, list[str]]]:
    """The query of a line, and what it says of each part."""
    query, _, told = line.partition(" ⇒ ")
    parts: dict[str, list[str]] = {}
    for each in filter(None, told.split(" · ")):
        name, _, value = each.partition(" ")
        assert name in PARTS, f"{line!r} speaks of {name!r}"
        parts.setdefault(name, []).append(value)
    parts.setdefault("words", [" ".join(query.split()) if any(map(str.isalnum, query)) else ""])
    parts.setdefault("meaning", parts["words"] if any(map(str.isalnum, query)) else [query])
    return query, parts


def found(query: str) -> dict[str, list[str]]:
    """The plan of a query, in the words of the table."""
    made = plan(query, now=NOW)
    parts = {
        "words": [made.words],
        "meaning": [made.semantic],
        "phrase": [*made.phrases],
        "cited": [*made.quoted],
        "without": [*made.excluded, *made.excluded_identifiers, *made.excluded_phrases],
        "less": [*made.unwanted],
        "name": [*made.identifiers],
        "only": [*made.fields],
        "try": [*made.suggested],
        "why-not": [""] if made.against else [],
    }
    return {name: values for name, values in parts.items() if values}


def test_there_are_two_hundred_queries() -> None:
    assert 200 <= len(LINES)


@pytest.mark.parametrize("line", LINES)
def test_a_query_has_the_plan_a_person_would_expect(line: str) -> None:
    query, parts = expected(line)
    hints = parts.pop("hint", [])
    assert parts == found(query)
    for words in hints:
        assert any(words in hint for hint in plan(query, now=NOW).hints)
