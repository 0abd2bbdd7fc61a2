"""How every number is written, once for all surfaces: `tests/golden/numbers.json` holds the same rules as examples.

A value is rounded once, at display, from the raw value, with exact ties going up (Python's `format` would send 0.125 to
0.12, JavaScript's `toFixed` to 0.13). A space inside a number is a narrow no-break space, a minus is U+2212.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

NARROW = "\u202f"
MINUS = "\u2212"
NOTHING = "–"
"""What stands where there is no number: a rank that was not found, a stage that is off."""

SCORE_DIGITS: dict[str, int] = {"evidence": 3, "bm25": 2, "dense": 3}
"""Digits of a score in a list, by score scale; the scales that are not here have four."""

RAW_DIGITS: dict[str, int] = {"cosine": 3, "bm25": 2, "mention weight": 2, "walk mass": 4}
UNITS: dict[str, str] = {
    "bm25": "BM25",
    "share": "of the words",
    "cosine": "cosine",
    "mention weight": "mention weight",
    "walk mass": "walk mass",
}

FACTOR_DIGITS = 4
FACTOR_DIGITS_MAX = 8


def _decimal(value: float, digits: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)


def fixed(value: float, digits: int) -> str:
    """`value` with exactly that many digits after the point; ties go away from zero, and zero has no sign."""
    number = _decimal(value, digits)
    return f"{MINUS if number < 0 else ''}{abs(number):f}"


def score(value: float, scale: str) -> str:
    """A score in a list: four digits, three for evidence and cosines, two for BM25; none has no scores."""
    return NOTHING if scale == "none" else fixed(value, SCORE_DIGITS.get(scale, 4))


def explain_digits(scale: str) -> int:
    """Digits of contributions, fused and score in an explanation: one more than in a list. After a rerank the score
    is a probability and keeps four."""
    return 4 if scale == "rerank" else SCORE_DIGITS.get(scale, 4) + 1


def raw(value: float, kind: str) -> str:
    """An arm's own value: cosine 0.671, BM25 and mention weight 11.02, walk mass 0.0182."""
    return fixed(value, RAW_DIGITS.get(kind, 4))


def weight(value: float) -> str:
    """An arm's weight, λ or gap: 0.50, with up to four digits where two would not be exact (0.1667)."""
    return next((fixed(value, n) for n in (2, 3) if math.isclose(value, float(_decimal(value, n)))), fixed(value, 4))


def factor(value: float, digits: int = FACTOR_DIGITS) -> str:
    """What a score is multiplied by: ×0.9728."""
    return f"×{fixed(value, digits)}"


def change(value: float) -> str:
    """A difference of two scores, always signed: +0.0048. An exact 0 has no sign."""
    sign = "+" if value > 0 else MINUS if value < 0 else ""
    return sign + fixed(abs(value), 4)


def percent(share: float) -> str:
    """A share of 1 as a whole per cent: 68 %."""
    return f"{fixed(100 * share, 0)}{NARROW}%"


def count(value: int) -> str:
    """A count, grouped from 1 000 on: 18 412."""
    return f"{value:,}".replace(",", NARROW).replace("-", MINUS)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{count(number)}{ending}"


def ms(value: float) -> str:
    """A duration in the head of a list, value in milliseconds: 33 ms, from ten seconds on 12 s."""
    if value >= 10_000:
        return f"{fixed(value / 1000, 0)}{NARROW}s"
    return f"{fixed(value, 0)}{NARROW}ms" if value >= 0.5 else f"<{NARROW}1{NARROW}ms"


def trace_ms(value: float) -> str:
    """A duration in the trace, in milliseconds without the unit: 32.5, below 0.05: < 0.1."""
    return f"<{NARROW}0.1" if value < 0.05 else fixed(value, 1)


def seconds(value: float) -> str:
    """How long an index run took, value in seconds: < 0.1 s, 0.4 s, 12 s, 3 min 5 s."""
    if value < 0.05:
        return f"<{NARROW}0.1{NARROW}s"
    if value < 10:
        return f"{fixed(value, 1)}{NARROW}s"
    whole = int(_decimal(value, 0))
    return f"{whole}{NARROW}s" if whole < 60 else f"{whole // 60}{NARROW}min {whole % 60}{NARROW}s"


def age(days: float) -> str:
    """How long ago, in words: 19 days (under 60), 4 months (under 700 days), 3 years. A month has 30.44 days."""
    if days < 1:
        return "today"
    if days < 60:
        return _ago(int(_decimal(days, 0)), "day")
    if days < 700:
        return _ago(int(_decimal(days / 30.44, 0)), "month")
    return _ago(int(_decimal(days / 365.25, 0)), "year")


def _ago(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'} ago"


def parts(values: Sequence[float], total: str) -> tuple[str, ...]:
    """`values` with as many digits as `total`, so that they add up to it as printed.

    Each value is rounded on its own; where their sum misses `total`, the part with the largest remainder takes the last
    digit (the first of equals), then the next. A part that is exactly 0 takes none while another can.
    """
    goal = Decimal(total.replace(MINUS, "-"))
    digits = -int(goal.as_tuple().exponent)
    unit = Decimal(1).scaleb(-digits)
    rounded = [_decimal(value, digits) for value in values]
    missing = int((goal - sum(rounded, Decimal(0))) / unit)
    step = unit if missing > 0 else -unit
    able = [index for index, value in enumerate(values) if value] or list(range(len(values)))
    left_over = [(Decimal(value) - number) * step for value, number in zip(values, rounded, strict=True)]
    order = sorted(able, key=lambda index: (-left_over[index], index))
    for taken in range(abs(missing) if order else 0):
        rounded[order[taken % len(order)]] += step
    return tuple(f"{MINUS if number < 0 else ''}{abs(number):f}" for number in rounded)


def product(base: float, factors: Sequence[float], result: float, digits: int) -> tuple[str, tuple[str, ...], str]:
    """base × factors = result, so that multiplying what is printed gives the printed result to its last digit.

    The result and the factors are rounded on their own. Where their product misses the result, the base takes the
    neighbouring last digit, as a part of a sum would; where that is not enough, the factors show more digits.
    """
    shown = _decimal(result, digits)
    plain = _decimal(base, digits)
    unit = Decimal(1).scaleb(-digits)
    neighbour = plain + unit if Decimal(base) > plain else plain - unit
    for places in range(FACTOR_DIGITS, FACTOR_DIGITS_MAX + 1):
        written = [_decimal(value, places) for value in factors]
        for candidate in (plain, neighbour):
            if (candidate * math.prod(written)).quantize(unit, rounding=ROUND_HALF_UP) == shown:
                return f"{candidate:f}", tuple(factor(value, places) for value in factors), f"{shown:f}"
    return f"{plain:f}", tuple(factor(value) for value in factors), f"{shown:f}"
