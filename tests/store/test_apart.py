from __future__ import annotations

import logging
import os
import subprocess
import sys
from typing import Any

import pytest

from jupyter_memo import config
from jupyter_memo.store import apart, indexes


@pytest.fixture
def tended(monkeypatch) -> list[Any]:
    """Every table is large; the tables that were tended in this process."""
    here: list[Any] = []

    async def maintain(table: Any) -> None:
        here.append(table)

    monkeypatch.setattr(apart, "ROWS", 0)
    monkeypatch.setattr(indexes, "maintain", maintain)
    return here


def test_a_large_table_is_tended_in_a_process_of_its_own(run, store, row, write, optimize, tended) -> None:
    run(write(store, "r", [row(f"p{number}", "text") for number in range(indexes.WORTH_ROWS)]))
    run(optimize(store))
    assert [] == tended
    assert 0 == run(store.counts())["unindexed"]


@pytest.mark.parametrize("executable", ["/nowhere/python", "", None])
def test_a_large_table_is_tended_here_where_no_process_can_be_started(
    run, store, row, write, optimize, tended, monkeypatch, executable
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    run(write(store, "r", [row("p1", "text")]))
    run(optimize(store))
    assert 4 == len(tended)


def test_a_process_that_fails_is_told_from_one_that_did_its_work(run, tmp_path, caplog) -> None:
    with caplog.at_level(logging.DEBUG):
        assert not run(apart.tend(str(tmp_path / "no store"), True))
    assert "there is no store at" in caplog.text


ENDLESS = """
import asyncio
from jupyter_memo.store import apart

async def tend(path, force):
    print(path, flush=True)
    await asyncio.sleep(3600)

apart._tend = tend
apart.main("begun")
"""


def test_the_process_ends_with_its_parent_whatever_it_is_at() -> None:
    with subprocess.Popen((sys.executable, "-c", ENDLESS), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert b"begun" == process.stdout.readline().strip()
        process.stdin.close()
        assert 1 == process.wait(60)


def test_a_users_own_limit_for_reading_ahead_stays(monkeypatch) -> None:
    monkeypatch.setenv("LANCE_DEFAULT_IO_BUFFER_SIZE", "1000000")
    config.bound_reading()
    assert "1000000" == os.environ["LANCE_DEFAULT_IO_BUFFER_SIZE"]


def test_reading_ahead_is_bounded_where_nobody_says_how_far(monkeypatch) -> None:
    monkeypatch.delenv("LANCE_DEFAULT_IO_BUFFER_SIZE", raising=False)
    config.bound_reading()
    assert str(config.READ_AHEAD_BYTES) == os.environ["LANCE_DEFAULT_IO_BUFFER_SIZE"]
