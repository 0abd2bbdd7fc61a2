"""Do surfaces that are merged find what one list finds? python tests/bench/surfaces.py DATA --store FOLDER

One store holds the turns of LoCoMo (chat), notebook sections as files, and memtomem's English notes (memory); questions
to each are asked of all. Each question is searched in one list and on each surface alone, and the surfaces' lists are
merged by `ranking.surfaces` in several ways. nDCG@10 by set and as the mean of the sets; intervals by a paired
bootstrap within the sets. The first run indexes (some minutes), later ones reuse the store.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import random
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.evaluate import sets
from jupyter_memo.profile import Profile, Surfaces
from jupyter_memo.ranking.surfaces import merge
from jupyter_memo.records import SURFACES, Surface
from jupyter_memo.response import Candidate, SearchResponse

HOMES: dict[str, Surface] = {"locomo": "chat", "nb_sections": "file", "memtomem_v2:en": "memory"}
DRAWS, SEED = 2000, 20250101
Ranking = Callable[["Asked"], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question, what one list answers, and what each surface answers alone."""

    home: Surface
    gains: Mapping[str, int]
    whole: tuple[str, ...]
    lists: Mapping[Surface, tuple[Candidate, ...]]


def build(memo: Memo, data: Path, folder: Path) -> None:
    for name, home in HOMES.items():
        (held,) = sets.read(data / name)
        if home != "file":
            memo.add(list(held.records()))
            continue
        folder.mkdir(parents=True, exist_ok=True)
        for document in held.documents:
            text = f"# {document.title}\n\n{document.text}\n" if document.title else f"{document.text}\n"
            (folder / f"{stem(document.id)}.txt").write_text(text, encoding="utf-8")
        memo.index(folder)
    memo.calibrate()


def stem(id: str) -> str:
    return re.sub(r"\W+", "_", id)


def names(response: SearchResponse) -> tuple[str, ...]:
    return tuple(name(each.document or each.passage.uri) for each in response)


def name(uri: str) -> str:
    """The id of a document: of a file the stem, as it was written."""
    return Path(uri).stem if uri.endswith(".txt") else uri


def ask(memo: Memo, data: Path, profile: Profile, most: int) -> list[Asked]:
    asked = []
    for folder, home in HOMES.items():
        (held,) = sets.read(data / folder)
        questions = list(held.judged)
        random.Random(SEED).shuffle(questions)
        for number, question in enumerate(questions[:most], 1):
            sys.stderr.write(f"\r{folder} {number}   ")
            options = {"granularity": "document", "profile": profile, "limit": 100, "sync": False, "explain": False}
            found = {each: memo.search(question.text, surface=each, **options) for each in SURFACES}
            gains = held.gains[question.id]
            asked.append(
                Asked(
                    home=home,
                    gains={stem(id): gain for id, gain in gains.items()} if home == "file" else gains,
                    whole=names(memo.search(question.text, **options)),
                    lists={surface: candidates(response) for surface, response in found.items()},
                )
            )
    sys.stderr.write("\n")
    return asked


def candidates(response: SearchResponse) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(id=id, votes=(), fused=each.score, score=each.score, relevance=each.relevance)
        for id, each in zip(names(response), response, strict=True)
    )


def gain(ranked: Sequence[str], gains: Mapping[str, int]) -> float:
    """nDCG@10."""
    found = sum(gains.get(id, 0) / math.log2(place + 1) for place, id in enumerate(ranked[:10], 1))
    best = sorted(gains.values(), reverse=True)[:10]
    return found / sum(each / math.log2(place + 1) for place, each in enumerate(best, 1))


def rankings(profile: Profile) -> dict[str, Ranking]:
    absolute = profile.fusion.method == "evidence"

    def merged(rules: Surfaces) -> Ranking:
        return lambda asked: [each.id for each in merge(asked.lists, rules, absolute=absolute)]

    plain = profile.surfaces
    return {
        "one list": lambda asked: asked.whole,
        "merged": merged(plain),
        "merged, not calibrated": merged(dataclasses.replace(plain, calibrated=False)),
        "merged, by rank alone": merged(dataclasses.replace(plain, relevance=False)),
        "in turn": merged(dataclasses.replace(plain, relevance=False, calibrated=False)),
        "the right surface alone": lambda asked: [each.id for each in asked.lists[asked.home]],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--store", type=Path, required=True, help="a folder that keeps the mixed store")
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--questions", type=int, default=140, help="at most so many of each set")
    parser.add_argument("--profiles", default="default,rrf")
    given = parser.parse_args()
    made = (given.store / "made").is_file()
    with Memo.open(given.store / ".memo", embedder=given.embedder) as memo:
        if not made:
            build(memo, given.data, given.store / "sections")
            (given.store / "made").touch()
        for profile in map(profiles.get, given.profiles.split(",")):
            report(profile, ask(memo, given.data, profile, given.questions))
    return 0


def report(profile: Profile, asked: Sequence[Asked]) -> None:
    homes = tuple(HOMES.values())
    values = {
        told: [np.array([gain(rank(each), each.gains) for each in asked if each.home == home]) for home in homes]
        for told, rank in rankings(profile).items()
    }
    draws = np.random.default_rng(SEED)
    picks = [[draws.integers(0, len(column), len(column)) for _ in range(DRAWS)] for column in values["one list"]]
    print(f"\nprofile {profile.name}, {len(asked)} questions, nDCG@10")
    print(f"{'':26}" + "".join(f"{home:>9}" for home in homes) + f"{'mean':>9}  less one list")
    for told, columns in values.items():
        gone = [column - base for column, base in zip(columns, values["one list"], strict=True)]
        means = np.mean([[each[pick].mean() for pick in own] for each, own in zip(gone, picks, strict=True)], axis=0)
        low, high = np.percentile(means, (2.5, 97.5))
        shown = "".join(f"{column.mean():9.4f}" for column in columns)
        mean = np.mean([column.mean() for column in columns])
        print(f"{told:26}{shown}{mean:9.4f}  [{low:+.4f}, {high:+.4f}]")


if __name__ == "__main__":
    raise SystemExit(main())
