"""Which folders the server may index."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from jupyter_memo.jupyter.refusals import RefusedError


def confined(asked: Iterable[str], root: Path, more: Sequence[Path]) -> list[Path]:
    """Absolute paths of what was asked from `root` on, each inside it or inside one of `more`, also when all links are
    followed. Raises RefusedError with code Outside, which says nothing of what is there."""
    allowed = [Path(os.path.realpath(folder)) for folder in (root, *more)]
    found = []
    for text in asked:
        named = os.path.abspath(root / text)
        try:
            real = Path(os.path.realpath(named))
        except (OSError, ValueError):  # a NUL in it, or links in a circle
            real = Path(os.sep)
        if "\0" in text or not any(real.is_relative_to(folder) for folder in allowed):
            raise RefusedError(
                "Outside",
                "This lies outside the folders that this server may index.",
                "Start Jupyter in a folder above it, or add its folder to c.MemoServer.roots.",
            )
        found.append(Path(named))
    return found
