"""Whether a source stands as it was: the same file, the same bytes, gone, or only out of sight."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.ingest import prepare as preparing
from jupyter_memo.ingest import scan as scanning
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.ingest.withholding import bare
from jupyter_memo.records import Source

RACY = timedelta(seconds=2)
"""A file written this shortly before it was read may change again within the clock's grain: its bytes are compared."""


def place(entry: scanning.Found) -> tuple[str, str]:
    """The alias of a file's root and its path below it."""
    alias = entry.root.alias
    return alias, entry.uri.removeprefix(f"{alias}/") if alias else entry.uri


def source(entry: scanning.Found, id: str, digest: str, fingerprint: str, now: datetime) -> Source:
    """The record of a file that is read now."""
    root, path = place(entry)
    return Source(
        id=id,
        uri=entry.uri,
        root=root,
        path=path,
        kind=registry.kind(entry.path.name),
        title=entry.path.name,
        sha256=digest,
        fingerprint=fingerprint,
        size=entry.size,
        mtime_ns=entry.mtime_ns,
        recorded_at=now,
    )


def read(entry: scanning.Found) -> bytes:
    try:
        return entry.path.read_bytes()
    except OSError as error:
        raise IngestError(f"it cannot be read ({error.strerror})", uri=entry.uri, stage="read") from error


def sha256(data: bytes) -> str:
    """What tells one content from another."""
    return hashlib.sha256(data).hexdigest()


def digest(entry: scanning.Found) -> str:
    """The digest of a file as it is now; empty when it cannot be read."""
    try:
        return sha256(read(entry))
    except IngestError:
        return ""


def seen_again(source: Source, entry: scanning.Found, now: datetime) -> Source | None:
    """The source with the file's present time, once that is old enough to be trusted: its bytes are the same."""
    again = dataclasses.replace(source, mtime_ns=entry.mtime_ns, recorded_at=now)
    return again if untouched(again, entry) else None


def untouched(source: Source, entry: scanning.Found) -> bool:
    """Whether size and time alone prove that the file is as it was."""
    settled = source.recorded_at - preparing.utc(source.mtime_ns / 1e9) > RACY
    return settled and source.size == entry.size and source.mtime_ns == entry.mtime_ns


def same(held: Source | None, fresh: Source) -> bool:
    return (
        held is not None
        and held.removed_at is None
        and held.sha256 == fresh.sha256
        and bare(held.fingerprint) == fresh.fingerprint
    )


def below(source: Source, roots: Roots, paths: tuple[Path, ...]) -> bool:
    """Whether the source's file would lie at or below one of the asked paths."""
    place = roots.path(source.root, source.path)
    return place is not None and any(place == path or path in place.parents for path in paths)


def why_gone(source: Source, skipped: Mapping[str, scanning.Skipped]) -> str | None:
    """Why a source that the scan did not find leaves the index; None when it only could not be read right now."""
    parts = source.uri.split("/")
    for place in (source.uri, *("/".join(parts[:end]) + "/" for end in range(len(parts) - 1, 0, -1))):
        if place in skipped:
            return None if skipped[place].unreadable else skipped[place].reason
    return "no longer on the disk"
