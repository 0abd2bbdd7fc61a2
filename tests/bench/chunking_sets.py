"""Files, questions and scores for `chunking.py`: what each set is as files on a disk, and where its answers stand."""

from __future__ import annotations

import bisect
import dataclasses
import gzip
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from jupyter_memo.chunk import notebook
from jupyter_memo.chunk.section import Section
from jupyter_memo.evaluate import measures, sets
from jupyter_memo.records import Passage

PAGE = 1000
TOP = 10
DASH = "—"
END = 1_000_000
"""A line after every line of a cell: where its outputs stand."""

Place = tuple[int, int]
"""A cell (0 in a file without cells) and a line in it."""


@dataclass(kw_only=True)
class Collection:
    """Files, questions and how a ranking is scored: measure -> value."""

    name: str
    files: dict[str, str]
    questions: dict[str, str]
    score: Callable[[str, Sequence[Passage]], dict[str, float]]
    limit: int = 100


def _lines(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


class Letters:
    """A text without its white space, and where each letter stands."""

    def __init__(self, text: str) -> None:
        self.places = [place for place, letter in enumerate(text) if not letter.isspace()]
        self.text = "".join(text.split())

    def find(self, passage: str) -> tuple[int, int] | None:
        wanted = "".join(passage.split())
        first = self.text.find(wanted)
        return None if first < 0 or not wanted else (self.places[first], self.places[first + len(wanted) - 1] + 1)


def spans(data: Path, characters: int | None = None) -> Collection:
    """chunk_spans, scored by overlap; of the first so many characters of each file, with the questions about them."""
    folder = data / "chunk_spans"
    texts = {f"{each['id']}.txt": each["text"][:characters] for each in _lines(folder / "corpus.jsonl.gz")}
    letters = {name: Letters(text) for name, text in texts.items()}
    gold: dict[str, set[tuple[str, int]]] = {}
    outside = set()
    for each in _lines(folder / "spans.jsonl"):
        name = f"{each['doc']}.txt"
        gold.setdefault(each["query"], set()).update((name, place) for place in range(each["start"], each["end"]))
        if each["end"] > len(texts[name]):
            outside.add(each["query"])
    gold = {query: places for query, places in gold.items() if query not in outside}

    def score(question: str, found: Sequence[Passage]) -> dict[str, float]:
        left = set(gold[question])
        whole, read = len(left), 0
        result = dict.fromkeys(("nDCG@10", "recall@10", "nDCG@10 read", "recall@10 read"), 0.0)
        for rank, passage in enumerate(found):
            name = passage.uri.rsplit("/", 1)[-1]
            place = letters[name].find(passage.text)
            if place is None:
                raise ValueError(f"a passage is not to be found in {name}: {passage.text[:80]!r}")
            start, end = place
            hit = {each for each in left if each[0] == name and start <= each[1] < end}
            left -= hit
            if rank < TOP:
                result["nDCG@10"] += len(hit) / whole / np.log2(rank + 2)
                result["recall@10"] += len(hit) / whole
            for _, letter in hit:
                page = (read + letter - start) // PAGE
                if page < TOP:
                    result["nDCG@10 read"] += 1 / whole / np.log2(page + 2)
                    result["recall@10 read"] += 1 / whole
            read += end - start
        return result

    questions = {each["id"]: each["text"] for each in _lines(folder / "queries.jsonl") if each["id"] in gold}
    return Collection(name="chunk_spans", files=texts, questions=questions, score=score, limit=50)


@dataclass
class Borders:
    """Where the sections of a file begin, in order, and which each is (empty: none that is asked about)."""

    starts: list[Place] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def within(self, first: Place, last: Place) -> list[str]:
        low = max(bisect.bisect_right(self.starts, first) - 1, 0)
        return self.labels[low : max(bisect.bisect_right(self.starts, last), low + 1)]


def reached(passage: Passage, borders: Mapping[str, Borders]) -> list[str]:
    """The sections that a passage reaches into, in reading order; one of a name of its own for those without."""
    span = passage.span
    if span.key and span.key.startswith("[["):
        first, last = (tuple(place) for place in json.loads(span.key))
    else:
        first, last = ((span.cell or 0, line or END) for line in (span.start_line, span.end_line))
    name = passage.uri.rsplit("/", 1)[-1]
    return [label or f"{name}/{place}" for place, label in enumerate(borders[name].within(first, last))]


def by_section(evaluated: sets.EvaluationSet, borders: Mapping[str, Borders]) -> Callable[..., dict[str, float]]:
    def score(question: str, found: Sequence[Passage]) -> dict[str, float]:
        labels = dict.fromkeys(label for passage in found for label in reached(passage, borders))
        run = {question: {label: 1 / rank for rank, label in enumerate(labels, 1)}}
        alone = dataclasses.replace(evaluated, gains={question: evaluated.gains[question]})
        values = measures.per_question(run, alone)
        return {name: values[name][question] for name in ("nDCG@10", "recall@10") if question in values[name]}

    return score


def apart(data: Path, name: str) -> Collection:
    """A set with a file a document."""
    (evaluated,) = sets.read(data / name)
    files = {f"{place:04}.md": each.whole for place, each in enumerate(evaluated.documents)}
    borders = {file: Borders([(0, 0)], [each.id]) for file, each in zip(files, evaluated.documents, strict=True)}
    questions = {each.id: each.text for each in evaluated.judged}
    return Collection(name=name, files=files, questions=questions, score=by_section(evaluated, borders))


def months(data: Path) -> Collection:
    """lihua as journals."""
    (evaluated,) = sets.read(data / "lihua")
    files: dict[str, str] = {}
    borders: dict[str, Borders] = {}
    for each in sorted(evaluated.documents, key=lambda document: document.id):
        day, hour = each.id.split("_")[:2]
        name = f"{day[:4]}-{day[4:6]}.md"
        held = files.get(name, "")
        border = borders.setdefault(name, Borders())
        border.starts.append((0, held.count("\n") + 1))
        border.labels.append(each.id)
        files[name] = f"{held}## {day[:4]}-{day[4:6]}-{day[6:]} {hour[:2]}:{hour[2:]}\n\n{each.text}\n\n"
    questions = {each.id: each.text for each in evaluated.judged}
    return Collection(name="lihua_months", files=files, questions=questions, score=by_section(evaluated, borders))


def notebooks(data: Path) -> Collection:
    """nb_sections in their notebooks, without the words of what is asked."""
    (evaluated,) = sets.read(data / "nb_sections")
    asked = {each.id.removeprefix("h:") for each in evaluated.judged}
    titles = {_plain(each.text) for each in evaluated.judged}
    grouped: dict[str, list[sets.Document]] = {}
    for each in evaluated.documents:
        grouped.setdefault(each.id.rsplit("#", 1)[0], []).append(each)
    files: dict[str, str] = {}
    borders: dict[str, Borders] = {}
    placed: set[str] = set()
    for name, documents in grouped.items():
        text = (data / "notebooks" / name).read_text(encoding="utf-8")
        found = notebook.read(text, uri=name).sections
        starts = _starts(found, documents)
        placed.update(starts)
        heads = [section for section in found if section.heading]
        known = sorted((place, id) for id, place in starts.items())
        # A heading belongs to the section it stands over.
        border = {(section.span.cell or 0, section.heading.line or 0): "" for section in heads if section.heading}
        hidden = {place for place, section in zip(border, heads, strict=True) if _plain(section.header[-1:]) in titles}
        for place, id in known:
            above = [each for each in border if each <= place]
            last = max(above, default=(0, 0))
            if id in asked and above:
                hidden.add(last)
            border[place if border.get(last) else last] = id
        borders[name] = Borders([(-1, 0), *sorted(border)], ["", *(border[place] for place in sorted(border))])
        files[name] = _without(json.loads(text), heads, hidden)
    questions = {each.id: each.text for each in evaluated.judged if placed & evaluated.gains[each.id].keys()}
    return Collection(name="nb_notebooks", files=files, questions=questions, score=by_section(evaluated, borders))


def _plain(title: str | Sequence[str]) -> str:
    return "".join(letter for letter in "".join(title).lower() if letter.isalnum())


def _starts(found: Sequence[Section], documents: Sequence[sets.Document]) -> dict[str, Place]:
    """Where each section of the corpus begins in its notebook, by its text; those that are not there are left out."""
    text, places = "", []
    for section in found:
        for block in section.blocks if section.span.part != "output" else ():
            for number, line in enumerate(block.text.split("\n")):
                letters = "".join(line.split())
                text += letters
                places += [(section.span.cell or 0, (block.line or 0) + number)] * len(letters)
    starts, after = {}, 0
    for each in documents:
        wanted = "".join(each.text.split())
        first = text.find(wanted[:200], after)
        if first >= 0 and wanted:
            starts[each.id], after = places[first], first + 1
    return starts


def _without(whole: dict[str, Any], heads: Sequence[Section], hidden: set[Place]) -> str:
    """The notebook with a dash for each hidden heading; every line keeps its number."""
    cells = whole["cells"] if "cells" in whole else [each for sheet in whole["worksheets"] for each in sheet["cells"]]
    for section in heads:
        heading, cell = section.heading, cells[section.span.cell or 0]
        if heading is None or (section.span.cell or 0, heading.line or 0) not in hidden:
            continue
        if cell["cell_type"] == "heading":
            cell["source"] = DASH
            continue
        lines = "".join(cell["source"]).replace("\r\n", "\n").split("\n")
        marks = re.match(r"\s*(#*)", heading.text)
        level = len(marks[1]) if marks and marks[1] else 1 + ("=" not in heading.text.split("\n")[-1])
        count = heading.text.count("\n") + 1
        first = (heading.line or 1) - 1
        lines[first : first + count] = ["#" * level + " " + DASH] + [""] * (count - 1)
        cell["source"] = "\n".join(lines)
    return json.dumps(whole)


COLLECTIONS: dict[str, Callable[[Path, int | None], Collection]] = {
    "chunk_spans": spans,
    "nb_notebooks": lambda data, _: notebooks(data),
    "nb_sections": lambda data, _: apart(data, "nb_sections"),
    "lihua_months": lambda data, _: months(data),
    "lihua": lambda data, _: apart(data, "lihua"),
}
