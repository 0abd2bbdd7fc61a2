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

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jupyter_memo.profile import Fusion
from jupyter_memo.ranking.stage import RAW_DIGITS, SCORE_DIGITS, Candidates, order
from jupyter_memo.response import Arm, ArmHit, Candidate, RawKind, Vote
from jupyter_memo.text.terms import QueryTerms

K1, B = 1.2, 0.75
"""The constants of BM25 that LanceDB's full-text search uses too, so that the arm and the share order alike."""


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
    """One candidate: its cosine (None: it has no vector), how often each term and pair of the query stands in it, its
    length in terms, and whether it is code."""

    id: str
    cosine: float | None
    terms: Mapping[str, int]
    pairs: Mapping[tuple[str, str], int]
    length: int
    code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A candidate's part of what the query could earn: by words (pairs included) and by identifiers."""

    words: float = 0.0
    identifiers: float = 0.0


def mass(asked: QueryTerms, statistics: Statistics) -> float:
    """The most the query could earn: the sum of its terms' idf."""
    words = sum(count * statistics.idf(term) for term, count in asked.words)
    return words + sum(statistics.idf(term) for term in asked.identifiers)


def share(measured: Measured, asked: QueryTerms, statistics: Statistics, *, total: float, pair_weight: float) -> Share:
    """The candidate's share; `total` is the query's mass. A pair counts with the rarer of its two words."""
    if total <= 0:
        return Share()
    relative = measured.length / statistics.mean_length if statistics.mean_length > 0 else 1.0
    penalty = K1 * (1 - B + B * relative)

    def part(term: str) -> float:
        frequency = measured.terms.get(term, 0)
        return statistics.idf(term) * frequency / (frequency + penalty) if frequency else 0.0

    words = sum(count * part(term) for term, count in asked.words)
    for pair in asked.pairs:
        frequency = measured.pairs.get(pair, 0)
        if frequency:
            rarer = max(statistics.idf(f"s:{stem}") for stem in pair)
            words += pair_weight * rarer * frequency / (frequency + penalty)
    return Share(words=words / total, identifiers=sum(part(term) for term in asked.identifiers) / total)


def fuse(
    lists: Mapping[Arm, Sequence[ArmHit]],
    measured: Mapping[str, Measured],
    asked: QueryTerms,
    statistics: Statistics,
    fusion: Fusion,
    *,
    known_script: bool,
) -> Candidates:
    """The union of the arms' lists, best first. Each vote's contribution is weight × raw, and they sum to `fused`.

    `known_script` is False when the model does not know the script of the query: its cosines then count for little. An
    arm that did not run gives its weight to the others, and so does a missing vector; what it would have looked for is
    not held against anybody.
    """
    content = asked.content if "keyword" in lists else ()
    asked = QueryTerms(
        words=asked.words if "keyword" in lists else (),
        identifiers=asked.identifiers if "exact" in lists else (),
        pairs=asked.pairs if "keyword" in lists else (),
    )
    total = mass(asked, statistics)
    ranks = {arm: {hit.id: hit.rank for hit in hits} for arm, hits in lists.items()}
    candidates = []
    for id in dict.fromkeys(hit.id for hits in lists.values() for hit in hits):
        each = measured[id]
        by_meaning, by_words = _weights(fusion, each, known_script)
        if "semantic" not in lists or each.cosine is None:
            by_meaning, by_words = 0.0, 1.0
        elif total <= 0:
            by_meaning, by_words = 1.0, 0.0
        earned = share(each, asked, statistics, total=total, pair_weight=fusion.pairs)
        values: tuple[tuple[Arm, RawKind, float, float], ...] = (
            ("keyword", "share", by_words, earned.words),
            ("exact", "share", by_words, earned.identifiers),
            ("semantic", "cosine", by_meaning, each.cosine or 0.0),
        )
        votes = []
        for arm, kind, weight, value in values:
            if arm in ranks and (id in ranks[arm] or value > 0):
                raw = round(value, RAW_DIGITS)
                votes.append(
                    Vote(
                        arm=arm,
                        rank=ranks[arm].get(id),
                        raw=raw,
                        raw_kind=kind,
                        weight=weight,
                        contribution=weight * max(0.0, raw),
                    )
                )
        fused = round(sum(vote.contribution for vote in votes), SCORE_DIGITS)
        whole = bool(content) and all(each.terms.get(term) for term in content)
        candidates.append(
            Candidate(id=id, votes=tuple(votes), fused=fused, score=fused, relevance=each.cosine, whole=whole)
        )
    return order(tuple(candidates))


def _weights(fusion: Fusion, measured: Measured, known_script: bool) -> tuple[float, float]:
    """The weights of meaning and of words. Code keeps the weight of meaning that other passages have and loses weight
    of words, in the proportion `balance_code`: raising its meaning instead would lift code above prose on every query
    whose words stand nowhere."""
    if not known_script:
        return fusion.balance_script, 1 - fusion.balance_script
    if measured.code:
        return fusion.balance, fusion.balance * (1 - fusion.balance_code) / fusion.balance_code
    return fusion.balance, 1 - fusion.balance
