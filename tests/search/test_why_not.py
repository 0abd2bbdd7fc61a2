"""Why something is not on the page: one planted document for each step that can drop it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.profile import Profile
from jupyter_memo.response import WhyNot

RRF = profiles.get("rrf")
OPEN = profiles.override(RRF, **{"abstain.enabled": False, "cutoff.enabled": False})
"""Rank fusion of which nothing but the page cuts."""

RECORDS: tuple[dict[str, Any], ...] = (
    {"id": "notes/drift.md", "title": "Drift", "text": "Turbidity probes drift by two units a month; clean the wiper."},
    {"id": "notes/probes.md", "title": "Probes", "text": "The probes at the weir were changed in spring."},
    {"id": "notes/storms.md", "title": "Storms", "text": "The weir overflows after thirty millimetres of rain."},
    {"id": "code/pump.py", "title": "Pump", "text": "def drift(probes): return probes.mean()", "kind": "code"},
    {"id": "old/manual.md", "title": "Manual", "text": "Probes drift in warm water.", "expires_at": "2026-01-01"},
    {"id": "agent/log.md", "title": "Log", "text": "Probes drift, the agent wrote.", "namespace": "agent:one"},
)


@pytest.fixture
def filled(memo: Memo) -> Memo:
    memo.add(RECORDS)
    return memo


def why(memo: Memo, query: str, target: str, profile: Profile = OPEN, **options: Any) -> WhyNot:
    return memo.why_not(query, target, profile=profile, **options)


def test_what_is_on_the_page_is_said_to_be_there_with_its_rank(filled: Memo) -> None:
    response = filled.search("probes drift", profile=OPEN)
    told = why(filled, "probes drift", "notes/drift.md")
    rank = next(each.rank for each in response if each.passage.uri == "notes/drift.md")
    assert ("found", rank, "notes/drift.md") == (told.step, told.number, told.uri)


def test_a_name_that_is_not_there_gets_names_like_it(filled: Memo) -> None:
    told = why(filled, "probes drift", "notes/drfit.md")
    assert "not indexed" == told.step
    assert "notes/drift.md" in told.near
    assert "no such file is on the disk" in told.sentence


def test_a_file_that_a_run_skips_is_told_with_the_reason(memo: Memo, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nprobes drift\n", encoding="utf-8")
    (tmp_path / "chart.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "b.md").write_text("# B\n\nprobes drift\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("secret/\n", encoding="utf-8")
    memo.index(tmp_path)
    assert "images are not read" in why(memo, "probes drift", "chart.png").sentence
    told = why(memo, "probes drift", "secret/b.md")
    assert ("not indexed", True) == (told.step, "secret/: left out by an ignore rule" in told.sentence)


def test_a_file_that_was_not_read_yet_is_told_with_the_command(memo: Memo, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nprobes drift\n", encoding="utf-8")
    memo.index(tmp_path)
    (tmp_path / "new.md").write_text("# N\n\nprobes drift\n", encoding="utf-8")
    told = why(memo, "probes drift", str(tmp_path / "new.md"))
    assert ("not indexed", True) == (told.step, "was not read yet" in told.sentence)
    assert told.cure.startswith("%memo_index ")
    elsewhere = tmp_path.parent / f"{tmp_path.name}-other.md"
    elsewhere.write_text("# O\n", encoding="utf-8")
    assert "no folder that was indexed" in why(memo, "probes drift", str(elsewhere)).sentence


def test_a_file_that_could_not_be_read_is_told_with_that_reason(memo: Memo, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nprobes drift\n", encoding="utf-8")
    (tmp_path / "torn.ipynb").write_text("{not json", encoding="utf-8")
    memo.index(tmp_path)
    for target in ("torn.ipynb", str(tmp_path / "torn.ipynb"), "torn.ipynb#Drift"):
        told = why(memo, "probes drift", target)
        assert ("not indexed", True) == (told.step, "It could not be read: it is not valid JSON" in told.sentence)
        assert "not read yet" not in told.sentence
        assert told.cure.startswith("Mend that, then %memo_index ")


LOG = "# Weir log\n\n## 2026-08-07 Calm\n\nDry.\n\n## 2026-08-09 Storm\n\nThe weir overflowed.\n"


def test_a_heading_inside_a_joined_passage_is_followed(memo: Memo, tmp_path: Path) -> None:
    (tmp_path / "log.md").write_text(LOG, encoding="utf-8")
    memo.index(tmp_path)
    for target in ("log.md#2026-08-09 Storm", "log.md#2026-08-09-storm"):
        assert ("found", "log.md") == ((told := why(memo, "weir", target)).step, told.uri)
    assert "log.md" in [each.passage.uri for each in memo.search("weir overflowed", profile=OPEN)]
    assert [] == [each.passage.uri for each in memo.similar("log.md#2026-08-09 Storm", profile=OPEN)]


def test_a_heading_that_is_not_there_gets_the_nearest_and_nothing_untrue(memo: Memo, tmp_path: Path) -> None:
    (tmp_path / "log.md").write_text(LOG, encoding="utf-8")
    memo.index(tmp_path)
    told = why(memo, "weir", "log.md#2026-08-09 Strom")
    assert "log.md is indexed, but no passage of it stands under “2026-08-09 Strom”." == told.sentence
    assert "The nearest heading: log.md#2026-08-09 Storm" == told.cure
    assert "“Weir log”, “2026-08-07 Calm”" in why(memo, "weir", "log.md#zzz").cure


def test_a_path_is_understood_as_it_is_typed(memo: Memo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.md").write_text("# A\n\nprobes drift\n", encoding="utf-8")
    memo.index(tmp_path)
    monkeypatch.chdir(tmp_path / "deep")
    assert {"found"} == {why(memo, "probes", each).step for each in ("a.md", "deep/a.md", str(tmp_path / "deep/a.md"))}


def test_a_file_that_is_gone_and_a_text_that_was_replaced_are_not_live(memo: Memo, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nprobes drift in summer\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("# B\n\nprobes drift in winter\n", encoding="utf-8")
    memo.index(tmp_path)
    old = next(each.passage.id for each in memo.search("summer", profile=OPEN) if each.passage.uri == "a.md")
    (tmp_path / "a.md").write_text("# A\n\nprobes drift in spring\n", encoding="utf-8")
    (tmp_path / "b.md").unlink()
    memo.index(tmp_path)
    replaced, gone = why(memo, "probes", old), why(memo, "probes", "b.md")
    assert ("not live", True) == (replaced.step, "was replaced by a newer text" in replaced.sentence)
    assert ("not live", True) == (gone.step, "left the index" in gone.sentence)
    assert "found" == why(memo, "probes", "a.md").step


def test_what_has_expired_is_not_live(filled: Memo) -> None:
    told = why(filled, "probes drift", "old/manual.md")
    assert ("not live", True) == (told.step, "expired on 2026-01-01" in told.sentence)


def test_what_was_indexed_after_as_of_is_not_live(filled: Memo) -> None:
    told = why(filled, "probes drift", "notes/drift.md", as_of="2020")
    assert ("not live", True) == (told.step, "after the time that was asked about" in told.sentence)


@pytest.mark.parametrize(
    ("query", "options", "predicate", "own"),
    [
        ("probes drift", {"kind": "note"}, "kind note", "it has code"),
        ("probes drift kind:note", {}, "kind note", "it has code"),
        ("probes drift", {"source": "notes/*"}, "source notes/*", ""),
        ("probes drift", {"tag": "x"}, "tag x", "it has none"),
        ("probes drift", {"before": "2000"}, "before 2000-01-01", "it has 20"),
    ],
)
def test_a_filter_that_leaves_it_out_is_named_with_what_it_has(
    query: str, options: dict[str, Any], predicate: str, own: str, filled: Memo
) -> None:
    told = why(filled, query, "code/pump.py", **options)
    assert "scope" == told.step
    assert f"“{predicate}”" in told.sentence
    assert own in told.sentence


def test_a_hidden_namespace_is_named_with_the_field_that_shows_it(filled: Memo) -> None:
    told = why(filled, "probes drift", "agent/log.md")
    assert ("scope", "Name its namespace: ns:agent:one") == (told.step, told.cure)


def test_an_exclusion_and_a_phrase_are_named(filled: Memo) -> None:
    out = why(filled, "probes drift -wiper", "notes/drift.md")
    assert ("excluded", True) == (out.step, "holds “wiper”, which the query excludes" in out.sentence)
    phrase = why(filled, '"probes overflow"', "notes/drift.md")
    assert ("excluded", True) == (phrase.step, "does not hold the phrase “probes overflow”" in phrase.sentence)


def test_what_holds_no_word_of_the_query_matches_nothing(filled: Memo) -> None:
    told = why(filled, "wiper", "notes/storms.md", mode="keyword")
    assert "no match" == told.step
    assert "holds none of its words" in told.sentence


def test_what_stands_below_the_depth_of_its_arms_is_told_with_its_rank(filled: Memo) -> None:
    shallow = profiles.override(OPEN, depth=1)
    ranked = [each.passage.uri for each in filled.search("probes drift", profile=OPEN, mode="keyword")]
    assert 3 == len(ranked)
    told = why(filled, "probes drift", ranked[2], shallow, mode="keyword")
    assert ("depth", 3, 1) == (told.step, told.number, told.limit)
    assert "keyword ranks it number 3" in told.sentence


def test_what_is_too_old_for_a_list_by_date_is_told_with_its_place(memo: Memo) -> None:
    made = [datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 6)]
    memo.add([{"id": f"n{time.day}", "text": "x y z", "created_at": time} for time in made])
    told = why(memo, "since:2026", "n1", profiles.override(OPEN, depth=2), limit=1)
    assert ("depth", 5, 2) == (told.step, told.number, told.limit)


def test_a_cosine_below_the_floor_is_told_with_both_numbers(filled: Memo) -> None:
    told = why(filled, "probes drift", "notes/storms.md", RRF, mode="semantic", min_relevance=0.9)
    response = filled.search("probes drift", profile=OPEN, mode="semantic", limit=100)
    cosine = next(each.relevance for each in response if each.passage.uri == "notes/storms.md")
    assert ("floor", cosine, 0.9) == (told.step, told.number, told.limit)


def test_an_answer_refused_as_a_whole_is_told_with_the_best_evidence_and_the_floor(filled: Memo) -> None:
    changes = {"fusion.balance": 0.45, "abstain.uncalibrated": 0.99}  # no floor is measured for these weights
    strict = profiles.override(profiles.get("default"), **changes, name="strict")
    response = filled.search("drift of the pump in winter", profile=strict)
    floor = response.trace.floor
    assert floor is not None
    assert floor.refused
    told = why(filled, "drift of the pump in winter", "notes/drift.md", strict)
    assert ("abstain", floor.best, floor.least) == (told.step, told.number, told.limit)


def test_a_list_that_ends_before_it_is_told_with_the_drop_and_the_gap(filled: Memo) -> None:
    steep = profiles.override(OPEN, **{"cutoff.enabled": True, "cutoff.gap": 0.001, "cutoff.min_results": 1})
    page = filled.search("probes drift", profile=steep)
    last = filled.search("probes drift", profile=OPEN).results[-1].passage.uri
    cut = page.trace.cutoff
    assert cut is not None
    told = why(filled, "probes drift", last, steep)
    assert ("cutoff", cut.drop, cut.gap) == (told.step, told.number, told.limit)


def test_a_later_page_and_an_earlier_one_are_told_with_the_offset(filled: Memo) -> None:
    order = [each.passage.uri for each in filled.search("probes drift", profile=OPEN)]
    later = why(filled, "probes drift", order[2], limit=1)
    assert ("limit", 3, 1, "Ask for offset=2, or a higher limit.") == (
        later.step, later.number, later.limit, later.cure,
    )  # fmt: skip
    earlier = why(filled, "probes drift", order[0], limit=1, offset=2)
    assert ("limit", 1, 3) == (earlier.step, earlier.number, earlier.limit)


def test_what_does_not_fit_the_budget_is_told_with_the_tokens(filled: Memo) -> None:
    order = [each.passage.uri for each in filled.search("probes drift", profile=OPEN)]
    told = why(filled, "probes drift", order[1], max_tokens=1)
    used = filled.search("probes drift", profile=OPEN, max_tokens=1).trace.budget.used_tokens
    assert ("budget", used, 1) == (told.step, told.number, told.limit)


def test_a_glob_and_a_heading_follow_the_passage_that_comes_furthest(filled: Memo) -> None:
    order = [each.passage.uri for each in filled.search("probes drift", profile=OPEN)]
    first = next(uri for uri in order if uri.startswith("notes/"))
    assert ("found", first) == ((told := why(filled, "probes drift", "notes/*")).step, told.uri)
    assert "found" == why(filled, "probes drift", "notes/drift.md#drift").step
    missing = why(filled, "probes drift", "notes/drift.md#Elsewhere")
    assert ("not indexed", True) == (missing.step, "under “Elsewhere”" in missing.sentence)


def test_a_document_that_another_passage_stands_for_is_there(memo: Memo) -> None:
    memo.add(
        [{"id": "long.md", "text": "\n\n".join(f"Probes drift in part {n}. " + "filler " * 250 for n in range(3))}]
    )
    response = memo.search("probes drift", profile=OPEN)
    assert len(response) > 1
    told = why(memo, "probes drift", response.results[-1].passage.id, granularity="document")
    assert ("found", 1) == (told.step, told.number)


def test_a_hostile_target_is_only_a_name(filled: Memo) -> None:
    for target in ("' or '1'='1", "notes/*') or true --", "\x00", "a" * 5000, "~nobody/x", "[", "#", "*#x"):
        assert why(filled, "probes drift", target).step in ("not indexed", "found")


def test_a_query_that_cannot_be_asked_is_an_error_as_in_a_search(filled: Memo) -> None:
    with pytest.raises(QueryError, match="empty"):
        filled.why_not("", "notes/drift.md")
