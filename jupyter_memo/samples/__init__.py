"""A sample folder to search: one researcher's season with six sensors in a small stream. All of it is invented.

`copy()` puts it where it can be edited; `path()` is where it lies in the package and should stay as it is.
"""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

_IGNORED = ("__pycache__", ".ipynb_checkpoints", ".memo")

DATES: dict[str, str] = {
    "README.md": "2026-09-21",
    "chats/2026-09-17-stuck-chains.md": "2026-09-17",
    "config/calibration.toml": "2026-09-03",
    "config/heron.json": "2026-09-16",
    "config/stations.yaml": "2026-09-17",
    "data/bottles.csv": "2026-08-31",
    "decisions/0002-star-not-mesh.md": "2026-03-05",
    "decisions/0004-no-particle-filter.md": "2026-06-30",
    "decisions/0006-rating-slope.md": "2026-09-03",
    "notebooks/01_calibration.ipynb": "2026-09-03",
    "notebooks/02_drift_and_wiper.ipynb": "2026-07-08",
    "notebooks/03_storm_loops.ipynb": "2026-10-20",
    "notebooks/04_station_offsets.ipynb": "2026-09-18",
    "notes/2026-02-11-site-visit.md": "2026-02-11",
    "notes/2026-03-24-calibration.md": "2026-03-24",
    "notes/biofouling.md": "2026-06-24",
    "notes/field-protocol-v1.md": "2026-02-25",
    "notes/field-protocol.md": "2026-07-02",
    "notes/lab-diary.md": "2026-10-29",
    "notes/meetings.md": "2026-10-22",
    "notes/open-questions.md": "2026-11-05",
    "notes/reading-list.md": "2026-08-18",
    "notes/scratch.txt": "2026-11-09",
    "notes/storm-events.md": "2026-10-25",
    "paper/draft.md": "2026-11-12",
    "src/beck/quality.py": "2026-05-22",
    "src/beck/rating.py": "2026-07-14",
    "src/beck/sampler.py": "2026-09-16",
    "src/beck/sensors.py": "2026-04-20",
    "src/beck/storms.py": "2026-06-15",
}
"""When each file was last touched in the story. Git and wheels do not keep that, and `since:` should find something."""


def path() -> Path:
    """The folder as it is installed. To be read only: use `copy` for a place to try things out."""
    return Path(__file__).resolve().parent / "alder_beck"


def copy(destination: str | os.PathLike[str] = "memo-samples") -> Path:
    """Copy the sample folder and return where it is now, as it was given.

    A file that is already there stays as it is, so calling this again brings back what was deleted and keeps what was
    edited. Copied files get the modification time of the story. Raises FileExistsError if `destination` is a file.
    """
    target = Path(destination)
    target.mkdir(parents=True, exist_ok=True)
    for source in sorted(path().rglob("*")):
        relative = source.relative_to(path())
        place = target / relative
        if source.is_dir() or any(part in _IGNORED for part in relative.parts) or os.path.lexists(place):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)
        _date(place, DATES.get(relative.as_posix()))
    return target


def _date(place: Path, day: str | None) -> None:
    if day is not None:
        noon = datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC).timestamp()
        os.utime(place, (noon, noon))
