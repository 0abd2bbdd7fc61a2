"""What was asked to be indexed, so that it can be kept in step with the disk: paths, and what was said of them."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

from jupyter_memo.errors import QueryError, StoreError
from jupyter_memo.ingest import standing
from jupyter_memo.ingest.prepare import Options
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.ingest.scan import Found
from jupyter_memo.store import opening


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A file or folder as a root's alias and the path below it (empty: the root itself), and its options."""

    root: str
    path: str
    options: Options


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Everything that was ever asked for, each path once, with what the last run was told of it."""

    entries: tuple[Ask, ...] = ()

    def including(self, paths: tuple[Path, ...], roots: Roots, options: Options) -> Asked:
        """These, and absolute paths that lie in one of the roots. What is not said now stays as it was said before."""
        entries = {(ask.root, ask.path): ask for ask in self.entries}
        for path in paths:
            root = roots.of(path)
            relative = path.relative_to(root.folder).as_posix()
            key = (root.alias, "" if relative == "." else relative)
            said = options.over(entries[key].options) if key in entries else options
            entries[key] = Ask(root=key[0], path=key[1], options=said)
        return Asked(entries=tuple(entries[key] for key in sorted(entries)))

    def without(self, paths: tuple[Path, ...], roots: Roots) -> Asked:
        """These, without what lies at or below the paths."""
        kept = []
        for ask in self.entries:
            place = roots.path(ask.root, ask.path)
            if place is None or not any(place.is_relative_to(path) for path in paths):
                kept.append(ask)
        return Asked(entries=tuple(kept))

    def options(self, entry: Found, options: Options) -> Options:
        """What holds for a file that is new: what is said now, then what was said of the innermost path that holds
        it."""
        root, path = standing.place(entry)
        holding = [ask for ask in self.entries if ask.root == root and _holds(ask.path, path)]
        for ask in sorted(holding, key=lambda ask: -len(ask.path)):
            options = options.over(ask.options)
        return options

    def dumps(self) -> str:
        """As JSON."""
        return json.dumps([[ask.root, ask.path, dataclasses.asdict(ask.options)] for ask in self.entries])


def loads(text: str | None) -> Asked:
    """What `dumps` wrote. Raises StoreError for what it never writes."""
    try:
        listed = [(str(root), str(path), Options(**options)) for root, path, options in json.loads(text or "[]")]
    except (ValueError, TypeError, RecursionError, QueryError) as error:
        raise StoreError(f"what the index holds of its folders cannot be read. {opening.RESTORE}") from error
    return Asked(entries=tuple(Ask(root=root, path=path, options=options) for root, path, options in listed))


def _holds(folder: str, path: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")
