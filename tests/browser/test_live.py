"""The search widget in JupyterLab with a kernel behind it, and what is left of it when the kernel is gone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import AXE, PROJECT, Lab, Tab

pytestmark = pytest.mark.browser

SETUP = f"""import sys
sys.path.insert(0, {str(PROJECT)!r})
%load_ext jupyter_memo
%config MemoMagics.store = 'store'
%config MemoMagics.embedder = 'hash'
%memo_index notes --quiet"""
ASK = "%%memo_search --widget\nwhy does the flow lose ESS"
BUSY = """import pathlib, time
pathlib.Path('running').touch()
while not pathlib.Path('go').exists():
    time.sleep(0.05)"""
START = """async path => {
    const { commands, shell } = window.jupyterapp;
    shell.currentWidget.dispose();
    const kernelPreference = { name: 'python3', shouldStart: true, canStart: true };
    const panel = await commands.execute('docmanager:open', { path, kernelPreference });
    await panel.revealed;
    await panel.context.sessionContext.ready;
    await panel.context.sessionContext.session.kernel.info;
}"""
"""Opens a notebook with a kernel from the start: the manager of widgets that began without one stays without."""

STOP = "async () => { await window.jupyterapp.shell.currentWidget.context.sessionContext.shutdown(); }"
ALONE = """() => {
    const { kernel } = window.jupyterapp.shell.currentWidget.context.sessionContext.session;
    kernel.commsOverSubshells = 'disabled';
}"""
"""From now on messages are read between cells, as by front ends and kernels that know no subshells."""

RUN = """async at => {
    const { content } = window.jupyterapp.shell.currentWidget;
    content.deselectAll();
    content.activeCellIndex = at;
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""
HOSTILE = "<img src=x onerror='window.__xss = 1'>"


@pytest.fixture
def notebook(lab: Lab) -> str:
    """A notebook that asks with a widget, beside a few notes."""
    notes = {
        "flow.md": f"# Flow\n\nThe flow loses ESS near kappa_c. {HOSTILE}\n",
        "fridge.md": "---\ntags: [cold]\n---\n# Fridge\n\nThe base temperature of the fridge drifts at night.\n",
        "more/pump.md": "# Pump\n\nThe pump hums.\n",
    }
    for name, text in notes.items():
        path = lab.folder / ("notes" if "/" not in name else "") / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    cells = [
        {
            "cell_type": "code",
            "id": f"live-{at}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": text,
        }
        for at, text in enumerate((SETUP, ASK, BUSY))
    ]
    saved = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    for name in ("first.ipynb", "live.ipynb"):
        (lab.folder / name).write_text(json.dumps(saved), encoding="utf-8")
    return "live.ipynb"


def searched(widget: Any, query: str) -> Any:
    """Types a query and waits for its list; the row of the first result."""
    field = widget.locator("input[type=search]")
    field.fill(query)
    field.press("Enter")
    widget.locator(".jp-Memo-query", has_text=query).wait_for()
    return widget.locator(".jp-Memo-row").first


def test_the_widget_answers_and_without_a_kernel_the_list_is_still_there(tab: Tab, lab: Lab, notebook: str) -> None:
    page = tab.page
    page.set_default_timeout(60_000)
    tab.open("first.ipynb")
    page.evaluate(START, notebook)
    page.evaluate(RUN, 0)
    page.evaluate(RUN, 1)
    cell = page.locator(".jp-NotebookPanel .jp-CodeCell").nth(1)
    widget = cell.locator(".jp-MemoWidget")
    widget.wait_for()
    assert 0 < cell.locator(".jp-MemoOutput .jp-Memo-row").count()
    assert 0 == widget.locator(".jp-Memo-row").count()
    assert "why does the flow lose ESS" == widget.locator("input[type=search]").input_value()

    row = searched(widget, "fridge temperature")
    assert "Fridge" == row.locator(".jp-Memo-title").inner_text()
    row.focus()
    page.keyboard.press("Enter")
    row.locator(".jp-Memo-open").wait_for()
    row.locator("[data-do=judge]").click()
    row.locator("[data-grade='3']").click()
    widget.get_by_text("Kept: 3 for result 1.").wait_for()
    row.locator("[data-do=cite]").click()
    row.locator("[data-style=bibtex]").click()
    row.locator("pre", has_text="@misc").wait_for()
    page.keyboard.press("Escape")
    row.locator(".jp-Memo-title button").click()
    page.locator(".jp-MarkdownViewer", has_text="drifts at night").wait_for()
    page.evaluate("path => window.jupyterapp.commands.execute('docmanager:open', { path })", notebook)

    field = widget.locator("input[type=search]")
    field.fill("tag:")
    widget.locator("[role=option]", has_text="cold").wait_for()
    searched(widget, "kappa_c")
    assert HOSTILE in widget.inner_text()
    assert page.evaluate("window.__xss") is None

    widget.locator("summary").click()
    widget.get_by_label("folder or file").fill("more")
    widget.get_by_role("button", name="Index").click()
    widget.get_by_text("1 source read").wait_for()
    assert "Pump" == searched(widget, "hums").locator(".jp-Memo-title").inner_text()

    page.evaluate(f"at => {{ ({RUN})(at); }}", 2)
    while not (lab.folder / "running").exists():
        page.wait_for_timeout(50)
    assert "Fridge" == searched(widget, "drifts at night").locator(".jp-Memo-title").inner_text()
    page.evaluate(ALONE)
    field.fill("fridge temperature")
    field.press("Enter")
    widget.get_by_text("waiting for the running cell").wait_for()
    (lab.folder / "go").touch()
    widget.locator(".jp-Memo-query", has_text="fridge temperature").wait_for()
    widget.get_by_text("waiting for the running cell").wait_for(state="detached")

    if AXE.is_file():
        page.add_script_tag(path=str(AXE))
        assert [] == [rule["id"] for rule in page.evaluate("axe.run('.jp-MemoWidget')")["violations"]]

    page.evaluate("async () => { await window.jupyterapp.commands.execute('docmanager:save'); }")
    page.evaluate(STOP)
    tab.open(notebook)
    cell = page.locator(".jp-NotebookPanel .jp-CodeCell").nth(1)
    cell.locator(".jp-MemoOutput .jp-Memo-row").first.wait_for()
    assert [] == lab.get("api/kernels")
    assert "Flow" in cell.locator(".jp-MemoOutput .jp-Memo-title").all_inner_texts()
    saved = (lab.folder / notebook).read_text(encoding="utf-8")
    assert "hums" not in saved
