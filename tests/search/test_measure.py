"""What a search measures on a candidate, read off its stored columns."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest

from jupyter_memo.records import Passage
from jupyter_memo.search.measure import measure
from jupyter_memo.store.tables import Row
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.terms import passage_length, query_terms
from jupyter_memo.text.words import cjk_column, ident_column, stem_column

TEXTS = ("the pump failed, the pump restarted", "np.dot_all and dot_all in 分析分", "")


@pytest.fixture
def rows(now: datetime) -> dict[str, Row]:
    vectors = (np.array([0.6, 0.8], np.float32), None, np.array([0.0, -1.0], np.float32))
    return {
        str(number): Row(
            passage=Passage(id=str(number), source_id="s", uri="a.md", text=text, created_at=now, recorded_at=now),
            lex=stem_column(text),
            ident=ident_column((), text, "a.md"),
            cjk=cjk_column((), text),
            vector=vector,
        )
        for number, (text, vector) in enumerate(zip(TEXTS, vectors, strict=True))
    }


def test_words_and_characters_are_counted_in_the_order_of_the_query(rows: dict[str, Row]) -> None:
    asked = query_terms(QueryPlan(text="x", words="pump 分析"))
    assert ["s:pump", "c:分", "c:分析", "c:析"] == [term for term, _ in asked.words]
    assert [[2, 0, 0, 0], [0, 2, 1, 1], [0, 0, 0, 0]] == measure(rows, asked, None).words.tolist()


def test_pairs_stand_side_by_side(rows: dict[str, Row]) -> None:
    asked = query_terms(QueryPlan(text="x", words="the pump fails"))
    assert [[2, 1], [0, 0], [0, 0]] == measure(rows, asked, None).pairs.tolist()


def test_identifiers_count_as_such_and_as_parts_of_a_chain(rows: dict[str, Row]) -> None:
    asked = query_terms(QueryPlan(text="x", words="x", identifiers=("dot_all",)))
    assert [[0], [2], [0]] == measure(rows, asked, None).identifiers.tolist()


def test_cosines_are_products_and_none_without_a_vector(rows: dict[str, Row]) -> None:
    asked = query_terms(QueryPlan(text="x", words="pump"))
    query = np.array([0.6, 0.8], np.float32)
    assert [pytest.approx(1.0), None, pytest.approx(-0.8)] == measure(rows, asked, query).cosines
    assert [None, None, None] == measure(rows, asked, None).cosines


def test_lengths_are_those_that_the_statistics_count(rows: dict[str, Row]) -> None:
    asked = query_terms(QueryPlan(text="x", words="pump"))
    lengths = measure(rows, asked, None).lengths.tolist()
    assert [passage_length(row.lex, row.cjk) for row in rows.values()] == lengths
