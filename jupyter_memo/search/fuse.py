"""From the arms' lists and the fetched rows to fused candidates, by the profile's method."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from jupyter_memo.profile import Fusion
from jupyter_memo.ranking import evidence, fusion
from jupyter_memo.ranking.evidence import Statistics
from jupyter_memo.ranking.stage import Candidates
from jupyter_memo.response import Candidate, Vote
from jupyter_memo.search.arms import Found
from jupyter_memo.search.measure import measure
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import Row, judge
from jupyter_memo.text import scripts
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.terms import STEM, QueryTerms, query_terms


async def counted(
    store: Store, plans: Sequence[QueryPlan], constants: Fusion, open_runs: Sequence[str]
) -> Statistics | None:
    """The counts that evidence fusion needs for these plans, in one look-up; None for other methods."""
    if constants.method != "evidence":
        return None
    names = dict.fromkeys(name for plan in plans for name in _terms(plan, constants).names)
    counts = await store.statistics(tuple(names), open_runs)
    frequencies = dict(counts.frequencies)
    for term, others in dict(each for plan in plans for each in _terms(plan, constants).variants).items():
        # A word is as rare as its most frequent spelling: in camelCase the passages of one are those of the other.
        spelt = (min(counts.frequencies.get(STEM + stem, 0) for stem in other) for other in others)
        frequencies[term] = max(frequencies.get(term, 0), *spelt)
    return Statistics(
        passages=counts.passages,
        mean_length=counts.length / counts.passages if counts.passages else 1.0,
        frequencies=frequencies,
    )


def fuse(
    found: Found,
    rows: Mapping[str, Row],
    plan: QueryPlan,
    constants: Fusion,
    statistics: Statistics | None,
    *,
    languages: Sequence[str],
    against: float = 1.0,
) -> Candidates:
    """Candidates with their passages, best first; for a query that only filters, in the order of `rows`.

    `statistics` are those of `counted`; `languages` are those of the model that made the cosines, empty when nobody
    says; `against` is the weight of words where the plan asks for reasons against something.
    """
    if not found.lists:
        return tuple(Candidate(id=id, votes=(), fused=0.0, score=0.0, passage=row.passage) for id, row in rows.items())
    lists = {arm: tuple(hit for hit in hits if hit.id in rows) for arm, hits in found.lists.items()}
    if statistics is not None:
        asked = evidence.by_name(evidence.looked_for(_terms(plan, constants), lists.keys()), statistics)
        written = scripts.scripts(plan.semantic)
        known = scripts.known(written, languages)
        other = bool(written) and found.key is not None and bool(found.key.ways)
        measured = measure(rows, asked, found.vector, found.key)
        weight = against if plan.against else 1.0
        fused = evidence.fuse(
            lists,
            measured,
            asked,
            statistics,
            constants,
            known_script=known,
            other_script=other,
            words_weight=weight,
        )
    else:
        fused = tuple(
            dataclasses.replace(each, passage=rows[each.id].passage) for each in fusion.fuse(lists, constants)
        )
    return _judged(fused, rows, found)


def _judged(candidates: Candidates, rows: Mapping[str, Row], found: Found) -> Candidates:
    """With the model that judged each, where the embedder has several."""
    key, query = found.key, found.vector
    if key is None or not key.ways or query is None:
        return candidates

    def named(vote: Vote, vector: np.ndarray | None) -> Vote:
        by = None if vote.arm != "semantic" or vector is None else judge(vector, query, key)
        return vote if by is None else dataclasses.replace(vote, model=by.key.model)

    return tuple(
        dataclasses.replace(each, votes=tuple(named(vote, rows[each.id].vector) for vote in each.votes))
        for each in candidates
    )


def _terms(plan: QueryPlan, constants: Fusion) -> QueryTerms:
    return query_terms(plan, question_words=constants.question_words)
