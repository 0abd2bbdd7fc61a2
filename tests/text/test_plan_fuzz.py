"""Texts nobody planned for: each has a plan, in time that grows with its length, and stands in it as it was typed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_memo.query import MODES, Mode
from jupyter_memo.text import variants
from jupyter_memo.text.plan import describe, plan

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

PIECES = [
    *"\"'“”„«»「」『』-–—:;,.()[]{}<>|\\/~^$%#@*+?!=&_ \t\n\r\x00\x07\x1b\u200b\u202e\ufeff",
    *(
        "NOT",
        "NOT ",
        '-"',
        "-x",
        "--flag",
        " - ",
        '""',
        "kind:",
        "kind:note",
        "tag:a,",
        'tag:"b c"',
        "since:",
        "since:7d",
    ),
    *(
        "since:banana",
        "before:2026-13",
        "as_of:9999",
        "trust:",
        "trust:99999999999999999999",
        "ns:",
        "source:C:\\",
        "lang:",
    ),
    *(
        "without",
        "except for",
        "not about",
        "but not",
        "don't want",
        "why not",
        "last week",
        "in 2025",
        "the last 999 days",
    ),
    *(
        "C:\\Users\\me\\a.txt",
        "\\\\server\\share",
        "..\\..",
        "file:///C:/a",
        "C++",
        "std::",
        "{x:1}",
        "https://a.org/(b)",
    ),
    *(
        "데이터베이스",
        "連結",
        "ﬀ",
        "İ",
        "ſ",
        "ß",
        "é",
        "e\u0301",
        "\ud800",
        "\udfff",
        "🙂",
        "\U0010ffff",
        "๑",
        "१२",
        "½",
    ),
    *("a" * 300, "x.y" * 40, "1" * 5000, "a-b-c-d-e-f-g-h", "word", "vaastu", "colour", "dataFrame", "like: "),
]
"""What queries break on: signs, half signs, commands, paths, scripts, characters that change under case."""


def texts(seed: int, count: int) -> Iterator[str]:
    """Texts of pieces, of any code points, and of one repeated piece."""
    chance = random.Random(seed)
    for number in range(count):
        match number % 4:
            case 0:
                yield "".join(chance.choices(PIECES, k=chance.randint(1, 12)))
            case 1:
                yield " ".join(chance.choices(PIECES, k=chance.randint(1, 12)))
            case 2:
                yield "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randint(0, 40)))
            case _:
                yield chance.choice(PIECES) * chance.randint(1, 60)


def check(text: str, mode: Mode) -> None:
    made = plan(text, mode=mode, now=NOW)
    assert text == made.text
    assert describe(made)
    variants.spellings(made.words)


@pytest.mark.parametrize("mode", MODES)
def test_any_of_some_hundred_texts_has_a_plan(mode: Mode) -> None:
    for text in texts(MODES.index(mode), 300):
        check(text, mode)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(20))
def test_any_of_twenty_thousand_texts_has_a_plan(seed: int) -> None:
    for text in texts(100 + seed, 1_000):
        for mode in ("auto", "exact"):
            check(text, mode)


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(st.text(), st.text(st.characters(codec=None)), st.lists(st.sampled_from(PIECES)).map("".join)),
    st.sampled_from(MODES),
)
def test_any_text_has_a_plan(text: str, mode: Mode) -> None:
    check(text, mode)


UNITS = [
    '"',
    "“",
    "-",
    ":",
    "„”",
    'a "b ',
    "NOT x ",
    "x:y ",
    "tag:a,",
    "tag:a ",
    "kind:zz ",
    '-"a" ',
    "http://a)",
    "a.",
    "가",
]
UNITS += [
    "without a ",
    "except for ",
    ", not ",
    "why not ",
    "last week ",
    "and ",
    "vaastu ",
    "aa",
    "data-",
    "in 2025 ",
    "( ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_hundred_kilobytes_of_anything_have_a_plan(unit: str) -> None:
    check(unit * (100_000 // len(unit)), "auto")


@pytest.mark.parametrize("unit", UNITS)
def test_eight_times_the_text_is_not_sixty_four_times_the_steps(unit: str) -> None:
    from sys import setprofile

    def steps(text: str) -> int:
        """Calls made, of Python and of C: a measure of work that no other process changes."""
        count = 0

        def counted(_frame: object, event: str, _argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        plan(text, now=NOW)
        setprofile(counted)
        try:
            plan(text, now=NOW)
        finally:
            setprofile(None)
        return count

    assert 16 * steps(unit * 200) > steps(unit * 1600)
