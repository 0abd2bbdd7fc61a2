"""Time words and the days they would be; more of them stand in `plan_table.txt`."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jupyter_memo.text.times import MOST, suggested

NOW = datetime(2026, 1, 5, 0, 30, tzinfo=UTC)
"""A Monday, the first days of a year."""


@pytest.mark.parametrize(
    ("text", "words", "fields"),
    [
        ("notes of yesterday", "yesterday", "since:2026-01-04 before:2026-01-05"),
        ("last week", "last week", "since:2025-12-29 before:2026-01-05"),
        ("This Week", "This Week", "since:2026-01-05"),
        ("last month", "last month", "since:2025-12-01 before:2026-01-01"),
        ("previous year", "previous year", "since:2025-01-01 before:2026-01-01"),
        ("in December", "in December", "since:2025-12-01 before:2026-01-01"),
        ("in January", "in January", "since:2025-01-01 before:2025-02-01"),
        ("since 2024", "since 2024", "since:2024"),
        ("the past ten days", "past ten days", "since:10d"),
    ],
)
def test_time_words_are_days(text: str, words: str, fields: str) -> None:
    assert ((words, fields),) == suggested(text, NOW)


@pytest.mark.parametrize("text", ["in 1963", "in 2999", "may it last", "the last page", "in march", "todays"])
def test_other_words_are_none(text: str) -> None:
    assert () == suggested(text, NOW)


def test_a_day_is_that_of_utc() -> None:
    late = datetime.fromisoformat("2026-01-05T01:00+02:00")
    assert (("today", "since:2026-01-04"),) == suggested("today", late)


def test_only_a_few_are_suggested() -> None:
    assert MOST == len(suggested("today yesterday last week last month", NOW))
