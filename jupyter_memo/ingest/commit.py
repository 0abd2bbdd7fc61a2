"""The writing end of a run: prepared sources are compared, embedded and committed in small batches, whole ones only."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import uuid
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import ParamSpec, TypeVar

import numpy as np

from jupyter_memo.ingest import difference, embedding
from jupyter_memo.ingest.ahead import Ahead, closing
from jupyter_memo.ingest.difference import Diff
from jupyter_memo.ingest.prepare import Prepared
from jupyter_memo.ingest.tally import Tally, report_of
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.records import Source
from jupyter_memo.response import SourceReport
from jupyter_memo.runner import UNBROKEN
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey, Row

BATCH_PASSAGES = 256
"""Passages that are compared and embedded together: small enough that an interrupt loses a few seconds of embedding."""

BATCH_SOURCES = 200

GROUP_BATCHES = 8
"""Batches that one commit writes, where the model is so quick that they wait for it: a commit costs some 100 ms
whatever stands in it. Where the model is what takes time none waits, and each batch is written as it is done."""

IN_FLIGHT_SOURCES = (2 * GROUP_BATCHES + 8) * BATCH_SOURCES
"""No more sources than these are on their way to the store at any time: those of two groups, of the batches before
them, and of the one that is being filled."""

REMOVED_PASSAGES = 2_000
"""Passages whose removal is one commit."""

UPKEEP_PASSAGES = 10_000
"""New passages after which a long run looks whether the store needs upkeep."""

EMBED_SLICE = 16
"""Passages a call to the model, between two looks at whether the run was cancelled."""

GIVEN_AGAIN = "given again further on; the last one counts"

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True)
class Batch:
    """Sources that are written in one commit, by id, and the vectors of their passages."""

    items: dict[str, Prepared] = field(default_factory=dict)
    vectors: dict[str, np.ndarray] = field(default_factory=dict)
    passages: int = 0

    @property
    def full(self) -> bool:
        """Whether it is large enough to be embedded."""
        return len(self.items) >= BATCH_SOURCES or self.passages >= BATCH_PASSAGES

    def put(self, item: Prepared, tally: Tally) -> None:
        """Add a source; it takes the place of an earlier state of the same source."""
        earlier = self.items.pop(item.source.id, None)
        if earlier is not None:
            tally.sources.append(SourceReport(uri=earlier.source.uri, status="skipped", reason=GIVEN_AGAIN))
        self.items[item.source.id] = item
        self.passages += len(item.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Committer:
    """What a run writes with. `embedder` None leaves vectors out; `wants_vectors` says whether they are to follow.
    `tell` is called with the uri of each source that the model is done with.

    Preparing, embedding and writing run beside each other, a batch or two apart: the model waits for neither.
    """

    store: Store
    embedder: Embedder | None
    key: ModelKey | None
    now: datetime
    pool: ThreadPoolExecutor
    dry_run: bool = False
    wants_vectors: bool = True
    tell: Callable[[str], None] | None = None

    async def write(self, prepared: AsyncIterator[Prepared], tally: Tally) -> None:
        """Collect prepared sources into batches and commit each. A cancelled run loses what is not written yet, and
        leaves whole sources; when `prepared` fails, what came before is written."""
        waiting = 0
        async with (
            Ahead(self._batches(prepared, tally), 1) as batches,
            Ahead(self._read(batches, tally), GROUP_BATCHES) as read,
        ):
            async for batch in read:
                for _, further in zip(range(GROUP_BATCHES - 1), read.ready(), strict=False):
                    for item in further.items.values():
                        batch.put(item, tally)
                    batch.vectors.update(further.vectors)
                # The model is done with these: a cancel now waits for the few milliseconds of writing.
                writing = self._apply(batch, tally)
                waiting += await asyncio.shield(asyncio.get_running_loop().create_task(writing, name=UNBROKEN))
                if waiting >= UPKEEP_PASSAGES:
                    async with self.store.writing():
                        await self.store.optimize()
                    waiting = 0

    async def _batches(self, prepared: AsyncIterator[Prepared], tally: Tally) -> AsyncIterator[Batch]:
        batch = Batch()
        failed: Exception | None = None
        async with closing(prepared) as items:
            try:
                async for item in items:
                    batch.put(item, tally)
                    if batch.full:
                        yield batch
                        batch = Batch()
            except Exception as error:  # what came before it is kept, whatever it is
                failed = error
            if batch.items:
                yield batch
        if failed is not None:
            raise failed

    async def _read(self, batches: AsyncIterator[Batch], tally: Tally) -> AsyncIterator[Batch]:
        """The batches with the vectors of what is new in them; none in a dry run, which only counts."""
        async for batch in batches:
            diffs = self._diffs(batch, await self._held([item.source for item in batch.items.values()]))
            rows = [row for _, diff in diffs for row in diff.unread]
            ends = accumulate(len(diff.unread) for _, diff in diffs)
            waiting = deque(zip(ends, (item.source.uri for item, _ in diffs), strict=True))
            async for read in self._embed([] if self.dry_run else rows, batch.vectors, tally):
                while waiting and waiting[0][0] <= read:
                    self._tell(waiting.popleft()[1])
            for _, uri in waiting:
                self._tell(uri)
            if self.dry_run:
                tally.sources.extend(report_of(*each) for each in diffs)
            else:
                yield batch

    async def _apply(self, batch: Batch, tally: Tally) -> int:
        """Write a batch; how many passages were."""
        run_id = uuid.uuid4().hex
        async with self.store.writing():
            # Another process may have written since the batch was compared, so it is compared again under the lock.
            held = await self._held([item.source for item in batch.items.values()])
            diffs = self._diffs(batch, held)
            if self.key is not None:
                await self.store.ensure_vectors(self.key)
            await self.store.begin(run_id)
            written = [
                dataclasses.replace(row, vector=batch.vectors.get(row.passage.id))
                for _, diff in diffs
                for row in diff.written
            ]
            ended = [held[item.source.id][id] for item, diff in diffs for id in diff.dropped]
            renewed = [held[row.passage.source_id][row.passage.id] for _, diff in diffs for row in diff.renewed]
            moved = [passage for _, diff in diffs for passage in diff.moved]
            if written:
                await self.store.add(written, self.key, run_id)
            if ended:
                await self.store.supersede([row.passage.id for row in ended], self.now, run_id)
            if moved:
                await self.store.respan(moved, run_id)
            await self.store.tally(written, (*ended, *renewed), run_id)
            sources = [dataclasses.replace(item.source, run_id=run_id) for item in batch.items.values()]
            await self.store.put_sources(sources)
            await self.store.commit(run_id)
            filled = await self._fill(batch, held, frozenset(row.passage.id for row in written))
        tally.embedded += filled + sum(row.vector is not None for row in written)
        if self.wants_vectors:
            tally.pending += sum(row.passage.id not in batch.vectors for _, diff in diffs for row in diff.unread)
        tally.sources.extend(report_of(*each) for each in diffs)
        return len(written)

    async def _fill(self, batch: Batch, held: Mapping[str, Mapping[str, Row]], written: frozenset[str]) -> int:
        """Keep the vectors of passages that another process wrote without one while this one embedded them."""
        spare = [
            row.passage.id
            for item in batch.items.values()
            for row in item.rows
            if row.passage.id in batch.vectors and row.passage.id not in written
            if (there := held.get(item.source.id, {}).get(row.passage.id)) and there.context == row.context
        ]
        if not spare or self.key is None:
            return 0
        stored = await self.store.fetch(spare, self.key)
        without = [id for id in dict.fromkeys(spare) if id in stored and stored[id].vector is None]
        if without:
            await self.store.set_vectors(self.key, without, np.stack([batch.vectors[id] for id in without]))
        return len(without)

    @staticmethod
    def _diffs(batch: Batch, held: Mapping[str, Mapping[str, Row]]) -> list[tuple[Prepared, Diff]]:
        return [(item, difference.diff(item.rows, held.get(item.source.id, {}))) for item in batch.items.values()]

    async def remove(self, gone: Mapping[str, str], sources: Mapping[str, Source], tally: Tally) -> None:
        """End what the index holds of these sources (id -> why)."""
        for leaving in _pieces([sources[id] for id in gone]):
            if self.dry_run:
                held = await self._held(leaving)
            else:
                removing = self._apply_removal(leaving)
                held = await asyncio.shield(asyncio.get_running_loop().create_task(removing, name=UNBROKEN))
            tally.sources.extend(
                SourceReport(
                    uri=source.uri, status="removed", reason=gone[source.id], dropped=len(held.get(source.id, {}))
                )
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

    def _tell(self, uri: str) -> None:
        if self.tell is not None:
            self.tell(uri)

    async def _embed(self, rows: list[Row], vectors: dict[str, np.ndarray], tally: Tally) -> AsyncIterator[int]:
        """Put one vector a row into `vectors`, and give how many rows are done; those that a failing model leaves out
        wait for a back-fill."""
        if self.embedder is None:
            return
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
            yield start + len(part)

    async def _off(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.pool, functools.partial(work, *args, **kwargs))


def _pieces(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """Sources cut into pieces of so many passages that they can be held at once."""
    piece: list[Source] = []
    passages = 0
    for source in sources:
        piece.append(source)
        passages += source.passages
        if passages >= REMOVED_PASSAGES or len(piece) >= REMOVED_PASSAGES:
            yield piece
            piece, passages = [], 0
    if piece:
        yield piece
