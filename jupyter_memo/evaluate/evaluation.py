"""What an evaluation found: figures, differences with their intervals, abstention, and the hashes they belong to."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from jupyter_memo.errors import MissingExtraError, QueryError
from jupyter_memo.evaluate.measures import MAIN, MEASURES, PerQuestion, mean

if TYPE_CHECKING:
    import pandas as pd

Table = Literal["reference", "ranking", "shipped"]
"""`reference`: bm25, dense and rrf outside the engine. `ranking`: the engine with abstention, cutoff and ageing off.
`shipped`: the engine's own page, as a user sees it."""

MEAN = "mean"
"""The name of the line over all sets: each set counts alike."""

BETTER = "better arm"
"""What the second difference is to: the better one of bm25 and dense on the set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The figures of one run over one set: (measure, mean) in the order of MEASURES; `ms` the time a question.

    `questions` keeps the values by measure and question. `malformed` counts questions whose text cannot be asked,
    `degraded` answers that lacked an arm.
    """

    set: str
    run: str
    table: Table
    count: int
    values: tuple[tuple[str, float], ...]
    questions: PerQuestion = field(default_factory=dict, repr=False)
    malformed: int = 0
    degraded: int = 0
    ms: float = 0.0

    def value(self, measure: str = MAIN) -> float:
        return dict(self.values)[measure]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How much further a profile's nDCG@10 (ranking) is than another run's, with its 95 % interval.

    `against` is reference or better arm, `arm` the run that this is here (reference, bm25, dense; empty over all sets).
    """

    set: str
    run: str
    against: str
    arm: str
    mean: float
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """Questions with an answer against those of one class without (`against`; empty when the set has none).

    `auc`: the area under the ROC curve of the first result's score, abstention off; NaN without such questions.
    `false_answers`: the share of the class that got results as shipped, `false_refusals` the share of the answerable
    that got none; NaN when the shipped run was left out.
    """

    set: str
    run: str
    against: str
    answerable: int
    unanswerable: int
    auc: float
    false_answers: float
    false_refusals: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the sets of the other families choose of a sweep, on the sets of the one that was left out.

    `run` is the variant with the best mean nDCG@10 over the others, `value` its figure here; `base` that of the
    unchanged profile here, `best` that of the variant that would have been best here.
    """

    left_out: str
    sets: tuple[str, ...]
    run: str
    value: float
    base: float
    best: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One set as it was evaluated: sizes and the SHA-256 of its three files, unpacked.

    `meta` is what its questions say of themselves, `weights` what each judged question counts; they sum to 1.
    """

    name: str
    documents: int
    questions: int
    judged: int
    corpus_sha256: str
    queries_sha256: str
    qrels_sha256: str
    meta: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    weights: Mapping[str, float] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The plain mean of a measure over the questions of a set that have one thing in common."""

    set: str
    part: str
    run: str
    count: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything one evaluation found. It shows itself as tables; `to_pandas` has every figure, one a row.

    `choices` are those of a sweep. `profiles` are (name, hash as shipped, hash with abstention, cutoff and ageing off);
    `notes` what a reader of the figures should know.
    """

    subjects: tuple[Subject, ...]
    measured: tuple[Measured, ...]
    differences: tuple[Difference, ...]
    abstentions: tuple[Abstention, ...]
    choices: tuple[Choice, ...]
    profiles: tuple[tuple[str, str, str], ...]
    model: str
    model_sha256: str
    notes: tuple[str, ...] = ()

    def value(self, set: str, run: str, measure: str = MAIN, *, table: Table | None = None) -> float:  # noqa: A002
        """One figure; without a table that of the reference or of the ranking run. Raises QueryError."""
        for line in self.measured:
            if (line.set, line.run) == (set, run) and line.table in ((table,) if table else ("reference", "ranking")):
                return line.value(measure)
        raise QueryError(f"nothing was measured of {run} on {set}")

    def by(self, key: str, measure: str = MAIN) -> tuple[Part, ...]:
        """The reference's and the ranking's figures apart for each value of the questions' own `meta[key]`."""
        meta = {subject.name: subject.meta for subject in self.subjects}
        parts = []
        for line in self.measured:
            found: dict[str, list[float]] = {}
            for question, value in line.questions.get(measure, {}).items():
                told = meta[line.set].get(question, {})
                if key in told and line.table != "shipped":
                    found.setdefault(str(told[key]), []).append(value)
            parts += [
                Part(set=line.set, part=part, run=line.run, count=len(values), value=sum(values) / len(values))
                for part, values in sorted(found.items())
            ]
        return tuple(parts)

    def to_pandas(self) -> pd.DataFrame:
        """One row a set, run and table, one column a measure. Raises MissingExtraError without pandas."""
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("pandas", "pandas") from error
        rows = [
            {"set": line.set, "run": line.run, "table": line.table, "questions": line.count, **dict(line.values)}
            for line in self.measured
        ]
        return pd.DataFrame(rows, columns=["set", "run", "table", "questions", *MEASURES])

    def to_json(self) -> str:
        """All of it as JSON text, without the values of single questions; NaN becomes null."""
        light = dataclasses.replace(
            self,
            measured=tuple(dataclasses.replace(line, questions={}) for line in self.measured),
            subjects=tuple(dataclasses.replace(subject, meta={}, weights={}) for subject in self.subjects),
        )
        whole = dataclasses.asdict(light)
        for line in whole["measured"]:
            del line["questions"]
            line["values"] = dict(line["values"])
        for subject in whole["subjects"]:
            del subject["meta"], subject["weights"]
        return json.dumps(_finite(whole), indent=1)

    def __str__(self) -> str:
        from jupyter_memo.evaluate import showing

        return showing.plain(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.evaluate import showing

        return {"text/html": showing.html(self), "text/plain": showing.plain(self)}


def line(
    subject: Subject,
    run: str,
    table: Table,
    questions: PerQuestion,
    *,
    malformed: int = 0,
    degraded: int = 0,
    ms: float = 0.0,
) -> Measured:
    """The means of a run's values over one set, weighted as the set says."""
    return Measured(
        set=subject.name,
        run=run,
        table=table,
        count=subject.judged,
        values=tuple((name, mean(values, subject.weights)) for name, values in questions.items()),
        questions=questions,
        malformed=malformed,
        degraded=degraded,
        ms=ms,
    )


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and value != value else value
