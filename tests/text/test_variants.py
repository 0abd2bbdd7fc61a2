"""Other spellings: what the rules propose, and which word of a vocabulary an unknown one means."""

from __future__ import annotations

import pytest

from jupyter_memo.text import variants
from jupyter_memo.text.words import stems


def others(word: str) -> set[str]:
    return {each.other for each in variants.spellings(word)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("vaastu", "vastu"),
        ("colour", "color"),
        ("neighbours", "neighbors"),
        ("analyse", "analyze"),
        ("organisation", "organization"),
        ("centre", "center"),
        ("catalogue", "catalog"),
        ("defence", "defense"),
        ("anaemia", "anemia"),
        ("haemoglobin", "hemoglobin"),
        ("oestrogen", "estrogen"),
        ("paediatric", "pediatric"),
        ("archaeology", "archeology"),
        ("sulphate", "sulfate"),
        ("grey", "gray"),
        ("artefact", "artifact"),
    ],
)
def test_two_spellings_propose_each_other(one: str, other: str) -> None:
    assert stems(other)[0] in others(one)
    assert stems(one)[0] in others(other)


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        ("time series", "timeseries"),
        ("time-series", "timeseries"),
        ("data_frame", "dataframe"),
        ("e-mail", "email"),
    ],
)
def test_two_words_may_be_one(words: str, joined: str) -> None:
    first, second = stems(words)
    found = {(each.stem, each.other, each.written) for each in variants.spellings(words)}
    assert {(first, stems(joined)[0], joined), (second, stems(joined)[0], joined)} <= found


@pytest.mark.parametrize("word", ["four", "hour", "for", "wise", "ABC", "x1", "데이터", "filled"])
def test_a_word_no_rule_speaks_of_has_no_other_spelling(word: str) -> None:
    assert set() == others(word)


def test_a_word_that_sounds_alike_is_nearer_than_one_a_letter_away() -> None:
    assert "dipavali" == variants.near("deepavali", [("deepavalx", 9), ("dipavali", 1)])


@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("phantom", "fantom"),
        ("packet", "paket"),
        ("iraqi", "iraki"),
        ("khalif", "kalif"),
        ("dharma", "darma"),
        ("geetar", "gitar"),
        ("siesta", "sista"),
        ("crypto", "cripto"),
        ("sooner", "suner"),
        ("routin", "rutin"),
        ("wolgar", "volgar"),
        ("zagreb", "sagreb"),
        ("aether", "ether"),
        ("oestrad", "estrad"),
        ("rabbit", "rabit"),
    ],
)
def test_each_way_to_write_a_sound_is_heard(typed: str, other: str) -> None:
    assert other == variants.near(typed, [(other, 1), (f"{typed}x", 9)])
    assert typed == variants.near(other, [(typed, 1), (f"{other}x", 9)])


@pytest.mark.parametrize("typed", ["algoritm", "algorithmm", "algorihtm", "algorethm"])
def test_a_word_one_letter_away_is_near(typed: str) -> None:
    assert "algorithm" == variants.near(typed, [("algorithm", 1), ("algebra", 50)])


@pytest.mark.parametrize(("typed", "other"), [("pilot", "pivot"), ("whole", "while"), ("postgr", "postur")])
def test_another_letter_makes_another_word(typed: str, other: str) -> None:
    assert variants.near(typed, [(other, 3)]) is None


@pytest.mark.parametrize("words", ["for the", "integer", "capital", "operation", "who led"])
def test_no_spelling_leads_to_another_word(words: str) -> None:
    assert not {"forth", "integr", "capita", "opera", "whole"} & others(words)


def test_of_several_near_words_the_most_frequent_counts() -> None:
    assert "stone" == variants.near("stomne", [("stomnee", 0), ("stone", 5), ("stomn", 2)])


def test_nothing_is_near_a_word_of_another_kind() -> None:
    assert variants.near("kafka", [("kafir", 3), ("kernel", 9)]) is None


def test_an_unknown_word_may_be_two() -> None:
    assert ("data", "frame") in variants.parts("dataframe")
