"""An index that came from elsewhere follows no folder that this account never indexed into it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.ingest.followed import Followed
from jupyter_memo.models.protocols import Embedder


@pytest.fixture
def brought(tmp_path: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone whose `.memo` somebody else has made, with a folder outside of it among those it holds."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "diary.md").write_text("# Diary\n\nThe otter came back.\n")
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "readme.md").write_text("# Read me\n\nAbout the heron.\n")
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("XDG_DATA_HOME", str(tmp_path / "data-of-another-account"))
        with Memo.open(tmp_path / "clone" / ".memo", embedder=embedder) as memo:
            memo.index(tmp_path / "clone", tmp_path / "private")
    return tmp_path


def test_what_changes_there_is_not_read(brought: Path, embedder: Embedder) -> None:
    (brought / "private" / "diary.md").write_text("# Diary\n\nMy password hint is the kingfisher.\n")
    with Memo.open(brought / "clone" / ".memo", embedder=embedder) as memo:
        response = memo.search("kingfisher otter")
    assert ["The otter came back."] == [result.passage.text for result in response]
    synced = next(stage for stage in response.trace.stages if stage.stage == "sync")
    assert "private was indexed from elsewhere and is not followed here." in synced.note


def test_the_folder_that_the_index_lies_in_is_followed(brought: Path, embedder: Embedder) -> None:
    (brought / "clone" / "readme.md").write_text("# Read me\n\nAbout the bittern.\n")
    with Memo.open(brought / "clone" / ".memo", embedder=embedder) as memo:
        assert ["readme.md"] == [result.passage.uri for result in memo.search("bittern")]


def test_indexing_it_oneself_follows_it(brought: Path, embedder: Embedder) -> None:
    with Memo.open(brought / "clone" / ".memo", embedder=embedder) as memo:
        memo.index(brought / "private")
    (brought / "private" / "diary.md").write_text("# Diary\n\nThe kingfisher came back.\n")
    with Memo.open(brought / "clone" / ".memo", embedder=embedder) as memo:
        assert ["private/diary.md"] == [result.passage.uri for result in memo.search("kingfisher")]


def test_a_link_in_the_folder_of_the_index_that_leads_out_of_it_is_not_followed(brought: Path) -> None:
    (brought / "clone" / "link").symlink_to(brought / "private")
    followed = Followed(folder=brought / "noted", store=str(brought / "clone" / ".memo"))
    assert (brought / "clone" / "link",) == followed.strange([brought / "clone" / "link", brought / "clone" / "a.md"])


@pytest.mark.parametrize("path", ["../private", "a/../../private"])
def test_a_path_that_climbs_out_is_not_followed(brought: Path, path: str) -> None:
    followed = Followed(folder=brought / "noted", store=str(brought / "clone" / ".memo"))
    assert (brought / "clone" / path,) == followed.strange([brought / "clone" / path])


def test_what_is_noted_is_known_to_the_next_process(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    Followed(folder=tmp_path / "noted", store=store).note([tmp_path / "notes"])
    Followed(folder=tmp_path / "noted", store=store).note([tmp_path / "papers"])
    after = Followed(folder=tmp_path / "noted", store=store)
    assert (tmp_path / "other",) == after.strange(
        [tmp_path / "notes" / "a.md", tmp_path / "papers", tmp_path / "other"]
    )


def test_each_of_many_paths_is_looked_up_and_not_compared_with_all(tmp_path: Path, monkeypatch) -> None:
    followed = Followed(folder=tmp_path / "noted", store=str(tmp_path / "store"))
    places = [tmp_path / f"{number}.md" for number in range(50)]
    followed.note(places)
    compared, compare = [], Path.is_relative_to
    monkeypatch.setattr(Path, "is_relative_to", lambda *paths: compared.append(paths) or compare(*paths))
    assert () == followed.strange(places)
    assert len(compared) <= 50


def test_of_another_index_it_says_nothing(tmp_path: Path) -> None:
    Followed(folder=tmp_path / "noted", store=str(tmp_path / "one")).note([tmp_path / "notes"])
    other = Followed(folder=tmp_path / "noted", store=str(tmp_path / "other"))
    assert (tmp_path / "notes",) == other.strange([tmp_path / "notes"])


@pytest.mark.parametrize("held", ["", "[]", "{}", '{"folders": 3}', "[" * 100_000])
def test_a_note_that_cannot_be_read_counts_as_none(tmp_path: Path, held: str) -> None:
    followed = Followed(folder=tmp_path / "noted", store=str(tmp_path / "store"))
    followed.note([tmp_path / "notes"])
    (file,) = (tmp_path / "noted").iterdir()
    file.write_text(held)
    assert (tmp_path / "x",) == Followed(folder=tmp_path / "noted", store=str(tmp_path / "store")).strange(
        [tmp_path / "x"]
    )
    followed.note([tmp_path / "notes"])
    assert [str(tmp_path / "notes")] == json.loads(file.read_text())["folders"]


def test_an_index_in_a_trusted_folder_is_believed(tmp_path: Path) -> None:
    believing = Followed(folder=tmp_path, store=str(tmp_path / "clone" / ".memo"), trusted=(f"{tmp_path}/*",))
    assert () == believing.strange([tmp_path / "private"])


def test_where_nothing_can_be_noted_this_process_follows_it_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "noted").write_text("a file where the folder should be")
    followed = Followed(folder=tmp_path / "noted", store=str(tmp_path / "store"))
    followed.note([tmp_path / "notes"])
    assert () == followed.strange([tmp_path / "notes" / "a.md"])
