"""Flags for single readings and a check of the loggers' clocks. Nothing is deleted: flagged values stay."""

from __future__ import annotations

from datetime import datetime
from statistics import median

QC_SPIKE = 0x10
QC_BIOFILM = 0x20
QC_AERATED = 0x40
QC_ICE = 0x80

MAX_DRIFT_PPM = 40.0
"""The most a logger's crystal may run fast or slow, in parts per million: 40 ppm is 3.5 s a day."""

SPIKE_FACTOR = 6.0
"""A spike stands this many median absolute deviations above the median of its window."""

FILM_NTU_PER_WEEK = 0.3
"""A dry-weather baseline that rises faster than this is growth on the window, not the river."""


def clock_drift_ppm(sent: list[datetime], received: list[datetime]) -> float:
    """How fast a logger's clock runs against the gateway's, in parts per million; positive when it runs slow.

    Two straight-line ends are enough: the crystal's error is constant at constant temperature. A clock that was *set*
    wrongly has a large offset and no drift at all, so this function does not see it.
    """
    span = (sent[-1] - sent[0]).total_seconds()
    if span <= 0:
        raise ValueError("two frames at different times are needed")
    late = (received[-1] - sent[-1]).total_seconds() - (received[0] - sent[0]).total_seconds()
    return 1e6 * late / span


def clock_is_trusted(sent: list[datetime], received: list[datetime]) -> bool:
    """Whether the drift is within MAX_DRIFT_PPM either way."""
    return abs(clock_drift_ppm(sent, received)) <= MAX_DRIFT_PPM


def spike_flags(values: list[float], half_window: int = 6) -> list[int]:
    """QC_SPIKE for every value far above its neighbours, else 0. Leaves or a passing cow, one reading long."""
    flags = []
    for i, value in enumerate(values):
        window = values[max(0, i - half_window) : i + half_window + 1]
        centre = median(window)
        spread = median([abs(x - centre) for x in window]) or 0.1
        flags.append(QC_SPIKE if value - centre > SPIKE_FACTOR * spread else 0)
    return flags


def film_flag(weekly_baseline: list[float]) -> int:
    """QC_BIOFILM when the dry-weather baseline, one value a week in NTU, climbs by more than FILM_NTU_PER_WEEK."""
    if len(weekly_baseline) < 2:
        return 0
    rise = (weekly_baseline[-1] - weekly_baseline[0]) / (len(weekly_baseline) - 1)
    return QC_BIOFILM if rise > FILM_NTU_PER_WEEK else 0
