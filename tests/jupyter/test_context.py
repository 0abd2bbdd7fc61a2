"""%memo context and %%memo context, and the options --also and --surface, in a shell with a real engine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_memo.engine import Memo
from jupyter_memo.excerpts import PromptContext
from jupyter_memo.jupyter.answering import Answering
from jupyter_memo.jupyter.completion import candidates
from jupyter_memo.models.protocols import Embedder

NOTES = (
    {"id": "drift", "title": "Drift", "text": "Turbidity probes drift by two units a month.", "kind": "note"},
    {"id": "ana", "text": "Ana: do the turbidity probes drift?", "kind": "conversation"},
    {"id": "storms", "title": "Storms", "text": "The weir overflows after rain, and the flow peaks."},
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    path = tmp_path_factory.mktemp("context") / ".memo"
    with Memo.open(path, embedder=embedder) as memo:
        memo.add(NOTES)
    return path


@pytest.fixture
def memo(folder: Path, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(folder, embedder=embedder) as opened:
        yield opened


@pytest.fixture
def asking(shell: InteractiveShell, memo: Memo) -> InteractiveShell:
    magics: Any = shell.magics_manager.registry["MemoMagics"]
    magics._opener = lambda *_, **__: memo
    return shell


def run(shell: InteractiveShell, cell: str) -> Any:
    outcome = shell.run_cell(cell)
    outcome.raise_error()
    return outcome.result


def test_the_line_is_the_question_exactly_as_typed(asking: InteractiveShell) -> None:
    made = run(asking, "%memo context -p rrf do -storms probes drift?")
    assert isinstance(made, PromptContext)
    assert "do -storms probes drift?" == made.query
    assert "Turbidity probes drift by two units a month." in str(made)


def test_the_cell_below_is_the_question(asking: InteractiveShell) -> None:
    made = run(asking, "%%memo context -p rrf --max-tokens 90 -o kept # a remark\nprobes\ndrift\n")
    assert ("probes\ndrift", 90) == (made.query, made.max_tokens)
    assert made is asking.user_ns["kept"]


def test_it_is_the_last_answer_that_other_verbs_speak_of(asking: InteractiveShell) -> None:
    run(asking, "%memo context -q -p rrf --surface chat probes")
    assert "conversation" in str(run(asking, "%memo cite 1"))


def test_what_is_shown_keeps_to_the_share_level(asking: InteractiveShell) -> None:
    shown = run(asking, "%memo context -p rrf --share full probes drift")._repr_mimebundle_()
    assert "no instruction" in shown["text/plain"]
    shown = run(asking, "%memo context -p rrf --share titles probes drift")._repr_mimebundle_()
    assert "two units" not in shown["text/plain"] + shown["text/html"]


def test_near_misses_come_only_where_they_are_asked_for(asking: InteractiveShell) -> None:
    assert not run(asking, "%memo context quantum zebra")
    assert "--even-if-flat" in candidates("memo", " context --")


def test_other_wordings_vote(asking: InteractiveShell) -> None:
    found = run(asking, '%memo_search -p rrf --also "rain at the weir" --also peak probes')
    assert ("rain at the weir", "peak") == found.queries
    assert "storms" in {each.passage.uri for each in found}
    assert "Also asked: rain at the weir; peak" in found._repr_mimebundle_()["text/plain"]


def test_one_surface_is_a_filter_and_several_are_merged(asking: InteractiveShell) -> None:
    assert ["ana"] == [each.passage.uri for each in run(asking, "%memo_search -p rrf --surface chat probes")]
    found = run(asking, "%memo_search -p rrf --surface chat --surface memory probes drift")
    assert ["memory", "chat"] == [leg.surface for leg in found.legs]
    assert 3 == len(run(asking, "%memo_search --surface all probes drift").legs)


def test_a_floor_for_meaning_alone_may_be_raised_or_switched_off(asking: InteractiveShell) -> None:
    floors = {
        typed: [leg.floor for leg in run(asking, f"%memo_search --surface all {typed} probes").legs]
        for typed in ("", "--min-relevance 0", "--min-relevance 0.4")
    }
    expected = {"": [None, 0.15, 0.15], "--min-relevance 0": [0, 0, 0], "--min-relevance 0.4": [0.4, 0.4, 0.4]}
    assert expected == floors


def test_why_not_asks_again_as_the_last_answer_was_asked(asking: InteractiveShell) -> None:
    run(asking, "%memo_search -q -p rrf --surface all --also weir probes")
    told = run(asking, "%memo why_not --target ana")
    assert ("found", True) == (told.step, any("surface, chat" in each for each in told.passed))


def test_values_of_surfaces_complete() -> None:
    assert ("memory", "chat", "file", "all") == candidates("memo_search", " --surface ")
    assert "--also" in candidates("memo_search", " --")


def test_wordings_have_no_vote_on_another_query_of_the_widget(memo: Memo) -> None:
    answering = Answering(memo, lambda _: None, {"queries": ("weir",)}, about="probes")
    for query, expected in (("probes ", ("weir",)), ("boats", ())):
        asyncio.run(answering._search("1", {"query": query}))
        assert answering.last is not None
        assert expected == answering.last.queries
