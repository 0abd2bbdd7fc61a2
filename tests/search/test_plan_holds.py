"""Phrases, exclusions and fields hold in every arm alone and in the fused list: compared with a plain look at every
text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.query import MODES, Mode
from jupyter_memo.text import plan as planner

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
WORDS = (
    "to",
    "be",
    "or",
    "not",
    "the",
    "red",
    "fox",
    "jump",
    "river",
    "stone",
    "cloud",
    "C++",
    "ABC-1234",
    "연결",
    "풀",
)
KINDS = ("note", "paper")
TAGS = ("old", "new")
PROFILES = tuple(
    profiles.override(profiles.get(name), **{"abstain.enabled": False, "cutoff.enabled": False})
    for name in ("default", "rrf", "minmax", "keyword-only", "semantic-only")
)


@dataclass(frozen=True)
class Text:
    """One stored text, as a plain look sees it: its words in order, its kind and its tags."""

    words: tuple[str, ...]
    kind: str
    tags: tuple[str, ...]

    def has(self, *phrase: str) -> bool:
        wanted = [word.lower() for word in phrase]
        held = [word.lower() for word in self.words]
        return any(held[at : at + len(wanted)] == wanted for at in range(len(held)))


def stored() -> dict[str, Text]:
    chance = random.Random(7)
    texts = {
        f"t{number:02}": Text(
            words=tuple(chance.choices(WORDS, k=chance.randint(3, 9))),
            kind=chance.choice(KINDS),
            tags=tuple(tag for tag in TAGS if chance.random() < 0.5),
        )
        for number in range(70)
    }
    return texts | {"hamlet": Text(words=("to", "be", "or", "not", "to", "be"), kind="note", tags=("old",))}


TEXTS = stored()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("holds"), embedder=embedder) as memo:
        memo.add(
            [
                {"id": id, "text": " ".join(text.words), "kind": text.kind, "tags": list(text.tags)}
                for id, text in TEXTS.items()
            ]
        )
        yield memo


phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(
    wanted=st.lists(st.sampled_from(WORDS), max_size=3),
    phrase=st.none() | phrases,
    excluded=st.none() | st.sampled_from(WORDS),
    excluded_phrase=st.none() | phrases,
    kind=st.none() | st.sampled_from(KINDS),
    tag=st.none() | st.sampled_from(TAGS),
    mode=st.sampled_from(MODES),
    profile=st.sampled_from(PROFILES),
)
def test_phrases_exclusions_and_fields_hold(
    filled: Memo,
    wanted: list[str],
    phrase: list[str] | None,
    excluded: str | None,
    excluded_phrase: list[str] | None,
    kind: str | None,
    tag: str | None,
    mode: Mode,
    profile: profiles.Profile,
) -> None:
    typed = [
        *wanted,
        f'"{" ".join(phrase)}"' if phrase else "",
        f"-{excluded}" if excluded else "",
        f'-"{" ".join(excluded_phrase)}"' if excluded_phrase else "",
        f"kind:{kind}" if kind else "",
        f"tag:{tag}" if tag else "",
    ]
    query = " ".join(filter(None, typed))
    if not query:
        return
    if planner.plan(query, mode=mode, now=NOW).quoted:  # inside a sentence a phrase is only preferred
        phrase = None
    allowed = {
        id
        for id, text in TEXTS.items()
        if (not phrase or text.has(*phrase))
        and not (excluded and text.has(excluded))
        and not (excluded_phrase and text.has(*excluded_phrase))
        and kind in (None, text.kind)
        and (tag is None or tag in text.tags)
    }
    response = filled.search(query, mode=mode, profile=profile, limit=100)
    found = {result.passage.uri for result in response}
    assert query == response.query
    assert found <= allowed
    if response.mode_effective == "filter_only" or (
        phrase
        and mode in ("auto", "keyword")
        and "keyword" in {trace.arm for trace in response.trace.arms if trace.ran}
    ):
        assert allowed == found


@pytest.mark.parametrize("mode", ["auto", "keyword"])
def test_a_phrase_of_stop_words_is_found(filled: Memo, mode: Mode) -> None:
    found = {result.passage.uri for result in filled.search('"to be or not to be"', mode=mode, limit=100)}
    assert {id for id, text in TEXTS.items() if text.has("to", "be", "or", "not", "to", "be")} == found


def test_a_phrase_of_two_scripts_stands_side_by_side(filled: Memo) -> None:
    found = {result.passage.uri for result in filled.search('"river 연결"', mode="keyword", limit=100)}
    assert {id for id, text in TEXTS.items() if text.has("river", "연결")} == found
    assert found


def test_what_is_unwanted_in_plain_words_leaves_the_list_as_long_as_it_was(filled: Memo) -> None:
    with_it = filled.search("river", profile=PROFILES[0], limit=100)
    without = filled.search("river without stone", profile=PROFILES[0], limit=100)
    assert {each.passage.id for each in with_it} == {each.passage.id for each in without}


NAMES = [
    ("C++", "C", "C# and C", "c"),
    ("ABC-1234", "ABC-1235", "ABC 1234", "ABC-12345"),
    ("ABC-1235", "ABC-1234", "ABC", "1235"),
    ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "9f86d081" * 8, "9f86d08", "digest"),
    ("10.1038/s41586-020-2649-2", "10.1038/s41586-020-2649-3", "10.1038", "s41586"),
    ("numpy.linalg.eig", "numpy.linalg.eigh", "numpy.linalg", "linalg eig"),
    ("pandas.DataFrame.groupby", "DataFrame.groupby", "groupby", "pandas.DataFrame"),
]


def test_a_name_finds_itself_before_what_is_nearly_so_called(memo: Memo) -> None:
    texts = {
        f"near {place} {number}": f"We speak of {said} here, at length and more than once: {said}, then {said}."
        for place, (_, *others) in enumerate(NAMES)
        for number, said in enumerate(others)
    }
    texts |= {f"{place}": f"Among all else of this line there is {name} too." for place, (name, *_) in enumerate(NAMES)}
    memo.add([{"id": id, "text": text} for id, text in texts.items()])
    for name, *_ in NAMES:
        first = memo.search(name).results[0].passage
        assert name in first.text
