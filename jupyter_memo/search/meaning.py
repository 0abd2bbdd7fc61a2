"""What the semantic arm can work with right now, and in plain words why it cannot."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import Executor
from pathlib import Path

import numpy as np

from jupyter_memo.errors import ModelError
from jupyter_memo.models import Door, Embedder, Routed
from jupyter_memo.profile import GENERIC_BANDS, Bands
from jupyter_memo.response import Degraded
from jupyter_memo.search.arms import Meaning, mean_direction
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey
from jupyter_memo.text.paths import pathless


def key_of(embedder: Embedder) -> ModelKey:
    """The vector space of a model: rows of two spaces are never compared."""
    ways = embedder.ways if isinstance(embedder, Routed) else ()
    return ModelKey(
        id=embedder.id,
        sha256=embedder.sha256,
        dim=embedder.dim,
        ways=tuple(
            tuple(ModelKey(id=each.id, sha256=each.sha256, dim=each.dim, model=each.model) for each in way)
            for way in ways
        ),
    )


def bands_of(door: Door) -> Bands:
    """The bands of the loaded model, or the generic ones while there are no cosines to judge."""
    return door.embedder.bands if door.embedder else GENERIC_BANDS


def shown_name(name: str) -> str:
    """A model's name as a response tells it: a folder by its last part, which is also what the index knows it by."""
    kind, colon, where = name.partition(":")
    if not colon or not where:
        return name
    rooted = where.startswith((".", "/", "~")) or "\\" in where or re.match(r"[A-Za-z]:", where) is not None
    last = re.split(r"[\\/]+", where.rstrip("\\/"))[-1]
    return f"{kind}:{last}" if last and (rooted or Path(where).is_dir()) else name


async def meaning(store: Store, door: Door, name: str, *, wait_seconds: float | None, pool: Executor) -> Meaning:
    """The semantic arm's means. Waits at most `wait_seconds` for a model that is loading (None: until it is
    there)."""
    loop = asyncio.get_running_loop()
    embedder = door.embedder or await door.ready(wait_seconds)
    if embedder is None:
        return _missing(door, name)
    key = key_of(embedder)
    keys = await store.vector_keys()
    if not {part.key for part in key.parts} & {*keys} and (await store.snapshot()).passages:
        if keys:
            others = ", ".join(other.id for other in keys)
            return _without(
                "other_model", f"the stored vectors belong to {others}, not to {key.id}", "Run: %memo backfill"
            )
        return _without("no_vectors", "no passage has a vector yet", "Run: %memo backfill")

    def vector(text: str) -> np.ndarray:
        try:
            row: np.ndarray = embedder.encode_queries([text])[0]
            return row
        except Exception as error:  # any fault inside a model is that arm's, not the search's
            said = str(error) or type(error).__name__
            raise ModelError(f"the query's embedding failed ({key.id}): {said}") from error

    async def encode(text: str) -> np.ndarray:
        return await loop.run_in_executor(pool, vector, text)

    like = embedder.as_query if isinstance(embedder, Routed) else mean_direction
    return Meaning(key=key, encode=encode, like=like, languages=embedder.languages)


def _missing(door: Door, name: str) -> Meaning:
    if door.state == "absent":
        cure = "Search by words (mode auto), or open the store with an embedding model."
        return Meaning(off="no embedding model is set (embedder = none)", cure=cure)
    name = shown_name(name)
    if door.state == "failed":
        cure = f"{pathless(door.error).rstrip('.')}. Then: %memo backfill. %memo doctor tells more."
        return _without("model_failed", f"{name} failed to load", cure)
    return _without("model_loading", f"{name} is still loading", "Search again in a moment.")


def _without(code: str, what: str, cure: str) -> Meaning:
    missing = "Passages that only share a meaning with the query are missing."
    return Meaning(off=what, cure=cure, degraded=Degraded(flag=True, code=code, reason=f"{what}. {missing} {cure}"))
