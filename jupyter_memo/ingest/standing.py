"""Whether a source stands as it was: the same file, the same bytes, gone, or only out of sight."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.ingest import prepare as preparing
from jupyter_memo.ingest import scan as scanning
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.records import Source

RACY = timedelta(seconds=2)
"""A file written this shortly before it was read may change again within the clock's grain: its bytes are compared."""


def file_id(entry: scanning.Found) -> str:
    return preparing.source_id("file", entry.root.alias, entry.path.relative_to(entry.root.folder).as_posix())


def source(entry: scanning.Found, digest: str, fingerprint: str, now: datetime) -> Source:
    return Source(
        id=file_id(entry),
        uri=entry.uri,
        root=entry.root.alias,
        path=entry.path.relative_to(entry.root.folder).as_posix(),
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


def untouched(source: Source, entry: scanning.Found) -> bool:
    """Whether size and time alone prove that the file is as it was."""
    settled = source.recorded_at - preparing.utc(source.mtime_ns / 1e9) > RACY
    return settled and source.size == entry.size and source.mtime_ns == entry.mtime_ns


def same(held: Source | None, fresh: Source) -> bool:
    return (
        held is not None
        and held.removed_at is None
        and held.sha256 == fresh.sha256
        and held.fingerprint == fresh.fingerprint
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
