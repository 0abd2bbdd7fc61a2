"""Citations: what they name, how they are escaped, and that their keys stay."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import accumulate

import jsonschema
import pytest

from jupyter_memo.errors import QueryError
from jupyter_memo.records import Span
from jupyter_memo.response import Result, SearchResponse

ESSENTIALS = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["type", "id", "title"],
        "additionalProperties": False,
        "properties": {
            "id": {"type": ["string", "number"]},
            "type": {
                "enum": [
                    "article", "article-journal", "article-magazine", "article-newspaper", "bill", "book", "broadcast",
                    "chapter", "classic", "collection", "dataset", "document", "entry", "figure", "graphic", "hearing",
                    "interview", "legal_case", "legislation", "manuscript", "map", "pamphlet", "paper-conference",
                    "patent", "personal_communication", "post", "post-weblog", "report", "review", "software", "song",
                    "speech", "standard", "thesis", "treaty", "webpage",
                ],
            },
            **{
                name: {"type": "string"}
                for name in ("title", "genre", "URL", "archive_location", "section", "language", "source", "note")
            },
            **{name: {"type": ["string", "number"]} for name in ("locator", "page")},
            **{
                name: {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "date-parts": {
                            "type": "array",
                            "minItems": 1,
                            "maxItems": 2,
                            "items": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "number"}},
                        }
                    },
                }
                for name in ("issued", "accessed")
            },
        },
    },
}  # fmt: skip
"""The part of the published csl-data schema that these items use."""


def first(response: SearchResponse, **passage: object) -> Result:
    result = response.results[0]
    return replace(result, passage=replace(result.passage, **passage))  # type: ignore[arg-type]


def keys(bibtex: str) -> list[str]:
    return re.findall(r"^@misc\{(.*),$", bibtex, re.MULTILINE)


def test_markdown_names_title_path_place_index_and_day(response: SearchResponse) -> None:
    line = first(
        response, uri="nb/fit.ipynb", header=("Fits", "Width"), span=Span(cell=11, execution_count=7, start_line=1)
    ).cite(index_version=412, accessed=date(2026, 11, 29))
    assert line.startswith("- **Width**. `nb/fit.ipynb`, Fits, cell 12 · In\\[7\\]. ")
    assert line.endswith("jupyter\\_memo index 412, accessed 2026-11-29.")


def test_a_response_fills_in_index_version_and_day(response: SearchResponse) -> None:
    assert len(response) == response.cite().count(f"index {response.trace.index_version}, accessed 2026-11-29")


def test_only_the_asked_ranks_are_cited(response: SearchResponse) -> None:
    assert [2, 2] == [len(json.loads(response.cite("csl", ranks))) for ranks in ((1, 3), iter((1, 3)))]


def test_csl_items_are_valid(response: SearchResponse) -> None:
    items = json.loads(response.cite("csl"))
    jsonschema.Draft202012Validator(ESSENTIALS).validate(items)
    assert len(response) == len(items)
    assert [2026, 11, 29] == items[0]["accessed"]["date-parts"][0]


def test_a_page_is_a_page_in_every_style(response: SearchResponse) -> None:
    result = first(response, kind="paper", uri="papers/cho.pdf", span=Span(page=4))
    assert ", p. 4." in result.cite()
    assert "  pages = {4},\n" in result.cite("bibtex")
    assert "4" == json.loads(result.cite("csl"))[0]["page"]


def test_bibtex_is_escaped_and_its_braces_balance(response: SearchResponse) -> None:
    hostile = '50% of {A_b} & $x$ #1 ~ ^ \\input{x} } <b> "q" @comment|'
    entry = first(response, header=(hostile,), uri="a_b/50%{.md").cite("bibtex")
    assert r"50\% of \textbraceleft{}A\_b\textbraceright{} \& \$x\$ \#1 \textasciitilde{}" in entry
    assert r"\textbackslash{}input" in entry
    assert r"howpublished = {a\_b/50\%\textbraceleft{}.md}" in entry
    assert entry.count("{") == entry.count("}")
    depths = list(accumulate({"{": 1, "}": -1}.get(sign, 0) for sign in entry))
    assert 1 <= min(depths[entry.index("{") : -1])


def test_keys_are_unique_and_do_not_depend_on_rank_or_place(response: SearchResponse) -> None:
    found = keys(response.cite("bibtex"))
    assert len(set(found)) == len(found) == len(response)
    turned = replace(response, results=tuple(reversed(response.results)))
    assert found == keys(turned.cite("bibtex"))[::-1]
    moved = first(response, span=Span(start_line=900))
    assert found[0] == keys(moved.cite("bibtex"))[0]
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*-[0-9a-f]{8}", key) for key in found)


def test_a_record_of_a_bibliography_keeps_its_key_and_has_one_entry(response: SearchResponse) -> None:
    record = first(response, kind="paper", surface="memory", uri="cho2014:gru", span=Span(page=3))
    second = replace(record, rank=2, passage=replace(record.passage, id="f" * 16, span=Span(page=9)))
    both = replace(response, results=(record, second))
    assert ["cho2014:gru"] == keys(both.cite("bibtex"))
    assert "  pages = {3, 9},\n" in both.cite("bibtex")


def test_no_folder_of_this_machine_is_cited(response: SearchResponse) -> None:
    for style in ("markdown", "bibtex", "csl"):
        told = first(response, uri="/home/ada/secret/a.md").cite(style)  # type: ignore[arg-type]
        assert "ada" not in told
        assert "a.md" in told


def test_markdown_of_a_hostile_title_stays_text(response: SearchResponse) -> None:
    line = first(response, header=("[x](javascript:1) <img src=x>\n# **b**",), uri="a`b.md").cite()
    assert r"\[x\](javascript:1) \<img src=x\> \# \*\*b\*\*" in line
    assert "``a`b.md``" in line
    assert "\n" not in line


def test_an_unknown_style_names_the_styles(response: SearchResponse) -> None:
    with pytest.raises(QueryError, match="markdown, bibtex, csl"):
        response.cite("apa")  # type: ignore[arg-type]


REFERENCE = (
    "Jürgen Müller, Anna van der Berg and others (2011). Reviews of Rivers\n\n"
    "volume: 83\nnumber: 2\npages: 1–9\ndoi: 10.1000/a_b\nurl: https://example.org/a_b\nkey: {key} (article)\n\nWords."
)


def cited(response: SearchResponse, text: str = REFERENCE, key: str = "weir9", **passage: object) -> Result:
    """A passage of a .bib file."""
    told: dict[str, object] = {
        "kind": "paper", "uri": "notes/refs.bib", "header": ("Weirs in spate",), "text": text.replace("{key}", key),
        "span": Span(key=key, start_line=3, end_line=9), "created_at": datetime(2011, 1, 1, tzinfo=UTC),
    }  # fmt: skip
    return first(response, **(told | passage))


def test_a_reference_in_bibtex_is_an_entry_of_what_it_refers_to(response: SearchResponse) -> None:
    assert (
        "@article{weir9,\n"
        "  author = {Jürgen Müller and Anna van der Berg and others},\n"
        "  title = {{Weirs in spate}},\n"
        "  volume = {83},\n"
        "  number = {2},\n"
        "  pages = {1--9},\n"
        "  journal = {Reviews of Rivers},\n"
        "  year = {2011},\n"
        "  doi = {10.1000/a_b},\n"
        "  url = {https://example.org/a_b},\n"
        "}"
    ) == cited(response).cite("bibtex")


def test_a_reference_in_csl_is_an_item_of_what_it_refers_to(response: SearchResponse) -> None:
    assert {
        "id": "weir9",
        "type": "article-journal",
        "title": "Weirs in spate",
        "author": [{"literal": "Jürgen Müller"}, {"literal": "Anna van der Berg"}],
        "issued": {"date-parts": [[2011]]},
        "container-title": "Reviews of Rivers",
        "volume": "83",
        "issue": "2",
        "page": "1–9",
        "DOI": "10.1000/a_b",
        "URL": "https://example.org/a_b",
    } == json.loads(cited(response).cite("csl"))[0]


def test_a_reference_in_markdown_names_its_people_and_where_it_was_found(response: SearchResponse) -> None:
    assert (
        "- Jürgen Müller, Anna van der Berg et al. (2011). **Weirs in spate**. *Reviews of Rivers*, 83(2), pp. 1–9. "
        "doi:10.1000/a\\_b. `https://example.org/a_b`. `notes/refs.bib`, weir9 · L3–9. jupyter\\_memo index 412, "
        "accessed 2026-11-29."
    ) == cited(response).cite(index_version=412, accessed=date(2026, 11, 29))


def test_month_and_day_of_a_reference_are_told_where_it_has_them(response: SearchResponse) -> None:
    dated = cited(response, created_at=datetime(2011, 3, 5, tzinfo=UTC))
    assert "  month = {3},\n  day = {5},\n" in dated.cite("bibtex")
    assert [[2011, 3, 5]] == json.loads(dated.cite("csl"))[0]["issued"]["date-parts"]
    assert "(2011-03-05)" in dated.cite()


@pytest.mark.parametrize(
    ("key", "held"),
    [("2011-a", "2011-a"), ("a_b/c:d", "a_b/c:d"), ("größe, 2 {x}", "groe-2-x"), ("10.1000/a#b", "10.1000/a-b")],
)
def test_the_key_of_a_reference_is_its_own_made_safe(response: SearchResponse, key: str, held: str) -> None:
    assert f"@article{{{held}," == cited(response, key=key).cite("bibtex").split("\n")[0]


def test_two_references_of_one_key_stay_two(response: SearchResponse) -> None:
    one = cited(response)
    other = cited(response, header=("Dams",), uri="b.bib", id="abcdef12" * 4)
    same = cited(response, uri="copy.bib", id="f" * 32)
    bibtex = replace(response, results=(one, other, same)).cite("bibtex")
    assert ["weir9", "weir9-abcdef12"] == re.findall(r"^@article\{(.*),$", bibtex, re.MULTILINE)


def test_a_hostile_reference_stays_text(response: SearchResponse) -> None:
    text = (
        "A } \\input{x}, B <b> (2011). J *x* } @misc{y,\n\n"
        "doi: 10.1/}\\x\nurl: javascript:alert(1)\npages: }\nkey: weir9 (misc{x)\n\nw"
    )
    for kind in ("misc{x", "comment", "article"):
        result = cited(response, text.replace("misc{x)", f"{kind})"))
        entry = result.cite("bibtex")
        assert entry.startswith(("@misc{weir9,", "@article{weir9,"))
        depths = list(accumulate({"{": 1, "}": -1}.get(sign, 0) for sign in entry))
        assert 0 == depths[-1]
        assert 1 <= min(depths[entry.index("{") : -1])
        assert "javascript" not in entry + result.cite("csl")
        assert r"\<b\>" in result.cite()
