"""%memo similar and %%memo similar, in a shell with a real engine over a few notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_memo.engine import Memo
from jupyter_memo.jupyter.cells import around, without_magics
from jupyter_memo.jupyter.completion import candidates
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.response import SearchResponse

NOTES = (
    {"id": "notes/drift.md", "title": "Drift", "text": "Turbidity probes drift by two units a month."},
    {"id": "notes/probes.md", "title": "Probes", "text": "The turbidity probes at the weir were changed: drift."},
    {"id": "my notes/storms.md", "title": "Storms", "text": "The weir overflows after rain, and the flow peaks."},
    {"id": "code/pump.py", "title": "Pump", "text": "def drift(probes): return probes.mean()", "kind": "code"},
)


@pytest.fixture
def asking(shell: InteractiveShell, tmp_path: Path, embedder: Embedder) -> Iterator[InteractiveShell]:
    """A shell that keeps its cells, with magics that have a small index open."""
    magics: Any = shell.magics_manager.registry["MemoMagics"]
    memo = Memo.open(tmp_path / ".memo", embedder=embedder)
    memo.add(NOTES)
    magics._opener = lambda *_, **__: memo
    kept = list(shell.history_manager.input_hist_raw)
    shell.history_manager.input_hist_raw[:] = [""]
    yield shell
    shell.history_manager.input_hist_raw[:] = kept
    memo.close()


def run(shell: InteractiveShell, cell: str) -> Any:
    outcome = shell.run_cell(cell, store_history=True)
    outcome.raise_error()
    return outcome.result


def said(shell: InteractiveShell, cell: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert not shell.run_cell(cell).success
    printed = capsys.readouterr()
    return (printed.err + printed.out).strip()


def test_a_name_on_the_line_is_what_others_are_compared_with(asking: InteractiveShell) -> None:
    found = run(asking, "%memo similar -p rrf notes/drift.md")
    assert isinstance(found, SearchResponse)
    assert ("like: notes/drift.md", "notes/probes.md") == (found.query, found[0].passage.uri)


def test_a_name_with_blanks_may_stand_in_quotes_or_not(asking: InteractiveShell) -> None:
    for line in ("my notes/storms.md", '"my notes/storms.md"'):
        assert "like: my notes/storms.md" == run(asking, f"%memo similar {line}").query


def test_a_number_is_the_result_of_that_rank(asking: InteractiveShell) -> None:
    first = run(asking, "kept = %memo_search -p rrf probes drift\nkept")[0].passage
    name = f"like: {first.uri}#{first.title}"
    assert name == run(asking, "%memo similar 1").query
    run(asking, "%memo_search -p rrf weir")
    assert name == run(asking, "%memo similar --of kept 1").query


def test_the_text_below_is_taken_verbatim(asking: InteractiveShell) -> None:
    body = 'def f(x):\n    return {x: "drift -probes"}  # kind:note {y}'
    found = run(asking, f"%%memo similar -n 3 -k document # with a remark\n{body}\n")
    assert (f"like: {body}", 3, ("document",)) == (found.query, found.limit, found.scope.kinds)


def test_without_a_target_it_is_the_cell_it_stands_in(asking: InteractiveShell) -> None:
    found = run(asking, "probes = 'turbidity drift'\nfound = %memo similar -p rrf\nfound")
    assert "like: probes = 'turbidity drift'\nfound" == found.query


def test_alone_in_its_cell_it_is_the_cell_before(asking: InteractiveShell) -> None:
    run(asking, "probes = 'turbidity drift'")
    run(asking, "%memo status")
    run(asking, "%%memo_search\nweir")
    assert "like: probes = 'turbidity drift'" == run(asking, "%memo similar").query


def test_with_nothing_to_compare_with_it_says_what_to_write(
    asking: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Name a target: %memo similar PATH" in said(asking, "%memo similar", capsys)
    assert "Name a target" in said(asking, "%%memo similar\n \n", capsys)


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("%%memo similar notes/drift.md\ntext", "the magic line takes options only"),
        ("%memo similar --min-similarity high x", "the value must be a cosine"),
        ("%memo similar --min-similarity 2 x", "the value must be a cosine"),
        ("%memo similar --of nothing 1", "no search result is in a variable of that name"),
        ("%memo similar 1", "there is no answer yet"),
        ("%%memo status\ntext", "takes no text below it"),
    ],
)
def test_mistakes_are_told_in_one_line(
    asking: InteractiveShell, capsys: pytest.CaptureFixture[str], cell: str, told: str
) -> None:
    line = said(asking, cell, capsys)
    assert told in line
    assert 1 == len(line.splitlines())


def test_options_are_those_of_a_search(asking: InteractiveShell) -> None:
    found = run(asking, "r = %memo similar --explain --share titles --min-similarity 0.1 notes/drift.md\nr")
    assert (True, "titles", 0.1) == (found.open_why, found.share, found.min_relevance)
    run(asking, "%memo similar -o named -q notes/drift.md")
    assert "like: notes/drift.md" == asking.user_ns["named"].query


def test_behind_a_name_options_may_stand_and_behind_a_text_they_are_text(asking: InteractiveShell) -> None:
    found = run(asking, '%memo similar "my notes/storms.md" --limit=2 --kind document')
    assert ("like: my notes/storms.md", 2, ("document",)) == (found.query, found.limit, found.scope.kinds)
    found = run(asking, "%memo similar probes drift --limit 2")
    assert "like: probes drift --limit 2" == found.query
    assert "--limit was searched for as a word; options stand in front of the query." in found.hints


def test_the_verbs_about_the_last_answer_take_it(asking: InteractiveShell) -> None:
    found = run(asking, "%memo similar notes/drift.md")
    assert found[0].passage.id == run(asking, "%memo explain 1").result.passage.id
    assert "scope" == run(asking, "%memo why_not --target notes/drift.md").step


def test_a_text_may_end_in_a_question_mark(asking: InteractiveShell) -> None:
    assert "like: why do probes drift?" == run(asking, "%memo similar why do probes drift?").query


def test_it_is_offered_and_completed() -> None:
    assert "similar" in candidates("memo", " ")
    assert {"--min-similarity", "--limit", "--kind", "--of"} <= set(candidates("memo", " similar --"))


def test_a_cell_without_its_own_magics() -> None:
    assert "a = 1\n%time b" == without_magics("%load_ext jupyter_memo\na = 1\nr = %memo similar\n%time b\n%memo status")
    assert "" == without_magics("%%memo similar -n 3\na text")
    assert "" == around(None)
