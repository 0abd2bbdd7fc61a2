"""The script-free HTML: what it shows, and that nothing in a text becomes markup."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from jupyter_memo.profile import Fusion
from jupyter_memo.render import html
from jupyter_memo.response import Budget, Result, SearchResponse

HOSTILE = (
    "<script>window.__xss=1</script><img src=x onerror=alert(1)> \"quoted' &amp; <b>bold</b> "
    "[go](javascript:alert(1)) \x1b[31mred\x1b[0m \u202egnp.exe \u200b</blockquote></li></ol><style>*{display:none}"
)
ALLOWED = {
    "article", "h3", "p", "strong", "code", "small", "ol", "li", "br", "bdi", "details", "summary", "meter", "table",
    "thead", "tbody", "tfoot", "tr", "th", "td", "blockquote", "pre", "mark", "dl", "dt", "dd",
}  # fmt: skip


class Outline(HTMLParser):
    """The tags and attributes of a page in order; fails where elements are not closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.stack: list[str] = []
        self.feed(page)
        self.close()
        assert [] == self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "br":
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.stack.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def with_first(response: SearchResponse, change: Callable[[Result], Result]) -> SearchResponse:
    return replace(response, results=(change(response.results[0]), *response.results[1:]))


@pytest.mark.parametrize("name", ["response", "degraded", "empty"])
def test_only_plain_elements_closed_in_order_are_used(name: str, request: pytest.FixtureRequest) -> None:
    outline = Outline(html.static(request.getfixturevalue(name)))
    assert set() == set(outline.tags) - ALLOWED


def test_no_attribute_can_run_or_load_anything(response: SearchResponse) -> None:
    allowed = {"align", "cellpadding", "class", "dir", "open", "start", "style", "title", "value"}
    assert set() == {name for name, _ in Outline(html.static(response)).attributes} - allowed


def test_hostile_text_stays_text_wherever_it_stands(response: SearchResponse) -> None:
    def poison(result: Result) -> Result:
        passage = replace(result.passage, uri=HOSTILE, header=(HOSTILE, HOSTILE), text=HOSTILE)
        why = result.why
        assert why is not None
        arms = tuple(replace(vote, matched_terms=(HOSTILE,)) for vote in why.arms)
        return replace(result, passage=passage, snippet=HOSTILE, marks=((0, 30),), why=replace(why, arms=arms))

    trace = response.trace
    bad = replace(
        with_first(response, poison),
        query=HOSTILE,
        hints=(HOSTILE,),
        filters=(HOSTILE,),
        trace=replace(
            trace,
            profile=HOSTILE,
            model=HOSTILE,
            plan=HOSTILE,
            stages=tuple(replace(stage, note=HOSTILE) for stage in trace.stages),
            filters=tuple(replace(entry, predicate=HOSTILE) for entry in trace.filters),
        ),
    )
    page = html.static(bad)
    outline = Outline(page)
    assert set() == set(outline.tags) - ALLOWED
    assert not {"\x1b", "\u202e", "\u200b"} & set(page)
    assert any("<script>window.__xss=1</script>" in text for text in outline.texts)


def test_code_is_treated_as_code_and_prose_as_prose(response: SearchResponse) -> None:
    page = html.static(response)
    assert 2 == page.count("<pre")
    assert "flow</mark>, prior, action, kappa):\n    # the loss" in page


def test_matched_words_are_marked(response: SearchResponse) -> None:
    assert "<mark>kappa_c</mark> = 0.2755, while <mark>HMC</mark>" in html.static(response)


def test_marks_that_do_not_fit_the_snippet_are_left_out(response: SearchResponse) -> None:
    odd = with_first(response, lambda result: replace(result, snippet="short", marks=((2, 1), (0, 2), (1, 3), (4, 99))))
    assert "<mark>sh</mark>ort</blockquote>" in html.static(odd)


def test_reasons_are_closed_unless_asked_for(response: SearchResponse) -> None:
    assert 0 == html.static(response).count("<details open>")
    assert len(response) == html.static(replace(response, open_why=True)).count("<details open>")


def test_exclusions_and_fields_stand_in_the_code_face(response: SearchResponse) -> None:
    assert "near kappa_c <code>-tutorial</code> <code>since:2026-06</code></h3>" in html.static(response)


def test_a_second_page_goes_on_counting(response: SearchResponse) -> None:
    second = replace(response, offset=10, results=tuple(replace(r, rank=r.rank + 10) for r in response.results))
    page = html.static(second)
    assert "<ol start=11>" in page
    assert "<strong>11–17 of 44</strong>" in page


def test_the_ledger_is_headed_by_the_formula_of_its_scale(response: SearchResponse) -> None:
    assert "<th>weight ÷ (60 + rank)</th>" in html.static(response)
    minmax = replace(response, score_scale="minmax")
    assert "<th>weight × (raw − low) ÷ (high − low)</th>" in html.static(minmax)
    evidence = replace(response, score_scale="evidence")
    assert "<th>weight × evidence</th>" in html.static(evidence)


def test_another_k_is_read_off_the_votes(response: SearchResponse) -> None:
    def with_k(result: Result) -> Result:
        assert result.why is not None
        fusion = Fusion(k=10)
        arms = tuple(
            replace(vote, contribution=vote.weight / (fusion.k + vote.rank) if vote.rank else 0.0)
            for vote in result.why.arms
        )
        return replace(result, why=replace(result.why, arms=arms))

    page = html.static(replace(response, results=tuple(map(with_k, response.results))))
    assert "<th>weight ÷ (10 + rank)</th>" in page
    assert "<td>0.50 ÷ 11</td>" in page


def test_votes_of_several_phrasings_show_their_weight_only(response: SearchResponse) -> None:
    def doubled(result: Result) -> Result:
        assert result.why is not None
        arms = tuple(replace(vote, contribution=vote.contribution * 1.37) for vote in result.why.arms)
        return replace(result, why=replace(result.why, arms=arms))

    assert "<th>weight</th>" in html.static(with_first(response, doubled))


def test_a_list_without_scores_has_no_bars_and_no_bands(response: SearchResponse) -> None:
    page = html.static(replace(response, score_scale="none", mode_effective="filter_only"))
    assert "<meter" not in page
    assert "Out[7]</bdi>\n<br>notebook · 11 days ago" in page


def test_the_end_of_the_list_says_why_with_two_numbers(response: SearchResponse) -> None:
    assert (
        "The list ends here: the next result scores 0.0066, 67\u202f% below result 7 (limit: 50\u202f%), and only "
        "keyword supports the rest. To shorten the list: <code>kind:notebook</code> would leave 9 of 44."
    ) in html.static(response)


def test_what_the_limit_and_the_budget_left_out_is_said(response: SearchResponse) -> None:
    trace = replace(response.trace, cutoff=None, budget=Budget(max_tokens=2000, used_tokens=1990, left_out=3))
    page = html.static(replace(response, trace=trace, truncated=37))
    assert "3 more did not fit the budget of 2\u202f000 tokens. 34 more follow from offset 7 on." in page


def test_an_empty_list_says_why_where_and_what_next(empty: SearchResponse) -> None:
    page = html.static(empty)
    assert "<strong>no result</strong> · hybrid" in page
    assert "<dt>Why</dt><dd>Nothing in this index answers this: no word of it was found" in page
    assert "<dt>Looked in</dt><dd>5\u202f022 of 18\u202f412 passages</dd>" in page
    assert "<dt>Next</dt><dd>Try words these notes would use, or index more.</dd>" in page


def test_a_degraded_search_says_what_is_missing(degraded: SearchResponse) -> None:
    page = html.static(degraded)
    assert "<strong>2 of 2</strong> · without semantic · 9\u202fms" in page
    assert "<p><strong>Searched without the semantic arm.</strong> all-MiniLM-L6-v2 is still loading." in page
    assert "Nothing called for fact, entity and graph: nothing of that kind is extracted by this version." in page


def test_a_flat_page_is_named_with_its_range(response: SearchResponse) -> None:
    flat = replace(response, shape=replace(response.shape, flat_page=True))
    assert "<strong>A flat page.</strong> The 7 cosines lie between 0.28 and 0.67" in html.static(flat)


def test_every_stage_and_arm_stands_in_the_trace(response: SearchResponse) -> None:
    page = html.static(response)
    made = page[page.index("How this list was made") :]
    names = ("plan", "scope", "keyword", "graph", "fusion", "abstain", "budget")
    order = [made.index(f">{name}</th>") for name in names]
    assert sorted(order) == order
    assert ">not archive: or agent:</th><td>\u22122\u202f214</td><td>5\u202f022</td>" in made


def test_an_idle_arm_has_no_numbers_but_a_reason(degraded: SearchResponse) -> None:
    page = html.static(degraded)
    assert ">semantic</th><td>–</td><td>–</td><td style=text-align:left>did not run: all-MiniLM-L6-v2 is" in page


def test_no_line_is_blank_so_that_markdown_takes_all_of_it_as_html(response: SearchResponse) -> None:
    text = "def a():\n\n    x = 1\n \t\n\n[b](c)"

    def program(result: Result) -> Result:
        return replace(result, passage=replace(result.passage, code=True), snippet=text, marks=())

    page = html.static(with_first(response, program))
    assert [] == [line for line in page.split("\n") if not line.strip()]
    assert text in unescape(page)


def test_a_dollar_sign_is_no_formula(response: SearchResponse) -> None:
    assert html.static(response).startswith("<article class='tex2jax_ignore mathjax_ignore'>")
