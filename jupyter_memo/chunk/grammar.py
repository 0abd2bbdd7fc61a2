"""Code in other languages by definition, as Python is: each function, class, type and module with the comments right
above it, under the names it stands in.

The tree-sitter grammar of each language is a package of its own (the extra `code`); without it the language is not
read. A grammar goes on after an error, so a file that does not parse is read as far as it can be.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from jupyter_memo.chunk import code
from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.languages import LANGUAGES, Language, types
from jupyter_memo.chunk.section import Block, Document, Section
from jupyter_memo.errors import IngestError

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser

MAX_DEPTH = 6
"""Definitions inside definitions are followed so deep."""

MAX_AVERAGE_LINE = 1000
"""Characters a line above which code is taken for generated: nobody wrote lines so long."""


_COMMENTS = types("comment line_comment block_comment attribute_item decorator string_literal")
_FUNCTIONS = types("arrow_function function_expression generator_function arrow_function_expression")
_NAMES = types(
    "identifier type_identifier field_identifier property_identifier namespace_identifier name type_name word"
)


@dataclass(slots=True)
class _Definition:
    """A definition and the lines it takes, 1-based and inclusive."""

    name: str
    first: int
    last: int
    inside: list[_Definition] = field(default_factory=list)


@cache
def installed(language: str) -> bool:
    """Whether the grammar of a language is there."""
    return find_spec("tree_sitter") is not None and find_spec(LANGUAGES[language].package) is not None


def read(text: str, language: str, *, uri: str) -> Document:
    """A file of code. Raises IngestError for code that a program wrote on lines without end."""
    text, blobs = without_blobs(text)
    lines = text.split("\n")
    if len(text) > MAX_AVERAGE_LINE * len(lines):
        message = "it is generated: its lines have no end. Index what it was made from"
        raise IngestError(message, uri=uri, stage="chunk")
    root = _parser(language).parse(text.encode("utf-8", "replace")).root_node
    known = LANGUAGES[language]
    parts = _parts(lines, (), 1, len(lines), list(_definitions(root, known, 0)))
    notes = (f"{blobs} pieces of embedded data left out",) if blobs else ()
    lang = "typescript" if language == "tsx" else language
    return Document(sections=tuple(_section(header, blocks, lang) for header, blocks in parts), lang=lang, notes=notes)


def _section(header: tuple[str, ...], blocks: list[Block], lang: str) -> Section:
    """Brackets that close what is around a definition do not count for how far it is indented."""
    signs = [block for block in blocks if not any(map(str.isalnum, block.text))]
    words = code.section(header, [block for block in blocks if block not in signs], lang)
    return dataclasses.replace(words, blocks=tuple(sorted((*words.blocks, *signs), key=lambda block: block.line or 0)))


def _parser(language: str) -> Parser:
    """A parser of one's own: files are read in several threads."""
    from tree_sitter import Parser

    return Parser(_grammar(language))


@cache
def _grammar(language: str) -> Grammar:
    from tree_sitter import Language as Grammar

    known = LANGUAGES[language]
    return Grammar(getattr(importlib.import_module(known.package), known.function)())


def _definitions(node: Node, known: Language, depth: int) -> Iterator[_Definition]:
    """The definitions in a node, in the order of the source."""
    for child in node.named_children:
        found = _defining(child, known)
        if found is not None:
            body = found.child_by_field_name("body") or found
            held = found.type in known.holders and depth < MAX_DEPTH
            within = _definitions(found, known, depth + 1) if held else ()
            inner = [each for each in within if each.first > body.start_point.row + 1]
            yield _Definition(_name(found), _first_line(child), _last_line(child), inner)
        elif (child.type in known.around or child.type == "ERROR") and depth < MAX_DEPTH * 2:
            yield from _definitions(child, known, depth + 1)


def _defining(node: Node, known: Language) -> Node | None:
    """What a node defines: itself, what it exports or declares, or a variable that is a function."""
    if node.type in known.definitions:
        # in C, `struct p` alone only names what is defined elsewhere
        return node if not node.type.endswith("_specifier") or node.child_by_field_name("body") else None
    if node.type in ("export_statement", "template_declaration", "expression_statement", "const_statement"):
        inner = [_defining(child, known) for child in node.named_children[-2:]]
        return next((each for each in inner if each is not None), None)
    if node.type in ("lexical_declaration", "variable_declaration"):
        value = node.named_children[0].child_by_field_name("value") if node.named_children else None
        return node if value is not None and value.type in _FUNCTIONS else None
    if node.type == "assignment" and node.named_children:
        left, right = node.named_children[0], node.named_children[-1]
        short = left.type in ("call_expression", "where_expression", "typed_expression")
        return node if short or right.type in _FUNCTIONS else None
    return None


def _name(node: Node) -> str:
    """What a definition is called; its first word where no field says so."""
    for name in ("name", "type", "declarator"):
        if node.type == "impl_item" and name == "name":
            continue
        found = node.child_by_field_name(name)
        if name == "type" and node.type != "impl_item":
            continue
        while found is not None and found.type not in _NAMES and (inner := found.child_by_field_name("declarator")):
            found = inner
        if found is not None and found.text:
            return _shown(found.text)
    first = _first_name(node, 0)
    return _shown(first.text) if first is not None and first.text else node.type.replace("_", " ")


def _first_name(node: Node, depth: int) -> Node | None:
    if node.type in _NAMES:
        return node
    if depth < 8:
        for child in node.named_children[:8]:
            if (found := _first_name(child, depth + 1)) is not None:
                return found
    return None


def _shown(name: bytes) -> str:
    return " ".join(name.decode("utf-8", "replace").split())[:80]


def _first_line(node: Node) -> int:
    """The first line of a definition with the comments, attributes and docstrings right above it."""
    first = node.start_point.row + 1
    before = node.prev_named_sibling
    while before is not None and before.type in _COMMENTS and _last_line(before) >= first - 1:
        first = before.start_point.row + 1
        before = before.prev_named_sibling
    return first


def _last_line(node: Node) -> int:
    """Its last line; a node that ends with a line feed ends on the line before."""
    end = node.end_point
    return end.row if end.column == 0 and end.row > node.start_point.row else end.row + 1


_Part = tuple[tuple[str, ...], list[Block]]


def _parts(lines: list[str], header: tuple[str, ...], first: int, last: int, found: list[_Definition]) -> list[_Part]:
    """Lines first to last (1-based, inclusive) as what stands between definitions, and each definition."""
    parts: list[_Part] = []
    start = first

    def between(end: int) -> list[Block]:
        text = "\n".join(lines[start - 1 : end])
        return [Block(text=text, line=start, code=True)] if text.strip() else []

    for each in found:
        begin = max(each.first, start)
        if each.last < begin:  # on a line with the one before
            continue
        above = between(begin - 1)
        if any(character.isalnum() for block in above for character in block.text):
            parts.append((header, above))
            above = []
        start = begin
        name = (*header, each.name)
        if each.inside and each.inside[0].first > begin:
            head = between(each.inside[0].first - 1)
            start = each.inside[0].first
            parts.append((name, [*above, *head]))
            parts += _parts(lines, name, start, each.last, each.inside)
        else:
            parts.append((name, [*above, *between(each.last)]))
        start = each.last + 1
    rest = between(last)
    if rest and parts and not any(map(str.isalnum, rest[0].text)):
        parts[-1][1].extend(rest)  # brackets that close
    elif rest:
        parts.append((header, rest))
    return parts
