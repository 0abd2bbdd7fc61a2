"""Whether the folder of an open store is still the one that was opened, or was deleted, or made anew."""

from __future__ import annotations

import os
import weakref
from pathlib import Path


class Place:
    """The folder of one table of a store on this machine, as it was when the store was opened.

    Where the system allows it the folder is held open: as long as it is, no other folder gets its number, so that a new
    one of the same name is never taken for it.
    """

    def __init__(self, store: str) -> None:
        self._folder = Path(store, "meta.lance")
        self._known = self._number()
        flags = getattr(os, "O_DIRECTORY", None)
        if flags is not None and self._known is not None:
            try:
                held = os.open(self._folder, os.O_RDONLY | flags | os.O_CLOEXEC)
            except OSError:  # no number is left to hold it by: comparing is still right nearly always
                return
            self._let_go = weakref.finalize(self, os.close, held)

    def same(self) -> bool:
        """Whether nothing has happened to it."""
        return self._number() == self._known

    def there(self) -> bool:
        """Whether there is such a folder, this one or another."""
        return self._number() is not None

    def close(self) -> None:
        """Let go of the folder. Closing twice does nothing."""
        held = getattr(self, "_let_go", None)
        if held is not None:
            held()

    def _number(self) -> tuple[int, int] | None:
        try:
            found = self._folder.stat()
        except FileNotFoundError:
            return None
        except OSError:  # a network drive that is away for a moment is no other folder
            return self._known if hasattr(self, "_known") else None
        return found.st_dev, found.st_ino
