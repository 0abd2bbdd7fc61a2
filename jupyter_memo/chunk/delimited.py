"""CSV and TSV as tables, whatever signs part their cells, read once and line by line: the whole is never held."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from jupyter_memo.chunk import decoding, table
from jupyter_memo.chunk.section import Document
from jupyter_memo.chunk.table import Column
from jupyter_memo.errors import IngestError

DELIMITERS = (",", ";", "\t", "|")

SAMPLE_LINES = 50
"""Lines that show which sign parts the cells."""

MAX_LINE = 1_000_000
"""Characters of a line that are looked at; further cells of it are left out."""

MAX_REMARK = 10_000

MAX_WIDTH = 10_000
"""Cells of a row that are looked at."""

DISTINCT = 12
"""A column of text with at most so many different values is told by them."""

MISSING = frozenset({"", "-", "--", "?", ".", "na", "n/a", "nan", "null", "none", "nil", "#n/a", "missing"})
"""Cells that say that there is no value, in lower case."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_COMMA_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?(?:[eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?")


def read(data: bytes, *, uri: str) -> Document:
    """A file of cells between delimiters. Raises IngestError when it is not text or holds no cells."""
    lines, remark = decoding.lines(data, uri=uri)
    counted = _Counted(lines)
    remarks, first = _preamble(counted)
    sample = [first, *islice(counted, SAMPLE_LINES)]
    delimiter = "\t" if uri.lower().endswith((".tsv", ".tab")) and any("\t" in line for line in sample) else ""
    delimiter = delimiter or _delimiter(sample)
    rows = _Rows(chain(sample, counted), delimiter)
    names, units, early = _head([row for row in islice(rows.good, 3) if row], remarks, delimiter)
    if not names:
        raise IngestError("it holds no cells", uri=uri, stage="chunk")
    columns: list[_Values] = []
    shown: list[list[str]] = []
    count = 0
    for row in chain(early, rows.good):
        if not any(map(str.strip, row)):
            continue
        count += 1
        if len(shown) < table.WHOLE_ROWS + 1:
            shown.append([value[: table.MAX_CELL * 4] for value in row[: table.SHOWN_COLUMNS]])
        while len(columns) < len(row):
            columns.append(_Values(comma=delimiter == ";"))
        for column, value in zip(columns, row, strict=False):
            column.add(value)
    wrong = f"{rows.wrong} rows could not be read" if rows.wrong else None
    cut = f"{counted.cut} lines are longer than {MAX_LINE} characters and were cut" if counted.cut else None
    notes = tuple(note for note in (remark, wrong, cut) if note)
    width = max(len(names), len(columns))
    names += [f"column {number}" for number in range(len(names) + 1, width + 1)]
    columns += [_Values(comma=False) for _ in range(width - len(columns))]
    return table.document(
        [
            Column(name=name, holds=column.told(count), unit=units.get(place) or table.unit_of(name))
            for place, (name, column) in enumerate(zip(names, columns, strict=True))
        ],
        shown if count <= table.WHOLE_ROWS else shown[: table.FIRST_ROWS],
        count,
        remarks=remarks,
        lines=counted.number,
        notes=notes,
    )


class _Counted:
    """Lines, cut where they are without end, how many there were, and how many were cut."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.number = self.cut = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        if len(line) <= MAX_LINE:
            return line
        self.cut += 1
        return line[:MAX_LINE] + "\n"


def _preamble(lines: Iterator[str]) -> tuple[list[str], str]:
    """The comments above the table, and its first line."""
    remarks: list[str] = []
    for line in lines:
        if line.startswith(("#", "%")):
            if text := line.lstrip("#% ").strip()[:MAX_REMARK]:
                remarks[table.MAX_REMARKS :] = [text]  # the last one may name the columns
        elif line.strip():
            return remarks, line
    return remarks, ""


def _delimiter(sample: list[str]) -> str:
    """The sign that parts most lines into the same number of cells, more than one; of several the one that makes
    more."""

    def agreement(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in _Rows([line[:10_000] for line in sample], delimiter).good if row]
        if not widths:
            return 0.0, 0
        width, times = Counter(widths).most_common(1)[0]
        return (times / len(widths), width) if width > 1 else (0.0, 0)

    best = max(DELIMITERS, key=agreement)
    return best if agreement(best)[1] else ","


class _Rows:
    """The rows of lines, in one pass, and how many of them the parser refused."""

    def __init__(self, lines: Iterable[str], delimiter: str) -> None:
        self.wrong = 0
        self.good = self._read(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))

    def _read(self, reader: Iterator[list[str]]) -> Iterator[list[str]]:
        while True:
            try:
                yield next(reader)[:MAX_WIDTH]
            except StopIteration:
                return
            except csv.Error:  # a cell without end; the parser begins anew with the next line
                self.wrong += 1


def _head(
    first: list[list[str]], remarks: list[str], delimiter: str
) -> tuple[list[str], dict[int, str], list[list[str]]]:
    """The names of the columns, the units that a row of its own gives them, and the rows that are data already."""
    if not first:
        return [], {}, []
    top = first[0]
    if any(map(_is_value, top)):
        above = [cell.strip() for cell in remarks[-1].split(delimiter)] if remarks else []
        named = len(above) == len(top) and len(above) > 1
        return above if named else [f"column {number}" for number in range(1, len(top) + 1)], {}, first
    names = [table.cell(name.strip('" ')) or f"column {number}" for number, name in enumerate(top, 1)]
    under = first[1] if len(first) > 2 else []
    stripped = [cell.strip("()[] ") for cell in under]
    if any(stripped) and all(not cell or table.is_unit(cell) for cell in stripped) and any(map(_is_value, first[2])):
        return names, {place: unit for place, unit in enumerate(stripped) if unit}, first[2:]
    return names, {}, first[1:]


def _is_value(cell: str) -> bool:
    cell = cell.strip()
    return len(cell) <= 40 and bool(_NUMBER.fullmatch(cell) or _COMMA_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell))


class _Values:
    """What the cells of one column hold, in constant memory."""

    def __init__(self, *, comma: bool) -> None:
        self.filled = self.numbers = self.whole = self.dates = 0
        self.low: tuple[float, str] | None = None
        self.high: tuple[float, str] | None = None
        self.first = self.last = ""
        self.distinct: dict[str, None] = {}
        self.others: dict[str, None] = {}
        self._comma = comma

    def add(self, value: str) -> None:
        value = value.strip()
        if len(value) < 8 and value.lower() in MISSING:
            return
        self.filled += 1
        if len(self.distinct) <= DISTINCT:
            self.distinct[table.cell(value)] = None
        if (number := self._number(value)) is not None:
            self.numbers += 1
            self.whole += number.is_integer() and value.lstrip("+-").isdecimal()
            if self.low is None or number < self.low[0]:
                self.low = number, value
            if self.high is None or number > self.high[0]:
                self.high = number, value
            return
        if len(self.others) < 3:
            self.others[table.cell(value)] = None
        if len(value) < 40 and _DATE.fullmatch(value):
            self.dates += 1
            self.first = min(self.first or value, value)
            self.last = max(self.last, value)

    def _number(self, value: str) -> float | None:
        if len(value) > 40:
            return None
        if _NUMBER.fullmatch(value):
            return float(value)
        if self._comma and _COMMA_NUMBER.fullmatch(value):
            return float(value.replace(".", "").replace(",", "."))
        return None

    def told(self, count: int) -> str:
        """The column in words."""
        empty = f"{count - self.filled} empty" if self.filled < count else ""
        return ", ".join(filter(None, (self._told(), empty))) if self.filled else "empty"

    def _told(self) -> str:
        if self.numbers * 10 >= self.filled * 9 and self.low and self.high:
            sort = "whole numbers" if self.whole == self.numbers else "numbers"
            same = self.low[0] == self.high[0]
            told = f"{sort}, all {self.low[1]}" if same else f"{sort} from {self.low[1]} to {self.high[1]}"
            others = self.filled - self.numbers
            return f"{told}, {others} other values as {', '.join(self.others)}" if others else told
        if self.dates == self.filled:
            return f"dates from {self.first} to {self.last}"
        if len(self.distinct) == 1:
            return f"all {next(iter(self.distinct))}"
        if len(self.distinct) <= DISTINCT:
            return f"{len(self.distinct)} different values: {', '.join(self.distinct)}"
        return f"text, as {', '.join(islice(self.distinct, 3))}"
