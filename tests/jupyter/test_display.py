"""Mime bundles: their forms, their size, and what gives way where a bundle is too large."""

from __future__ import annotations

import json
from dataclasses import replace

from jupyter_memo import wire
from jupyter_memo.jupyter import display
from jupyter_memo.response import SearchResponse


def size(bundle: dict) -> int:
    return len(json.dumps(bundle, ensure_ascii=False, separators=(",", ":")).encode())


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
    assert 10 == bundle["text/html"].count("contribution</th>")
    assert "hints" not in bundle[display.MIME]


def test_the_texts_of_passages_cost_a_bundle_nothing(response: SearchResponse) -> None:
    long = tuple(replace(r, passage=replace(r.passage, text="word " * 20_000)) for r in response.results)
    assert size(display.bundle(response)) == size(display.bundle(replace(response, results=long)))


def test_long_snippets_are_cut_and_the_cut_is_said_in_every_form(response: SearchResponse) -> None:
    long = tuple(replace(r, snippet="word " * 20_000, marks=((0, 4), (9_000, 9_004))) for r in response.results)
    bundle = display.bundle(replace(response, results=long))
    assert size(bundle) < 60_000
    said = "Texts were cut to 2000 characters to keep this notebook small; the result in memory is whole."
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


def test_a_page_of_a_hundred_may_be_larger_in_proportion(response: SearchResponse) -> None:
    many = replace(response, results=(response.results * 15)[:100])
    bundle = display.bundle(many)
    assert size(bundle) < 600_000
    assert 100 == bundle["text/html"].count("<li>")


def test_a_shortened_response_still_follows_the_schema(response: SearchResponse) -> None:
    import jsonschema

    short = wire.to_dict(display.shortened(response, 80, why=False), "snippets")
    jsonschema.Draft202012Validator(wire.schema()).validate(short)
