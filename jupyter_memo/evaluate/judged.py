"""Judgements of a memo's own users as an evaluation set over its own store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from jupyter_memo.errors import QueryError
from jupyter_memo.evaluate.sets import EvaluationSet, Question
from jupyter_memo.records import Judgement

NAME = "judgements"
"""What `Memo.evaluate` takes for this set; a folder of that name is `./judgements`."""


def judged(judgements: Iterable[Judgement]) -> EvaluationSet:
    """One question a query, asked of the whole index as it stands, with the gain 2^grade - 1 of each judged source (of
    several passages of one source the best). It has no documents of its own, so no reference is measured.

    Queries without a grade above 0 are left out: that their judged results are no answer does not say that there is
    none. What nobody judged counts as no answer, so figures are bounds from below. Raises QueryError when nothing is
    left.
    """
    questions: dict[str, Question] = {}
    gains: dict[str, dict[str, int]] = {}
    lines = []
    for judgement in judgements:
        text = " ".join(judgement.query.split())
        id = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        lines.append(f"{id}\t{judgement.uri}\t{judgement.grade}")
        if judgement.grade > 0:
            questions[id] = Question(id=id, text=text)
            held = gains.setdefault(id, {})
            held[judgement.uri] = max(held.get(judgement.uri, 0), 2**judgement.grade - 1)
    if not questions:
        raise QueryError("nothing has been judged above 0 yet. Judge results first: memo.judge(query, id, 3)")
    asked = sorted(questions.values(), key=lambda question: question.id)
    return EvaluationSet(
        name=NAME,
        documents=(),
        questions=tuple(asked),
        gains=gains,
        queries_sha256=_sum(f"{question.id}\t{question.text}" for question in asked),
        qrels_sha256=_sum(sorted(lines)),
    )


def _sum(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
