"""Names kept whole, and what is no name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_memo.text.words import identifiers, literal_tokens, literals, split_identifier

NAMES = """
camelCase CamelCase snake_case _private __init__ ALL_CAPS HTTP BM25 python3 utf-8 ABC-1234 CVE-2021-44228 df.groupby
os.path.join net/http src/app/main.py /usr/local/bin file.txt .gitignore std::vector C++ C# F# g++ v1.2 1.2.3
--limit --no-cache %%time %matplotlib @pytest.fixture #123 $HOME 10.1000/xyz(20)30183-5 https://a.org/x_(y)?q=1#z
me@example.org 7f3a9c2e 0x1F 550e8400-e29b-41d4-a716-446655440000
""".split()

WORDS = """
word Word don't it's we’re state-of-the-art 42 3.14 2024-06-30 24/7 1,000 10-year 2nd 100ms e.g. i.e. U.S. a.m. Ph.D.
and/or he/she Euler's US decade O'Brien — - -- + naïve Über
""".split()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_an_identifier(name: str) -> None:
    assert (name,) == identifiers(name)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_or_number_is_none(word: str) -> None:
    assert () == identifiers(word)


def test_identifiers_keep_their_order_and_come_once() -> None:
    assert ("b_c", "A.bc") == identifiers("b_c then A.bc then b_c")


def test_a_text_all_in_capitals_has_no_capital_names() -> None:
    assert () == identifiers("HOW TO TRAIN A MODEL")


@pytest.mark.parametrize(
    ("text", "wholes"),
    [
        ("foo(bar.baz)", ["foo", "bar.baz"]),
        ('say "hello", (world)!', ["say", "hello", "world"]),
        ("`code` **bold** _it_", ["code", "bold", "_it_"]),
        ("end of net/http: next.", ["end", "of", "net/http", "next"]),
        ("see (https://a.org/b_(c)).", ["see", "https://a.org/b_(c)"]),
        ("[text](http://x.y/z).", ["text", "http://x.y/z"]),
        ("--limit=5 -v", ["--limit", "5", "-v"]),
        ("x = -signal.SIGTERM", ["x", "signal.SIGTERM"]),
        ("Euler’s don’t", ["Euler", "don't"]),
        ("a=b;c", ["a", "b", "c"]),
        ("i++ x-y", ["i++", "x-y"]),
        ("ERP시스템", ["ERP시스템"]),
        ("</div> // note", ["div", "note"]),
        ("-- ___ ...", []),
    ],
)
def test_literal_tokens_lose_what_surrounds_them(text: str, wholes: list[str]) -> None:
    assert wholes == [token.whole for token in literal_tokens(text)]


def test_a_dotted_name_brings_its_marked_parts() -> None:
    assert ("os.path.join", ".os", ".os.path", ".path", ".path.join", ".join") == literals("os.path.join")


def test_soft_joints_bring_both_sides_as_tokens_of_their_own() -> None:
    assert ("localhost:8080", "localhost", "8080") == literals("localhost:8080")


def test_latin_inside_cjk_text_is_a_token_of_its_own() -> None:
    assert {"ERP", "시스템", "ERP시스템"} == set(literals("ERP시스템"))


@pytest.mark.parametrize("text", ["C++", "C#", "don't"])
def test_a_symbol_at_the_end_belongs_to_the_name(text: str) -> None:
    assert (text,) == literals(text)


def test_hyphenated_english_brings_its_words_only() -> None:
    assert ("state-of-the-art", ".state", ".of", ".the", ".art") == literals("state-of-the-art")


def test_a_long_chain_keeps_parts_pairs_beginnings_and_ends() -> None:
    found = literals("a1.b.c.d.e.f.g.h")
    assert {".a1", ".b", ".b.c", ".a1.b.c.d", ".e.f.g.h", ".h"} <= set(found)
    assert ".b.c.d" not in found


def test_tokens_the_index_would_cut_are_left_out() -> None:
    assert ("b" * 199,) == literals("a" * 200 + " " + "b" * 199)
    assert () == literals("é" * 100)


CONTEXTS = ["{}", "({})", "`{}`", '"{}",', "see {}.", "x = {};", "[{}]", "{}: y", "**{}**", "<b>{}</b>", "\t{}\n"]


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_found_wherever_it_stands(name: str, context: str) -> None:
    assert name in literals(context.format(name))


@settings(deadline=None)
@given(st.text(st.characters(codec=None)))
def test_no_literal_holds_white_space_and_every_range_is_in_the_text(text: str) -> None:
    assert all(token and len(token.split()) == 1 == len(token.split(" ")) for token in literals(text))
    assert all(len(token.encode("utf-8", "replace")) < 200 for token in literals(text))
    for token in literal_tokens(text):
        assert text[token.start : token.end].replace("’", "'") == token.whole
    assert set(identifiers(text)) <= {part for token in literal_tokens(text) for part in (token.whole, *token.pieces)}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getHTTPResponse2", ("get", "HTTP", "Response", "2")),
        ("snake_case_name", ("snake", "case", "name")),
        ("kebab-case", ("kebab", "case")),
        ("XMLHttpRequest", ("XML", "Http", "Request")),
        ("URLs", ("URLs",)),
        ("IPv4Address", ("IPv", "4", "Address")),
        ("userID", ("user", "ID")),
        ("cafés2Été", ("cafés", "2", "Été")),
        ("ABC1234", ("ABC", "1234")),
        ("日本語Text", ("日本語", "Text")),
        ("", ()),
    ],
)
def test_a_name_is_split_into_its_words(name: str, parts: tuple[str, ...]) -> None:
    assert parts == split_identifier(name)
