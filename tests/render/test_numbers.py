"""Number formats against the golden table, and the two laws of printed arithmetic."""

from __future__ import annotations

import json
import math
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jupyter_memo.render import numbers

CASES = json.loads((Path(__file__).parent.parent / "golden" / "numbers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']}{case['given']}")
def test_every_rule_writes_what_the_golden_table_says(case: dict) -> None:
    shown = getattr(numbers, case["rule"])(*case["given"])
    assert case["shown"] == json.loads(json.dumps(shown))


@given(st.lists(st.floats(0, 0.02), min_size=1, max_size=6), st.integers(3, 5))
def test_printed_parts_add_up_to_the_printed_sum(values: list[float], digits: int) -> None:
    total = numbers.fixed(math.fsum(values), digits)
    assert Decimal(total) == sum(map(Decimal, numbers.parts(values, total)))


@given(st.lists(st.floats(0, 0.02), min_size=1, max_size=6))
def test_no_part_of_a_sum_moves_by_more_than_its_last_digit(values: list[float]) -> None:
    parts = numbers.parts(values, numbers.fixed(math.fsum(values), 5))
    assert all(abs(float(part) - value) <= 1.5e-5 + 1e-12 for part, value in zip(parts, values, strict=True))


@given(st.floats(0.0001, 0.06), st.floats(0.5, 1.0))
def test_the_printed_product_gives_the_printed_score(fused: float, factor: float) -> None:
    final = round(fused * factor, 9)
    # A decimal tie such as 0.000075 is none in binary, where it lies a hair below: no last digit serves both.
    assume(Decimal(repr(final)).scaleb(6) % 10 != 5)
    base, factors, score = numbers.product(fused, [factor], final, 5)
    exact = Decimal(base) * Decimal(factors[0].removeprefix("×"))
    assert Decimal(score) == exact.quantize(Decimal("0.00001"), rounding=ROUND_HALF_UP)


def test_the_score_of_an_explanation_is_rounded_from_the_raw_value() -> None:
    _, _, score = numbers.product(0.0123449, [0.99], 0.012221451, 5)
    assert "0.01222" == score


@pytest.mark.parametrize(
    ("number", "shown"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd"), (112, "112th")]
)
def test_ordinals_are_spoken_as_they_are_written(number: int, shown: str) -> None:
    assert shown == numbers.ordinal(number)
