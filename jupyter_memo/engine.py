"""The engine: opens a store, composes ingest and search over it, and is the only thing a surface talks to."""

from __future__ import annotations

import contextlib
import dataclasses
import queue
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from jupyter_memo import config as configuration
from jupyter_memo import evaluate, health
from jupyter_memo import profile as profiles
from jupyter_memo.comparison import Comparison
from jupyter_memo.config import Settings
from jupyter_memo.errors import LifecycleError, MemoError, ModelError, ProfileError, QueryError
from jupyter_memo.evaluate import Evaluation
from jupyter_memo.excerpts import PromptContext
from jupyter_memo.ingest.followed import Followed
from jupyter_memo.ingest.prepare import Options
from jupyter_memo.ingest.sync import Sync
from jupyter_memo.ingest.writer import Progress, Writer
from jupyter_memo.models import Door, Embedder
from jupyter_memo.profile import CONTEXT_TOKENS, Calibration, Profile
from jupyter_memo.query import (
    LIKE,
    Granularity,
    Mode,
    Query,
    Scope,
    checked_grade,
    checked_similarity,
    checked_tags,
    scope_of,
)
from jupyter_memo.records import Judgement, Kind, Passage
from jupyter_memo.render import context as framing
from jupyter_memo.response import Ablation, Check, IndexReport, Result, SearchResponse, Status, Upkeep, WhyNot
from jupyter_memo.runner import Runner
from jupyter_memo.search import context as choosing
from jupyter_memo.search import meaning, moves, named
from jupyter_memo.search.reader import Reader
from jupyter_memo.store.lance import Store
from jupyter_memo.text.words import rough_tokens

if TYPE_CHECKING:
    from jupyter_memo.jupyter.widget import SearchWidget

T = TypeVar("T")

DOCTOR_WAIT_SECONDS = 30.0
"""How long the doctor waits for a model that is loading before it says so."""


_QUERY_FIELDS = {entry.name for entry in dataclasses.fields(Query)} - {"text", "scope", "limit"}


class Memo:
    """A store of passages and everything that is asked of it. Open it with `Memo.open`; close it, or use `with`.

    Every method may be called from any thread and inside a running event loop; an interrupt returns at once and cancels
    the work. Methods that end in `_async` are the same for `await`.
    """

    def __init__(
        self,
        store: Store,
        door: Door,
        settings: Settings,
        runner: Runner,
        *,
        named: bool,
        notices: tuple[str, ...] = (),
    ) -> None:
        self._store = store
        self._door = door
        self._settings = settings
        self._runner = runner
        self._named = named
        self._notices = notices
        self._profile = settings.ranking
        # One thread for the model's queries, two for a run's parsing and embedding: none waits for another.
        self._reader = Reader(
            store=store,
            door=door,
            settings=settings.search,
            profile=self._profile,
            model=self._model_name(),
            pool=ThreadPoolExecutor(1, thread_name_prefix="jupyter_memo-ask"),
        )
        self._writer = Writer(
            store=store,
            door=door,
            settings=settings.index,
            model=self._model_name(),
            key_of=meaning.key_of,
            pool=ThreadPoolExecutor(2, thread_name_prefix="jupyter_memo-read"),
            followed=Followed(
                folder=configuration.followed_folder(), store=store.path, trusted=settings.trust_projects
            ),
        )
        writer, wait = self._writer, settings.search.model_wait_seconds
        self._sync = Sync(
            store=store,
            run=lambda: writer.run_of_words(wait),
            roots=writer.roots,
            asked=writer.asked,
            rules=writer.rules,
            strange=writer.followed.strange,
            fill=lambda: self._calibrated(writer.fill_when_ready),
            wait_seconds=settings.search.sync_wait_seconds,
            watch=settings.index.watch,
        )

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
        """Open the store at `path`, creating it if need be; without one, where `config.store_path` finds it. One that
        you may not write to is opened for reading only, and status and searches say so.

        `embedder` is a name (minilm, multilingual, transformers:NAME, hash, none) or an object of that protocol; it
        begins to load in the background at once. Other keywords are settings (`index__max_megabytes=64`). Raises
        ConfigError, StoreError.
        """
        name = embedder if isinstance(embedder, str) else None
        settings = configuration.load(path=path, profile=profile, embedder=name, **config)
        notices = configuration.notices(path, profile=profile, embedder=name, **config)
        configuration.warn(notices)
        _ = settings.ranking  # a profile that cannot be is told before anything is opened
        door = Door(settings.embedder if embedder is None or name else embedder)
        door.start()
        runner = Runner("jupyter_memo")
        try:
            where = configuration.store_path(path, settings)
            opening = Store.open(where, read_only=read_only, lock_timeout_seconds=settings.lock_timeout_seconds)
            store = runner.run(opening)
            memo = cls(store, door, settings, runner, named=embedder is None or name is not None, notices=notices)
        except BaseException:
            runner.close()
            raise
        weakref.finalize(memo, runner.close, store.close)
        if not store.read_only:
            runner.spawn(memo._calibrated(memo._writer.fill_when_ready))
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
        allow_secrets: bool | None = None,
        dry_run: bool = False,
        progress: Progress | bool | None = None,
    ) -> IndexReport:
        """Index files and folders; only what changed since the last run is read, embedded and written.

        Files that are gone from below the paths leave the index. Options that are not given keep what an earlier run
        was told of the same file. What looks like a key or a password is held back, and the report says where, unless
        `allow_secrets` (or the setting `index.allow_secrets`) lets it in. `dry_run` reports and writes nothing.
        `progress(done, total, uri)` counts files; True draws a bar.
        """
        options = Options(
            namespace=namespace,
            kind=kind,
            tags=checked_tags(tags),
            library=library,
            version=version,
            trust=trust,
            allow_secrets=allow_secrets,
        )
        return self._watched(
            lambda tell: self._calibrated(lambda: self._writer.index(paths, options, dry_run, tell)), progress, "files"
        )

    async def index_async(
        self, *paths: str | Path, dry_run: bool = False, progress: Progress | None = None, **options: Any
    ) -> IndexReport:
        """`index` for await, with the same options; cancelling it cancels the run. `progress` is called in the engine's
        own thread: it must be quick and not call the engine."""
        options["tags"] = checked_tags(options.get("tags", ()))
        told = Options(**options)
        return await self._runner.wrap(self._calibrated(lambda: self._writer.index(paths, told, dry_run, progress)))

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
        allow_secrets: bool | None = None,
        dry_run: bool = False,
        progress: Progress | bool | None = None,
    ) -> IndexReport:
        """Index records with `text` and any of id title header kind tags namespace library version trust created_at
        expires_at ttl lang thread context: dicts, a pandas or polars data frame, an Arrow table or anything with an
        Arrow stream, or any iterable of dicts. They are read, embedded and written a few hundred at a time:
        a generator is never held whole.

        A record's id becomes the `uri` of its passages; adding the id again replaces the record. A record longer than
        the model's window becomes several passages. Raises QueryError for a record without text: before anything is
        written where the records have a length, and in the midst of a generator or stream where the records before it
        are kept.

        `ttl` is how long a record is found, from its date on (30d, 2w). Records are not searched for keys and passwords
        unless `allow_secrets` is False: what a program hands over, it has chosen.

        `thread` is any name: records of one thread in one call are turns of a conversation, in their order, and each is
        also found by what the turn before it says. A turn that is added without the one before it stands alone unless
        `context` holds that text. A context helps to find a passage; it is no part of its text and is never shown.

        `progress(done, total, uri)` counts records, a few times a second; `total` is 0 while nobody knows how many
        there will be. True draws a bar.
        """
        options = Options(
            namespace=namespace,
            kind=kind,
            tags=checked_tags(tags),
            library=library,
            version=version,
            trust=trust,
            allow_secrets=allow_secrets,
        )
        return self._watched(
            lambda tell: self._calibrated(lambda: self._writer.add(records, options, dry_run, tell)),
            progress,
            "records",
        )

    def backfill(self, *, progress: Progress | bool | None = None) -> int:
        """Embed the passages that have no vector of this model yet; how many were embedded. Raises ModelError."""
        return self._watched(lambda tell: self._calibrated(lambda: self._writer.backfill(tell)), progress, "passages")

    def optimize(self) -> None:
        """Merge small files, bring the search indexes up to date, remove old versions."""
        self._runner.run(self._calibrated(self._writer.optimize))

    def maintain(self, *, history_days: float | None = None) -> Upkeep:
        """Delete passages that were changed or removed more than `history_days` ago, and sources removed before then,
        and put the store in order. Without days the setting `index.history_days` holds.

        What is found now stays found, `as_of` goes on working for the days that are kept, and judgements stay. Raises
        QueryError, StoreError.
        """
        return self._runner.run(self._writer.maintain(history_days))

    def purge(self, *targets: str | Path, dry_run: bool = False) -> Upkeep:
        """Erase changed and removed passages from the disk, so that none of their bytes are left in the store, of the
        sources named (path, uri, glob or id), or of all where none is. It cannot be undone; `dry_run` only counts.

        Passages that are still in their file stay, and the report says so; judgements stay too, with their queries. The
        store is written anew, which takes about as long as building its search indexes; a search under way in another
        process may have to be asked again. Cut short it leaves a whole store: run it again. Raises QueryError,
        StoreError.
        """
        return self._runner.run(self._writer.purge(tuple(map(str, targets)), dry_run))

    def calibrate(self, *, profile: str | Profile | None = None, again: bool = True) -> Calibration | None:
        """Measure what this index scores on questions it cannot answer, and keep it: the floors of abstention.

        Index runs do this by themselves when an index of 30 passages or more has grown or shrunk by a quarter.
        `profile` is this memo's when not given; `again=False` measures only where an index run would, and gives None
        where nothing is kept. Raises ProfileError for a profile whose fusion is not `evidence`, StoreError in a
        read-only store.
        """
        chosen = self._profile if profile is None else profiles.get(profile, self._settings.profiles)
        if chosen.fusion.method != "evidence":
            raise ProfileError(f"profile {chosen.name} has fusion {chosen.fusion.method}; only evidence has a floor")
        return self._runner.run(self._reader.calibrate(chosen, again=again))

    # --- reading

    def search(
        self,
        text: str,
        *,
        mode: Mode | None = None,
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
        queries: Iterable[str] = (),
        **scope_fields: Any,
    ) -> SearchResponse:
        """Ask the index. `mode` and `limit` are those of the settings when not given; where these name no limit either,
        it is the profile's page. `scope_fields` are the fields of `Scope`, in
        their singular forms too: kind="note", since="2026-06", sources="notes/*". A text that begins with `like: ` asks
        what is like the rest, see `similar`. `queries` are the same question in
        other words: each is searched, and their scores vote. With several `surfaces` (of memory, chat and file, or
        "all") each is searched by itself, and what they find is merged (`ranking.surfaces`); one is a filter.

        First the index is brought in step with the disk, below all that was ever indexed: files that are gone leave,
        the words of new and changed ones are written, their vectors follow (`trace.synced` counts the files). With
        `sync=False` it is asked as it stands. `record` is taken for the sake of callers; this version records no use
        (`recorded` is False). Raises QueryError, ProfileError.
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
            queries=queries,
            **scope_fields,
        )
        return self._runner.run(self._search(query, chosen))

    async def search_async(self, text: str, **options: Any) -> SearchResponse:
        """`search` for await, with the same options; cancelling it cancels the search."""
        return await self._runner.wrap(self._search(*self._asked(text, **options)))

    def similar(
        self, target: str | Path | Passage | Result, *, min_similarity: float | None = None, **options: Any
    ) -> SearchResponse:
        """What is like something, ranked as a search is: by words, names and meaning, with the reasons. `options` are
        those of `search`; `limit` and the fields of the scope say where to look, not what `target` may be.

        `target` is a passage (its id, or a result), a source (uri or path), a section (`notes/a.md#Heading`), or any
        text, a cell of code for instance, taken verbatim: nothing in it is a command. Of several passages all are
        meant, by the words of all and the mean of their vectors. What was named is left out itself: a passage leaves
        the others of its source in, a source takes all of its own out. Of a long text the words and names that are
        rarest in this index are looked for (`text.gist`), and its beginning is embedded.

        With `min_similarity`, a cosine, whatever is below it is left out, and so is a passage without a vector; a hint
        says how many. The response's `query` is `like: ` and the target, and `search` takes it as such. Raises
        QueryError, ProfileError.
        """
        return self._runner.run(self._similar(*self._alike(target, min_similarity, options)))

    async def similar_async(
        self, target: str | Path | Passage | Result, *, min_similarity: float | None = None, **options: Any
    ) -> SearchResponse:
        """`similar` for await, with the same options; cancelling it cancels the search."""
        return await self._runner.wrap(self._similar(*self._alike(target, min_similarity, options)))

    def _alike(
        self, target: object, least: float | None, options: dict[str, Any]
    ) -> tuple[str | Passage, Query, Profile]:
        """What `similar` is to find the like of, and its query but for the name of that."""
        if "min_relevance" in options:
            raise QueryError("similar has no min_relevance. Use min_similarity, a cosine such as 0.5")
        meant = named.meant(target)
        return meant, *self._asked(LIKE, min_relevance=checked_similarity(least), **options)

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
        chosen = self._profile if profile is None else profiles.get(profile, self._settings.profiles)
        own = {name: options.pop(name) for name in _QUERY_FIELDS & options.keys()}
        standing = self._settings.search
        own["mode"] = own.get("mode") or standing.mode
        if limit is None:
            limit = standing.limit or chosen.page
        return Query(text=text, scope=scope_of(scope, options), limit=limit, **own), chosen

    def context(
        self, text: str, *, max_tokens: int | None = CONTEXT_TOKENS, even_if_flat: bool = False, **options: Any
    ) -> PromptContext:
        """The passages worth giving to a language model, whole, with their sources, in a frame that marks them as data
        and that nothing in them can end. `str(context)` is the text; `options` are those of `search`.

        It holds as many of a page's results as fit `max_tokens` with their frame, the best first, at least one; those
        that follow each other in one source are joined. It is empty, with the reason, where the search finds nothing,
        and on a flat page (`even_if_flat` gives that too): near misses in a prompt read as evidence. Raises QueryError,
        ProfileError.
        """
        return self._runner.run(self._context(*self._asked(text, max_tokens=max_tokens, **options), even_if_flat))

    async def context_async(
        self, text: str, *, max_tokens: int | None = CONTEXT_TOKENS, even_if_flat: bool = False, **options: Any
    ) -> PromptContext:
        """`context` for await, with the same options; cancelling it cancels the search."""
        asked = self._asked(text, max_tokens=max_tokens, **options)
        return await self._runner.wrap(self._context(*asked, even_if_flat))

    def judge(self, query: str | SearchResponse, id: str | int | Result, grade: int) -> Judgement:
        """Keep how well a passage answers a query: 0 (no answer) to 3 (the answer). Durable when this returns; of
        several judgements of one query and passage the last counts.

        `query` is its text, or the response it was judged in; `id` a passage's id, a result, or its rank in that
        response. Raises QueryError for an unknown id or grade, StoreError in a read-only store.
        """
        user = configuration.user_name(self._settings)
        return self._runner.run(self._writer.judge(query, id, checked_grade(grade), user))

    def judgements(self, *, history: bool = False) -> tuple[Judgement, ...]:
        """What was judged, the oldest first: the last verdict of each query and passage, or with `history` all."""
        return self._runner.run(self._writer.judgements(history))

    def explain(self, response: SearchResponse, rank: int, *, profile: str | Profile | None = None) -> Ablation:
        """Why a result stands where it stands, and what each arm does for it: its rank without each, and the smallest
        set of arms that keeps it on its page. Searches the same state of the index again, while it is kept.

        `profile` is needed where the list was made by one that has no name. Raises QueryError, ProfileError.
        """
        chosen = self._profile if profile is None and self._profile.name == response.trace.profile else None
        chosen = chosen or profiles.get(response.trace.profile if profile is None else profile, self._settings.profiles)
        return self._runner.run(self._reader.explain(response, rank, chosen))

    def compare(self, query: str, a: str | Profile, b: str | Profile, **options: Any) -> Comparison:
        """Ask by two profiles, over the same state of the index and at the same moment: both lists, and for each
        passage the constants that moved it. `options` are those of `search`, but for offset and max_tokens.

        Each list is made as often as the profiles have groups of constants that differ, so that the cause of a move is
        seen and not guessed. Raises QueryError, ProfileError.
        """
        return self._runner.run(self._compare(query, a, b, options))

    async def compare_async(self, query: str, a: str | Profile, b: str | Profile, **options: Any) -> Comparison:
        """`compare` for await, with the same options; cancelling it cancels the searches."""
        return await self._runner.wrap(self._compare(query, a, b, options))

    def profiles(self) -> tuple[Profile, ...]:
        """The profiles there are: those of the package, then the user's own, of `jupyter_memo.toml`."""
        return tuple(self._settings.profiles.values())

    def why_not(self, query: str, target: str, *, profile: str | Profile | None = None, **options: Any) -> WhyNot:
        """The step of a search that drops something, with the number that decided; `options` are those of `search`.

        `target` is a passage's id, a source's uri or path, a glob (`notes/*.md`), or a section (`notes/a.md#Heading`);
        of several passages the one that comes furthest is told. Raises QueryError, ProfileError.
        """
        asked, chosen = self._asked(query, profile=profile, **options)
        return self._runner.run(self._why_not(asked, chosen, str(target)))

    async def passage_async(self, id: str) -> tuple[Passage, Path | None]:
        """A passage whole, and the file it stands in on this machine; None for a record, or where its folder is not
        known here. Raises LifecycleError when no passage has that id."""
        return await self._runner.wrap(self._passage(id))

    async def facets_async(self) -> dict[str, list[tuple[str, int]]]:
        """(value, passages) of all that is searched: kinds, namespaces, tags, folders (two levels of them), months."""
        return await self._runner.wrap(self._facets())

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
        memo's model, beside a reference of the same run. This memo's own store is not touched; the name "judgements"
        stands for what was judged here, asked of this store.

        Each set is indexed into a temporary store, or into one below `stores`, which later runs reuse. Options are
        those of `evaluate.evaluate`. Raises QueryError for a malformed set, MissingExtraError without the extra.
        """
        embedder = self._door.wait(None)
        if embedder is None and self._door.state != "absent":
            raise ModelError(f"{self._model_name()} failed to load: {self._door.error}")
        return evaluate.evaluate(
            [evaluate.judged(self.judgements()) if each == evaluate.JUDGEMENTS else each for each in sets],
            lambda path, read_only: Memo.open(path, embedder=embedder or "none", read_only=read_only),
            embedder,
            profiles=profiles,
            sweep=sweep,
            stores=stores,
            off_topic=off_topic,
            shipped=shipped,
            reference=reference,
            progress=progress,
            own=self.search,
            known=self._settings.profiles,
        )

    # --- showing

    def widget(self, query: str = "", *, ask: bool = True, **options: Any) -> SearchWidget:
        """A search box over this memo, for a notebook: search, page, explain, cite, judge and index without a cell.
        `options` are those of `search`, for every search in it; with `ask=False` the query only stands in the box.

        It works while the kernel runs, also during a cell; what a saved notebook is to keep, `search` shows. Raises
        QueryError, ProfileError.
        """
        from jupyter_memo.jupyter import widget

        self._asked(query, **options)
        return widget.SearchWidget(self, query, options, ask=ask, writable=not self._store.read_only)

    def close(self) -> None:
        """Finish what is being written, and let go of the store. Safe to call twice."""
        self._runner.close(self._store.close)
        self._sync.close()
        self._reader.pool.shutdown(wait=False, cancel_futures=True)
        self._writer.pool.shutdown(wait=False, cancel_futures=True)

    @property
    def path(self) -> str:
        """Where the store lies."""
        return self._store.path

    # --- the work itself, on the background loop

    def _watched(
        self, work: Callable[[Progress | None], Coroutine[Any, Any, T]], progress: Progress | bool | None, unit: str
    ) -> T:
        """Run work that tells its progress; the caller's function is called in the caller's own thread."""
        if progress is True:
            from jupyter_memo.jupyter.progress import bar

            with bar("embedding" if unit == "passages" else "indexing", unit) as shown:
                return self._watched(work, shown, unit)
        if not callable(progress):
            return self._runner.run(work(None))
        events: queue.SimpleQueue[tuple[int, int, str]] = queue.SimpleQueue()
        return self._runner.run(
            work(lambda done, total, what: events.put((done, total, what))),
            events=events,
            on_event=lambda event: progress(*event),
        )

    async def _calibrated(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do what writes to the store, then see that its calibration fits what stands there now."""
        done = await work()
        if not self._store.read_only:
            # What was written stands, and a search without floors says so: no fault here may undo that.
            with contextlib.suppress(MemoError):
                await self._reader.calibrate(self._reader.floored, again=False)
        return done

    async def _search(self, query: Query, profile: Profile) -> SearchResponse:
        synced = await self._sync.before() if query.sync else None
        answer = await self._reader.search(query, profile, synced=synced, filling=self._sync.filling)
        if self._store.read_only_because and query.sync:
            told = f"Read only, {self._store.read_only_because}: what changed on disk since it was indexed is not seen."
            answer = dataclasses.replace(answer, hints=(*answer.hints, told))
        uris = [result.passage.uri for result in answer.results]
        uris += [below.uri for result in answer.results for below in result.folded]
        # A working folder that is gone has no way to anywhere, nor has an index whose folders cannot be read.
        with contextlib.suppress(OSError, MemoError):
            answer = dataclasses.replace(answer, ways=(await self._writer.roots()).ways(uris, str(Path.cwd())))
        return answer.shared(self._settings.share)

    async def _similar(self, meant: str | Passage, query: Query, profile: Profile) -> SearchResponse:
        name = await self._reader.name_of(meant if isinstance(meant, Passage) else await self._writer.uri_of(meant))
        return await self._search(dataclasses.replace(query, text=LIKE + name), profile)

    async def _compare(self, text: str, a: str | Profile, b: str | Profile, options: dict[str, Any]) -> Comparison:
        moves.checked(options)
        query, one = self._asked(text, profile=a, **options)
        other_query, other = self._asked(text, profile=b, **options)
        if query.sync:
            await self._sync.before()
        compared = await self._reader.compare(query, one, other, other_query.limit)
        return compared.shared(self._settings.share)

    async def _context(self, query: Query, profile: Profile, even_if_flat: bool) -> PromptContext:
        response = await self._search(query, profile)
        chosen = choosing.choose(response, even_if_flat=even_if_flat)
        embedder = self._door.embedder
        count = embedder.count_tokens if embedder else rough_tokens
        return framing.made(chosen, response, count_tokens=count, max_tokens=query.max_tokens)

    async def _why_not(self, query: Query, profile: Profile, target: str) -> WhyNot:
        told = await self._reader.why_not(query, profile, await self._writer.uri_of(target))
        told = dataclasses.replace(told, share=self._settings.share)
        if told.step != "not indexed" or told.cure:
            return told
        absent = await self._writer.why_absent(target)
        return dataclasses.replace(
            told,
            sentence=f"{told.sentence} {absent.reason[:1].upper()}{absent.reason[1:]}.",
            cure=told.cure or absent.cure,
        )

    async def _passage(self, id: str) -> tuple[Passage, Path | None]:
        row = (await self._store.fetch((id,))).get(id)
        if row is None or row.passage.forgotten_at is not None:
            raise LifecycleError(f"no passage here has the id {id!r}. Search again: its text may have changed")
        files = [each for each in await self._store.sources((row.passage.source_id,)) if each.surface == "file"]
        return row.passage, (await self._writer.roots()).path(files[0].root, files[0].path) if files else None

    async def _facets(self) -> dict[str, list[tuple[str, int]]]:
        return await self._store.facets()

    async def _status(self) -> Status:
        return await health.status(
            self._store,
            self._door,
            model=self._model_name(),
            profile=self._profile.name,
            roots=await self._writer.roots(),
            notices=self._notices,
        )

    async def _doctor(self) -> tuple[Check, ...]:
        await self._door.ready(DOCTOR_WAIT_SECONDS)
        keys = await self._store.vector_keys()
        return health.checks(
            await self._status(),
            self._door,
            tuple(key.id for key in keys),
            await self._writer.roots(),
            await self._reader.calibration(),
            await self._writer.withheld(),
        )

    def _model_name(self) -> str:
        # A model given by its folder goes by the folder's name: answers are saved in notebooks, paths are not.
        return meaning.shown_name(self._settings.embedder) if self._named else "the embedder"
