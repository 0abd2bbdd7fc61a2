"""Chunkings beside each other: python tests/bench/chunking.py DATA [--sets NAME…] [--vectors FILE]

The shipped chunking at several targets, windows of 200 words and whole files, over the same files, by the default
profile (abstention, cutoff and ageing off) and the default model, which reads a text longer than its window piece by
piece. Every chunking gets what the file's reader found, in the same order.

chunk_spans     three long files; the gold are stretches of characters. A result is the characters its text stands at.
                recall@10 is the share of the gold inside the first ten results; for nDCG@10 a result gains the share
                that it adds, and all of it in the first result is 1. Whole files reach 1 by this, as there are three
                of them; hence the same figures by reading: results are read from the top, and a rank is a page of
                1,000 characters, whatever the length of a result. Whole files are judged by these alone.
nb_notebooks    nb_sections in their own notebooks, where each asked heading is a dash. A ranked passage becomes the
                sections it reaches into, in reading order, each at its best place.
nb_sections     the sections as they lie in the corpus, a file each.
lihua_months    a year of chats, a Markdown file a month, a heading of date and hour over each chat; as nb_notebooks.
lihua           a file a chat.

Beside each figure stands the 95 % interval of how far the shipped chunking is ahead (paired bootstrap). Ends with 1
where windows or whole files are ahead of it with an interval that leaves 0 out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from chunking_sets import COLLECTIONS, END, Collection, Place

from jupyter_memo import profile as profiles
from jupyter_memo.chunk import pack
from jupyter_memo.chunk.section import Section
from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import asking, measures
from jupyter_memo.models import minilm
from jupyter_memo.records import Chunk, Span

SHIPPED, WHOLE = "shipped (window)", "whole files"
WORDS = 200

Fit = Callable[..., tuple[Chunk, ...]]


class Remembering:
    """The default model, which reads no text twice; its vectors can be kept in a file."""

    def __init__(self, kept: Path | None) -> None:
        self._model, self._kept = minilm.shared(), kept
        self._rows: dict[str, Any] = dict(np.load(kept)) if kept and kept.is_file() else {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def encode_passages(self, texts: list[str]) -> Any:
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24] for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        if missing:
            self._rows.update(zip(missing, self._model.encode_passages(list(missing.values())), strict=True))
        return np.stack([self._rows[key] for key in keys])

    encode_queries = encode_passages

    def keep(self) -> None:
        if self._kept:
            np.savez(self._kept, **self._rows)


def words(sections: Iterable[Section], limit: int) -> Iterator[tuple[list[str], list[Place], bool]]:
    """All words with what follows each, `limit` at a time, their places, and whether all of it is code."""
    texts: list[str] = []
    places: list[Place] = []
    code = True
    for section in sections:
        for block in (*((section.heading,) if section.heading else ()), *section.blocks):
            for match in re.finditer(r"\S+\s*", block.text + "\n\n"):
                line = END if block.line is None else block.line + block.text.count("\n", 0, match.start())
                texts.append(match.group())
                places.append((section.span.cell or 0, line))
                code &= block.code
                if len(texts) == limit:
                    yield texts, places, code
                    texts, places, code = [], [], True
    if texts:
        yield texts, places, code


def windows(limit: int) -> Fit:
    """Windows of so many words, whatever the structure; each says in its key where it begins and ends."""

    def fit(sections: Iterable[Section], **_: object) -> tuple[Chunk, ...]:
        return tuple(
            Chunk(text="".join(texts).strip(), code=code, span=Span(key=json.dumps([places[0], places[-1]])))
            for texts, places, code in words(sections, limit)
        )

    return fit


def packed(target: int | None, window: int | None = None) -> Fit:
    """The shipped chunking with another target, and for targets beyond the model's window with another window."""
    shipped = pack.fit

    def fit(sections: Iterable[Section], *, count_tokens: Any, max_tokens: int, **_: object) -> tuple[Chunk, ...]:
        return shipped(sections, count_tokens=count_tokens, max_tokens=window or max_tokens, target_tokens=target)

    return fit


CHUNKINGS: dict[str, Fit] = {
    SHIPPED: packed(None),
    "shipped, 384": packed(384, 384),
    "shipped, 128": packed(128),
    "shipped, 0": packed(0),
    f"{WORDS} words": windows(WORDS),
    WHOLE: windows(10**9),
}
RIVALS = (f"{WORDS} words", WHOLE)


def measure(collection: Collection, fit: Fit, model: Remembering) -> tuple[int, dict[str, dict[str, float]]]:
    """How many passages a chunking makes, and measure -> question -> value."""
    profile = asking.ranking_only(profiles.get("default"))
    values: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(pack, "fit", fit):
        root = Path(folder, "files")
        root.mkdir()
        for name, text in collection.files.items():
            (root / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        with Memo.open(Path(folder, "store"), embedder=model) as memo:
            report = memo.index(root)
            for source in report.sources:
                if source.status != "indexed":
                    print(f"  {source.uri}: {source.status}, {source.reason}")
            for id, text in collection.questions.items():
                answer = memo.search(
                    text, profile=profile, limit=collection.limit, explain=False, record=False, sync=False
                )
                for name, value in collection.score(id, [each.passage for each in answer.results]).items():
                    values.setdefault(name, {})[id] = float(value)
    return report.added, values


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", choices=COLLECTIONS, default=tuple(COLLECTIONS))
    parser.add_argument("--chunkings", nargs="+", choices=CHUNKINGS, default=tuple(CHUNKINGS))
    parser.add_argument("--characters", type=int, help="how much of each file of chunk_spans; all of it without")
    parser.add_argument("--vectors", type=Path, help="an .npz file that keeps the vectors from run to run")
    parser.add_argument("--dump", type=Path, help="a folder for the values of each question")
    asked = parser.parse_args()
    model, behind = Remembering(asked.vectors), []
    for name in asked.sets:
        collection = COLLECTIONS[name](asked.data, asked.characters)
        print(f"{name}: {len(collection.files)} files, {len(collection.questions)} questions", flush=True)
        first: dict[str, dict[str, float]] = {}
        for chunking in asked.chunkings:
            count, values = measure(collection, CHUNKINGS[chunking], model)
            model.keep()
            first = first or values
            told = [f"  {chunking:<17} {count:6} passages"]
            for key, each in values.items():
                even = dict.fromkeys(each, 1.0)
                drawn = measures.draws(first[key], each, even)
                low, high = measures.interval(drawn)
                told.append(f"{key} {measures.mean(each, even):.3f} [{low:+.3f}, {high:+.3f}]")
                fair = chunking != WHOLE or f"{key} read" not in values
                if chunking in RIVALS and fair and high < 0:
                    behind.append(f"{name}, {key}: {chunking}")
            print("  ".join(told), flush=True)
            if asked.dump:
                asked.dump.mkdir(exist_ok=True)
                (asked.dump / f"{name}.{chunking}.json").write_text(json.dumps(values), encoding="utf-8")
    print("\n".join(f"ahead of the shipped chunking: {each}" for each in behind))
    return int(bool(behind))


if __name__ == "__main__":
    sys.exit(main())
