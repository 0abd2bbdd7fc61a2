"""Evidence fusion: how much of what the query could earn a passage earns, in words and in meaning.

    share(q, p) = sum over terms of idf × tf / (tf + k1 × (1 - b + b × length / mean length))  /  mass(q)     in [0, 1)
    mass(q)     = sum over terms of idf, a term repeated in the query counted as often
    score(q, p) = w × max(0, cosine) + (1 - w) × (share + pairs)

The share is BM25 (Robertson and Walker 1994, as Lucene has it, without the constant factor k1 + 1) divided by the most
the query could earn: an absolute number, so a weak match of words weighs little of itself, and the best score of a
query says whether there is an answer at all. The additive form is a convex combination of scores (Bruch, Gai and Ingber
2023), with this bound in the place of a list's own maximum.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jupyter_memo.profile import Fusion
from jupyter_memo.ranking import fusion as rank_fusion
from jupyter_memo.ranking.stage import RAW_DIGITS, SCORE_DIGITS, Candidates, order
from jupyter_memo.records import Passage
from jupyter_memo.response import Arm, ArmHit, Candidate, RawKind, Vote
from jupyter_memo.text.terms import STEM, QueryTerms

Counts = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]

K1, B = 1.2, 0.75
"""The constants of BM25 that LanceDB's full-text search uses too, so that the arm and the share order alike."""


FRAGMENT = 0.25
"""What a part of a name counts for beside the name, against 1 for a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts over all live passages, blind to the scope: how many, their mean length in terms, and in how many of them
    each term of the query stands."""

    passages: int
    mean_length: float
    frequencies: Mapping[str, int]

    def idf(self, term: str) -> float:
        """ln(1 + (N - n + .5) / (n + .5)); a term that stands nowhere has n = 0."""
        held = min(self.frequencies.get(term, 0), self.passages)
        return math.log(1 + (self.passages - held + 0.5) / (held + 0.5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The candidates of one query, measured: one row a candidate, in the order of `ids`.

    `cosines` has None where a passage has no vector. `words`, `pairs` and `identifiers` say how often each of those of
    the query stands in it, shape (candidates, words) and so on, their columns in the order of the query; another
    spelling of a word counts for a part of one. `lengths`, in terms, has shape (candidates,). `code` says which are
    code. `passages` go with the candidates to the stages.
    """

    ids: Sequence[str]
    cosines: Sequence[float | None]
    words: Values
    pairs: Counts
    identifiers: Counts
    lengths: Counts
    code: Sequence[bool]
    passages: Sequence[Passage | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """The candidates' parts of what the query could earn, each of shape (candidates,): by words (pairs included) and by
    identifiers."""

    words: Values
    identifiers: Values


def looked_for(asked: QueryTerms, arms: Collection[Arm]) -> QueryTerms:
    """What the arms that ran look for; what the others would have looked for is not held against anybody."""
    spoken, named = "keyword" in arms, "exact" in arms
    return QueryTerms(
        words=asked.words if spoken else (),
        identifiers=asked.identifiers if named else (),
        pairs=asked.pairs if spoken else (),
        content=asked.content if spoken else (),
        variants=asked.variants if spoken else (),
        fragments=asked.fragments if spoken and named else (),
    )


def by_name(asked: QueryTerms, statistics: Statistics) -> QueryTerms:
    """The same terms, with the fragments of a name that stands in the index counted for less: who asks for C++ does not
    ask for C."""
    known = {term for term, name in asked.fragments if statistics.frequencies.get(name, 0) > 0}
    if not known:
        return asked
    words = tuple((term, times * FRAGMENT if term in known else times) for term, times in asked.words)
    return dataclasses.replace(asked, words=words)


def mass(asked: QueryTerms, statistics: Statistics) -> float:
    """The most the query could earn: the sum of its terms' idf."""
    words = sum(count * statistics.idf(term) for term, count in asked.words)
    return words + sum(statistics.idf(term) for term in asked.identifiers)


def shares(
    measured: Measured, asked: QueryTerms, statistics: Statistics, *, total: float, pair_weight: float
) -> Shares:
    """The shares of all candidates; `total` is the query's mass. A pair counts with the rarer of its two words.

    Terms are added in the order of the query, one after the other, so that a candidate's sum is the same to the last
    digit whatever stands beside it.
    """
    words, identifiers = np.zeros(len(measured.ids)), np.zeros(len(measured.ids))
    if total <= 0:
        return Shares(words=words, identifiers=identifiers)
    relative = measured.lengths / statistics.mean_length if statistics.mean_length > 0 else 1.0
    penalty = K1 * (1 - B + B * relative)
    for (term, times), counts in zip(asked.words, measured.words.T, strict=True):
        words += times * (statistics.idf(term) * counts / (counts + penalty))
    for pair, counts in zip(asked.pairs, measured.pairs.T, strict=True):
        rarer = max(statistics.idf(STEM + stem) for stem in pair)
        words += pair_weight * rarer * counts / (counts + penalty)
    for term, counts in zip(asked.identifiers, measured.identifiers.T, strict=True):
        identifiers += statistics.idf(term) * counts / (counts + penalty)
    return Shares(words=words / total, identifiers=identifiers / total)


def fuse(
    lists: Mapping[Arm, Sequence[ArmHit]],
    measured: Measured,
    asked: QueryTerms,
    statistics: Statistics,
    fusion: Fusion,
    *,
    known_script: bool,
    other_script: bool = False,
    words_weight: float = 1.0,
) -> Candidates:
    """The union of the arms' lists, best first. Each vote's contribution is weight × raw, and they sum to `fused`.

    `measured` holds what stands in the lists, by what their arms looked for (`asked`). `known_script` is False when the
    model does not know the script of the query: its cosines then count for little; `other_script` is True when a model
    for other scripts reads it instead. `words_weight` is what of the words' weight stays with them; the rest goes to
    meaning. An arm that did not run gives its weight to the others, and so does a missing vector. `rrf_rank` is where
    rank fusion would put a candidate.
    """
    total = mass(asked, statistics)
    earned = shares(measured, asked, statistics, total=total, pair_weight=fusion.pairs)
    meaning = np.array([cosine or 0.0 for cosine in measured.cosines])
    balance = (
        None if known_script and not other_script else fusion.balance_other if known_script else fusion.balance_script
    )
    by_meaning, by_words = _weights(measured, fusion, balance, "semantic" in lists, total > 0)
    if words_weight < 1 and known_script:
        given_up = np.where(by_meaning > 0, (1 - words_weight) * by_words, 0.0)
        by_meaning, by_words = by_meaning + given_up, by_words - given_up
    columns: tuple[tuple[Arm, RawKind, Values, Values], ...] = (
        ("keyword", "share", by_words, earned.words),
        ("exact", "share", by_words, earned.identifiers),
        ("semantic", "cosine", by_meaning, meaning),
    )
    votes: list[list[Vote]] = [[] for _ in measured.ids]
    fused = np.zeros(len(measured.ids))
    for arm, kind, weights, values in columns:
        if arm in lists:
            raws = np.round(values, RAW_DIGITS)
            parts = weights * np.where(raws > 0, raws, 0.0)
            fused += parts
            ranks = {hit.id: hit.rank for hit in lists[arm]}
            figures = (values.tolist(), raws.tolist(), weights.tolist(), parts.tolist())
            for given, id, value, raw, weight, part in zip(votes, measured.ids, *figures, strict=True):
                if value > 0 or id in ranks:
                    rank = ranks.get(id)
                    given.append(Vote(arm=arm, rank=rank, raw=raw, raw_kind=kind, weight=weight, contribution=part))
    speaking = frozenset(asked.content)
    content = [place for place, (term, _) in enumerate(asked.words) if term in speaking]
    missing = np.count_nonzero(measured.words[:, content] == 0, axis=1).tolist()
    scores = np.round(fused, SCORE_DIGITS).tolist()
    rrf_ranks = rank_fusion.ranks(lists, fusion)
    return order(
        tuple(
            Candidate(
                id=id,
                votes=tuple(votes[row]),
                fused=scores[row],
                score=scores[row],
                relevance=measured.cosines[row],
                passage=measured.passages[row],
                rrf_rank=rrf_ranks.get(id),
                whole=bool(content) and not missing[row],
            )
            for row, id in enumerate(measured.ids)
        )
    )


def _weights(
    measured: Measured, fusion: Fusion, balance: float | None, by_meaning: bool, by_words: bool
) -> tuple[Values, Values]:
    """The weights of meaning and of words for each candidate; `by_meaning` and `by_words` say what was searched.
    `balance` is that of a query in a script of its own, whatever the passage.

    Code keeps the weight of meaning that other passages have and loses weight of words, in the proportion
    `balance_code`: raising its meaning instead would lift code above prose on every query whose words stand nowhere.
    """
    prose = (fusion.balance, 1 - fusion.balance)
    code = (fusion.balance, fusion.balance * (1 - fusion.balance_code) / fusion.balance_code)
    if not by_words:
        prose = code = (1.0, 0.0)
    elif balance is not None:
        prose = code = (balance, 1 - balance)
    given = [
        (0.0, 1.0) if cosine is None or not by_meaning else code if is_code else prose
        for cosine, is_code in zip(measured.cosines, measured.code, strict=True)
    ]
    meaning, words = np.array(given).reshape(-1, 2).T
    return meaning, words
