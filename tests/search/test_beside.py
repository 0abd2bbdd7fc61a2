"""Documents as results: their best passage, and what stands around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_memo import profile, wire
from jupyter_memo.engine import Memo
from jupyter_memo.render import html, text
from jupyter_memo.response import Result, SearchResponse

OPEN = profile.override(profile.get("default"), **{"abstain.enabled": False, "cutoff.enabled": False})
SUBJECTS = ("moss", "trout", "gauge", "ladder", "battery")


def section(subject: str) -> str:
    told = " ".join(f"The {subject} was seen on day {day} and noted with care." for day in range(6))
    return f"## On {subject}\n\n{told}\n"


@pytest.fixture
def notes(memo: Memo, tmp_path: Path) -> Memo:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "river.md").write_text("# River\n\n" + "\n".join(map(section, SUBJECTS)), encoding="utf-8")
    (folder / "gauge.md").write_text("# Gauge\n\nOne gauge, and nothing else.\n", encoding="utf-8")
    memo.index(folder)
    return memo


def ask(memo: Memo, query: str = "gauge seen", **options: object) -> SearchResponse:
    return memo.search(query, **{"profile": OPEN, "granularity": "document", **options})  # type: ignore[arg-type]


def river(response: SearchResponse) -> Result:
    return next(result for result in response if result.document == "notes/river.md")


def test_a_document_shows_what_stands_before_and_after_its_best_passage(notes: Memo) -> None:
    result = river(ask(notes))
    assert ("On gauge", "notes/river.md") == (result.passage.title, result.document)
    assert "The trout was seen on day 5" in result.before
    assert result.before.endswith("noted with care.")
    assert result.after.startswith("On ladder\nThe ladder was seen on day 0")
    assert "gauge" not in result.before + result.after


def test_it_is_bounded_in_tokens_on_each_side(notes: Memo) -> None:
    words = [len(" ".join(side).split()) for side in ([river(ask(notes)).before], [river(ask(notes)).after])]
    few = profile.override(OPEN, **{"beside.tokens": 20})
    fewer = river(ask(notes, profile=few))
    assert all(20 < count <= 110 for count in words)
    assert 5 < len(fewer.before.split()) <= 21
    assert fewer.before.startswith("…")
    assert fewer.after.endswith("…")


def test_a_document_of_one_passage_has_nothing_around_it(notes: Memo) -> None:
    result = next(result for result in ask(notes) if result.document == "notes/gauge.md")
    assert ("", "") == (result.before, result.after)


def test_the_first_and_the_last_passage_have_one_side(notes: Memo) -> None:
    first, last = river(ask(notes, "moss")), river(ask(notes, "battery"))
    assert ("", True) == (first.before, bool(first.after))
    assert (True, "") == (bool(last.before), last.after)


def test_passages_and_a_profile_without_it_have_none(notes: Memo) -> None:
    off = profile.override(OPEN, **{"beside.tokens": 0})
    for response in (ask(notes, granularity="passage"), ask(notes, profile=off)):
        assert {("", "")} == {(result.before, result.after) for result in response}


def test_it_is_counted_in_the_budget_after_the_results(notes: Memo) -> None:
    free = ask(notes)
    bare = sum(result.passage.tokens + OPEN.budget.overhead_tokens for result in free)
    assert bare < free.trace.budget.used_tokens <= bare + 400
    tight = ask(notes, max_tokens=bare + 30)
    assert [result.document for result in free] == [result.document for result in tight]
    assert bare < tight.trace.budget.used_tokens <= bare + 30
    assert len(river(tight).before) < len(river(free).before)
    assert {("", "")} == {(result.before, result.after) for result in ask(notes, max_tokens=bare)}


def test_it_holds_nothing_that_the_query_leaves_out(notes: Memo) -> None:
    result = river(ask(notes, "gauge seen -trout"))
    assert "trout" not in result.before
    assert "The moss was seen" in result.before


def test_nothing_in_it_is_marked_or_counted_as_a_match(notes: Memo) -> None:
    result = river(ask(notes, "gauge seen day"))
    assert all("gauge seen day".find(result.snippet[a:b].lower()) >= 0 for a, b in result.marks)
    assert result.snippet.strip("…").split()[0] in result.passage.text


def test_passages_of_one_place_are_in_no_known_order_and_none_is_told(memo: Memo) -> None:
    memo.add([{"id": "long", "text": "\n\n".join(section(subject) for subject in SUBJECTS * 4)}])
    assert {("", "")} >= {(result.before, result.after) for result in ask(memo, "gauge")}


def test_a_list_by_date_of_documents_begins_each_at_its_first_passage(notes: Memo) -> None:
    result = river(ask(notes, "source:notes/*"))
    assert ("On moss", "") == (result.passage.title, result.before)
    assert result.after


def test_every_surface_shows_it_as_context(notes: Memo) -> None:
    response = ask(notes)
    plain, page = text.plain(response), html.static(response)
    assert "before it: " in plain
    assert "after it: On ladder" in plain
    assert "<summary>Around it in the document: context, not a match</summary>" in page
    assert "<small>before it</small>" in page


def test_it_is_text_of_the_notes_and_left_out_where_that_is(notes: Memo) -> None:
    response = ask(notes)
    for share, kept in (("full", True), ("snippets", True), ("titles", False), ("none", False)):
        results = wire.loads(wire.dumps(response, share)).results  # type: ignore[arg-type]
        assert kept == any(result.before for result in results)
