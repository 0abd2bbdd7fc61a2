"""A table in words: how many rows, what each column holds, in which unit, between which bounds, and the first rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_memo.chunk.section import Block, Document, Section
from jupyter_memo.records import Span

FIRST_ROWS = 5
"""Rows shown; one that has not many more is shown whole."""

WHOLE_ROWS = 10

MAX_COLUMNS = 200
"""Columns described one by one; of more, the names of the next ones follow..."""

MAX_NAMES = 1000
"""...up to so many. A wider table is a matrix, whose columns nobody searches for by name."""

SHOWN_COLUMNS = 30
"""Columns of the first rows."""

MAX_CELL = 60
"""Characters of a value that are shown."""

MAX_REMARKS = 20

_CONTROL = re.compile("[\x00-\x1f\x7f]")
_UNIT = re.compile(r".*\S\s*[(\[]\s*([^()\[\]]{1,24}?)\s*[)\]]\s*|.*\S\s+/\s+([^/]{1,24})")
_UNIT_PARTS = re.compile(r"[\s*/·.^()−+-]|(?<=[^\W\d_])\d+|\d+|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_UNITS = frozenset(
    re.findall(
        r"\S+",
        "m g s A K mol cd Hz N Pa J W C V F Ω ohm S Wb T H lm lx Bq Gy Sv kat L l min h hr d day days wk yr year "
        "years sec seconds minutes hours deg degree degrees degC degF degK °C °F ° ℃ rad sr bar atm eV cal Da M au pc "
        "ly ha bit byte bytes px dpi rpm ppm ppb ppt psu PSU pH % ‰ percent EUR USD GBP JPY CHF € $ £ ¥ dB mmHg Torr "
        "psi in ft yd mi lb lbs oz kn knot knots count counts cts bp fps",
    )
)
_PREFIXES = frozenset((*"yzafpnuµμmcdhkMGTPEZY", "da"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: what it is called, what kind of values it holds, in words (`numbers from 1 to 9`), and its unit."""

    name: str
    holds: str = ""
    unit: str = ""
    remark: str = ""


def unit_of(name: str) -> str:
    """The unit a header names, as in `temp (degC)`, `v [m/s]` or `mass / kg`; empty when what it names is no unit."""
    match = _UNIT.fullmatch(name[:200])
    unit = (match[1] or match[2] or "").strip() if match else ""
    return unit if is_unit(unit) else ""


def is_unit(text: str) -> bool:
    """Whether a text is a unit: symbols of units, perhaps with prefixes, multiplied, divided and raised."""
    parts = [part for part in _UNIT_PARTS.split(text) if part]
    return 0 < len(parts) <= 8 and all(
        part in _UNITS or any(part[:size] in _PREFIXES and part[size:] in _UNITS for size in (1, 2)) for part in parts
    )


def cell(value: str) -> str:
    """A value on one line, cut where it is long."""
    line = " ".join(_CONTROL.sub(" ", value[: MAX_CELL * 4]).split())
    return line if len(line) <= MAX_CELL else line[: MAX_CELL - 1] + "…"


def document(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    count: int,
    *,
    remarks: Sequence[str] = (),
    lines: int | None = None,
    notes: tuple[str, ...] = (),
) -> Document:
    """A table of `count` rows as one section; `rows` are the first of them, `lines` how many lines its file has, and
    `remarks` what it says of itself."""
    blocks = [Block(text=_lead(columns, count))]
    if remarks:
        blocks.append(Block(text="\n".join(map(_remark, remarks[:MAX_REMARKS])), code=True))
    if columns:
        blocks.append(Block(text="\n".join(map(_described, columns[:MAX_COLUMNS])), code=True))
    if rows:
        shown = [[cell(value) for value in row[:SHOWN_COLUMNS]] for row in rows]
        head = " | ".join(cell(column.name) for column in columns[:SHOWN_COLUMNS])
        title = "rows" if len(rows) >= count else "first rows"
        text = "\n".join((f"{title}:", head, *(" | ".join(row).rstrip() for row in shown)))
        blocks.append(Block(text=text, code=True))
    span = Span(start_line=1, end_line=lines) if lines else Span()
    return Document(
        sections=(Section(header=(), blocks=tuple(blocks), span=span, code=True, join="never"),), notes=notes
    )


def _lead(columns: Sequence[Column], count: int) -> str:
    rows, wide = f"{count} row{'s' * (count != 1)}", f"{len(columns)} column{'s' * (len(columns) != 1)}"
    further = [cell(column.name) for column in columns[MAX_COLUMNS:MAX_NAMES]]
    told = f"Table of {rows} and {wide}."
    if further:
        rest = len(columns) - MAX_NAMES
        told += f" Columns {MAX_COLUMNS + 1} and up: {', '.join(further)}" + (f" and {rest} more" if rest > 0 else "")
    return told


def _described(column: Column) -> str:
    unit = f"unit {column.unit}" if column.unit and column.unit not in column.name else ""
    told = "; ".join(filter(None, (column.holds, unit, _remark(column.remark))))
    name = cell(column.name)
    return f"{name}: {told}" if told else name


def _remark(text: str) -> str:
    return " ".join(text[:2000].split())[:400]
