"""JSON, YAML, TOML and JSON Lines by key: whole where they are small, by top-level key, deeper where that is too long.

The text is the source's own, comments included; in JSON, escapes are written out, so that `\\u00e9` is found as é.
"""

from __future__ import annotations

import dataclasses
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

import yaml

from jupyter_memo.chunk import locate
from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.locate import Node
from jupyter_memo.chunk.section import Block, Document, Section
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Span

Fits = Callable[[str, bool], bool]
"""Whether a text may stay whole; the flag says that it is the whole file, which may stay whole up to the packing
target."""

MAX_DEPTH = 10
"""Keys are followed so deep; what is too long even there is cut between lines."""

MAX_TOML = 4_000_000
"""Characters of TOML that are read: the standard parser takes more than a hundred bytes for each."""

_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL
)
_PLAIN = {"n": "\n", "t": "\t", "r": "", "b": "", "f": "\n"}


def read(text: str, form: str, fits: Fits, *, uri: str) -> Document:
    """A file of the form json, yaml, toml or jsonl. Raises IngestError with the line of what is wrong."""
    text, blobs = without_blobs(text)
    notes: tuple[str, ...] = (f"{blobs} pieces of embedded data left out",) if blobs else ()
    if form == "jsonl":
        sections, wrong = _lines(text, fits)
        if wrong and not sections:
            raise IngestError("no line of it is valid JSON. One JSON value a line is expected", uri=uri, stage="read")
        notes += (f"{wrong} lines are not valid JSON and were left out",) if wrong else ()
        return Document(sections=tuple(sections), lang="json", notes=notes)
    if form == "toml" and len(text) > MAX_TOML:
        message = f"TOML of more than {MAX_TOML // 1_000_000} million characters is not read. Save it as JSON"
        raise IngestError(message, uri=uri, stage="read")
    try:
        tree = {"json": locate.json_tree, "yaml": locate.yaml_tree, "toml": locate.toml_tree}[form](text)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        message = f"it is not valid {form.upper()} ({_where(error)})"
        raise IngestError(message, uri=uri, stage="read") from error
    source = _Source(text, escaped=form == "json", lang=form, fits=fits)
    return Document(sections=tuple(source.sections(tree, whole=True)), lang=form, notes=notes)


class _Source:
    """A text, and how nodes of it become sections."""

    def __init__(self, text: str, *, escaped: bool, lang: str, fits: Fits, first_line: int = 1) -> None:
        self.text, self.escaped, self.lang, self.fits, self.first_line = text, escaped, lang, fits, first_line
        self.prefix: tuple[str, ...] = ()
        self.line_feeds = [match.start() for match in re.finditer("\n", text)]

    def sections(self, node: Node, *, whole: bool = False, depth: int = 0) -> Iterator[Section]:
        """A node as it is where it is small or has nothing below it, else what is below it."""
        text = self.text[node.start : node.end]
        children = [] if depth >= MAX_DEPTH or self.fits(text, whole) else node.children()
        if not children:
            yield self._section(node, text)
        row: list[tuple[Node, Block]] = []
        for child in children:
            if block := self._element(child, depth + 1):
                row.append((child, block))
                continue
            yield from self._row(row)
            row = []
            yield from self.sections(child, depth=depth + 1)
        yield from self._row(row)

    def _element(self, node: Node, depth: int) -> Block | None:
        """An element of a list that stays whole, as the one block it is; None for all others."""
        text = self.text[node.start : node.end]
        if not node.of_list or (self.escaped and "\\" in text) or not (depth >= MAX_DEPTH or self.fits(text, False)):
            return None
        return Block(text=text.strip("\n"), line=self._line(node, text), code=True)

    def _row(self, row: list[tuple[Node, Block]]) -> Iterator[Section]:
        """Elements of one list that follow one another."""
        if len(row) < 2:
            yield from (self.lone(node) for node, _ in row)
            return
        first = self.lone(row[0][0])
        nodes = [node for node, _ in row]
        yield dataclasses.replace(
            first,
            blocks=tuple(block for _, block in row),
            join="each",
            one=lambda number: self.lone(nodes[number]),
        )

    def lone(self, node: Node) -> Section:
        """A node as a section of its own."""
        return self._section(node, self.text[node.start : node.end])

    def _line(self, node: Node, text: str) -> int:
        lead = len(text) - len(text.lstrip("\n"))
        return self.first_line + bisect_left(self.line_feeds, node.start + lead)

    def _section(self, node: Node, text: str) -> Section:
        line = self._line(node, text)
        shown = text.strip("\n")
        path = node.path
        key = ".".join((*self.prefix, *path)) or None
        header = (*path[:-1], path[-1].rpartition("[")[0]) if node.of_list else path
        return Section(
            header=tuple(name for name in header if name),
            blocks=tuple(self._blocks(shown, line)),
            span=Span(key=key),
            code=True,
            lang=self.lang,
            # top-level keys are sections of their own; what a long value was cut into is gathered again as far as it
            # fits
            join="any" if node.of_list or len(path) > 1 else "short",
        )

    def _blocks(self, text: str, line: int) -> Iterator[Block]:
        """One block, or in JSON with line feeds written as escapes one a line, so that each keeps the line it is
        on."""
        if not (self.escaped and "\\" in text):
            yield Block(text=text, line=line, code=True)
            return
        for place, one in enumerate(text.split("\n")):
            for part in unescaped(one).split("\n"):
                if part.strip():
                    yield Block(text=part, line=line + place, code=True)


def unescaped(text: str) -> str:
    """A stretch of JSON with its escapes written out."""

    def plain(match: re.Match[str]) -> str:
        high, low, unit, sign = match.groups()
        if high:
            return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
        if unit:
            character = chr(int(unit, 16))
            return character if character.isprintable() else "\n" if character in "\n\u2028\u2029" else " "
        return _PLAIN.get(sign, sign)

    return _ESCAPE.sub(plain, text)


def _lines(text: str, fits: Fits) -> tuple[list[Section], int]:
    """A section for each line that is JSON, cut by key where it is too long, and how many lines are not."""
    sections: list[Section] = []
    row: list[tuple[int, str]] = []
    wrong = 0
    for place, line in enumerate(text.split("\n")):
        if not line.strip():
            continue
        try:
            tree = locate.json_tree(line)
        except (ValueError, RecursionError):
            wrong += 1
            continue
        if "\\" not in line and fits(line, False):
            row.append((place, line))
            continue
        sections += _records(row, fits)
        row = []
        sections += _record(place, line, tree, fits)
    sections += _records(row, fits)
    return sections, wrong


def _record(place: int, line: str, tree: Node, fits: Fits) -> Iterator[Section]:
    source = _Source(line, escaped=True, lang="json", fits=fits, first_line=place + 1)
    source.prefix = (f"[{place}]",)
    for section in source.sections(tree):
        # a record that is whole joins its neighbours whenever they fit
        lone = section.join == "short" and not section.header
        yield dataclasses.replace(section, join="any") if lone else section


def _records(row: list[tuple[int, str]], fits: Fits) -> Iterator[Section]:
    """Lines that stay whole and follow one another."""

    def one(number: int) -> Section:
        place, line = row[number]
        return next(_record(place, line, locate.json_tree(line), fits))

    if len(row) < 2:
        yield from map(one, range(len(row)))
        return
    blocks = tuple(Block(text=line, line=place + 1, code=True) for place, line in row)
    yield dataclasses.replace(one(0), blocks=blocks, join="each", one=one)


def _where(error: Exception) -> str:
    """The place and the cause, in one line."""
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}: {error.msg}"
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        return f"line {error.problem_mark.line + 1}: {error.problem}"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return " ".join(str(error).split())[:160]
