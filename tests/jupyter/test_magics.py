"""The magics in an IPython shell: what reaches the engine, what comes back, what a slip looks like."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_memo.errors import QueryError, StoreError
from jupyter_memo.response import SearchResponse, Status


def run(shell: InteractiveShell, cell: str) -> object:
    """The value of the last expression of a cell that succeeds."""
    outcome = shell.run_cell(cell)
    outcome.raise_error()
    return outcome.result


def usage_error(shell: InteractiveShell, cell: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a cell that fails prints: one line, and nothing else."""
    capsys.readouterr()
    outcome = shell.run_cell(cell)
    assert not outcome.success, "the cell must fail, or Run All goes on"
    printed = capsys.readouterr()
    lines = (printed.err + printed.out).strip().split("\n")
    assert 1 == len(lines), lines
    return lines[0]


QUERIES = (
    "why does it fail",
    'say "two words" twice',
    "-tutorial kappa_c",
    "C:\\new\\table",
    "price # not a comment",
    "don't stop",
    "{x} ${y} %z !w",
    "df.groupby(a, (b",
    "a ''' b",
    "trailing backslash \\n",
)


@pytest.mark.parametrize("query", QUERIES)
def test_a_line_reaches_the_engine_as_typed(query: str, shell: InteractiveShell, engine: object) -> None:
    run(shell, f"%memo_search -n 3 {query}")
    assert query == engine.asked[0][0]  # type: ignore[attr-defined]


@pytest.mark.parametrize("query", [*QUERIES, "is it so?", "one\ntwo\n\nthree", "  indented"])
def test_a_cell_reaches_the_engine_as_typed(query: str, shell: InteractiveShell, engine: object) -> None:
    run(shell, f"%%memo_search -n 3 # comment\n{query}\n")
    assert query == engine.asked[0][0]  # type: ignore[attr-defined]


@pytest.mark.parametrize("query", ["why does it fail?", "is (this so?", "what's this?", "really??"])
def test_a_line_may_end_in_a_question_mark(query: str, shell: InteractiveShell, engine: object) -> None:
    run(shell, f"%memo_search {query}\nr = %memo_search -n 1 {query}")
    assert [query, query] == [asked[0] for asked in engine.asked]  # type: ignore[attr-defined]
    assert isinstance(shell.user_ns["r"], SearchResponse)


def test_a_question_mark_behind_the_name_alone_still_asks_for_help(
    shell: InteractiveShell, engine: object, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shell, "%memo_search?")
    run(shell, "%%memo_search?")
    assert [] == engine.asked  # type: ignore[attr-defined]
    assert 2 == capsys.readouterr().out.count("-n, --limit N")


def test_options_reach_the_engine_by_their_names(shell: InteractiveShell, engine: object) -> None:
    run(shell, "%memo_search -n 3 --offset 3 -m exact -p code -g document --max-tokens 500 -N a -N b -k note x")
    assert (
        "x",
        {
            "limit": 3, "offset": 3, "mode": "exact", "profile": "code", "granularity": "document",
            "max_tokens": 500, "namespace": ("a", "b"), "kind": ("note",),
        },
    ) == engine.asked[0]  # type: ignore[attr-defined]  # fmt: skip


def test_every_scope_option_is_a_field_the_engine_knows(shell: InteractiveShell, engine: object) -> None:
    from jupyter_memo.jupyter.manual import SCOPE
    from jupyter_memo.query import scope_of

    values = {"kind": "note", "min_trust": "2", "since": "2026-06", "before": "2026-07", "as_of": "2026-08"}
    line = " ".join(f"{option.long} {values.get(option.key, 'x')}" for option in SCOPE)
    run(shell, f"%memo_search {line} words")
    given = engine.asked[0][1]  # type: ignore[attr-defined]
    scope = scope_of(None, {option.key: given[option.key] for option in SCOPE})
    assert (("x",), ("note",), 2) == (scope.namespaces, scope.kinds, scope.min_trust)


def test_the_response_itself_is_returned(shell: InteractiveShell, engine: object, response: SearchResponse) -> None:
    assert response == run(shell, "%memo_search x")
    assert response == run(shell, "r = %memo_search x\nr")


def test_out_assigns_and_shows(shell: InteractiveShell, engine: object, response: SearchResponse) -> None:
    assert response == run(shell, "%%memo_search -o found\nx")
    assert response == shell.user_ns["found"]
    assert response == run(shell, "%memo_search other << x")
    assert response == shell.user_ns["other"]


def test_quiet_assigns_and_shows_nothing(shell: InteractiveShell, engine: object, response: SearchResponse) -> None:
    assert run(shell, "%memo_search -q -o found x") is None
    assert response == shell.user_ns["found"]


def test_explain_opens_the_reasons(shell: InteractiveShell, engine: object) -> None:
    shown = run(shell, "%memo_search --explain x")
    assert isinstance(shown, SearchResponse)
    assert shown.open_why
    assert "<details open>" in shown._repr_mimebundle_()["text/html"]
    assert "explain" not in engine.asked[0][1]  # type: ignore[attr-defined]


def test_a_variable_stands_in_double_braces(shell: InteractiveShell, engine: object) -> None:
    run(shell, "topic = 'flows'\n%memo_search {{topic}} {topic} $topic")
    run(shell, "%%memo_search\n{{topic}} and {{ topic }}")
    assert ["flows {topic} $topic", "flows and {{ topic }}"] == [asked[0] for asked in engine.asked]  # type: ignore[attr-defined]


def test_an_option_behind_the_query_is_searched_for_and_said(shell: InteractiveShell, engine: object) -> None:
    shown = run(shell, "%memo_search x --limit 5")
    assert isinstance(shown, SearchResponse)
    assert "--limit was searched for as a word; options stand in front of the query." == shown.hints[-1]


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("%memo_search --limt 5 x", "UsageError: unknown option --limt. Did you mean --limit?"),
        ("%%memo_search x\ny", "UsageError: the magic line takes options only, but 'x' is none."),
        ("%memo_search {{nope}}", "UsageError: {{nope}}: no variable is called nope."),
        ("%memo_index", "UsageError: name at least one file or folder: %memo_index ."),
        ("%memo statsu", "UsageError: %memo statsu: no such verb. Did you mean status?"),
        ("%memo status now", "UsageError: %memo status takes nothing behind it, but 'now' was given"),
        ("%memo open", "UsageError: name one folder or URL: %memo open PATH"),
    ],
)
def test_a_slip_is_one_line_and_stops_the_run(
    cell: str, line: str, shell: InteractiveShell, engine: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert usage_error(shell, cell, capsys).startswith(line)


def test_an_error_of_the_engine_is_one_line(
    shell: InteractiveShell, engine: object, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.fails = StoreError("the store is locked.\nTry again")  # type: ignore[attr-defined]
    assert "UsageError: the store is locked. Try again" == usage_error(shell, "%memo_search x", capsys)
    assert "UsageError: the store is locked. Try again" == usage_error(shell, "%memo_index x", capsys)


def test_a_fault_of_the_program_keeps_its_traceback(
    shell: InteractiveShell, engine: object, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.fails = ZeroDivisionError("inside")  # type: ignore[attr-defined]
    assert not shell.run_cell("%memo_search x").success
    assert "Traceback" in capsys.readouterr().out


def test_an_interrupt_passes_through(shell: InteractiveShell, engine: object) -> None:
    engine.fails = KeyboardInterrupt()  # type: ignore[attr-defined]
    outcome = shell.run_cell("%memo_index x")
    assert isinstance(outcome.error_in_exec, KeyboardInterrupt)


def test_indexing_takes_paths_and_options_in_any_order(shell: InteractiveShell, engine: object) -> None:
    run(shell, "folder = 'my papers'\n%memo_index notes -t a {{folder}} --tag b --trust 3 -N phi4 --dry-run # now")
    assert (
        ("notes", "my papers"),
        {"tags": ("a", "b"), "trust": 3, "namespace": "phi4", "dry_run": True},
    ) == engine.indexed[0]  # type: ignore[attr-defined]


def test_a_report_may_be_kept_and_hidden(shell: InteractiveShell, engine: object) -> None:
    assert run(shell, "%memo_index notes -q -o report") is None
    assert 1 == shell.user_ns["report"].added


def test_configured_defaults_hold_until_a_line_says_otherwise(shell: InteractiveShell, engine: object) -> None:
    run(shell, "%config MemoMagics.limit = 5\n%config MemoMagics.mode = 'keyword'")
    run(shell, "%memo_search x")
    run(shell, "%memo_search -n 7 -m auto x")
    assert [(5, "keyword"), (7, "auto")] == [
        (given["limit"], given["mode"])
        for _, given in engine.asked  # type: ignore[attr-defined]
    ]


def test_a_bad_default_is_refused(shell: InteractiveShell, engine: object, caplog: pytest.LogCaptureFixture) -> None:
    run(shell, "%config MemoMagics.limit = 500\n%memo_search x")
    assert "should not be greater than 100" in caplog.text
    assert engine.asked[0][1]["limit"] is None  # type: ignore[attr-defined]


def test_the_store_is_opened_at_first_use_and_once(shell: InteractiveShell, opened: object) -> None:
    assert [] == opened.calls  # type: ignore[attr-defined]
    run(shell, "%memo_search x\n%memo_search y")
    assert [(None, {"profile": None, "embedder": None})] == opened.calls  # type: ignore[attr-defined]


def test_another_store_closes_the_first(shell: InteractiveShell, opened: object) -> None:
    run(shell, "%memo_search x\n%memo open 'other store'\n%memo_search y")
    assert [None, "other store"] == [path for path, _ in opened.calls]  # type: ignore[attr-defined]
    assert [True, False] == [engine.closed for engine in opened.engines]  # type: ignore[attr-defined]


def test_a_store_that_cannot_be_opened_leaves_the_one_before(
    shell: InteractiveShell, opened: object, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shell, "%memo_search x")
    said = usage_error(shell, "%memo open broken", capsys)
    assert "UsageError: the store at broken is damaged. Index it again" == said
    run(shell, "%memo_search y")
    assert [None, "broken", None] == [path for path, _ in opened.calls]  # type: ignore[attr-defined]


def test_changing_a_setting_reopens_the_store(shell: InteractiveShell, opened: object) -> None:
    run(shell, "%memo_search x\n%config MemoMagics.embedder = 'none'\n%memo_search y")
    assert [None, "none"] == [settings["embedder"] for _, settings in opened.calls]  # type: ignore[attr-defined]


def test_the_verbs_show_what_they_say(shell: InteractiveShell, engine: object) -> None:
    def text(cell: str) -> str:
        data, _ = shell.display_formatter.format(run(shell, cell))
        return str(data["text/plain"])

    assert isinstance(run(shell, "%memo status"), Status)
    assert "passages     3 from 2 sources" in text("%memo status")
    doctor = text("%memo doctor")
    assert "1 of 3 checks failed." == doctor.splitlines()[0]
    assert ["index", "kernel", "server"] == [line.split()[1] for line in doctor.splitlines()[1:] if line[:1].isalpha()]
    assert "12 passages embedded." == text("%memo backfill")
    assert "semantic-only  meaning, no words" in text("%memo profiles")
    assert "%memo doctor" in text("%memo help")
    assert "%memo doctor" in text("%memo")
    assert "passages     3 from 2 sources" in text("%memo")


def test_an_empty_query_is_left_to_the_engine(
    shell: InteractiveShell, engine: object, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shell, "%memo_search --kind note")
    assert "" == engine.asked[0][0]  # type: ignore[attr-defined]
    engine.fails = QueryError("the query is empty. Type what you look for")  # type: ignore[attr-defined]
    assert "UsageError: the query is empty. Type what you look for" == usage_error(shell, "%memo_search", capsys)


def test_no_sync_asks_the_index_as_it_stands(shell: InteractiveShell, engine: object) -> None:
    run(shell, "%memo_search --no-sync x\n%memo_search x")
    assert [False, True] == [options.get("sync", True) for _, options in engine.asked]  # type: ignore[attr-defined]
