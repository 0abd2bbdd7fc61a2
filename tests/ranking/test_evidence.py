"""Evidence fusion against its formula, the numbers written out."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from jupyter_memo.profile import Fusion
from jupyter_memo.ranking import evidence
from jupyter_memo.ranking import fusion as rank_fusion
from jupyter_memo.ranking.evidence import Counts, Measured, Statistics
from jupyter_memo.ranking.stage import Candidates
from jupyter_memo.response import ARMS, Arm, ArmHit
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.terms import QueryTerms, query_terms

FUSION = Fusion(method="evidence", balance=0.5)
ASKED = QueryTerms(words=(("s:flow", 1), ("s:lose", 1)), pairs=(("flow", "lose"),))
COUNTED = Statistics(passages=10, mean_length=20.0, frequencies={"s:flow": 2, "s:lose": 5})
IDF_FLOW, IDF_LOSE = math.log(1 + 8.5 / 2.5), math.log(1 + 5.5 / 5.5)
MASS = IDF_FLOW + IDF_LOSE


@dataclass(frozen=True, slots=True, kw_only=True)
class One:
    """One candidate of length 20."""

    id: str
    cosine: float | None
    code: bool
    counts: Mapping[str, int]


def one(id: str, cosine: float | None = None, *, code: bool = False, **counts: int) -> One:
    return One(id=id, cosine=cosine, code=code, counts=counts)


def measured(*candidates: One, asked: QueryTerms = ASKED) -> Measured:
    """What a search measures; a pair `(a, b)` is counted under `a_b`."""

    def counts(names: Sequence[str]) -> Counts:
        table = [[each.counts.get(name, 0) for name in names] for each in candidates]
        return np.array(table, np.int64).reshape(len(candidates), len(names))

    return Measured(
        ids=[each.id for each in candidates],
        cosines=[each.cosine for each in candidates],
        words=counts([term[2:] for term, _ in asked.words]).astype(np.float64),
        pairs=counts(["_".join(pair) for pair in asked.pairs]),
        identifiers=counts([term[2:] for term in asked.identifiers]),
        lengths=np.full(len(candidates), 20),
        code=[each.code for each in candidates],
        passages=[None for _ in candidates],
    )


def shared(*candidates: One, pair_weight: float) -> list[float]:
    held = measured(*candidates)
    return list(evidence.shares(held, ASKED, COUNTED, total=MASS, pair_weight=pair_weight).words)


def hits(arm: Arm, *ids: str) -> tuple[ArmHit, ...]:
    return tuple(ArmHit(arm=arm, id=id, rank=rank, raw=1.0) for rank, id in enumerate(ids, 1))


def fused(
    *candidates: One,
    keyword: tuple[str, ...] = (),
    semantic: tuple[str, ...] | None = (),
    asked: QueryTerms = ASKED,
    known_script: bool = True,
) -> Candidates:
    lists: dict[Arm, tuple[ArmHit, ...]] = {"keyword": hits("keyword", *keyword)}
    if semantic is not None:
        lists["semantic"] = hits("semantic", *semantic)
    held = measured(*candidates, asked=asked)
    return evidence.fuse(lists, held, asked, COUNTED, FUSION, known_script=known_script)


def test_the_mass_is_the_sum_of_the_idf_of_the_query() -> None:
    assert pytest.approx(1.4816045 + 0.6931472) == evidence.mass(ASKED, COUNTED)


def test_a_term_that_stands_nowhere_weighs_most() -> None:
    assert pytest.approx(math.log(1 + 10.5 / 0.5)) == COUNTED.idf("s:unseen")


def test_the_share_is_saturated_tf_times_idf_over_the_mass() -> None:
    (found,) = shared(one("a", flow=1, lose=3), pair_weight=0)
    # length = mean: tf / (tf + 1.2)
    assert pytest.approx((IDF_FLOW / 2.2 + IDF_LOSE * 3 / 4.2) / MASS) == found


def test_a_pair_earns_its_weight_by_the_rarer_word() -> None:
    plain, paired = shared(one("a", flow=1, lose=1), one("b", flow=1, lose=1, flow_lose=1), pair_weight=0.2)
    assert pytest.approx(0.2 * IDF_FLOW / 2.2 / MASS) == paired - plain


def test_a_share_is_the_same_to_the_last_digit_whatever_stands_beside_it() -> None:
    (alone,) = shared(one("a", flow=1, lose=3, flow_lose=1), pair_weight=0.2)
    others = [one(str(number), flow=number, lose=number % 3) for number in range(50)]
    assert alone == shared(*others, one("a", flow=1, lose=3, flow_lose=1), *others, pair_weight=0.2)[50]


def test_cosine_and_share_count_half_each() -> None:
    (found,) = fused(one("a", 0.6, flow=1), keyword=("a",), semantic=("a",))
    share = round(IDF_FLOW / 2.2 / MASS, 5)
    assert pytest.approx(0.5 * 0.6 + 0.5 * share) == found.fused


def test_code_leans_on_meaning_without_gaining_by_it() -> None:
    (found,) = fused(one("a", 0.6, code=True, flow=1), keyword=("a",), semantic=("a",))
    assert [pytest.approx(0.5 * 0.4 / 0.6), 0.5] == [vote.weight for vote in found.votes]


def test_what_an_arm_that_did_not_run_looks_for_is_not_held_against_a_passage() -> None:
    lists: dict[Arm, tuple[ArmHit, ...]] = {"exact": hits("exact", "a")}
    terms = QueryTerms(words=(("s:flow", 1),), identifiers=("i:flow_loss",))
    asked = evidence.looked_for(terms, lists.keys())
    held = measured(one("a", flow_loss=1), asked=asked)
    found = evidence.fuse(lists, held, asked, COUNTED, FUSION, known_script=True)
    assert pytest.approx(1 / 2.2, abs=1e-5) == found[0].fused


def test_an_unknown_script_leans_on_words() -> None:
    (found,) = fused(one("a", 0.6, flow=1), keyword=("a",), known_script=False)
    assert [0.85, 0.15] == [vote.weight for vote in found.votes]


def test_without_the_semantic_arm_the_words_have_the_whole_weight() -> None:
    (found,) = fused(one("a", flow=1), keyword=("a",), semantic=None)
    assert [("keyword", 1.0)] == [(vote.arm, vote.weight) for vote in found.votes]


def test_a_passage_without_a_vector_is_judged_by_its_words() -> None:
    (found,) = fused(one("a", None, flow=1), keyword=("a",), semantic=())
    assert [("keyword", 1.0)] == [(vote.arm, vote.weight) for vote in found.votes]


def test_a_negative_cosine_takes_nothing_away() -> None:
    (found,) = fused(one("a", -0.4, flow=1), keyword=("a",), semantic=("a",))
    assert 0.0 == found.votes[-1].contribution


def test_a_cosine_that_was_only_fetched_has_no_rank() -> None:
    (found,) = fused(one("a", 0.3, flow=1), keyword=("a",), semantic=())
    assert [("keyword", 1), ("semantic", None)] == [(vote.arm, vote.rank) for vote in found.votes]


def test_contributions_sum_to_the_fused_score() -> None:
    for each in fused(one("a", 0.61, flow=2), one("b", 0.2, lose=1), keyword=("a", "b"), semantic=("a",)):
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
    (found,) = fused(one("a", **counts), keyword=("a",), semantic=None, asked=asked)
    assert whole == found.whole


def test_a_candidate_knows_where_rank_fusion_would_put_it() -> None:
    found = fused(one("a", 0.9, flow=1), one("b", 0.1, flow=5, lose=5), keyword=("b", "a"), semantic=("b",))
    assert {"a": 2, "b": 1} == {each.id: each.rrf_rank for each in found}


@pytest.mark.parametrize("seed", range(5))
def test_the_ranks_of_rank_fusion_are_the_order_of_its_candidates(seed: int) -> None:
    draw = random.Random(seed)
    ids = [str(number) for number in range(40)]
    lists = {arm: hits(arm, *draw.sample(ids, draw.randrange(40))) for arm in ARMS[:3]}
    ordered = rank_fusion.fuse(lists, Fusion(method="rrf"))
    assert {each.id: rank for rank, each in enumerate(ordered, 1)} == rank_fusion.ranks(lists, FUSION)


def test_words_may_give_up_a_part_of_their_weight_to_meaning() -> None:
    held = measured(one("a", 0.4, flow=1))
    lists: dict[Arm, tuple[ArmHit, ...]] = {"keyword": hits("keyword", "a"), "semantic": hits("semantic", "a")}
    (found,) = evidence.fuse(lists, held, ASKED, COUNTED, FUSION, known_script=True, words_weight=0.5)
    assert {"keyword": 0.25, "semantic": 0.75} == {vote.arm: vote.weight for vote in found.votes}


def test_words_keep_their_weight_where_there_is_no_meaning() -> None:
    held = measured(one("a", None, flow=1))
    lists: dict[Arm, tuple[ArmHit, ...]] = {"keyword": hits("keyword", "a"), "semantic": hits("semantic")}
    (found,) = evidence.fuse(lists, held, ASKED, COUNTED, FUSION, known_script=True, words_weight=0.5)
    assert [1.0] == [vote.weight for vote in found.votes]


def test_parts_of_a_name_that_stands_in_the_index_count_for_less() -> None:
    asked = query_terms(QueryPlan(text="C++", words="C++", identifiers=("C++",)))
    known = Statistics(passages=10, mean_length=20.0, frequencies={"i:C++": 1, "s:c": 3})
    assert (("s:c", evidence.FRAGMENT),) == evidence.by_name(asked, known).words


def test_parts_of_a_name_that_stands_nowhere_count_as_words() -> None:
    asked = query_terms(QueryPlan(text="C++", words="C++", identifiers=("C++",)))
    unknown = Statistics(passages=10, mean_length=20.0, frequencies={"s:c": 3})
    assert (("s:c", 1),) == evidence.by_name(asked, unknown).words


def test_beside_other_words_the_parts_of_a_dotted_name_are_words() -> None:
    asked = query_terms(QueryPlan(text="", words="join os.path", identifiers=("os.path",)))
    assert () == asked.fragments
