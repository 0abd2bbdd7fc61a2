"""Notebooks of every version by cell, whole, damaged and empty."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Chunk, Parsed, Span

Count = Callable[[str], int]
Parse = Callable[..., Parsed]


def notebook(*cells: dict[str, Any], **rest: Any) -> dict[str, Any]:
    metadata = {"kernelspec": {"name": "python3", "language": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells), **rest}


def text_cell(source: str, **rest: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source, **rest}


def code_cell(source: str, *outputs: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": list(outputs), **rest}


def stream(text: Any, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def result(**data: Any) -> dict[str, Any]:
    named = {key.replace("_", "/", 1): value for key, value in data.items()}
    return {"output_type": "execute_result", "data": named, "metadata": {}, "execution_count": 1}


@pytest.fixture
def parse(count: Count) -> Parse:
    def run(value: Any, *, target: int | None = None, window: int = 100) -> Parsed:
        data = json.dumps(value).encode()
        return registry.parse("a.ipynb", data, count_tokens=count, max_tokens=window, target_tokens=target)

    return run


def test_cells_stand_under_the_headings_above_them(parse: Parse) -> None:
    parsed = parse(
        notebook(
            text_cell("# Title\n\nintro", id="a1"),
            code_cell("x = 1", execution_count=7, id="b2"),
            text_cell("## Part\ntext", id="c3"),
            code_cell("y = 2", id="d4"),
        )
    )
    assert [
        (("Title",), Span(start_line=3, end_line=3, cell=0, cell_id="a1", part="source")),
        (("Title",), Span(start_line=1, end_line=1, cell=1, cell_id="b2", execution_count=7, part="source")),
        (("Title", "Part"), Span(start_line=2, end_line=2, cell=2, cell_id="c3", part="source")),
        (("Title", "Part"), Span(start_line=1, end_line=1, cell=3, cell_id="d4", part="source")),
    ] == [(piece.header, piece.span) for piece in parsed.chunks]
    assert ("Title", "notebook", "python") == (parsed.title, parsed.kind, parsed.lang)


def test_a_cell_with_several_headings_is_several_pieces(parse: Parse) -> None:
    parsed = parse(notebook(text_cell("# A\na\n# B\nb")), target=0)
    assert [(("A",), "a", 2), (("B",), "b", 4)] == [
        (piece.header, piece.text, piece.span.start_line) for piece in parsed.chunks
    ]


def test_code_is_code_of_the_kernel_and_magics_change_it(parse: Parse) -> None:
    parsed = parse(notebook(code_cell("x = 1"), code_cell("%%bash\nls"), code_cell("%%timeit\nx")))
    assert [(True, "python"), (True, "bash"), (True, "python")] == [(piece.code, piece.lang) for piece in parsed.chunks]


def test_a_short_output_stands_under_its_source(parse: Parse) -> None:
    (piece,) = parse(notebook(code_cell("1 + 1", result(text_plain="2")))).chunks
    assert ("1 + 1\n\n2", None) == (piece.text, piece.span.part)


def test_a_long_output_is_a_piece_of_its_own_without_lines(parse: Parse) -> None:
    parsed = parse(notebook(code_cell("show()", stream("word " * 60), execution_count=3)))
    assert [
        Span(cell=0, execution_count=3, part="source", start_line=1, end_line=1),
        Span(cell=0, execution_count=3, part="output"),
    ] == [piece.span for piece in parsed.chunks]


def outputs(parse: Parse, *found: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    parsed = parse(notebook(code_cell("", *found)))
    return "\n\n".join(piece.text for piece in parsed.chunks), parsed.notes


def test_messages_of_one_stream_are_one_text(parse: Parse) -> None:
    assert "a\nb\n\nc" == outputs(parse, stream("a\n"), stream(["b\n"]), stream("c", "stderr"))[0]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("  0%|  | 0/9\r 50%|# | 5/9\r100%|##| 9/9\n", "100%|##| 9/9"),
        ("one\r\ntwo", "one\ntwo"),
        ("abd\b\bXY", "aXY"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("nul\x00", "nul"),
    ],
)
def test_a_stream_reads_as_a_terminal_shows_it_in_the_end(parse: Parse, raw: str, shown: str) -> None:
    assert shown == outputs(parse, stream(raw))[0]


@pytest.mark.parametrize(
    ("data", "shown", "notes"),
    [
        ({"text/plain": "42"}, "42", ()),
        ({"text/plain": ["a\n", "b"]}, "a\nb", ()),
        ({"text/plain": "   a\n0  1", "text/html": "<table>"}, "   a\n0  1", ()),
        ({"text/markdown": "**m**", "text/plain": "<M at 0x1f>"}, "**m**", ()),
        ({"text/latex": "$x$", "text/plain": "x"}, "$x$", ()),
        ({"image/png": "iVBOR", "text/plain": "<Figure size 640x480 with 1 Axes>"}, "", ("1 image output left out",)),
        ({"image/png": "iVBOR", "text/plain": "caption"}, "caption", ("1 image output left out",)),
        (
            {"text/html": "<b>", "text/plain": "<IPython.core.display.HTML object>"},
            "",
            ("1 HTML-only output left out",),
        ),
        ({"application/vnd.jupyter.widget-view+json": {}, "text/plain": "IntSlider()"}, "", ("1 widget left out",)),
        ({"application/json": {"a": 1}}, "", ("1 output that is no text left out",)),
        ({"text/plain": "<Thing at 0x7f00>"}, "", ()),
        ({"text/plain": "<tf.Tensor: shape=(), numpy=3>"}, "<tf.Tensor: shape=(), numpy=3>", ()),
        ({"text/plain": "[<A at 0x7f00>, 1]"}, "[<A>, 1]", ()),
    ],
)
def test_a_result_is_its_most_readable_text(
    parse: Parse, data: dict[str, Any], shown: str, notes: tuple[str, ...]
) -> None:
    parsed = parse(notebook(code_cell("x", {"output_type": "display_data", "data": data, "metadata": {}})))
    assert f"x\n\n{shown}".rstrip() == parsed.chunks[0].text
    assert notes == parsed.notes


def test_an_error_says_its_name_its_message_and_the_last_frames(parse: Parse) -> None:
    frames = ["\x1b[0;31m" + "-" * 20, *(f"  frame {number}" for number in range(40))]
    error = {"output_type": "error", "ename": "ValueError", "evalue": "no river", "traceback": frames}
    text, _ = outputs(parse, error)
    assert text.startswith("ValueError: no river\n")
    assert "lines left out]" in text
    assert "frame 39" in text
    assert "frame 1\n" not in text


def test_an_error_whose_traceback_ends_with_its_message_says_it_once(parse: Parse) -> None:
    error = {"output_type": "error", "ename": "KeyError", "evalue": "'a'", "traceback": ["Traceback", "KeyError: 'a'"]}
    assert "Traceback\nKeyError: 'a'" == outputs(parse, error)[0]


def test_a_long_output_keeps_its_head_and_its_tail(parse: Parse) -> None:
    text, notes = outputs(parse, stream("\n".join(f"line{number}" for number in range(500))))
    lines = text.replace("\n\n", "\n").split("\n")
    assert ("line0", "line499", 61) == (lines[0], lines[-1], len(lines))
    assert "[… 440 lines left out]" in lines
    assert ("1 long output shortened",) == notes


def test_a_very_long_line_is_shortened_inside(parse: Parse) -> None:
    text, _ = outputs(parse, stream("a b " * 1000))
    assert "[… 2999 characters left out]" in " ".join(text.split())


def test_base64_in_a_text_output_is_left_out(parse: Parse) -> None:
    blob = "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4" * 10
    text, notes = outputs(parse, stream(f"<img src='{blob}'>"))
    assert "<img src='[600 characters of data left out]'>" == text
    assert ("1 piece of embedded data left out",) == notes


def test_attachments_are_named(parse: Parse) -> None:
    parsed = parse(notebook(text_cell("![p](attachment:plot.png)", attachments={"plot.png": {"image/png": "iVBOR"}})))
    assert ("attachments left out: plot.png",) == parsed.notes


def test_a_raw_cell_is_text_and_front_matter_in_the_first_is_read(parse: Parse) -> None:
    raw = {"cell_type": "raw", "source": "---\ntitle: From raw\ntags: a, b\n---", "metadata": {}}
    parsed = parse(notebook(raw, {"cell_type": "raw", "source": "plain", "metadata": {}}))
    assert ("From raw", ("a", "b"), "plain") == (parsed.title, parsed.tags, parsed.chunks[-1].text)


def test_a_cell_of_an_unknown_kind_is_text(parse: Parse) -> None:
    assert "from the future" == parse(notebook({"cell_type": "future", "source": "from the future"})).chunks[0].text


def test_worksheets_heading_cells_and_old_outputs_are_read(parse: Parse) -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Old part"},
        {
            "cell_type": "code",
            "language": "python",
            "input": ["a = 1\n", "a"],
            "prompt_number": 4,
            "outputs": [
                {"output_type": "pyout", "prompt_number": 4, "text": ["1"]},
                {"output_type": "pyout", "png": "iVBOR", "text": "<matplotlib.figure.Figure at 0x1>"},
                {"output_type": "stream", "stream": "stdout", "text": "said\n"},
            ],
        },
    ]
    parsed = parse({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]})
    span = Span(cell=1, execution_count=4, start_line=1, end_line=2)
    assert (
        Chunk(text="a = 1\na\n\n1\n\nsaid", header=("Old part",), span=span, code=True, lang="python"),
    ) == parsed.chunks
    assert ("1 image output left out",) == parsed.notes


def test_lines_split_without_their_line_feeds_are_put_together_again(parse: Parse) -> None:
    cell = {"cell_type": "markdown", "source": ["# Title", "first line", "second line"]}
    assert "first line\nsecond line" == parse({"nbformat": 2, "worksheets": [{"cells": [cell]}]}).chunks[0].text


@pytest.mark.parametrize(
    "cells",
    [
        [None, 3, "x"],
        [{"cell_type": "code", "source": None, "outputs": None}],
        [{"cell_type": "code", "source": 3, "outputs": [None, {"output_type": "stream"}, {"data": []}]}],
        [{"cell_type": "markdown"}, {"source": {"a": 1}}],
        [{"cell_type": "heading", "level": "two", "source": "T"}],
    ],
)
def test_a_damaged_notebook_gives_what_can_be_read(parse: Parse, cells: list[Any]) -> None:
    parsed = parse(notebook(*cells, text_cell("still here")))
    assert "still here" == parsed.chunks[-1].text


@pytest.mark.parametrize("value", [notebook(), notebook(text_cell("  ")), {"nbformat": 3, "worksheets": []}])
def test_an_empty_notebook_has_no_pieces_and_says_so(parse: Parse, value: dict[str, Any]) -> None:
    parsed = parse(value)
    assert () == parsed.chunks
    assert ("the notebook holds no text",) == parsed.notes


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"cells": [', "not valid JSON"),
        (b"[1, 2]", "no notebook"),
        (b'{"a": 1}', "no notebook"),
        (b"[" * 9**5, "deep"),
    ],
)
def test_what_is_no_notebook_is_one_clear_error(count: Count, data: bytes, message: str) -> None:
    with pytest.raises(IngestError, match=message) as caught:
        registry.parse("a.ipynb", data, count_tokens=count)
    assert "\n" not in str(caught.value)


def test_doubled_cell_ids_are_kept_as_they_are(parse: Parse) -> None:
    parsed = parse(notebook(text_cell("one", id="same"), text_cell("two", id="same")))
    assert [(0, "same"), (1, "same")] == [(piece.span.cell, piece.span.cell_id) for piece in parsed.chunks]


def test_pieces_of_two_cells_are_never_joined(parse: Parse) -> None:
    assert 2 == len(parse(notebook(text_cell("one"), text_cell("two"))).chunks)


ANSWER = {"output_type": "execute_result", "data": {"text/plain": "1  Found", "application/vnd.jupyter-memo+json": {}}}


@pytest.mark.parametrize(
    "source",
    [
        "%%memo_search --limit 5\nwhy does the gauge drift",
        "\n%%memo_search\nwhy",
        "%memo explain 2",
        "# look\n%load_ext jupyter_memo\n%config MemoMagics.limit = 5\nfound = %memo_search why",
    ],
)
def test_a_cell_that_asks_the_index_is_no_answer(parse: Parse, source: str) -> None:
    parsed = parse(notebook(code_cell(source, ANSWER, stream("1  Found")), code_cell("gauge = 3")))
    assert ["gauge = 3"] == [chunk.text for chunk in parsed.chunks]
    assert "1 search of an index left out" in parsed.notes


@pytest.mark.parametrize(
    "source", ["%load_ext jupyter_memo", "# %memo is a magic\nx = 1", "print('%%memo_search')", "%memory_profiler f()"]
)
def test_a_cell_that_does_something_else_as_well_is_text(parse: Parse, source: str) -> None:
    assert [source] == [chunk.text for chunk in parse(notebook(code_cell(source))).chunks]


def test_what_a_search_put_out_is_left_out_beside_what_its_cell_says(parse: Parse) -> None:
    parsed = parse(notebook(code_cell("memo.search('why')", ANSWER)))
    assert ["memo.search('why')"] == [chunk.text for chunk in parsed.chunks]
