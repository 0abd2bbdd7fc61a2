"""Evidence fusion against its formula, the numbers written out."""

from __future__ import annotations

import math

import pytest

from jupyter_memo.profile import Fusion
from jupyter_memo.ranking import evidence
from jupyter_memo.ranking.evidence import Measured, Statistics
from jupyter_memo.response import ArmHit
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.terms import QueryTerms, query_terms

FUSION = Fusion(method="evidence")
ASKED = QueryTerms(words=(("s:flow", 1), ("s:lose", 1)), pairs=(("flow", "lose"),))
COUNTED = Statistics(passages=10, mean_length=20.0, frequencies={"s:flow": 2, "s:lose": 5})
IDF_FLOW, IDF_LOSE = math.log(1 + 8.5 / 2.5), math.log(1 + 5.5 / 5.5)
MASS = IDF_FLOW + IDF_LOSE


def measured(id: str, cosine: float | None = None, *, code: bool = False, **counts: int) -> Measured:
    return Measured(
        id=id,
        cosine=cosine,
        terms={f"s:{term}": count for term, count in counts.items()},
        pairs={},
        length=20,
        code=code,
    )


def fused(*candidates: Measured, keyword: tuple[str, ...] = (), semantic: tuple[str, ...] | None = ()):
    lists = {"keyword": tuple(ArmHit(arm="keyword", id=id, rank=n, raw=1.0) for n, id in enumerate(keyword, 1))}
    if semantic is not None:
        lists["semantic"] = tuple(ArmHit(arm="semantic", id=id, rank=n, raw=0.5) for n, id in enumerate(semantic, 1))
    return evidence.fuse(
        lists,
        {each.id: each for each in candidates},
        ASKED,
        COUNTED,
        FUSION,
        known_script=True,  # type: ignore[arg-type]
    )


def test_the_mass_is_the_sum_of_the_idf_of_the_query() -> None:
    assert pytest.approx(1.4816045 + 0.6931472) == evidence.mass(ASKED, COUNTED)


def test_a_term_that_stands_nowhere_weighs_most() -> None:
    assert pytest.approx(math.log(1 + 10.5 / 0.5)) == COUNTED.idf("s:unseen")


def test_the_share_is_saturated_tf_times_idf_over_the_mass() -> None:
    found = evidence.share(measured("a", flow=1, lose=3), ASKED, COUNTED, total=MASS, pair_weight=0)
    # length = mean: tf / (tf + 1.2)
    assert pytest.approx((IDF_FLOW / 2.2 + IDF_LOSE * 3 / 4.2) / MASS) == found.words


def test_a_pair_earns_its_weight_by_the_rarer_word() -> None:
    plain = measured("a", flow=1, lose=1)
    paired = Measured(id="a", cosine=None, terms=plain.terms, pairs={("flow", "lose"): 1}, length=20)
    gain = [evidence.share(each, ASKED, COUNTED, total=MASS, pair_weight=0.2).words for each in (plain, paired)]
    assert pytest.approx(0.2 * IDF_FLOW / 2.2 / MASS) == gain[1] - gain[0]


def test_cosine_and_share_count_half_each() -> None:
    (one,) = fused(measured("a", 0.6, flow=1), keyword=("a",), semantic=("a",))
    share = round(IDF_FLOW / 2.2 / MASS, 5)
    assert pytest.approx(0.5 * 0.6 + 0.5 * share) == one.fused


def test_code_leans_on_meaning_without_gaining_by_it() -> None:
    (one,) = fused(measured("a", 0.6, code=True, flow=1), keyword=("a",), semantic=("a",))
    assert [pytest.approx(0.5 * 0.4 / 0.6), 0.5] == [vote.weight for vote in one.votes]


def test_what_an_arm_that_did_not_run_looks_for_is_not_held_against_a_passage() -> None:
    asked = QueryTerms(words=(("s:flow", 1),), identifiers=("i:flow_loss",))
    found = evidence.fuse(
        {"exact": (ArmHit(arm="exact", id="a", rank=1, raw=1.0),)},
        {"a": Measured(id="a", cosine=None, terms={"i:flow_loss": 1}, pairs={}, length=20)},
        asked,
        COUNTED,
        FUSION,
        known_script=True,
    )
    assert pytest.approx(1 / 2.2, abs=1e-5) == found[0].fused


def test_an_unknown_script_leans_on_words() -> None:
    found = evidence.fuse(
        {"keyword": (ArmHit(arm="keyword", id="a", rank=1, raw=1),), "semantic": ()},
        {"a": measured("a", 0.6, flow=1)},
        ASKED,
        COUNTED,
        FUSION,
        known_script=False,
    )
    assert [0.85, 0.15] == [vote.weight for vote in found[0].votes]


def test_without_the_semantic_arm_the_words_have_the_whole_weight() -> None:
    (one,) = fused(measured("a", flow=1), keyword=("a",), semantic=None)
    assert [("keyword", 1.0)] == [(vote.arm, vote.weight) for vote in one.votes]


def test_a_passage_without_a_vector_is_judged_by_its_words() -> None:
    (one,) = fused(measured("a", None, flow=1), keyword=("a",), semantic=())
    assert [("keyword", 1.0)] == [(vote.arm, vote.weight) for vote in one.votes]


def test_a_negative_cosine_takes_nothing_away() -> None:
    (one,) = fused(measured("a", -0.4, flow=1), keyword=("a",), semantic=("a",))
    assert 0.0 == one.votes[-1].contribution


def test_a_cosine_that_was_only_fetched_has_no_rank() -> None:
    (one,) = fused(measured("a", 0.3, flow=1), keyword=("a",), semantic=())
    assert [("keyword", 1), ("semantic", None)] == [(vote.arm, vote.rank) for vote in one.votes]


def test_contributions_sum_to_the_fused_score() -> None:
    for each in fused(measured("a", 0.61, flow=2), measured("b", 0.2, lose=1), keyword=("a", "b"), semantic=("a",)):
        assert pytest.approx(sum(vote.contribution for vote in each.votes), abs=1e-9) == each.fused


def test_the_parts_of_a_joined_name_count_as_words_of_the_query() -> None:
    asked = query_terms(QueryPlan(text="getHTTPResponse", words="getHTTPResponse", identifiers=("getHTTPResponse",)))
    assert ["s:gethttprespons", "s:get", "s:http", "s:respons"] == [term for term, _ in asked.words]
    assert ("i:getHTTPResponse",) == asked.identifiers


def test_characters_and_bigrams_are_terms_of_their_own() -> None:
    asked = query_terms(QueryPlan(text="分析", words="分析"))
    assert ["c:分", "c:分析", "c:析"] == [term for term, _ in asked.words]


def test_question_words_are_no_terms() -> None:
    asked = query_terms(QueryPlan(text="x", words="how does the pump fail"))
    assert (("s:the", 1), ("s:pump", 1), ("s:fail", 1)) == asked.words


def test_question_words_count_where_a_profile_says_so() -> None:
    asked = query_terms(QueryPlan(text="x", words="how does it fail"), question_words=True)
    assert (("s:how", 1), ("s:doe", 1), ("s:it", 1), ("s:fail", 1)) == asked.words


def test_a_query_of_question_words_alone_keeps_them() -> None:
    assert (("s:who", 1), ("s:is", 1)) == query_terms(QueryPlan(text="x", words="who is")).words


def test_a_question_word_in_capitals_is_a_name() -> None:
    assert (("s:who", 1), ("s:guidelin", 1)) == query_terms(QueryPlan(text="x", words="WHO guideline")).words


def test_the_content_of_a_query_has_no_function_words() -> None:
    assert ("s:pump", "s:fail") == query_terms(QueryPlan(text="x", words="how does the pump fail")).content


@pytest.mark.parametrize(("counts", "whole"), [({"flow": 1, "lose": 2}, True), ({"flow": 3}, False)])
def test_a_candidate_is_whole_when_it_holds_every_content_word(counts: dict[str, int], whole: bool) -> None:
    asked = QueryTerms(words=ASKED.words, content=("s:flow", "s:lose"))
    lists = {"keyword": (ArmHit(arm="keyword", id="a", rank=1, raw=1.0),)}
    found = evidence.fuse(lists, {"a": measured("a", **counts)}, asked, COUNTED, FUSION, known_script=True)
    assert whole == found[0].whole
