"""Mime bundles: their forms, their size, and what gives way where a bundle is too large."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from jupyter_memo import wire
from jupyter_memo.engine import Memo
from jupyter_memo.jupyter import display
from jupyter_memo.records import Span
from jupyter_memo.response import Folded, SearchResponse

GOLDEN = Path(__file__).parent.parent / "golden"


def size(bundle: dict) -> int:
    """What an output adds to the file of a notebook, as Jupyter writes it."""
    with_it, without = (
        nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", data)])]
        )
        for data in (bundle, {})
    )
    return len(nbformat.writes(with_it).encode()) - len(nbformat.writes(without).encode())


def ten(response: SearchResponse) -> SearchResponse:
    return replace(response, results=(*response.results, *response.results[:3]))


def test_a_bundle_has_three_forms_and_no_widget(response: SearchResponse) -> None:
    assert [display.MIME, "text/html", "text/plain"] == list(response._repr_mimebundle_())


def test_the_json_of_a_bundle_reads_back(response: SearchResponse) -> None:
    data = response._repr_mimebundle_()[display.MIME]
    assert "snippets" == data["text"]
    assert response.query == wire.loads(json.dumps(data)).query


def test_ten_results_of_six_arms_stay_below_sixty_kilobytes_with_all_reasons(response: SearchResponse) -> None:
    bundle = display.bundle(ten(response))
    assert size(bundle) < 60_000
    assert 10 == sum("why" in each for each in bundle[display.MIME]["results"])


def test_ten_results_as_they_are_scored_by_default_stay_below_it_with_nothing_cut() -> None:
    evidence = wire.loads((GOLDEN / "evidence.json").read_text(encoding="utf-8"))
    bundle = display.bundle(ten(evidence))
    assert size(bundle) < 60_000
    assert not any("cut" in hint for hint in bundle[display.MIME]["hints"])


@pytest.mark.slow
def test_ten_results_over_real_notebooks_stay_below_sixty_kilobytes_as_saved(memo: Memo, shared_data: Path) -> None:
    memo.index(shared_data / "notebooks")
    for query in ("how is the posterior sampled", "def forward(self, x)", "kind:notebook tf.data.Dataset", "loss"):
        response = memo.search(query, limit=10)
        bundle = display.bundle(response)
        assert 10 == len(response.results)
        assert size(bundle) < 60_000
        assert 10 == bundle["text/html"].count("contribution</th>")


def test_the_texts_of_passages_cost_a_bundle_nothing(response: SearchResponse) -> None:
    long = tuple(replace(r, passage=replace(r.passage, text="word " * 20_000)) for r in response.results)
    assert size(display.bundle(response)) == size(display.bundle(replace(response, results=long)))


def test_long_snippets_are_cut_and_the_cut_is_said_in_every_form(response: SearchResponse) -> None:
    long = tuple(replace(r, snippet="word " * 20_000, marks=((0, 4), (9_000, 9_004))) for r in response.results)
    bundle = display.bundle(replace(response, results=long))
    assert size(bundle) < 60_000
    said = "Texts were cut to 600 characters to keep this notebook small; the result in memory is whole."
    assert [said] == bundle[display.MIME]["hints"]
    assert said in bundle["text/html"]
    assert said in " ".join(bundle["text/plain"].split())
    assert [[0, 4]] == bundle[display.MIME]["results"][0]["marks"]


def test_a_huge_text_anywhere_cannot_make_a_bundle_huge(response: SearchResponse) -> None:
    huge = "x" * 1_000_000
    result = response.results[0]
    assert result.why is not None
    votes = tuple(replace(vote, matched_terms=(huge,) * 100) for vote in result.why.arms)
    passage = replace(result.passage, uri=huge, header=(huge,) * 60, tags=(huge,), namespace=huge)
    bad = replace(result, passage=passage, why=replace(result.why, arms=votes))
    assert size(display.bundle(replace(response, query=huge, results=(bad,), terms=(huge,), hints=(huge,)))) < 60_000


def test_the_html_loses_its_reasons_before_snippets_are_cut_to_a_line() -> None:
    response = wire.loads((GOLDEN / "evidence.json").read_text(encoding="utf-8"))
    marks = tuple((at, at + 1) for at in range(0, 32, 2))
    marked = tuple(replace(r, snippet="word " * 40, marks=marks) for r in ten(response).results)
    bundle = display.bundle(replace(response, results=marked))
    data = bundle[display.MIME]
    assert size(bundle) < 60_000
    assert (0, 1) == (bundle["text/html"].count("contribution</th>"), bundle["text/html"].count(display.ELSEWHERE))
    assert all("why" in each and each["snippet"] == "word " * 40 for each in data["results"])
    assert [] == [hint for hint in data.get("hints", ()) if "cut" in hint or hint == display.ELSEWHERE]


def test_what_stands_around_a_passage_gives_way_before_snippets_and_keeps_what_is_next_to_it() -> None:
    response = wire.loads((GOLDEN / "evidence.json").read_text(encoding="utf-8"))
    around = {"before": "far " * 100 + "near", "after": "near " + "far " * 100}
    results = tuple(replace(r, snippet="word " * 40, marks=(), **around) for r in ten(response).results)
    saved = display.bundle(replace(response, results=results))[display.MIME]["results"]
    assert {"word " * 40} == {each["snippet"] for each in saved}
    assert [True] * 10 == [each["before"].endswith("near") and each["after"].startswith("near") for each in saved]
    assert max(len(each[side]) for each in saved for side in around) <= 150


@pytest.mark.parametrize(("each", "results"), [(99, 1), (10, 10), (1, 10)])
def test_many_copies_cannot_make_a_bundle_huge(response: SearchResponse, each: int, results: int) -> None:
    below = Folded(
        id="f" * 16, uri="archive/2024/" * 4, title="Growth", span=Span(), score=0.1, likeness=0.95, own=("4711",) * 3
    )
    many = replace(response, results=tuple(replace(r, folded=(below,) * each) for r in ten(response).results[:results]))
    bundle = display.bundle(many)
    assert size(bundle) < 60_000
    kept = sum(len(result.get("folded", ())) for result in bundle[display.MIME]["results"])
    gone = each * results - kept
    assert (gone > 0) == any(f"{gone} of “more like this”" in hint for hint in bundle[display.MIME].get("hints", ()))


def test_a_page_of_a_hundred_may_be_larger_in_proportion(response: SearchResponse) -> None:
    many = replace(response, results=(response.results * 15)[:100])
    bundle = display.bundle(many)
    assert size(bundle) < 600_000
    assert 100 == bundle["text/html"].count("<li>")


def test_a_shortened_response_still_follows_the_schema(response: SearchResponse) -> None:
    import jsonschema

    short = wire.to_dict(display.shortened(response, 80, why=False), "snippets")
    jsonschema.Draft202012Validator(wire.schema()).validate(short)
