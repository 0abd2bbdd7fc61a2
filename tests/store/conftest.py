"""Rows made by hand and a loop that stays, for tests on a real database in a temporary folder."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from jupyter_memo.query import Scope
from jupyter_memo.records import Passage, Source
from jupyter_memo.store.filters import predicates, where
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey, Row
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.words import cjk_column, ident_column, stem_column

T = TypeVar("T")
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[[Coroutine[Any, Any, T]], T]]:
    """Run a coroutine on the one loop that all stores of a module live on."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture(scope="session")
def day() -> Callable[[float], datetime]:
    """A moment so many days after the first."""
    return lambda number: START + timedelta(days=number)


@pytest.fixture(scope="session")
def key() -> ModelKey:
    return ModelKey(id="test", sha256="0" * 64, dim=8)


@pytest.fixture(scope="session")
def vector() -> Callable[..., np.ndarray]:
    """A unit vector that depends on a word alone."""

    def make(word: str, dim: int = 8) -> np.ndarray:
        seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "replace")).digest()[:8], "big")
        values = np.random.default_rng(seed).normal(size=dim)
        return np.asarray(values / np.linalg.norm(values), dtype=np.float32)

    return make


@pytest.fixture(scope="session")
def row() -> Callable[..., Row]:
    """A row with its text columns; fields of the passage by name."""

    def make(id: str, text: str = "", *, vector: np.ndarray | None = None, **fields: Any) -> Row:
        fields = {"source_id": "s1", "uri": "notes/a.md", "created_at": START, "recorded_at": START} | fields
        passage = Passage(id=id, text=text, **fields)
        lex = stem_column("\n".join((*passage.header, text)))
        ident, cjk = ident_column(passage.header, text, ""), cjk_column(passage.header, text)
        return Row(passage=passage, lex=lex, ident=ident, cjk=cjk, vector=vector)

    return make


@pytest.fixture(scope="session")
def plan() -> Callable[..., QueryPlan]:
    """A plan made by hand."""
    return lambda words="", **fields: QueryPlan(text=words, words=words, semantic=words, **fields)


@pytest.fixture(scope="session")
def source() -> Callable[..., Source]:
    return lambda id, run_id, **fields: Source(
        **({"id": id, "uri": f"notes/{id}.md", "run_id": run_id, "recorded_at": START} | fields)
    )


@pytest.fixture(scope="session")
def write() -> Callable[..., Coroutine[Any, Any, None]]:
    """Write rows and end others in one committed run."""

    async def write(
        store: Store,
        run_id: str,
        rows: Sequence[Row] = (),
        *,
        key: ModelKey | None = None,
        end: Sequence[str] = (),
        at: datetime = START,
    ) -> None:
        async with store.writing():
            if key is not None:
                await store.ensure_vectors(key)
            await store.begin(run_id)
            if rows:
                await store.add(rows, key, run_id)
            if end:
                await store.supersede(end, at, run_id)
            await store.commit(run_id)

    return write


@pytest.fixture(scope="session")
def live() -> Callable[..., Coroutine[Any, Any, list[str]]]:
    """Ids of what a search would see two months later, doubles included."""

    async def live(store: Store, **scope: Any) -> list[str]:
        snapshot = await store.snapshot()
        now = START + timedelta(days=59)
        condition = where(predicates(Scope(**scope), now=now, open_runs=snapshot.open_runs))
        return sorted(await store.newest(condition, None, 10_000, 0, version=snapshot.version))

    return live


@pytest.fixture(scope="session")
def optimize() -> Callable[[Store], Coroutine[Any, Any, None]]:
    async def optimize(store: Store) -> None:
        async with store.writing():
            await store.optimize(force=True)

    return optimize


@pytest.fixture
def store(run: Callable[..., Any], tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    opened = run(Store.open(tmp_path / "memo"))
    yield opened
    run(opened.close())


@pytest.fixture(params=["unindexed", "indexed"])
def settle(
    request: pytest.FixtureRequest, optimize: Callable[..., Any]
) -> Callable[[Store], Coroutine[Any, Any, None]]:
    """Bring the rows into the indexes, or leave them to be scanned: what is found must be the same."""

    async def settle(store: Store) -> None:
        if request.param == "indexed":
            await optimize(store)

    return settle
