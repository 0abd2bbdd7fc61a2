"""BibTeX and BibLaTeX by entry: a passage a reference, as a reader would write it out, under its title and its key.

bibtexparser finds the entries and their lines, pylatexenc writes LaTeX out. What does not parse is kept as it stands.
"""

from __future__ import annotations

import calendar
import logging
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.reference import PLACES, at_home
from jupyter_memo.chunk.section import Block, Document, Section
from jupyter_memo.records import Span

if TYPE_CHECKING:
    from bibtexparser.model import Entry
    from pylatexenc.latex2text import LatexNodes2Text

BOOKKEEPING = frozenset(
    {
        "abstract",
        "acmid",
        "annotation",
        "annote",
        "author",
        "booktitle_short",
        "crossref",
        "date",
        "day",
        "file",
        "groups",
        "ids",
        "issn",
        "keywords",
        "langid",
        "language",
        "month",
        "note",
        "numpages",
        "owner",
        "shorttitle",
        "timestamp",
        "title",
        "urldate",
        "year",
    }
)
"""Fields that are placed by hand, or that only programs read (besides any with a - in its name, as date-added)."""

LINKS = frozenset({"url", "doi", "eprint", "isbn", "link"})
"""Fields in which a backslash only protects the next sign."""

MAX_LATEX = 20_000
"""Characters of a value that are read as LaTeX, which takes some 20 microseconds each; a longer one is left as it
is."""

MAX_NAMES = 200
"""Authors written out one by one; of more, the rest is counted."""

MAX_WRONG = 1000
"""Entries that do not parse and are kept all the same; a file with more of them is something else."""

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?!\d)")
_BARE_PERCENT = re.compile(r"(?<!\\)%")
_DOLLAR = re.compile(r"(?<!\\)\$")
_BRACES = str.maketrans({"{": "", "}": "", "~": " "})  # an unbreakable blank


def read(text: str) -> Document:
    """A .bib file."""
    from bibtexparser import model
    from bibtexparser.entrypoint import parse_string

    # Without a handler, what the parser has to say would go to the user's screen.
    logging.getLogger("bibtexparser").addHandler(logging.NullHandler())
    text, blobs = without_blobs(text)
    sections: list[Section] = []
    wrong = 0
    for block in parse_string(text).blocks:
        if isinstance(block, model.ParsingFailedBlock):
            kept = block.ignore_error_block  # a key or a field that stands twice
            if not isinstance(kept, model.Entry):
                if kept is None:
                    wrong += 1
                    sections += _as_it_stands(block) if wrong <= MAX_WRONG else ()
                continue
            block = kept
        if isinstance(block, model.Entry):
            sections.append(_section(block))
    notes = (f"{blobs} pieces of embedded data left out",) if blobs else ()
    if wrong:
        left_out = f", all but {MAX_WRONG} of them left out" if wrong > MAX_WRONG else ", read as they stand"
        notes = (*notes, f"{wrong} entries do not parse as BibTeX{left_out}")
    return Document(sections=tuple(sections), notes=notes)


def _section(entry: Entry) -> Section:
    fields = {field.key.lower(): value for field in entry.fields if (value := str(field.value or "").strip())}
    title = _plain(fields.get("title", "")) or entry.key
    first = (entry.start_line or 0) + 1
    return Section(
        header=(title,),
        blocks=tuple(Block(text=text) for text in _texts(entry, fields)),
        span=Span(key=entry.key or None, start_line=first, end_line=first + (entry.raw or "").count("\n")),
        created_at=_published(fields),
        join="never",
    )


def _texts(entry: Entry, fields: dict[str, str]) -> Iterator[str]:
    """Who, when and where; what else is known, with the key; what it says."""
    people = _people(fields.get("author") or fields.get("editor", ""))
    year = _plain(fields.get("year") or fields.get("date", ""))
    place = next((name for name in PLACES if name in fields), "")
    lead = (people, f"({year})" if year else "", _plain(fields.get(place, "")))
    if any(lead):
        yield ". ".join(filter(None, (" ".join(filter(None, lead[:2])), lead[2])))
    listed = {name: value for name, value in fields.items() if name not in BOOKKEEPING and "-" not in name}
    if at_home(place, entry.entry_type.lower()):
        listed.pop(place, None)
    if "keywords" in fields:
        listed["keywords"] = fields["keywords"]
    lines = [f"{name}: {_shown(name, value)}" for name, value in listed.items()]
    yield "\n".join((*lines, f"key: {entry.key} ({entry.entry_type})"))
    for name in ("abstract", "note", "annotation", "annote"):
        if name in fields:
            yield _plain(fields[name])


def _shown(name: str, value: str) -> str:
    if name in LINKS:
        return " ".join(value.replace("\\", "").translate(_BRACES).split())
    return _people(value) if name in ("editor", "translator") else _plain(value)


def _as_it_stands(block: object) -> Iterator[Section]:
    raw, line = str(getattr(block, "raw", "") or ""), getattr(block, "start_line", None) or 0
    if raw.strip():
        yield Section(header=(), blocks=(Block(text=raw, line=line + 1, code=True),), code=True, join="never")


def _people(names: str) -> str:
    """Names first name first, with commas between them, or semicolons."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    if not names:
        return ""
    people = []
    found = split_multiple_persons_names(names)
    others = bool(found) and found[-1].lower() == "others"
    for name in found[: min(len(found) - others, MAX_NAMES)]:
        parts = parse_single_name_into_parts(name, strict=False)
        people.append(_plain(" ".join((*parts.first, *parts.von, *parts.last, *parts.jr))))
    rest = f" and {len(found) - MAX_NAMES} more" if len(found) > MAX_NAMES else " and others" if others else ""
    return listing(people) + rest


def listing(people: Sequence[str]) -> str:
    """Names with commas between them; with semicolons, where one has a comma of its own."""
    named = [name for name in people if name]
    return ("; " if any("," in name for name in named) else ", ").join(named)


def _published(fields: dict[str, str]) -> datetime | None:
    """When it appeared: its date, else its year and month; None where neither says so."""
    if match := _DATE.match(fields.get("date", "")):
        year, month, day = (int(part or 1) for part in match.groups())
    elif match := _DATE.match(fields.get("year", "").strip("{}")):
        named = fields.get("month", "").strip("{}").lower()
        year, day = int(match[1]), 1
        month = int(named) if named.isdecimal() else _MONTHS.get(named[:3], 1)
    else:
        return None
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return datetime(year, 1, 1, tzinfo=UTC) if year else None


def _plain(value: str) -> str:
    """A value as text on one line: LaTeX written out, braces gone."""
    if len(value) <= MAX_LATEX and ("\\" in value or "$" in value):
        try:
            # In a bibliography % is no comment, and one dollar alone is money.
            source = _BARE_PERCENT.sub(r"\\%", value)
            if len(_DOLLAR.findall(source)) % 2:
                source = _DOLLAR.sub(r"\\$", source)
            value = _latex().latex_to_text(source)
        except Exception:  # a macro it stumbles over, or braces nested without end: the source says the same
            value = value.translate(_BRACES)
    else:
        value = value.translate(_BRACES).replace("--", "–")
    return " ".join(value.split())


@cache
def _latex() -> LatexNodes2Text:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    known = get_default_latex_context_db()
    known.add_context_category("links", prepend=True, macros=[MacroTextSpec("url", simplify_repl="%s")])
    return LatexNodes2Text(latex_context=known, math_mode="text")
