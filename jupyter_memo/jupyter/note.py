"""A note in Jupyter's runtime folder that says which installation the server runs, for the doctor of a kernel."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from jupyter_core.paths import jupyter_runtime_dir


def path(pid: int) -> Path:
    """Where the note of a server lies."""
    return Path(jupyter_runtime_dir()) / f"jupyter_memo-{pid}.json"


def write(told: dict[str, Any]) -> Path | None:
    """Leave the note of this process, readable by its user alone. None where that is not possible."""
    where = path(os.getpid())
    try:
        where.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        where.unlink(missing_ok=True)
        # Made anew and closed to others from its first moment on.
        with os.fdopen(os.open(where, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(told, file)
    except OSError:
        return None
    return where


def remove(where: Path | None) -> None:
    """Take a note away."""
    if where is not None:
        with contextlib.suppress(OSError):
            where.unlink(missing_ok=True)
