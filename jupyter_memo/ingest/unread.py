"""Which files could not be read, and why: kept beside the index until they are mended or gone, for its status to tell.

A report of an index run tells it too, and is gone with its cell.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from jupyter_memo.ingest.roots import Roots
from jupyter_memo.ingest.scan import Skipped
from jupyter_memo.response import IndexReport, SourceReport
from jupyter_memo.store.lance import Store
from jupyter_memo.text.paths import pathless

KEY = "unread"

KEPT = 5000
"""Files that are kept by name, some 100 bytes each; of more, the rest is counted."""

TOLD = 20
"""Files that a status names."""

REASON_CHARACTERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """(uri, reason) of each file, by uri, and how many more there were than are kept."""

    entries: tuple[tuple[str, str], ...] = ()
    more: int = 0

    @property
    def total(self) -> int:
        """How many files there are."""
        return len(self.entries) + self.more

    def told(self) -> tuple[SourceReport, ...]:
        """The first of them as a report names them."""
        return tuple(SourceReport(uri=uri, status="failed", reason=reason) for uri, reason in self.entries[:TOLD])

    def after(self, found: Iterable[tuple[str, str]], still: Callable[[str], bool]) -> Unread:
        """These after a look at the disk that `found` what cannot be read; `still` says of a uri that it was not looked
        at. What is not kept by name was looked at with the others, or is counted no longer."""
        entries = sorted(({uri: why for uri, why in self.entries if still(uri)} | dict(found)).items())
        return Unread(entries=tuple(entries[:KEPT]), more=max(0, len(entries) - KEPT))

    def dumps(self) -> str:
        """As JSON."""
        return json.dumps({"more": self.more, "files": self.entries})


def loads(text: str | None) -> Unread:
    """What `dumps` wrote; nothing, where that cannot be read: the next run finds it again."""
    try:
        found = json.loads(text or "{}")
        entries = tuple((str(uri), str(reason)) for uri, reason in found.get("files", ()))
        return Unread(entries=entries, more=int(found.get("more", 0)))
    except (AttributeError, ValueError, TypeError, RecursionError):
        return Unread()


async def load(store: Store) -> Unread:
    """What is kept of them in a store."""
    return loads(await store.get_meta(KEY))


async def keep(store: Store, found: Iterable[tuple[str, str]], still: Callable[[str], bool]) -> Unread:
    """Take over what a look at the disk found; writes only where that is news."""
    found = tuple(found)
    before = await load(store)
    if (now := before.after(found, still)) == before:
        return now
    async with store.writing():
        now = (await load(store)).after(found, still)
        await store.set_meta(KEY, now.dumps())
    return now


def of(report: IndexReport, skipped: Iterable[Skipped]) -> dict[str, str]:
    """uri -> reason of the files that failed in a run, and of what a scan was not let into."""
    found = {source.uri: source.reason for source in report.sources if source.status == "failed"}
    found |= {entry.uri: entry.reason for entry in skipped if entry.unreadable}
    return {uri: pathless(reason)[:REASON_CHARACTERS] for uri, reason in found.items()}


def outside(roots: Roots, paths: Iterable[Path]) -> Callable[[str], bool]:
    """Whether a uri lies at or below none of some absolute paths."""
    asked = frozenset(paths)
    aliases = {root.alias for root in roots.entries}

    def apart(uri: str) -> bool:
        alias, _, below = uri.rstrip("/").partition("/")
        place = roots.path(alias, below) if alias in aliases else roots.path("", uri.rstrip("/"))
        return place is not None and asked.isdisjoint((place, *place.parents))

    return apart
