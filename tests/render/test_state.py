"""Status and doctor as text and HTML."""

from __future__ import annotations

import dataclasses

from jupyter_memo.render import state
from jupyter_memo.response import Check, SourceReport, Status

STATUS = Status(
    store="~/phi4/.memo",
    read_only=False,
    profile="default",
    model="all-MiniLM-L6-v2",
    model_state="ready",
    passages=18412,
    sources=318,
    pending=12,
    roots=("~/phi4", "~/papers"),
    index_version=212,
    namespaces=(("phi4", 16198), ("", 2214)),
    kinds=(("note", 9000), ("code", 9412)),
)
CHECKS = (
    Check(name="versions", ok=True, detail="Python 3.11 · lancedb 0.40"),
    Check(name="vectors", ok=False, detail="12 of 18412 passages wait", cure="%memo backfill"),
)


def test_the_status_stands_in_aligned_lines() -> None:
    page = state.status_plain(STATUS)
    assert "passages     18\u202f412 from 318 sources\n" in page
    assert "pending      12 passages wait for vectors (words find them): %memo backfill\n" in page
    assert "namespaces   phi4 16\u202f198, (none) 2\u202f214\n" in page


def test_the_status_escapes_what_it_shows() -> None:
    assert "&lt;b&gt;" in state.status_html(dataclasses.replace(STATUS, store="<b>"))


def test_what_could_not_be_read_is_counted_and_the_first_are_named_with_the_reason() -> None:
    reason = "it is not valid JSON (line 3: no value). Save it again"
    files = tuple(SourceReport(uri=f"data/{name}.json", status="failed", reason=reason) for name in "abcdefg")
    status = dataclasses.replace(STATUS, unread=files, unread_total=12)
    page = state.status_plain(status)
    assert "not read     12 files could not be read\n" in page
    assert f"             data/a.json: {reason}\n" in page
    assert "data/f.json" not in page
    assert "             and 7 more: %memo_index on their folder names them all" in page
    assert "<dt>not read</dt><dd>12 files could not be read</dd><dd>data/a.json" in state.status_html(status)


def test_the_name_of_a_file_that_could_not_be_read_is_no_markup() -> None:
    file = SourceReport(uri="<b>\u202e.json", status="failed", reason="<i>")
    page = state.status_html(dataclasses.replace(STATUS, unread=(file,), unread_total=1))
    assert "<b>" not in page
    assert "<i>" not in page
    assert "\u202e" not in page


def test_a_failed_check_shows_its_cure_below_it() -> None:
    page = state.checks_plain(CHECKS)
    assert page.startswith("1 of 2 checks failed.\n")
    assert "failed  vectors   12 of 18412 passages wait\n                  %memo backfill" in page


def test_when_all_is_well_it_says_so_and_has_no_column_of_cures() -> None:
    page = state.checks_html((CHECKS[0], CHECKS[0]))
    assert "<p>All 2 checks passed.</p>" in page
    assert "what to do" not in page
    assert "what to do" in state.checks_html(CHECKS)
