"""200 real queries: the arithmetic of every result holds, and every form of the answer shows the same numbers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jupyter_memo import wire
from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.render import html, numbers, text
from jupyter_memo.response import SearchResponse

pytestmark = pytest.mark.slow

QUERIES = 200


@pytest.fixture(scope="module")
def answers(
    tmp_path_factory: pytest.TempPathFactory, shared_data: Path, embedder: Embedder
) -> Iterator[list[SearchResponse]]:
    folder = shared_data / "nb_sections"
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = [json.loads(line)["text"] for line in lines][:QUERIES]
    kinds = ("document", "note", "conversation")
    records = [
        {
            "id": document["id"],
            "title": document.get("title", ""),
            "text": document["text"],
            "kind": kinds[number % 3],
            "created_at": datetime(2025, 1 + number % 12, 3, tzinfo=UTC),
        }
        for number, document in enumerate(documents)
        if document["text"].strip()
    ]
    with Memo.open(tmp_path_factory.mktemp("queries"), embedder=embedder) as memo:
        memo.add(records)
        yield [memo.search(query, now=datetime(2026, 3, 1, tzinfo=UTC)) for query in queries]


def test_there_are_two_hundred_queries_with_results(answers: list[SearchResponse]) -> None:
    assert QUERIES == len(answers)
    assert QUERIES * 5 < sum(len(answer) for answer in answers)


def test_contributions_sum_to_the_fused_score(answers: list[SearchResponse]) -> None:
    for result in (result for answer in answers for result in answer):
        assert result.why is not None
        assert pytest.approx(sum(vote.contribution for vote in result.why.arms), abs=1e-9) == result.why.fused


def test_the_weights_lead_from_the_fused_to_the_final_score(answers: list[SearchResponse]) -> None:
    for result in (result for answer in answers for result in answer):
        assert result.why is not None
        score = result.why.fused
        for weight in result.why.weights:
            score *= weight.factor
        assert pytest.approx(score, abs=1e-9) == result.why.final == result.score


def test_json_gives_back_the_very_same_response(answers: list[SearchResponse]) -> None:
    for answer in answers:
        assert answer == wire.loads(wire.dumps(answer))


def test_html_and_text_show_the_score_of_every_result(answers: list[SearchResponse]) -> None:
    for answer in answers:
        page, plain = html.static(answer), text.plain(answer)
        for result in answer:
            shown = numbers.score(result.score, answer.score_scale)
            assert shown in page
            assert shown in plain


def test_scores_never_rise_down_the_list(answers: list[SearchResponse]) -> None:
    for answer in answers:
        scores = [result.score for result in answer]
        assert sorted(scores, reverse=True) == scores
