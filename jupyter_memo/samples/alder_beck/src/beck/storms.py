"""Storms: where they begin and end, and which way round the loop of sediment against flow goes."""

from __future__ import annotations

from itertools import pairwise

RISE_M = 0.05
"""A storm begins when the level has risen this far above the lowest level of the last six hours."""


def find_storms(level: list[float], window: int = 36) -> list[tuple[int, int]]:
    """Half-open index ranges in which the level stands RISE_M above the lowest of the `window` readings before."""
    storms: list[tuple[int, int]] = []
    start = None
    for i in range(len(level)):
        low = min(level[max(0, i - window) : i + 1])
        high = level[i] - low > RISE_M
        if high and start is None:
            start = i
        elif not high and start is not None:
            storms.append((start, i))
            start = None
    if start is not None:
        storms.append((start, len(level)))
    return storms


def _at(flow: list[float], sediment: list[float], q: float) -> float:
    """Sediment at flow q by straight lines between readings; the flow must be monotonic."""
    points = sorted(zip(flow, sediment, strict=True))
    for (q1, s1), (q2, s2) in pairwise(points):
        if q1 <= q <= q2:
            return s1 if q1 == q2 else s1 + (s2 - s1) * (q - q1) / (q2 - q1)
    raise ValueError(f"flow {q} is outside this limb")


def hysteresis_index(flow: list[float], sediment: list[float], levels: int = 9) -> float:
    """Mean of (rising limb - falling limb) over the storm's range of flow, both scaled to 0..1.

    Above 0 the loop runs clockwise: sediment comes before the flow, so it lay near the channel. Below 0 it runs
    anticlockwise: it comes late, from further away. Between -0.05 and 0.05 say nothing.
    """
    peak = flow.index(max(flow))
    low = max(flow[0], flow[-1])
    top, span = max(sediment), max(sediment) - min(sediment)
    total = 0.0
    for k in range(1, levels + 1):
        q = low + (flow[peak] - low) * k / (levels + 1)
        rising = _at(flow[: peak + 1], sediment[: peak + 1], q)
        falling = _at(flow[peak:], sediment[peak:], q)
        total += ((rising - top) - (falling - top)) / span
    return total / levels
