"""Runs beside each other: differences with intervals, the line over all sets, and abstention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jupyter_memo.evaluate import baseline, measures
from jupyter_memo.evaluate.asking import Asked
from jupyter_memo.evaluate.evaluation import BETTER, MEAN, Abstention, Difference, Measured, Subject, Table
from jupyter_memo.evaluate.measures import MAIN
from jupyter_memo.evaluate.sets import YES, Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

Draws = Mapping[tuple[str, str], "NDArray[np.float64]"]
"""The bootstrap draws of one set by (profile, reference or better arm)."""


def differences(subject: Subject, lines: Sequence[Measured]) -> tuple[tuple[Difference, ...], Draws]:
    """Of each profile's ranking to the reference, and to the better single arm of it on this set."""
    references = {each.run: each for each in lines if each.table == "reference"}
    if not references:
        return (), {}
    arms = [each for name, each in references.items() if name != baseline.NAME]
    others = ((baseline.NAME, references[baseline.NAME]), (BETTER, max(arms, key=lambda each: each.value())))
    found, drawn = [], {}
    for each in lines:
        if each.table != "ranking":
            continue
        for against, other in others:
            draws = measures.draws(each.questions[MAIN], other.questions[MAIN], subject.weights)
            low, high = measures.interval(draws)
            found.append(
                Difference(
                    set=subject.name,
                    run=each.run,
                    against=against,
                    arm=other.run,
                    mean=each.value() - other.value(),
                    low=low,
                    high=high,
                )
            )
            drawn[each.run, against] = draws
    return tuple(found), drawn


def means(lines: Sequence[Measured]) -> tuple[Measured, ...]:
    """The line over all sets for each run, each set counting alike; none for a single set."""
    grouped: dict[tuple[str, Table], list[Measured]] = {}
    for each in lines:
        grouped.setdefault((each.run, each.table), []).append(each)
    return tuple(
        Measured(
            set=MEAN,
            run=run,
            table=table,
            count=sum(each.count for each in group),
            values=tuple((name, float(np.mean([each.value(name) for each in group]))) for name, _ in group[0].values),
            ms=float(np.mean([each.ms for each in group])),
        )
        for (run, table), group in grouped.items()
        if len(group) > 1
    )


def mean_differences(found: Sequence[Difference], drawn: Sequence[Draws]) -> tuple[Difference, ...]:
    """The differences over all sets, each set counting alike; the questions of each set are drawn apart."""
    if len(drawn) < 2:
        return ()
    made = []
    for run, against in drawn[0]:
        low, high = measures.interval(np.mean([draws[run, against] for draws in drawn], axis=0))
        singles = [each.mean for each in found if (each.run, each.against) == (run, against)]
        mean = float(np.mean(singles))
        made.append(Difference(set=MEAN, run=run, against=against, arm="", mean=mean, low=low, high=high))
    return tuple(made)


def abstentions(
    name: str, profile: str, questions: Sequence[Question], ranking: Asked, page: Asked | None
) -> tuple[Abstention, ...]:
    """The answerable questions against each class of the others; one line without a class where there are none."""
    classes: dict[str, list[str]] = {}
    for question in questions:
        classes.setdefault(question.answer, []).append(question.id)
    answerable = classes.pop(YES, [])

    def share(ids: Sequence[str], *, refused: bool) -> float:
        if page is None or not ids:
            return float("nan")
        return sum((id in page.refused) == refused for id in ids) / len(ids)

    return tuple(
        Abstention(
            set=name,
            run=profile,
            against=label,
            answerable=len(answerable),
            unanswerable=len(ids),
            auc=measures.auc([ranking.confidence[id] for id in answerable], [ranking.confidence[id] for id in ids]),
            false_answers=share(ids, refused=False),
            false_refusals=share(answerable, refused=True),
        )
        for label, ids in (classes or {"": []}).items()
    )
