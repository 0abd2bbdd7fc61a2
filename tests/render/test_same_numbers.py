"""One response, three forms, the same numbers; and what is printed adds up."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

import pytest

from jupyter_memo import wire
from jupyter_memo.render import html, ledger, numbers, text
from jupyter_memo.response import Result, SearchResponse, Weight

_ROW = re.compile(r"<tr>(.*?)</tr>")
_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>")


def html_ledgers(page: str) -> list[list[tuple[str, ...]]]:
    """The rows of each result's table, without its head."""
    found = []
    for item in page.split("<li>")[1:]:
        table = item[item.index("<table") : item.index("</table>")]
        found.append([tuple(_CELL.findall(row)) for row in _ROW.findall(table)][1:])
    return found


def text_ledgers(page: str) -> list[list[tuple[str, ...]]]:
    """The same from plain text with open reasons; empty cells are not there."""
    found = []
    for block in page.split("\n\n"):
        lines = block.split("\n")
        heads = [at for at, line in enumerate(lines) if re.match(r"\s+arm\s+rank\s+raw", line)]
        for head in heads:
            end = next(at for at in range(head, len(lines)) if lines[at].split()[:1] == ["score"])
            found.append([tuple(re.split(r"\s{2,}", line.strip())) for line in lines[head + 1 : end + 1]])
    return found


def test_html_and_text_show_the_same_rows(response: SearchResponse) -> None:
    opened = replace(response, open_why=True)
    rows = [[tuple(filter(None, row)) for row in rows] for rows in html_ledgers(html.static(opened))]
    assert len(response) == len(rows)
    assert rows == text_ledgers(text.plain(opened))


def test_rows_are_the_numbers_of_the_json(response: SearchResponse) -> None:
    data = wire.to_dict(response)
    for shown, result in zip(html_ledgers(html.static(response)), data["results"], strict=True):
        votes = {row[0]: row for row in shown}
        for vote in result["why"]["arms"]:
            row = votes[vote["arm"]]
            assert ("–" if vote["rank"] is None else str(vote["rank"])) == row[1]
            assert numbers.raw(vote["raw"], vote["raw_kind"]) == row[2]
            assert abs(vote["contribution"] - float(row[5])) <= 1.5e-5
        assert numbers.fixed(result["score"], 5) == votes["score"][5]


def test_the_score_of_the_list_is_the_same_in_all_three(response: SearchResponse) -> None:
    scores = [numbers.score(result["score"], "rrf") for result in wire.to_dict(response)["results"]]
    assert scores == re.findall(r"</meter> (\d\.\d{4}) ·", html.static(response))
    assert scores == re.findall(r"^ \d  .*?(\d\.\d{4})$", text.plain(response), re.MULTILINE)


def test_arm_letters_are_the_same_in_html_and_text(response: SearchResponse) -> None:
    in_html = re.findall(r"ago · ([A-Z0-9 ]+)</summary>", html.static(response))
    lines = re.findall(r"^    ((?:[KXSFEG·]\d*\s+)+)", text.plain(response), re.MULTILINE)
    assert in_html == [" ".join(line.replace("·", "").split()) for line in lines[: len(in_html)]]


@pytest.mark.parametrize("name", ["response", "degraded"])
def test_printed_contributions_add_up_to_the_printed_score(name: str, request: pytest.FixtureRequest) -> None:
    response: SearchResponse = request.getfixturevalue(name)
    for result in response:
        entry = ledger.ledger(result, response)
        assert entry is not None
        assert_adds_up(entry)


def assert_adds_up(entry: ledger.Ledger) -> None:
    total = sum((Decimal(line.value) for line in entry.votes), Decimal(0))
    assert Decimal(entry.fused or entry.score) == total
    base = Decimal(entry.rerank or entry.fused or entry.score)
    for line in entry.weights:
        base *= Decimal(line.value.removeprefix("×"))
    score = Decimal(entry.score)
    assert score == base.quantize(score, rounding=ROUND_HALF_UP)


def reranked(result: Result) -> Result:
    assert result.why is not None
    final = round(0.9137 * 0.97277, 9)
    weight = Weight(name="age", factor=0.97277, detail="19 days old, note")
    why = replace(result.why, rerank=0.9137, final=final, weights=(weight,))
    return replace(result, score=final, why=why)


def test_after_a_rerank_the_votes_add_up_to_fused_and_the_rerank_to_the_score(response: SearchResponse) -> None:
    changed = replace(response, score_scale="rerank", results=tuple(map(reranked, response.results)))
    entry = ledger.ledger(changed.results[2], changed)
    assert entry is not None
    assert ("0.02906", "0.9137", "0.8888") == (entry.fused, entry.rerank, entry.score)
    assert Decimal(entry.fused) == sum(Decimal(line.value) for line in entry.votes)
    assert "weight ÷ (60 + rank)" == entry.formula


def test_a_source_weight_says_its_reason(response: SearchResponse) -> None:
    result = response.results[0]
    assert result.why is not None
    weight = Weight(name="source", factor=0.5, detail="evergreen")
    final = round(result.why.fused * 0.5, 9)
    changed = replace(result, score=final, why=replace(result.why, weights=(weight,), final=final))
    entry = ledger.ledger(changed, response)
    assert entry is not None
    assert ("source", "evergreen", "×0.5000") == (entry.weights[0].name, entry.weights[0].unit, entry.weights[0].value)
    assert_adds_up(entry)
