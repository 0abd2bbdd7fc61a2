"""A saved comparison in JupyterLab, without a kernel and without trust: the figure, pointer and keys, every width."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo.comparison import Comparison

from .conftest import AXE, Lab, Tab

pytestmark = pytest.mark.browser

GOLDEN = Path(__file__).parent.parent / "golden"
WIDTHS = (320, 700, 1000)
THEMES = ("JupyterLab Light", "JupyterLab Dark")
SHOTS = os.environ.get("MEMO_SCREENSHOTS")


def golden() -> Comparison:
    spec = importlib.util.spec_from_file_location("golden_comparison", GOLDEN / "comparison.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = module.comparison()
    assert isinstance(made, Comparison)
    return made


def opened(tab: Tab, notebook: str) -> Any:
    tab.open(notebook)
    output = tab.page.locator(".jp-OutputArea .jp-MemoOutput").first
    output.locator(".jp-Memo-slope").wait_for()
    return output


def test_a_saved_comparison_is_drawn_and_gone_through_with_no_kernel(tab: Tab, lab: Lab) -> None:
    before = lab.kernels()
    output = opened(tab, lab.save("compared", golden()))
    told = output.locator(".jp-Memo-told")
    assert "Point at a passage" in told.inner_text()
    output.locator(".jp-Memo-slope ol").first.locator("li").nth(1).hover()
    assert "19th by keyword, 2nd by semantic" in told.inner_text()
    output.locator(".jp-Memo-slope li[tabindex='0']").focus()
    here = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    cell = tab.page.evaluate(here)
    tab.page.mouse.move(5, 5)
    tab.page.keyboard.press("j")
    assert "exact, where it stood 2nd, no longer runs" in told.inner_text()
    assert cell == tab.page.evaluate(here)
    assert lab.kernels() <= before


def test_the_figure_has_no_scrollbar_of_its_own(tab: Tab, lab: Lab) -> None:
    output = opened(tab, lab.save("unscrolled", golden()))
    wide = output.evaluate(
        "node => [node, ...node.querySelectorAll('.jp-Memo')].map(one => one.scrollWidth - one.clientWidth)"
    )
    assert [0, 0] == wide


def test_a_line_between_the_lists_is_pointed_at(tab: Tab, lab: Lab) -> None:
    output = opened(tab, lab.save("lines", golden()))
    box = output.locator(".jp-Memo-slope svg").bounding_box()
    # the middle of the figure at the height of the one that stays: its line is straight
    tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 6.5 / 10)
    output.locator(".jp-Memo-told b").wait_for()
    assert "ess_table.csv" in output.locator(".jp-Memo-told").inner_text()


@pytest.mark.parametrize("theme", THEMES)
def test_every_width_and_theme_holds_the_figure(theme: str, tab: Tab, lab: Lab, tmp_path: Path) -> None:
    folder = Path(SHOTS) if SHOTS else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    mode = theme.split()[-1].lower()
    output = opened(tab, lab.save(f"compared-{mode}", golden()))
    tab.theme(theme)
    tab.page.set_viewport_size({"width": 1500, "height": 2000})
    output.locator("details summary").click()
    output.locator(".jp-Memo-slope li[tabindex='0']").focus()
    view = output.locator(".jp-Memo")
    for width in WIDTHS:
        view.evaluate("(node, width) => { node.style.width = `${width}px`; }", width)
        view.screenshot(path=folder / f"comparison-{mode}-{width}.png")
        wide = view.evaluate(
            "node => [...node.querySelectorAll('*')].filter(inner => !inner.closest('svg, .jp-Memo-sr') &&"
            " inner.getBoundingClientRect().right > node.getBoundingClientRect().right + 1)"
            ".map(inner => inner.className || inner.tagName)"
        )
        assert [] == wide, f"at {width}"
    if AXE.is_file():
        tab.page.add_script_tag(path=str(AXE))
        found = tab.page.evaluate("axe.run('.jp-Memo', { resultTypes: ['violations'] })")
        assert [] == [f"{rule['id']}: {node['target']}" for rule in found["violations"] for node in rule["nodes"]]
