"""Tokens, scripts without blanks, and the three text columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_memo.text.words import (
    cjk_column,
    cjk_terms,
    has_cjk,
    ident_column,
    ident_terms,
    lexical,
    spans,
    stems,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Searching searches", ("search", "search")),
        ("don't STOP", ("don", "t", "stop")),
        ("to be or not to be", ("to", "be", "or", "not", "to", "be")),
        ("Café naïveté", ("cafe", "naivete")),
        ("snake_case df.groupby", ("snake", "case", "df", "groupbi")),
        ("C++ and C#", ("c", "and", "c")),
        ("a" * 63 + " " + "a" * 64, ("a" * 63,)),
        ("", ()),
        ("…—!", ()),
    ],
)
def test_stems_are_folded_english_stems_in_order(text: str, tokens: tuple[str, ...]) -> None:
    assert tokens == stems(text)


def test_spans_count_characters_not_bytes() -> None:
    text = "Ünïcode 😀 naïve 한국어 search"
    assert ["Ünïcode", "naïve", "한국어", "search"] == [text[start:end] for _, start, end in spans(text)]


@settings(deadline=None)
@given(st.text(st.characters(codec=None)))
def test_spans_hold_the_same_tokens_as_stems(text: str) -> None:
    found = spans(text)
    assert stems(text) == tuple(stem for stem, _, _ in found)
    assert all(0 <= start < end <= len(text) for _, start, end in found)
    for stem, start, end in found:
        assert (stem,) == stems(text[start:end])


WORDS = [
    *(
        "Café cafe cafes résumés resumes resume naïvetés naivete Straße strasse don't x_y_z ２３ 23 universities "
        "university generously générale General running œuvre oeuvre ẞ ss 中文字 日本語テスト 한국어 "
        "searching searched C++ ΑΣΣ ασς foo\u200bbar नमस्ते e\u0301te fo😀o ﬁne fine İstanbul"
    ).split(),
    *("a" * 63, "a" * 64, "é" * 31, "é" * 32),
]


def test_stems_find_what_the_index_finds(tmp_path: Path) -> None:
    import lancedb
    from lancedb.index import FTS
    from lancedb.query import MatchQuery

    table = lancedb.connect(tmp_path).create_table("t", [{"id": i, "lex": word} for i, word in enumerate(WORDS)])
    options = FTS(stem=True, remove_stop_words=False, ascii_folding=True, max_token_length=64, with_position=True)
    table.create_index("lex", config=options)
    for query in WORDS:
        mine = {i for i, word in enumerate(WORDS) if set(stems(query)) & set(stems(word))}
        rows = table.search(MatchQuery(query, "lex")).select(["id", "_score"]).limit(100).to_list()
        assert mine == {row["id"] for row in rows}, query


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("用pandas读取CSV文件", [("用", 0, 1), ("panda", 1, 7), ("读取", 7, 9), ("csv", 9, 12), ("文件", 12, 14)]),
        ("LanceDB를 2개", [("lancedb", 0, 7), ("를", 7, 8), ("2", 9, 10), ("개", 10, 11)]),
    ],
)
def test_a_latin_word_glued_into_another_script_is_a_word_at_its_own_place(
    text: str, expected: list[tuple[str, int, int]]
) -> None:
    assert expected == list(spans(text))
    assert [stem for stem, _, _ in expected] == list(stems(text))


@given(st.text(alphabet="ab 1_한漢か.\ud800", max_size=20))
def test_spans_lie_in_order_within_the_text(text: str) -> None:
    places = [place for _, start, end in spans(text) for place in (start, end)]
    assert sorted(places) == places
    assert all(0 <= place <= len(text) for place in places)
    assert stems(text) == tuple(stem for stem, _, _ in spans(text))


def test_cjk_terms_interleave_characters_and_bigrams() -> None:
    assert ("日", "日本", "本", "本語", "語") == cjk_terms("日本語")


def test_cjk_runs_do_not_join_across_other_text() -> None:
    assert ("가", "나") == cjk_terms("가 ERP 나")


def test_half_width_forms_are_the_same_terms() -> None:
    assert cjk_terms("カナ") == cjk_terms("ｶﾅ")


@given(st.text(alphabet="日本語가나かカ", min_size=1, max_size=12), st.data())
def test_the_terms_of_a_part_stand_side_by_side_in_the_terms_of_the_whole(run: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    whole, part = cjk_terms(run), cjk_terms(run[start:end])
    assert any(part == whole[at : at + len(part)] for at in range(len(whole)))


@pytest.mark.parametrize(
    ("text", "answer"), [("text", False), ("Ελλάδα", False), ("x 漢", True), ("ー", True), ("한", True)]
)
def test_cjk_is_recognised(text: str, answer: bool) -> None:
    assert answer == has_cjk(text)


def test_the_word_column_holds_breadcrumb_text_name_parts_and_file_words() -> None:
    column = lexical(("Top", "Sub title"), "calls getHTTPResponse2 once", "notes/myFile_2024.md")
    expected = "top sub titl call gethttpresponse2 onc get http respons 2 myfil my file 2024"
    assert expected.split() == column.split()


def test_the_word_column_repeats_nothing_that_is_a_word_already() -> None:
    column = lexical(("Frame",), "the DataFrame of data", "frame.md")
    assert "frame the datafram of data".split() == column.split()


def test_the_word_column_keeps_every_stem_between_blanks_of_its_own() -> None:
    column = lexical((), "go go going", "")
    assert (3, 2) == (column.count(" go "), column.count("  "))


def test_the_literal_column_holds_path_and_file_name() -> None:
    column = ident_column(("Title",), "os.path", "notes/a.md").split()
    assert ["Title", "os.path", ".os", ".path", "notes/a.md", ".notes", ".notes/a", ".a", ".a.md", ".md"] == column[:10]
    assert "a.md" in column


def test_a_name_is_found_alone_and_at_the_end_of_a_chain() -> None:
    terms = ident_terms("path.join")
    assert ("path.join", ".path.join") == terms
    assert terms[1] in ident_column((), "os.path.join(a)", "x.py").split()


def test_the_cjk_column_covers_header_and_text() -> None:
    assert "제 제목 목 日" == cjk_column(("제목",), "日 text")
