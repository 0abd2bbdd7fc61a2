"""Where each key of a structured file stands in its source: JSON, YAML and TOML as trees of ranges.

The children of a node share out its whole range, so that nothing of the source is lost when a node is cut at its
children: what stands before the first child goes with it, a comment above a key goes with that key, closing brackets
go with the last.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import yaml

Key = tuple[str, ...] | str | int
"""A key, a chain of keys (a TOML table), or the number of an element of a list."""


class Place(NamedTuple):
    """Where a key begins, and how to find the keys below it."""

    key: Key
    start: int
    below: Callable[[], list[Place]] = list


class Node(NamedTuple):
    """A half-open range of characters that belongs to one key below a path; the whole has none."""

    above: tuple[str, ...]
    key: Key | None
    start: int
    end: int
    below: Callable[[], list[Place]]

    @property
    def path(self) -> tuple[str, ...]:
        """The way to it: ("jobs", "build", "steps[0]")."""
        return self.above if self.key is None else _path(self.above, self.key)

    @property
    def of_list(self) -> bool:
        """Whether it is an element of a list."""
        return isinstance(self.key, int)

    def children(self) -> list[Node]:
        """The keys right below this one, with ranges that cover it without gaps; empty for a plain value."""
        places, path = self.below(), self.path
        bounds = [self.start, *(place.start for place in places[1:]), self.end]
        return [
            Node(path, place.key, start, end, place.below)
            for place, (start, end) in zip(places, pairwise(bounds), strict=False)
        ]


def _path(above: tuple[str, ...], key: Key) -> tuple[str, ...]:
    """Elements of a list are written on the key of the list: steps[0]."""
    if isinstance(key, int):
        return (*above[:-1], f"{above[-1] if above else ''}[{key}]")
    return (*above, key) if isinstance(key, str) else (*above, *key)


_SPACES = frozenset(" \t\n\r")
_BLANK = re.compile(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode


def json_tree(text: str) -> Node:
    """A JSON text. Raises json.JSONDecodeError with the place of what is wrong, RecursionError when it is nested
    deeply."""
    json.loads(text)
    return Node((), None, 0, len(text), partial(_json_places, text, _skip(text, 0)))


def _json_places(text: str, at: int) -> list[Place]:
    """The keys or elements of the value that begins at `at`; none for a plain value. The text is known to be valid."""
    opening = text[at]
    if opening not in "{[":
        return []
    places: list[Place] = []
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        start, key = at, len(places)
        if opening == "{":
            key, at = _decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        value = at
        _, at = _decode(text, at)
        places.append(Place(key, start, partial(_json_places, text, value) if text[value] in "{[" else list))
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return places


def _skip(text: str, at: int) -> int:
    if text[at : at + 1] not in _SPACES:
        return at
    match = _BLANK.match(text, at)
    return match.end() if match else at


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def yaml_tree(text: str) -> Node:
    """A YAML text, of one document or several, custom tags and doubled keys included; nothing is constructed. Raises
    yaml.YAMLError with the place of what is wrong."""
    lines = _Lines(text)
    documents = [node for node in yaml.compose_all(text, Loader=_LOADER) if node is not None]
    if len(documents) == 1:
        return Node((), None, 0, len(text), partial(_yaml_places, lines, documents[0]))
    places = [
        Place(number, lines.with_comments(node.start_mark.line), partial(_yaml_places, lines, node))
        for number, node in enumerate(documents)
    ]
    return Node((), None, 0, len(text), lambda: places)


def _yaml_places(lines: _Lines, node: yaml.Node) -> list[Place]:
    """Keys or elements of a value in block style; one in {} or [] is not taken apart."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style:
        return []
    places: list[Place] = []
    for number, entry in enumerate(node.value):
        first, value = entry if isinstance(node, yaml.MappingNode) else (entry, entry)
        key: Key = (str(first.value) if isinstance(first, yaml.ScalarNode) else "?") if first is not value else number
        line = first.start_mark.line
        # An alias has the marks of its anchor, which stands elsewhere: such an element stays with the one before it.
        if not node.start_mark.line <= line <= node.end_mark.line:
            continue
        start = lines.with_comments(line)
        if places and start <= places[-1].start:
            continue
        own = value.start_mark.line >= line
        places.append(Place(key, start, partial(_yaml_places, lines, value) if own else list))
    return places


class _Lines:
    """Line numbers (0-based) to places in a text."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def with_comments(self, line: int) -> int:
        """Where a line begins, or the first of the comment lines right above it."""
        while line and self._lines[line - 1].lstrip().startswith("#"):
            line -= 1
        return self._starts[line]


_TOML = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]|\n', re.DOTALL
)
_TOML_KEY = re.compile(r"(?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^=#\"'])+(?==)")
_TOML_TABLE = re.compile(r"\[\[?((?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\]\"'])+)\]")


def toml_tree(text: str) -> Node:
    """A TOML text: the keys before the first table, then each table. Raises tomllib.TOMLDecodeError."""
    tomllib.loads(text)
    lines = _Lines(text)
    arrays: dict[tuple[str, ...], int] = {}
    places: list[Place] = []
    table: list[Place] | None = None
    for number, line in _toml_statements(text):
        start = lines.with_comments(number)
        if match := _TOML_TABLE.match(line):
            path = _toml_path(match[1])
            if line.startswith("[["):
                arrays[path] = arrays.get(path, -1) + 1
                path = (*path[:-1], f"{path[-1]}[{arrays[path]}]")
            table = []
            places.append(Place(path, start, partial(list, table)))
        elif match := _TOML_KEY.match(line):
            (places if table is None else table).append(Place(_toml_path(match.group())[0], start))
    return Node((), None, 0, len(text), lambda: places)


def _toml_statements(text: str) -> Iterator[tuple[int, str]]:
    """Number (0-based) and text of each line on which a table or a key begins: no line inside a string or a list
    does."""
    start, number, depth = 0, 0, 0
    for match in _TOML.finditer(text + "\n"):
        sign = match.group()
        depth += (sign in "[{") - (sign in "]}")
        if sign == "\n" and depth == 0:
            statement = text[start : match.start()]
            line = statement.strip()
            if line and not line.startswith("#"):
                yield number, line
            number += statement.count("\n") + 1
            start = match.end()


def _toml_path(key: str) -> tuple[str, ...]:
    """A dotted, perhaps quoted key as its parts, read by the TOML reader itself."""
    path: list[str] = []
    value: Any = tomllib.loads(f"{key.strip()} = 0")
    while isinstance(value, dict):
        name, value = next(iter(value.items()))
        path.append(name)
    return tuple(path)
