"""Code in other languages by definition."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jupyter_memo.chunk import grammar, registry
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Parsed

Count = Callable[[str], int]

SOURCES = {
    ".js": (
        """\
import x from 'y';

/** What A is. */
export default class A {
  constructor() {}
  m(x) {
    return 1;
  }
}
export const f = x => x;
async function g() {}
""",
        [(), ("A",), ("A", "constructor"), ("A", "m"), ("f",), ("g",)],
    ),
    ".ts": (
        """\
namespace N {
  export function q(): void {}
}
interface I { a: string }
type T = string;
abstract class C<T> {
  private x(): void {}
}
""",
        [("N",), ("N", "q"), ("I",), ("T",), ("C",), ("C", "x")],
    ),
    ".tsx": (
        """\
export function V(p: P): E {
  return <b>{p.x}</b>;
}
""",
        [("V",)],
    ),
    ".jl": (
        '''\
"""
What f does.
"""
function f(x::Int)::Int where T
  x
end
g(x) = x^2
module M
struct P{T} <: Q
  a
end
end
''',
        [("f",), ("g",), ("M",), ("M", "P")],
    ),
    ".c": (
        """\
#ifndef A_H
#define A_H
/* What f does. */
static int *f(int a) { return 0; }
typedef struct { int x; } P;
struct Q { int y; };
#endif
""",
        [(), ("f",), ("P",), ("Q",)],
    ),
    ".cpp": (
        """\
namespace a::b {
template <class T>
class C {
 public:
  void m() {}
};
int C<int>::n() { return 1; }
}
""",
        [("a::b",), ("a::b", "C"), ("a::b", "C", "m"), ("a::b", "C<int>::n")],
    ),
    ".f90": (
        """\
module m
implicit none
contains
! What s does.
subroutine s(x)
 integer :: x
end subroutine s
end module m
""",
        [("m",), ("m", "s")],
    ),
    ".java": (
        """\
package p;
@X
public class A {
  int x;
  A() {}
  void m() {}
}
""",
        [(), ("A",), ("A", "A"), ("A", "m")],
    ),
    ".go": (
        """\
package p

// What F does.
func (a *A) F(x int) int { return 1 }
type T struct { x int }
""",
        [(), ("F",), ("T",)],
    ),
    ".rs": (
        """\
/// What A is.
#[derive(Debug)]
pub struct A { x: i32 }
impl<T> Tr for A {
  fn f(&self) {}
}
""",
        [("A",), ("A", "f")],
    ),
    ".sh": (
        """\
set -e
# What f does.
f() {
  echo 1
}
f
""",
        [(), ("f",)],
    ),
    ".m": (
        """\
% What f does.
function y = f(x)
 y = x;
end
""",
        [("f",)],
    ),
}


def parse(name: str, source: str, count: Count, *, window: int = 200) -> Parsed:
    return registry.parse(name, source.encode(), count_tokens=count, max_tokens=window, target_tokens=0)


@pytest.mark.parametrize("suffix", SOURCES)
def test_each_definition_stands_under_its_name(count: Count, suffix: str) -> None:
    source, headers = SOURCES[suffix]
    parsed = parse("a" + suffix, source, count)
    assert headers == list(dict.fromkeys(piece.header for piece in parsed.chunks))
    assert "code" == parsed.kind


@pytest.mark.parametrize("suffix", SOURCES)
def test_no_line_is_lost_and_every_piece_is_its_own_lines(count: Count, suffix: str) -> None:
    source, _ = SOURCES[suffix]
    lines = source.split("\n")
    seen: list[int] = []
    for piece in parse("a" + suffix, source, count).chunks:
        first, last = piece.span.start_line, piece.span.end_line
        assert first is not None
        assert last is not None
        seen += range(first, last + 1)
        assert piece.text.split() == " ".join(lines[first - 1 : last]).split()
    assert len(seen) == len(set(seen))
    assert {number for number, line in enumerate(lines, 1) if line.strip()} <= set(seen)


@pytest.mark.parametrize("suffix", [suffix for suffix, (source, _) in SOURCES.items() if "What " in source])
def test_the_comment_above_a_definition_goes_with_it(count: Count, suffix: str) -> None:
    (piece,) = [piece for piece in parse("a" + suffix, SOURCES[suffix][0], count).chunks if "What " in piece.text]
    assert piece.header


def test_a_method_reads_as_a_function_does(count: Count) -> None:
    piece = parse("a.js", SOURCES[".js"][0], count).chunks[3]
    assert "m(x) {\n  return 1;\n}" == piece.text.removesuffix("\n}")


def test_typescript_with_elements_is_typescript(count: Count) -> None:
    assert {"typescript"} == {piece.lang for piece in parse("a.tsx", SOURCES[".tsx"][0], count).chunks}


def test_what_does_not_parse_is_read_as_far_as_it_can_be(count: Count) -> None:
    parsed = parse("a.js", "function ok() {}\n\nconst broken = ;;= 3\n\nfunction fine() {}\n", count)
    text = "\n".join(piece.text for piece in parsed.chunks)
    assert ("ok",) == parsed.chunks[0].header
    assert "broken" in text
    assert "fine" in text


def test_generated_code_is_one_clear_error(count: Count) -> None:
    with pytest.raises(IngestError, match="it is generated"):
        parse("a.min.js", "var a=1;" * 1000, count)


@pytest.mark.parametrize("source", ["{" * 5000, "class A {\n" * 500, "(\n" * 5000, "function\n" * 500, "\n\n;"])
@pytest.mark.parametrize("suffix", [".js", ".cpp", ".jl", ".rs"])
def test_hostile_code_comes_to_an_end(count: Count, source: str, suffix: str) -> None:
    assert parse("a" + suffix, source + "\nx\n" * 6, count).chunks


def test_without_its_grammar_a_language_is_not_read_and_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "installed", lambda language: language != "julia")
    assert None is registry.reader("a.jl")
    assert "julia is read by a grammar that is not installed" in registry.why_not("a.jl")
    assert "pip install 'jupyter_memo[code]'" in registry.why_not("a.jl")
    assert "code" == registry.reader("a.js")
