"""What a ranking stage is: a plain function of candidates and context, with no clock, file, model or table inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
import numpy.typing as npt

from jupyter_memo.profile import ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.response import Arm, Budget, Candidate, Cutoff, Floor, Place, StageTrace
from jupyter_memo.text.plan import QueryPlan

SCORE_DIGITS = 9
"""Scores are rounded to 1e-9 before sorting, so that two languages and two machines agree on ties."""

RAW_DIGITS = 5
"""Raw values are quantised to 1e-5 before fusion: finer differences are noise of float16 vectors and BM25 sums."""


Candidates = tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything a stage may look at besides the candidates. `arms` are those that ran, `others` the plans of further
    wordings of the question, `vectors` those of the candidates, by id, where the search has them. `listed` says how
    many a query that only filters leaves, of which the candidates are the first; None for any other."""

    query: Query
    plan: QueryPlan
    resolved: ResolvedProfile
    now: datetime
    arms: frozenset[Arm] = frozenset()
    others: tuple[QueryPlan, ...] = ()
    vectors: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    listed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a stage has to say of its work: a note for the trace, and what the response needs. `ran` is False when it is
    switched off and let everything pass. `refused` are the best of those that the floor dropped; `hint` is a remark
    for the reader of the list."""

    note: str = ""
    ran: bool = True
    hint: str = ""
    floor: Floor | None = None
    refused: Candidates = ()
    cutoff: Cutoff | None = None
    budget: Budget | None = None
    truncated: int = 0


Stage = Callable[[Candidates, Context], tuple[Candidates, Facts]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """What the stages made: the page, the candidates that stood before cutoff and limit, what each stage did and said.

    `places` holds, by passage id, where those on the page stood after fusion and after each stage that reorders.
    """

    page: Candidates
    kept: Candidates
    traces: tuple[StageTrace, ...]
    facts: tuple[Facts, ...]
    places: Mapping[str, tuple[Place, ...]]


def order(candidates: Candidates) -> Candidates:
    """Best score first; equal scores by passage id, so that the order is total."""
    return tuple(sorted(candidates, key=lambda candidate: (-candidate.score, candidate.id)))
