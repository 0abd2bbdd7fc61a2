"""Plain text: fixed columns, nothing wider than asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
import wcwidth

from jupyter_memo.render import ledger, text
from jupyter_memo.response import SearchResponse


@pytest.mark.parametrize("name", ["response", "degraded", "empty"])
@pytest.mark.parametrize("width", [40, 60, 88, 120])
def test_no_line_is_wider_than_asked(name: str, width: int, request: pytest.FixtureRequest) -> None:
    page = text.plain(request.getfixturevalue(name), width)
    assert [] == [line for line in page.split("\n") if wcwidth.width(line) > width]


def test_no_line_ends_in_white_space(response: SearchResponse) -> None:
    assert [] == [line for line in text.plain(response).split("\n") if line != line.rstrip()]


def test_a_result_stands_in_columns(response: SearchResponse) -> None:
    page = text.plain(response)
    assert (
        " 3  Why the flow loses ESS                                                        0.0283\n"
        "    notes/criticality.md › Open questions · L120–138\n"
        "      Near the critical point the flow loses ESS because reverse KL is mode-seeking:\n"
        "      half of the weight sits in the magnetisation sector it never samples. HMC is\n"
        "      slow there but not biased. Try a symmetrised prior, or anneal κ.\n"
        "    K2   ·    S1   F2   E3   ·                               strong · note · 19 days ago\n"
    ) in page


def test_the_head_says_how_many_what_ran_and_how_long(response: SearchResponse) -> None:
    lines = text.plain(response).split("\n")
    assert "why does the flow lose ESS against HMC near kappa_c -tutorial since:2026-06" == lines[0]
    assert lines[1].startswith("7 of 44 · hybrid · 33\u202fms ")
    assert lines[1].endswith("profile memo-mcp · index 212 · 3 changed files read first")


def test_long_prose_ends_in_an_ellipsis_after_three_lines(response: SearchResponse) -> None:
    long = replace(response.results[1], snippet="word " * 100)
    page = text.plain(replace(response, results=(long,)))
    assert 3 == sum(line.startswith("      word") for line in page.split("\n"))
    assert "word …\n" in page


def test_wide_characters_count_as_two_columns(response: SearchResponse) -> None:
    wide = replace(response.results[1], snippet="臨界点の近くでは流れは有効標本数を失う。" * 8)
    page = text.plain(replace(response, results=(wide,)))
    assert [] == [line for line in page.split("\n") if wcwidth.width(line) > 88]


def test_a_long_line_of_code_is_cut(response: SearchResponse) -> None:
    code = replace(response.results[3], snippet="x = " + "1" * 500)
    page = text.plain(replace(response, results=(code,)))
    assert any(line.endswith("1…") and wcwidth.width(line) == 88 for line in page.split("\n"))


def test_hostile_text_is_shown_and_has_no_effect(response: SearchResponse) -> None:
    bad = replace(response.results[0], snippet="\x1b[2Jclear \u202eevil\u202c", marks=())
    page = text.plain(replace(response, results=(bad,)))
    assert "clear [U+202E]evil[U+202C]" in page


def test_an_empty_answer_has_no_legend(empty: SearchResponse) -> None:
    page = text.plain(empty)
    assert "letter and rank" not in page
    assert "Looked in  5\u202f022 of 18\u202f412 passages" in page


def test_a_query_without_words_has_a_head_all_the_same(response: SearchResponse) -> None:
    assert text.plain(replace(response, query="  ")).startswith("(no words)\n")


def test_the_place_by_rank_fusion_says_that_age_comes_after_it(response: SearchResponse) -> None:
    def told(at: int) -> str:
        result = response.results[at]
        assert result.why is not None
        return " ".join(ledger.story(replace(result, why=replace(result.why, rrf_rank=2))))

    assert "By rank fusion alone it would stand 2nd." in told(0)
    assert "By rank fusion alone, before age, it would stand 2nd." in told(2)
