"""A cancelled index run, over the real engine with a model that takes its time."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.models.hash import HashEmbedder

Ask = Callable[..., Any]

FILES = 30
PARTS = 3


@pytest.fixture(scope="module")
def engine() -> str:
    return "slow"


def write(folder: Path, edition: str) -> None:
    for number in range(FILES):
        parts = (f"# Part {part}\n\n" + f"{edition} {number}-{part} " * 60 for part in range(PARTS))
        (folder / f"{number:03}.md").write_text("\n\n".join(parts), encoding="utf-8")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose files were indexed in one edition, and stand there in the next."""
    folder = tmp_path_factory.mktemp("root")
    write(folder, "former")
    with Memo.open(folder / ".memo", embedder=HashEmbedder()) as memo:
        memo.index(folder)
    write(folder, "latter")
    return folder


async def test_a_run_that_is_cancelled_leaves_whole_sources(told: Ask, finished: Ask, root: Path) -> None:
    _, begun = await told("POST", "index", {"paths": [""]})
    while (await told("GET", f"index/{begun['job']}"))[1]["done"] == 0:
        await asyncio.sleep(0.01)
    await told("DELETE", f"index/{begun['job']}")
    over = await finished(begun["job"])
    assert ("cancelled", None) == (over["state"], over["report"])
    assert over["done"] < over["total"] == FILES
    with Memo.open(root / ".memo", embedder="none", read_only=True) as memo:
        listed = [result.passage for result in memo.search("trust:0", limit=100, sync=False)]
    editions = defaultdict(set)
    for passage in listed:
        editions[passage.uri].add(passage.text.split()[0])
    assert FILES * PARTS == len(listed)
    assert [1] * FILES == [len(found) for found in editions.values()]
