"""Candidates measured for evidence fusion: what each holds of the query, read off its stored columns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jupyter_memo.ranking.evidence import Measured
from jupyter_memo.store.tables import Row
from jupyter_memo.text import terms
from jupyter_memo.text.terms import LITERAL, STEM, QueryTerms


def measure(rows: Mapping[str, Row], asked: QueryTerms, query: np.ndarray | None) -> dict[str, Measured]:
    """One `Measured` a row. `query` is the query's unit vector, shape (dim,); None when meaning was not searched.

    The cosine of a passage with a context, and so its relevance, is the mean of two: with the passage alone, and with
    the passage after its context. Its stored vector is the mean of those two unit vectors, so one product gives it.
    Counts of terms and the length take the context in as well.
    """
    return {id: _one(id, row, asked, query) for id, row in rows.items()}


def _one(id: str, row: Row, asked: QueryTerms, query: np.ndarray | None) -> Measured:
    cosine = None if query is None or row.vector is None else float(np.dot(row.vector, query))
    characters = row.cjk.split() if row.cjk else []
    literals = row.ident.split() if asked.identifiers else []
    counts: dict[str, int] = {}
    for term, _ in asked.words:
        name = term[len(STEM) :]
        counts[term] = terms.occurrences(name, row.lex) if term.startswith(STEM) else characters.count(name)
    for term in asked.identifiers:
        name = term[len(LITERAL) :]
        counts[term] = literals.count(name) + literals.count(f".{name}")
    return Measured(
        id=id,
        cosine=cosine,
        terms=counts,
        pairs={pair: terms.adjacent(pair, row.lex) for pair in asked.pairs},
        length=terms.passage_length(row.lex, row.cjk),
        code=row.passage.kind == "code",
    )
