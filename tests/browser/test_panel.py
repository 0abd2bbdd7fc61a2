"""The side panel in JupyterLab, from an empty index to a citation in a notebook, with the keyboard where it can be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import samples

from .conftest import AXE, RESTORED, START, Lab, Tab, running

pytestmark = pytest.mark.browser

WORK = "work.ipynb"
HOSTILE = "<img src=x onerror='window.__xss = 1'>"
CELLS = (
    ("markdown", "top", "# Work"),
    ("code", "drift", "# turbidity of a sensor without a wiper drifts\nslope = 0.8"),
)
QUERY = "turbidity sensor wiper drift"
FOUND = "alder_beck/notebooks/02_drift_and_wiper.ipynb"

RUN = "async ([id, args]) => { await window.jupyterapp.commands.execute(id, args); }"
CURRENT = """() => {
    const { context, content } = window.jupyterapp.shell.currentWidget ?? {};
    const model = content?.model;
    return model?.cells ? [context.path, content.activeCell?.model.id ?? ''] : ['', ''];
}"""
SOURCES = """() => {
    const { content } = window.jupyterapp.shell.currentWidget;
    return content.model.sharedModel.cells.map(cell => [cell.cell_type, cell.getSource()]);
}"""

BROKEN = """() => {
    const words = [];
    const inside = document.querySelectorAll('#jupyter-memo-panel :is(.jp-Memo-where > :not(.jp-Memo-path), th, td)');
    for (const node of inside) {
        const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            for (const found of texts.currentNode.data.matchAll(/\\S+/gu)) {
                const range = document.createRange();
                range.setStart(texts.currentNode, found.index);
                range.setEnd(texts.currentNode, found.index + found[0].length);
                new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1 && words.push(found[0]);
            }
        }
    }
    return words;
}"""
"""Words on two lines, but for paths, which may break anywhere."""


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Lab]:
    """A JupyterLab whose index is empty, beside the sample folder."""
    with running(tmp_path) as lab:
        samples.copy(lab.folder / "alder_beck")
        (lab.folder / "alder_beck" / "hostile.md").write_text(f"# {HOSTILE} of wipers\n\n{HOSTILE}\n", encoding="utf-8")
        cells: list[dict[str, Any]] = [
            {"cell_type": kind, "id": name, "metadata": {}, "source": source}
            | ({"outputs": [], "execution_count": None} if kind == "code" else {})
            for kind, name, source in CELLS
        ]
        notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (lab.folder / WORK).write_text(json.dumps(notebook), encoding="utf-8")
        yield lab


@pytest.fixture
def panel(fresh: Lab, chromium: Any) -> Iterator[Tab]:
    """A page beside the open panel. When the test is over it must have had no error and asked nobody else."""
    page = chromium.new_page()
    page.set_default_timeout(30_000)
    tab = Tab(lab=fresh, page=page)
    page.on("console", lambda message: tab.heard(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: tab.heard(error.stack or str(error)))
    allowed = (fresh.url(""), f"ws://127.0.0.1:{fresh.port}/", "data:", "blob:")
    page.on("request", lambda asked: None if asked.url.startswith(allowed) else tab.outside.append(asked.url))
    tab.open(WORK)
    run(tab, "jupyter-memo:open")
    yield tab
    page.close()
    assert [] == tab.said
    assert [] == tab.outside


def run(tab: Tab, command: str, **args: Any) -> None:
    tab.page.evaluate(RUN, [command, args])


def part(tab: Tab, selector: str, **more: Any) -> Any:
    return tab.page.locator(f"#jupyter-memo-panel {selector}", **more)


def index(tab: Tab) -> None:
    """What the welcome offers, with the sample folder in the file browser."""
    run(tab, "filebrowser:go-to-path", path="alder_beck", dontShowBrowser=True)
    part(tab, ".jp-Memo-welcome button", has_text="Index alder_beck/").click()
    part(tab, ".jp-Memo-job", has_text="Indexing alder_beck/").wait_for()
    part(tab, ".jp-Memo-job", has_text="Indexed alder_beck/").wait_for(timeout=90_000)


def ask(tab: Tab, query: str) -> None:
    part(tab, "input").fill(query)
    part(tab, ".jp-Memo-row").first.wait_for()


def arrow_to(tab: Tab, place: str) -> None:
    """Down from the box until the current row is the one of that place."""
    row = part(tab, ".jp-Memo-row", has=tab.page.locator(f"[title*='{place}']")).first
    rank = int(row.get_attribute("data-rank"))
    for _ in range(rank):
        tab.page.keyboard.press("ArrowDown")
    part(tab, f".jp-Memo-row[data-rank='{rank}'][aria-current='true']").wait_for()


def unfold_first(tab: Tab) -> None:
    """Down from the box, which waits for the list that is asked for, and then why."""
    tab.page.keyboard.press("ArrowDown")
    part(tab, ".jp-Memo-row[data-rank='1']:focus").wait_for()
    tab.page.keyboard.press("w")


def test_from_an_empty_index_to_a_citation_and_back_after_a_reload(panel: Tab, tmp_path: Path) -> None:
    page = panel.page
    index(panel)
    part(panel, "[data-do='put-away']").click()

    ask(panel, QUERY)
    arrow_to(panel, FOUND)
    page.screenshot(path=tmp_path / "light.png")
    page.keyboard.press("Enter")
    page.wait_for_function(f"path => ({CURRENT})()[0] === path", arg=FOUND)
    notebook = json.loads((panel.lab.folder / FOUND).read_text(encoding="utf-8"))
    page.locator(".jp-Cell.jp-Memo-flash").wait_for()
    path, cell = page.evaluate(CURRENT)
    number = int(part(panel, "[aria-current='true'] .jp-Memo-loc").inner_text().split()[1])
    assert (FOUND, notebook["cells"][number - 1]["id"]) == (path, cell)

    panel.show(WORK)
    part(panel, "[aria-current='true'] [data-do='insert']").click()
    part(panel, "[data-choice='citation']").click()
    part(panel, ".jp-Memo-said", has_text=f"Inserted into {WORK}").wait_for()
    kind, source = page.evaluate(SOURCES)[1]
    assert "markdown" == kind
    assert "02_drift_and_wiper.ipynb" in source

    page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 2; }")
    run(panel, "jupyter-memo:similar-to-cell")
    part(panel, ".jp-Memo-meta", has_text=f"Like cell 3 of {WORK}").wait_for()
    assert part(panel, ".jp-Memo-row").count() > 0

    ask(panel, QUERY)
    unfold_first(panel)
    part(panel, ".jp-Memo-row[data-rank='1'] .jp-Memo-open").wait_for()
    panel.theme("JupyterLab Dark")
    page.screenshot(path=tmp_path / "dark.png")
    page.wait_for_timeout(1500)  # the state and the layout are saved after a pause

    page.goto(panel.lab.url(f"lab?token={panel.lab.token}"))
    page.wait_for_function(RESTORED, timeout=START)
    part(panel, ".jp-Memo-row[data-rank='1'] .jp-Memo-open").wait_for()
    assert QUERY == part(panel, "input").input_value()
    assert page.evaluate("window.__xss") is None


def test_a_copy_below_a_result_is_told_apart_and_opened_with_the_keyboard(panel: Tab) -> None:
    page, copy = panel.page, FOUND.replace("notebooks", "old")
    (panel.lab.folder / copy).parent.mkdir()
    (panel.lab.folder / copy).write_bytes((panel.lab.folder / FOUND).read_bytes())
    index(panel)
    part(panel, "[data-do='put-away']").click()
    ask(panel, QUERY)
    row = part(panel, ".jp-Memo-row", has=page.locator(".jp-Memo-fold li button", has_text=Path(FOUND).name)).first
    ends = [row.locator(f"{place} .jp-Memo-path").first.text_content() for place in (".jp-Memo-where", ".jp-Memo-fold")]
    assert {"notebooks", "old"} == {end.split("/")[0] for end in ends}
    below = f"alder_beck/{ends[1]}"
    row.focus()
    row.locator("summary", has_text="more like this").press("Enter")
    row.locator(".jp-Memo-fold li button").first.press("Enter")
    page.wait_for_function(f"path => ({CURRENT})()[0] === path", arg=below)
    page.locator(".jp-Cell.jp-Memo-flash").wait_for()


def test_a_bare_field_is_completed_and_not_searched_for(panel: Tab) -> None:
    index(panel)
    asked: list[str] = []
    panel.page.on("request", lambda sent: asked.append(sent.post_data) if "/jupyter-memo/search" in sent.url else None)
    part(panel, "input").fill("kind:")
    part(panel, "[role=option]", has_text="notebook").wait_for()
    panel.page.wait_for_timeout(600)
    assert [] == asked
    part(panel, "input").press("Enter")
    part(panel, "[role=option][aria-selected=true]").wait_for()
    part(panel, "input").press("Enter")
    part(panel, ".jp-Memo-row").first.wait_for()
    assert len(asked) == 1


def test_pulled_wide_it_shows_the_reasons_beside_the_text(panel: Tab) -> None:
    index(panel)
    ask(panel, QUERY)
    columns = (
        "getComputedStyle(document.querySelector('#jupyter-memo-panel .jp-Memo-row')).gridTemplateColumns.split(' ')"
    )
    assert 2 == panel.page.evaluate(f"{columns}.length")
    panel.page.evaluate("document.querySelector('.jp-MemoResults').style.width = '700px'")
    assert "204px" == panel.page.evaluate(f"{columns}[2]")


def test_as_narrow_as_it_opens_it_breaks_no_word_and_shows_what_was_found(panel: Tab) -> None:
    index(panel)
    ask(panel, QUERY)
    unfold_first(panel)
    part(panel, ".jp-Memo-row[data-rank='1'] .jp-Memo-votes").wait_for()
    broken = panel.page.evaluate(BROKEN)
    assert [] == broken
    unseen = part(panel, ".jp-Memo-snippet:has(mark)").evaluate_all(
        "all => all.filter(one => one.querySelector('mark').getBoundingClientRect().bottom >"
        " one.getBoundingClientRect().bottom + 1).map(one => one.textContent)"
    )
    assert [] == unseen


def test_a_field_that_is_none_is_said_above_the_list(panel: Tab) -> None:
    index(panel)
    ask(panel, f"{QUERY} kind:memory")
    told = part(panel, ".jp-MemoResults .jp-Memo-note", has_text="kind:memory is not a kind")
    told.wait_for()
    assert told.bounding_box()["y"] < part(panel, ".jp-Memo-row").first.bounding_box()["y"]


def test_the_menu_of_a_folder_names_memo_and_has_its_icon(panel: Tab) -> None:
    run(panel, "filebrowser:activate")
    panel.page.locator(".jp-DirListing-item", has_text="alder_beck").click(button="right")
    item = panel.page.locator(".lm-Menu-item", has_text="Index This Folder with Memo")
    item.wait_for()
    assert 1 == item.locator(".lm-Menu-itemIcon svg").count()
    panel.page.keyboard.press("Escape")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_roles_labels_and_contrast_of_the_panel_pass_axe(theme: str, panel: Tab) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not here: run jlpm install in labextension")
    panel.theme(theme)
    panel.page.add_script_tag(path=str(AXE))
    part(panel, ".jp-Memo-welcome").wait_for()
    assert [] == violations(panel)
    index(panel)
    part(panel, ".jp-Memo-hints").wait_for()
    assert [] == violations(panel)
    ask(panel, QUERY)
    unfold_first(panel)
    part(panel, "[data-do='about']").first.click()
    part(panel, ".jp-Memo-about").wait_for()
    assert [] == violations(panel)


def violations(tab: Tab) -> list[str]:
    found = tab.page.evaluate("axe.run('#jupyter-memo-panel', { resultTypes: ['violations'] })")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
