"""Abstention on real questions under the default model: SQuAD 2 with the articles of the absent questions taken out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import sets
from jupyter_memo.evaluate.sets import EvaluationSet

pytestmark = pytest.mark.model

QUESTIONS = 200
ANSWERED_MOST, REFUSED_MOST = 0.10, 0.08


@pytest.fixture(scope="module")
def squad(shared_data: Path) -> EvaluationSet:
    return sets.read(shared_data / "squad2_absent")[0]


@pytest.fixture(scope="module")
def store(squad: EvaluationSet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("squad") / ".memo"
    with Memo.open(path, embedder="minilm") as memo:
        memo.add(list(squad.records()))
    return path


@pytest.fixture
def memo(store: Path) -> Iterator[Memo]:
    with Memo.open(store, embedder="minilm", read_only=True) as opened:
        yield opened


@pytest.fixture
def wordly(store: Path) -> Iterator[Memo]:
    """The same store while no model is there."""
    with Memo.open(store, embedder="none", read_only=True) as opened:
        yield opened


def empty(memo: Memo, squad: EvaluationSet, answer: str) -> float:
    """The share of the questions of a class that find nothing."""
    asked = [each for each in squad.questions if each.answer == answer][:QUESTIONS]
    return sum(not memo.search(each.text, explain=False) for each in asked) / len(asked)


def test_few_absent_questions_are_answered(memo: Memo, squad: EvaluationSet) -> None:
    assert empty(memo, squad, "absent") >= 1 - ANSWERED_MOST


def test_few_answerable_questions_are_refused(memo: Memo, squad: EvaluationSet) -> None:
    assert empty(memo, squad, "yes") <= REFUSED_MOST


def test_answerable_questions_keep_their_answers_without_the_model(wordly: Memo, squad: EvaluationSet) -> None:
    assert empty(wordly, squad, "yes") <= REFUSED_MOST


def test_most_absent_questions_are_refused_without_the_model(wordly: Memo, squad: EvaluationSet) -> None:
    assert empty(wordly, squad, "absent") >= 0.6
