"""Which plain words say what is not wanted, and which only sound like it. More of both stand in `plan_table.txt`."""

from __future__ import annotations

import pytest

from jupyter_memo.text.negation import Wish, read
from jupyter_memo.text.syntax import Part


def wish(text: str) -> Wish:
    return read(tuple(Part(word) for word in text.split()))


def test_the_unwanted_is_taken_out_of_what_is_looked_for() -> None:
    found = wish("soups without garlic")
    assert ((Part("soups"),), ("garlic",)) == (found.parts, found.unwanted)


def test_a_quoted_thing_is_unwanted_as_a_whole() -> None:
    found = read((Part("soups"), Part("without"), Part("olive oil", quoted=True)))
    assert ("olive oil",) == found.unwanted


def test_what_is_quoted_is_no_sign_itself() -> None:
    parts = (Part("soups"), Part("without", quoted=True), Part("garlic"))
    assert Wish(parts=parts) == read(parts)


def test_a_list_of_unwanted_things_is_several() -> None:
    assert ("garlic", "onions") == wish("soups without garlic or onions").unwanted


def test_what_follows_the_unwanted_is_looked_for() -> None:
    found = wish("soups without garlic for children")
    assert "soups for children" == " ".join(part.text for part in found.parts)


@pytest.mark.parametrize(
    "text",
    [
        "without garlic",
        "the without garlic",
        "soups without",
        "soups without , garlic",
        "boil soups without garlic?",
        "Cooking soups without garlic",
        "soup is made without garlic",
        "Soups Without Garlic",
    ],
)
def test_what_only_sounds_like_it_keeps_all_of_its_words(text: str) -> None:
    found = wish(text)
    assert ((), text) == (found.unwanted, " ".join(part.text for part in found.parts))


@pytest.mark.parametrize("text", ["Why not garlic", "reasons against garlic", "when should you not add garlic"])
def test_reasons_against_keep_their_subject(text: str) -> None:
    found = wish(text)
    assert (True, text) == (found.against, " ".join(part.text for part in found.parts))


@pytest.mark.parametrize("text", ["why is garlic not peeled", "when do we eat", "garlic: why not"])
def test_other_questions_are_no_reasons_against(text: str) -> None:
    assert not wish(text).against
