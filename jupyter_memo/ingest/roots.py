"""Roots: the folders an index reads from, each behind an alias, so that the index itself holds no machine's paths."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jupyter_memo.errors import StoreError
from jupyter_memo.store import opening

Held = Mapping[str, Sequence[tuple[str, int]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A folder whose files are indexed. The empty alias is the folder that the store itself lies in."""

    alias: str
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Roots:
    """All roots, the store's own first, then in the order they were first indexed. A file belongs to the first root
    that holds it, so indexing a parent folder later doubles nothing."""

    entries: tuple[Root, ...] = ()

    def of(self, path: Path) -> Root:
        """The root of an absolute path. Raises ValueError outside every root."""
        for root in self.entries:
            if path.is_relative_to(root.folder):
                return root
        raise ValueError(f"{path.name} lies in none of the roots")

    def uri(self, path: Path) -> str:
        """Alias and path below the root, with `/`; a root itself is its alias (or `.`)."""
        root = self.of(path)
        relative = path.relative_to(root.folder).as_posix()
        if relative == ".":
            return root.alias or "."
        return f"{root.alias}/{relative}" if root.alias else relative

    def path(self, alias: str, relative: str) -> Path | None:
        """Where a source lies on this machine; None when its root is unknown here."""
        for root in self.entries:
            if root.alias == alias:
                return root.folder / relative
        return None

    def ways(self, uris: Iterable[str], folder: str) -> tuple[tuple[str, str], ...]:
        """(alias, relative path from `folder` to the root) of the roots that these uris are told from. A path that
        would name folders which lie neither above nor below `folder` is left empty: it is saved with notebooks."""
        known = {root.alias: root.folder for root in self.entries}
        heads = (uri.split("/", 1)[0] for uri in uris)
        aliases = dict.fromkeys(head if head in known else "" for head in heads)
        return tuple((alias, _way(str(known[alias]), folder)) for alias in aliases if alias in known)

    def including(self, path: Path, held: Held | None = None) -> Roots:
        """These roots, and one more if the path (a file or a folder) lies in none of them.

        A root whose folder is gone from this machine is bound to the new folder when that has its name and one of the
        files that are `held` under its alias (path below the root, size in bytes): this is how a shared index finds its
        files on another machine.
        """
        if any(path.is_relative_to(root.folder) for root in self.entries):
            return self
        folder = path if path.is_dir() else path.parent
        name = folder.name or "root"
        for position, root in enumerate(self.entries):
            if root.alias == name and not root.folder.exists() and _holds(folder, (held or {}).get(name, ())):
                bound = Root(alias=name, folder=folder)
                return Roots(entries=(*self.entries[:position], bound, *self.entries[position + 1 :]))
        taken = {root.alias for root in self.entries}
        for root in self.entries:
            if not root.alias:  # a uri must not read like one of the store's own folders
                taken |= {entry.name for entry in root.folder.iterdir()}
        alias, number = name, 2
        while alias in taken:
            alias, number = f"{name}-{number}", number + 1
        return Roots(entries=(*self.entries, Root(alias=alias, folder=folder)))

    def dumps(self) -> str:
        """As JSON, without the store's own root, which is known from where the store lies."""
        return json.dumps([[root.alias, str(root.folder)] for root in self.entries if root.alias])


def loads(text: str | None, home: Path | None) -> Roots:
    """The roots of a store: `home` (the folder the store lies in, if it lies in a project) and what it remembers.

    Raises StoreError where that cannot be read."""
    own = (Root(alias="", folder=home),) if home else ()
    try:
        stored = tuple(Root(alias=str(alias), folder=Path(folder)) for alias, folder in json.loads(text or "[]"))
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"what the index holds of its folders cannot be read. {opening.RESTORE}") from error
    return Roots(entries=own + stored)


def _way(root: str, folder: str) -> str:
    try:
        parts = Path(os.path.relpath(os.path.realpath(root), os.path.realpath(folder))).parts or (".",)
    except (OSError, ValueError):  # another drive
        return ""
    return "/".join(parts) if len({part == ".." for part in parts}) == 1 else ""


def _holds(folder: Path, files: Sequence[tuple[str, int]]) -> bool:
    for path, size in files:
        try:
            if (folder / path).stat().st_size == size:
                return True
        except OSError:
            continue
    return False
