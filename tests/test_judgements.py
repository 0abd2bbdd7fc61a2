"""Judgements: kept at once, the last one counts, and an evaluation may use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError, StoreError
from jupyter_memo.response import SearchResponse

TEXTS = (
    {"id": "pumps", "text": "The pump of the lower basin fails when the intake is clogged with leaves."},
    {"id": "probes", "text": "Turbidity probes drift by two units a month; clean the wiper."},
    {"id": "weirs", "text": "The weir overflows after a storm of thirty millimetres."},
)


@pytest.fixture
def filled(memo: Memo) -> Memo:
    memo.add(TEXTS)
    return memo


@pytest.fixture
def found(filled: Memo) -> SearchResponse:
    return filled.search("why do the probes drift")


def test_a_judgement_names_query_passage_grade_user_index_and_response(
    filled: Memo, found: SearchResponse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "ada")
    kept = filled.judge(found, 1, 3)
    first = found.results[0].passage
    assert (found.query, first.id, first.uri, 3, "ada") == (kept.query, kept.id, kept.uri, kept.grade, kept.user)
    assert (found.trace.index_version, found.hash) == (kept.index_version, kept.response)
    assert (kept,) == filled.judgements()


def test_a_judgement_is_there_for_another_process_when_the_call_returns(
    filled: Memo, found: SearchResponse, tmp_path: Path
) -> None:
    filled.judge(found.query, found.results[0].passage.id, 2)
    with Memo.open(tmp_path / ".memo", embedder="none", read_only=True) as other:
        assert filled.judgements() == other.judgements()


def test_the_last_judgement_of_a_query_and_a_passage_counts_and_the_first_is_kept(
    filled: Memo, found: SearchResponse
) -> None:
    first = filled.judge(found, 1, 0)
    other = filled.judge(found, 2, 1)
    last = filled.judge("why  do the probes drift ", found.results[0], 3)
    assert (other, last) == filled.judgements()
    assert (first, other, last) == filled.judgements(history=True)


def test_nothing_is_judged_in_a_new_store(memo: Memo) -> None:
    assert () == memo.judgements()


@pytest.mark.parametrize("grade", [4, -1, 1.5, True, "good"])
def test_a_grade_is_a_whole_number_from_0_to_3(grade: object, filled: Memo, found: SearchResponse) -> None:
    with pytest.raises(QueryError, match="grade"):
        filled.judge(found, 1, grade)  # type: ignore[arg-type]
    assert () == filled.judgements()


def test_an_unknown_passage_and_an_unknown_rank_are_errors_with_a_cure(filled: Memo, found: SearchResponse) -> None:
    with pytest.raises(QueryError, match=r"result\.passage\.id"):
        filled.judge("probes", "no such id", 1)
    with pytest.raises(QueryError, match="ranks 1 to"):
        filled.judge(found, 99, 1)
    with pytest.raises(QueryError, match="needs the response"):
        filled.judge("probes", 1, 1)


def test_a_read_only_store_says_that_it_cannot_be_written(filled: Memo, found: SearchResponse, tmp_path: Path) -> None:
    with (
        Memo.open(tmp_path / ".memo", embedder="none", read_only=True) as other,
        pytest.raises(StoreError, match="reading only"),
    ):
        other.judge(found, 1, 3)


def test_judgements_outlive_a_compaction(filled: Memo, found: SearchResponse) -> None:
    kept = filled.judge(found, 1, 3)
    filled.optimize()
    assert (kept,) == filled.judgements()


def test_the_hash_of_a_response_changes_with_what_was_found(filled: Memo, found: SearchResponse) -> None:
    again = filled.search(found.query, now=found.now)
    assert found.hash == again.hash
    assert found.hash != filled.search("the pump fails").hash


def test_an_evaluation_asks_what_was_judged_of_the_store_itself(filled: Memo, found: SearchResponse) -> None:
    filled.judge(found, 1, 3)
    filled.judge("the pump fails", filled.search("the pump fails").results[0], 2)
    filled.judge("nothing of this", found.results[0], 0)
    evaluation = filled.evaluate("judgements", profiles=("default", "keyword-only"))
    assert ["judgements"] == [subject.name for subject in evaluation.subjects]
    assert 2 == evaluation.subjects[0].judged
    assert 1.0 == evaluation.value("judgements", "default")
    assert () == evaluation.differences


def test_an_evaluation_of_nothing_judged_says_what_to_do(filled: Memo) -> None:
    with pytest.raises(QueryError, match=r"memo\.judge"):
        filled.evaluate("judgements")
