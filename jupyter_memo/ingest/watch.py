"""Whether anything has happened below some folders since the last look, without walking them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
from watchfiles._rust_notify import RustNotify  # the public functions all wait; a search only wants to know

from jupyter_memo.config import STORE_FOLDER

NETWORK = frozenset(
    [
        "9p",
        "afs",
        "ceph",
        "cifs",
        "drvfs",
        "glusterfs",
        "lustre",
        "nfs",
        "nfs4",
        "prl_fs",
        "smb2",
        "smb3",
        "smbfs",
        "vboxsf",
        "virtiofs",
    ]
)
"""File systems that tell a machine nothing of what another one writes."""

COLLECT_MS = 10
"""How long to wait for what happened a moment ago: a system that is not overloaded tells within less than one."""

POLL_DELAY_MS = 300
"""Only used by watchfiles where it polls, which is never asked for here."""


class Watch:
    """Collects, in a thread of watchfiles, what happens below folders. Close it, or use `with`."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Raises OSError where the system can watch no more, or a folder is gone."""
        self.folders = tuple(folders)
        self._notify = RustNotify([str(folder) for folder in self.folders], False, False, POLL_DELAY_MS, True, True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def happened(self) -> bool:
        """Whether there was anything since the last call. Waits `COLLECT_MS` at most."""
        collected = self._notify.watch(COLLECT_MS, 1, COLLECT_MS, None)
        return isinstance(collected, set) and any(STORE_FOLDER not in Path(path).parts for _, path in collected)

    def close(self) -> None:
        """Stop watching."""
        self._notify.close()


def watchable(folders: Iterable[Path]) -> bool:
    """Whether every change below these folders would be heard of: they lie on disks of this machine."""
    mounts = {part.mountpoint: part.fstype for part in psutil.disk_partitions(all=True)}
    for folder in folders:
        kinds = [mounts[str(place)] for place in (folder, *folder.parents) if str(place) in mounts]
        kind = kinds[0].lower() if kinds else ""
        if kind in NETWORK or kind.startswith("fuse"):
            return False
    return True
