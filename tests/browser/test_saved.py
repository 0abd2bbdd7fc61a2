"""A saved notebook in JupyterLab, without a kernel and without trust: results, filters, reasons and trace work."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import wire
from jupyter_memo.response import SearchResponse

from .conftest import AXE, Lab, Tab

pytestmark = pytest.mark.browser

GOLDEN = Path(__file__).parent.parent / "golden"
WIDTHS = (320, 700, 1000)
THEMES = ("JupyterLab Light", "JupyterLab Dark")
SHOTS = os.environ.get("MEMO_SCREENSHOTS")
"""A folder for pictures, for whoever wants to look at them; without it they go where pytest puts what is temporary."""


def golden(name: str) -> SearchResponse:
    return wire.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def active_cell(tab: Tab) -> int:
    return int(tab.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex"))


def focused(tab: Tab) -> str:
    """The rank of the row that has the focus, empty when it is elsewhere."""
    return str(tab.page.evaluate("document.activeElement.closest('.jp-Memo-row')?.dataset.rank ?? ''"))


def opened(tab: Tab, notebook: str) -> Any:
    """The first output, when it has been drawn."""
    tab.open(notebook)
    output = tab.page.locator(".jp-OutputArea .jp-MemoOutput").first
    output.locator(".jp-Memo").wait_for()
    return output


def test_results_are_drawn_with_no_kernel_and_no_trust(tab: Tab, lab: Lab) -> None:
    before = lab.kernels()
    output = opened(tab, lab.save("drawn", golden("response")))
    assert 7 == output.locator(".jp-Memo-row").count()
    assert "7 of 44" == output.locator(".jp-Memo-shown").inner_text()
    trusted = "[...window.jupyterapp.shell.currentWidget.content.model.cells].some(cell => cell.trusted)"
    assert tab.page.evaluate(trusted) is False
    assert lab.kernels() <= before


def test_a_chip_narrows_the_list_and_brings_it_back(tab: Tab, lab: Lab) -> None:
    output = opened(tab, lab.save("chips", golden("response")))
    chip = output.locator("[data-facet=kind][data-value=notebook]")
    chip.click()
    assert 5 == output.locator(".jp-Memo-row:visible").count()
    assert "5 of these 7" == output.locator(".jp-Memo-shown").inner_text()
    chip.click()
    assert 7 == output.locator(".jp-Memo-row:visible").count()


def test_everything_is_reached_by_keys_and_none_of_them_reaches_the_notebook(tab: Tab, lab: Lab) -> None:
    output = opened(tab, lab.save("keys", golden("response"), golden("evidence")))
    keyboard = tab.page.keyboard
    output.locator(".jp-Memo-row").first.focus()
    here = active_cell(tab)
    keyboard.press("j")
    keyboard.press("j")
    keyboard.press("k")
    assert ("2", here) == (focused(tab), active_cell(tab))
    keyboard.press("Enter")
    row = output.locator(".jp-Memo-row[data-rank='2']")
    assert "0.02887" == row.locator(".jp-Memo-votes tfoot td").last.inner_text()
    keyboard.press("e")
    assert output.locator(".jp-Memo-water tbody tr").count() > 10
    keyboard.press("e")
    assert ("2", 0) == (focused(tab), output.locator(".jp-Memo-trace").count())
    keyboard.press("Escape")
    assert 0 == output.locator(".jp-Memo-open").count()
    keyboard.press("Escape")
    assert "" == focused(tab)
    keyboard.press("ArrowDown")
    assert here + 1 == active_cell(tab)
    output.locator(".jp-Memo-row").first.focus()
    here = active_cell(tab)
    keyboard.press("/")
    assert tab.page.evaluate("document.activeElement.closest('.jp-Memo-filters') !== null")
    keyboard.press("Tab")
    keyboard.press("Space")
    assert 6 == output.locator(".jp-Memo-row:visible").count()
    cells = tab.page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length")
    assert (2, here) == (cells, active_cell(tab))


def test_a_result_is_opened_at_its_heading_and_at_its_line(tab: Tab, lab: Lab) -> None:
    before = lab.kernels()
    for name, text in (("notes/criticality.md", "# Why the flow loses ESS\n"), ("src/flows/train.py", "pass\n" * 200)):
        (lab.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (lab.folder / name).write_text(text, encoding="utf-8")
    output = opened(tab, lab.save("open", golden("response")))
    here = "window.jupyterapp.shell.currentWidget"
    output.locator(".jp-Memo-row[data-rank='4']").focus()
    tab.page.keyboard.press("o")
    tab.page.wait_for_function(f"() => {here}.context?.path === 'src/flows/train.py'")
    tab.page.wait_for_function(f"() => {here}.content.editor?.getCursorPosition().line === 87")
    tab.page.evaluate("window.jupyterapp.commands.execute('docmanager:open', { path: 'open.ipynb' })")
    output.locator(".jp-Memo-title button").nth(2).click()
    tab.page.wait_for_function(f"() => {here}.context?.path === 'notes/criticality.md'")
    assert lab.kernels() <= before


def test_a_cell_of_a_notebook_without_ids_is_opened_by_the_way_from_another_folder(tab: Tab, lab: Lab) -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": f"{number}\n\n" * 20} for number in range(20)]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (lab.folder / "notebooks").mkdir(exist_ok=True)
    (lab.folder / "notebooks" / "07_ess_vs_kappa.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (lab.folder / "sub").mkdir(exist_ok=True)
    response = golden("response")
    first = response.results[0]
    span = dataclasses.replace(first.passage.span, cell_id=None)
    passage = dataclasses.replace(first.passage, span=span, uri=f"root/{first.passage.uri}")
    results = (dataclasses.replace(first, passage=passage), *response.results[1:])
    saved = lab.save("way", dataclasses.replace(response, results=results, ways=(("root", ".."),)))
    (lab.folder / saved).rename(lab.folder / "sub" / saved)
    output = opened(tab, f"sub/{saved}")
    output.locator(".jp-Memo-title button").first.click()
    here = "window.jupyterapp.shell.currentWidget"
    tab.page.wait_for_function(f"() => {here}.context?.path === 'notebooks/07_ess_vs_kappa.ipynb'")
    tab.page.wait_for_function(f"() => {here}.content.activeCellIndex === {span.cell}")


def test_nothing_of_a_hostile_text_is_carried_out(tab: Tab, lab: Lab) -> None:
    before = lab.kernels()
    results = golden("hostile").results
    halves = (results[:4], results[4:])  # all of them with six arms each would be saved without their reasons
    responses = [dataclasses.replace(golden("hostile"), results=half, open_why=True) for half in halves]
    opened(tab, lab.save("hostile", *responses))
    output = tab.page.locator(".jp-Notebook")
    for made in output.locator(".jp-Memo-made").all():
        made.click()
    assert 8 == output.locator("[data-do=why]").count()
    for button in output.locator("[data-do=why]").all():
        button.click()
        button.click()
    told = output.inner_text()
    assert "<script>window.__xss = 1</script>" in told
    assert "user[U+202E]gpj.exe[U+202C]" in told
    made = "script, img, iframe, style, a, object, link, foreignObject, [onerror], [onload], [href]"
    assert 0 == output.locator(f".jp-Memo :is({made})").count()
    assert tab.page.evaluate("window.__xss") is None
    assert lab.kernels() <= before


def test_a_line_of_a_megabyte_is_cut_and_does_not_widen_the_page(tab: Tab, lab: Lab) -> None:
    response = golden("response")
    word = "y" * 1_000_000
    first = response.results[0]
    span = dataclasses.replace(first.passage.span, key=word)
    passage = dataclasses.replace(first.passage, uri=word, header=(word, word), span=span, tags=(word,), code=True)
    long = dataclasses.replace(first, passage=passage, snippet=word)
    worst = dataclasses.replace(
        response, query=word, hints=(word,), results=(long, *response.results[1:]), open_why=True
    )
    output = opened(tab, lab.save("long", worst))
    output.locator(".jp-Memo-made").click()
    assert output.evaluate("node => node.scrollWidth <= node.clientWidth + 1")


def test_what_cannot_be_read_is_said_and_its_plain_text_is_shown(tab: Tab, lab: Lab) -> None:
    name = lab.save("old", golden("response"))
    path = lab.folder / name
    path.write_text(path.read_text(encoding="utf-8").replace('{"schema": 1', '{"schema": 9'), encoding="utf-8")
    output = opened(tab, name)
    assert "schema 9" in output.locator("[role=alert]").inner_text()
    assert "ESS against κ at L = 14" in output.locator("pre").inner_text()


@pytest.mark.parametrize("theme", THEMES)
def test_roles_labels_and_contrast_pass_axe(theme: str, tab: Tab, lab: Lab) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not here: run jlpm install in labextension")
    shown = [dataclasses.replace(golden(name), open_why=True) for name in ("response", "evidence", "degraded", "empty")]
    opened(tab, lab.save(f"axe-{theme[-4:].strip()}", *shown))
    tab.theme(theme)
    tab.page.add_script_tag(path=str(AXE))
    for output in tab.page.locator(".jp-OutputArea .jp-MemoOutput").all():
        output.locator(".jp-Memo-made").click()
    found = tab.page.evaluate("axe.run('.jp-Memo', { resultTypes: ['violations'] })")
    told = [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
    assert [] == told
    assert len(found["passes"]) > 5


@pytest.mark.parametrize("theme", THEMES)
def test_no_width_makes_the_view_scroll_sideways(theme: str, tab: Tab, lab: Lab, tmp_path: Path) -> None:
    folder = Path(SHOTS) if SHOTS else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    mode = theme.split()[-1].lower()
    names = ("response", "evidence", "degraded", "empty", "flat", "hostile", "refused")
    opened(tab, lab.save(f"widths-{mode}", *map(golden, names)))
    tab.theme(theme)
    tab.page.set_viewport_size({"width": 1500, "height": 6000})  # an output that Lab scrolls is no picture
    outputs = tab.page.locator(".jp-OutputArea .jp-MemoOutput")
    for name, output in zip(names, outputs.all(), strict=True):
        output.scroll_into_view_if_needed()
        for why in output.locator("[data-do=why]").all()[:2]:
            why.click()
        output.locator(".jp-Memo-made").click()
        for width in WIDTHS:
            view = output.locator(".jp-Memo")
            view.evaluate("(node, width) => { node.style.width = `${width}px`; }", width)
            assert width == view.evaluate("node => Math.round(node.getBoundingClientRect().width)")
            view.screenshot(path=folder / f"{name}-{mode}-{width}.png")
            wide = view.evaluate(
                "node => [...node.querySelectorAll('*')].filter(inner => !inner.closest('svg, .jp-Memo-sr') &&"
                " inner.getBoundingClientRect().right > node.getBoundingClientRect().right + 1)"
                ".map(inner => `${inner.className || inner.tagName}: ${inner.textContent}`)"
            )
            assert [] == wide, f"{name} at {width}"
