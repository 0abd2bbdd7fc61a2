"""Which scripts a query and a passage are in, and which models read them."""

from __future__ import annotations

import pytest

from jupyter_memo.text.scripts import known, scripts, written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how to merge", set()),
        ("naïve café, α and β", set()),
        ("pandas 데이터프레임", {"cjk"}),
        ("日本語のノート", {"cjk"}),
        ("дождь в июне", {"cyrillic"}),
        ("المطر في يونيو", {"arabic"}),
        ("ฝนตก", {"thai"}),
        ("", set()),
    ],
)
def test_a_query_is_in_every_script_it_holds_a_character_of(text: str, expected: set[str]) -> None:
    assert expected == scripts(text)


def test_a_passage_that_quotes_a_word_of_a_script_is_not_in_it() -> None:
    quoting = "The Korean word 한글 names the alphabet, which was made known in 1446 and is taught in every school."
    assert frozenset() == written(quoting)


def test_a_passage_with_much_code_is_in_the_script_of_its_text() -> None:
    assert {"cjk"} == written("파일을 읽는다:\n\nframe = pandas.read_csv(path, sep=';')")


def test_a_model_reads_the_scripts_of_its_languages_and_latin() -> None:
    assert known(set(), ("en",))
    assert not known({"cjk"}, ("en",))
    assert known({"cjk"}, ("en", "ko"))
    assert not known({"cjk", "thai"}, ("en", "ko"))


def test_a_model_that_names_no_languages_is_taken_to_read_all_scripts() -> None:
    assert known({"thai"}, ())
