"""Real notebooks and files: everything readable gives passages, everything else a reason, and a second run nothing."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.response import IndexReport

pytestmark = pytest.mark.slow

NO_TEXT = {
    "nbformat__tests__test3_no_worksheets.ipynb",
    "nbformat__tests__test3_worksheet_with_no_cells.ipynb",
    "papermill__papermill__tests__notebooks__blank-vscode.ipynb",
}
"""Notebooks whose cells hold nothing at all."""


@pytest.fixture(scope="module")
def indexed(
    tmp_path_factory: pytest.TempPathFactory, shared_data: Path, embedder: Embedder
) -> Iterator[tuple[Memo, IndexReport]]:
    with Memo.open(tmp_path_factory.mktemp("real") / "store", embedder=embedder) as memo:
        yield memo, memo.index(shared_data / "notebooks", shared_data / "formats")


def test_every_notebook_with_text_gives_passages(indexed: tuple[Memo, IndexReport], shared_data: Path) -> None:
    _, report = indexed
    given = {each.uri.rsplit("/", 1)[-1]: each for each in report.sources}
    with (shared_data / "notebooks" / "MANIFEST.tsv").open(encoding="utf-8") as lines:
        names = {line["file"] for line in csv.DictReader(lines, delimiter="\t")}
    without = {name for name in names if not given[name].added}
    assert NO_TEXT >= without
    assert all(given[name].reason for name in without)


def test_every_other_file_is_in_the_report_with_a_reason(indexed: tuple[Memo, IndexReport], shared_data: Path) -> None:
    _, report = indexed
    told = {each.uri: each for each in report.sources}
    for path in (shared_data / "formats").rglob("*"):
        if path.is_file():
            uri = "formats/" + path.relative_to(shared_data / "formats").as_posix()
            folders = ["formats/" + parent.as_posix() + "/" for parent in Path(uri).relative_to("formats").parents]
            entry = told.get(uri) or next(told[folder] for folder in folders if folder in told)
            assert entry.added or entry.reason, uri


def test_a_second_run_adds_drops_and_embeds_nothing(indexed: tuple[Memo, IndexReport], shared_data: Path) -> None:
    memo, first = indexed
    again = memo.index(shared_data / "notebooks", shared_data / "formats")
    assert (first.added, 0, 0, 0) == (again.kept, again.added, again.dropped, again.embedded)


def test_one_edited_cell_embeds_only_what_changed(memo: Memo, shared_data: Path, tmp_path: Path) -> None:
    path = tmp_path / "n.ipynb"
    shutil.copy(shared_data / "notebooks" / "handson-ml3__06_decision_trees.ipynb", path)
    path.chmod(0o644)
    first = memo.index(path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = next(each for each in notebook["cells"] if each["cell_type"] == "code" and len(each["source"]) > 3)
    cell["source"] = [*cell["source"], "\n", "extra_line = 'alder beck'\n"]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    second = memo.index(path)
    assert 1 <= second.embedded <= 3
    assert first.added == second.kept + second.dropped


def test_no_passage_of_a_notebook_holds_escape_codes_or_pictures(indexed: tuple[Memo, IndexReport]) -> None:
    memo, _ = indexed
    for query in ("error traceback", "image png", "plot figure", "training progress"):
        for result in memo.search(query, kind="notebook", limit=100):
            assert "\x1b[" not in result.passage.text
            assert "iVBORw0KGgo" not in result.passage.text


def test_a_cell_is_found_at_its_place(indexed: tuple[Memo, IndexReport]) -> None:
    memo, _ = indexed
    found = memo.search("SVC hinge loss soft margin", kind="notebook", limit=3)
    assert found[0].passage.uri.startswith("notebooks/handson-ml3__05")
    assert found[0].passage.span.cell is not None
