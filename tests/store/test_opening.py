from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_memo.errors import StoreError
from jupyter_memo.store import meta
from jupyter_memo.store.lance import Store


def test_a_new_folder_is_private(run, tmp_path) -> None:
    run(Store.open(tmp_path / "deep" / ".memo"))
    assert 0o700 == stat.S_IMODE((tmp_path / "deep" / ".memo").stat().st_mode)


def test_a_relative_path_is_made_absolute(run, tmp_path, monkeypatch) -> None:
    # LanceDB would take a relative path that begins with "db" for its cloud.
    monkeypatch.chdir(tmp_path)
    store = run(Store.open("db-of-mine"))
    assert str(tmp_path / "db-of-mine") == store.path
    assert (tmp_path / "db-of-mine").is_dir()


def test_the_home_folder_may_be_written_as_a_tilde(run, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert str(tmp_path / "memo") == run(Store.open("~/memo")).path


def test_a_file_is_no_store(run, tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="is a file; a store is a folder"):
        run(Store.open(tmp_path / "file"))


def test_a_path_below_a_file_is_no_store(run, tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be opened"):
        run(Store.open(tmp_path / "file" / "memo"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_said_to_be_so(run, tmp_path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(StoreError, match="Check its permissions"):
        run(Store.open(tmp_path / "locked" / "memo"))


def test_a_store_that_is_not_there_cannot_be_opened_for_reading_only(run, tmp_path) -> None:
    with pytest.raises(StoreError, match="there is no store at"):
        run(Store.open(tmp_path / "memo", read_only=True))
    assert not (tmp_path / "memo").exists()


def test_a_store_for_reading_only_refuses_to_write(run, store, row, write) -> None:
    reader = run(Store.open(store.path, read_only=True))
    with pytest.raises(StoreError, match="is open for reading only"):
        run(write(reader, "r", [row("p", "text")]))


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_schema_is_refused(run, store, read_only) -> None:
    run(meta.put(store._tables.meta, meta.SCHEMA_KEY, "2"))
    with pytest.raises(StoreError, match=r"has schema 2.*pip install -U jupyter_memo"):
        run(Store.open(store.path, read_only=read_only))


@pytest.mark.parametrize("value", ["", "one", "-1", "²"])
def test_a_schema_version_that_is_no_number_is_refused(run, store, value) -> None:
    run(meta.put(store._tables.meta, meta.SCHEMA_KEY, value))
    with pytest.raises(StoreError, match="does not say its schema version"):
        run(Store.open(store.path))


@pytest.mark.parametrize("table", ["passages", "sources", "meta"])
@pytest.mark.parametrize("damage", ["truncated", "garbage", "gone"])
def test_a_damaged_store_is_refused_with_the_cure(run, store, row, write, table, damage) -> None:
    run(write(store, "r", [row("p", "text")]))
    run(store.close())
    for manifest in Path(store.path, f"{table}.lance", "_versions").iterdir():
        if damage == "gone":
            manifest.unlink()
        else:
            manifest.write_bytes(manifest.read_bytes()[:20] if damage == "truncated" else b"garbage " * 40)
    with pytest.raises(StoreError, match="Restore the folder from a backup, or move it away and index again"):
        run(Store.open(store.path))


def test_data_that_is_gone_is_an_error_with_the_cure(run, store, row, write) -> None:
    run(write(store, "r", [row("p", "text")]))
    run(store.close())
    for file in Path(store.path, "passages.lance", "data").iterdir():
        file.unlink()
    store = run(Store.open(store.path))
    with pytest.raises(StoreError, match=r"is gone.*Restore the folder"):
        run(store.fetch(["p"]))


def test_a_creation_that_was_cut_short_is_finished(run, tmp_path, monkeypatch, row, write) -> None:
    with monkeypatch.context() as patch:

        def die() -> None:
            raise KeyError("cut short")

        patch.setattr(meta, "first_row", die)
        with pytest.raises(KeyError):
            run(Store.open(tmp_path))
    store = run(Store.open(tmp_path))
    run(write(store, "r", [row("p", "text")]))
    assert 1 == run(store.count("true"))


def test_two_processes_that_create_one_store_get_the_same(run, tmp_path) -> None:
    program = (
        "import asyncio, sys; from jupyter_memo.store.lance import Store; s = asyncio.run(Store.open(sys.argv[1]));"
        "print(s.path)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, str(tmp_path / "memo")]
    children = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in children:
        process.communicate(timeout=60)
    assert [0, 0] == [process.returncode for process in children]
    assert {"schema_version"} == {
        row["key"] for row in run(run(Store.open(tmp_path / "memo"))._tables.meta.query().to_list())
    }


def test_a_fork_is_told_to_open_its_own(run, store, monkeypatch) -> None:
    monkeypatch.setattr(store, "process", -1)
    with pytest.raises(StoreError, match="Use spawn"):
        run(store.count("true"))


def test_a_closed_store_says_so(run, tmp_path) -> None:
    store = run(Store.open(tmp_path / "memo"))
    run(store.close())
    run(store.close())
    with pytest.raises(StoreError, match="closed"):
        run(store.count("true"))


def test_texts_are_kept_by_key(run, store) -> None:
    async def keep(key: str, value: str) -> None:
        async with store.writing():
            await store.set_meta(key, value)

    assert run(store.get_meta("schema_version")) is None
    run(keep("it's a key", '{"a": 1}'))
    run(keep("it's a key", '{"a": "\x00"}'))
    run(keep("schema_version", "mine"))
    assert '{"a": "\x00"}' == run(store.get_meta("it's a key"))
    assert "mine" == run(run(Store.open(store.path)).get_meta("schema_version"))


def test_what_another_store_keeps_is_read_at_once(run, store) -> None:
    async def keep(writer: Store, value: str) -> None:
        async with writer.writing():
            await writer.set_meta("seen", value)

    other = run(Store.open(store.path))
    for value in ("one", "two"):
        run(keep(other, value))
        assert value == run(store.get_meta("seen"))
    run(keep(store, "three"))
    assert "three" == run(other.get_meta("seen"))


def test_importing_the_room_loads_no_database() -> None:
    program = "import sys, jupyter_memo.store; print('lancedb' in sys.modules, 'pyarrow' in sys.modules)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert "False False" == done.stdout.strip()
