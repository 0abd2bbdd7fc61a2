"""The reference of a run: BM25, one vector a document by the same model, and plain RRF of the two.

It reads nothing of the index, so that a fault in the engine cannot hide in it. BM25 is that of bm25s over title and
text: k1 1.2, b .75, Lucene's form, its English stop words out (33 of them), English Snowball stems; Chinese, Japanese
and Korean text as bigrams. It counts over the whole corpus; a group is taken before the first hundred are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jupyter_memo.errors import MissingExtraError
from jupyter_memo.evaluate.measures import Run
from jupyter_memo.evaluate.sets import EvaluationSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jupyter_memo.models import Embedder

NAME = "reference"
"""The name of the fused run; the single arms are called bm25 and dense."""

DEPTH = 100
RRF_K = 60
K1, B = 1.2, 0.75
BATCH = 256

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")


def bm25(evaluated: EvaluationSet) -> Run:
    """The first hundred documents of each judged question by BM25.

    Raises MissingExtraError without bm25s and PyStemmer.
    """
    try:
        import bm25s
        import Stemmer
        from bm25s.stopwords import STOPWORDS_EN
    except ImportError as error:
        raise MissingExtraError("bm25s or PyStemmer", "evaluate") from error
    stemmer, stop = Stemmer.Stemmer("english"), frozenset(STOPWORDS_EN)
    texts = [_tokens(document.whole, stemmer, stop) for document in evaluated.documents]
    nothing = np.zeros(len(texts), np.float32)
    index = bm25s.BM25(k1=K1, b=B, method="lucene")
    if any(texts):
        index.index(texts, show_progress=False)

    def scores(text: str) -> NDArray[np.float32]:
        known = [token for token in _tokens(text, stemmer, stop) if token in index.vocab_dict] if any(texts) else []
        row: NDArray[np.float32] = index.get_scores(known) if known else nothing
        return row

    return _best(evaluated, [scores(question.text) for question in evaluated.judged], above=0.0)


def dense(evaluated: EvaluationSet, embedder: Embedder, vectors: NDArray[np.float32]) -> Run:
    """The first hundred documents of each judged question by cosine; `vectors` are unit rows (documents, dim)."""
    asked = embedder.encode_queries([question.text for question in evaluated.judged])
    return _best(evaluated, asked @ vectors.T)


def document_vectors(evaluated: EvaluationSet, embedder: Embedder) -> NDArray[np.float32]:
    """One unit vector a document, of title and text: float32 (documents, dim)."""
    texts = [document.whole for document in evaluated.documents]
    rows = [embedder.encode_passages(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
    return np.concatenate(rows) if rows else np.zeros((0, embedder.dim), np.float32)


def rrf(*runs: Run) -> Run:
    """Reciprocal rank fusion with equal weights: the sum of 1 / (60 + rank), Cormack, Clarke and Büttcher 2009."""
    fused: dict[str, dict[str, float]] = {}
    for run in runs:
        for question, scores in run.items():
            into = fused.setdefault(question, {})
            for rank, document in enumerate(sorted(scores, key=lambda id: (-scores[id], id)), 1):
                into[document] = into.get(document, 0.0) + 1 / (RRF_K + rank)
    return fused


def _tokens(text: str, stemmer: Any, stop: frozenset[str]) -> list[str]:
    tokens: list[str] = []
    for token in _TOKEN.findall(text.lower()):
        if token in stop:
            continue
        if not _IS_CJK.match(token):
            tokens.append(stemmer.stemWord(token))
        elif len(token) == 1:
            tokens.append(token)
        else:
            tokens += [token[at : at + 2] for at in range(len(token) - 1)]
    return tokens


def _best(
    evaluated: EvaluationSet, rows: Sequence[NDArray[np.float32]] | NDArray[np.float32], above: float = -np.inf
) -> Run:
    """Of each row of scores the first hundred documents of the question's group; ties in the corpus' order."""
    ids = [document.id for document in evaluated.documents]
    blank = np.array([not document.whole for document in evaluated.documents], bool)
    groups = np.array([document.group for document in evaluated.documents])
    run: dict[str, Mapping[str, float]] = {}
    for question, row in zip(evaluated.judged, rows, strict=True):
        outside = blank | (groups != question.group) if question.group else blank
        scores = np.where(outside, -np.inf, row)
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        run[question.id] = {ids[at]: float(scores[at]) for at in best if scores[at] > above}
    return run
