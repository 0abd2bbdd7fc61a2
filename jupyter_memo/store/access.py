"""Whether this process may write to a store, as far as permissions tell; nothing is touched by asking."""

from __future__ import annotations

import os
from pathlib import Path

NOT_YOURS = "you may not write to its folder"


def writable(store: str | Path) -> bool:
    """Whether a store may be written, or made where there is none. A remote one always may: only trying would tell."""
    if "://" in str(store):
        return True
    folder = Path(store)
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    try:
        # Somebody else's tables may lie in a folder that all may write to.
        tables = [each for table in folder.glob("*.lance") for each in (table, *table.iterdir()) if each.is_dir()]
    except OSError:
        return False
    return all(os.access(each, os.W_OK | os.X_OK) for each in (folder, *tables))


def others_only(store: str) -> bool:
    """Whether there is a store on this machine that may be read and not written."""
    if "://" in store or not readable(Path(store)):
        return False
    return Path(store, "meta.lance").is_dir() and not writable(store)


def readable(folder: Path) -> bool:
    """Whether a folder may be looked into."""
    return os.access(folder, os.R_OK | os.X_OK)
