"""Figures of a run: ranking by ir-measures, intervals by a paired bootstrap, abstention as an area under the ROC curve.

Gains are those of the set; nDCG is Järvelin and Kekäläinen's with a log2 discount. The bootstrap draws questions with
replacement (Efron 1979): 2,000 draws from a fixed seed, so that the same runs give the same interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jupyter_memo.errors import MissingExtraError
from jupyter_memo.evaluate.sets import EvaluationSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

Run = Mapping[str, Mapping[str, float]]
"""Question -> document -> score, higher is better."""

PerQuestion = Mapping[str, Mapping[str, float]]
"""Measure -> question -> value."""

MEASURES = {"nDCG@10": 10, "recall@5": 5, "recall@10": 10, "recall@100": 100, "MRR@10": 10}
"""The measures, each with how deep it looks."""

MAIN = "nDCG@10"

DRAWS = 2000
SEED = 20250101
LOW, HIGH = 2.5, 97.5


def required() -> Any:
    """ir-measures. Raises MissingExtraError without it."""
    try:
        import ir_measures
    except ImportError as error:
        raise MissingExtraError("ir-measures", "evaluate") from error
    return ir_measures


def per_question(run: Run, evaluated: EvaluationSet) -> dict[str, dict[str, float]]:
    """Every measure for every judged question; a question without an answer in the run counts 0.

    Recall and MRR leave out a question none of whose documents is primary. Raises MissingExtraError without
    ir-measures.
    """
    library = required()
    least = evaluated.primary
    recall = library.R(rel=least)
    measures = {
        library.nDCG @ 10: "nDCG@10",
        recall @ 5: "recall@5",
        recall @ 10: "recall@10",
        recall @ 100: "recall@100",
        library.RR(rel=least) @ 10: "MRR@10",
    }
    gains = {question: dict(documents) for question, documents in evaluated.gains.items()}
    counted = {question for question, documents in gains.items() if max(documents.values()) >= least}
    found: dict[str, dict[str, float]] = {name: {} for name in MEASURES}
    answered = {question: dict(run.get(question, {})) for question in gains}
    for metric in library.iter_calc(list(measures), gains, answered):
        name = measures[metric.measure]
        if name == MAIN or metric.query_id in counted:
            found[name][metric.query_id] = float(metric.value)
    for name, values in found.items():
        for question in gains if name == MAIN else counted:
            values.setdefault(question, 0.0)
    return found


def mean(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted mean over the questions that have a value; 0 where none has."""
    total = sum(weights[question] for question in values)
    return sum(weights[question] * value for question, value in values.items()) / total if total else 0.0


def draws(first: Mapping[str, float], second: Mapping[str, float], weights: Mapping[str, float]) -> NDArray[np.float64]:
    """The mean difference first - second in each bootstrap draw of the questions that both have: float64 (DRAWS,)."""
    shared = sorted(first.keys() & second.keys())
    if not shared:
        return np.zeros(DRAWS)
    differences = np.array([first[question] - second[question] for question in shared])
    weight = np.array([weights[question] for question in shared])
    chosen = np.random.default_rng(SEED).integers(0, len(shared), size=(DRAWS, len(shared)))
    drawn: NDArray[np.float64] = (differences * weight)[chosen].sum(axis=1) / weight[chosen].sum(axis=1)
    return drawn


def interval(drawn: NDArray[np.float64]) -> tuple[float, float]:
    """The middle 95 % of the draws."""
    low, high = np.percentile(drawn, (LOW, HIGH))
    return float(low), float(high)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """How often a positive stands above a negative, ties half: the area under the ROC curve (Hanley, McNeil 1982)."""
    if not positive or not negative:
        return float("nan")
    below = np.sort(np.asarray(negative, float))
    values = np.asarray(positive, float)
    won = np.searchsorted(below, values, "left") + np.searchsorted(below, values, "right")
    return float(won.sum() / (2 * len(values) * len(below)))
