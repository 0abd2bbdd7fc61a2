"""Candidates measured for evidence fusion: what each holds of the query, read off its stored columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jupyter_memo.ranking.evidence import Counts, Measured
from jupyter_memo.store.tables import ModelKey, Row, cosine
from jupyter_memo.text.occurrences import occurrences
from jupyter_memo.text.terms import CHARACTER, LITERAL, STEM, QueryTerms, length_of

VARIANT = 0.8
"""What another spelling of a word counts for where the word itself is missing, against 1 for the word as typed: of two
passages that differ in nothing else, the one with the word as typed stands first."""


def measure(
    rows: Mapping[str, Row], asked: QueryTerms, query: np.ndarray | None, key: ModelKey | None = None
) -> Measured:
    """The rows in their order. `query` is the query's vector, shape (dim,), made by the model `key`; None when meaning
    was not searched.

    The cosine of a passage with a context, and so its relevance, is the mean of two: with the passage alone, and with
    the passage after its context. Its stored vector is the mean of those two unit vectors, so one product gives it.
    Counts of terms and the length take the context in as well.
    """
    held = tuple(rows.values())
    spoken = [term[len(STEM) :] for term, _ in asked.words if term.startswith(STEM)]
    others = dict.fromkeys(other for _, spelt in asked.variants for other in spelt)
    joined = [other for other in others if len(other) > 1]
    more = dict.fromkeys(stem for other in others for stem in other if stem not in spoken)
    found = occurrences(
        [row.lex for row in held], [*spoken, *more], [*asked.pairs, *((first, second) for first, second in joined)]
    )
    stems = found.stems[:, : len(spoken)].astype(np.float64)
    at = {stem: place for place, stem in enumerate((*spoken, *more))}
    columns = {
        other: found.pairs[:, len(asked.pairs) + joined.index(other)]
        if other in joined
        else found.stems[:, at[other[0]]]
        for other in others
    }
    for term, spelt in asked.variants:
        own = stems[:, at[term[len(STEM) :]]]
        own += np.where(own == 0, VARIANT * sum(columns[other] for other in spelt), 0.0)
    characters = [term[len(CHARACTER) :] for term, _ in asked.words if term.startswith(CHARACTER)]
    names = [term[len(LITERAL) :] for term in asked.identifiers]
    # The stems come before the characters, as in `query_terms`.
    words = np.hstack([stems, _tokens([row.cjk for row in held], characters)])
    literals = [row.ident for row in held]
    return Measured(
        ids=tuple(rows),
        # One by one: a product of matrices may differ in the last digit with what stands beside a row.
        cosines=[None if query is None else cosine(row.vector, query, key) for row in held],
        words=words,
        pairs=found.pairs[:, : len(asked.pairs)],
        identifiers=_tokens(literals, names) + _tokens(literals, [f".{name}" for name in names]),
        lengths=np.array([length_of(stems, row.cjk) for stems, row in zip(found.lengths.tolist(), held, strict=True)]),
        code=[row.passage.kind == "code" for row in held],
        passages=[row.passage for row in held],
    )


def _tokens(columns: Sequence[str], names: Sequence[str]) -> Counts:
    """How often each name stands as a token in each column: shape (columns, names)."""
    counts = np.zeros((len(columns), len(names)), np.int64)
    for row, column in enumerate(columns if names else ()):
        if any(name in column for name in names):
            tokens = column.split()
            counts[row] = [tokens.count(name) for name in names]
    return counts
