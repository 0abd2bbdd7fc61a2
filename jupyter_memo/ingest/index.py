"""One index run: scan, compare, parse, embed what is new, write whole sources in small committed batches."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import time
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ParamSpec, TypeVar

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.ingest import prepare as preparing
from jupyter_memo.ingest import scan as scanning
from jupyter_memo.ingest import standing
from jupyter_memo.ingest.commit import Committer
from jupyter_memo.ingest.prepare import Options, Prepared, Reading
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.ingest.tally import Tally
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.records import Source
from jupyter_memo.response import IndexReport, SourceReport
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey

Progress = Callable[[int, int, str], None]

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
        self, paths: tuple[Path, ...], roots: Roots, rules: scanning.Rules, options: Options
    ) -> IndexReport:
        """Index files and folders (absolute paths). Sources below them that are gone from the disk leave the index."""
        began = time.perf_counter()
        found = await self._off(scanning.scan, paths, roots, rules)
        known = {source.id: source for source in await self.store.sources() if source.surface == "file"}
        tally = Tally(hints=list(self.hints))
        tally.sources.extend(
            SourceReport(uri=entry.uri, status="skipped", reason=entry.reason) for entry in found.skipped
        )
        prepared = self._prepared_files(found.found, known, options, tally)
        await self._committer.write(prepared, tally)
        seen = {standing.file_id(entry) for entry in found.found}
        skipped = {entry.uri: entry for entry in found.skipped}
        gone = {
            source.id: reason
            for source in known.values()
            if source.id not in seen and source.removed_at is None and standing.below(source, roots, paths)
            if (reason := standing.why_gone(source, skipped)) is not None
        }
        await self._committer.remove(gone, known, tally)
        return tally.report(time.perf_counter() - began, dry_run=self.dry_run)

    async def records(self, items: Iterable[tuple[Source, Prepared]]) -> IndexReport:
        """Index records, prepared as they are iterated; an unchanged one (same content, same options) is left alone.
        Of several with one id the last counts."""
        began = time.perf_counter()
        given = await self._off(list, items)
        last = {source.id: number for number, (source, _) in enumerate(given)}
        listed = [each for number, each in enumerate(given) if last[each[0].id] == number]
        known = {source.id: source for source in await self.store.sources()}
        tally = Tally(hints=list(self.hints))

        tally.sources.extend(
            SourceReport(uri=source.uri, status="skipped", reason="given again further on; the last one counts")
            for number, (source, _) in enumerate(given)
            if last[source.id] != number
        )

        async def changed() -> AsyncIterator[Prepared]:
            for source, prepared in listed:
                if standing.same(known.get(source.id), source):
                    tally.sources.append(
                        SourceReport(uri=source.uri, status="unchanged", kept=known[source.id].passages)
                    )
                else:
                    yield prepared

        await self._committer.write(changed(), tally)
        return tally.report(time.perf_counter() - began, dry_run=self.dry_run)

    async def _prepared_files(
        self, entries: tuple[scanning.Found, ...], known: dict[str, Source], options: Options, tally: Tally
    ) -> AsyncIterator[Prepared]:
        for number, entry in enumerate(entries):
            if self.progress:
                self.progress(number, len(entries), entry.uri)
            held = known.get(standing.file_id(entry))
            live = held if held is not None and held.removed_at is None else None
            asked = options.over(preparing.options_of(held.fingerprint)) if held else options
            fingerprint = self.reading.fingerprint(asked, entry.uri)
            if live and live.fingerprint == fingerprint and standing.untouched(live, entry):
                tally.sources.append(SourceReport(uri=entry.uri, status="unchanged", kept=live.passages))
                continue
            try:
                data = await self._off(standing.read, entry)
                digest = hashlib.sha256(data).hexdigest()
                if live and live.fingerprint == fingerprint and live.sha256 == digest:
                    tally.sources.append(SourceReport(uri=entry.uri, status="unchanged", kept=live.passages))
                    continue
                source = standing.source(entry, digest, fingerprint, self.now)
                yield await self._off(self._parse, entry, data, source, asked)
            except IngestError as error:
                kept = live.passages if live else 0
                reason = str(error) + (" The passages indexed before are kept." if kept else "")
                tally.sources.append(SourceReport(uri=entry.uri, status="failed", reason=reason, kept=kept))
        if self.progress:
            self.progress(len(entries), len(entries), "")

    def _parse(self, entry: scanning.Found, data: bytes, source: Source, options: Options) -> Prepared:
        try:
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
