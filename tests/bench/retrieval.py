"""Words alone beside bm25s, the fused list beside the reference of the same run.

python tests/bench/retrieval.py DATA_FOLDER [--stores FOLDER]

Profile memo-mcp (weighted RRF) over five sets: the keyword arm alone must come within .02 nDCG@10 of bm25s with the
same stemmer on each, the fused list within .015 of bm25s + the same vectors + RRF 60 on the mean. Ends with 1 where it
does not. `default` is shown beside them.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from jupyter_memo.engine import Memo

SETS = ("cranfield", "nb_sections", "fastapi_en", "cosqa_dev", "memtomem_v2:en")
KEYWORD = "keyword-only+fusion.exact=0"
COLUMNS = ("bm25", KEYWORD, "dense", "reference", "memo-mcp", "default")
WORDS_MARGIN, FUSED_MARGIN = 0.02, 0.015


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--stores", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Memo.open(folder) as memo:
        found = memo.evaluate(
            *(asked.data / name for name in SETS),
            profiles=("memo-mcp", KEYWORD, "default"),
            stores=asked.stores,
            shipped=False,
        )
    table: dict[str, dict[str, float]] = {}
    for each in found.measured:
        if each.set != "mean":
            table.setdefault(each.set, {})[each.run] = each.value()
    print("| set | " + " | ".join(COLUMNS).replace(KEYWORD, "keyword") + " |\n|---|" + "--:|" * len(COLUMNS))
    for name, figures in table.items():
        print(f"| {name} | " + " | ".join(f"{figures[column]:.3f}" for column in COLUMNS) + " |")
    means = {column: statistics.mean(figures[column] for figures in table.values()) for column in COLUMNS}
    print("| mean | " + " | ".join(f"{means[column]:.3f}" for column in COLUMNS) + " |")
    short = [name for name, figures in table.items() if figures[KEYWORD] < figures["bm25"] - WORDS_MARGIN]
    if short:
        print("words alone fall short of bm25s on " + ", ".join(short))
    if means["memo-mcp"] < means["reference"] - FUSED_MARGIN:
        print("the fused list falls short of the reference on the mean")
        return 1
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
