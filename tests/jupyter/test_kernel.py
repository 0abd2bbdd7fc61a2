"""The magics in a real kernel with a real index: what a notebook holds after it was run and saved."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from jupyter_memo import wire
from jupyter_memo.jupyter.display import MIME

PROJECT = Path(__file__).resolve().parent.parent.parent
SETUP = f"""import sys
sys.path.insert(0, {str(PROJECT)!r})
%load_ext jupyter_memo
%config MemoMagics.store = 'store'
%config MemoMagics.embedder = 'hash'
from jupyter_memo.jupyter import progress
progress.PATIENCE_SECONDS = 0"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few notes and a file that cannot be read."""
    home = tmp_path_factory.mktemp("kernel")
    (home / "notes").mkdir()
    (home / "notes" / "fridge.md").write_text("# Fridge\n\nThe base temperature drifts at night.\n", encoding="utf-8")
    (home / "notes" / "flow.md").write_text("# Flow\n\nThe flow loses ESS near kappa_c.\n", encoding="utf-8")
    (home / "notes" / "picture.bin").write_bytes(bytes(range(256)))
    return home


def executed(folder: Path, *cells: str, allow_errors: bool = False) -> NotebookNode:
    """The notebook as it would be saved after running all cells."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in (SETUP, *cells)])
    client = NotebookClient(
        notebook, timeout=120, allow_errors=allow_errors, resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


@pytest.fixture(scope="module")
def notebook(folder: Path) -> NotebookNode:
    return executed(
        folder,
        "%memo_index notes",
        "%%memo_search -o found\nwhy does the flow lose ESS?",
        "%memo_search --limt 3 x",
        "%memo doctor",
        "# a comment\n%memo_index notes",
        "print('mine')\n%memo_index notes",
        allow_errors=True,
    )


def forms(cell: NotebookNode) -> dict[str, object]:
    return dict(cell.outputs[-1].data)


def test_a_search_is_stored_in_three_forms_that_read_back(notebook: NotebookNode) -> None:
    data = forms(notebook.cells[2])
    assert {MIME, "text/html", "text/plain"} == set(data)
    assert "Flow" == wire.loads(json.dumps(data[MIME])).results[0].passage.title
    assert "<mark>ESS</mark>" in str(data["text/html"])


def test_the_report_of_an_index_run_is_stored_with_its_reasons(notebook: NotebookNode) -> None:
    assert "2 sources read · passages: 2 added" in str(forms(notebook.cells[1])["text/plain"])
    assert "picture.bin" in str(forms(notebook.cells[1])["text/html"])


def test_no_widget_is_left_in_the_saved_notebook(notebook: NotebookNode) -> None:
    assert "widget-view" not in json.dumps([cell.outputs for cell in notebook.cells])


def test_the_metadata_of_a_saved_notebook_say_nothing_of_us(notebook: NotebookNode, folder: Path) -> None:
    told = json.dumps([notebook.metadata, *(cell.metadata for cell in notebook.cells)])
    assert "memo" not in told
    assert str(folder) not in told


def test_nothing_but_the_report_is_left_of_a_run(notebook: NotebookNode) -> None:
    assert ["execute_result"] == [output.output_type for output in notebook.cells[1].outputs]
    assert ["execute_result"] == [output.output_type for output in notebook.cells[5].outputs]


def test_taking_the_bar_away_leaves_what_the_cell_printed(notebook: NotebookNode) -> None:
    outputs = notebook.cells[6].outputs
    assert ["mine\n"] == [output.text for output in outputs if output.output_type == "stream"]
    assert "execute_result" == outputs[-1].output_type


def test_a_slip_is_stored_as_one_line_without_a_traceback(notebook: NotebookNode) -> None:
    outputs = notebook.cells[3].outputs
    assert ["UsageError: unknown option --limt. Did you mean --limit? All options: %memo_search?"] == [
        output.text.strip() for output in outputs if output.output_type == "stream"
    ]


def test_a_slip_stops_run_all(folder: Path) -> None:
    with pytest.raises(CellExecutionError, match="unknown option --limt"):
        executed(folder, "%memo_search --limt 3 x")


def test_the_doctor_is_stored_as_a_table(notebook: NotebookNode) -> None:
    assert "<table" in str(forms(notebook.cells[4])["text/html"])
