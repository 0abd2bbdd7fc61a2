"""Where what is too long is cut: few pieces of like size, at the border that cuts least apart, and none of it lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jupyter_memo.chunk.cut import cheapest, grains, merged
from jupyter_memo.chunk.section import Block

Count = Callable[[str], int]


def words(number: int, word: str = "word") -> str:
    return " ".join([word] * number)


def sentence(number: int) -> str:
    """So many tokens and a full stop, longer than a title."""
    return f"A{words(number - 1, 'lengthy')[1:]}."


def pieces(count: Count, budget: int, *blocks: Block) -> list[list[Block]]:
    return [merged(run) for run in cheapest(list(grains(blocks, budget, count)), budget)]


def texts(count: Count, budget: int, *blocks: Block) -> list[list[str]]:
    return [[block.text for block in piece] for piece in pieces(count, budget, *blocks)]


def test_what_is_a_little_too_long_becomes_two_halves_and_not_a_whole_and_a_rest(count: Count) -> None:
    text = " ".join(sentence(11) for _ in range(10))
    found = texts(count, 100, Block(text=text, line=1))
    assert [55, 55] == [count(text) for (text,) in found]


def test_a_piece_ends_with_its_paragraph_where_that_leaves_little_of_it_empty(count: Count) -> None:
    first = " ".join(sentence(11) for _ in range(7))
    second = " ".join(sentence(11) for _ in range(7))
    assert [[first], [second]] == texts(count, 100, Block(text=first, line=1), Block(text=second, line=3))


def test_a_short_paragraph_takes_in_sentences_of_the_next_one_that_must_be_cut_anyway(count: Count) -> None:
    title, long = Block(text="What it is", line=1), " ".join(sentence(11) for _ in range(12))
    first, second = texts(count, 84, title, Block(text=long, line=3))
    assert ("What it is", f"{sentence(11)} {sentence(11)}") == (first[0], first[1][: 2 * len(sentence(11)) + 1])
    assert long == f"{first[1]} {second[0]}"


def test_a_list_is_cut_between_its_entries_rather_than_inside_one(count: Count) -> None:
    entries = [f"- {sentence(13)} {sentence(13)}" for _ in range(4)]
    found = texts(count, 70, Block(text="\n".join(entries), line=1))
    assert [["\n".join(entries[:2])], ["\n".join(entries[2:])]] == found


def test_a_title_on_its_own_line_stays_with_what_follows(count: Count) -> None:
    lines = [sentence(30), " = Title = ", f" {sentence(30)}"]
    (first,), (second,) = texts(count, 40, Block(text="\n".join(lines), line=1))
    assert (lines[0], "\n".join(lines[1:])) == (first, second)


@pytest.mark.parametrize(
    "inside", ["shown in fig. 3 of this and in no other figure", "made by hand, i.e. without any tool"]
)
def test_an_abbreviation_is_no_end_of_a_sentence(count: Count, inside: str) -> None:
    text = f"{words(30, 'lengthy').capitalize()} {inside}. {sentence(40)}"
    assert [[text[: text.index(". Aengthy") + 1]], [sentence(40)]] == texts(count, 46, Block(text=text))


def test_sentences_without_blanks_between_them_are_known(count: Count) -> None:
    text = "".join(f"{'漢' * 70}。" for _ in range(4))
    found = texts(lambda part: len(part), 150, Block(text=text))
    assert [[f"{'漢' * 70}。" * 2]] * 2 == found


@pytest.mark.parametrize("code", ["x = 1\ny = 2\n\nz = 3", "| a | b |\n| - | - |\n| 1 | 2 |"])
def test_code_and_tables_that_fit_are_never_cut(count: Count, code: str) -> None:
    before, after = Block(text=sentence(38), line=1), Block(text=sentence(38), line=9)
    found = texts(count, 40, before, Block(text=code, line=3, code=True), after)
    assert [code] in found


def test_every_piece_knows_its_first_line(count: Count) -> None:
    lines = [sentence(20) for _ in range(9)]
    found = pieces(count, 50, Block(text="\n- ".join(lines), line=5))
    assert [(5, 6), (7, 8), (9, 10), (11, 12), (13, 13)] == sorted((piece[0].line, piece[0].last) for piece in found)


def test_a_sentence_too_long_alone_is_cut_inside_and_its_rest_joined_with_the_next(count: Count) -> None:
    long = f"A{words(89, 'lengthy')[1:]}."
    found = texts(count, 60, Block(text=f"{long} {sentence(20)}"))
    assert 2 == len(found)
    assert found[-1][0].endswith(f". {sentence(20)}")
    assert f"{long} {sentence(20)}" == " ".join(text for (text,) in found)


def test_nothing_at_all_is_no_piece(count: Count) -> None:
    assert [] == pieces(count, 10)
    assert [] == pieces(count, 10, Block(text=" \n \n", line=1))
