"""The built bundle of the widget, loaded as a notebook loads it, with a host that answers from the golden files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import AXE, PROJECT, Tab

pytestmark = pytest.mark.browser

STATIC = PROJECT / "jupyter_memo" / "jupyter" / "static"
GOLDEN = Path(__file__).parent.parent / "golden"
MOUNT = """async ([source, answers]) => {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const { mountSearch } = await import(url);
    window.told = [];
    window.memo = mountSearch(document.getElementById('home'), {
        search: async (query, offset) => {
            window.told.push(['search', query, offset]);
            if (!(query in answers)) {
                throw new Error('The index is locked by another notebook. Try again.');
            }
            return answers[query];
        },
        complete: async (text, caret) => ({ from: 0, to: caret, options: ['kind:note', 'kind:notebook'] }),
        cite: result => window.told.push(['cite', result.rank]),
        judge: (result, grade) => window.told.push(['judge', result.rank, grade]),
    });
}"""


@pytest.fixture
def widget(tab: Tab) -> Any:
    """An empty page with the widget in it."""
    page = tab.page
    style = (STATIC / "widget.css").read_text(encoding="utf-8")
    page.set_content(f"<html lang='en'><title>memo</title><style>{style}</style><main id='home'></main></html>")
    answers = {
        name: json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")) for name in ("response", "degraded")
    }
    page.evaluate(MOUNT, [(STATIC / "widget.js").read_text(encoding="utf-8"), answers])
    return page


def test_search_move_explain_cite_and_judge_by_keys_alone(widget: Any) -> None:
    keyboard = widget.keyboard
    keyboard.press("Tab")
    keyboard.type("response")
    keyboard.press("Escape")
    keyboard.press("Enter")
    rows = widget.locator(".jp-Memo-row")
    rows.first.wait_for()
    assert 7 == rows.count()
    rows.first.focus()
    keyboard.press("j")
    keyboard.press("Enter")
    assert 1 == rows.nth(1).locator(".jp-Memo-open").count()
    for _ in range(3):
        keyboard.press("Tab")
        if widget.evaluate("document.activeElement.textContent") == "cite":
            keyboard.press("Enter")
    keyboard.press("Enter")
    keyboard.press("3")
    assert [["search", "response", 0], ["cite", 2], ["judge", 2, 3]] == widget.evaluate("window.told")
    assert "true" == rows.nth(1).locator("[data-grade='3']").get_attribute("aria-checked")
    keyboard.press("/")
    assert widget.evaluate("document.activeElement.type") == "search"


def test_a_completion_is_taken_and_a_failure_is_said_above_the_old_list(widget: Any) -> None:
    widget.evaluate("window.memo.ask('response')")
    widget.locator(".jp-Memo-row").first.wait_for()
    field = widget.locator("input[type=search]")
    field.fill("k")
    widget.locator("[role=option]").first.wait_for()
    field.press("ArrowDown")
    field.press("Enter")
    assert "kind:note" == field.input_value()
    field.press("Enter")
    assert "The index is locked" in widget.locator("[role=alert]").inner_text()
    assert 7 == widget.locator(".jp-Memo-row").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_widget_passes_axe(scheme: str, widget: Any) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not here: run jlpm install in labextension")
    colours = {"light": "#fff", "dark": "#111"}[scheme]
    widget.evaluate(f"document.documentElement.style = 'color-scheme: {scheme}; background: {colours}'")
    widget.evaluate("window.memo.ask('degraded')")
    widget.locator(".jp-Memo-row").first.wait_for()
    widget.locator("[data-do=judge]").first.click()
    widget.locator("input[type=search]").press("End")
    widget.locator("input[type=search]").press_sequentially("x")
    widget.locator("[role=option]").first.wait_for()
    widget.add_script_tag(path=str(AXE))
    found = widget.evaluate("axe.run('#home', { resultTypes: ['violations'] })")
    told = [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
    assert [] == told
