"""Spellings that the index decides on: found in both directions, the word as typed first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.response import SearchResponse

TEXTS = {
    "vaastu": "Vaastu placement of the mirror",
    "vastu": "Vastu placement of the mirror",
    "colour": "The colour of the cat is black",
    "color": "The color of the cat is black",
    "series": "Prices as timeseries",
    "frame": "A data-frame of prices",
    "typo": "An algorithm to receive prices",
    "name": "The server said ERR_CONN_RESET at noon",
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("spelling"), embedder=embedder) as memo:
        memo.add([{"id": id, "text": text} for id, text in TEXTS.items()])
        yield memo


def ids(response: SearchResponse) -> list[str]:
    return [result.passage.uri for result in response]


@pytest.mark.parametrize("mode", ["auto", "keyword"])
@pytest.mark.parametrize(("typed", "other"), [("vaastu", "vastu"), ("vastu", "vaastu"), ("colour", "color")])
def test_either_spelling_finds_both_with_the_typed_one_first(filled: Memo, mode: str, typed: str, other: str) -> None:
    assert [typed, other] == ids(filled.search(typed, mode=mode))[:2]  # type: ignore[arg-type]


def test_rank_fusion_too_puts_the_typed_spelling_first(filled: Memo) -> None:
    assert ["vastu", "vaastu"] == ids(filled.search("vastu", profile="rrf"))[:2]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("time series", "series"),
        ("time-series", "series"),
        ("dataframe", "frame"),
        ("data frame", "frame"),
        ("algoritm", "typo"),
        ("recieve", "typo"),
        ("err_conn_reset", "name"),
    ],
)
def test_another_way_to_write_it_is_found(filled: Memo, typed: str, found: str) -> None:
    assert found == ids(filled.search(typed, mode="keyword"))[0]


def test_a_name_in_other_letters_is_found_by_the_exact_arm(filled: Memo) -> None:
    (result,) = [each for each in filled.search("err_conn_reset") if each.passage.uri == "name"]
    assert result.why is not None
    assert "exact" in {vote.arm for vote in result.why.arms}


def test_the_reader_is_told_of_a_word_that_stood_in(filled: Memo) -> None:
    response = filled.search("recieve")
    assert ("“recieve” stands nowhere here; “receive” was looked for too.",) == response.hints
    assert "looked for recieve, also receive" == response.trace.plan


def test_the_other_spelling_is_marked_and_counts_as_the_typed_word(filled: Memo) -> None:
    first = next(each for each in filled.search("color") if each.passage.uri == "colour")
    assert first.why is not None
    assert "colour" in {first.snippet[start:end] for start, end in first.marks}
    assert ("color",) == next(vote.matched_terms for vote in first.why.arms if vote.arm == "keyword")


def test_a_known_word_has_no_near_one(filled: Memo) -> None:
    assert "looked for prices" == filled.search("prices").trace.plan


def test_a_name_in_camel_case_is_not_taken_for_two_words(filled: Memo) -> None:
    assert "looked for DataFrames, exactly DataFrames" == filled.search("DataFrames").trace.plan


def test_the_seed_profile_reads_words_as_they_are_typed(filled: Memo) -> None:
    assert "looked for vastu" == filled.search("vastu", profile="memo-mcp").trace.plan
