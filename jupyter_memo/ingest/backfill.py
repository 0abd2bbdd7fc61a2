"""Back-fill: passages that were written without the model get their vectors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import numpy as np

from jupyter_memo.errors import ModelError, StoreError
from jupyter_memo.ingest import embedding
from jupyter_memo.ingest.commit import EMBED_SLICE
from jupyter_memo.models import Embedder
from jupyter_memo.store.lance import Store
from jupyter_memo.store.lock import exclusive
from jupyter_memo.store.tables import ModelKey

BATCH_PASSAGES = 256

FILL = "fill.lock"
"""Held in the store's folder by who fills it: for as long as that takes. Nothing but another back-fill waits for it."""

POLL_SECONDS = 1.0
"""How often who waits looks whether it is its turn."""


async def run(
    store: Store,
    embedder: Embedder,
    key: ModelKey,
    *,
    pool: Executor,
    progress: Callable[[int, int, str], None] | None = None,
) -> int:
    """Embed every live passage without a vector of this model; how many were written.

    One back-fill of a local store at a time, over processes: the next one finds what is left, which as a rule is
    nothing. The write lock is held while a batch is written, never while it is embedded; a cancelled run keeps what
    it wrote. Raises ModelError when the model fails, StoreError when the store cannot be written.
    """
    async with _turn(store):
        return await _filled(store, embedder, key, pool, progress)


@asynccontextmanager
async def _turn(store: Store) -> AsyncIterator[None]:
    """Wait until nobody else fills the store. Where that cannot be known, two may: it costs time and harms nothing."""
    async with AsyncExitStack() as stack:
        while "://" not in store.path:
            try:
                await stack.enter_async_context(exclusive(Path(store.path), timeout_seconds=0, name=FILL))
                break
            except StoreError as error:
                if error.__cause__ is not None:  # no lock can be had here, now or later
                    break
            await asyncio.sleep(POLL_SECONDS)
        yield


async def _filled(
    store: Store,
    embedder: Embedder,
    key: ModelKey,
    pool: Executor,
    progress: Callable[[int, int, str], None] | None,
) -> int:
    loop = asyncio.get_running_loop()
    async with store.writing():
        await store.ensure_vectors(key)
    done, total = 0, (await store.counts(key))["without_vectors"]
    seen: set[str] = set()
    while True:
        rows = [row for row in await store.missing_vectors(key, BATCH_PASSAGES) if row.passage.id not in seen]
        if not rows:
            break
        vectors: list[np.ndarray] = []
        for start in range(0, len(rows), EMBED_SLICE):
            part = rows[start : start + EMBED_SLICE]
            try:
                vectors.extend(await loop.run_in_executor(pool, embedding.vectors, embedder, part))
            except ModelError:
                raise
            except Exception as error:  # a model may fail in any way
                raise ModelError(f"{key.id} failed while embedding: {error}") from error
            if progress:
                progress(min(done + start + len(part), total), total, "passages")
        ids = [row.passage.id for row in rows]
        async with store.writing():
            await store.set_vectors(key, ids, np.stack(vectors))
        seen.update(ids)
        done += len(ids)
    if done:
        async with store.writing():
            await store.optimize()
    return done
