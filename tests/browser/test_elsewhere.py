"""Saved results where this package is not: exported pages and Markdown, Notebook 7, Voilà, JupyterLab without it."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bleach
import nbconvert
import nbformat
import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from nbformat.sign import NotebookNotary

from jupyter_memo import Memo, samples, wire
from jupyter_memo.jupyter import display
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.render import ledger, location, numbers, visible
from jupyter_memo.response import SearchResponse

from .conftest import PROJECT, Lab, Tab

GOLDEN = Path(__file__).parent.parent / "golden"
SHOTS = os.environ.get("MEMO_SCREENSHOTS")
QUERY = "why is the turbidity reading too high"
GONE = {"application/vnd.jupyter.widget-view+json": {"model_id": "dead", "version_major": 2, "version_minor": 1}}
ASKED_BY_VOILA = ("https://cdn.jsdelivr.net/npm/@fortawesome/", "https://cdnjs.cloudflare.com/ajax/libs/mathjax/")
"""Every page of Voilà asks for signs and for formulas, also that of an empty notebook."""

SAID_BY_OTHERS = (
    "reading 'schema'",
    "/@jupyter-notebook/lab-extension/",
    "Shared module @jupyterlab/docmanager doesn't exist",
)
"""Errors of Notebook 7, and of its extension inside Voilà; they come with an empty notebook too, and without this. The
last is what Voilà, which loads every extension of JupyterLab and opens no documents, says of the side panel."""

GITHUB_TAGS = (
    "h1 h2 h3 h4 h5 h6 br b i strong em a pre code img tt div ins del sup sub p picture ol ul table thead tbody tfoot "
    "blockquote dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure figcaption "
    "abbr bdo cite dfn mark small source span time wbr"
).split()
GITHUB_ATTRIBUTES = ["align", "cellpadding", "cellspacing", "colspan", "dir", "height", "href", "open", "rowspan"]
GITHUB_ATTRIBUTES += ["src", "start", "title", "width"]
"""What GitHub leaves of the HTML in a Markdown file: no style, no class, no script, and not every element."""

START_KERNEL = f"""import sys
sys.path.insert(0, {str(PROJECT)!r})
%load_ext jupyter_memo
%config MemoMagics.embedder = 'hash'"""


@dataclasses.dataclass
class Page:
    """A page with the network cut: what it said went wrong, and what it would have asked for."""

    page: Any
    said: list[str] = dataclasses.field(default_factory=list)
    asked: set[str] = dataclasses.field(default_factory=set)

    def refuse(self, route: Any) -> None:
        url = route.request.url
        if url.startswith(("file:", "data:", "blob:", "http://127.0.0.1:", "ws://127.0.0.1:")):
            route.continue_()
            return
        self.asked.add(url)
        route.abort()

    def heard(self, message: Any) -> None:
        if message.type == "error" and message.location.get("url") not in self.asked:
            self.said.append(message.text)


@pytest.fixture
def cut(chromium: Any) -> Iterator[Page]:
    """A page that reaches no other machine. When the test is over it must have had no error of its own."""
    page = chromium.new_page()
    page.set_default_timeout(30_000)
    cut = Page(page)
    page.route("**/*", cut.refuse)
    page.on("console", cut.heard)
    page.on("pageerror", lambda error: cut.said.append(error.stack or str(error)))
    yield cut
    page.close()
    assert [] == [said for said in cut.said if not any(other in said for other in SAID_BY_OTHERS)]


@pytest.fixture(scope="module")
def responses(tmp_path_factory: pytest.TempPathFactory) -> tuple[SearchResponse, ...]:
    """Ten results of a search over the samples, a scored page, an empty one, and one of hostile texts."""
    folder = tmp_path_factory.mktemp("samples")
    with Memo.open(folder / ".memo", embedder=HashEmbedder()) as memo:
        memo.index(samples.copy(folder / "memo-samples"))
        found = memo.search(QUERY, limit=10)
    assert 10 == len(found.results)
    evidence, refused, hostile = (
        wire.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")) for name in ("evidence", "refused", "hostile")
    )
    halves = (hostile.results[:4], hostile.results[4:])  # small enough to be saved with their reasons
    return (found, evidence, refused, *(dataclasses.replace(hostile, results=half) for half in halves))


def saved(*responses: SearchResponse, before: dict[str, Any] | None = None) -> nbformat.NotebookNode:
    """A notebook with one saved output for each response, each after the output `before` if there is one."""
    new = nbformat.v4
    outputs = [
        [new.new_output("display_data", data) for data in (before, display.bundle(one)) if data] for one in responses
    ]
    cells = [
        new.new_code_cell(f"%%memo_search\n{at}", id=f"cell-{at}", outputs=output) for at, output in enumerate(outputs)
    ]
    return new.new_notebook(cells=cells)


def in_order(response: SearchResponse) -> list[str]:
    """All that a reader of a saved output is owed, in the order in which it should be read."""
    light = wire.loads(json.dumps(display.bundle(response)[display.MIME]))
    told = [visible.line(response.query)]
    for result in light.results:
        entry = ledger.ledger(result, light)
        told += [location.heading(result), location.whereabouts(result)]
        told += [numbers.score(result.score, light.score_scale), *ledger.facts(result, light)]
        if entry is not None:
            told += [cell for row in entry.lines for cell in dataclasses.astuple(row)]
            told += [entry.score, *ledger.story(result)]
        told += [visible.text(result.snippet)]
    told += [f"{miss.title} ({miss.uri}" for miss in light.nearest]
    return [part for part in (" ".join(part.split()) for part in told) if part]


def missing(response: SearchResponse, text: str) -> list[str]:
    """What of `in_order` is not found in `text` after what came before it. White space does not count."""
    packed, at, lost = "".join(text.split()), 0, []
    for part in in_order(response):
        found = packed.find("".join(part.split()), at)
        if found < 0:
            lost.append(part)
        else:
            at = found + len("".join(part.split()))
    return lost


def shot(name: str, page: Any, **given: Any) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"elsewhere-{name}.png", **given)


def test_in_markdown_as_github_shows_it_all_is_there_and_in_order(responses: tuple[SearchResponse, ...]) -> None:
    for response in responses:
        markdown, _ = nbconvert.MarkdownExporter().from_notebook_node(saved(response))
        page = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
        clean = bleach.clean(page, tags=GITHUB_TAGS, attributes=GITHUB_ATTRIBUTES, strip=True)
        assert [] == missing(response, BeautifulSoup(clean, "html.parser").get_text())


def test_no_text_of_a_passage_becomes_markdown(responses: tuple[SearchResponse, ...]) -> None:
    found, *_, hostile = responses
    text = "\n\n# h\n\n[press](javascript:1)\n\n![x](http://127.0.0.1:9/x.png)\n\n```\n\n    four\n"
    first = hostile.results[0]
    planted = dataclasses.replace(first, snippet=text, marks=(), passage=dataclasses.replace(first.passage, code=True))
    worst = dataclasses.replace(hostile, results=(planted, *hostile.results[1:]))
    markdown, _ = nbconvert.MarkdownExporter().from_notebook_node(saved(worst, found))
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)
    kinds = [token.type for token in tokens if token.type not in ("fence", "html_block")]
    assert [] == kinds


@pytest.mark.browser
def test_an_exported_page_is_whole_runs_nothing_and_asks_for_no_more_than_an_empty_one(
    cut: Page, responses: tuple[SearchResponse, ...], tmp_path: Path
) -> None:
    asked = []
    for name, notebook in (("empty", saved()), ("dark", saved(*responses)), ("light", saved(*responses))):
        path = tmp_path / f"{name}.html"
        theme = "dark" if name == "dark" else "light"
        path.write_text(nbconvert.HTMLExporter(theme=theme).from_notebook_node(notebook)[0], encoding="utf-8")
        cut.asked.clear()
        cut.page.goto(path.as_uri())
        cut.page.wait_for_load_state("load")
        asked.append(set(cut.asked))
        shot(f"html-{name}", cut.page, full_page=True)
    assert asked[0] == asked[1] == asked[2]
    articles = cut.page.locator("article")
    assert len(responses) == articles.count()
    for article, response in zip(articles.all(), responses, strict=True):
        assert [] == missing(response, article.text_content())
    assert "mono" in articles.locator("pre code").first.evaluate("code => getComputedStyle(code).fontFamily")
    first = articles.first.locator("li").first
    assert not first.locator("table").is_visible()
    first.locator("summary").click()
    assert first.locator("table tfoot").is_visible()
    assert cut.page.evaluate("window.__xss") is None
    made = "script, img, iframe, style, a, object, link, form, svg, [onerror], [onload], [href]"
    assert 0 == articles.locator(made).count()


@pytest.mark.browser
def test_notebook_7_draws_it_without_a_kernel(cut: Page, lab: Lab, responses: tuple[SearchResponse, ...]) -> None:
    write(lab, "seven", saved(*responses))
    cut.page.goto(lab.url(f"notebooks/seven.ipynb?token={lab.token}"))
    cut.page.locator(".jp-Dialog button.jp-mod-reject").click()  # it asks which kernel: none
    views = cut.page.locator(".jp-MemoOutput .jp-Memo")
    views.nth(len(responses) - 1).wait_for()
    assert [len(one.results) for one in responses] == [view.locator(".jp-Memo-row").count() for view in views.all()]
    row = views.first.locator(".jp-Memo-row").first
    row.locator("[data-do=why]").click()
    assert row.locator(".jp-Memo-votes tfoot").is_visible()
    assert set() == cut.asked
    shot("notebook", cut.page)


@pytest.mark.browser
def test_voila_runs_the_first_cells_of_the_quickstart_and_shows_what_a_search_finds(cut: Page, lab: Lab) -> None:
    pytest.importorskip("voila", reason="Voilà is not here: pip install '.[test]'")
    quickstart = nbformat.read(PROJECT / "notebooks" / "01_quickstart.ipynb", nbformat.NO_CONVERT)
    cells = [cell.source for cell in quickstart.cells if cell.cell_type == "code"]
    last = next(at for at, source in enumerate(cells) if source.startswith("%memo_index"))
    sources = (START_KERNEL, *cells[1 : last + 1], f"%%memo_search\n{QUERY}")
    new = nbformat.v4
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    write(lab, "voila", new.new_notebook(cells=list(map(new.new_code_cell, sources)), metadata={"kernelspec": kernel}))
    before = lab.kernels()
    cut.page.goto(lab.url(f"voila/render/voila.ipynb?token={lab.token}"), timeout=60_000)
    view = cut.page.locator(".jp-Memo", has_text=QUERY)
    view.wait_for(timeout=60_000)
    rows = view.locator(".jp-Memo-row")
    assert 10 == rows.count()
    rows.first.locator("[data-do=why]").click()
    assert rows.first.locator(".jp-Memo-votes tfoot").is_visible()
    assert [] == [url for url in cut.asked if not url.startswith(ASKED_BY_VOILA)]
    shot("voila", cut.page, full_page=True)
    for kernel in lab.kernels() - before:
        asked = urllib.request.Request(lab.url(f"api/kernels/{kernel}"), method="DELETE")
        asked.add_header("Authorization", f"token {lab.token}")
        urllib.request.urlopen(asked, timeout=20).close()


@pytest.mark.browser
def test_beside_a_widget_whose_model_is_gone_a_trusted_result_is_still_shown(
    tab: Tab, lab: Lab, responses: tuple[SearchResponse, ...]
) -> None:
    notebook = saved(responses[1], before=GONE)
    write(lab, "gone", notebook)
    NotebookNotary(data_dir=str(lab.folder.parent / "data")).sign(notebook)
    tab.open("gone.ipynb")
    tab.page.locator(".jp-OutputArea", has_text="Loading widget").first.wait_for()
    assert tab.page.evaluate(
        "[...window.jupyterapp.shell.currentWidget.content.model.cells].every(cell => cell.trusted)"
    )
    assert 7 == tab.page.locator(".jp-MemoOutput .jp-Memo-row").count()


@pytest.mark.browser
@pytest.mark.parametrize("how", ["disabled", "removed"])
def test_without_the_extension_lab_shows_the_html(
    how: str, tab: Tab, lab: Lab, responses: tuple[SearchResponse, ...]
) -> None:
    root = lab.folder.parent
    # where an installation puts it is looked in as well
    shares = (root / "data", Path(sys.prefix) / "share" / "jupyter")
    held = [found for share in shares if (found := share / "labextensions" / "jupyter-memo").is_dir()]
    config = root / "config"
    write(lab, how, saved(*responses))
    if how == "disabled":
        command = [sys.executable, "-m", "jupyter", "labextension", "disable", "--level=user", "jupyter-memo"]
        environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(config), "JUPYTER_DATA_DIR": str(root / "data")}
        subprocess.run(command, env=environment, check=True, capture_output=True)
    else:
        for found in held:
            found.rename(found.parents[1] / "jupyter-memo-away")
    try:
        tab.open(f"{how}.ipynb")
        articles = tab.page.locator(".jp-OutputArea article")
        articles.nth(len(responses) - 1).wait_for()
        assert 0 == tab.page.locator(".jp-Memo").count()
        assert "mathjax_ignore" in str(articles.first.get_attribute("class"))
        for article, response in zip(articles.all(), responses, strict=True):
            assert [] == missing(response, article.text_content())
        assert articles.first.locator("li details summary").first.is_visible()
        assert tab.page.evaluate("window.__xss") is None
        for mode in ("Light", "Dark") if SHOTS else ():
            tab.theme(f"JupyterLab {mode}")
            shot(f"lab-{how}-{mode.lower()}", tab.page)
    finally:
        if how == "disabled":
            shutil.rmtree(config / "labconfig")
        else:
            for found in held:
                found.parents[1].joinpath("jupyter-memo-away").rename(found)


def write(lab: Lab, name: str, notebook: nbformat.NotebookNode) -> None:
    nbformat.write(notebook, lab.folder / f"{name}.ipynb")
