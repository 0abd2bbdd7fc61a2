"""The writing end of a run: prepared sources are compared, embedded and committed in small batches, whole ones only."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import ParamSpec, TypeVar

import numpy as np

from jupyter_memo.ingest import embedding
from jupyter_memo.ingest import prepare as preparing
from jupyter_memo.ingest.prepare import Prepared
from jupyter_memo.ingest.tally import Tally, report_of
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.records import Source
from jupyter_memo.response import SourceReport
from jupyter_memo.runner import UNBROKEN
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey, Row

BATCH_PASSAGES = 256
"""New passages a commit: small enough that an interrupt loses a few seconds of embedding, large enough that a commit
(some 100 ms of writing) costs little beside it."""

BATCH_SOURCES = 200

EMBED_SLICE = 16
"""Passages a call to the model, between two looks at whether the run was cancelled."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Committer:
    """What a run writes with. `embedder` None leaves vectors out; `wants_vectors` says whether they are to follow."""

    store: Store
    embedder: Embedder | None
    key: ModelKey | None
    now: datetime
    pool: ThreadPoolExecutor
    dry_run: bool = False
    wants_vectors: bool = True

    async def write(self, prepared: AsyncIterator[Prepared], tally: Tally) -> None:
        """Collect prepared sources into batches and commit each; a cancelled run loses the open batch only."""
        batch: list[Prepared] = []
        passages = 0
        async for item in prepared:
            batch.append(item)
            passages += len(item.rows)
            if passages >= BATCH_PASSAGES or len(batch) >= BATCH_SOURCES:
                await self._commit(batch, tally)
                batch, passages = [], 0
        if batch:
            await self._commit(batch, tally)

    async def _commit(self, batch: list[Prepared], tally: Tally) -> None:
        held = await self._held([item.source for item in batch])
        diffs = [preparing.diff(item.rows, held.get(item.source.id, {})) for item in batch]
        if self.dry_run:
            tally.sources.extend(report_of(item, diff) for item, diff in zip(batch, diffs, strict=True))
            return
        vectors = await self._embed([row for diff in diffs for row in diff.written], tally)
        # The model is done and nothing waits for it any more: a cancel now waits for the few milliseconds of writing.
        writing = self._apply(batch, vectors, tally)
        await asyncio.shield(asyncio.get_running_loop().create_task(writing, name=UNBROKEN))

    async def _apply(self, batch: list[Prepared], vectors: dict[str, np.ndarray], tally: Tally) -> None:
        run_id = uuid.uuid4().hex
        async with self.store.writing():
            # Another process may have written since the batch was compared, so it is compared again under the lock.
            held = await self._held([item.source for item in batch])
            diffs = [preparing.diff(item.rows, held.get(item.source.id, {})) for item in batch]
            if self.key is not None:
                await self.store.ensure_vectors(self.key)
            await self.store.begin(run_id)
            written = [
                dataclasses.replace(row, vector=vectors.get(row.passage.id)) for diff in diffs for row in diff.written
            ]
            ended = [held[item.source.id][id] for item, diff in zip(batch, diffs, strict=True) for id in diff.dropped]
            renewed = [held[row.passage.source_id][row.passage.id] for diff in diffs for row in diff.renewed]
            moved = [passage for diff in diffs for passage in diff.moved]
            if written:
                await self.store.add(written, self.key, run_id)
            if ended:
                await self.store.supersede([row.passage.id for row in ended], self.now, run_id)
            if moved:
                await self.store.respan(moved, run_id)
            await self.store.tally(written, (*ended, *renewed), run_id)
            await self.store.put_sources([dataclasses.replace(item.source, run_id=run_id) for item in batch])
            await self.store.commit(run_id)
        tally.embedded += sum(row.vector is not None for row in written)
        if self.wants_vectors:
            tally.pending += sum(row.vector is None for row in written)
        tally.sources.extend(report_of(item, difference) for item, difference in zip(batch, diffs, strict=True))

    async def remove(self, gone: Mapping[str, str], sources: Mapping[str, Source], tally: Tally) -> None:
        """End what the index holds of these sources (id -> why), in one run."""
        if not gone:
            return
        leaving = [sources[id] for id in gone]
        if self.dry_run:
            held = await self._held(leaving)
        else:
            held = await asyncio.shield(
                asyncio.get_running_loop().create_task(self._apply_removal(leaving), name=UNBROKEN)
            )
        tally.sources.extend(
            SourceReport(uri=source.uri, status="removed", reason=gone[source.id], dropped=len(held.get(source.id, {})))
            for source in leaving
        )

    async def _apply_removal(self, leaving: list[Source]) -> dict[str, dict[str, Row]]:
        run_id = uuid.uuid4().hex
        async with self.store.writing():
            held = await self._held(leaving)
            ended = [row for rows in held.values() for row in rows.values()]
            await self.store.begin(run_id)
            if ended:
                await self.store.supersede([row.passage.id for row in ended], self.now, run_id)
            await self.store.tally((), ended, run_id)
            await self.store.put_sources(
                [dataclasses.replace(source, removed_at=self.now, run_id=run_id) for source in leaving]
            )
            await self.store.commit(run_id)
        return held

    async def _held(self, sources: list[Source]) -> dict[str, dict[str, Row]]:
        """What the store holds of these sources: source id -> passage id -> row."""
        held: dict[str, dict[str, Row]] = {}
        for row in await self.store.source_passages(*(source.id for source in sources)):
            held.setdefault(row.passage.source_id, {})[row.passage.id] = row
        return held

    async def _embed(self, rows: list[Row], tally: Tally) -> dict[str, np.ndarray]:
        """One vector a row; those that a failing model leaves out wait for a back-fill."""
        vectors: dict[str, np.ndarray] = {}
        if self.embedder is None:
            return vectors
        for start in range(0, len(rows), EMBED_SLICE):
            part = rows[start : start + EMBED_SLICE]
            try:
                encoded = await self._off(embedding.vectors, self.embedder, part)
            except Exception as error:  # a model may fail in any way; the words must be findable all the same
                reason = " ".join(str(error).split())[:200]
                hint = (
                    f"The model failed while embedding ({reason}). Words find these passages; %memo backfill retries."
                )
                if hint not in tally.hints:
                    tally.hints.append(hint)
                break
            vectors.update((row.passage.id, vector) for row, vector in zip(part, encoded, strict=True))
        return vectors

    async def _off(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.pool, functools.partial(work, *args, **kwargs))
