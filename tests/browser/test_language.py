"""The language of memo cells in JupyterLab: how they look, which cells have it, and what Tab offers in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from jupyter_memo import Memo
from jupyter_memo.models.hash import HashEmbedder

from .conftest import PROJECT, START, Lab, Tab, running

pytestmark = pytest.mark.browser

MEMO = """%%memo_search -o found --limt 3 # what we know
why does kappa_c drift "mass renormalisation" kind:note,nothing
-tutorial NOT draft -kind:code {{name}}"""
PYTHON = 'def f(kind):\n    return "kind:note" - kind  # -tutorial'
INDENTED = "\n\n  %%memo_search\n  what is new"
QUERY, CODE = "text/x-memo-query", "text/x-ipython"
PYTHON_3 = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {
        "name": "python",
        "version": "3.11",
        "mimetype": "text/x-python",
        "codemirror_mode": {"name": "ipython", "version": 3},
    },
}
JULIA = {"language_info": {"name": "julia", "version": "1.10", "mimetype": "application/julia"}}

PATIENT = {"providerTimeout": 20_000}
"""A kernel on a busy machine may take longer to complete than the second that JupyterLab waits."""

LANGUAGES = "() => window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.mimeType)"
LOOKS = """at => {
    const cell = document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell')[at];
    // JupyterLab draws a cell when it has time for it.
    return [...(cell?.querySelectorAll('.cm-line span') ?? [])].map(span => {
        const look = getComputedStyle(span);
        return [span.textContent, look.color, look.textDecorationLine];
    });
}"""
COLOURS = """names => names.map(name => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(--jp-mirror-editor-${name}-color)`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
})"""
WRITE = """async ([at, text]) => {
    const { content } = window.jupyterapp.shell.currentWidget;
    content.activeCellIndex = at;
    content.mode = 'edit';
    await content.activeCell.ready;
    const { editor, model } = content.activeCell;
    model.sharedModel.setSource(text);
    const lines = text.split('\\n');
    editor.focus();
    editor.setCursorPosition({ line: lines.length - 1, column: lines.at(-1).length });
    editor.setSelection({ start: editor.getCursorPosition(), end: editor.getCursorPosition() });
}"""
INVOKE = "() => window.jupyterapp.commands.execute('completer:invoke-notebook')"
LISTED = """() => [...document.querySelectorAll('.jp-Completer:not(.lm-mod-hidden) .jp-Completer-match')]
    .map(item => item.textContent)"""
OFFERED = f"""async () => {{
    for (let turn = 0; turn < 40 && ({LISTED})().length === 0; turn += 1) {{
        await new Promise(resolve => setTimeout(resolve, 100));
    }}
    return ({LISTED})();
}}"""
SOURCE = "() => window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.getSource()"
KERNEL = """async name => {
    const { sessionContext } = window.jupyterapp.shell.currentWidget.context;
    await sessionContext.changeKernel({ name });
    await sessionContext.session.kernel.info;
}"""
TOLD = """mime => {
    for (const { model } of window.jupyterapp.shell.currentWidget.content.widgets) {
        model.mimeType = mime;
    }
}"""
"""What a notebook does when its kernel has told its language."""

RUN = "() => window.jupyterapp.commands.execute('notebook:run-cell')"
LOAD = f"import sys\nsys.path.insert(0, {str(PROJECT)!r})\n%load_ext jupyter_memo\nprint('loaded')"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A server with this package's own part, over a small index."""
    root = tmp_path_factory.mktemp("language")
    notes = root / "work" / "notes"
    notes.mkdir(parents=True)
    (notes / "flow.md").write_text("---\ntags: [lattice qcd]\n---\n# Flow\n\nIt loses ESS near kappa_c.\n", "utf-8")
    with Memo.open(root / "work" / ".memo", embedder=HashEmbedder()) as memo:
        memo.index(notes, namespace="phi4", kind="note")
    settings = root / "settings" / "@jupyterlab" / "completer-extension"
    settings.mkdir(parents=True)
    (settings / "manager.jupyterlab-settings").write_text(json.dumps(PATIENT), "utf-8")
    options = (
        "--ServerApp.jpserver_extensions={'jupyter_memo': True}",
        f"--MemoServer.store={root / 'work' / '.memo'}",
    )
    with running(root, *options, PYTHONPATH=str(PROJECT), JUPYTER_MEMO__EMBEDDER="hash") as lab:
        yield lab


def notebook(lab: Lab, name: str, *sources: str, metadata: dict[str, Any] = PYTHON_3) -> str:
    """A notebook of these cells, the last of which cannot be edited."""
    cells = [
        {
            "cell_type": "code",
            "id": f"{name}-{at}",
            "metadata": {"editable": False} if at + 1 == len(sources) else {},
            "execution_count": None,
            "outputs": [],
            "source": text,
        }
        for at, text in enumerate(sources)
    ]
    saved = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (lab.folder / f"{name}.ipynb").write_text(json.dumps(saved), encoding="utf-8")
    return f"{name}.ipynb"


def wait_for(tab: Tab, script: str, argument: Any = None) -> None:
    tab.page.wait_for_function(script, arg=argument, timeout=START)


def wait_for_languages(tab: Tab, *languages: str) -> None:
    wait_for(tab, f"wanted => ({LANGUAGES})().join() === wanted", ",".join(languages))


def wait_for_spans(tab: Tab, cell: int, text: str) -> None:
    """Until the editor has taken a language that makes one piece of this text."""
    wait_for(tab, f"([at, text]) => ({LOOKS})(at).some(look => look[0] === text)", [cell, text])


def offered(tab: Tab, text: str, cell: int = 0) -> list[str]:
    """What the list shows when completion is asked for at the end of this text; nothing where no list comes."""
    tab.page.evaluate(WRITE, [cell, text])
    tab.page.evaluate(INVOKE)
    found: list[str] = tab.page.evaluate(OFFERED)
    tab.page.keyboard.press("Escape")
    tab.page.wait_for_function(f"() => ({LISTED})().length === 0")
    return found


@pytest.mark.parametrize("mode", ["Light", "Dark"])
def test_a_memo_cell_is_coloured_by_what_its_parts_are(lab: Lab, tab: Tab, mode: str) -> None:
    tab.open(notebook(lab, f"look-{mode}", MEMO, PYTHON, MEMO))
    tab.theme(f"JupyterLab {mode}")
    wait_for_spans(tab, 0, '"mass renormalisation"')
    found = {text: (colour, line) for text, colour, line in tab.page.evaluate(LOOKS, 0)}
    names = ("keyword", "string", "property", "operator", "comment", "attribute", "string-2")
    keyword, string, field, operator, comment, option, name = tab.page.evaluate(COLOURS, list(names))
    assert (keyword, "none") == found["%%memo_search"]
    assert (option, "none") == found["-o"]
    assert (option, "underline") == found["--limt"]
    assert (comment, "none") == found["# what we know"]
    assert (name, "none") == found["kappa_c"]
    assert (string, "none") == found['"mass renormalisation"']
    assert (field, "none") == found["kind:"]
    assert (string, "underline") == found["nothing"]
    assert (operator, "none") == found["NOT"]
    assert "line-through" == found["tutorial"][1] == found["draft"][1]
    assert (comment, "none") == found["-kind:code"]
    assert "{{name}}" in found


def test_only_memo_cells_have_the_language(lab: Lab, tab: Tab) -> None:
    tab.open(notebook(lab, "only", MEMO, PYTHON, INDENTED, "%%time\n%memo_search x", MEMO))
    wait_for_languages(tab, QUERY, CODE, QUERY, CODE, QUERY)
    wait_for_spans(tab, 1, "def")
    wait_for_spans(tab, 4, '"mass renormalisation"')
    assert "-tutorial" not in {text for text, *_ in tab.page.evaluate(LOOKS, 1)}


def test_the_language_comes_with_the_magic_line_and_goes_with_it(lab: Lab, tab: Tab) -> None:
    tab.open(notebook(lab, "typed", "", PYTHON, ""))
    wait_for_languages(tab, CODE, CODE, CODE)
    tab.page.evaluate(WRITE, [0, ""])
    tab.page.keyboard.type('%%memo_search\nwhy "so so"')
    wait_for_languages(tab, QUERY, CODE, CODE)
    wait_for_spans(tab, 0, '"so so"')
    tab.page.evaluate(WRITE, [0, 'x = "so so"'])
    wait_for_languages(tab, CODE, CODE, CODE)
    wait_for_spans(tab, 0, "=")


def test_a_kernel_that_starts_leaves_the_language(lab: Lab, tab: Tab) -> None:
    tab.open(notebook(lab, "kernel", MEMO, PYTHON, ""))
    tab.page.evaluate(KERNEL, "python3")
    wait_for_languages(tab, QUERY, CODE, CODE)
    tab.page.evaluate(TOLD, CODE)
    wait_for_languages(tab, QUERY, CODE, CODE)
    wait_for_spans(tab, 0, '"mass renormalisation"')


def test_a_notebook_of_another_language_has_it_too(lab: Lab, tab: Tab) -> None:
    tab.open(notebook(lab, "julia", MEMO, "x = 1", "", metadata=JULIA))
    wait_for_spans(tab, 0, '"mass renormalisation"')
    first, *others = tab.page.evaluate(LANGUAGES)
    assert QUERY == first
    assert QUERY not in others


def test_nothing_of_it_is_saved(lab: Lab, tab: Tab) -> None:
    name = notebook(lab, "saved", MEMO, PYTHON, "")
    tab.open(name)
    wait_for_languages(tab, QUERY, CODE, CODE)
    tab.page.evaluate(WRITE, [0, MEMO + " more"])
    tab.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
    assert "x-memo" not in (lab.folder / name).read_text(encoding="utf-8")


def test_fields_and_their_values_are_offered_without_a_kernel(lab: Lab, tab: Tab) -> None:
    tab.open(notebook(lab, "offers", "", "", ""))
    assert ["kind: (only this kind)"] == offered(tab, "%%memo_search\nwhat ki")
    # the server opens the index when it is first asked; until then only what needs no index is offered
    values = next(filter(None, (offered(tab, "%%memo_search\nwhat ns:") for _ in range(20))), None)
    assert ["phi4"] == values
    assert "note" == offered(tab, "%%memo_search\nwhat kind:")[0]
    assert ['"lattice qcd"'] == offered(tab, "%%memo_search --tag x\nwhat tag:l")


def test_an_offer_that_is_taken_stands_where_it_was_asked_for(lab: Lab, tab: Tab) -> None:
    tab.open(notebook(lab, "taken", "", "", ""))
    for text, taken in (
        ("%%memo_search\n😀 what ki", "%%memo_search\n😀 what kind:"),
        ("%%memo_search\nkind:note,pap", "%%memo_search\nkind:note,paper"),
        ("%%memo_search --mode=ex", "%%memo_search --mode=exact"),
        ("r = %memo_search --lim", "r = %memo_search --limit"),
    ):
        tab.page.evaluate(WRITE, [0, text])
        tab.page.evaluate(INVOKE)
        wait_for(tab, f"() => ({LISTED})().length === 1")
        tab.page.keyboard.press("Enter")
        wait_for(tab, f"wanted => ({SOURCE})() === wanted", taken)


def test_options_are_offered_once_and_python_is_not(lab: Lab, tab: Tab) -> None:
    tab.open(notebook(lab, "options", "", LOAD, ""))
    tab.page.evaluate(KERNEL, "python3")
    tab.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1; }")
    tab.page.evaluate(RUN)
    tab.page.locator(".jp-OutputArea", has_text="loaded").wait_for(timeout=START)
    limit = "--limit N (results on the page, 1 to 100)"
    assert ["--library NAME (only this library)", limit] == sorted(offered(tab, "%%memo_search --li"))
    assert ["--library NAME (only this library)", limit] == sorted(offered(tab, "%memo_search --li"))
    assert ["auto", "exact", "keyword", "semantic"] == sorted(offered(tab, "%%memo_search --mode "))
    assert [] == offered(tab, "%%memo_search\nwhat a")
    assert "print" in offered(tab, "%%memo_search\nwhat {{pr")
    assert "print" in offered(tab, "pr")
