"""A name finds the passage that has it before those that have nearly the same, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.query import Mode

DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
NEARLY = [
    ("C++", "C", "C#"),
    ("ABC-1234", "ABC-1235", "ABD-1234"),
    (DIGEST, f"{DIGEST[:-1]}9", f"8{DIGEST[1:]}"),
    ("10.1103/PhysRevLett.116.061102", "10.1103/PhysRevLett.116.061103", "10.1103/PhysRevD.116.061102"),
    ("numpy.linalg.norm", "numpy.linalg.norms", "numpy.linalg.det"),
    ("ERR_CONN_RESET", "ERR_CONN_CLOSED", "ERR_CONN"),
    ("getHTTPResponse", "getHTTPRequest", "getResponse"),
]
PLACES = {
    "prose": "We looked at {} in the second week and wrote down what it did.",
    "before a comma": "Names such as {}, and others like it.",
    "at the end": "It was about {}.",
    "code": "x = call({})  # done\nreturn x",
    "output": "Out[3]: <{} at 0x7f>",
    "Korean": "이 문제는 {}에서 생긴다",
    "Chinese": "我们用{}来计算结果",
    "Japanese": "これは{}です。",
}
PROFILES = ("default", "rrf", "minmax", "memo-mcp", "keyword-only")


QUICK = ("prose", "Chinese")
"""The places that every run looks at; the others take a minute."""


@pytest.fixture(
    scope="module",
    params=[place if place in QUICK else pytest.param(place, marks=pytest.mark.slow) for place in PLACES],
)
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, embedder: Embedder
) -> Iterator[Memo]:
    said = PLACES[request.param]
    path: Path = tmp_path_factory.mktemp("names")
    with Memo.open(path, embedder=embedder) as memo:
        memo.add(
            [
                {"id": f"{group}-{number}", "text": said.format(name)}
                for group, names in enumerate(NEARLY)
                for number, name in enumerate(names)
            ]
        )
        yield memo


@pytest.mark.parametrize("asked", ["{}", "{}.", "what is {}?"])
def test_a_name_finds_itself_first(filled: Memo, asked: str) -> None:
    for group, names in enumerate(NEARLY):
        for number, name in enumerate(names):
            if name == "C":  # a word, which C++ and C# hold too
                continue
            found = filled.search(asked.format(name), sync=False)
            assert f"{group}-{number}" == found.results[0].passage.uri, name


@pytest.mark.parametrize("mode", ["auto", "exact"])
@pytest.mark.parametrize("profile", PROFILES)
def test_a_name_finds_itself_first_in_every_profile(filled: Memo, profile: str, mode: Mode) -> None:
    for group, (name, *_) in enumerate(NEARLY):
        assert f"{group}-0" == filled.search(name, mode=mode, profile=profile, sync=False).results[0].passage.uri, name


@pytest.mark.parametrize("changed", [str.lower, str.upper])
def test_a_name_in_another_case_of_letters_finds_it_first(filled: Memo, changed: type[str]) -> None:
    for group, (name, *_) in enumerate(NEARLY):
        found = filled.search(changed(name), mode="auto", sync=False)
        assert f"{group}-0" == found.results[0].passage.uri, name
