"""What is asked of a store: searching, explaining and calibrating, with the model the engine opened."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from jupyter_memo import profile as profiles
from jupyter_memo.comparison import Comparison
from jupyter_memo.config import SearchSettings
from jupyter_memo.models import Door
from jupyter_memo.profile import Calibration, Profile, ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.records import Passage
from jupyter_memo.response import Ablation, SearchResponse, Synced, WhyNot
from jupyter_memo.search import ablation, calibrate, meaning, moves, named, pipeline, surfaces, why_not
from jupyter_memo.search.arms import Meaning
from jupyter_memo.search.pipeline import Ground
from jupyter_memo.store.lance import Snapshot, Store


class Reader:
    """The reading half of an engine. All coroutines run on the loop that opened the store.

    `model` is what messages call the model; `pool` runs it off the loop.
    """

    def __init__(
        self,
        *,
        store: Store,
        door: Door,
        settings: SearchSettings,
        profile: Profile,
        model: str,
        pool: ThreadPoolExecutor,
    ) -> None:
        self.pool = pool
        self._store = store
        self._door = door
        self._settings = settings
        self._profile = profile
        self._model = model
        self._waiting = (-1, 0)

    async def search(
        self,
        query: Query,
        profile: Profile,
        snapshot: Snapshot | None = None,
        synced: Synced | None = None,
        filling: bool = False,
        means: Meaning | None = None,
    ) -> SearchResponse:
        """`Memo.search`, of the newest state of the store or of that snapshot.

        `synced` is what was done before it, `filling` whether vectors are on their way. `means` is the model as it was
        a moment ago, where several searches shall have the same."""
        ground = await self._ground(query, profile, means)
        response = await pipeline.run(
            ground,
            query,
            snapshot=snapshot,
            synced=synced,
            how=surfaces.merged if query.surfaces else pipeline.whole,
        )
        hints = [synced.note] if synced and synced.note else []
        pending = await self._pending(response.trace.index_version)
        if pending and ground.meaning.key:
            cure = "The rest follows by itself." if filling else "Run: %memo backfill"
            waiting, them = ("1 passage has", "it") if pending == 1 else (f"{pending} passages have", "them")
            hints.append(f"{waiting} no vector yet; words find {them}. {cure}")
        return dataclasses.replace(response, hints=(*response.hints, *hints)) if hints else response

    async def explain(self, response: SearchResponse, rank: int, profile: Profile) -> Ablation:
        """`Memo.explain`, over the state of the store that the response was made from."""
        pinned = await self._store.pinned(response.trace.index_version)

        async def search(query: Query, profile: Profile) -> SearchResponse:
            return await self.search(query, profile, pinned)

        return await ablation.ablate(response, rank, profile, search)

    async def compare(self, query: Query, a: Profile, b: Profile, limit_b: int) -> Comparison:
        """`Memo.compare`, over one state of the store, with one state of the model, at one moment."""
        snapshot = await self._store.snapshot()
        wait = self._settings.model_wait_seconds if max(a.fusion.semantic, b.fusion.semantic) > 0 else 0
        means = await self.means(wait_seconds=wait)

        async def search(query: Query, profile: Profile) -> SearchResponse:
            return await self.search(query, profile, snapshot, means=means)

        query = dataclasses.replace(query, now=query.now or datetime.now(UTC))
        return await moves.compare(query, a, b, limit_b, search)

    async def why_not(self, query: Query, profile: Profile, uri: str) -> WhyNot:
        """`Memo.why_not` of a target as the index calls it."""
        return await why_not.why_not(await self._ground(query, profile), query, uri)

    async def name_of(self, target: str | Passage) -> str:
        """What the response of `Memo.similar` calls its target."""
        return await named.name_of(self._store, target)

    @property
    def floored(self) -> Profile:
        """The profile that index runs calibrate for: the memo's, or the default where its fusion has no floor."""
        return self._profile if self._profile.fusion.method == "evidence" else profiles.get("default")

    async def calibration(self) -> Calibration | None:
        """What is kept for that profile and the model that is there now."""
        return await calibrate.stored(self._store, self.floored.fusion, await self.means(wait_seconds=0))

    async def calibrate(self, profile: Profile, *, again: bool) -> Calibration | None:
        """`Memo.calibrate`."""
        means = await self.means(wait_seconds=None if again else 0)
        kept = await calibrate.stored(self._store, profile.fusion, means)
        if again or await calibrate.stale(self._store, kept, means):
            timeout = self._settings.arm_timeout_seconds
            kept = await calibrate.calibrate(self._store, profile, means, timeout_seconds=timeout)
            async with self._store.writing():
                await calibrate.keep(self._store, profile.fusion, kept)
        return kept

    async def means(self, *, wait_seconds: float | None) -> Meaning:
        """What the semantic arm works with; waits so long for a model that is loading (None: until it is there)."""
        return await meaning.meaning(self._store, self._door, self._model, wait_seconds=wait_seconds, pool=self.pool)

    async def _ground(self, query: Query, profile: Profile, means: Meaning | None = None) -> Ground:
        """What a search under this profile stands on."""
        wait = self._settings.model_wait_seconds if profile.fusion.semantic > 0 else 0
        means = means or await self.means(wait_seconds=wait)
        embedder = self._door.embedder
        resolved = ResolvedProfile(
            profile=profile,
            model=embedder.id if embedder else self._model,
            bands=meaning.bands_of(self._door),
            calibration=await calibrate.stored(self._store, profile.fusion, means),
        )
        return Ground(
            store=self._store,
            resolved=resolved,
            meaning=means,
            now=query.now or datetime.now(UTC),
            timeout_seconds=self._settings.arm_timeout_seconds,
        )

    async def _pending(self, version: int) -> int:
        """How many passages wait for a vector; counted once for each version of the index."""
        embedder = self._door.embedder
        if embedder is None:
            return 0
        if self._waiting[0] != version:
            counts = await self._store.counts(meaning.key_of(embedder))
            self._waiting = (version, counts["without_vectors"])
        return self._waiting[1]
