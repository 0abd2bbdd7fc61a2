"""What a typed query asks for: a table of queries with the plan a person would expect, and texts nobody planned
for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jupyter_memo.query import Scope
from jupyter_memo.text.plan import QueryPlan, describe, plan

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def day(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def expected(words: str, semantic: str | None = None, **rest: Any) -> dict[str, Any]:
    return {"words": words, "semantic": words if semantic is None else semantic, **rest}


TABLE: list[tuple[str, dict[str, Any]]] = [
    # plain words
    ("self-organised criticality", expected("self-organised criticality")),
    ("How do I train a model?", expected("How do I train a model?")),
    ("  two   blanks ", expected("two blanks", "two   blanks")),
    ("don't panic", expected("don't panic")),
    ("rock 'n' roll", expected("rock 'n' roll")),
    ("state-of-the-art results", expected("state-of-the-art results")),
    ("signal - noise", expected("signal noise", "signal - noise")),
    ("signal – noise", expected("signal noise", "signal – noise")),
    ("cold at -5 degrees", expected("cold at -5 degrees")),
    ("between -.5 and 3.14", expected("between -.5 and 3.14")),
    ('a 5" pipe and a 6" tube', expected('a 5" pipe and a 6" tube')),
    ('one " quote', expected("one quote", 'one " quote')),
    ("{x:1}", expected("{x:1}")),
    ("why? because!", expected("why? because!")),
    ("TO BE OR NOT TO BE", expected("TO BE OR NOT TO BE")),
    ("not now", expected("not now")),
    ("데이터베이스 연결", expected("데이터베이스 연결")),
    # identifiers
    ("what is C++", expected("what is C++", identifiers=("C++",))),
    ("net/http: timeout", expected("net/http: timeout", identifiers=("net/http",))),
    ("df.groupby agg", expected("df.groupby agg", identifiers=("df.groupby",))),
    ("ERR_CONN_RESET on start", expected("ERR_CONN_RESET on start", identifiers=("ERR_CONN_RESET",))),
    ("ticket ABC-1234", expected("ticket ABC-1234", identifiers=("ABC-1234",))),
    ("the --limit flag", expected("the --limit flag", identifiers=("--limit",))),
    (r"open C:\Users\me\a.txt", expected(r"open C:\Users\me\a.txt", identifiers=(r"C:\Users\me\a.txt",))),
    ("std::vector push", expected("std::vector push", identifiers=("std::vector",))),
    ("doi 10.1000/xyz123", expected("doi 10.1000/xyz123", identifiers=("10.1000/xyz123",))),
    ("see https://a.org/b?c=1", expected("see https://a.org/b?c=1", identifiers=("https://a.org/b?c=1",))),
    ("commit 7f3a9c2", expected("commit 7f3a9c2", identifiers=("7f3a9c2",))),
    ("%%timeit DataFrame", expected("%%timeit DataFrame", identifiers=("%%timeit", "DataFrame"))),
    # phrases
    ('"critical exponent"', expected("critical exponent", phrases=("critical exponent",))),
    (
        'sandpile "critical exponent" now',
        expected("sandpile critical exponent now", phrases=("critical exponent",)),
    ),
    ("“curly quotes” too", expected("curly quotes too", phrases=("curly quotes",))),
    ("«des guillemets»", expected("des guillemets", phrases=("des guillemets",))),
    ('"to be or not to be"', expected("to be or not to be", phrases=("to be or not to be",))),
    ('("in brackets")', expected("in brackets", "in brackets )", phrases=("in brackets",))),
    ('"two  blanks\nand lines"', expected("two blanks and lines", phrases=("two blanks and lines",))),
    ('""', expected("")),
    ('"++" x', expected("x", "++ x")),
    ('"C++" templates', expected("C++ templates", phrases=("C++",), identifiers=("C++",))),
    ('"kind:note"', expected("kind:note", phrases=("kind:note",))),
    ('"연결 풀" 포화', expected("연결 풀 포화", phrases=("연결 풀",))),
    # exclusions
    ("python -tutorial", expected("python", excluded=("tutorial",))),
    ("-draft -old plan", expected("plan", excluded=("draft", "old"))),
    ('plan -"work in progress"', expected("plan", excluded_phrases=("work in progress",))),
    ("NOT draft plan", expected("plan", excluded=("draft",))),
    ('plan NOT "first draft"', expected("plan", excluded_phrases=("first draft",))),
    ("pointers -C++", expected("pointers", excluded_identifiers=("C++",))),
    ("bugs -ABC-1234", expected("bugs", excluded_identifiers=("ABC-1234",))),
    ("join -os.path", expected("join", excluded_identifiers=("os.path",))),
    ("frames -DataFrame", expected("frames", excluded=("DataFrame",))),
    ("methods -state-of-the-art", expected("methods", excluded_phrases=("state-of-the-art",))),
    ("pane -don't", expected("pane", excluded_phrases=("don't",))),
    ("plan -draft,", expected("plan", excluded=("draft",))),
    ("-tutorial", expected("", excluded=("tutorial",))),
    ('-"one quote', expected("", excluded=("one",)) | {"words": "quote", "semantic": "quote"}),
    ("검색 -오류", expected("검색", excluded=("오류",))),
    # fields
    ("kind:note plan", expected("plan", fields=("kind:note",), scope=Scope(kinds=("note",)))),
    ("kind:note,paper", expected("", fields=("kind:note,paper",), scope=Scope(kinds=("note", "paper")))),
    ("kind:note kind:code", expected("", fields=("kind:note", "kind:code"), scope=Scope(kinds=("note", "code")))),
    ("Kind:Note plan", expected("plan", fields=("Kind:Note",), scope=Scope(kinds=("note",)))),
    (
        'tag:"deep learning",#ml x',
        expected("x", fields=('tag:"deep learning",#ml',), scope=Scope(tags=("deep learning", "ml"))),
    ),
    (
        "ns:team/a namespace:b",
        expected("", fields=("ns:team/a", "namespace:b"), scope=Scope(namespaces=("team/a", "b"))),
    ),
    (
        "lib:pandas version:2.2 merge",
        expected("merge", fields=("lib:pandas", "version:2.2"), scope=Scope(libraries=("pandas",), versions=("2.2",))),
    ),
    ("source:notes/*.md", expected("", fields=("source:notes/*.md",), scope=Scope(sources=("notes/*.md",)))),
    ("lang:KO trust:2", expected("", fields=("lang:KO", "trust:2"), scope=Scope(langs=("ko",), min_trust=2))),
    ("since:2026 x", expected("x", fields=("since:2026",), scope=Scope(since=day(2026)))),
    ("since:2026-06 x", expected("x", fields=("since:2026-06",), scope=Scope(since=day(2026, 6)))),
    ("before:2026-06-30", expected("", fields=("before:2026-06-30",), scope=Scope(before=day(2026, 6, 30)))),
    (
        "since:2026-06-30T12:30+02:00",
        expected(
            "", fields=("since:2026-06-30T12:30+02:00",), scope=Scope(since=datetime(2026, 6, 30, 10, 30, tzinfo=UTC))
        ),
    ),
    ("since:7d", expected("", fields=("since:7d",), scope=Scope(since=NOW - timedelta(days=7)))),
    ("since:yesterday", expected("", fields=("since:yesterday",), scope=Scope(since=day(2026, 2, 28)))),
    (
        "as_of:2026-02",
        expected("", fields=("as_of:2026-02",), scope=Scope(as_of=day(2026, 3) - timedelta(microseconds=1))),
    ),
    # what looks like a field and is none
    ("source: the docs", expected("source: the docs")),
    ("kind::note", expected("kind::note", identifiers=("kind::note",))),
    ("source:https://a.org", expected("source:https://a.org", identifiers=("https://a.org",))),
    ("mankind:note", expected("mankind:note")),
    ("knd:note", expected("knd:note")),
]


@pytest.mark.parametrize(("text", "parts"), TABLE, ids=[text for text, _ in TABLE])
def test_a_query_has_the_plan_a_person_expects(text: str, parts: dict[str, Any]) -> None:
    assert QueryPlan(text=text, **parts) == plan(text, now=NOW)


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("since:banana", "since:2026-06"),
        ("before:2026-13", "before:2026-06"),
        ("as_of:99999999d", "as_of:7d"),
        ("since:2026,2027", "one value"),
        ("kind:notebok", "Did you mean kind:notebook?"),
        ("kind:zzz", "document, notebook, code"),
        ("trust:9", "trust:3"),
        ("trust:high", "trust:0"),
    ],
)
def test_a_bad_value_of_a_known_field_is_words_with_a_hint_that_holds_the_cure(text: str, cure: str) -> None:
    found = plan(text, now=NOW)
    assert (text, ()) == (found.words, found.fields)
    (hint,) = found.hints
    assert cure in hint
    assert text.split(":", 1)[0] in hint


QUOTING = 'what is the type of a "module" in these languages'


def test_quotes_inside_a_sentence_cite_and_do_not_demand() -> None:
    found = plan(QUOTING, now=NOW)
    assert ((), ("module",)) == (found.phrases, found.quoted)
    assert "what is the type of a module in these languages" == found.words


def test_a_hint_says_that_the_quotes_of_a_sentence_only_prefer() -> None:
    assert ("“module”: preferred, not required, as a whole sentence stands around it.",) == plan(QUOTING, now=NOW).hints


@pytest.mark.parametrize(
    "text",
    [
        'the "gradient descent" method',
        'sandpile lattice size table "critical exponent"',  # many words, none of them of a sentence's
    ],
)
def test_a_phrase_among_keywords_is_required(text: str) -> None:
    assert () == plan(text, now=NOW).quoted


def test_mode_exact_requires_the_quoted_words_of_a_sentence_too() -> None:
    assert ("module",) == plan(QUOTING, mode="exact", now=NOW).phrases


def test_mode_exact_takes_every_literal_token_as_identifier() -> None:
    assert ("plain", "words", "C++", "--limit") == plan("plain words, C++ --limit", mode="exact", now=NOW).identifiers


def test_mode_exact_leaves_exclusions_out_of_the_identifiers() -> None:
    assert ("alpha",) == plan("alpha -beta", mode="exact", now=NOW).identifiers


@pytest.mark.parametrize("text", ["x -tag:draft", "x NOT tag:draft"])
def test_an_excluded_field_is_ignored_with_a_hint(text: str) -> None:
    found = plan(text, now=NOW)
    assert "x" == found.words
    assert any("ignored" in hint for hint in found.hints)
    assert () == found.excluded


def test_an_empty_span_of_time_is_named_in_a_hint() -> None:
    assert any("nothing can match" in hint for hint in plan("since:2026 before:2025", now=NOW).hints)


def test_the_plan_is_described_in_words() -> None:
    text = 'sandpile "critical exponent" C++ -tutorial since:2026-06'
    assert (
        "looked for sandpile critical exponent C++, as phrase “critical exponent”, exactly C++, left out tutorial, "
        "only since:2026-06"
    ) == describe(plan(text, now=NOW))


def test_a_plan_without_words_is_described_by_what_it_leaves_out() -> None:
    assert "everything but tutorial" == describe(plan("-tutorial", now=NOW))


def test_an_unwanted_word_is_told_with_the_sign_that_would_leave_it_out() -> None:
    assert (
        "What holds “garlic” is weighed down. -garlic would leave it out."
        in plan("soups without garlic", now=NOW).hints
    )


def test_mode_exact_reads_no_plain_words_as_negation() -> None:
    assert () == plan("soups without garlic", mode="exact", now=NOW).unwanted


def test_plain_negation_can_be_left_unread() -> None:
    found = plan("soups without garlic", now=NOW, plain_negation=False)
    assert ("soups without garlic", ()) == (found.words, found.unwanted)


def test_time_words_stay_words_and_suggest_a_filter() -> None:
    found = plan("plans of last week", now=NOW)
    assert ("plans of last week", Scope()) == (found.words, found.scope)
    assert any("since:2026-02-16 before:2026-02-23" in hint for hint in found.hints)


def test_suggested_fields_are_fields() -> None:
    for text in ("yesterday", "last week", "last month", "last year", "past 3 days", "since May 2025", "in May 2025"):
        (fields,) = plan(text, now=NOW).suggested
        assert Scope() != plan(fields, now=NOW).scope


def test_what_is_weighed_down_is_described() -> None:
    assert "looked for soups, weighed down garlic" == describe(plan("soups without garlic", now=NOW))


def test_of_a_pasted_document_the_first_words_are_read_and_that_is_said() -> None:
    made = plan(" ".join(f"w{number}" for number in range(3_000)), now=NOW)
    assert 1_000 == len(made.words.split())
    assert any("first 1,000 words" in hint for hint in made.hints)
    assert not plan("w1 w2", now=NOW).hints
