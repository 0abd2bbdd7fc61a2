"""Which folders outside of its own an index may follow on this machine: those that this account has indexed into it.

An index holds the paths of its folders, and it may have come with a clone or an archive, where somebody else wrote
them: a search there would read any folder that they named into that index. So what was asked for here is noted apart
from the index, in the user's own data, and a path outside the folder that an index lies in is followed only when it
stands there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_memo import project
from jupyter_memo.project import STORE_FOLDER


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What this account has indexed into one store, noted in `folder`, a file for each store. `trusted` are the folders
    whose indexes are believed whatever they name (the setting `trust_projects`), `seen` what this process indexed, for
    a home that cannot be written to."""

    folder: Path
    store: str
    trusted: tuple[str, ...] = ()
    seen: set[str] = field(default_factory=set)

    def note(self, places: Iterable[Path]) -> None:
        """Note absolute paths as indexed. Only one process at a time may write to the store, and so this."""
        self.seen.update(os.path.realpath(place) for place in places)
        noted = self._noted()
        if self.seen <= noted:
            return
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            held = {"store": self._store, "folders": sorted(noted | self.seen)}
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", errors="surrogateescape", dir=self.folder, delete=False
            ) as file:
                json.dump(held, file)
            Path(file.name).replace(self._file)

    def strange(self, places: Iterable[Path]) -> tuple[Path, ...]:
        """Those of these paths that lie neither in the folder of the store nor in what was indexed here."""
        store = Path(self._store)
        if project.trusts(self.trusted, store.parent):
            return ()
        own = {store.parent} if store.name == STORE_FOLDER else set()
        held = own | {Path(place) for place in self.seen | self._noted()}
        # Thousands of files may have been named one by one: each is looked up, not compared with every other.
        real = {place: Path(os.path.realpath(place)) for place in places}
        return tuple(place for place in real if held.isdisjoint((real[place], *real[place].parents)))

    @property
    def _store(self) -> str:
        return self.store if "://" in self.store else os.path.realpath(self.store)

    @property
    def _file(self) -> Path:
        name = hashlib.sha256(self._store.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return self.folder / f"{name}.json"

    def _noted(self) -> set[str]:
        """Nothing, where it cannot be read: then indexing a path again notes it."""
        try:
            held = json.loads(self._file.read_text(encoding="utf-8", errors="surrogateescape"))
            return {str(place) for place in held["folders"]}
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return set()
