"""One index run: scan, compare, parse, embed what is new, write whole sources in small committed batches."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import ParamSpec, TypeVar

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.ingest import changes, secrets, standing, unread
from jupyter_memo.ingest import prepare as preparing
from jupyter_memo.ingest import scan as scanning
from jupyter_memo.ingest.arriving import Arriving
from jupyter_memo.ingest.asked import Asked
from jupyter_memo.ingest.changes import Changes, Known
from jupyter_memo.ingest.commit import Committer
from jupyter_memo.ingest.prepare import Options, Prepared, Reading
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.ingest.tally import Tally, unchanged
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.records import Source
from jupyter_memo.response import IndexReport, SourceReport
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey

Progress = Callable[[int, int, str], None]

Said = Callable[[scanning.Found, Source | None], Options]

TELL_SECONDS = 0.1
"""The least time between two words on how far a run over records is: a thousand pass in that time, and who listens must
keep up."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Everything one run works with. `embedder` None leaves vectors out: words find the passages all the same.

    `wants_vectors` says whether they are to follow later (a model is set but not there yet). `pool` runs the model and
    the parsing off the event loop. `hints` go into the report.
    """

    store: Store
    embedder: Embedder | None
    key: ModelKey | None
    reading: Reading
    now: datetime
    pool: ThreadPoolExecutor
    progress: Progress | None = None
    dry_run: bool = False
    wants_vectors: bool = True
    hints: tuple[str, ...] = ()

    async def files(
        self, paths: tuple[Path, ...], roots: Roots, rules: scanning.Rules, options: Options, asked: Asked
    ) -> IndexReport:
        """Index files and folders (absolute paths). Sources below them that are gone from the disk leave the index.
        `asked` says what was told earlier of the folders that a new file lies in."""
        began = time.perf_counter()
        known = Known(await self.store.files())

        def said(entry: scanning.Found, held: Source | None) -> Options:
            return options.over(preparing.options_of(held.fingerprint)) if held else asked.options(entry, options)

        def look() -> Changes:
            # A path that is gone, but was indexed, is asked about to take it out.
            held = [path for path in paths if not path.exists() and known.any_below(roots, path)]
            return changes.compare(
                scanning.scan(tuple(path for path in paths if path not in held), roots, rules),
                known,
                roots=roots,
                paths=paths,
                stamp=lambda entry, held: self.reading.fingerprint(said(entry, held), entry.uri),
                now=self.now,
            )

        differing = await self._off(look)
        report = await self.bring(differing, known, said, began)
        if not self.dry_run:
            await unread.keep(self.store, unread.of(report, differing.skipped).items(), unread.outside(roots, paths))
        return report

    async def bring(self, differing: Changes, known: Known, said: Said, began: float) -> IndexReport:
        """Bring the index in step with what differs: what is gone leaves first, so that nothing is there twice.

        `said` gives the options of a file, and of the source it is known as. Counting began at `began`, in seconds of
        `time.perf_counter`.
        """
        tally = Tally(hints=list(self.hints))
        done, total = count(len(differing.same) + 1), len(differing.same) + len(differing.fresh)

        def tell(uri: str) -> None:
            if self.progress:
                self.progress(next(done), total, uri)

        if self.progress:
            self.progress(len(differing.same), total, "")
        for entry in differing.skipped:
            tally.sources.append(SourceReport(uri=entry.uri, status="skipped", reason=entry.reason))
        for source in differing.same:
            tally.sources.append(unchanged(source))
        await self._committer.remove(differing.gone, known.by_id, tally)
        lost: dict[str, str] = {}
        committer = dataclasses.replace(self._committer, tell=tell)
        await committer.write(self._prepared_files(differing, known, said, tally, lost, tell), tally)
        await self._committer.remove(lost, known.by_id, tally)
        if self.progress:
            self.progress(total, total, "")
        if differing.settled and not self.dry_run:
            await self._settle(differing.settled)
        return tally.report(time.perf_counter() - began, dry_run=self.dry_run)

    async def records(self, items: Iterator[tuple[Source, Prepared]], number: int = 0) -> IndexReport:
        """Index records, prepared as they are iterated; an unchanged one (same content, same options) is left alone.
        Of several with one id the last counts. Takes no more room for a million records than for some thousand.
        `number` is how many there are, 0 where nobody knows."""
        began = time.perf_counter()
        tally = Tally(hints=list(self.hints))
        done, told = 0, time.monotonic()

        def tell(uri: str) -> None:
            nonlocal done, told
            done += 1
            if self.progress and (now := time.monotonic()) - told >= TELL_SECONDS:
                told = now
                self.progress(done, number, uri)

        if self.progress:
            self.progress(0, number, "")
        arriving = Arriving(self.store, items, self.now, self._off, tell)
        committer = dataclasses.replace(self._committer, tell=tell)
        try:
            await committer.write(arriving.changed(tally), tally)
        finally:
            arriving.stop()
        if self.progress:
            self.progress(done, done, "")
        return tally.report(time.perf_counter() - began, dry_run=self.dry_run)

    async def _prepared_files(
        self,
        differing: Changes,
        known: Known,
        said: Said,
        tally: Tally,
        lost: dict[str, str],
        tell: Callable[[str], None],
    ) -> AsyncIterator[Prepared]:
        """Puts into `lost` (id -> why) what cannot be read under the name its file has now, and tells of failures."""
        taken = {source.id for source in differing.moved.values()}
        for entry in differing.fresh:
            held = differing.moved.get(entry.uri) or known.at(entry)
            if entry.uri not in differing.moved and held is not None and held.id in taken:
                held = None  # what stood here is now known to be elsewhere
            live = held if held is not None and held.removed_at is None else None
            options = said(entry, held)
            fingerprint = self.reading.fingerprint(options, entry.uri)
            try:
                data = await self._off(standing.read, entry)
                digest = standing.sha256(data)
                id = held.id if held else known.new_id(entry)
                source = standing.source(entry, id, digest, fingerprint, self.now)
                yield await self._off(self._parse, entry, data, source, options)
            except IngestError as error:
                if live and entry.uri in differing.moved:
                    lost[live.id] = f"it is called {entry.uri} now, and cannot be read as that"
                    live = None
                kept = live.passages if live else 0
                reason = str(error) + (" The passages indexed before are kept." if kept else "")
                tally.sources.append(SourceReport(uri=entry.uri, status="failed", reason=reason, kept=kept))
                tell(entry.uri)

    async def _settle(self, sources: tuple[Source, ...]) -> None:
        """Keep the present times of files whose bytes were compared, so that the next run need not compare them."""
        run_id = uuid.uuid4().hex
        async with self.store.writing():
            await self.store.begin(run_id)
            await self.store.put_sources([dataclasses.replace(source, run_id=run_id) for source in sources])
            await self.store.commit(run_id)

    def _parse(self, entry: scanning.Found, data: bytes, source: Source, options: Options) -> Prepared:
        try:
            if preparing.checks_secrets(source, options, self.reading.labels) and (why := secrets.by_name(entry.uri)):
                return preparing.unread(source, why)
            parsed = registry.parse(
                entry.uri,
                data,
                count_tokens=self.reading.count_tokens,
                max_tokens=self.reading.max_tokens,
                target_tokens=self.reading.target_tokens,
            )
            return preparing.prepare(
                parsed,
                source,
                options,
                count_tokens=self.reading.count_tokens,
                now=self.now,
                dated=preparing.utc(entry.mtime_ns / 1e9),
                labels=self.reading.labels,
            )
        except IngestError:
            raise
        except Exception as error:  # one odd file must never stop a run, nor vanish from its report
            message = f"it could not be read: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
            raise IngestError(message, uri=entry.uri, stage="chunk") from error

    @property
    def _committer(self) -> Committer:
        return Committer(
            store=self.store,
            embedder=self.embedder,
            key=self.key,
            now=self.now,
            pool=self.pool,
            dry_run=self.dry_run,
            wants_vectors=self.wants_vectors,
        )

    async def _off(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.pool, functools.partial(work, *args, **kwargs))
