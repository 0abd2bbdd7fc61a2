"""The floors of abstention, measured on a real store: when, what is kept, and what a search makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_memo import profile
from jupyter_memo.engine import Memo
from jupyter_memo.errors import ProfileError, StoreError
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.response import SearchResponse

SUBJECTS = ("quasar", "lagoon", "enzyme", "glacier", "turbine", "sonata", "neuron", "harbour")
RECORDS = [
    {
        "id": f"{subject}/{number}",
        "title": f"The {subject} in survey {number}",
        "text": f"Survey {number} measured the {subject} with instrument {subject[::-1]} and found phase {number * 7}.",
    }
    for subject in SUBJECTS
    for number in range(6)
]
OFF_TOPIC = "which bakery sells gluten free croissants on sundays"


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("surveyed") / ".memo", embedder=embedder) as memo:
        memo.add(RECORDS)
        yield memo


def test_an_index_run_calibrates(surveyed: Memo) -> None:
    found = surveyed.search("glacier survey").trace.floor
    assert found is not None
    assert (True, False) == (found.calibrated, found.refused)


def test_a_question_from_elsewhere_gets_no_result(surveyed: Memo) -> None:
    assert [] == list(surveyed.search(OFF_TOPIC))


def test_the_reason_names_the_best_evidence_and_the_floor(surveyed: Memo) -> None:
    response = surveyed.search(OFF_TOPIC)
    floor = response.trace.floor
    assert floor is not None
    assert response.reason is not None
    assert f"confidence {floor.best:.3f}, under the floor {floor.least:.3f}" in response.reason


def test_an_empty_list_offers_words_of_the_index(surveyed: Memo) -> None:
    words = surveyed.search(OFF_TOPIC).words_to_try
    assert "survey" in words
    assert "croissants" not in words


def test_an_empty_list_names_the_nearest_misses_and_calls_them_so(surveyed: Memo) -> None:
    response = surveyed.search(OFF_TOPIC)
    assert 3 == len(response.nearest)
    assert sorted((miss.fused for miss in response.nearest), reverse=True) == [miss.fused for miss in response.nearest]
    assert "not results: The " in repr_of(response)


def test_a_list_with_results_names_no_misses(surveyed: Memo) -> None:
    response = surveyed.search("glacier survey")
    assert ((), ()) == (response.nearest, response.words_to_try)


def repr_of(response: SearchResponse) -> str:
    return str(response._repr_mimebundle_()["text/plain"])


def test_the_calibration_of_one_fusion_does_not_hold_for_another(surveyed: Memo) -> None:
    other = profile.override(profile.get("default"), **{"fusion.balance": 0.4})
    found = surveyed.search("glacier survey", profile=other).trace.floor
    assert found is not None
    assert not found.calibrated


def test_rank_fusion_has_no_floor(surveyed: Memo) -> None:
    assert surveyed.search(OFF_TOPIC, profile="rrf").trace.floor is None
    with pytest.raises(ProfileError, match="only evidence has a floor"):
        surveyed.calibrate(profile="rrf")


def test_calibrating_again_gives_the_same_floors(surveyed: Memo) -> None:
    assert surveyed.calibrate() == surveyed.calibrate()


def test_words_alone_have_a_floor_of_their_own_without_a_model(tmp_path: Path) -> None:
    with Memo.open(tmp_path / ".memo", embedder="none") as memo:
        memo.add(RECORDS)
        assert [] == list(memo.search(OFF_TOPIC))
        assert "glacier/3" in {result.passage.uri for result in memo.search("glacier survey 3")}
        kept = memo.calibrate()
    assert kept is not None
    assert kept.words is not None
    assert (None, None) == (kept.hybrid, kept.meaning)


def test_a_small_index_is_not_calibrated(memo: Memo) -> None:
    memo.add(RECORDS[:5])
    assert memo.calibrate(again=False) is None


@pytest.mark.slow
def test_an_index_that_grew_by_a_quarter_is_measured_again(memo: Memo) -> None:
    memo.add(RECORDS[:32])
    first = memo.calibrate(again=False)
    memo.add(RECORDS[32:36])
    assert first == memo.calibrate(again=False)
    memo.add(RECORDS[36:])
    last = memo.calibrate(again=False)
    assert first is not None
    assert last is not None
    assert (32, 48) == (first.passages, last.passages)


@pytest.mark.slow
def test_floors_outlive_the_process_and_are_read_only_readers_too(tmp_path: Path, embedder: Embedder) -> None:
    with Memo.open(tmp_path / ".memo", embedder=embedder) as memo:
        memo.add(RECORDS)
        kept = memo.calibrate(again=False)
    with Memo.open(tmp_path / ".memo", embedder=embedder, read_only=True) as reader:
        assert kept == reader.calibrate(again=False)
        assert [] == list(reader.search(OFF_TOPIC))
        with pytest.raises(StoreError, match="reading only"):
            reader.calibrate()


def test_a_dry_run_does_not_calibrate(memo: Memo) -> None:
    memo.add(RECORDS, dry_run=True)
    assert memo.calibrate(again=False) is None


def test_a_planted_query_ends_its_list_where_its_subject_ends(surveyed: Memo) -> None:
    response = surveyed.search("glacier survey instrument reicalg", limit=20)
    cut = response.trace.cutoff
    assert cut is not None
    assert {"glacier"} == {result.passage.uri.split("/")[0] for result in response}
    assert (6, 6) == (cut.index, len(response))


def test_the_doctor_tells_the_floors(surveyed: Memo) -> None:
    (told,) = (check for check in surveyed.doctor() if check.name == "floor")
    kept = surveyed.calibrate(again=False)
    assert kept is not None
    assert told.ok
    assert f"{kept.hybrid:.3f} for words and meaning" in told.detail
