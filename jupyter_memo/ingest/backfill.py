"""Back-fill: passages that were written without the model get their vectors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from jupyter_memo.errors import ModelError
from jupyter_memo.ingest import embedding
from jupyter_memo.ingest.commit import EMBED_SLICE
from jupyter_memo.models import Embedder
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey

BATCH_PASSAGES = 256


async def run(
    store: Store,
    embedder: Embedder,
    key: ModelKey,
    *,
    pool: Executor,
    progress: Callable[[int, int, str], None] | None = None,
) -> int:
    """Embed every live passage without a vector of this model; how many were written.

    The lock is held while a batch is written, never while it is embedded; a cancelled run keeps what it wrote. Raises
    ModelError when the model fails, StoreError when the store cannot be written.
    """
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
