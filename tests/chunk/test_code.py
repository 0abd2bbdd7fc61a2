"""Python by definition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.records import Parsed

Count = Callable[[str], int]

SOURCE = '''"""Module doc. More."""

import os

LIMIT = 3


# explains f
@decorated
def f(x):
    return x


class Flow:
    """A flow."""

    rate = 1

    def step(self):
        """One step."""
        def inner():
            return 1
        return inner()

    async def run(self):
        pass

    class Part:
        size = 2


if __name__ == "__main__":
    f(LIMIT)
'''


def parse(source: str, count: Count, *, target: int | None = 0, window: int = 100) -> Parsed:
    return registry.parse("a.py", source.encode(), count_tokens=count, max_tokens=window, target_tokens=target)


def test_each_definition_is_a_piece_with_its_qualified_name_and_lines(count: Count) -> None:
    parsed = parse(SOURCE, count)
    assert [
        ((), 1, 5),
        (("f",), 8, 11),
        (("Flow",), 14, 17),
        (("Flow", "step"), 19, 23),
        (("Flow", "run"), 25, 26),
        (("Flow", "Part"), 28, 29),
        ((), 32, 33),
    ] == [(piece.header, piece.span.start_line, piece.span.end_line) for piece in parsed.chunks]
    assert ("code", "python", "Module doc. More") == (parsed.kind, parsed.lang, parsed.title)


def test_comments_and_decorators_belong_to_their_definition(count: Count) -> None:
    assert "# explains f\n@decorated\ndef f(x):\n    return x" == parse(SOURCE, count).chunks[1].text


def test_a_class_is_its_signature_docstring_and_attributes(count: Count) -> None:
    assert 'class Flow:\n    """A flow."""\n\n    rate = 1' == parse(SOURCE, count).chunks[2].text


def test_a_method_reads_without_the_indentation_of_its_class(count: Count) -> None:
    assert parse(SOURCE, count).chunks[3].text.startswith('def step(self):\n    """One step."""\n    def inner():\n')


def test_short_methods_are_joined_with_their_class(count: Count) -> None:
    parsed = parse(SOURCE, count, target=None, window=120)
    flow = next(piece for piece in parsed.chunks if piece.header == ("Flow",))
    assert "def step(self):" in flow.text
    assert "async def run(self):" in flow.text


@pytest.mark.parametrize("source", ["def f(:\n  pass\n\nx = 1\n", "print 'old'\n\nx = 1\n", "x = (\n\ny = 1"])
def test_a_file_that_does_not_parse_is_read_at_its_empty_lines(count: Count, source: str) -> None:
    parsed = parse(source, count, window=4)
    assert "does not parse as Python" in parsed.notes[0]
    assert Counter(re.sub(r"\s", "", source)) == Counter(re.sub(r"\s", "", "".join(p.text for p in parsed.chunks)))


def test_warnings_of_the_file_itself_are_not_ours(count: Count) -> None:
    assert "x = '\\d'" == parse("x = '\\d'", count).chunks[0].text


def test_nothing_of_this_package_is_lost_and_every_line_is_exact(count: Count) -> None:
    for path in sorted(Path(registry.__file__).parent.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.split("\n")
        chunks = parse(source, count, target=None, window=200).chunks
        for piece in chunks:
            stretch = " ".join(" ".join(lines[piece.span.start_line - 1 : piece.span.end_line]).split())  # type: ignore[operator]
            assert " ".join(piece.text.split()) in stretch
        assert Counter(re.sub(r"\s", "", source)) == Counter(re.sub(r"\s", "", "".join(p.text for p in chunks)))
