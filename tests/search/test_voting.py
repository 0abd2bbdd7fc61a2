"""Several wordings of one question vote: the mean of their scores, with the exclusions and fields of all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.query import QUERIES_MAX
from jupyter_memo.response import SearchResponse

TEXTS = {
    "soup": "Soup of tomatoes and basil",
    "salad": "Salad of tomatoes and cucumber",
    "stew": "Stew of beans and carrots",
    "tools": "A hammer and a saw in the shed",
}
QUERIES = ("soup", "tomatoes", "basil garden")
PLAIN = profiles.override(profiles.get("default"), **{"abstain.enabled": False, "cutoff.enabled": False})


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("voting"), embedder=embedder) as memo:
        memo.add([{"id": id, "text": text, "kind": "data" if id == "stew" else "note"} for id, text in TEXTS.items()])
        yield memo


def fused(response: SearchResponse) -> dict[str, float]:
    return {each.passage.uri: each.why.fused for each in response if each.why}


def ids(response: SearchResponse) -> list[str]:
    return [each.passage.uri for each in response]


def test_a_score_is_the_mean_of_the_scores_under_the_queries(filled: Memo) -> None:
    alone = [fused(filled.search(query, profile=PLAIN)) for query in QUERIES]
    for id, score in fused(filled.search(QUERIES[0], queries=QUERIES[1:], profile=PLAIN)).items():
        assert pytest.approx(sum(each.get(id, 0.0) for each in alone) / len(QUERIES), abs=2e-5) == score


@pytest.mark.parametrize("profile", [PLAIN, "rrf"])
def test_contributions_sum_to_the_fused_score(filled: Memo, profile: profiles.Profile | str) -> None:
    for result in filled.search(QUERIES[0], queries=QUERIES[1:], profile=profile):
        assert result.why is not None
        assert pytest.approx(sum(vote.contribution for vote in result.why.arms), abs=1e-9) == result.why.fused


def test_weight_times_raw_is_the_contribution(filled: Memo) -> None:
    for result in filled.search(QUERIES[0], queries=QUERIES[1:], profile=PLAIN):
        for vote in result.why.arms if result.why else ():
            assert pytest.approx(vote.contribution, abs=1e-6) == vote.weight * vote.raw or vote.raw <= 0


def test_rank_fusion_shows_the_rank_and_weight_that_give_the_contribution(filled: Memo) -> None:
    for result in filled.search(QUERIES[0], queries=QUERIES[1:], profile="rrf"):
        for vote in result.why.arms if result.why else ():
            assert vote.rank is not None
            assert pytest.approx(vote.contribution) == vote.weight / (60 + vote.rank)


def test_the_same_question_twice_is_that_question(filled: Memo) -> None:
    once, twice = (
        filled.search("tomatoes", profile=PLAIN),
        filled.search("tomatoes", queries=["tomatoes "], profile=PLAIN),
    )
    assert ids(once) == ids(twice)
    assert pytest.approx([each.score for each in once]) == [each.score for each in twice]


def test_another_wording_finds_what_the_first_does_not_name(filled: Memo) -> None:
    assert "stew" in ids(filled.search("soup", queries=["beans"], mode="keyword", profile=PLAIN))


def test_what_one_query_excludes_is_in_no_result(filled: Memo) -> None:
    assert "soup" not in ids(filled.search("tomatoes", queries=["salad -basil"], profile=PLAIN))


def test_a_field_of_one_query_holds_for_all(filled: Memo) -> None:
    assert ["stew"] == ids(filled.search("soup", queries=["beans kind:data"], profile=PLAIN))


def test_a_phrase_binds_the_vote_of_its_query_alone(filled: Memo) -> None:
    found = ids(
        filled.search('"tomatoes and basil"', queries=['"tomatoes and cucumber"'], mode="keyword", profile=PLAIN)
    )
    assert {"soup", "salad"} == set(found)


def test_an_empty_text_leaves_the_vote_to_the_others(filled: Memo) -> None:
    assert "soup" == ids(filled.search("", queries=["soup"]))[0]


def test_the_response_tells_the_query_and_the_other_wordings(filled: Memo) -> None:
    response = filled.search("soup", queries=["basil", " "])
    assert ("soup", ("basil",)) == (response.query, response.queries)
    assert "looked for soup; and looked for basil" == response.trace.plan


def test_words_of_every_wording_are_marked(filled: Memo) -> None:
    first = filled.search("soup", queries=["basil"]).results[0]
    assert {"Soup", "basil"} == {first.snippet[start:end] for start, end in first.marks}


@pytest.mark.parametrize("queries", ["soup", 3, [3], [str(number) for number in range(QUERIES_MAX + 1)]])
def test_what_is_no_list_of_a_few_texts_is_an_error(filled: Memo, queries: object) -> None:
    with pytest.raises(QueryError, match="queries"):
        filled.search("soup", queries=queries)  # type: ignore[arg-type]


def test_an_explanation_asks_all_wordings_again(filled: Memo) -> None:
    response = filled.search("soup", queries=["tomatoes"], profile=PLAIN)
    assert filled.explain(response, 2, profile=PLAIN).same


def test_the_wordings_are_part_of_the_hash(filled: Memo) -> None:
    one, other = (filled.search("soup", queries=queries, kind="data") for queries in ([], ["soup broth"]))
    assert one.hash != other.hash
