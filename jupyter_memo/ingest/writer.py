"""What is done to a store: indexing, adding, back-filling and upkeep, with the model the engine opened."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jupyter_memo.config import STORE_FOLDER, IndexSettings
from jupyter_memo.errors import MemoError, ModelError, QueryError
from jupyter_memo.ingest import absent, asked, backfill, given, keywords, labels, roots, scan, unread, upkeep
from jupyter_memo.ingest.asked import Asked
from jupyter_memo.ingest.followed import Followed
from jupyter_memo.ingest.index import Run
from jupyter_memo.ingest.prepare import Options, Reading
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.ingest.withholding import withheld
from jupyter_memo.models import Door, Embedder
from jupyter_memo.records import Judgement
from jupyter_memo.response import IndexReport, Result, SearchResponse, Upkeep
from jupyter_memo.store.judgements import latest
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey
from jupyter_memo.text.paths import pathless
from jupyter_memo.text.words import rough_tokens

Progress = Callable[[int, int, str], None]

NO_PATH = "name at least one file or folder to index; the working folder is ."

DEFAULT_WINDOW_TOKENS = 254
"""The window passages are cut for when no model is at hand: that of the default model, so that it can follow later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """The writing half of an engine. All coroutines run on the loop that opened the store.

    `model` is what messages call the model, `key_of` gives the vector space of one; `pool` runs parsing and embedding
    off the loop; `followed` is told what was indexed from here.
    """

    store: Store
    door: Door
    settings: IndexSettings
    model: str
    key_of: Callable[[Embedder], ModelKey]
    pool: ThreadPoolExecutor
    followed: Followed

    async def index(
        self, paths: tuple[str | Path, ...], options: Options, dry_run: bool, progress: Progress | None
    ) -> IndexReport:
        """`Memo.index`. Raises QueryError when no path is named."""
        named = tuple(map(_absolute, paths))
        if not named:
            raise QueryError(NO_PATH)
        gone = tuple(path for path in named if not os.path.exists(path))  # noqa: PTH110 (not there: also a wrong name)
        await self.store.in_place(create=not dry_run)
        run = await self._run(dry_run, progress)
        if dry_run:
            known = await self._roots_with(named)
            return await run.files(named, known, self.rules(), options, await self.asked())
        # Before the first file, and under the lock: a second run that starts meanwhile must see these roots, and an
        # interrupted one must leave them, or two folders could share one alias.
        before = await self.roots()
        for path in gone:
            # What is gone from a folder that is known leaves the index; anything else is a slip, and leaves no trace.
            if not any(path.is_relative_to(root.folder) for root in before.entries):
                raise QueryError(f"there is no file or folder at {scan.short(path)}. Check the spelling")
        async with self.store.writing():
            known = await self._roots_with(named)
            await self.store.set_meta("roots", known.dumps())
            there = tuple(path for path in named if path not in gone)
            told = (await self.asked()).without(gone, known).including(there, known, options)
            await self.store.set_meta("asked", told.dumps())
            self.followed.note(there)
        async with self.store.alone() as _:  # a search meanwhile leaves the disk to this run
            report = await run.files(named, known, self.rules(), options, told)
        async with self.store.writing():
            await self.store.optimize()
        return report

    async def add(self, records: Any, options: Options, dry_run: bool, progress: Progress | None) -> IndexReport:
        """`Memo.add`. Raises QueryError for a record without text."""
        await self.store.in_place(create=not dry_run)
        run = await self._run(dry_run, progress)
        report = await run.records(given.prepared(records, options, run.reading, run.now), given.number(records))
        if not dry_run:
            async with self.store.writing():
                await self.store.optimize()
        return report

    async def backfill(self, progress: Progress | None) -> int:
        """`Memo.backfill`. Raises ModelError when there is no model, or it fails."""
        self.door.retry()
        embedder = await self.door.ready()
        if embedder is None:
            if self.door.state == "absent":
                raise ModelError('no embedding model is set. Open the store with embedder="minilm" to have vectors')
            raise ModelError(f"{self.model} failed to load: {self.door.error}")
        return await backfill.run(self.store, embedder, self.key_of(embedder), pool=self.pool, progress=progress)

    async def fill_when_ready(self) -> None:
        """At open: passages written while no model was there get their vectors, quietly, once it is."""
        embedder = await self.door.ready()
        if embedder is None:
            return
        key = self.key_of(embedder)
        # A locked store or a failing model is told by the next search; nobody waits for this.
        with contextlib.suppress(MemoError):
            if (await self.store.counts(key))["without_vectors"]:
                await backfill.run(self.store, embedder, key, pool=self.pool)

    async def optimize(self) -> None:
        """`Memo.optimize`."""
        async with self.store.writing():
            await self.store.optimize(force=True)

    async def maintain(self, history_days: float | None) -> Upkeep:
        """`Memo.maintain`."""
        return await upkeep.maintain(self.store, self.settings.history_days if history_days is None else history_days)

    async def purge(self, targets: tuple[str, ...], dry_run: bool) -> Upkeep:
        """`Memo.purge`."""
        return await upkeep.purge(self.store, targets, await self.roots(), dry_run=dry_run)

    async def judge(self, query: str | SearchResponse, id: str | int | Result, grade: int, user: str) -> Judgement:
        """`Memo.judge`. Raises QueryError for a passage or rank that is not there."""
        response = query if isinstance(query, SearchResponse) else None
        if isinstance(id, int):
            if response is None:
                raise QueryError("a rank needs the response it stands in. Give that instead of its query, or an id")
            id = response.at(id)
        wanted = id.passage.id if isinstance(id, Result) else id
        row = (await self.store.fetch((wanted,))).get(wanted)
        if row is None:
            raise QueryError(f"no passage here has the id {wanted!r}. Take it from a result: result.passage.id")
        judgement = Judgement(
            query=response.query if response else str(query),
            id=wanted,
            grade=grade,
            uri=row.passage.uri,
            source_id=row.passage.source_id,
            user=user,
            at=datetime.now(UTC),
            index_version=response.trace.index_version if response else (await self.store.snapshot()).version,
            response=response.hash if response else "",
        )
        async with self.store.writing():
            await self.store.judge(judgement)
        return judgement

    async def judgements(self, history: bool) -> tuple[Judgement, ...]:
        """`Memo.judgements`."""
        found = await self.store.judgements()
        return tuple(found) if history else latest(found)

    async def roots(self) -> Roots:
        """The folders the store reads from; the one a store in `.memo` lies in needs no alias."""
        folder = Path(self.store.path)
        home = folder.parent if folder.name == STORE_FOLDER else None
        return roots.loads(await self.store.get_meta("roots"), home)

    async def asked(self) -> Asked:
        """What was asked to be indexed so far."""
        return asked.loads(await self.store.get_meta("asked"))

    async def uri_of(self, target: str) -> str:
        """The uri of a path as a person types it; the text itself where it is no path of an indexed folder."""
        return absent.uri_of(target, await self.roots())

    async def withheld(self) -> tuple[int, int]:
        """How many passages are held back because they look like secrets, and of how many sources."""
        told = (withheld(source.fingerprint)[0] for source in await self.store.sources() if source.removed_at is None)
        held = [number for number in told if number]
        return sum(held), len(held)

    async def why_absent(self, target: str) -> absent.Absent:
        """Why no source of that name is in the index. Walks the folder it would lie in, off the loop."""
        known = await self.roots()
        failed = dict((await unread.load(self.store)).entries)
        told = await asyncio.get_running_loop().run_in_executor(
            self.pool, absent.why, target, known, self.rules(), failed
        )
        for source in await self.store.files() if told.uri else ():
            held, reason = withheld(source.fingerprint)
            if held and source.uri == told.uri and source.removed_at is None:
                return dataclasses.replace(told, reason=reason, cure=f"{told.cure or '%memo_index'} --allow-secrets")
        return told

    async def _roots_with(self, paths: tuple[Path, ...]) -> Roots:
        known = await self.roots()
        held: dict[str, list[tuple[str, int]]] = {}
        for source in await self.store.sources():
            if source.surface == "file" and source.removed_at is None:
                held.setdefault(source.root, []).append((source.path, source.size))
        for path in paths:
            if path.exists():
                known = known.including(path, held)
        return known

    async def run_of_words(self, wait_seconds: float) -> Run:
        """What a sync works with: the words now, the vectors later. The model, awaited so long, only counts tokens."""
        run = self._made(await self.door.ready(wait_seconds), dry_run=False, progress=None)
        return dataclasses.replace(run, embedder=None, hints=())

    async def _run(self, dry_run: bool, progress: Progress | None) -> Run:
        """What an index run works with; it waits for a model that is loading, for a vector now spares a back-fill."""
        if not dry_run:
            self.store.check_writable()
        self.door.retry()
        return self._made(await self.door.ready(), dry_run=dry_run, progress=progress)

    def _made(self, embedder: Embedder | None, *, dry_run: bool, progress: Progress | None) -> Run:
        if self.settings.keywords:
            keywords.check()
        wanted = self.door.state != "absent"
        hints: tuple[str, ...] = ()
        if embedder is None and wanted:
            hints = (f"{self.model} failed to load ({pathless(self.door.error)}). Words find these passages.",)
        return Run(
            store=self.store,
            embedder=None if dry_run else embedder,
            key=self.key_of(embedder) if embedder else None,
            reading=Reading(
                count_tokens=embedder.count_tokens if embedder else rough_tokens,
                max_tokens=embedder.max_tokens if embedder else DEFAULT_WINDOW_TOKENS,
                target_tokens=self.settings.target_chunk_tokens,
                labels=labels.of(self.settings),
            ),
            now=datetime.now(UTC),
            pool=self.pool,
            progress=progress,
            dry_run=dry_run,
            wants_vectors=wanted,
            hints=hints,
        )

    def rules(self) -> scan.Rules:
        """What a scan leaves out."""
        return scan.Rules(max_bytes=int(self.settings.max_megabytes * 2**20), ignore=self.settings.ignore)


def _absolute(path: object) -> Path:
    """A path as it was named, from the root on. Raises QueryError for what is none."""
    if not isinstance(path, str | os.PathLike):
        raise QueryError(f"a path is a text, not a {type(path).__name__}. Name several one after the other")
    if not str(path).strip():
        raise QueryError(NO_PATH)
    try:
        return Path(os.path.abspath(Path(path).expanduser()))
    except (RuntimeError, TypeError) as error:
        raise QueryError(f"there is no such home folder as in {path}. Write the whole path") from error
