"""How long texts are divided and put together again."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_memo.models import windows


def test_a_short_text_is_one_window() -> None:
    assert [slice(0, 5)] == windows.spans(5, size=5, overlap=2)
    assert [slice(0, 0)] == windows.spans(0, size=5, overlap=2)


def test_windows_of_a_long_text_overlap_and_the_last_is_full() -> None:
    assert [slice(0, 5), slice(3, 8), slice(6, 11), slice(7, 12)] == windows.spans(12, size=5, overlap=2)


@given(length=st.integers(0, 2_000), size=st.integers(3, 300), overlap=st.integers(0, 2))
def test_windows_cover_every_token_and_none_is_too_long(length: int, size: int, overlap: int) -> None:
    spans = windows.spans(length, size=size, overlap=overlap)
    assert set(range(length)) == {n for span in spans for n in range(span.start, span.stop)}
    assert all(span.stop - span.start <= size for span in spans)
    assert all(after.start + overlap <= before.stop for before, after in itertools.pairwise(spans))


@given(st.text(alphabet="ab \n", max_size=200))
def test_halves_fit_and_join_to_the_whole_text(text: str) -> None:
    pieces = windows.halves(text, size=4, count=lambda part: len(part.split()))
    assert text == "".join(pieces)
    assert all(len(piece.split()) <= 4 for piece in pieces)


def test_halves_break_between_words() -> None:
    assert ["alpha beta", " gamma delta"] == windows.halves(
        "alpha beta gamma delta", size=2, count=lambda part: len(part.split())
    )


def test_a_text_without_spaces_is_halved_all_the_same() -> None:
    assert ["ab", "cd", "ef", "gh"] == windows.halves("abcdefgh", size=2, count=len)


def test_the_mean_of_two_directions_lies_between_them() -> None:
    rows = np.eye(2, dtype=np.float32)
    assert (0.7071, 0.7071) == pytest.approx(windows.mean_direction(rows), abs=1e-4)


def test_directions_that_cancel_out_leave_the_first() -> None:
    rows = np.array([[1, 0], [-1, 0]], np.float32)
    assert (1, 0) == pytest.approx(windows.mean_direction(rows))
