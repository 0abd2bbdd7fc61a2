"""Index runs on real files and a real store."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError, StoreError
from jupyter_memo.response import IndexReport

NOTE = """# Sensors

Intro of the sensor note.

## Drift

The probe drifts by two parts per million a day.

## Supply

A lithium cell lasts nine months in the field.
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def long_note(sections: int) -> str:
    return "".join(f"# Section {number}\n\n{f'word{number} ' * 150}\n\n" for number in range(sections))


def figures(report: IndexReport) -> tuple[int, int, int, int]:
    return report.kept, report.added, report.dropped, report.embedded


def statuses(report: IndexReport) -> dict[str, str]:
    return {source.uri: source.status for source in report.sources}


def uris(memo: Memo, text: str, **options: object) -> list[str]:
    return [result.passage.uri for result in memo.search(text, **options)]  # type: ignore[arg-type]


def test_a_second_run_over_the_same_files_does_nothing(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "a.md", NOTE)
    write(tmp_path, "b.md", long_note(3))
    first = memo.index(tmp_path)
    again = memo.index(tmp_path)
    assert first.added == first.embedded > 0
    assert (first.added, 0, 0, 0) == figures(again)
    assert {"unchanged"} == {each.status for each in again.sources if each.uri.endswith(".md")}


def test_an_edited_section_embeds_only_what_changed(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", long_note(5))
    before = memo.index(path)
    path.write_text(long_note(5).replace("word3 ", "other "), encoding="utf-8")
    after = memo.index(path)
    assert (before.added - 1, 1, 1, 1) == figures(after)
    assert ["a.md"] == uris(memo, '"other other"')
    assert [] == uris(memo, '"word3 word3"')


def test_an_inserted_section_moves_the_lines_of_the_others_and_embeds_none_of_them(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", long_note(3))
    memo.index(path)
    before = memo.search("word2", limit=1)[0].passage
    path.write_text("# New\n\n" + "fresh " * 150 + "\n\n" + long_note(3), encoding="utf-8")
    report = memo.index(path)
    after = memo.search("word2", limit=1)[0].passage
    assert (3, 1, 0, 1) == figures(report)
    assert before.id == after.id
    assert before.span.start_line is not None
    assert after.span.start_line == before.span.start_line + 4


def test_one_edited_cell_embeds_only_what_changed(memo: Memo, tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(f"value_{number} = {'x' * 3} + {number}\n" * 40) for number in range(6)]
    path = tmp_path / "n.ipynb"
    nbformat.write(notebook, path)
    first = memo.index(path)
    notebook.cells[2].source = "changed = 1\n" * 40
    nbformat.write(notebook, path)
    second = memo.index(path)
    assert 0 < second.embedded < first.embedded
    assert second.embedded == second.added
    assert first.added - second.dropped == second.kept


def test_a_deleted_file_leaves_the_index(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "notes/a.md", NOTE)
    write(tmp_path, "notes/b.md", long_note(1))
    memo.index(tmp_path / "notes")
    path.unlink()
    report = memo.index(tmp_path / "notes")
    assert "removed" == statuses(report)["notes/a.md"]
    assert [] == uris(memo, '"lithium cell"')


def test_files_outside_the_asked_path_stay(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "one/a.md", NOTE)
    write(tmp_path, "two/b.md", long_note(1))
    memo.index(tmp_path)
    (tmp_path / "one" / "a.md").unlink()
    memo.index(tmp_path / "two")
    assert ["one/a.md"] == [result.passage.uri for result in memo.search('"lithium cell"', sync=False).results]


def test_a_file_that_comes_back_is_found_again(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", NOTE)
    memo.index(tmp_path)
    path.unlink()
    memo.index(tmp_path)
    write(tmp_path, "a.md", NOTE)
    memo.index(tmp_path)
    assert ["a.md"] == uris(memo, '"lithium cell"')


def test_a_broken_file_is_reported_and_the_others_are_indexed(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "bad.ipynb", "{not json")
    write(tmp_path, "good.md", NOTE)
    report = memo.index(tmp_path)
    failed = next(each for each in report.sources if each.uri == "bad.ipynb")
    assert ("failed", 1) == (failed.status, report.failed)
    assert failed.reason
    assert ["good.md"] == uris(memo, '"lithium cell"')


def test_a_file_that_breaks_later_keeps_what_was_indexed(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", json.dumps({"station": "alder ridge"}))
    memo.index(path)
    path.write_text("{", encoding="utf-8")
    report = memo.index(path)
    assert "kept" in report.sources[0].reason
    assert ["a.json"] == uris(memo, "alder ridge")


def test_a_dry_run_counts_and_writes_nothing(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "a.md", NOTE)
    report = memo.index(tmp_path, dry_run=True)
    assert report.dry_run
    assert report.added > 0
    assert (0, 0) == (report.embedded, memo.status().passages)


def test_options_are_kept_when_a_later_run_does_not_give_them(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", NOTE)
    memo.index(path, namespace="field", tags=("probe",))
    path.write_text(NOTE + "\n## More\n\nA new remark.\n", encoding="utf-8")
    memo.index(path)
    assert ["a.md"] == uris(memo, "remark", namespace="field", tag="probe")


def test_a_changed_namespace_embeds_nothing(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "a.md", NOTE)
    first = memo.index(tmp_path)
    second = memo.index(tmp_path, namespace="field")
    assert (first.added, 0, 0, 0) == figures(second)
    assert ["a.md"] == uris(memo, '"lithium cell"', namespace="field")


def test_of_two_files_with_the_same_text_one_is_found_and_the_other_stands_below_it(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "a.md", NOTE)
    write(tmp_path, "b.md", NOTE)
    memo.index(tmp_path)
    (result,) = memo.search('"lithium cell"').results
    assert ["a.md", "b.md"] == sorted([result.passage.uri, *(each.uri for each in result.folded)])


def test_progress_counts_up_to_the_number_of_files(memo: Memo, tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path, f"{number}.md", NOTE)
    seen: list[tuple[int, int, str]] = []
    memo.index(tmp_path, progress=lambda *event: seen.append(event))
    assert (3, 3, "") == seen[-1]
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)


@pytest.mark.parametrize("paths", [(), ("",), (" ",)])
def test_no_path_at_all_is_one_clear_line(memo: Memo, paths: tuple[str, ...]) -> None:
    with pytest.raises(QueryError, match="name at least one"):
        memo.index(*paths)


def test_a_read_only_store_refuses_to_index(memo: Memo, tmp_path: Path, embedder: object) -> None:
    with (
        Memo.open(tmp_path / ".memo", embedder=embedder, read_only=True) as reader,  # type: ignore[arg-type]
        pytest.raises(StoreError, match="reading only"),
    ):
        reader.index(tmp_path)


def test_records_are_found_by_their_id_as_uri(memo: Memo) -> None:
    report = memo.add([{"id": "doi:10/x", "title": "Probes", "text": "Drift of capacitive probes.", "tags": ["soil"]}])
    assert 1 == report.added
    result = memo.search("capacitive probes")[0]
    assert ("doi:10/x", ("Probes",), ("soil",)) == (result.passage.uri, result.passage.header, result.passage.tags)


def test_a_record_added_again_replaces_itself(memo: Memo) -> None:
    memo.add([{"id": "a", "text": "The gate opens at dawn."}])
    unchanged = memo.add([{"id": "a", "text": "The gate opens at dawn."}])
    changed = memo.add([{"id": "a", "text": "The gate closes at dusk."}])
    assert (1, 0, 0, 0) == figures(unchanged)
    assert (0, 1, 1, 1) == figures(changed)
    assert ["The gate closes at dusk."] == [each.passage.text for each in memo.search("gate")]


def test_a_long_record_becomes_several_passages_and_loses_nothing(memo: Memo) -> None:
    text = " ".join(f"Sentence number {number} speaks of something else." for number in range(400))
    report = memo.add([{"id": "long", "text": text}])
    found = memo.search("sentence", limit=100, profile="keyword-only")
    assert report.added == len(found.results) > 5
    assert set(text.split()) == {word for each in found for word in each.passage.text.split()}


def test_records_may_be_an_arrow_table_or_a_data_frame(memo: Memo) -> None:
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    memo.add(pa.table({"id": ["a"], "text": ["Arrow of time."]}))
    memo.add(pd.DataFrame({"id": ["b"], "text": ["Frame of reference."], "created_at": [pd.Timestamp("2026-01-02")]}))
    assert (["a"], ["b"]) == (uris(memo, "arrow"), uris(memo, "frame"))


@pytest.mark.parametrize(
    ("record", "line"),
    [
        ({"text": " "}, "record 1 has no text"),
        ({"txt": "x"}, "Did you mean text"),
        ({"text": "x", "kind": "nots"}, "Kinds: "),
        ({"text": "x", "created_at": "soon"}, "created_at"),
        ("just text", "record 1 is a str"),
    ],
)
def test_a_bad_record_is_named_and_nothing_is_written(memo: Memo, record: object, line: str) -> None:
    with pytest.raises(QueryError, match=line):
        memo.add([record])
    assert 0 == memo.status().passages


def test_a_model_that_fails_while_embedding_leaves_the_words_findable(tmp_path: Path, embedder: object) -> None:
    class Broken:
        id, sha256, dim, max_tokens, languages = "broken", "0" * 64, 384, 254, ()
        bands = embedder.bands  # type: ignore[attr-defined]

        def count_tokens(self, text: str) -> int:
            return len(text.split())

        def encode_passages(self, texts: list[str]) -> np.ndarray:
            raise RuntimeError("out of memory")

        encode_queries = encode_passages

    write(tmp_path, "a.md", NOTE)
    with Memo.open(tmp_path / ".memo", embedder=Broken()) as memo:
        report = memo.index(tmp_path)
        assert (0, report.added) == (report.embedded, report.pending)
        assert "out of memory" in report.hints[0]
        assert ["a.md"] == uris(memo, '"lithium cell"')


def test_two_folders_of_one_name_indexed_at_once_are_both_kept(memo: Memo, tmp_path: Path) -> None:
    for place in ("left", "right"):
        for number in range(3):
            write(
                tmp_path.parent / f"{tmp_path.name}-{place}",
                f"notes/{number}.md",
                f"# {place}\n\nprobe {place} {number}",
            )
    folders = [tmp_path.parent / f"{tmp_path.name}-{place}" / "notes" for place in ("left", "right")]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(memo.index, folders))
    assert 6 == memo.status().sources
    assert {"notes", "notes-2"} == {result.passage.uri.split("/")[0] for result in memo.search("probe", limit=20)}


def test_the_root_is_known_after_an_interrupted_run(memo: Memo, tmp_path: Path) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-first" / "proj"
    write(elsewhere, "a.md", NOTE)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memo.index(elsewhere, progress=stop)
    other = tmp_path.parent / f"{tmp_path.name}-second" / "proj"
    write(other, "b.md", NOTE)
    report = memo.index(other)
    assert (0, "proj-2/b.md") == (report.dropped, report.sources[0].uri)


def test_a_folder_that_cannot_be_read_keeps_what_is_indexed(
    memo: Memo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "mount/a.md", NOTE)
    memo.index(tmp_path)
    real = os.scandir

    def refuse(path: object) -> object:
        if str(path).endswith("mount"):
            raise PermissionError(13, "Permission denied")
        return real(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", refuse)
    report = memo.index(tmp_path)
    assert 0 == report.dropped
    assert "cannot be read" in report.sources[0].reason


def test_a_file_that_is_ignored_now_leaves_with_that_reason(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "a.md", NOTE)
    memo.index(tmp_path)
    write(tmp_path, ".memoignore", "a.md\n")
    removed = [each.reason for each in memo.index(tmp_path).sources if each.status == "removed"]
    assert ["left out by an ignore rule"] == removed


def test_of_records_with_one_id_the_last_counts(memo: Memo) -> None:
    report = memo.add([{"id": "a", "text": "one zebra"}, {"id": "a", "text": "two zebra"}])
    assert (1, 1) == (report.added, report.skipped)
    assert ["two zebra"] == [result.passage.text for result in memo.search("zebra")]


@pytest.mark.parametrize(
    "path", ["", " ", "nope/at/all", "\0", "a" * 5000, "~nobody-of-this-name/x", 5, None, b"x", ["x"]]
)
def test_a_path_that_names_nothing_is_one_line_and_leaves_no_trace(memo: Memo, tmp_path: Path, path: Any) -> None:
    elsewhere = str(tmp_path.parent / "elsewhere" / path) if path == "nope/at/all" else path
    with pytest.raises(QueryError) as caught:
        memo.index(elsewhere)
    assert "\n" not in str(caught.value)
    assert 1 == len(memo.status().roots)


@pytest.mark.parametrize("option", [{"tags": 5}, {"tags": [5]}, {"namespace": 5}, {"library": 5}, {"version": 1.2}])
def test_an_option_that_is_no_text_is_refused_before_anything_is_read(
    memo: Memo, tmp_path: Path, option: dict[str, Any]
) -> None:
    (tmp_path / "a.md").write_text("heron")
    with pytest.raises(QueryError, match=f"{next(iter(option))} .* is no text"):
        memo.index(tmp_path, **option)
    with pytest.raises(QueryError):
        memo.add([{"text": "x"}], **option)
    assert 0 == memo.status().passages
