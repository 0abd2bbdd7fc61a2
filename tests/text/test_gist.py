"""What a long text is looked for by."""

from __future__ import annotations

from jupyter_memo.text.gist import (
    LOOKED_UP,
    MEANT_CHARACTERS,
    NAMES,
    READ_CHARACTERS,
    WORDS,
    gist,
    opening,
    terms,
)


def names(text: str) -> list[str]:
    return [term.name for term in terms(text)]


def test_words_of_grammar_are_none_of_its_words() -> None:
    assert ["s:turbid", "s:probe"] == names("Where are the turbidity of those and your probes?")


def test_forms_of_one_word_count_as_one() -> None:
    (term,) = terms("drifts drift drifting")
    assert ("s:drift", "drifts", 3, 0) == (term.name, term.typed, term.times, term.at)


def test_names_are_found_beside_their_words() -> None:
    assert {"i:df.groupby", "i:ERR_CONN_RESET"} <= set(names("df.groupby raises ERR_CONN_RESET"))


def test_scripts_without_blanks_are_taken_by_bigrams() -> None:
    assert ["c:検索", "c:索機", "c:機能"] == names("検索機能")


def test_what_is_rare_in_the_index_is_looked_for_in_the_order_of_the_text() -> None:
    found = terms(" ".join(f"{chr(97 + n)}onka" for n in range(WORDS + 4)))
    held = {term.name: 50 if place < 4 else 3 for place, term in enumerate(found)}
    chosen = gist(found, 100, held, {})
    assert " ".join(term.typed for term in found[4:]) == chosen.words
    assert WORDS + 4 == chosen.of


def test_a_word_that_the_text_has_often_outweighs_a_rarer_one() -> None:
    found = terms("probes probes probes probes " + " ".join(f"{chr(97 + n)}onka" for n in range(WORDS)))
    chosen = gist(found, 1_000, {term.name: 20 if term.name == "s:probe" else 10 for term in found}, {})
    assert "probes" in chosen.words.split()
    assert WORDS == len(chosen.words.split())


def test_what_only_the_text_itself_holds_is_not_looked_for() -> None:
    found = terms("turbidity probes")
    assert "probes" == gist(found, 10, {"s:turbid": 1, "s:probe": 2}, {"s:turbid": 1, "s:probe": 1}).words
    assert "" == gist(found, 10, {}, {}).words


def test_names_are_bounded_too() -> None:
    found = terms(" ".join(f"name_{n}" for n in range(NAMES + 5)))
    chosen = gist(found, 100, {term.name: 2 for term in found}, {})
    assert NAMES == len(chosen.names)


def test_of_a_text_of_any_length_so_much_is_read() -> None:
    assert "s:behind" not in names("far " * (READ_CHARACTERS // 4) + "hindmost")
    assert LOOKED_UP == len(terms(" ".join(f"w{n}x" for n in range(5_000))))


def test_the_opening_ends_at_a_blank() -> None:
    assert "short" == opening(" short \n")
    assert MEANT_CHARACTERS >= len(opening("word " * 1_000)) > MEANT_CHARACTERS - 5
    assert opening("word " * 1_000).endswith("word")
    assert MEANT_CHARACTERS == len(opening("x" * 5_000))
