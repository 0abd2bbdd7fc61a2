"""Counting in many columns at once, against counting in one string."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jupyter_memo.text.occurrences import HEAD, occurrences
from jupyter_memo.text.terms import passage_length
from jupyter_memo.text.words import stem_column, with_context

LONG, LONGER = "electroencephalograph", "electroencephalogram"
STEMS = ("a", "ab", "abcdefgh", "abcdefghi", LONG, LONGER, "жук", "жуки")
PAIRS = (("a", "ab"), ("ab", "a"), ("abcdefgh", "abcdefghi"), (LONG, "жук"))
TOKENS = st.lists(st.sampled_from((*STEMS, "b", "abcdefg", "abcdefgj", "electroencephalon", "жу")), max_size=12)
COLUMNS = st.lists(st.tuples(TOKENS, TOKENS).map(lambda parts: " ".join(filter(None, map(_column, parts)))), max_size=6)


def _column(tokens: list[str]) -> str:
    return "".join(f" {token} " for token in tokens)


@given(columns=COLUMNS)
def test_counts_are_those_of_the_strings(columns: list[str]) -> None:
    found = occurrences(columns, STEMS, PAIRS)
    assert [[column.count(f" {stem} ") for stem in STEMS] for column in columns] == found.stems.tolist()
    assert [[column.count(f" {a}  {b} ") for a, b in PAIRS] for column in columns] == found.pairs.tolist()


@given(columns=COLUMNS)
def test_lengths_are_those_that_the_statistics_count(columns: list[str]) -> None:
    lengths = np.maximum(1, occurrences(columns, STEMS, ()).lengths).tolist()
    assert [passage_length(column, "") for column in columns] == lengths


def test_longer_stems_with_one_beginning_are_told_apart() -> None:
    assert LONG[:HEAD] == LONGER[:HEAD]
    found = occurrences([f" {LONG}  {LONG}  {LONGER} "], (LONG, LONGER), ())
    assert [[2, 1]] == found.stems.tolist()


def test_a_passage_and_its_context_make_no_pair() -> None:
    column = with_context(stem_column("ab"), "a")
    assert [[0, 0]] == occurrences([column], ("a", "ab"), (("a", "ab"), ("ab", "a"))).pairs.tolist()


def test_two_columns_make_no_pair() -> None:
    assert [[0], [0]] == occurrences([" a ", " ab "], ("a", "ab"), (("a", "ab"),)).pairs.tolist()


def test_no_columns_and_no_stems_give_empty_tables() -> None:
    assert (0, 8) == occurrences([], STEMS, ()).stems.shape
    assert (1, 0) == occurrences([" a "], (), ()).stems.shape
