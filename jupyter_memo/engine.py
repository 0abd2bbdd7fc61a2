"""The engine: opens a store, composes ingest and search over it, and is the only thing a surface talks to."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
import weakref
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from jupyter_memo import config as configuration
from jupyter_memo import evaluate, health
from jupyter_memo import profile as profiles
from jupyter_memo.config import Settings
from jupyter_memo.errors import MemoError, ModelError, QueryError, StoreError
from jupyter_memo.evaluate import Evaluation
from jupyter_memo.ingest import backfill, given, roots, scan
from jupyter_memo.ingest.index import Run
from jupyter_memo.ingest.prepare import Options, Reading
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.models import Door, Embedder
from jupyter_memo.profile import Profile, ResolvedProfile
from jupyter_memo.query import Granularity, Mode, Query, Scope, scope_of
from jupyter_memo.records import Kind
from jupyter_memo.response import Check, IndexReport, SearchResponse, Status
from jupyter_memo.runner import Runner
from jupyter_memo.search import meaning, pipeline
from jupyter_memo.search.arms import pathless
from jupyter_memo.store.lance import Store

T = TypeVar("T")
Progress = Callable[[int, int, str], None]

DEFAULT_WINDOW_TOKENS = 254
"""The window passages are cut for when no model is at hand: that of the default model, so that it can follow later."""


DOCTOR_WAIT_SECONDS = 30.0
"""How long the doctor waits for a model that is loading before it says so."""


_QUERY_FIELDS = {entry.name for entry in dataclasses.fields(Query)} - {"text", "scope", "limit"}


class Memo:
    """A store of passages and everything that is asked of it. Open it with `Memo.open`; close it, or use `with`.

    Every method may be called from any thread and inside a running event loop; an interrupt returns at once and cancels
    the work. Methods that end in `_async` are the same for `await`.
    """

    def __init__(self, store: Store, door: Door, settings: Settings, runner: Runner, *, named: bool) -> None:
        self._store = store
        self._door = door
        self._settings = settings
        self._runner = runner
        self._named = named
        self._profile = profiles.get(settings.profile)
        # One thread for the model's queries, one for a run's parsing and embedding: neither waits for the other.
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="jupyter_memo-ask")
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="jupyter_memo-read")
        self._waiting = (-1, 0)

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        profile: str | None = None,
        embedder: str | Embedder | Callable[[], Embedder | None] | None = None,
        read_only: bool = False,
        **config: Any,
    ) -> Self:
        """Open the store at `path`, creating it if need be; without one, where `config.store_path` finds it.

        `embedder` is a name (minilm, transformers:NAME, hash, none) or an object of that protocol; it begins to load in
        the background at once. Other keywords are settings (`index__max_megabytes=64`). Raises ConfigError, StoreError.
        """
        name = embedder if isinstance(embedder, str) else None
        settings = configuration.load(profile=profile, embedder=name, **config)
        profiles.get(settings.profile)
        door = Door(settings.embedder if embedder is None or name else embedder)
        door.start()
        runner = Runner("jupyter_memo")
        try:
            where = configuration.store_path(path, settings)
            opening = Store.open(where, read_only=read_only, lock_timeout_seconds=settings.lock_timeout_seconds)
            store = runner.run(opening)
            memo = cls(store, door, settings, runner, named=embedder is None or name is not None)
        except BaseException:
            runner.close()
            raise
        weakref.finalize(memo, runner.close, store.close)
        if not read_only:
            runner.spawn(_fill_when_ready(store, door, memo._reading))
        return memo

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- writing

    def index(
        self,
        *paths: str | Path,
        namespace: str | None = None,
        kind: Kind | None = None,
        tags: Iterable[str] = (),
        library: str | None = None,
        version: str | None = None,
        trust: int | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> IndexReport:
        """Index files and folders; only what changed since the last run is read, embedded and written.

        Files that are gone from below the paths leave the index. Options that are not given keep what an earlier run
        was told of the same file. `dry_run` reports and writes nothing. `progress(done, total, uri)` counts files.
        """
        options = Options(
            namespace=namespace, kind=kind, tags=_tags(tags), library=library, version=version, trust=trust
        )
        return self._watched(lambda tell: self._index(paths, options, dry_run, tell), progress)

    async def index_async(self, *paths: str | Path, dry_run: bool = False, **options: Any) -> IndexReport:
        """`index` for await, with the same options but progress; cancelling it cancels the run."""
        options["tags"] = _tags(options.get("tags", ()))
        return await self._runner.wrap(self._index(paths, Options(**options), dry_run, None))

    def add(
        self,
        records: Any,
        *,
        namespace: str | None = None,
        kind: Kind | None = None,
        tags: Iterable[str] = (),
        library: str | None = None,
        version: str | None = None,
        trust: int | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> IndexReport:
        """Index records: dicts, an Arrow table or a data frame with `text` and any of id title header kind tags
        namespace library version trust created_at expires_at lang.

        A record's id becomes the `uri` of its passages; adding the id again replaces the record. A record longer than
        the model's window becomes several passages. Raises QueryError for a record without text.
        """
        options = Options(
            namespace=namespace, kind=kind, tags=_tags(tags), library=library, version=version, trust=trust
        )
        return self._watched(lambda tell: self._add(records, options, dry_run, tell), progress)

    def backfill(self, *, progress: Progress | None = None) -> int:
        """Embed the passages that have no vector of this model yet; how many were embedded. Raises ModelError."""
        return self._watched(lambda tell: self._backfill(tell), progress)

    def optimize(self) -> None:
        """Merge small files, bring the search indexes up to date, remove old versions."""
        self._runner.run(self._optimize())

    # --- reading

    def search(
        self,
        text: str,
        *,
        mode: Mode = "auto",
        granularity: Granularity = "passage",
        scope: Scope | None = None,
        profile: str | Profile | None = None,
        limit: int | None = None,
        offset: int = 0,
        max_tokens: int | None = None,
        min_relevance: float | None = None,
        explain: bool = True,
        record: bool = True,
        sync: bool = True,
        now: datetime | None = None,
        **scope_fields: Any,
    ) -> SearchResponse:
        """Ask the index. `limit` is the profile's page when not given. `scope_fields` are the fields of `Scope`, in
        their singular forms too: kind="note", since="2026-06", sources="notes/*".

        `record` and `sync` are taken for the sake of callers; this version records no use (`recorded` is False) and
        reads the disk only in `index` (`trace.synced` is 0). Raises QueryError, ProfileError.
        """
        query, chosen = self._asked(
            text,
            mode=mode,
            granularity=granularity,
            scope=scope,
            profile=profile,
            limit=limit,
            offset=offset,
            max_tokens=max_tokens,
            min_relevance=min_relevance,
            explain=explain,
            record=record,
            sync=sync,
            now=now,
            **scope_fields,
        )
        return self._runner.run(self._search(query, chosen))

    async def search_async(self, text: str, **options: Any) -> SearchResponse:
        """`search` for await, with the same options; cancelling it cancels the search."""
        return await self._runner.wrap(self._search(*self._asked(text, **options)))

    def _asked(
        self,
        text: str,
        *,
        scope: Scope | None = None,
        profile: str | Profile | None = None,
        limit: int | None = None,
        **options: Any,
    ) -> tuple[Query, Profile]:
        """The query and the profile of one call; what `Query` does not know is a field of the scope."""
        chosen = self._profile if profile is None else profiles.get(profile)
        own = {name: options.pop(name) for name in _QUERY_FIELDS & options.keys()}
        return Query(
            text=text, scope=scope_of(scope, options), limit=chosen.page if limit is None else limit, **own
        ), chosen

    def status(self) -> Status:
        """What stands in the store, and how the model is."""
        return self._runner.run(self._status())

    def namespaces(self) -> tuple[tuple[str, int], ...]:
        """(namespace, passages), most first; the empty one is what was indexed without a namespace."""
        return self.status().namespaces

    def doctor(self) -> tuple[Check, ...]:
        """What works and what does not, each with its cure."""
        return self._runner.run(self._doctor())

    def evaluate(
        self,
        *sets: str | Path,
        profiles: Sequence[str | Profile] = ("default", "rrf"),
        sweep: tuple[str, Sequence[object]] | None = None,
        stores: str | Path | None = None,
        off_topic: Iterable[tuple[str | Path, str | Path]] = (),
        shipped: bool = True,
        reference: bool = True,
        progress: Progress | None = None,
    ) -> Evaluation:
        """Measure profiles on evaluation sets (folders with corpus, queries and qrels, see `evaluate.sets`) with this
        memo's model, beside a reference of the same run. This memo's own store is not touched.

        Each set is indexed into a temporary store, or into one below `stores`, which later runs reuse. Options are
        those of `evaluate.evaluate`. Raises QueryError for a malformed set, MissingExtraError without the extra.
        """
        embedder = self._door.wait(None)
        if embedder is None and self._door.state != "absent":
            raise ModelError(f"{self._model_name()} failed to load: {self._door.error}")
        return evaluate.evaluate(
            sets,
            lambda path, read_only: Memo.open(path, embedder=embedder or "none", read_only=read_only),
            embedder,
            profiles=profiles,
            sweep=sweep,
            stores=stores,
            off_topic=off_topic,
            shipped=shipped,
            reference=reference,
            progress=progress,
        )

    def close(self) -> None:
        """Finish what is being written, and let go of the store. Safe to call twice."""
        self._runner.close(self._store.close)
        self._asking.shutdown(wait=False, cancel_futures=True)
        self._reading.shutdown(wait=False, cancel_futures=True)

    @property
    def path(self) -> str:
        """Where the store lies."""
        return self._store.path

    # --- the work itself, on the background loop

    def _watched(self, work: Callable[[Progress | None], Coroutine[Any, Any, T]], progress: Progress | None) -> T:
        """Run work that tells its progress; the caller's function is called in the caller's own thread."""
        if progress is None:
            return self._runner.run(work(None))
        events: queue.SimpleQueue[tuple[int, int, str]] = queue.SimpleQueue()
        return self._runner.run(
            work(lambda done, total, what: events.put((done, total, what))),
            events=events,
            on_event=lambda event: progress(*event),
        )

    async def _search(self, query: Query, profile: Profile) -> SearchResponse:
        settings = self._settings.search
        means = await meaning.meaning(
            self._store,
            self._door,
            self._model_name(),
            wait_seconds=settings.model_wait_seconds if profile.fusion.semantic > 0 else 0,
            pool=self._asking,
        )
        response = await pipeline.run(
            self._store,
            query,
            resolved=self._resolved(profile),
            meaning=means,
            now=query.now or datetime.now(UTC),
            timeout_seconds=settings.arm_timeout_seconds,
        )
        pending = await self._pending(response.trace.index_version)
        if pending and means.key:
            hint = f"{pending} passages have no vector yet; words find them. Run: %memo backfill"
            response = dataclasses.replace(response, hints=(*response.hints, hint))
        return response

    async def _index(
        self, paths: tuple[str | Path, ...], options: Options, dry_run: bool, progress: Progress | None
    ) -> IndexReport:
        if not paths or not all(str(path).strip() for path in paths):
            raise QueryError("name at least one file or folder to index; the working folder is .")
        run = await self._run(dry_run, progress)
        asked = tuple(Path(os.path.abspath(Path(path).expanduser())) for path in paths)
        if dry_run:
            known = await self._roots_with(asked)
        else:
            # Before the first file, and under the lock: a second run that starts meanwhile must see these roots, and an
            # interrupted one must leave them, or two folders could share one alias.
            async with self._store.writing():
                known = await self._roots_with(asked)
                await self._store.set_meta("roots", known.dumps())
        report = await run.files(asked, known, self._rules(), options)
        if not dry_run:
            async with self._store.writing():
                await self._store.optimize()
        return report

    async def _roots_with(self, paths: tuple[Path, ...]) -> Roots:
        known = await self._roots()
        held: dict[str, list[tuple[str, int]]] = {}
        for source in await self._store.sources():
            if source.surface == "file" and source.removed_at is None:
                held.setdefault(source.root, []).append((source.path, source.size))
        for path in paths:
            if path.exists():
                known = known.including(path, held)
        return known

    async def _add(self, records: Any, options: Options, dry_run: bool, progress: Progress | None) -> IndexReport:
        run = await self._run(dry_run, progress)
        report = await run.records(given.prepared(records, options, run.reading, run.now))
        if not dry_run:
            async with self._store.writing():
                await self._store.optimize()
        return report

    async def _run(self, dry_run: bool, progress: Progress | None) -> Run:
        """What an index run works with; it waits for a model that is loading, for a vector now spares a back-fill."""
        if self._store.read_only and not dry_run:
            raise StoreError("this store was opened read-only. Open it without read_only to index")
        self._door.retry()
        embedder = await self._door.ready()
        wanted = self._door.state != "absent"
        hints: tuple[str, ...] = ()
        if embedder is None and wanted:
            reason = pathless(self._door.error)
            hints = (f"{self._model_name()} failed to load ({reason}). Words find these passages.",)
        return Run(
            store=self._store,
            embedder=None if dry_run else embedder,
            key=meaning.key_of(embedder) if embedder else None,
            reading=Reading(
                count_tokens=embedder.count_tokens if embedder else _rough_tokens,
                max_tokens=embedder.max_tokens if embedder else DEFAULT_WINDOW_TOKENS,
                target_tokens=self._settings.index.target_chunk_tokens,
            ),
            now=datetime.now(UTC),
            pool=self._reading,
            progress=progress,
            dry_run=dry_run,
            wants_vectors=wanted,
            hints=hints,
        )

    async def _backfill(self, progress: Progress | None) -> int:
        self._door.retry()
        embedder = await self._door.ready()
        if embedder is None:
            if self._door.state == "absent":
                raise ModelError('no embedding model is set. Open the store with embedder="minilm" to have vectors')
            raise ModelError(f"{self._model_name()} failed to load: {self._door.error}")
        key = meaning.key_of(embedder)
        return await backfill.run(self._store, embedder, key, pool=self._reading, progress=progress)

    async def _optimize(self) -> None:
        async with self._store.writing():
            await self._store.optimize(force=True)

    async def _pending(self, version: int | None = None) -> int:
        """How many passages wait for a vector; counted once for each version of the index."""
        embedder = self._door.embedder
        if embedder is None:
            return 0
        if version is None or self._waiting[0] != version:
            counts = await self._store.counts(meaning.key_of(embedder))
            self._waiting = (-1 if version is None else version, counts["without_vectors"])
        return self._waiting[1]

    async def _status(self) -> Status:
        return await health.status(
            self._store, self._door, model=self._model_name(), profile=self._profile.name, roots=await self._roots()
        )

    async def _doctor(self) -> tuple[Check, ...]:
        await self._door.ready(DOCTOR_WAIT_SECONDS)
        keys = await self._store.vector_keys()
        return health.checks(await self._status(), self._door, tuple(key.id for key in keys), await self._roots())

    async def _roots(self) -> Roots:
        return roots.loads(await self._store.get_meta("roots"), self._home())

    def _resolved(self, profile: Profile) -> ResolvedProfile:
        embedder = self._door.embedder
        return ResolvedProfile(
            profile=profile,
            model=embedder.id if embedder else self._model_name(),
            bands=meaning.bands_of(self._door),
        )

    def _model_name(self) -> str:
        # A model given by its folder goes by the folder's name: answers are saved in notebooks, paths are not.
        return meaning.shown_name(self._settings.embedder) if self._named else "the embedder"

    def _rules(self) -> scan.Rules:
        settings = self._settings.index
        return scan.Rules(max_bytes=int(settings.max_megabytes * 2**20), ignore=settings.ignore)

    def _home(self) -> Path | None:
        """The project folder a store in `.memo` belongs to: its files need no alias."""
        folder = Path(self.path)
        return folder.parent if folder.name == configuration.STORE_FOLDER else None


async def _fill_when_ready(store: Store, door: Door, pool: ThreadPoolExecutor) -> None:
    """At open: passages written while no model was there get their vectors, quietly, once it is."""
    embedder = await door.ready()
    if embedder is None:
        return
    key = meaning.key_of(embedder)
    # A locked store or a failing model is told by the next search; nobody waits for this.
    with contextlib.suppress(MemoError):
        if (await store.counts(key))["without_vectors"]:
            await backfill.run(store, embedder, key, pool=pool)


def _tags(tags: Iterable[str]) -> tuple[str, ...]:
    return (tags,) if isinstance(tags, str) else tuple(tags)


def _rough_tokens(text: str) -> int:
    """Tokens of a text while no model can count them: English runs to four tokens in three words."""
    return len(text.split()) * 4 // 3
