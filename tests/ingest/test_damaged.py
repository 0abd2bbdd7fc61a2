"""What a store holds of its folders and floors, where somebody else wrote it, or a disk lost it."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_memo.errors import StoreError
from jupyter_memo.ingest import asked, roots
from jupyter_memo.search import calibrate

DAMAGED = ("garbage", "null", "5", '[["a", 5]]', "[[1, 2, 3, 4]]", "[" * 50_000, '{"a": {"b": 5}}', "9" * 5000)


@pytest.mark.parametrize("loads", [lambda text: roots.loads(text, None), asked.loads], ids=["roots", "asked"])
@pytest.mark.parametrize("text", DAMAGED, ids=lambda text: text[:20])
def test_folders_that_cannot_be_read_are_told_with_the_cure(loads: Any, text: str) -> None:
    with pytest.raises(StoreError, match=r"holds of its folders cannot be read\. Restore the folder"):
        loads(text)


@pytest.mark.parametrize(
    "text", [*DAMAGED, "{}", '{"passages": 3, "model": "", "words": "much"}'], ids=lambda t: t[:20]
)
def test_floors_that_cannot_be_read_are_measured_again(text: str) -> None:
    assert calibrate._read(text) is None
