"""What each arm does for one result, as text and HTML."""

from __future__ import annotations

import dataclasses

from jupyter_memo.render import question
from jupyter_memo.response import Ablation, SearchResponse, Without


def ablation(response: SearchResponse) -> Ablation:
    without = (Without(arm="keyword", rank=44), Without(arm="semantic", rank=None))
    one = dataclasses.replace(response, results=response.results[:1])
    return Ablation(response=one, without=without, enough=("keyword", "semantic"), last=7, same=True)


def test_the_page_says_the_ranks_without_an_arm_in_its_table_alone(response: SearchResponse) -> None:
    page = question.ablation_html(ablation(response))
    assert 1 == page.count(">44<")
    assert "would stand" not in page
    assert "Keyword and semantic together keep it among the first 7." in page


def test_the_text_says_the_ranks_without_an_arm_in_a_sentence(response: SearchResponse) -> None:
    told = " ".join(question.ablation_plain(ablation(response)).split())
    assert "Without keyword it would stand 44th; without semantic it would not be found." in told


def test_a_dollar_in_a_title_makes_no_formula_and_no_line_of_the_page_is_blank(response: SearchResponse) -> None:
    page = question.ablation_html(ablation(response))
    assert "mathjax_ignore" in page
    assert "\n\n" not in page
