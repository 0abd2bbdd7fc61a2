"""Read the frames that the stations send and say what is wrong with them.

A frame is one line of text: station, UTC time, four readings, a two-digit checksum in hexadecimal.

    AB4;2026-04-08T09:10:00Z;18.4;0.412;7.9;231;5C
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

CYCLE = timedelta(minutes=10)
"""How often a station reads its probes."""

STALE_CYCLES = 3
"""A value that has not changed in its last digit for this many cycles is not a measurement any more."""

ERR_SENSOR_STALE = "ERR_SENSOR_STALE"
ERR_FRAME_CRC = "ERR_FRAME_CRC"
ERR_FRAME_SHORT = "ERR_FRAME_SHORT"
ERR_BROWNOUT = "ERR_BROWNOUT"


class FrameError(ValueError):
    """A frame cannot be used. `code` is one of the ERR_ constants of this module."""

    def __init__(self, code: str, frame: str) -> None:
        super().__init__(f"{code}: {frame!r}")
        self.code = code


@dataclass(frozen=True)
class Reading:
    """One cycle of one station: turbidity in NTU, level in metres, temperature in °C, conductivity in µS/cm."""

    station: str
    time: datetime
    turbidity: float
    level: float
    temperature: float
    conductivity: float


def checksum(body: str) -> int:
    """The exclusive or of all bytes of a frame before its last semicolon."""
    value = 0
    for byte in body.encode():
        value ^= byte
    return value


def decode(frame: str) -> Reading:
    """Turn one frame into a reading. Raises FrameError with ERR_FRAME_SHORT or ERR_FRAME_CRC."""
    body, _, tail = frame.strip().rpartition(";")
    fields = body.split(";")
    if len(fields) != 6:
        raise FrameError(ERR_FRAME_SHORT, frame)
    if checksum(body) != int(tail, 16):
        raise FrameError(ERR_FRAME_CRC, frame)
    station, stamp, *values = fields
    turbidity, level, temperature, conductivity = map(float, values)
    time = datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    return Reading(station, time, turbidity, level, temperature, conductivity)


def is_stale(turbidity: list[float]) -> bool:
    """Whether the probe repeats itself: the last STALE_CYCLES + 1 values are equal to the last digit.

    A muddy beck never gives the same value four times. Firmware 2.3.1 does, when the wiper motor stalls and the probe
    answers from its buffer; the gateway then marks the frame with ERR_SENSOR_STALE.
    """
    tail = turbidity[-(STALE_CYCLES + 1) :]
    return len(tail) > STALE_CYCLES and len(set(tail)) == 1
