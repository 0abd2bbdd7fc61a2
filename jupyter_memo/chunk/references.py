"""References by tag: RIS (.ris), EndNote (.enw) and PubMed (.nbib), a passage an entry as in `bibliography.py`.

Read here because the libraries for these formats do not tell the lines of an entry.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from jupyter_memo.chunk.bibliography import MAX_NAMES, listing
from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.section import Block, Document, Section
from jupyter_memo.records import Span

Tags = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One of the formats: how a line with a tag looks, which tag begins an entry and which ends it, and by which tags
    it has a field, the best one first."""

    line: re.Pattern[str]
    begins: str
    ends: str = ""
    tags: Tags


RIS = Form(
    line=re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: (.*)|\s*)$"),
    begins="TY",
    ends="ER",
    tags={
        "type": ("TY",),
        "key": ("ID",),
        "title": ("TI", "T1", "CT", "BT"),
        "author": ("AU", "A1"),
        "editor": ("ED", "A2", "A3"),
        "date": ("DA", "PY", "Y1"),
        "place": ("JF", "T2", "JO", "JA", "BT", "T3", "PB"),
        "volume": ("VL",),
        "issue": ("IS",),
        "first": ("SP",),
        "last": ("EP",),
        "edition": ("ET",),
        "publisher": ("PB",),
        "doi": ("DO",),
        "url": ("UR",),
        "number": ("AN",),
        "keywords": ("KW",),
        "abstract": ("AB", "N2"),
        "note": ("N1", "RN"),
    },
)

ENDNOTE = Form(
    line=re.compile(r"%([A-Z0-9@$!&(>?\[~^+]) ?(.*)$"),
    begins="0",
    tags={
        "type": ("0",),
        "key": ("F",),
        "title": ("T",),
        "author": ("A",),
        "editor": ("E",),
        "date": ("D",),
        "day": ("8",),
        "place": ("J", "B", "S", "I"),
        "volume": ("V",),
        "issue": ("N",),
        "first": ("P",),
        "edition": ("7",),
        "publisher": ("I",),
        "doi": ("R",),
        "url": ("U",),
        "number": ("M",),
        "keywords": ("K",),
        "abstract": ("X",),
        "note": ("Z",),
    },
)

PUBMED = Form(
    line=re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- (.*)$"),
    begins="PMID",
    tags={
        "type": ("PT",),
        "key": ("PMID",),
        "title": ("TI", "BTI"),
        "author": ("FAU", "AU"),
        "editor": ("FED", "ED"),
        "date": ("DP",),
        "place": ("JT", "TA", "BTI"),
        "volume": ("VI",),
        "issue": ("IP",),
        "first": ("PG",),
        "doi": ("LID", "AID"),
        "keywords": ("MH", "OT"),
        "abstract": ("AB",),
        "note": ("GN",),
    },
)

FORMS: dict[str, Form] = {".ris": RIS, ".enw": ENDNOTE, ".nbib": PUBMED}

LISTED = ("volume", "issue", "pages", "edition", "publisher", "doi", "url")
"""Fields that follow one a line."""

_DATE = re.compile(r"(\d{4})(?:[\s/,-]+(\w+))?(?:[\s/,-]+(\d{1,2}))?")
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}


@dataclass(slots=True)
class _Entry:
    """The values of an entry by tag, each as the lines it stands on; its own lines from `first` to `last`."""

    first: int
    last: int
    values: dict[str, list[list[str]]] = field(default_factory=dict)

    def every(self, tags: Sequence[str]) -> list[str]:
        """All values of some tags, on one line each."""
        return [
            text for tag in tags for lines in self.values.get(tag, ()) if (text := " ".join(" ".join(lines).split()))
        ]


def read(text: str, suffix: str) -> Document:
    """A file of references; `suffix` (lower case, with its dot) says in which format."""
    form = FORMS[suffix]
    text, blobs = without_blobs(text)
    sections: list[Section] = []
    entry: _Entry | None = None
    stray: list[tuple[int, str]] = []
    value: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        found = form.line.match(line)
        if found and found[1] == form.begins:
            sections += _sections(entry, stray, form)
            entry, stray = _Entry(number, number), []
        if entry is None:
            stray.append((number, line))
        elif found:
            entry.last = number
            if found[1] == form.ends:
                sections += _sections(entry, [], form)
                entry = None
            else:
                value = [found[2] or ""]
                entry.values.setdefault(found[1], []).append(value)
        elif line.strip():
            entry.last = number
            value.append(line)
    sections += _sections(entry, stray, form)
    notes = (f"{blobs} pieces of embedded data left out",) if blobs else ()
    return Document(sections=tuple(sections), notes=notes)


def _sections(entry: _Entry | None, stray: list[tuple[int, str]], form: Form) -> Iterator[Section]:
    """An entry, and before it what belongs to none, as it stands."""
    said = [(number, line) for number, line in stray if line.strip()]
    if said:
        text = "\n".join(line for number, line in stray if said[0][0] <= number <= said[-1][0])
        block = Block(text=text, line=said[0][0], code=True)
        yield Section(header=(), blocks=(block,), code=True, join="never")
    if entry is not None:
        yield _section(entry, form.tags)


def _section(entry: _Entry, tags: Tags) -> Section:
    fields = {name: every for name, listed in tags.items() if (every := _values(entry, name, listed))}
    one = {name: every[0] for name, every in fields.items()}
    if "doi" in one:
        dois = [doi for doi in fields["doi"] if "[doi]" in doi] or fields["doi"]
        one["doi"] = dois[0].removesuffix("[doi]").strip()
    one["pages"] = "–".join(filter(None, (one.get("first", ""), one.get("last", ""))))
    key = one.get("key") or one.get("doi") or one.get("number", "")
    title = one.get("title") or key
    people = _people(fields.get("author") or fields.get("editor", []))
    dates = (f"{date} {one.get('day', '')}" for date in entry.every(tags["date"]))
    published, year = next((found for date in dates if (found := _published(date))[0]), (None, ""))
    lead = " ".join(filter(None, (people, f"({year})" if year else "")))
    lines = [f"{name}: {one[name]}" for name in LISTED if one.get(name)]
    if "editor" in fields:
        lines.append(f"editor: {_people(fields['editor'])}")
    if "keywords" in fields:
        lines.append(f"keywords: {', '.join(fields['keywords'])}")
    kind = one.get("type", "")
    lines.append(f"key: {key} ({kind})" if key else f"type: {kind}")
    blocks = (
        ". ".join(filter(None, (lead, one.get("place", "")))),
        "\n".join(lines),
        *fields.get("abstract", ()),
        *fields.get("note", ()),
    )
    return Section(
        header=(title,) if title else (),
        blocks=tuple(Block(text=text) for text in blocks if text),
        span=Span(key=key or None, start_line=entry.first, end_line=entry.last),
        created_at=published,
        join="never",
    )


def _values(entry: _Entry, name: str, tags: Sequence[str]) -> list[str]:
    """The values of a field: by its best tag, or by all of its tags where each adds to the others."""
    if name == "keywords":
        found = [line for tag in tags for lines in entry.values.get(tag, ()) for line in lines]
        return [word for line in found if (word := " ".join(line.split()))]
    return next((every for tag in tags if (every := entry.every((tag,)))), [])


def _people(names: Sequence[str]) -> str:
    """Names first name first, with commas between them, or semicolons."""
    people = []
    for name in names[:MAX_NAMES]:
        last, _, first = (part.strip() for part in name.rstrip(",").partition(","))
        people.append(f"{first} {last}" if first else last)
    return listing(people) + (f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else "")


def _published(date: str) -> tuple[datetime | None, str]:
    """When it appeared, and the year as it is written; None where neither says so."""
    found = _DATE.search(date)
    if not found or not int(found[1]):
        return None, ""
    named = (found[2] or "1").lower()
    month = int(named) if named.isdecimal() and len(named) <= 2 else _MONTHS.get(named[:3], 1)
    try:
        return datetime(int(found[1]), month, int(found[3] or 1), tzinfo=UTC), found[1]
    except ValueError:
        return datetime(int(found[1]), 1, 1, tzinfo=UTC), found[1]
