"""Python by definition: a module's own code, each class, each function and method, with the comments right above it.

The breadcrumb is the qualified name without the module (Flow, step): the file's name stands beside it anyway. A class
is its signature, docstring and attributes; short methods are joined with it by the packer. A file that does not parse
(old or newer syntax, a broken state) is read at its empty lines, and a note says so.
"""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Iterator

from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.section import Block, Document, Section

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def read(text: str) -> Document:
    """A Python file. `title` is the first line of its docstring."""
    text, blobs = without_blobs(text)
    lines = text.split("\n")
    notes = (f"{blobs} pieces of embedded data left out",) if blobs else ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the file's own escapes and literals are not for us to warn of
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
        notes = (*notes, f"it does not parse as Python{where}; read at its empty lines")
        return Document(
            sections=(section((), list(_block(lines, 1, len(lines))), "python"),), lang="python", notes=notes
        )
    docstring = (ast.get_docstring(module) or "").strip()
    title = docstring.split("\n", 1)[0].strip().rstrip(".") or None
    found = [section(*part, "python") for part in _body(module.body, lines, (), 1, len(lines))]
    return Document(sections=tuple(found), title=title, lang="python", notes=notes)


_Part = tuple[tuple[str, ...], list[Block]]
"""A breadcrumb and what stands under it, with the indentation of the source."""


def _body(
    statements: list[ast.stmt], lines: list[str], header: tuple[str, ...], first: int, last: int
) -> Iterator[_Part]:
    """The parts of lines first..last (1-based, inclusive), which hold the statements: runs of plain statements, and
    each definition."""
    start = first
    blocks: list[Block] = []
    for statement in statements:
        begin = _begin(statement, lines, start)
        end = statement.end_lineno or begin
        blocks += _block(lines, start, begin - 1)
        start = max(start, end + 1)
        if not isinstance(statement, _DEFINITIONS):
            blocks += _block(lines, begin, end)
            continue
        if any(character.isalnum() for block in blocks for character in block.text):
            yield header, blocks
            blocks = []
        found = _definition(statement, lines, (*header, statement.name), begin, end)
        name, own = next(found)
        yield name, [*blocks, *own]  # a ruler of signs above a definition goes with it
        yield from found
        blocks = []
    blocks += _block(lines, start, last)
    if blocks:
        yield header, blocks


def _definition(node: _Definition, lines: list[str], header: tuple[str, ...], begin: int, end: int) -> Iterator[_Part]:
    if not isinstance(node, ast.ClassDef) or node.body[0].lineno <= node.lineno:
        yield header, list(_block(lines, begin, end))
        return
    first = _begin(node.body[0], lines, node.lineno + 1)
    head = list(_block(lines, begin, first - 1))
    inside = list(_body(node.body, lines, header, first, end))
    if inside and inside[0][0] == header:  # the docstring and the attributes go with the signature
        head += inside[0][1]
        inside = inside[1:]
    yield header, head
    yield from inside


def _begin(statement: ast.stmt, lines: list[str], above: int) -> int:
    """The first line of a statement with its decorators and the comments right above, not above line `above`."""
    begin = statement.lineno
    if isinstance(statement, _DEFINITIONS):
        begin = min([begin, *(decorator.lineno for decorator in statement.decorator_list)])
    while begin > above and lines[begin - 2].lstrip().startswith("#"):
        begin -= 1
    return max(begin, above)


def _block(lines: list[str], first: int, last: int) -> Iterator[Block]:
    text = "\n".join(lines[first - 1 : last])
    if text.strip():
        yield Block(text=text, line=first, code=True)


def section(header: tuple[str, ...], blocks: list[Block], lang: str) -> Section:
    """A stretch of code. Indentation that all lines share is taken off, so that a method reads as a function does."""
    margin = _margin("\n".join(block.text for block in blocks))
    if margin:
        blocks = [Block(text=_without(block.text, margin), line=block.line, code=True) for block in blocks]
    return Section(header=header, blocks=tuple(blocks), code=True, lang=lang)


def _margin(text: str) -> int:
    """How many white characters every line with text begins with."""
    plain = textwrap.dedent(text)
    first, dedented = (next((line for line in part.split("\n") if line.strip()), "") for part in (text, plain))
    return len(first) - len(dedented)


def _without(text: str, margin: int) -> str:
    return "\n".join(line[margin:] if line.strip() else "" for line in text.split("\n"))
