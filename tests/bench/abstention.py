"""Abstention as an index grows: python tests/bench/abstention.py DATA [--sizes 1000,20000,100000] [--questions 150]

The corpus of squad2_absent, padded with passages of made-up words whose vectors the hash embedder gives, so that the
padding answers nothing. The same questions are asked at every size, absent ones and answerable ones; each size is
calibrated by its own index run. Exits 1 when at any size more than 10 % of the absent ones are answered or more than
8 % of the answerable ones refused.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import sets
from jupyter_memo.models import load
from jupyter_memo.models.hash import HashEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAD = "zq"
"""Every made-up word begins with it, and no English one does."""

WORDS_A_PASSAGE = 60
VOCABULARY = 50_000
ANSWERED_MOST, REFUSED_MOST = 0.10, 0.08


class Padded:
    """The default model for texts, hashed words for the padding."""

    def __init__(self) -> None:
        self.model, self.hash = load("minilm"), HashEmbedder()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        return np.concatenate(
            [(self.hash if text.startswith(PAD) else self.model).encode_passages([text]) for text in texts]
        )

    def encode_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return self.model.encode_queries(texts)


def padding(count: int) -> Iterator[dict[str, str]]:
    """Passages of words drawn by Zipf's law from a made-up vocabulary."""
    rng = random.Random(7)
    vocabulary = [f"{PAD}{number:x}" for number in range(VOCABULARY)]
    weights = [1 / rank for rank in range(1, VOCABULARY + 1)]
    for number in range(count):
        yield {"id": f"pad/{number}", "text": " ".join(rng.choices(vocabulary, weights, k=WORDS_A_PASSAGE))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sizes", default="1000,20000,100000")
    parser.add_argument("--questions", type=int, default=150)
    options = parser.parse_args()
    (squad,) = sets.read(options.data / "squad2_absent")
    rng = random.Random(0)
    asked = {
        answer: rng.sample([each for each in squad.questions if each.answer == answer], options.questions)
        for answer in ("yes", "absent")
    }
    embedder, failed, held = Padded(), False, 0
    print(f"{'passages':>9} {'floor':>7} {'answered':>9} {'refused':>8} {'seconds':>8}")
    with tempfile.TemporaryDirectory() as folder, Memo.open(Path(folder) / "store", embedder=embedder) as memo:
        memo.add(list(squad.records()))
        held = memo.status().passages
        pads = padding(max(map(int, options.sizes.split(","))))
        for size in sorted(map(int, options.sizes.split(","))):
            memo.add([next(pads) for _ in range(size - held)])
            held = size
            calibration = memo.calibrate()
            began = time.perf_counter()
            empty = {
                answer: sum(not memo.search(each.text, explain=False).results for each in questions) / len(questions)
                for answer, questions in asked.items()
            }
            seconds = time.perf_counter() - began
            answered, refused = 1 - empty["absent"], empty["yes"]
            failed = failed or answered > ANSWERED_MOST or refused > REFUSED_MOST
            floor = calibration.hybrid if calibration else None
            print(f"{size:9} {floor:7.3f} {100 * answered:7.1f} % {100 * refused:6.1f} % {seconds:8.1f}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
