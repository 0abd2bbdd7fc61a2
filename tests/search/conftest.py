"""A store of notes that several tests only read: 48 files in four folders, one of them a system namespace."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
WORDS = ("weir", "gauge", "probe", "moss", "trout", "eel", "ladder", "wiper", "battery", "level", "rain", "storm")
DOCUMENTS = 48


def documents() -> dict[str, str]:
    """Notes of one to five sections, a fifth of the sections copies."""
    draw = random.Random(7)
    sections: list[str] = []
    made = {}
    for number in range(DOCUMENTS):
        day = (NOW - timedelta(days=draw.randint(0, 400))).date()
        said = [f"---\ndate: {day}\nkind: {('note', 'paper')[number % 2]}\n---\n# Day {number}"]
        for _ in range(1 + number % 5):
            copied = sections and draw.random() < 0.2
            sections.append(draw.choice(sections) if copied else " ".join(draw.choices(WORDS, k=draw.randint(45, 70))))
            said.append(f"## Part {len(said)}\n\n{sections[-1]}")
        made[f"{('notes', 'old', 'field', 'log')[number % 4]}/day{number}.md"] = "\n\n".join(said)
    return made


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    folder = tmp_path_factory.mktemp("many")
    for name, said in documents().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(said, encoding="utf-8")
    with Memo.open(folder / ".memo", embedder=embedder) as memo:
        memo.index(folder / "notes", folder / "old")
        memo.index(folder / "field", namespace="field")
        memo.index(folder / "log", namespace="agent:log")
        yield memo
