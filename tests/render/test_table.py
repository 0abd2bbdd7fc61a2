"""Arrow tables and data frames of a response."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from jupyter_memo.errors import MissingExtraError
from jupyter_memo.response import SearchResponse


def test_one_row_a_result_with_raw_numbers(response: SearchResponse) -> None:
    table = response.to_arrow()
    assert len(response) == table.num_rows
    assert [result.score for result in response] == table["score"].to_pylist()
    assert [1, None, 2, 4, 3, 7, 5] == table["keyword_rank"].to_pylist()


def test_contributions_of_all_arms_add_up_to_fused(response: SearchResponse) -> None:
    frame = response.to_pandas()
    arms = [name for name in frame.columns if name.endswith("_contribution")]
    assert 6 == len(arms)
    assert [] == [row for row in (frame[arms].sum(axis=1) - frame["fused"]).abs() if row > 1e-8]


def test_an_empty_response_has_the_same_columns(response: SearchResponse, empty: SearchResponse) -> None:
    assert response.to_arrow().schema == empty.to_arrow().schema


def test_a_response_without_reasons_has_empty_reason_columns(response: SearchResponse) -> None:
    bare = replace(response, results=tuple(replace(result, why=None) for result in response.results))
    assert [None] * 7 == bare.to_arrow()["fused"].to_pylist()


def test_where_stands_in_words(response: SearchResponse) -> None:
    assert "notes/criticality.md › Open questions · L120–138" == response.to_arrow()["where"][2].as_py()


def test_without_pandas_the_cure_is_named(response: SearchResponse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jupyter_memo\[pandas\]'"):
        response.to_pandas()
