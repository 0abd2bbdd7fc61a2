"""R by definition."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.records import Parsed

Count = Callable[[str], int]

SOURCE = """\
library(ggplot2)
x <- c(1,
  2)

#' What f does
#' @param x a number
f <- function(x, y = "}") {
  # a bracket here: {
  if (x > 1) {
    'text with "{" and
    a second line'
  }
  x |>
    g()
}
`my fun` = function(a)
{
  a
}
h <- \\(x) x^2
setClass("Point", representation(x = "numeric"))
setMethod("show", "Point", function(object) {
  cat(object@x)
})
Stack <- R6::R6Class("Stack", list(
  push = function(x) x
))
f(3)
"""


def parse(source: str, count: Count, *, window: int = 100) -> Parsed:
    return registry.parse("a.R", source.encode(), count_tokens=count, max_tokens=window, target_tokens=0)


def test_each_definition_stands_under_its_name(count: Count) -> None:
    parsed = parse(SOURCE, count)
    assert [
        ((), 1, 3),
        (("f",), 5, 15),
        (("my fun",), 16, 19),
        (("h",), 20, 20),
        (("Point",), 21, 21),
        (("show",), 22, 24),
        (("Stack",), 25, 27),
        ((), 28, 28),
    ] == [(piece.header, piece.span.start_line, piece.span.end_line) for piece in parsed.chunks]
    assert ("code", "r") == (parsed.kind, parsed.lang)


def test_the_text_is_the_source(count: Count) -> None:
    pieces = parse(SOURCE, count).chunks
    assert SOURCE.split() == " ".join(piece.text for piece in pieces).split()


@pytest.mark.parametrize("broken", ["f <- function( {", 'x <- "never closed', "))))", "`", 'r"(raw ) " text)"'])
def test_what_is_broken_hides_nothing(count: Count, broken: str) -> None:
    source = f"{broken}\n\ng <- function(x) {{\n  x\n}}\n"
    text = "\n".join(piece.text for piece in parse(source, count).chunks)
    assert source.split() == text.split()
