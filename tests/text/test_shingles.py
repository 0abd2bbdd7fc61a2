"""Likeness word for word, and which pairs are worth comparing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from jupyter_memo.text.shingles import candidates, clean, shingles
from jupyter_memo.text.words import jaccard

WORDS = [f"word{number}" for number in range(4_000)]
TEXTS = some.lists(
    some.text(alphabet="ab é水\u0301\ud800🙂-.\n", max_size=12) | some.sampled_from(["a b c d", "水温が上がる"]),
    max_size=6,
)


def text(seed: int, length: int = 120) -> list[str]:
    return random.Random(seed).choices(WORDS, k=length)


def test_shingles_are_runs_of_three_words_whatever_stands_between_them() -> None:
    assert {"the gauge reads", "gauge reads 0", "reads 0 28"} == shingles(clean("The gauge, reads: 0.28"))


def test_a_short_text_is_one_shingle_and_one_without_words_none() -> None:
    assert ({"two words"}, frozenset()) == (shingles("two words"), shingles("?! --"))


def test_characters_of_scripts_without_spaces_are_words() -> None:
    assert {"水 温 が", "温 が 上"} == shingles("水温が上")


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert shingles(clean("caf\u00e9 au lait")) == shingles(clean("CAFE\u0301 au lait"))


@pytest.mark.parametrize(("changed", "least"), [(0, 1.0), (1, 0.94), (4, 0.81)])
def test_pairs_with_much_in_common_are_compared(changed: int, least: float) -> None:
    for seed in range(40):
        one = text(seed)
        other = list(one)
        for place in range(changed):
            other[20 + 25 * place] = f"changed{place}"
        pair = [clean(" ".join(each)) for each in (one, other)]
        assert least <= jaccard(*map(shingles, pair))
        assert candidates(pair)[0, 1]


def test_texts_without_much_in_common_are_not_compared() -> None:
    many = [" ".join(text(seed)) for seed in range(60)]
    assert 60 == candidates(many).sum()  # each with itself


def test_a_text_without_words_is_compared_with_nothing() -> None:
    assert 0 == candidates(["", "?!", "--"]).sum()
    assert 0 == candidates([]).sum()


@settings(deadline=None)
@given(TEXTS)
def test_equal_texts_are_always_compared(texts: list[str]) -> None:
    read = [clean(each) for each in texts]
    found = candidates(read)
    assert (found == found.T).all()
    for place, each in enumerate(read):
        for other, another in enumerate(read):
            if shingles(each) and each == another:
                assert found[place, other]
