"""The golden responses, read as any other reader would: from their JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_memo import wire
from jupyter_memo.response import SearchResponse

GOLDEN = Path(__file__).parent.parent / "golden"


def _read(name: str) -> SearchResponse:
    return wire.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def response() -> SearchResponse:
    """Seven results of six arms, ended by a gap."""
    return _read("response")


@pytest.fixture
def degraded() -> SearchResponse:
    """Two results of words alone, while the model loads."""
    return _read("degraded")


@pytest.fixture
def empty() -> SearchResponse:
    """No result: the nearest passage lies under the floor."""
    return _read("empty")
