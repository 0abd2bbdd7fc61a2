"""Memo.context: which passages are worth giving to a language model, and when there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.records import Passage, Span
from jupyter_memo.response import Shape
from jupyter_memo.search.context import choose, follows, joined

WHEN = datetime(2026, 3, 1, tzinfo=UTC)
PARTS = (
    ("Birds", "The red kite soars over the valley."),
    ("Nests", "The red kite nests in tall trees."),
    ("Boats", "Boats cross the river at noon. " * 40),
    ("Prey", "A red kite eats worms and mice."),
)


def passage(source: str = "s", header: tuple[str, ...] = ("A",), **span: object) -> Passage:
    return Passage(
        id=f"{source}{span}", source_id=source, uri=source, text="t", header=header, span=Span(**span),  # type: ignore[arg-type]
        created_at=WHEN, recorded_at=WHEN,
    )  # fmt: skip


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    folder = tmp_path_factory.mktemp("context")
    text = "\n\n".join(f"## {title}\n\n{text}" for title, text in PARTS)
    (folder / "birds.md").write_text(text + "\n", encoding="utf-8")
    with Memo.open(folder / ".memo", embedder=embedder, index__target_chunk_tokens=0) as memo:
        memo.index(folder / "birds.md")
        yield memo


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (passage(start_line=1, end_line=4), passage(start_line=5, end_line=9), True),
        (passage(start_line=1, end_line=4), passage(start_line=6, end_line=9), True),
        (passage(start_line=1, end_line=4), passage(start_line=8, end_line=9), False),
        (passage(start_line=1, end_line=4), passage(header=("B",), start_line=8, end_line=9), True),
        (passage(start_line=1, end_line=4), passage(header=("B",), start_line=12, end_line=19), False),
        (passage(start_line=5, end_line=9), passage(start_line=1, end_line=4), False),
        (passage(start_line=1, end_line=4), passage("t", start_line=5, end_line=9), False),
        (passage(turn=3), passage(turn=4), True),
        (passage(turn=3), passage(turn=5), False),
        (passage(cell=1, start_line=1, end_line=9), passage(cell=2, start_line=1, end_line=3), True),
        (passage(cell=1, start_line=1, end_line=9), passage(cell=2, start_line=7, end_line=8), False),
        (passage(cell=1, part="source"), passage(cell=1, part="output"), True),
        (passage(cell=1, part="output"), passage(cell=1, part="source"), False),
        (passage(page=1), passage(page=1, key="x"), False),
        (passage(), passage(), False),
    ],
)
def test_what_follows_what(before: Passage, after: Passage, expected: bool) -> None:
    assert expected == follows(after, before)


def test_adjacent_passages_are_one_excerpt_and_others_stay_apart(filled: Memo) -> None:
    made = filled.context("red kite", profile="rrf", limit=4)
    ranks = {each.title: each for each in made.excerpts}
    assert "The red kite soars over the valley.\n\nNests\n\nThe red kite nests in tall trees." == ranks["Birds"].text
    assert "Prey" in ranks
    assert len(made.response) == sum(len(each.ranks) for each in made.excerpts)


def test_a_piece_stands_where_its_best_passage_stands(filled: Memo) -> None:
    results = filled.search("red kite nests trees", profile="rrf").results
    pieces = joined(results)
    assert [min(each.rank for each in piece) for piece in pieces] == sorted(
        min(each.rank for each in piece) for piece in pieces
    )
    assert 1 in {each.rank for each in pieces[0]}


def test_the_whole_text_keeps_within_the_budget(filled: Memo, embedder: Embedder) -> None:
    made = filled.context("red kite", profile="rrf", max_tokens=110)
    assert embedder.count_tokens(str(made)) == made.tokens <= 110
    assert (110, True) == (made.max_tokens, len(made.excerpts) >= 1)
    assert 2000 == filled.context("red kite").max_tokens


def test_where_nothing_answers_there_is_no_text_but_a_reason(filled: Memo) -> None:
    made = filled.context("quantum zebra")
    assert ("", False) == (str(made), bool(made))
    assert made.reason == made.response.reason
    assert made.hint


def test_a_flat_page_gives_nothing_unless_asked(filled: Memo) -> None:
    response = filled.search("red kite", profile="rrf")
    results = tuple(replace(each, relevance=0.3 + 0.01 * each.rank) for each in response.results)
    flat = replace(response, results=results, shape=Shape(flat_page=True), words_to_try=("river", "noon"))
    silent = choose(flat)
    assert ((), "Name something these notes would name, such as river, noon.") == (silent.pieces, silent.hint)
    assert "The page is flat: its 3 cosines lie between 0.31 and 0.33" in (silent.reason or "")
    assert len(results) == sum(map(len, choose(flat, even_if_flat=True).pieces))


def test_options_are_those_of_search(filled: Memo) -> None:
    made = filled.context("kite", queries=["bird of prey"], kind="code", profile="rrf")
    assert (("bird of prey",), ("code",)) == (made.response.queries, made.response.scope.kinds)
    with pytest.raises(QueryError):
        filled.context("")
    with pytest.raises(QueryError):
        filled.context("kite", max_tokens=0)


def test_it_can_be_awaited(filled: Memo) -> None:
    async def ask() -> str:
        return str(await filled.context_async("red kite", profile="rrf"))

    assert asyncio.run(ask()) == str(filled.context("red kite", profile="rrf"))


def test_without_a_model_words_are_counted(tmp_path: Path) -> None:
    with Memo.open(tmp_path / ".memo", embedder="none", profile=profiles.get("rrf").name) as memo:
        memo.add([{"id": "kite", "text": "The red kite soars over the valley"}])
        made = memo.context("red kite")
    assert "The red kite soars over the valley" in str(made)
    assert len(str(made).split()) * 4 // 3 == made.tokens
