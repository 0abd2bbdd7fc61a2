"""How a reader of a saved notebook gets from its folder to the files that a result names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_memo import Memo
from jupyter_memo.ingest.roots import Root, Roots
from jupyter_memo.models.hash import HashEmbedder


@pytest.mark.parametrize(
    ("uri", "folder", "ways"),
    [
        ("a.md", "home", (("", "."),)),
        ("notes/a.md", "home/sub/deep", (("", "../.."),)),
        ("papers/a.pdf", "library/papers", (("papers", "."),)),
        ("papers/a.pdf", "library/papers/2026", (("papers", ".."),)),
        ("papers/a.pdf", "library", (("papers", "papers"),)),
        ("papers/a.pdf", "home", (("papers", ""),)),
        ("papers", "library/papers", (("papers", "."),)),
    ],
)
def test_the_way_leads_up_or_down_and_names_no_folder_beside(
    tmp_path: Path, uri: str, folder: str, ways: tuple[tuple[str, str], ...]
) -> None:
    known = Roots(
        entries=(Root(alias="", folder=tmp_path / "home"), Root(alias="papers", folder=tmp_path / "library" / "papers"))
    )
    assert ways == known.ways((uri, uri), str(tmp_path / folder))


def test_what_no_root_holds_has_no_way(tmp_path: Path) -> None:
    assert () == Roots(entries=(Root(alias="papers", folder=tmp_path),)).ways(("a seminar",), str(tmp_path))


def test_a_response_names_the_ways_to_its_files_and_none_where_nothing_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "proj" / "sub").mkdir(parents=True)
    (tmp_path / "proj" / "fridge.md").write_text("The fridge drifts at night.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "proj" / "sub")
    with Memo.open(tmp_path / "store", embedder=HashEmbedder()) as memo:
        memo.index(tmp_path / "proj")
        response = memo.search("fridge drifts")
    assert (("proj", ".."),) == response.ways
    saved = {share: json.dumps(response.shared(share)._repr_mimebundle_()) for share in ("titles", "none")}
    assert ("proj" in saved["titles"], "proj" in saved["none"]) == (True, False)
    assert not any(str(tmp_path) in form for form in saved.values())


def test_an_index_whose_folders_cannot_be_read_is_searched_without_ways(tmp_path: Path) -> None:
    (tmp_path / "fridge.md").write_text("The fridge drifts at night.\n", encoding="utf-8")
    with Memo.open(tmp_path / "store", embedder=HashEmbedder()) as memo:
        memo.index(tmp_path / "fridge.md")

        async def damage() -> None:
            async with memo._store.writing():
                await memo._store.set_meta("roots", "{")

        memo._runner.run(damage())
        response = memo.search("fridge drifts")
    assert (1, ()) == (len(response), response.ways)
