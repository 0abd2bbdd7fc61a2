"""A comparison as text and HTML: both lists, every move with its cause, nothing that a text could slip in."""

from __future__ import annotations

import dataclasses
import importlib.util
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
import wcwidth

from jupyter_memo.comparison import Comparison
from jupyter_memo.records import Span
from jupyter_memo.render import compare
from jupyter_memo.response import Degraded

GOLDEN = Path(__file__).parent.parent / "golden"
BAD = "<img src=x onerror=alert(1)>\u202e\x1b[31m"


@pytest.fixture(scope="module")
def golden() -> ModuleType:
    spec = importlib.util.spec_from_file_location("golden_comparison", GOLDEN / "comparison.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def compared(golden: ModuleType) -> Comparison:
    made = golden.comparison()
    assert isinstance(made, Comparison)
    return made


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def same(compared: Comparison) -> Comparison:
    moves = tuple(
        dataclasses.replace(move, kind="same", rank_b=move.rank_a, cause=None, steps=())
        for move in compared.moves
        if move.rank_a is not None
    )
    return dataclasses.replace(compared, moves=moves)


def test_the_golden_forms_are_current(golden: ModuleType) -> None:
    for name, written in golden.forms().items():
        current = (GOLDEN / name).read_text(encoding="utf-8")
        assert written == current, f"{name} is out of date. Run: python tests/golden/comparison.py"


def test_both_lists_stand_side_by_side_and_each_move_with_its_cause_below(compared: Comparison) -> None:
    lines = compare.plain(compared).split("\n")
    assert " 3  Why the flow loses ESS · L120–138    3  L = 20 run, two seeds  ▴ 2" in lines
    at = lines.index("▴ 2   Why the flow loses ESS · L120–138, 3\u00a0→\u00a01")
    assert "      age (after fusion): 19 days old, note: no longer ×0.97 [fusion 3 → 2, age 2 → 1]" == lines[at + 1]
    assert "gone  Symmetrised priors, 8\u00a0→\u00a0–" in lines
    assert "new   Meeting of 12 June, –\u00a0→\u00a08" in lines


def test_the_head_counts_what_is_on_both_pages_and_on_one(compared: Comparison) -> None:
    assert (
        "default → memtomem",
        "9 in both, 1 only in default, 1 only in memtomem",
        "rank correlation τ = 0.33",
        "index 212",
    ) == compare.head(compared)


def test_rows_of_one_title_name_what_tells_them_apart_and_others_nothing(compared: Comparison) -> None:
    called = {(move.title, place) for move in compared.moves if (place := compare.apart(compared).get(move.id))}
    assert {
        ("ess_table.csv", "data/"),
        ("ess_table.csv", "archive/data/"),
        ("Why the flow loses ESS", "L120–138"),
        ("Why the flow loses ESS", "L140–151"),
    } == called
    page = compare.static(compared)
    assert 2 == page.count(">ess_table.csv · archive/data/<")
    assert " 7  ess_table.csv · data/                7  ess_table.csv · data/  –" in compare.plain(compared)


def test_copies_of_one_name_are_told_apart_by_folders_and_places_where_both_differ(compared: Comparison) -> None:
    lines = (("a/x.md", 1), ("a/x.md", 9), ("b/a/x.md", 1))
    moves = tuple(
        dataclasses.replace(compared.moves[0], id=str(at), title="Same", uri=uri, span=Span(start_line=line))
        for at, (uri, line) in enumerate(lines)
    )
    told = compare.apart(dataclasses.replace(compared, moves=moves))
    assert {"0": "a/x.md · L1", "1": "a/x.md · L9", "2": "b/a/x.md"} == told


def test_plain_text_keeps_its_width(compared: Comparison) -> None:
    wide = dataclasses.replace(compared.moves[0], title="漢字" * 60, uri="x" * 300)
    copy = dataclasses.replace(compared.moves[1], title="漢字" * 60, uri="字" * 300)
    long = dataclasses.replace(compared, moves=(wide, copy, *compared.moves[2:]))
    for width in (40, 60, 88):
        assert width >= max(wcwidth.wcswidth(line) for line in compare.plain(long, width).split("\n"))


def test_two_lists_that_are_the_same_say_so_and_nothing_else(compared: Comparison) -> None:
    told = compare.plain(dataclasses.replace(same(compared), differences=(), hints=()))
    assert "The two lists are the same." == told.split("\n\n")[-1]
    assert 2 == len(told.split("\n\n"))
    assert "table" not in Tags(compare.static(same(compared))).tags


def test_lists_that_are_the_same_under_other_constants_say_how_many_differ(compared: Comparison) -> None:
    assert "The two lists are the same, though 6 constants differ." in compare.plain(same(compared))
    one = dataclasses.replace(same(compared), differences=compared.differences[:1])
    assert "though one constant differs." in compare.plain(one)


def test_an_empty_list_and_a_missing_arm_are_told(compared: Comparison) -> None:
    b = dataclasses.replace(compared.b, reason="Nothing in this index answers this.")
    degraded = Degraded(flag=True, code="model_failed", reason="The model failed. %memo doctor looks for the cause.")
    told = compare.notes(dataclasses.replace(compared, b=b, degraded=degraded))
    assert "The model failed. %memo doctor looks for the cause." == told[0]
    assert "memtomem: Nothing in this index answers this." in told


def test_no_text_becomes_markup_or_a_command_of_the_terminal(compared: Comparison) -> None:
    cause = dataclasses.replace(compared.moves[0].cause, group=BAD, sentence=BAD)  # type: ignore[type-var]
    moves = tuple(dataclasses.replace(each, title=BAD, uri=BAD, cause=cause) for each in compared.moves)
    side = dataclasses.replace(compared.a, profile=BAD, reason=BAD)
    bad = dataclasses.replace(compared, query=BAD, moves=moves, a=side, hints=(BAD,))
    page = compare.static(bad)
    assert {"article", "h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"} == set(Tags(page).tags)
    for made in (page, compare.plain(bad)):
        assert "\u202e" not in made
        assert "\x1b" not in made


def test_html_has_no_blank_line_and_no_script(compared: Comparison) -> None:
    page = compare.static(compared)
    assert "\n\n" not in page
    assert "script" not in Tags(page).tags
