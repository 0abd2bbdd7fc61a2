"""The store: one LanceDB database, opened once and kept open.

Readers see whole runs only. `snapshot` names the runs that are open and a version of the passages that goes with
them; a reader that hands this version to its reads sees one state through a whole search, whatever is written
meanwhile. Without a version a read sees the newest state."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from lancedb.table import AsyncTable

from jupyter_memo.errors import StoreError
from jupyter_memo.query import Scope
from jupyter_memo.records import Judgement, Passage, Source
from jupyter_memo.store import (
    access,
    apart,
    facets,
    filters,
    history,
    indexes,
    judgements,
    match,
    memory,
    meta,
    opening,
    reads,
    terms,
    writes,
)
from jupyter_memo.store.facets import Facets
from jupyter_memo.store.lock import RUN, exclusive, turn
from jupyter_memo.store.opening import told, unbroken
from jupyter_memo.store.place import Place
from jupyter_memo.store.seen import Seen
from jupyter_memo.store.tables import ModelKey, Row, Vector, sources_of, vector_columns
from jupyter_memo.text.plan import QueryPlan

T = TypeVar("T")

_WRITING: ContextVar[bool] = ContextVar("writing", default=False)
"""Whether this task is within `Store.writing`."""

LOCK_TIMEOUT_SECONDS = 60.0
"""How long a writer waits for another: no write holds the lock for more than seconds."""

LOOK_EVERY = 16
"""Commits between two looks at whether upkeep is worth it, so that a long run does not slow itself down."""

PINNED = 4
"""Versions kept open for searches that are under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One state of the store: the version of its passages, the runs not committed in it, its rows (ended ones too), and
    which conditions all of these fulfil (`filters.USUAL`)."""

    version: int
    open_runs: tuple[str, ...]
    passages: int
    always: tuple[str, ...] = ()


class Store:
    """The tables and everything that is done with them. All methods run on the event loop that opened it.

    Reads take `version`, from a snapshot, to see the state of that snapshot. Every method raises StoreError, with the
    cure, when the store cannot be read or written."""

    def __init__(
        self, path: str, tables: opening.Tables, *, read_only: bool, local: bool, lock_timeout_seconds: float
    ) -> None:
        self.path = path
        self.lock_timeout_seconds = lock_timeout_seconds
        self.read_only = read_only
        self.read_only_because = ""
        self.process = os.getpid()
        self._reading = tables
        self._written: opening.Tables | None = None
        self._local = local
        self._within = asyncio.Lock()
        self._place = Place(path) if local else None
        self._moving = asyncio.Lock()
        self._writing = False
        self._in_step = False
        self._commits = 0
        self._pinned: OrderedDict[int, AsyncTable] = OrderedDict()
        self._judged: AsyncTable | None = None
        self._small: tuple[int, dict[str, Any]] = (-1, {})
        self._seen = Seen()
        self._counted: tuple[tuple[Any, ...], terms.Known] = ((), terms.Known())

    @classmethod
    async def open(
        cls, path: str | Path, *, read_only: bool = False, lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS
    ) -> Store:
        """Open the store in a folder or at a remote address (`s3://`, `gs://`, `az://`, `db://`), created when it is
        not there. One that this process may not write to is opened for reading only (`read_only_because` tells).
        Raises StoreError when it is newer, damaged, unreadable, not a folder, or absent and `read_only`."""
        location, local = opening.locate(path)
        because = access.NOT_YOURS if not read_only and access.others_only(location) else ""
        read_only = read_only or bool(because)
        tables = await opening.open_tables(location, local=local, read_only=read_only)
        store = cls(location, tables, read_only=read_only, local=local, lock_timeout_seconds=lock_timeout_seconds)
        store.read_only_because = because
        return store

    async def close(self) -> None:
        """Let the tables go. Closing twice does nothing."""
        for table in (*self._pinned.values(), *([self._judged] if self._judged is not None else ())):
            table.close()
        self._pinned.clear()
        for tables in (self._written, self._reading):
            if tables is not None:
                tables.close()
        self._written = None
        if self._place is not None:
            self._place.close()

    async def in_place(self, *, create: bool = False) -> None:
        """See that the folder is still the one that was opened, and open another one that has taken its place. Where
        there is none any more, make it anew with `create`; without, or where only reading is allowed, raises
        StoreError."""
        if self._place is None or self._place.same():
            return
        async with self._moving:
            if self._place.same():
                return
            if not self._place.there() and (self.read_only or not create):
                raise opening.deleted(self.path)
            tables = await opening.open_tables(self.path, local=True, read_only=self.read_only)
            await self.close()
            self._reading, self._place, self._judged, self._small = tables, Place(self.path), None, (-1, {})
            self._seen, self._counted = Seen(), ((), terms.Known())

    @told
    async def snapshot(self) -> Snapshot:
        """The newest state, as one: no run begins or ends between its parts."""
        while True:
            before = await self._tables.meta.version()
            runs = await self._open_runs()
            version = await self._tables.passages.version()
            if await self._tables.meta.version() == before:
                break
        table = await self._at(version)
        passages = await self._seen.count(table, version, filters.EVERYTHING)
        always = await self._seen.always(table, version, passages)
        return Snapshot(version=version, open_runs=runs, passages=passages, always=always)

    async def pinned(self, version: int) -> Snapshot:
        """The state with that version of the passages, or the newest one where it has been cleaned up."""
        newest = await self.snapshot()
        if version == newest.version:
            return newest
        try:
            return Snapshot(
                version=version, open_runs=newest.open_runs, passages=await self.count("true", version=version)
            )
        except StoreError:
            return newest

    @told
    async def keyword(self, plan: QueryPlan, where: str, depth: int, *, version: int | None = None) -> match.Hits:
        """Ids and BM25 over stems (and characters, where the query has any), best first, at most `depth`."""
        return await match.keyword(await self._rows(version, where), plan, where, depth)

    @told
    async def exact(self, plan: QueryPlan, where: str, depth: int, *, version: int | None = None) -> match.Hits:
        """Ids and BM25 over literal tokens, best first: a token of its own before one inside a longer chain."""
        return await match.exact(await self._rows(version, where), plan, where, depth)

    @told
    async def semantic(
        self, vector: Vector, key: ModelKey, plan: QueryPlan, where: str, depth: int, *, version: int | None = None
    ) -> match.Hits:
        """Ids and cosines to a vector of shape (dim,), best first. Empty when no passage has a vector of this model."""
        rows = await self._rows(version, where)
        columns = vector_columns(await rows.table.schema())
        if key.ways:
            return await match.routed(rows, key, columns, vector, plan, where, depth)
        return await match.semantic(rows, key.column, vector, plan, where, depth) if key.column in columns else []

    @told
    async def newest(
        self, where: str, plan: QueryPlan | None, limit: int, offset: int, *, version: int | None = None
    ) -> list[str]:
        """Ids by creation, the newest first, ties by id; phrases and exclusions of the plan hold."""
        return await match.newest(await self._at(version), plan, where, limit, offset)

    @told
    async def listing(
        self, where: str, plan: QueryPlan, *, by_source: bool = False, version: int | None = None
    ) -> list[str]:
        """All ids by creation, the newest first, then by source and place; with `by_source` the first of each source.
        Phrases and exclusions of the plan hold."""
        return await match.listing(await self._at(version), plan, where, by_source=by_source)

    @told
    async def count(self, where: str, *, version: int | None = None) -> int:
        """How many passages fulfil a condition."""
        table = await self._at(version)
        return int(await table.count_rows(where)) if version is None else await self._seen.count(table, version, where)

    @told
    async def fetch(
        self,
        ids: Sequence[str],
        key: ModelKey | None = None,
        *,
        where: str | None = None,
        version: int | None = None,
        names: bool = True,
    ) -> dict[str, Row]:
        """Whole rows by id, with vectors when `key` is given, without `ident` when no `names` are wanted. Of a passage
        with several lives: the one that fulfils `where`; without it the one that is live, else the last."""
        rows = await self._rows(version, where or "")
        runs = await self._open_runs()
        return await reads.fetch(rows.table, ids, runs, key=key, where=where, names=names, places=rows.places)

    @told
    async def places(self, where: str, *, version: int | None = None) -> list[reads.Place]:
        """Where the passages under a condition stand in their sources."""
        return await reads.places(await self._at(version), where)

    @told
    async def lives(self, where: str, limit: int) -> list[Row]:
        """Rows under a condition, ended ones too, without vectors: at most `limit`, those of open runs left out."""
        runs = await self._open_runs()
        condition = f"({where}) and {filters.committed(runs)}"
        return await reads.rows(self._tables.passages, condition, runs, limit=limit)

    @told
    async def sources(self, ids: Sequence[str] | None = None) -> list[Source]:
        """The newest committed state of every source, or of those with these ids, the removed ones included, by id."""
        tables = self._tables if ids is None else self._passing
        return await reads.sources(tables.sources, await self._open_runs(), ids)

    @told
    async def shares(self) -> Counter[tuple[str, str]]:
        """How many passages of each (namespace, kind) the sources have that are there."""
        return await reads.shares(self._tables.sources, await self._open_runs())

    @told
    async def files(self) -> list[Source]:
        """The newest committed state of every file source, the removed ones included; read once for each state of the
        store, for every search compares it with the disk."""
        return await self._read_once("files", lambda _: self._files())

    async def _files(self) -> list[Source]:
        condition = f"{filters.current(await self._open_runs())} and surface = 'file'"
        return sources_of(await self._tables.sources.query().where(condition).to_arrow())

    @told
    async def source_passages(self, *source_ids: str) -> list[Row]:
        """What sources hold now, by id, without vectors: all that is not superseded. Forgotten and expired passages are
        among them, so that indexing again does not bring them back as new ones."""
        runs = await self._open_runs()
        return await reads.of_sources(self._passing.passages, source_ids, runs)

    @told
    async def vector_keys(self) -> list[ModelKey]:
        """The models whose vectors are kept."""
        return list(await self._read_once("models", meta.models))

    @told
    async def missing_vectors(self, key: ModelKey, limit: int) -> list[Row]:
        """Live passages that have no vector of this model, at most `limit`; of one made of several, those that lack a
        part, with what they have."""
        runs = await self._open_runs()
        condition = await reads.without_vectors(self._tables.passages, key, runs)
        held = key if key.ways else None
        return await reads.rows(self._tables.passages, condition, runs, key=held, limit=limit)

    @told
    async def counts(self, key: ModelKey | None = None) -> dict[str, int]:
        """What there is: `passages` (live), `sources` (not removed), `superseded` and `forgotten` passages, `rows` in
        all, `uncommitted` rows, `unindexed` rows, `fragments`, and with a key `without_vectors` (live)."""
        return await reads.counts(self._tables.passages, self._tables.sources, await self._open_runs(), key)

    @told
    async def facets(self) -> Facets:
        """How many live passages there are of each kind, namespace, tag, folder and month; counted once for each state
        of the store, and again when one of them has expired."""
        at, found = await self._read_once("facets", lambda _: self._facets())
        if await self._tables.passages.count_rows(filters.expired(at, datetime.now(UTC))):
            at, found = self._small[1]["facets"] = await self._facets()
        return found

    async def _facets(self) -> tuple[datetime, Facets]:
        now = datetime.now(UTC)
        live = filters.predicates(Scope(), now=now, open_runs=await self._open_runs())
        rows = await facets.facets(self._tables.passages, filters.where(live))
        return now, await asyncio.to_thread(facets.counted, rows)

    @told
    async def system_namespaces(self) -> list[str]:
        """The system namespaces of live passages, most passages first; read once for each state of the store."""
        return await self._read_once("system", lambda _: self._system_namespaces())

    async def _system_namespaces(self) -> list[str]:
        live = filters.predicates(Scope(namespaces=("",)), now=datetime.now(UTC), open_runs=await self._open_runs())[0]
        return await facets.namespaces(self._tables.passages, f"({live.sql}) and ({filters.SYSTEMIC})")

    @told
    async def statistics(self, names: Sequence[str], open_runs: Sequence[str]) -> terms.Counts:
        """How many live passages hold each of these terms, and how many and how long the live passages are."""
        state = (await self._tables.terms.version(), *open_runs)
        if self._counted[0] != state:
            self._counted = (state, terms.Known())
        return await terms.statistics(self._tables.terms, names, open_runs, self._counted[1])

    @told
    async def vocabulary(self, prefix: str, open_runs: Sequence[str]) -> dict[str, int]:
        """The terms that begin so, each with the live passages that hold it."""
        return await terms.beginning(self._tables.terms, prefix, open_runs)

    @told
    async def get_meta(self, key: str) -> str | None:
        """A small text that was kept under this key."""
        name = meta.USER + key
        return await self._read_once(name, lambda table: meta.get(table, name))

    @told
    async def judgements(self) -> list[Judgement]:
        """Every judgement that was ever made, the oldest first."""
        judged = await self._judgements(create=False)
        return [] if judged is None else await judgements.read(judged)

    def check_writable(self) -> None:
        """Raises StoreError, with the cure, where the store is open for reading only."""
        if self.read_only:
            told = f"the store at {self.path} is open for reading only"
            if self.read_only_because:
                raise StoreError(f"{told}: {self.read_only_because}. Index into one of your own: %memo open PATH")
            raise StoreError(f"{told}. Open it without read_only to write")

    @asynccontextmanager
    async def writing(self, timeout_seconds: float | None = None) -> AsyncIterator[None]:
        """Hold the write lock, after undoing what a dead writer left. Waits at most so long (0: one try; None: as long
        as the store was opened for), then raises StoreError. Keep it short: nothing slow, like embedding, belongs
        inside."""
        opening.check_process(self)
        self.check_writable()
        await self.in_place()
        timeout_seconds = self.lock_timeout_seconds if timeout_seconds is None else timeout_seconds
        if self._local:
            lock = exclusive(Path(self.path), timeout_seconds=timeout_seconds)
        else:
            lock = turn(self._within, self.path, timeout_seconds=timeout_seconds)
        async with lock:
            self._writing = True
            within = _WRITING.set(True)
            try:
                with memory.blocks_apart() if self._written is not None else nullcontext():
                    await self._heal()
                    yield
            finally:
                _WRITING.reset(within)
                self._writing = False

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[bool]:
        """Try once to be the only one, over processes, who brings the store in step with the disk; gives whether that
        is so. Writing needs the write lock all the same."""
        await self.in_place()
        async with AsyncExitStack() as stack:
            only = not self._in_step and not self.read_only
            if only and self._local:
                try:
                    await stack.enter_async_context(exclusive(Path(self.path), timeout_seconds=0, name=RUN))
                except StoreError:
                    only = False
            if only:
                self._in_step = True
            try:
                yield only
            finally:
                if only:
                    self._in_step = False

    @told
    @unbroken
    async def begin(self, run_id: str) -> None:
        """Open a run: what it writes counts from its commit on. Its name must never have been used."""
        self._check_writing()
        await writes.begin(self._tables.passages, self._tables.meta, run_id)

    @told
    @unbroken
    async def commit(self, run_id: str) -> None:
        """Make all that a run wrote count, at once. Now and then this sees to the upkeep of the tables as well."""
        await self._check_run(run_id)
        await meta.close(self._tables.meta, run_id)
        self._commits += 1
        if self._written is not None:
            await asyncio.to_thread(memory.give_back)
        if self._commits % LOOK_EVERY == 0:
            # The run counts already: what failed here is told by the next write, or done by the next upkeep.
            with contextlib.suppress(RuntimeError, OSError):
                await self._upkeep()
                await self._write_anew()

    @told
    @unbroken
    async def add(self, rows: Sequence[Row], key: ModelKey | None, run_id: str) -> None:
        """Add passages with their vectors of `key` (None here or in a row: not known yet). An id that is there already,
        live or superseded, begins a new life; where its words are the same it keeps the vectors it had."""
        await self._check_run(run_id)
        await writes.add(self._tables.passages, rows, key, run_id)

    @told
    @unbroken
    async def supersede(self, ids: Sequence[str], at: datetime, run_id: str) -> None:
        """End passages: from `at` on they are history. Ids that are not live are passed over."""
        await self._check_run(run_id)
        await writes.supersede(self._tables.passages, ids, at, run_id)

    @told
    @unbroken
    async def respan(self, passages: Sequence[Passage], run_id: str) -> None:
        """Give passages that kept their words their new place and metadata. This is seen before the commit: it is
        true of the source as it is, and a run cut short does it again."""
        await self._check_run(run_id)
        await writes.respan(self._tables.passages, passages)

    @told
    @unbroken
    async def tally(self, added: Sequence[Row], dropped: Sequence[Row], run_id: str) -> None:
        """Count the terms of rows that a run adds and of rows that it ends, for `statistics`."""
        await self._check_run(run_id)
        await terms.tally(self._tables.terms, added, dropped, run_id)

    @told
    @unbroken
    async def put_sources(self, sources: Sequence[Source]) -> None:
        """Keep the new state of sources, each in the open run it names."""
        for run_id in {source.run_id for source in sources}:
            await self._check_run(run_id)
        await writes.put_sources(self._tables.sources, sources)

    @told
    @unbroken
    async def judge(self, judgement: Judgement) -> None:
        """Keep a judgement beside those before it; durable when this returns."""
        self._check_writing()
        judged = await self._judgements(create=True)
        if judged is not None:
            await judgements.append(judged, judgement)

    @told
    @unbroken
    async def ensure_vectors(self, key: ModelKey) -> None:
        """Make room for the vectors of a model; does nothing when there is."""
        self._check_writing()
        await writes.ensure_vectors(self._tables.passages, self._tables.meta, key)

    @told
    @unbroken
    async def set_vectors(self, key: ModelKey, ids: Sequence[str], vectors: Vector) -> None:
        """Fill in vectors, float32, shape (len(ids), dim), unit rows. Ids that are gone are passed over."""
        self._check_writing()
        await writes.set_vectors(self._tables.passages, key, ids, vectors)

    @told
    @unbroken
    async def optimize(self, *, force: bool = False) -> None:
        """Compact the tables, bring new rows into the indexes, delete versions nobody reads. Does nothing while it is
        not worth it, unless forced."""
        self._check_writing()
        await self._upkeep(force=force)

    async def _upkeep(self, *, force: bool = False) -> None:
        if not force and not await self._due():
            return
        if not (self._local and await apart.worth_it(self._tables.passages) and await apart.tend(self.path, force)):
            await self.tend(force=force)
        await asyncio.to_thread(memory.give_back)

    async def _write_anew(self) -> None:
        """Go on writing in a new session of LanceDB, apart from the one for reading, and give back what is free.

        A long run reads nearly everything once. Held for later in hundreds of thousands of small pieces it would push
        out what searches read again and again, and keep the memory between the pieces from going back."""
        # The one before is let go of, not closed: a read that began in it comes to its end.
        self._written = await opening.open_tables(
            self.path,
            local=self._local,
            read_only=self.read_only,
            index_cache_bytes=opening.ONCE_BYTES,
            metadata_cache_bytes=opening.ONCE_BYTES,
        )
        await asyncio.to_thread(memory.give_back)

    async def _due(self) -> bool:
        """Whether upkeep of any table would make reading faster."""
        if await indexes.worth_it(self._tables.passages):
            return True
        judged = await self._judgements(create=False)
        others = (
            self._tables.sources,
            self._tables.terms,
            self._tables.meta,
            *([judged] if judged is not None else ()),
        )
        return any([await indexes.crowded(table) for table in others])

    @told
    async def tend(self, *, force: bool) -> None:
        """The upkeep of every table that is due, or with `force` of all. Somebody holds the write lock: this store, or
        the process that had this one started for it."""
        passages = self._tables.passages
        if force or await indexes.worth_it(passages):
            await indexes.maintain(passages)
            await indexes.ensure_vector_indexes(passages)
            await asyncio.to_thread(memory.give_back)
            if not await self._open_runs():  # what is not committed must not be summed up
                # What brought so many passages brought far more terms, which every query looks up by index.
                await terms.sum_up(self._tables.terms)
                await asyncio.to_thread(memory.give_back)
        if force or await indexes.crowded(self._tables.sources):
            await writes.forget_old_sources(self._tables.sources, await self._open_runs())
            await indexes.ensure_source_indexes(self._tables.sources)
            await indexes.maintain(self._tables.sources)
        if force or await indexes.crowded(self._tables.terms):
            await indexes.maintain(self._tables.terms)
        if force or await indexes.crowded(self._tables.meta):
            await indexes.maintain(self._tables.meta)
        judged = await self._judgements(create=False)
        if judged is not None and (force or await indexes.crowded(judged)):
            await indexes.maintain(judged)

    @told
    @unbroken
    async def prune(self, before: datetime) -> history.Ended:
        """Delete passages that had ended before then, and sources that had been removed before then and hold none any
        more; how many. Their bytes go with the next upkeep that rewrites their files, for certain with `purge`."""
        self._check_writing()
        return await history.delete(self._tables, None, await self._open_runs(), before=before)

    @told
    @unbroken
    async def purge(self, ids: Sequence[str] | None) -> history.Ended:
        """Erase what has ended of these sources, of all where `ids` is None; how much that was. Every table is written
        anew, and every earlier version of it deleted at once: a search that is reading one is told to search again."""
        self._check_writing()
        if await self._open_runs():
            raise StoreError(f"another process is writing to the store at {self.path}. Purge when it is done")
        ended = await history.delete(self._tables, ids, ())
        await history.erase(self._tables)
        await asyncio.to_thread(memory.give_back)
        self._pinned.clear()
        return ended

    @told
    async def ended(self, ids: Sequence[str] | None) -> history.Ended:
        """What `purge` would erase, and how many passages of these sources have not ended."""
        return await history.count(self._tables, ids, await self._open_runs())

    @told
    async def sources_named(self, name: str) -> set[str]:
        """The ids of all sources with this id or uri, with a uri under this glob, or below this folder, now or
        earlier."""
        return await history.sources_named(self._tables, name)

    async def size(self) -> int | None:
        """Bytes on the disk; None where the store lies on none."""
        return await asyncio.to_thread(history.size, self.path) if self._local else None

    @told
    @unbroken
    async def set_meta(self, key: str, value: str) -> None:
        """Keep a small text under a key; durable when this returns."""
        self._check_writing()
        await meta.put(self._tables.meta, meta.USER + key, value)

    @told
    @unbroken
    async def _heal(self) -> None:
        if await self._open_runs():
            tables = self._tables
            await writes.heal(tables.passages, tables.sources, tables.terms, tables.meta, local=self._local)

    @property
    def _tables(self) -> opening.Tables:
        """Those for writing for who holds the lock, once a run is long, and those for reading for all others."""
        return self._written if self._written is not None and _WRITING.get() else self._reading

    @property
    def _passing(self) -> opening.Tables:
        """Those for what a long run asks of everything once, batch by batch, before it takes the lock."""
        return self._written or self._reading

    async def _judgements(self, *, create: bool) -> AsyncTable | None:
        if self._judged is None:
            self._judged = await judgements.table(self._tables.database, create=create)
        return self._judged

    def _check_writing(self) -> None:
        if not self._writing:
            raise StoreError("the store is written to without its lock. Write inside: async with store.writing()")

    async def _check_run(self, run_id: str) -> None:
        self._check_writing()
        if run_id not in await self._open_runs():
            raise StoreError(f"no run {run_id!r} is open. Begin it first; a source names the run it is written in")

    async def _open_runs(self) -> tuple[str, ...]:
        return tuple(await self._read_once("runs", meta.open_runs))

    async def _read_once(self, name: str, read: Callable[[AsyncTable], Awaitable[T]]) -> T:
        """What a read of `meta` gives, read once for each of its versions: a search reads it several times, and any
        process that writes to it makes a new version."""
        version = await self._tables.meta.version()
        if self._small[0] != version:
            self._small = (version, {})
        known = self._small[1]
        if name not in known:
            known[name] = await read(self._tables.meta)
        value: T = known[name]
        return value

    async def _rows(self, version: int | None, where: str) -> match.Rows:
        """The passages of a version under a condition, with the places at which those stand that were found so."""
        table = await self._at(version)
        if version is None:
            return match.Rows(table, self._seen, None)
        return match.Rows(table, self._seen, version, self._seen.places(version, where))

    async def _at(self, version: int | None) -> AsyncTable:
        if version is None:
            return self._tables.passages
        if version not in self._pinned:
            table = await self._reading.database.open_table("passages")
            try:
                await table.checkout(version)
            except ValueError as error:
                raise StoreError("the state this search began with has been cleaned up. Search again") from error
            self._pinned[version] = table
            while len(self._pinned) > PINNED:
                self._pinned.popitem(last=False)
        self._pinned.move_to_end(version)
        return self._pinned[version]
