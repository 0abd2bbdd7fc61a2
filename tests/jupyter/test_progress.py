"""The bar over a run: it counts, with a total or without, and leaves nothing behind."""

from __future__ import annotations

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.jupyter import progress


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0)


@pytest.mark.parametrize(("total", "shown"), [(0, "5 records "), (20, "5/20 ")])
def test_the_bar_says_how_far_it_is_and_of_how_many_where_that_is_known(total: int, shown: str) -> None:
    bar = progress._Bar("indexing", "records")
    bar.move(5, total, "r/4")
    try:
        assert shown in str(bar._bar)
    finally:
        bar.close()


def test_adding_draws_a_bar_where_that_is_asked_for(memo: Memo, capsys: pytest.CaptureFixture[str]) -> None:
    memo.add(({"text": f"probe {number}"} for number in range(3)), progress=True)
    assert "indexing: 0 records" in capsys.readouterr().err
    memo.add([{"text": "another"}])
    assert "" == capsys.readouterr().err
