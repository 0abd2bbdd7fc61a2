"""Searches through the whole pipeline, on a real store with the hash embedder."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jupyter_memo import profile
from jupyter_memo.engine import Memo
from jupyter_memo.errors import ProfileError, QueryError
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.response import SearchResponse

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RECORDS = [
    {"id": "drift", "title": "Drift of the probes", "text": "Every probe drifts by 2 ppm a day. See ERR_SENSOR_STALE."},
    {"id": "cells", "title": "Power", "text": "A lithium cell lasts nine months; the probe sleeps between readings."},
    {
        "id": "code",
        "kind": "code",
        "text": "def read_probe(port): raise StaleError('ERR_SENSOR_STALE')",
        "tags": ["io"],
    },
    {"id": "stale", "title": "Stale", "text": "A stale reading is one that is older than an hour. ERR_SENSOR_LATE"},
    {
        "id": "old",
        "kind": "note",
        "text": "Probe notes from the first winter.",
        "created_at": NOW - timedelta(days=900),
    },
    {"id": "new", "kind": "note", "text": "Probe notes from the last winter.", "created_at": NOW - timedelta(days=1)},
    {"id": "agent", "namespace": "agent:log", "text": "The probe agent wrote this line."},
]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("filled") / ".memo", embedder=embedder) as memo:
        memo.add(RECORDS)
        yield memo


def ask(memo: Memo, text: str, **options: object) -> SearchResponse:
    return memo.search(text, now=NOW, **options)  # type: ignore[arg-type]


def ids(response: SearchResponse) -> list[str]:
    return [result.passage.uri for result in response]


def test_contributions_sum_to_the_fused_score_and_weights_lead_to_the_final_one(filled: Memo) -> None:
    for result in ask(filled, "probe notes ERR_SENSOR_STALE"):
        why = result.why
        assert why is not None
        assert pytest.approx(sum(vote.contribution for vote in why.arms), abs=1e-9) == why.fused
        factor = 1.0
        for weight in why.weights:
            factor *= weight.factor
        assert pytest.approx(why.fused * factor, abs=1e-9) == why.final == result.score


def test_the_exact_arm_runs_only_for_identifiers(filled: Memo) -> None:
    without, with_one = ask(filled, "stale reading").trace, ask(filled, "ERR_SENSOR_STALE").trace
    assert (False, True) == tuple(
        next(arm.ran for arm in trace.arms if arm.arm == "exact") for trace in (without, with_one)
    )


def test_an_identifier_finds_itself_and_not_its_neighbour(filled: Memo) -> None:
    assert {"drift", "code"} == set(ids(ask(filled, "ERR_SENSOR_STALE", mode="exact")))


def test_mode_exact_takes_plain_words_literally(filled: Memo) -> None:
    assert ["code"] == ids(ask(filled, "read_probe", mode="exact"))
    assert [] == ids(ask(filled, "probing", mode="exact"))


@pytest.mark.parametrize(
    ("mode", "effective"),
    [("auto", "hybrid"), ("keyword", "keyword_only"), ("semantic", "semantic_only"), ("exact", "exact")],
)
def test_the_effective_mode_says_what_ran(filled: Memo, mode: str, effective: str) -> None:
    assert effective == ask(filled, "probe", mode=mode).mode_effective


@pytest.mark.parametrize("mode", ["auto", "keyword", "semantic", "exact"])
def test_an_exclusion_holds_in_every_mode(filled: Memo, mode: str) -> None:
    assert "cells" not in ids(ask(filled, "probe -lithium", mode=mode))


@pytest.mark.parametrize("mode", ["auto", "keyword", "semantic"])
def test_a_phrase_holds_in_every_mode(filled: Memo, mode: str) -> None:
    assert ["cells"] == ids(ask(filled, '"lithium cell" probe', mode=mode))


def test_a_field_in_the_query_is_a_filter(filled: Memo) -> None:
    assert ["code"] == ids(ask(filled, "probe kind:code"))


def test_a_keyword_scope_and_a_typed_one_must_both_hold(filled: Memo) -> None:
    with pytest.raises(QueryError, match="Keep one"):
        ask(filled, "probe kind:code", kind="note")


def test_system_namespaces_are_hidden_until_they_are_named(filled: Memo) -> None:
    assert "agent" not in ids(ask(filled, "agent wrote"))
    assert ["agent"] == ids(ask(filled, "agent wrote", namespace="agent:log"))


def test_the_newer_of_two_notes_stands_first(filled: Memo) -> None:
    found = ids(ask(filled, "winter notes", kind="note"))
    assert ["new", "old"] == found


def test_a_filter_alone_lists_the_newest_first(filled: Memo) -> None:
    response = ask(filled, "kind:note")
    assert (["new", "old"], "none", "filter_only") == (
        ids(response),
        response.score_scale,
        response.mode_effective,
    )


def test_an_empty_query_without_a_filter_is_refused(filled: Memo) -> None:
    with pytest.raises(QueryError, match="empty"):
        ask(filled, "  ")


@pytest.mark.parametrize("text", ["C++", "don't", "{x: 1}", "net/http:", '"', "-", "???", "🙂", "a" * 100_000, "\x00"])
def test_odd_text_is_answered(filled: Memo, text: str) -> None:
    assert text == ask(filled, text).query


def test_pages_have_no_gaps_and_no_repeats(filled: Memo) -> None:
    uncut = profile.override(profile.get("default"), **{"cutoff.enabled": False})
    whole = ids(ask(filled, "probe winter reading", limit=6, profile=uncut))
    pages = [ids(ask(filled, "probe winter reading", limit=2, offset=offset, profile=uncut)) for offset in (0, 2, 4)]
    assert whole == [uri for page in pages for uri in page]
    second = ask(filled, "probe winter reading", limit=2, offset=2, profile=uncut)
    assert [3, 4] == [result.rank for result in second]


def test_an_offset_past_the_end_says_so(filled: Memo) -> None:
    response = ask(filled, "probe", offset=90)
    assert response.reason is not None
    assert "fewer than the offset 90" in response.reason


@pytest.mark.parametrize("limit", [0, 101, -1])
def test_a_limit_outside_the_range_is_refused(filled: Memo, limit: int) -> None:
    with pytest.raises(QueryError, match=r"1\.\.100"):
        ask(filled, "probe", limit=limit)


def test_a_token_budget_cuts_the_page_and_says_how_many(filled: Memo) -> None:
    response = ask(filled, "probe", max_tokens=60)
    assert 0 < len(response) < len(ask(filled, "probe"))
    assert response.truncated == response.trace.budget.left_out > 0


def test_an_unknown_word_gives_a_reason_and_a_hint(filled: Memo) -> None:
    response = ask(filled, "zzzz", mode="keyword")
    assert 0 == len(response)
    assert response.reason
    assert response.hint


def test_a_filter_that_leaves_nothing_is_named(filled: Memo) -> None:
    response = ask(filled, "probe", tag="nothing")
    assert response.reason is not None
    assert "tag nothing" in response.reason


def test_the_trace_counts_what_each_filter_left(filled: Memo) -> None:
    left = [entry.left for entry in ask(filled, "probe", kind="note").trace.filters]
    assert left == sorted(left, reverse=True)
    assert (7, 2) == (left[0], left[-1])


def test_every_stage_hands_on_what_the_next_one_takes(filled: Memo) -> None:
    stages = [stage for stage in ask(filled, "probe").trace.stages if stage.stage not in ("plan", "fusion")]
    assert [stage.after for stage in stages[:-1]] == [stage.before for stage in stages[1:]]


def test_the_same_query_gives_the_same_list(filled: Memo) -> None:
    assert ask(filled, "probe reading winter").results == ask(filled, "probe reading winter").results


def test_without_explain_there_is_no_why_and_the_same_list(filled: Memo) -> None:
    bare = ask(filled, "probe", explain=False)
    assert {None} == {result.why for result in bare}
    assert ids(ask(filled, "probe")) == ids(bare)


def test_keyword_only_runs_no_other_arm(filled: Memo) -> None:
    ran = [arm.arm for arm in ask(filled, "probe", profile="keyword-only").trace.arms if arm.ran]
    assert ["keyword"] == ran


def test_an_unknown_profile_is_refused(filled: Memo) -> None:
    with pytest.raises(ProfileError, match="Did you mean recency"):
        ask(filled, "probe", profile="recencey")


def test_minmax_names_its_scale(filled: Memo) -> None:
    assert "minmax" == ask(filled, "probe", profile="minmax").score_scale


def test_narrow_hint_is_true_when_followed(tmp_path: Path, embedder: Embedder) -> None:
    with Memo.open(tmp_path, embedder=embedder) as memo:
        memo.add([{"id": str(n), "text": f"probe {n}", "kind": "code" if n < 7 else "paper"} for n in range(14)])
        chosen = profile.override(profile.get("default"), **{"abstain.enabled": False})
        response = memo.search("probe", limit=5, profile=chosen)
        hint = response.narrow_hint
        assert hint is not None
        assert hint.leaves == memo.search(f"probe {hint.field}:{hint.value}", limit=5, profile=chosen).total


def test_a_passage_that_expired_is_not_found(tmp_path: Path, embedder: Embedder) -> None:
    with Memo.open(tmp_path, embedder=embedder) as memo:
        memo.add([{"id": "a", "text": "probe", "expires_at": NOW}])
        assert ["a"] == ids(memo.search("probe", now=NOW - timedelta(seconds=1)))
        assert [] == ids(memo.search("probe", now=NOW + timedelta(seconds=1)))


def test_as_of_shows_what_stood_there_then(tmp_path: Path, embedder: Embedder) -> None:
    with Memo.open(tmp_path, embedder=embedder) as memo:
        memo.add([{"id": "a", "text": "the gate opens at dawn"}])
        then = datetime.now(UTC)
        memo.add([{"id": "a", "text": "the gate closes at dusk"}])
        assert ["the gate opens at dawn"] == [each.passage.text for each in memo.search("gate", as_of=then)]
