"""A worker as the server starts it, over an engine that is told what to do by what is asked of it.

`python engines.py scripted` answers from the golden files; `python engines.py slow` is the real engine with a model
that takes its time.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import sys
import time
from pathlib import Path
from typing import Any

from jupyter_memo import wire
from jupyter_memo.errors import QueryError, StoreError
from jupyter_memo.jupyter import worker
from jupyter_memo.response import IndexReport, SearchResponse

GOLDEN = Path(__file__).resolve().parents[2] / "golden"

SLOW_SECONDS = 0.02


class Scripted:
    """An engine for tests of the way there and back, not of searching."""

    def __init__(self, opening: dict[str, Any]) -> None:
        self._store = str(opening.get("store"))
        self._cancelled = 0
        self._released = asyncio.Event()
        if self._store.endswith("damaged"):
            raise StoreError("this store is damaged. Index it again")

    async def search_async(self, text: str, **given: Any) -> SearchResponse:
        if text == "wait":
            try:
                await self._released.wait()
            except asyncio.CancelledError:
                self._cancelled += 1
                raise
        if text == "go on":
            self._released.set()
            self._released = asyncio.Event()
        if text == "how many were cancelled":
            raise QueryError(f"{self._cancelled} were cancelled")
        if text == "hang":
            time.sleep(3600)
        if text == "die":
            os._exit(9)
        if text == "break":
            raise ValueError("a secret in /a/path")
        if text == "refuse":
            raise QueryError("this cannot be asked. Ask something else")
        if text == "print":
            print("this is no frame", flush=True)
            os.write(1, b"and neither is this\n")
        name = text if text in ("hostile", "degraded", "empty", "evidence") else "response"
        found = wire.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
        if text == "endless":
            long = [
                dataclasses.replace(each, passage=dataclasses.replace(each.passage, header=("x" * 10**6,)))
                for each in found.results
            ]
            found = dataclasses.replace(found, results=tuple(long))
        return found

    async def passage_async(self, id: str) -> Any:
        await self._released.wait()
        return await self.search_async("x"), None

    async def similar_async(self, target: Any, **given: Any) -> SearchResponse:
        return await self.search_async("x")

    async def index_async(self, *paths: str, progress: Any, **given: Any) -> IndexReport:
        if paths[0].endswith("nowhere"):
            raise QueryError("there is no file or folder at nowhere. Check the spelling")
        if paths[0].endswith("broken"):
            os._exit(9)
        progress(1, 3, "a.md")
        await asyncio.Event().wait()
        return IndexReport()

    def close(self) -> None:
        pass


def slow(opening: dict[str, Any]) -> Any:
    """The real engine, over the hashed bag of words that takes a while for each passage."""
    from jupyter_memo.engine import Memo
    from jupyter_memo.models.hash import HashEmbedder

    class Slow(HashEmbedder):
        def encode_passages(self, texts: Any) -> Any:
            time.sleep(SLOW_SECONDS * len(texts))
            return super().encode_passages(texts)

    return Memo.open(opening["store"], embedder=Slow(), read_only=bool(opening.get("read_only")))


if __name__ == "__main__":
    worker.main({"scripted": Scripted, "slow": slow}[sys.argv[1]])  # type: ignore[arg-type]
