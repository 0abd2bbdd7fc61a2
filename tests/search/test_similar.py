"""What is like something: a passage, a section, a source, a text. The ranking is search's own."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.render import html, text
from jupyter_memo.response import SearchResponse

OPEN = profiles.override(
    profiles.get("default"), **{"abstain.enabled": False, "cutoff.enabled": False, "recency.floor": 1.0}
)
"""Evidence fusion of which nothing but the page cuts, and which the clock does not change."""

DRIFT = "# Drift\n\nThe turbidity probes drift by two units a month; a wiper keeps the biofilm off the glass.\n"
WIPER = "# Wiper\n\nA wiper against biofilm on turbidity probes costs little power, and the drift goes away.\n"
STORMS = "# Storms\n\nThe weir overflows after thirty millimetres of rain, and the flow peaks within two hours.\n"
RAIN = "# Rain\n\nThirty millimetres of rain in two hours make the weir overflow; the flow peaks later.\n"
CODE = "def overflow(rain_mm, weir_height):\n    return {rain_mm: 'peak'} if rain_mm > 30 else {}\n"


@pytest.fixture
def notes(memo: Memo, tmp_path: Path) -> Memo:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, said in (("drift", DRIFT), ("wiper", WIPER), ("storms", STORMS), ("rain", RAIN)):
        (folder / f"{name}.md").write_text(said, encoding="utf-8")
    (folder / "weir.py").write_text(CODE, encoding="utf-8")
    memo.index(folder)
    return memo


def uris(response: SearchResponse) -> list[str]:
    return [result.passage.uri for result in response]


def passage_of(memo: Memo, uri: str) -> Any:
    return next(each.passage for each in memo.search(f"source:{uri}", limit=100) if each.passage.uri == uri)


def test_what_is_like_a_passage_comes_first_and_not_itself(notes: Memo) -> None:
    found = notes.similar(passage_of(notes, "notes/drift.md").id, profile=OPEN)
    assert "notes/wiper.md" == found[0].passage.uri
    assert "notes/drift.md" not in uris(found)


def test_a_result_an_id_a_uri_a_path_and_a_section_name_the_same(
    notes: Memo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "notes")
    result = next(each for each in notes.search("source:notes/drift.md", limit=10))
    targets = (
        result,
        result.passage,
        result.passage.id,
        "notes/drift.md",
        "drift.md",
        tmp_path / "notes" / "drift.md",
        "notes/drift.md#Drift",
        "drift.md#drift",
        f"notes/drift.md#{result.passage.id[:8]}",
    )
    lists = [[(each.passage.id, each.score) for each in notes.similar(target, profile=OPEN)] for target in targets]
    assert [lists[0]] * len(targets) == lists


def test_the_query_names_what_it_was_like_and_asks_the_same_again(notes: Memo) -> None:
    found = notes.similar(passage_of(notes, "notes/drift.md").id, profile=OPEN)
    assert "like: notes/drift.md#Drift" == found.query
    again = notes.search(found.query, profile=OPEN)
    assert [(each.passage.id, each.score) for each in found] == [(each.passage.id, each.score) for each in again]


def test_a_passage_among_several_of_its_heading_is_named_by_its_id(memo: Memo) -> None:
    long = " ".join(f"probe {number} drifts in week {number}." for number in range(900))
    memo.add([{"id": "log", "title": "Log", "text": long}, {"id": "other", "text": "probe 7 drifts"}])
    first = next(each.passage for each in memo.search("source:log", limit=100))
    found = memo.similar(first, profile=OPEN, limit=100)
    assert f"like: log#{first.id[:8]}" == found.query
    assert first.id not in {each.passage.id for each in found}
    assert "log" in uris(found)


def test_a_source_leaves_all_of_its_own_passages_out(memo: Memo) -> None:
    long = " ".join(f"probe {number} drifts in week {number}." for number in range(900))
    memo.add([{"id": "log", "title": "Log", "text": long}, {"id": "other", "text": "probe 7 drifts"}])
    found = memo.similar("log", profile=OPEN, limit=100)
    assert ["other"] == uris(found)
    assert ("not itself", 1) == (found.trace.filters[-1].predicate, found.trace.filters[-1].left)


def test_a_passage_leaves_the_others_of_its_source_in(memo: Memo, tmp_path: Path) -> None:
    sections = "\n\n".join(f"# Part {n}\n\n" + f"Probes drift in part {n} of the year. " * 40 for n in range(3))
    (tmp_path / "year.md").write_text(sections, encoding="utf-8")
    memo.index(tmp_path / "year.md")
    found = memo.similar("year.md#Part 1", profile=OPEN, limit=100)
    assert {"Part 0", "Part 2"} == {each.passage.title for each in found}


@pytest.mark.parametrize(
    "target",
    [
        'a "weir overflow" -rain NOT flow',
        "kind:note rain -weir",
        "like: rain",
        "if rain > 30: return {weir}  # -flow",
        "rain on the weir since:2026-13 kind:nonsense",
    ],
)
def test_a_text_is_taken_verbatim(notes: Memo, target: str) -> None:
    found = notes.similar(target, profile=OPEN)
    assert f"like: {target}" == found.query
    assert ((), ()) == (found.excluded, found.filters)
    assert {"notes/rain.md", "notes/storms.md"} <= set(uris(found))


def test_a_cell_of_code_finds_code_like_it(notes: Memo) -> None:
    cell = "for rain_mm in rain:\n    peak = overflow(rain_mm, weir_height)\n    print({rain_mm: peak})\n"
    found = notes.similar(cell, profile=OPEN)
    assert "notes/weir.py" == found[0].passage.uri


def test_the_very_text_of_one_passage_is_left_out_and_named(notes: Memo) -> None:
    found = notes.similar(DRIFT, profile=OPEN)
    assert "notes/drift.md" not in uris(found)
    assert [hint for hint in found.hints if "This very text stands in notes/drift.md, Drift" in hint]


def test_copies_of_the_very_text_are_shown(notes: Memo, tmp_path: Path) -> None:
    (tmp_path / "notes" / "copy.md").write_text(DRIFT, encoding="utf-8")
    notes.index(tmp_path / "notes")
    first = notes.similar(DRIFT, profile=OPEN)[0]
    assert {"notes/drift.md", "notes/copy.md"} == {first.passage.uri, *(each.uri for each in first.folded)}


def test_of_a_long_text_no_more_is_looked_for_than_of_a_question(notes: Memo) -> None:
    long = " ".join((STORMS, RAIN, DRIFT, *(f"word{number}" for number in range(5_000)))) * 3
    found = notes.similar(long, profile=OPEN)
    assert len(found.terms) <= 16 + 8
    assert "notes/rain.md" in uris(found)
    assert found.trace.plan.startswith(f"like a text of {len(long):,} characters: the ")


def test_words_that_no_other_passage_holds_are_not_looked_for(notes: Memo) -> None:
    found = notes.similar("notes/drift.md", profile=OPEN)
    assert "month" not in found.terms
    assert {"turbidity", "wiper", "biofilm"} <= set(found.terms)


def test_the_stages_and_arms_are_those_of_a_search(notes: Memo) -> None:
    asked, like = notes.search("weir overflow", profile=OPEN), notes.similar("weir overflow", profile=OPEN)
    assert ["itself", "similarity"] == [
        stage.stage for stage in like.trace.stages if stage.stage not in {each.stage for each in asked.trace.stages}
    ]
    assert [(each.passage.id, each.score) for each in asked] == [(each.passage.id, each.score) for each in like]


def test_a_least_similarity_is_of_the_cosine_alone_and_says_what_it_left_out(notes: Memo) -> None:
    every = notes.similar("notes/drift.md", profile=OPEN)
    cosines = [each.relevance for each in every if each.relevance is not None]
    least = max(cosines) - 0.01
    some = notes.similar("notes/drift.md", profile=OPEN, min_similarity=least)
    assert [each.passage.id for each in every if (each.relevance or 0) >= least] == [each.passage.id for each in some]
    assert f"The least cosine of {least:.2f} left out {len(every) - 1} below it." in some.hints
    assert least == some.min_relevance


def test_a_least_similarity_leaves_out_what_has_no_vector(notes: Memo, tmp_path: Path) -> None:
    with Memo.open(tmp_path / ".memo", embedder="none") as blind:
        found = blind.similar("notes/drift.md", min_similarity=0.1, profile=OPEN, sync=False)
    assert ([], True) == (uris(found), any("without a vector" in hint for hint in found.hints))
    assert "is like it enough" in (found.reason or "")
    assert "min_similarity" in (found.hint or "")


def test_a_least_similarity_holds_under_rank_fusion_too(notes: Memo) -> None:
    rrf = profiles.override(profiles.get("rrf"), **{"abstain.enabled": False, "cutoff.enabled": False, "depth": 1})
    found = notes.similar("notes/drift.md", profile=rrf, min_similarity=-1.0)
    assert found.results
    assert all(each.relevance is not None for each in found)


def test_without_a_model_it_goes_by_words(tmp_path: Path) -> None:
    with Memo.open(tmp_path / ".memo", embedder="none") as memo:
        memo.add([{"id": "a", "text": DRIFT}, {"id": "b", "text": WIPER}, {"id": "c", "text": STORMS}])
        found = memo.similar("a", profile=OPEN)
    assert ("b", "keyword_only") == (found[0].passage.uri, found.mode_effective)


def test_a_model_that_fails_is_said_and_words_go_on(notes: Memo, tmp_path: Path) -> None:
    def broken() -> Embedder:
        raise RuntimeError("no weights")

    with Memo.open(tmp_path / ".memo", embedder=broken) as memo:
        memo._door.wait(None)
        found = memo.similar("notes/drift.md", profile=OPEN, sync=False)
    assert ("notes/wiper.md", True) == (found[0].passage.uri, found.degraded.flag)


def test_fields_may_stand_behind_a_name(notes: Memo) -> None:
    found = notes.search("like: notes/rain.md kind:code", profile=OPEN)
    assert (["notes/weir.py"], ("kind:code",)) == (uris(found), found.filters)
    assert ["notes/weir.py"] == uris(notes.similar("notes/rain.md", kind="code", profile=OPEN))


def test_a_name_that_is_not_there_is_taken_as_a_text_and_said_so(notes: Memo) -> None:
    found = notes.similar("notes/drfit.md", profile=OPEN)
    assert (
        "Nothing in the index is called notes/drfit.md, so it was taken as a text. Did you mean notes/drift.md?"
        in found.hints
    )


@pytest.mark.parametrize(
    ("target", "options", "told"),
    [
        ("", {}, "the target is empty"),
        (" \n", {}, "the target is empty"),
        (7, {}, "the target is a int"),
        ("x", {"min_similarity": "high"}, "min_similarity 'high' is no cosine"),
        ("x", {"min_similarity": math.nan}, "is no cosine"),
        ("x", {"min_similarity": True}, "is no cosine"),
        ("x", {"min_similarity": 1.5}, "is no cosine"),
        ("x", {"min_relevance": 0.5}, "Use min_similarity"),
        ("x", {"queries": ["y"]}, "Leave queries out"),
        ("x", {"limit": 0}, "limit 0"),
        ("x", {"nonsense": 1}, "nonsense"),
    ],
)
def test_what_cannot_be_meant_is_a_query_error_with_the_cure(
    memo: Memo, target: Any, options: dict[str, Any], told: str
) -> None:
    with pytest.raises(QueryError, match=told):
        memo.similar(target, **options)


def test_an_answer_is_explained_by_searching_as_it_was_made(notes: Memo) -> None:
    found = notes.similar("notes/drift.md", min_similarity=-1.0)
    told = notes.explain(found, 1)
    assert told.same
    assert [each.arm for each in told.without] == [trace.arm for trace in found.trace.arms if trace.ran]


def test_why_something_is_not_like_it_is_told(notes: Memo) -> None:
    assert "scope" == notes.why_not("like: notes/drift.md", "notes/drift.md", profile=OPEN).step
    assert "found" == notes.why_not("like: notes/drift.md", "notes/wiper.md", profile=OPEN).step


def test_a_store_of_one_passage_says_that_there_is_nothing_else(memo: Memo) -> None:
    memo.add([{"id": "a", "text": "Probes drift."}])
    found = memo.similar("a")
    assert ("Nothing is in scope but what it is to be like.", []) == (found.reason, uris(found))


def test_all_forms_head_the_list_with_what_it_is_like(notes: Memo) -> None:
    found = notes.similar("notes/drift.md#Drift", profile=OPEN)
    assert text.plain(found).startswith("like: notes/drift.md#Drift\n")
    assert "<h3>like: notes/drift.md#Drift</h3>" in html.static(found)
    assert "like one passage of notes/drift.md" in html.static(found)


def test_a_long_text_does_not_flood_the_head(notes: Memo) -> None:
    found = notes.similar("rain weir flow " * 400, profile=OPEN)
    assert len(text.plain(found).split("\n\n")[0]) < 1_000
    assert len(html.static(found).split("</h3>")[0]) < 1_000


def test_the_async_form_answers_the_same(notes: Memo) -> None:
    found = asyncio.run(notes.similar_async("notes/drift.md", profile=OPEN))
    assert uris(notes.similar("notes/drift.md", profile=OPEN)) == uris(found)


@pytest.mark.parametrize(
    "target",
    ["#", "a#", "#b", "'", "it's#o'clock", "\x00", "half \ud800 a pair", "C:\\notes\\a.md", "*", "?", "++", "検索機能",
     "notes/", "/", ".", "~", "x" * 3_000, "{[( " * 9_000, "a\n\n-b\n\"c", "like: ", "like: like: rain"],
)  # fmt: skip
def test_no_text_is_an_error(notes: Memo, target: str) -> None:
    assert f"like: {target}" == notes.similar(target).query
