"""The kernel's side of the search widget: over a comm that only remembers, and in a real kernel."""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import comm
import nbformat
import pytest
from comm.base_comm import BaseComm
from nbclient import NotebookClient
from nbformat import NotebookNode

from jupyter_memo import Memo, wire
from jupyter_memo.errors import MemoError, QueryError
from jupyter_memo.jupyter import answering
from jupyter_memo.jupyter.display import MIME
from jupyter_memo.jupyter.widget import VIEW, SearchWidget
from jupyter_memo.response import SearchResponse

from .test_kernel import SETUP

PROJECT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60
"""Seconds after which an answer that has not come will not come."""


class Comm(BaseComm):
    """Keeps what the kernel sends."""

    def publish_msg(self, msg_type: str, data: Any = None, **_: Any) -> None:
        made.put((msg_type, data))


made: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()


class Front:
    """What stands for the browser: it sends requests and waits for their answers."""

    def __init__(self, widget: SearchWidget) -> None:
        self.widget = widget
        self.heard: list[dict[str, Any]] = []

    def ask(self, request: str, do: str, **data: Any) -> None:
        content = {"method": "custom", "content": {"request": request, "do": do, "view": "v", **data}}
        self.widget.comm.handle_msg({"content": {"data": content}, "buffers": []})

    def wait(self, request: str, *what: str) -> dict[str, Any]:
        """The first answer of such a kind; the last ones of a request when no kind is named."""
        what = what or ("done", "failed", "cancelled")
        while True:
            for answer in self.heard:
                if answer["request"] == request and answer["is"] in what:
                    return answer
            kind, data = made.get(timeout=PATIENCE)
            if kind == "comm_msg" and data["method"] == "custom":
                json.dumps(data, allow_nan=False)
                self.heard.append(data["content"])

    def value(self, request: str) -> Any:
        answer = self.wait(request)
        assert "done" == answer["is"], answer
        return answer["value"]


class Slow:
    """An engine whose searches end when they are told to."""

    def __init__(self, response: SearchResponse) -> None:
        self.response = response
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.fails: BaseException | None = None

    async def search_async(self, text: str, **options: Any) -> SearchResponse:
        self.asked.append((text, options))
        if self.fails:
            raise self.fails
        if text.startswith("slow"):
            await asyncio.Event().wait()
        return self.response

    async def index_async(self, *paths: str, progress: Any = None, **_: Any) -> None:
        progress(0, 3, "a\u202egpj.md")
        await asyncio.Event().wait()


@pytest.fixture(autouse=True)
def _comms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comm, "create_comm", Comm)
    while not made.empty():
        made.get()


@pytest.fixture
def engine(response: SearchResponse) -> Slow:
    return Slow(response)


@pytest.fixture
def front(engine: Slow) -> Iterator[Front]:
    widget = SearchWidget(engine, "", {"limit": 7}, ask=True, writable=True)  # type: ignore[arg-type]
    yield Front(widget)
    widget.close()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memo]:
    """A real index of a few notes."""
    home = tmp_path_factory.mktemp("widget")
    notes = home / "notes"
    notes.mkdir()
    (notes / "fridge.md").write_text(
        "---\ntags: [cold, two words]\n---\n# Fridge\n\nThe base drifts.\n", encoding="utf-8"
    )
    (notes / "flow.md").write_text("# Flow\n\nThe flow loses ESS near kappa_c.\n", encoding="utf-8")
    with Memo.open(home / "store", embedder="hash") as memo:
        memo.index(notes)
        yield memo


@pytest.fixture
def real(store: Memo) -> Iterator[Front]:
    widget = store.widget("flow")
    yield Front(widget)
    widget.close()


def test_a_search_answers_with_the_response_as_the_wire_has_it(front: Front, response: SearchResponse) -> None:
    front.ask("r1", "search", query="flow", offset=10)
    assert wire.to_dict(response, "snippets") == front.value("r1")["response"]
    assert ["begun", "done"] == [answer["is"] for answer in front.heard]


def test_the_options_of_the_widget_go_with_every_search(front: Front, engine: Slow) -> None:
    front.ask("r1", "search", query="flow", offset=10)
    front.value("r1")
    assert [("flow", {"limit": 7, "offset": 10})] == engine.asked


def test_a_later_search_cancels_the_one_before(front: Front) -> None:
    front.ask("r1", "search", query="slow one")
    front.wait("r1", "begun")
    front.ask("r2", "search", query="two")
    assert "cancelled" == front.wait("r1")["is"]
    assert "done" == front.wait("r2")["is"]


def test_a_search_in_another_view_goes_on(front: Front) -> None:
    front.ask("r1", "search", query="slow one", view="left")
    front.wait("r1", "begun")
    front.ask("r2", "search", query="two", view="right")
    front.wait("r2")
    assert not [answer for answer in front.heard if answer["request"] == "r1" and answer["is"] == "cancelled"]
    front.ask("r3", "cancel", of="r1")
    assert "cancelled" == front.wait("r1")["is"]


def test_messages_are_taken_in_without_waiting_for_an_answer(front: Front, engine: Slow) -> None:
    for number in range(5):
        front.ask(f"r{number}", "search", query=f"slow {number}", view=str(number))
    for number in range(5):
        front.wait(f"r{number}", "begun")
    assert 5 == len(engine.asked)


def test_an_error_is_a_code_what_is_wrong_and_the_cure(front: Front, engine: Slow) -> None:
    engine.fails = QueryError("limit 0 is outside 1..100. For more, page with offset=")
    front.ask("r1", "search", query="flow")
    assert {
        "code": "QueryError",
        "message": "limit 0 is outside 1..100.",
        "hint": "For more, page with offset=",
    } == front.wait("r1", "failed")["error"]


def test_a_fault_of_the_engine_is_told_without_its_words_and_logged(
    front: Front, engine: Slow, caplog: pytest.LogCaptureFixture
) -> None:
    engine.fails = ValueError("/home/somebody/secret")
    with caplog.at_level(logging.CRITICAL, answering.__name__):
        front.ask("r1", "search", query="flow")
        error = front.wait("r1", "failed")["error"]
    assert "internal" == error["code"]
    assert "secret" not in json.dumps(error)


def test_an_error_holds_no_sign_that_hides_or_reorders() -> None:
    assert "no \u202e" not in answering.told(MemoError("no \u202esuch"))["message"]


def test_an_engine_that_stops_says_so(front: Front, engine: Slow) -> None:
    engine.fails = asyncio.CancelledError()
    front.ask("r1", "search", query="flow")
    assert "closed" in front.wait("r1", "failed")["error"]["message"]


@pytest.mark.parametrize("message", [None, "text", {}, {"request": 1, "do": "search"}, {"kind": "anywidget-command"}])
def test_what_is_no_request_is_left_alone(front: Front, message: Any) -> None:
    front.widget._heard(front.widget, message, [])
    front.ask("r1", "search", query="flow")
    front.wait("r1")
    assert {"r1"} == {answer["request"] for answer in front.heard}


def test_an_unknown_request_is_refused(front: Front) -> None:
    front.ask("r1", "format_disk")
    assert "QueryError" == front.wait("r1", "failed")["error"]["code"]


def test_a_list_that_is_not_kept_can_be_neither_cited_nor_judged(front: Front) -> None:
    front.ask("r1", "cite", search="r0", rank=1)
    front.ask("r2", "judge", search="r0", rank=1, grade=2)
    assert ["Search again"] * 2 == [front.wait(request, "failed")["error"]["hint"] for request in ("r1", "r2")]


def test_only_the_last_lists_are_kept(front: Front) -> None:
    for number in range(answering.KEPT + 1):
        front.ask(f"s{number}", "search", query="flow")
        front.value(f"s{number}")
    front.ask("r1", "cite", search="s0", rank=1)
    front.ask("r2", "cite", search="s1", rank=1)
    assert ["failed", "done"] == [front.wait(request)["is"] for request in ("r1", "r2")]


@pytest.mark.parametrize("style", ["markdown", "bibtex", "csl"])
def test_a_citation_is_that_of_the_response(front: Front, response: SearchResponse, style: Any) -> None:
    front.ask("s1", "search", query="flow")
    front.value("s1")
    front.ask("r1", "cite", search="s1", rank=2, style=style)
    assert response.cite(style, (2,)) == front.value("r1")["text"]


def test_an_index_run_tells_its_progress_and_can_be_cancelled(front: Front) -> None:
    front.ask("r1", "index", paths=["notes"])
    assert {"request": "r1", "is": "progress", "done": 0, "total": 3, "name": "a[U+202E]gpj.md"} == front.wait(
        "r1", "progress"
    )
    front.ask("r2", "cancel", of="r1")
    assert "cancelled" == front.wait("r1")["is"]


def test_one_widget_indexes_one_thing_at_a_time(front: Front) -> None:
    front.ask("r1", "index", paths=["notes"])
    front.wait("r1", "begun")
    front.ask("r2", "index", paths=["other"])
    assert "indexing already" in front.wait("r2", "failed")["error"]["message"]
    front.ask("r3", "cancel", of="r1")
    front.wait("r1")
    front.ask("r4", "index", paths=["other"])
    assert "progress" == front.wait("r4", "progress")["is"]


def test_closing_the_widget_cancels_what_is_under_way(engine: Slow) -> None:
    front = Front(SearchWidget(engine, "", ask=True, writable=True))  # type: ignore[arg-type]
    front.ask("r1", "search", query="slow")
    front.wait("r1", "begun")
    (task,) = front.widget._answering._tasks.values()
    front.widget.close()
    asyncio.run_coroutine_threadsafe(_ended(task), answering.background().loop).result(PATIENCE)
    assert {} == front.widget._answering._tasks


async def _ended(task: asyncio.Task[Any]) -> None:
    await asyncio.wait([task])


def test_a_judgement_is_in_the_store_when_it_is_answered(real: Front, store: Memo) -> None:
    real.ask("s1", "search", query="flow")
    real.value("s1")
    real.ask("r1", "judge", search="s1", rank=1, grade=3)
    assert {"grade": 3, "uri": "notes/flow.md"} == real.value("r1")
    assert [("flow", "notes/flow.md", 3)] == [(kept.query, kept.uri, kept.grade) for kept in store.judgements()]


def test_a_grade_that_is_none_is_refused(real: Front) -> None:
    real.ask("s1", "search", query="flow")
    real.value("s1")
    real.ask("r1", "judge", search="s1", rank=1, grade="best")
    assert "QueryError" == real.wait("r1", "failed")["error"]["code"]


def test_the_last_list_is_at_hand_in_python(real: Front) -> None:
    assert real.widget.response is None
    real.ask("s1", "search", query="flow")
    real.value("s1")
    assert real.widget.response is not None
    assert "flow" == real.widget.response.query


def test_completion_offers_what_the_index_holds(real: Front) -> None:
    real.ask("r1", "values")
    fields = real.value("r1")["fields"]
    assert ["note"] == fields["kind"]
    assert ["cold", '"two words"'] == fields["tag"]
    assert ["notes/*"] == fields["source"]


def test_a_folder_is_indexed_and_what_came_of_it_is_told(real: Front, store: Memo, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "pump.md").write_text("# Pump\n\nThe pump hums.\n", encoding="utf-8")
    real.ask("r1", "index", paths=[str(tmp_path / "more")])
    assert "1 source read · passages: 1 added" in real.value("r1")["text"]
    assert 1 == len(store.search("hums"))


def test_a_cancelled_run_leaves_the_store_whole(real: Front, store: Memo, tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number}.md").write_text(f"# Note {number}\n\nword{number} alone\n", encoding="utf-8")
    real.ask("r1", "index", paths=[str(tmp_path)])
    real.wait("r1", "progress")
    real.ask("r2", "cancel", of="r1")
    assert "cancelled" == real.wait("r1")["is"]
    store.index(tmp_path)
    assert 1 == len(store.search("word299", mode="keyword"))


def test_a_run_of_the_widget_and_one_of_a_cell_do_not_disturb_each_other(
    real: Front, store: Memo, tmp_path: Path
) -> None:
    for number in range(40):
        (tmp_path / f"{number}.md").write_text(f"# Both {number}\n\nzebra{number} alone\n", encoding="utf-8")
    real.ask("r1", "index", paths=[str(tmp_path)])
    real.wait("r1", "begun")
    store.index(tmp_path)
    assert "failed" not in real.value("r1")["text"]
    for number in (0, 39):
        assert 1 == len(store.search(f"zebra{number}", mode="keyword"))


def test_a_memo_that_was_closed_says_how_to_go_on(tmp_path: Path) -> None:
    with Memo.open(tmp_path / "store", embedder="hash") as memo:
        front = Front(memo.widget())
    front.ask("r1", "search", query="flow")
    assert {
        "code": "StoreError",
        "message": "this memo is closed.",
        "hint": "Open it again with Memo.open",
    } == front.wait("r1", "failed")["error"]


def test_messages_go_to_the_thread_that_the_front_end_addresses(front: Front) -> None:
    front.widget.comm._reply_subshell_id = "a subshell that may end"  # as ipykernel does with each message out
    front.ask("r1", "search", query="flow")
    front.wait("r1")
    asyncio.run_coroutine_threadsafe(asyncio.sleep(0), answering.background().loop).result(PATIENCE)
    assert not hasattr(front.widget.comm, "_reply_subshell_id")


def test_a_read_only_store_offers_neither_judging_nor_indexing(store: Memo) -> None:
    with Memo.open(store.path, embedder="hash", read_only=True) as memo:
        assert memo.widget().writable is False
    assert store.widget().writable is True


def test_an_option_that_is_wrong_is_told_at_once(store: Memo) -> None:
    with pytest.raises(QueryError, match="Did you mean kind"):
        store.widget("flow", knd="note")


def test_the_state_of_the_widget_holds_no_result(real: Front) -> None:
    real.ask("s1", "search", query="flow")
    real.value("s1")
    assert "loses ESS" not in json.dumps(real.widget.get_state(), default=str)


def test_shown_alone_it_has_a_readable_form_beside_the_view(front: Front) -> None:
    front.widget.query = "<b>flow</b>"
    forms, _ = front.widget._repr_mimebundle_()
    assert {VIEW, "text/html", "text/plain"} == set(forms)
    assert "&lt;b&gt;flow&lt;/b&gt;" in forms["text/html"]
    assert "run this cell again" in forms["text/plain"]


def test_loading_the_extension_does_not_import_it() -> None:
    code = "import jupyter_memo.jupyter.extension, sys; print({'anywidget', 'ipywidgets'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT)
    assert "set()" == run.stdout.strip()


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> NotebookNode:
    """What is saved of a notebook with widgets, run in a real kernel."""
    home = tmp_path_factory.mktemp("kernel-widget")
    (home / "notes").mkdir()
    (home / "notes" / "flow.md").write_text("# Flow\n\nThe flow loses ESS.\n", encoding="utf-8")
    busy = """\
heard = []
box = get_ipython().magics_manager.registry['MemoMagics'].engine.widget()
box._answering._send = heard.append
box._heard(box, {'request': 'r1', 'do': 'search', 'query': 'flow', 'view': 'v'}, [])
import time
for _ in range(600):  # the cell runs on until the answer has come beside it
    if any(answer['is'] == 'done' for answer in heard):
        break
    time.sleep(0.1)
[answer['is'] for answer in heard]"""
    cells = (
        SETUP,
        "%memo_index notes",
        "%%memo_search --widget -o found\nflow",
        "%%memo_search --widget --quiet\nflow",
        "%memo widget the flow",
        busy,
        "len(found)",
    )
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    return NotebookClient(made, timeout=120, resources={"metadata": {"path": str(home)}}).execute()


def test_the_list_stands_above_the_widget_in_an_output_of_its_own(notebook: NotebookNode) -> None:
    outputs = notebook.cells[2].outputs
    assert ["execute_result", "display_data"] == [output.output_type for output in outputs]
    assert {MIME, "text/html", "text/plain"} == set(outputs[0].data)
    assert VIEW in outputs[1].data
    assert MIME not in outputs[1].data


def test_quiet_shows_no_widget_either(notebook: NotebookNode) -> None:
    assert [] == notebook.cells[3].outputs


def test_a_verb_shows_the_widget_alone(notebook: NotebookNode) -> None:
    (output,) = notebook.cells[4].outputs
    assert "for “the flow”" in output.data["text/plain"]


def test_a_search_is_answered_while_a_cell_runs(notebook: NotebookNode) -> None:
    assert "['begun', 'done']" == notebook.cells[5].outputs[-1].data["text/plain"]


def test_the_result_is_assigned_as_without_a_widget(notebook: NotebookNode) -> None:
    assert "1" == notebook.cells[6].outputs[-1].data["text/plain"]
