"""Sync on search: before a query is asked, the index is brought in step with the disk, as far as that takes moments.

Files that are gone leave, the words of those that are new or changed are written at once, their vectors follow in the
background. One process does so at a time; no search waits for another one, nor long for its own.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from jupyter_memo.ingest import changes, prepare, scan, unread
from jupyter_memo.ingest.asked import Asked
from jupyter_memo.ingest.changes import Changes, Known
from jupyter_memo.ingest.index import Run
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.ingest.watch import Watch, watchable
from jupyter_memo.records import Source
from jupyter_memo.response import IndexReport, SourceReport, Synced
from jupyter_memo.store.lance import Store
from jupyter_memo.text.paths import pathless

EVERY_TIME_FILES = 1500
"""So many files are looked at before every search: some 20 ms on a local disk, and nothing can be missed."""

EVERY_TIME_SECONDS = 0.25
"""Unless that takes longer than this, on a slow disk."""

UNWATCHED_SECONDS = 2.0
"""How long a longer look is trusted where no watch tells what happens."""

REASONS = 3
"""So many files are named below the results."""

WATCHED_SECONDS = 60.0
"""How long it is trusted where a watch does: it may miss what happens at the very moment of a search."""


Stamp = tuple[int, int, int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at the disk: what it was compared with, what differs, which asked folders are not there, which paths
    (by uri) this account never asked for, and the paths that were looked at, but for the files that are as an earlier
    look had left them."""

    known: Known
    differing: Changes
    missing: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    places: tuple[Path, ...] = ()
    passed: frozenset[str] = frozenset()


class Sync:
    """Keeps a store in step with what was asked to be indexed. All coroutines run on the loop of the store.

    `run` makes the run that writes (without a model), `roots` and `asked` say where to look, `rules` what is left out,
    `strange` which paths are not to be followed here, `fill` brings vectors later. `wait_seconds`: how long a search
    waits for it. Failures are told in `Synced.note`, and the next search tries again.
    """

    def __init__(
        self,
        *,
        store: Store,
        run: Callable[[], Awaitable[Run]],
        roots: Callable[[], Awaitable[Roots]],
        asked: Callable[[], Awaitable[Asked]],
        rules: Callable[[], scan.Rules],
        strange: Callable[[tuple[Path, ...]], tuple[Path, ...]],
        fill: Callable[[], Awaitable[None]],
        wait_seconds: float,
        watch: bool,
    ) -> None:
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="jupyter_memo-sync")
        self._store = store
        self._run = run
        self._roots = roots
        self._asked = asked
        self._rules = rules
        self._strange = strange
        self._fill = fill
        self._wait_seconds = wait_seconds
        self._watching = watch
        self._watch: Watch | None = None
        self._again = True
        self._quick = False
        self._looked = self._deadline = 0.0
        self._missing: tuple[str, ...] = ()
        self._others: tuple[str, ...] = ()
        self._passed: dict[str, Stamp] = {}
        self._reasons: dict[str, str] = {}
        self._bringing: asyncio.Task[Synced] | None = None
        self._filling: asyncio.Task[None] | None = None

    @property
    def filling(self) -> bool:
        """Whether vectors are on their way."""
        return self._filling is not None and not self._filling.done()

    async def before(self) -> Synced | None:
        """Bring the index in step; None where there is nothing to be kept in step (no folder, or read-only)."""
        if self._store.read_only:
            return None
        began = time.perf_counter()
        if self._bringing is None or self._bringing.done():
            told = await self._asked()
            if not told.entries:
                return None
            self._bringing = asyncio.create_task(self._bring(told, began))
            self._deadline = began + self._wait_seconds
        # Searches that come while it goes on wait no longer than the one that began it.
        await asyncio.wait({self._bringing}, timeout=max(0.0, self._deadline - time.perf_counter()))
        if self._bringing.done():
            return self._bringing.result()
        note = "Many files changed. Bringing the index up to date goes on while you search."
        return Synced(ms=1000 * (time.perf_counter() - began), note=note, ran=False)

    def close(self) -> None:
        """Stop watching."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        if self._watch is not None:
            self._watch.close()

    async def _bring(self, told: Asked, began: float) -> Synced:
        """Never raises: a search answers with what there is."""
        ran = True
        try:
            report, note = await self._step(told)
        except _BusyError as busy:
            self._again, ran = True, False
            report, note = None, str(busy)
        except Exception as error:  # whatever it is, there is an index to be asked
            self._again, ran = True, False
            report, note = None, f"The index could not be brought up to date: {pathless(str(error))}"
        changed = removed = pending = passages = 0
        if report is not None:
            changed = sum(source.status == "indexed" for source in report.sources)
            removed = sum(source.status == "removed" for source in report.sources)
            passages, pending = report.added, report.pending
            if pending and not self.filling:
                self._filling = asyncio.create_task(self._filled())
        return Synced(
            changed=changed,
            removed=removed,
            passages=passages,
            pending=pending,
            ms=1000 * (time.perf_counter() - began),
            note=note,
            ran=ran,
        )

    async def _step(self, told: Asked) -> tuple[IndexReport | None, str]:
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(self.pool, self._due):
            return None, self._standing()
        began, self._again = time.perf_counter(), False
        roots, files = await self._roots(), await self._store.files()
        look = await loop.run_in_executor(self.pool, self._look, told, roots, files)
        self._looked, self._missing, self._others = began, look.missing, look.others
        report = None
        if look.differing:
            async with self._store.alone() as only:
                if not only:
                    number = len(look.differing.fresh) + len(look.differing.gone)
                    raise _BusyError(
                        f"{_files(number)} changed, but another run is indexing. Search again in a moment."
                    )
                report = await self._written(told, roots, look)
        await self._tell_of_unread(report or IndexReport(), roots, look)
        # Said once: it is nothing that a reader would mend.
        sources = report.sources if report else ()
        held = (source for source in sources if source.withheld)
        said = (f"Not all of {source.uri} is indexed: {source.reason}." for source in islice(held, REASONS))
        news = _news(look)
        lost = (source for source in sources if source.status == "failed" and not source.kept and source.uri in news)
        return report, " ".join(filter(None, (self._standing(), *map(_unread, islice(lost, REASONS)), *said)))

    async def _written(self, told: Asked, roots: Roots, look: Look) -> IndexReport:
        def said(entry: scan.Found, held: Source | None) -> prepare.Options:
            return prepare.options_of(held.fingerprint) if held else told.options(entry, prepare.Options())

        run = dataclasses.replace(await self._run(), pool=self.pool)
        differing = dataclasses.replace(look.differing, same=(), settled=(), skipped=())
        report = await run.bring(differing, look.known, said, time.perf_counter())
        entries = {entry.uri: entry for entry in look.differing.fresh}
        failed = [source for source in report.sources if source.status == "failed" and source.uri in entries]
        for source in failed:
            entry = entries[source.uri]
            self._passed[source.uri] = _stamp(entry, look.known.live(entry))
        told_of = {*entries, *(look.known.by_id[id].uri for id in look.differing.gone)}
        self._reasons = {uri: reason for uri, reason in self._reasons.items() if uri not in told_of}
        # What is older than its file answers searches: that is said as long as it is so.
        self._reasons |= {source.uri: _unread(source) for source in failed if source.kept}
        return report

    async def _tell_of_unread(self, report: IndexReport, roots: Roots, look: Look) -> None:
        """Keep the list of files that could not be read in step as well: also what a run has put there meanwhile. The
        store reads it once until something is written, so most searches cost nothing by it."""
        found = unread.of(report, look.differing.skipped)
        if not found and not (await unread.load(self._store)).entries:
            return
        apart = unread.outside(roots, look.places)

        def still(uri: str) -> bool:
            return uri in look.passed or apart(uri)

        await unread.keep(self._store, found.items(), still)

    def _standing(self) -> str:
        """What stands in the way of being in step, in words; empty when nothing does."""
        gone = [
            f"The folder {name} is not there. What was indexed of it is kept; if it is gone for good, index it again."
            for name in self._missing
        ]
        others = [
            f"{name} was indexed from elsewhere and is not followed here. Index it yourself if it should be."
            for name in islice(self._others, REASONS)
        ]
        return " ".join((*gone, *others, *islice(self._reasons.values(), REASONS)))

    def _due(self) -> bool:
        """Whether it is time to look at the disk."""
        if self._again or self._quick:
            return True
        age = time.perf_counter() - self._looked
        if self._watch is None:
            return age >= UNWATCHED_SECONDS
        return self._watch.happened() or age >= WATCHED_SECONDS

    def _look(self, told: Asked, roots: Roots, files: list[Source]) -> Look:
        began = time.perf_counter()
        places, missing = _places(told, roots)
        strange = dict.fromkeys(self._strange(places))
        places = tuple(place for place in places if place not in strange)
        there = tuple(place for place in places if place.exists())
        found = scan.scan(there, roots, self._rules())
        known = Known(files)
        differing = changes.compare(
            found,
            known,
            roots=roots,
            paths=places,
            stamp=None,
            now=datetime.now(UTC),
            passed=lambda entry, held: self._passed.get(entry.uri) == _stamp(entry, held),
        )
        # A file whose bytes were compared need not be read before every search until somebody writes its new time.
        settled = {source.uri for source in differing.settled}
        self._passed |= {entry.uri: _stamp(entry, known.live(entry)) for entry in found.found if entry.uri in settled}
        # A file that is as it was when it could not be read: not gone, not written anew, not read by another process.
        still = {entry.uri for entry in found.found if self._passed.get(entry.uri) == _stamp(entry, known.live(entry))}
        self._reasons = {uri: reason for uri, reason in self._reasons.items() if uri in still}
        quick = time.perf_counter() - began <= EVERY_TIME_SECONDS
        self._quick = quick and len(found.found) + len(found.skipped) <= EVERY_TIME_FILES
        if not self._quick:
            self._begin_watching(there)
        looked_at = {source.uri for source in differing.same} | {entry.uri for entry in differing.fresh}
        passed = frozenset(entry.uri for entry in found.found if entry.uri not in looked_at)
        others = tuple(map(roots.uri, strange))
        return Look(known=known, differing=differing, missing=missing, others=others, places=places, passed=passed)

    def _begin_watching(self, places: tuple[Path, ...]) -> None:
        # Editors replace a file to save it: what is watched of one file is its folder.
        folders = tuple(sorted({place if place.is_dir() else place.parent for place in places}))
        if not self._watching or (self._watch is not None and self._watch.folders == folders):
            return
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        if not watchable(folders):
            self._watching = False
            return
        try:
            self._watch = Watch(folders)
            # What happened between the look and the watch is not heard of: the next search looks once more.
            self._again = True
        except (OSError, RuntimeError):  # too many folders for this system: looking every so often is all there is
            self._watching = False

    async def _filled(self) -> None:
        await self._fill()


def _places(told: Asked, roots: Roots) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """The asked paths to look at, and the roots that are not there: those may lie on a disk that is not plugged in. A
    path that is gone from a root that is there is gone."""
    places: list[Path] = []
    missing: list[str] = []
    for ask in told.entries:
        root, place = roots.path(ask.root, ""), roots.path(ask.root, ask.path)
        if root is None or place is None:
            continue
        if root.is_dir():
            places.append(place)
        elif ask.root not in missing:
            missing.append(ask.root)
    return tuple(places), tuple(missing)


def _stamp(entry: scan.Found, held: Source | None) -> Stamp:
    """A file as it is now, and what the index holds at its place."""
    return entry.size, entry.mtime_ns, entry.ctime_ns, held.sha256 if held else ""


class _BusyError(Exception):
    """Another run is indexing, so what changed is not followed now."""


def _news(look: Look) -> set[str]:
    """The uris of files that came or changed since anything was written: the report of a run told of those before."""
    written = max((source.recorded_at.timestamp() for source in look.known.by_id.values()), default=0.0)
    late = {entry.uri for entry in look.differing.fresh if max(entry.ctime_ns, entry.mtime_ns) > 1e9 * written}
    return late | set(look.differing.moved)


def _unread(source: SourceReport) -> str:
    return f"Could not read {source.uri}: {source.reason.rstrip('.')}."


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number:,} files"
