"""Words that passages share, offered where a question found nothing."""

from __future__ import annotations

from jupyter_memo.text.vocabulary import shared

PASSAGES = [
    (("Sea ice", "Melt ponds"), "Albedo falls when melt ponds form on the ice."),
    (("Sea ice", "Albedo"), "The albedo of snow is higher than that of ponds."),
    ((), "A note on albedo and brine."),
]


def test_words_of_headings_and_of_most_passages_come_first() -> None:
    assert ("albedo", "ponds", "melt") == shared(PASSAGES, "why is it bright")


def test_words_of_the_query_are_left_out_in_any_form() -> None:
    assert ("ponds", "melt") == shared(PASSAGES, "albedos")


def test_a_word_of_one_passage_and_no_heading_is_left_out() -> None:
    assert "brine" not in shared(PASSAGES, "x")


def test_no_passage_has_no_words() -> None:
    assert () == shared([], "x")
