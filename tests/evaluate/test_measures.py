from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from jupyter_memo.errors import MissingExtraError
from jupyter_memo.evaluate import measures
from jupyter_memo.evaluate.sets import Document, EvaluationSet, Question


def evaluated(gains, **more):
    documents = sorted({document for held in gains.values() for document in held})
    return EvaluationSet(
        name="paper",
        documents=tuple(Document(id=id, title="", text=id) for id in documents),
        questions=tuple(Question(id=id, text=id) for id in gains),
        gains=gains,
        **more,
    )


def ranked(*documents):
    return {document: 1 / rank for rank, document in enumerate(documents, 1)}


def test_ndcg_is_the_discounted_gain_over_the_best_there_is():
    figures = measures.per_question({"q": ranked("x", "b", "a")}, evaluated({"q": {"a": 7, "b": 1}}))
    found = 1 / math.log2(3) + 7 / math.log2(4)
    best = 7 / math.log2(2) + 1 / math.log2(3)
    assert pytest.approx(found / best) == figures["nDCG@10"]["q"]


def test_recall_and_mrr_count_from_the_primary_gain_on():
    run = {"q": ranked("minor", "x", "y", "z", "w", "major")}
    figures = measures.per_question(run, evaluated({"q": {"minor": 1, "major": 2}}, primary=2))
    assert 0 == figures["recall@5"]["q"]
    assert 1 == figures["recall@10"]["q"]
    assert pytest.approx(1 / 6) == figures["MRR@10"]["q"]


def test_mrr_looks_at_the_first_ten_only():
    run = {"q": ranked(*(f"x{number}" for number in range(10)), "a")}
    figures = measures.per_question(run, evaluated({"q": {"a": 1}}))
    assert 0 == figures["MRR@10"]["q"]
    assert 1 == figures["recall@100"]["q"]


def test_a_question_with_an_empty_answer_counts_zero():
    figures = measures.per_question({"q": {}}, evaluated({"q": {"a": 1}}))
    assert dict.fromkeys(measures.MEASURES, 0.0) == {name: values["q"] for name, values in figures.items()}


def test_recall_leaves_out_a_question_without_a_primary_document():
    run = {"q": ranked("a"), "r": ranked("b")}
    figures = measures.per_question(run, evaluated({"q": {"a": 2}, "r": {"b": 1}}, primary=2))
    assert {"q"} == figures["recall@10"].keys()
    assert {"q", "r"} == figures["nDCG@10"].keys()


def test_the_mean_is_weighted_over_the_questions_that_have_a_value():
    assert pytest.approx((0.25 * 1 + 0.5 * 0) / 0.75) == measures.mean({"a": 1, "b": 0}, {"a": 0.25, "b": 0.5, "c": 1})


def test_the_same_runs_give_the_same_interval():
    first = {f"q{number}": (number % 7) / 7 for number in range(40)}
    second = {f"q{number}": (number % 5) / 5 for number in range(40)}
    weights = dict.fromkeys(first, 1 / 40)
    once, twice = (measures.interval(measures.draws(first, second, weights)) for _ in range(2))
    assert once == twice
    assert once[0] < np.mean(list(first.values())) - np.mean(list(second.values())) < once[1]


def test_the_interval_is_that_of_the_mean_of_the_differences():
    """Of n differences, half of them 1 and half 0, the mean has a standard error of .5 / sqrt(n)."""
    count = 400
    first = {f"q{number}": float(number % 2) for number in range(count)}
    low, high = measures.interval(measures.draws(first, dict.fromkeys(first, 0.0), dict.fromkeys(first, 1 / count)))
    assert pytest.approx(0.5 - 1.96 * 0.5 / math.sqrt(count), abs=0.005) == low
    assert pytest.approx(0.5 + 1.96 * 0.5 / math.sqrt(count), abs=0.005) == high


def test_questions_are_drawn_in_pairs_so_equal_runs_have_no_interval():
    values = {f"q{number}": number / 10 for number in range(10)}
    assert (0.0, 0.0) == measures.interval(measures.draws(values, values, dict.fromkeys(values, 0.1)))


@pytest.mark.parametrize(
    ("positive", "negative", "area"),
    [([3, 4], [1, 2], 1.0), ([1], [1], 0.5), ([1, 3], [2], 0.5), ([0.9, 0.4, 0.4], [0.4, 0.1], 5 / 6)],
)
def test_auc_is_the_share_of_pairs_in_order_with_ties_half(positive, negative, area):
    assert pytest.approx(area) == measures.auc(positive, negative)


def test_auc_of_nothing_is_not_a_number():
    assert math.isnan(measures.auc([1.0], []))


def test_without_ir_measures_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jupyter_memo\[evaluate\]'"):
        measures.per_question({}, evaluated({"q": {"a": 1}}))
