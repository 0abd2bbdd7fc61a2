"""The verbs of %memo about the last answer, in a shell with a real engine over a few notes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_memo.engine import Memo
from jupyter_memo.jupyter.completion import candidates
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.response import Ablation, WhyNot

NOTES = (
    {"id": "notes/drift.md", "title": "Drift <b>", "text": "Turbidity probes drift by two units a month."},
    {"id": "notes/probes.md", "title": "Probes", "text": "The probes at the weir were changed in spring."},
    {"id": "code/pump.py", "title": "Pump", "text": "def drift(probes): return probes.mean()", "kind": "code"},
)


@pytest.fixture
def asking(shell: InteractiveShell, tmp_path: Path, embedder: Embedder) -> Iterator[InteractiveShell]:
    """A shell whose magics have a small index open."""
    magics: Any = shell.magics_manager.registry["MemoMagics"]
    memo = Memo.open(tmp_path / ".memo", embedder=embedder)
    memo.add(NOTES)
    magics._opener = lambda *_, **__: memo
    yield shell
    memo.close()


def run(shell: InteractiveShell, cell: str) -> Any:
    outcome = shell.run_cell(cell)
    outcome.raise_error()
    return outcome.result


def shown(shell: InteractiveShell, cell: str) -> dict[str, str]:
    data, _ = shell.display_formatter.format(run(shell, cell))
    return data  # type: ignore[no-any-return]


def said(shell: InteractiveShell, cell: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert not shell.run_cell(cell).success
    printed = capsys.readouterr()
    return (printed.err + printed.out).strip()


def test_explain_shows_the_arithmetic_and_the_rank_without_each_arm(asking: InteractiveShell) -> None:
    run(asking, "r = %memo_search -p rrf probes drift")
    assert isinstance(run(asking, "%memo explain 1"), Ablation)
    forms = shown(asking, "%memo explain 1")
    for form in (forms["text/plain"], forms["text/html"]):
        assert "contribution" in form
        assert "without" in form.lower()
        assert "it among the first 10." in form
    assert "<b>" not in forms["text/html"]


def test_explain_says_no_more_than_the_share_level_allows(asking: InteractiveShell) -> None:
    run(asking, "r = %memo_search -p rrf --share none probes drift")
    forms = shown(asking, "%memo explain 1")
    assert not [word for word in ("notes/", "code/", "Drift", "Pump") if word in "".join(forms.values())]
    assert run(asking, "%memo explain 1").result.passage.uri


def test_why_not_takes_the_query_as_typed_and_options_on_both_sides(asking: InteractiveShell) -> None:
    told = run(asking, '%memo why_not -k document "probes at" -spring # x --target notes/probes.md --limit 3')
    assert isinstance(told, WhyNot)
    assert '"probes at" -spring # x' == told.query
    assert ("excluded", "notes/probes.md") == (told.step, told.target)
    assert "scope" == run(asking, "%memo why_not -k document probes --target=code/pump.py").step


def test_why_not_without_a_query_asks_the_last_one_as_it_was(asking: InteractiveShell) -> None:
    run(asking, "%memo_search -p rrf -k note probes drift")
    told = run(asking, "%memo why_not --target code/pump.py")
    assert ("probes drift", "scope") == (told.query, told.step)
    forms = shown(asking, "%memo why_not --target code/pump.py")
    assert "<dt>Step</dt><dd>scope</dd>" in forms["text/html"]
    assert forms["text/plain"].startswith("Step    scope\nWhy     code/pump.py is left out by the filter")


def test_judge_keeps_a_grade_and_judgements_lists_it(asking: InteractiveShell) -> None:
    assert "Nothing was judged yet. After a search: %memo judge 1 3" == shown(asking, "%memo judgements")["text/plain"]
    run(asking, "found = %memo_search -p rrf probes drift\n%memo_search weir")
    assert "Judged 3: " in shown(asking, "%memo judge 1 3 --of found")["text/plain"]
    forms = shown(asking, "%memo judgements")
    assert "probes drift" in forms["text/plain"]
    assert "probes drift" in forms["text/html"]


def test_cite_takes_ranks_and_a_style(asking: InteractiveShell) -> None:
    run(asking, "%memo_search -p rrf probes drift")
    items = json.loads(shown(asking, "%memo cite 1 --style csl")["text/plain"])
    assert 1 == len(items)
    assert shown(asking, "%memo cite")["text/plain"].count("\n- ") >= 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%memo explain", "%memo explain N, such as %memo explain 2"),
        ("%memo explain two", "%memo explain N"),
        ("%memo explain 99", "no result has rank 99; this page has ranks 1 to"),
        ("%memo explain 1 --of nothing", "no search result is in a variable of that name"),
        ("%memo judge 1", "%memo judge N GRADE"),
        ("%memo judge 1 4", "grade 4 is outside 0..3"),
        ("%memo judgements 1", "takes nothing behind it"),
        ("%memo cite 1 --style apa", "not one of markdown, bibtex, csl"),
        ("%memo why_not probes", "--target PATH"),
        ("%memo why_not a --target b c", "'c' stands behind the options"),
    ],
)
def test_a_slip_is_one_line_with_its_cure(
    line: str, expected: str, asking: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    run(asking, "%memo_search -p rrf probes drift")
    told = said(asking, line, capsys)
    assert expected in told
    assert told.startswith("UsageError: ")
    assert "\n" not in told


def test_before_any_answer_the_verbs_say_to_ask_first(
    asking: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in ("%memo explain 1", "%memo judge 1 2", "%memo cite"):
        assert "Ask first: %memo_search QUERY" in said(asking, line, capsys)
    assert "name the query too" in said(asking, "%memo why_not --target x", capsys)


def test_the_share_option_is_kept_with_the_response(asking: InteractiveShell) -> None:
    assert "titles" == run(asking, "%memo_search --share titles probes").share
    assert "snippets" == run(asking, "%memo_search probes").share


def test_the_share_setting_holds_where_no_line_says_otherwise(tmp_path: Path, embedder: Embedder) -> None:
    with Memo.open(tmp_path / ".memo", embedder=embedder, share="titles") as memo:
        memo.add(NOTES)
        assert "titles" == memo.search("probes").share


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        (" why", {"why_not", "explain"}),
        (" cite --style ", {"markdown", "bibtex", "csl"}),
        (" explain --", {"--of"}),
        (" why_not --mode ", {"auto", "keyword", "exact", "semantic"}),
        (" status ", set()),
    ],
)
def test_verbs_and_their_options_are_offered(rest: str, expected: set[str]) -> None:
    offered = set(candidates("memo", rest))
    assert expected <= offered if expected else not offered


def test_purging_wants_to_be_told_twice(asking: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot be undone" in said(asking, "%memo purge notes/drift.md", capsys)
    forms = shown(asking, "%memo purge notes/drift.md --dry-run")
    assert forms["text/plain"].startswith("Dry run: nothing was erased.")
    assert "still in the file" in forms["text/html"]
    done = shown(asking, "%memo purge notes/drift.md --yes")["text/plain"]
    assert "0 ended passages, 0 removed sources erased" in done


def test_maintaining_says_what_it_pruned(asking: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    done = shown(asking, "%memo maintain --history-days 0")["text/plain"]
    assert "0 ended passages, 0 removed sources pruned" in done
    assert "takes no names" in said(asking, "%memo maintain notes", capsys)
