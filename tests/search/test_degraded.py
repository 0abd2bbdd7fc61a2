"""A search in which something did not run: it says what and why, and nothing of the machine it ran on."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import health
from jupyter_memo.engine import Memo
from jupyter_memo.errors import ModelError, StoreError
from jupyter_memo.ingest import scan
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.models import Door
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.response import SearchResponse
from jupyter_memo.search.meaning import shown_name
from jupyter_memo.store.lance import Store
from jupyter_memo.text.paths import pathless

TEXTS = [{"id": "a", "text": "Every probe drifts. See ERR_SENSOR_STALE."}]


@pytest.fixture(scope="module")
def unmodelled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("unmodelled") / ".memo", embedder="none") as memo:
        memo.add(TEXTS)
        yield memo


def told(response: SearchResponse) -> tuple[str | None, str | None, str]:
    return response.reason, response.hint, response.mode_effective


def everything(response: SearchResponse) -> str:
    return "\n".join((repr(response.degraded), repr(response.trace.arms), str(response.reason), str(response.hint)))


def test_meaning_alone_without_a_model_says_so(unmodelled: Memo) -> None:
    response = unmodelled.search("probe", mode="semantic")
    assert (
        "No arm could run: no embedding model is set (embedder = none).",
        "Search by words (mode auto), or open the store with an embedding model.",
        "semantic_only",
    ) == told(response)
    assert "semantic_only" == response.trace.mode_run


def test_exact_without_a_name_says_so(unmodelled: Memo) -> None:
    assert (
        "No arm could run: no identifier in the query.",
        "Type a name as it is written, or search by words (mode auto).",
        "exact",
    ) == told(unmodelled.search("!!!", mode="exact"))


def test_a_query_no_arm_takes_tells_every_reason_and_the_first_cure(unmodelled: Memo) -> None:
    reason, hint, mode = told(unmodelled.search("!!!"))
    assert reason is not None
    assert ["no word", "no identifier", "no embedding model"] == [
        part for part in ("no word", "no identifier", "no embedding model", "asked for") if part in reason
    ]
    assert ("Type a word to look for.", "keyword_only") == (hint, mode)


def test_a_filter_that_leaves_nothing_is_told_before_the_arms(unmodelled: Memo) -> None:
    reason, _, _ = told(unmodelled.search("probe", mode="semantic", kind="code"))
    assert reason is not None
    assert reason.startswith("No passage is left by the filter")


def test_a_model_that_is_late_is_told_with_its_own_cure(tmp_path: Path) -> None:
    with Memo.open(tmp_path, embedder="none") as memo:
        memo.add(TEXTS)
    gate = threading.Event()

    def late() -> Embedder:
        gate.wait(30)
        return HashEmbedder()

    with Memo.open(tmp_path, embedder=late, read_only=True, search__model_wait_seconds=0.05) as memo:
        response = memo.search("probe", mode="semantic")
        gate.set()
    assert (
        "No arm could run: the embedder is still loading.",
        "Search again in a moment.",
        "semantic_only",
    ) == told(response)


@pytest.mark.parametrize("kind", [StoreError, OSError])
def test_a_search_whose_arms_all_failed_says_so_without_a_path(
    unmodelled: Memo, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    async def gone(*_: Any, **__: Any) -> Any:
        raise kind("Not found: /home/ada/notes/.memo/passages.lance")

    monkeypatch.setattr(Store, "keyword", gone)
    response = unmodelled.search("probe")
    prefix = "" if kind is StoreError else "OSError: "
    assert (
        f"No arm answered: {prefix}Not found: passages.lance.",
        "%memo doctor looks for the cause.",
        "keyword_only",
    ) == told(response)
    assert (True, "arm_failed") == (response.degraded.flag, response.degraded.code)
    assert "/home" not in everything(response)


def test_a_model_that_failed_is_told_without_a_path_and_the_doctor_tells_it_whole(tmp_path: Path) -> None:
    def broken() -> Embedder:
        raise ModelError("the weights /home/ada/models/small.onnx are damaged. Copy them again")

    with Memo.open(tmp_path, embedder=broken) as memo:
        memo.add(TEXTS)
        response = memo.search("probe")
        model = next(check for check in memo.doctor() if check.name == "model")
        state = memo.status().model_state
    assert "small.onnx are damaged. Copy them again. Then: %memo backfill. %memo doctor tells more." in (
        response.degraded.reason
    )
    assert "/home" not in everything(response) + state
    assert "/home/ada/models/small.onnx" in model.detail


def test_a_model_that_fails_on_the_query_is_told_without_a_path(tmp_path: Path) -> None:
    class Failing(HashEmbedder):
        def encode_queries(self, texts: list[str]) -> Any:
            raise OSError(2, "No such file or directory", "/home/ada/models/small.onnx")

    with Memo.open(tmp_path, embedder=Failing()) as memo:
        memo.add(TEXTS)
        response = memo.search("probe")
    assert "arm_failed" == response.degraded.code
    assert "'small.onnx'" in response.degraded.reason
    assert "/home" not in everything(response)


@pytest.mark.parametrize(
    ("message", "clean"),
    [
        ("gone (Not found: /srv/a/.memo/x.lance).", "gone (Not found: x.lance)."),
        ("there is no folder /home/ada/m. Name one as owner/name", "there is no folder m. Name one as owner/name"),
        ("No such file: '/home/ada/My Files/m.onnx'", "No such file: 'm.onnx'"),
        (r"cannot open C:\Users\ada\m.onnx, sorry", "cannot open m.onnx, sorry"),
        (r"\\server\share\m.onnx is away", "m.onnx is away"),
        ("home/ada/.memo/x.lance is gone", "x.lance is gone"),
        ("~/models/m is gone", "m is gone"),
        ("transformers:/home/ada/m failed", "transformers:m failed"),
        ("file:///home/ada/m failed", "m failed"),
        ("at /home/ada/local.rs:102:5", "at local.rs:102:5"),
        ("two\n  lines", "two lines"),
        ("see https://example.org/a/b/c and s3://bucket/a/b", "see https://example.org/a/b/c and s3://bucket/a/b"),
        ("an I/O error and/or a / b", "an I/O error and/or a / b"),
    ],
)
def test_a_path_is_told_by_its_last_part(message: str, clean: str) -> None:
    assert clean == pathless(message)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("minilm", "minilm"),
        ("transformers:owner/name", "transformers:owner/name"),
        ("transformers:/home/ada/models/small/", "transformers:small"),
        ("transformers:~/small", "transformers:small"),
        ("transformers:../models/small", "transformers:small"),
        ("transformers:C:\\models\\small", "transformers:small"),
        ("the embedder", "the embedder"),
    ],
)
def test_a_model_in_a_folder_goes_by_its_last_part(name: str, shown: str) -> None:
    assert shown == shown_name(name)


def test_a_path_below_the_home_folder_is_told_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "a" / "b" / "c"
    work.mkdir(parents=True)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.chdir(work)
    assert os.path.join("~", "notes") == scan.short(tmp_path / "home" / "notes")  # noqa: PTH118
    assert "~" == scan.short(tmp_path / "home")
    assert "x.md" == scan.short(work / "x.md")


def test_a_folder_that_is_called_like_the_home_folder_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert os.path.join(".", "~", "x") == scan.short(tmp_path / "~" / "x")  # noqa: PTH118


def test_a_path_that_has_no_short_form_is_told_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def other_drive(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(os.path, "relpath", other_drive)
    monkeypatch.setattr(Path, "home", homeless)
    path = Path(os.sep, "srv", "notes")
    assert str(path) == scan.short(path)


def test_the_doctor_finds_the_disk_of_a_store_below_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, home = tmp_path / "w" / "o" / "r" / "k", tmp_path / "home"
    work.mkdir(parents=True)
    asked: list[Path] = []
    usage = shutil.disk_usage

    def watched(folder: Path) -> object:
        asked.append(Path(folder))
        return usage(folder)

    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr(shutil, "disk_usage", watched)
    monkeypatch.chdir(work)
    with Memo.open(home / ".memo", embedder="none") as memo:
        assert next(check for check in memo.doctor() if check.name == "disk").detail.endswith("MB free")
    assert [home / ".memo"] == asked


def test_the_status_names_a_model_in_a_folder_by_its_last_part(tmp_path: Path) -> None:
    async def state() -> str:
        store = await Store.open(tmp_path)
        try:
            found = await health.status(
                store, Door("none"), model="transformers:/home/ada/small", profile="default", roots=Roots()
            )
        finally:
            await store.close()
        return found.model

    assert "transformers:small" == asyncio.run(state())
