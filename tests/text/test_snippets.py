"""The window shown of a passage, and the marks in it."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_memo.text.snippets import composed
from jupyter_memo.text.words import cjk_terms, content, has_cjk, identifiers, snippet, spans, split_identifier, stems

FILLER = "lorem ipsum dolor sit amet " * 30


def wanted(text: str) -> frozenset[str]:
    return frozenset(stems(text))


def marked(shown: str, marks: tuple[tuple[int, int], ...]) -> list[str]:
    return [shown[start:end] for start, end in marks]


def test_a_short_text_is_shown_whole() -> None:
    assert ("The sandpile model", ((4, 12),)) == snippet("The  sandpile\n model", wanted("sandpiles"))


def test_the_window_with_most_distinct_words_wins_over_repeats() -> None:
    text = f"critical critical critical {FILLER} the critical exponent of a sandpile {FILLER}"
    shown, marks = snippet(text, wanted("sandpile critical exponents"))
    assert ["critical", "exponent", "sandpile"] == marked(shown, marks)


def test_of_equal_windows_the_earliest_is_shown() -> None:
    shown, _ = snippet(f"one critical {FILLER} two critical {FILLER}", wanted("critical"))
    assert shown.startswith("one critical")


def test_without_any_word_the_beginning_is_shown() -> None:
    shown, marks = snippet(FILLER, wanted("absent"))
    assert () == marks
    assert shown.startswith("lorem")
    assert shown.endswith("…")


def test_prose_is_cut_between_words_with_an_ellipsis_where_it_was_cut() -> None:
    shown, _ = snippet(FILLER + "needle " + FILLER, wanted("needle"))
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert set(shown.strip("…").split()) <= {"lorem", "ipsum", "dolor", "sit", "amet", "needle"}
    assert len(shown) <= 242


def test_code_keeps_its_lines_and_is_cut_between_them() -> None:
    code = "import os\n" * 40 + "def f(x):\n    return os.path.join(x)\n" + "y = 1\n" * 60
    shown, marks = snippet(code, frozenset(), literals=("os.path.join",), code=True, width=80)
    assert ["os.path.join"] == marked(shown, marks)
    assert shown.startswith("…\n")
    assert shown.endswith("\n…")
    assert "def f(x):\n    return os.path.join(x)\n" in shown


def test_one_long_line_of_code_is_cut_inside() -> None:
    shown, marks = snippet("short\n" + FILLER + "needle " + FILLER, wanted("needle"), code=True)
    assert ["needle"] == marked(shown, marks)
    assert len(shown) <= 242


def test_cjk_bigrams_are_marked_and_single_characters_of_them_are_not() -> None:
    shown, marks = snippet("연구의 연결 풀이 연결되었다", frozenset(), cjk=cjk_terms("연결"))
    assert ["연결", "연결"] == marked(shown, marks)


def test_a_single_cjk_character_is_marked_when_it_is_all_there_is() -> None:
    shown, marks = snippet("猫と犬", frozenset(), cjk=cjk_terms("犬"))
    assert ["犬"] == marked(shown, marks)


def test_a_wanted_word_is_marked_inside_a_joined_name() -> None:
    shown, marks = snippet("a DataFrame of getHTTPResponse2", wanted("frame responses"))
    assert ["Frame", "Response"] == marked(shown, marks)


def test_a_literal_is_marked_only_where_it_stands_alone() -> None:
    shown, marks = snippet("C++ not C++11", frozenset(), literals=("C++",))
    assert [(0, 3)] == list(marks)
    assert "C++ not C++11" == shown


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=400),
    st.text(max_size=30),
    st.booleans(),
    st.integers(20, 120),
)
def test_marks_lie_in_the_window_in_order_and_hold_what_was_wanted(
    text: str, query: str, code: bool, width: int
) -> None:
    shown, marks = snippet(text, wanted(query), cjk=cjk_terms(query), code=code, width=width)
    assert len(shown) <= width + 4
    assert all(a < b for a, b in marks)
    assert all(first[1] <= second[0] for first, second in pairwise(marks))
    assert all(b <= len(shown) for _, b in marks)


@pytest.mark.parametrize("text", ["", " \n "])
def test_an_empty_text_has_an_empty_snippet(text: str) -> None:
    assert ("", ()) == snippet(text, wanted("x"))


# --- where marks lie, whatever the text is written in

PIECES = st.sampled_from(
    [
        *("the weir", "Gauges!", "gauge's", "café", "cafe\u0301", "NAÏVE", "naïve", "x\u0301y", "df.groupby", "C++"),
        *("getHTTPResponse2", "snake_case_name", "水温が上がる", "用pandas读取", "데이터를", "데이터를 분석"),
        *(
            unicodedata.normalize("NFD", "데이터를 분석"),
            "ｶﾞｰﾄﾞの実験",
            "か\u3099いた",
            "🙂",
            "👩\u200d👩\u200d👧weir",
            "𠀀𠀁水",
        ),
        *("\U0001d54eeir", "\ud800", "\n", "  ", "\t", "0.2755", "-5", "…", "—", "‏", "lorem ipsum dolor sit amet"),
    ]
)
TEXT = st.lists(PIECES, max_size=60).map(" ".join) | st.lists(PIECES, max_size=30).map("".join)
ASKED = st.lists(PIECES, min_size=1, max_size=3).map(" ".join)


def looked_for(query: str) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    """Stems, terms of the scripts without spaces, and names, as a search asks for them."""
    spoken = composed(query)
    return frozenset(content(spoken)), cjk_terms(spoken) if has_cjk(spoken) else (), identifiers(query)


def is_wanted(held: str, stems_wanted: frozenset[str], cjk: tuple[str, ...], literals: tuple[str, ...]) -> bool:
    """Whether a marked stretch is what was looked for: a word, a part of a joined name, characters, a name."""
    parts = [part for run in held.split() for part in (run, *split_identifier(run))]
    return (
        any({*stems(part)} & stems_wanted for part in (held, *parts))
        or bool({*cjk_terms(held)} & {*cjk})
        or any(composed(each) in held for each in literals)
    )


@settings(max_examples=300, deadline=None)
@given(TEXT, ASKED, st.booleans(), st.integers(30, 240))
def test_every_mark_lies_on_what_was_looked_for(text: str, query: str, code: bool, width: int) -> None:
    wanted, cjk, literals = looked_for(query)
    shown, marks = snippet(text, wanted, cjk=cjk, literals=literals, code=code, width=width)
    for held in marked(shown, marks):
        assert is_wanted(held, wanted, cjk, literals), held
        assert not unicodedata.combining(held[0])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=12).map(" ".join), ASKED, st.booleans())
def test_of_a_text_that_is_shown_whole_every_word_looked_for_is_marked(text: str, query: str, code: bool) -> None:
    wanted, cjk, literals = looked_for(query)
    shown, marks = snippet(text, wanted, cjk=cjk, literals=literals, code=code, width=10_000)
    covered = {place for start, end in marks for place in range(start, end)}
    for stem, start, end in spans(shown):
        if stem in wanted:
            assert covered.issuperset(range(start, end)), shown[start:end]


@settings(max_examples=200, deadline=None)
@given(TEXT, ASKED, st.booleans(), st.integers(30, 240))
def test_javascript_finds_the_same_words_by_the_same_numbers(text: str, query: str, code: bool, width: int) -> None:
    wanted, cjk, literals = looked_for(query)
    shown, marks = snippet(text, wanted, cjk=cjk, literals=literals, code=code, width=width)
    # Array.from takes a string apart where UTF-16 has no pair.
    units = shown.encode("utf-16-le", "surrogatepass")
    signs = re.findall(b"(?s)(?:.[\xd8-\xdb].[\xdc-\xdf]|..)", units)
    assert marked(shown, marks) == [
        b"".join(signs[start:end]).decode("utf-16-le", "surrogatepass") for start, end in marks
    ]


@pytest.mark.parametrize(
    ("text", "query", "held"),
    [
        ("Un cafe\u0301 noir", "café", ["café"]),
        ("Un café noir", "cafe\u0301", ["café"]),
        ("x\u0301 weir", "x", ["x\u0301"]),
        (unicodedata.normalize("NFD", "학습 데이터를"), "데이터", ["데이터"]),
        ("学習データ", unicodedata.normalize("NFD", "データ"), ["データ"]),
        ("ｶﾞｰﾄﾞの実験", "ガード", ["ｶﾞｰﾄﾞ"]),
        ("か\u3099いた", "がいた", ["がいた"]),
        ("🙂🙂 weir 👩\u200d👩\u200d👧 gauge", "gauge weir", ["weir", "gauge"]),
        ("用pandas读取文件", "pandas", ["pandas"]),
    ],
)
def test_a_mark_holds_whole_characters_in_any_form(text: str, query: str, held: list[str]) -> None:
    wanted, cjk, literals = looked_for(query)
    shown, marks = snippet(text, wanted, cjk=cjk, literals=literals)
    assert held == marked(shown, marks)
