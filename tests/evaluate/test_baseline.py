from __future__ import annotations

import math
import sys

import pytest

from jupyter_memo.errors import MissingExtraError
from jupyter_memo.evaluate import baseline, sets


def test_bm25_is_lucenes_formula_over_title_and_text(written):
    documents = {"a": {"title": "Tides", "text": "of the harbour"}, "b": "harbour harbour wall", "c": "unrelated"}
    (read,) = sets.read(written("plain", documents, {"q": "the tide"}, [("q", "a", 1)]))
    # Stop words are out: lengths 2, 3, 1 with mean 2; "tide" stands in one of three documents, once.
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    score = idf * 1 / (1 + 1.2 * (0.25 + 0.75 * 2 / 2))
    assert {"q": {"a": pytest.approx(score, rel=1e-5)}} == baseline.bm25(read)


def test_bm25_reads_chinese_in_bigrams(written):
    (read,) = sets.read(written("plain", {"a": "黑豹队的防守", "b": "天气很好"}, {"q": "防守"}, [("q", "a", 1)]))
    assert {"a"} == baseline.bm25(read)["q"].keys()


def test_a_question_without_a_known_word_finds_nothing(written):
    (read,) = sets.read(written("plain", {"a": "x"}, {"q": "zebra"}, [("q", "a", 1)]))
    assert {"q": {}} == baseline.bm25(read)


@pytest.mark.parametrize("arm", ["bm25", "dense"])
def test_a_group_is_asked_alone(written, embedder, arm):
    def entry(text, group):
        return {"text": text, "meta": {"group": group}}

    documents = {"a": entry("red kite", "g1"), "b": entry("red kite kite", "g2")}
    (read,) = sets.read(written("plain", documents, {"q": entry("red kite", "g1")}, [("q", "a", 1)]))
    run = (
        baseline.bm25(read)
        if arm == "bm25"
        else baseline.dense(read, embedder, baseline.document_vectors(read, embedder))
    )
    assert ["a"] == list(run["q"])


def test_dense_is_the_cosine_of_one_vector_a_document(written, embedder):
    (read,) = sets.read(written("plain", {"a": "red kite", "b": "blue whale"}, {"q": "red kite"}, [("q", "a", 1)]))
    run = baseline.dense(read, embedder, baseline.document_vectors(read, embedder))
    assert pytest.approx(1.0, abs=1e-6) == run["q"]["a"]
    assert run["q"]["b"] < 1


def test_a_document_without_text_is_never_found(written, embedder):
    (read,) = sets.read(written("plain", {"a": "", "b": "x"}, {"q": "x"}, [("q", "b", 1)]))
    assert ["b"] == list(baseline.dense(read, embedder, baseline.document_vectors(read, embedder))["q"])


def test_rrf_sums_one_over_sixty_plus_the_rank():
    fused = baseline.rrf({"q": {"a": 9.0, "b": 1.0}}, {"q": {"b": 0.5, "c": 0.1}})
    assert {"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62} == fused["q"]


def test_without_bm25s_the_error_names_the_extra(monkeypatch, written):
    (read,) = sets.read(written("plain", {"a": "x"}, {"q": "x"}, [("q", "a", 1)]))
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jupyter_memo\[evaluate\]'"):
        baseline.bm25(read)
