"""Why a file is not in the index: what the next run would say of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jupyter_memo.ingest import scan
from jupyter_memo.ingest.roots import Roots


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """`uri` is what the index would call the file (empty outside every root), `reason` why it is not there."""

    uri: str
    reason: str
    cure: str


def uri_of(target: str, roots: Roots) -> str:
    """The uri of a path as a person types it, from the working folder or absolute, `#heading` behind it included; the
    text itself where it is none."""
    before, mark, heading = target.rpartition("#")
    try:
        if _absolute(target).exists():
            return roots.uri(_absolute(target))
        if before and _absolute(before).is_file():
            return f"{roots.uri(_absolute(before))}{mark}{heading}"
    except (OSError, ValueError):
        pass
    return target


def why(target: str, roots: Roots, rules: scan.Rules, unread: Mapping[str, str] | None = None) -> Absent:
    """Look for the file on the disk, `#heading` behind it or not, and ask the rules of a scan about it. `unread` says
    which files could not be read, uri -> reason. Walks the root it lies in."""
    names = dict.fromkeys(filter(None, (target, target.rpartition("#")[0])))
    path = next((path for name in names for path in _places(name, roots) if _there(path)), None)
    if path is None:
        return Absent(uri="", reason="nothing of that name is indexed, and no such file is on the disk", cure="")
    name = scan.short(path)
    try:
        root = roots.of(path)
    except ValueError:
        return Absent(uri="", reason="it lies in no folder that was indexed", cure=f"%memo_index {name}")
    uri = roots.uri(path)
    skipped = {entry.uri: entry.reason for entry in scan.scan((root.folder,), roots, rules).skipped}
    parts = uri.split("/")
    for place in (uri, *("/".join(parts[:end]) + "/" for end in range(len(parts), 0, -1))):
        if place in skipped:
            what = "a run skips it" if place == uri else f"a run skips {place}"
            return Absent(uri=uri, reason=f"{what}: {skipped[place]}", cure="")
    for place in (uri, *("/".join(parts[:end]) + "/" for end in range(len(parts), 0, -1))):
        if reason := (unread or {}).get(place):
            what = "it could not be read" if place == uri else f"{place} could not be read"
            told = reason.rstrip(".")
            return Absent(uri=uri, reason=f"{what}: {told}", cure=f"Mend that, then %memo_index {name}")
    return Absent(uri=uri, reason="it is on the disk, but was not read yet", cure=f"%memo_index {name}")


def _places(target: str, roots: Roots) -> Iterator[Path]:
    yield _absolute(target)
    for root in roots.entries:
        relative = target.removeprefix(f"{root.alias}/") if root.alias else target
        if not Path(relative).is_absolute():
            yield Path(os.path.abspath(root.folder / relative))


def _absolute(target: str) -> Path:
    try:
        return Path(os.path.abspath(Path(target).expanduser()))
    except (RuntimeError, ValueError):  # nobody's home, or a text that no path can be
        return Path(os.path.abspath("."))


def _there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
