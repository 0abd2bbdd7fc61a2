"""Evaluation: the figures of a profile over questions with known answers, beside a reference of the same run.

It takes a way to open a store and knows no engine. ir-measures, bm25s and PyStemmer are the extra `evaluate`.
"""

from __future__ import annotations

from jupyter_memo.evaluate.evaluation import Evaluation
from jupyter_memo.evaluate.judged import NAME as JUDGEMENTS
from jupyter_memo.evaluate.judged import judged
from jupyter_memo.evaluate.work import evaluate

__all__ = ["JUDGEMENTS", "Evaluation", "evaluate", "judged"]
