"""The passage of a reference read back: who, when, where and what, as `bibliography.py` and `references.py` write it.

Their form is fixed: a block "people (year). place", a block of lines `name: value` that ends with `key: KEY (TYPE)`,
then free text, which is not looked at. What that form does not tell for certain is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from jupyter_memo.records import Passage

SUFFIXES = (".bib", ".ris", ".enw", ".nbib")

JOURNALS = frozenset({"article", "periodical", "suppperiodical"})
PARTS = frozenset({"inproceedings", "conference", "incollection", "inbook", "suppbook", "suppcollection"})
BOOKS = frozenset({"book", "proceedings", "collection", "mvbook", "mvcollection", "mvproceedings"})

HOMES: dict[str, str] = {
    **dict.fromkeys(JOURNALS, "journal"),
    **dict.fromkeys(PARTS, "booktitle"),
    **dict.fromkeys(BOOKS, "publisher"),
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), "school"),
    "techreport": "institution",
}
"""Where an entry of a type appears: the field that the place beside its year is, unless a line tells it by name."""

TYPES: dict[str, str] = {
    **dict.fromkeys(("jour", "jfull", "ejour", "mgzn", "news", "inpr"), "article"),
    **dict.fromkeys(("journal article", "electronic article", "magazine article", "newspaper article"), "article"),
    **dict.fromkeys(("book", "ebook", "edbook", "edited book", "electronic book"), "book"),
    **dict.fromkeys(("chap", "echap", "book section", "book chapter", "electronic book section"), "incollection"),
    **dict.fromkeys(("conf", "cpaper", "conference paper", "conference proceedings"), "inproceedings"),
    **dict.fromkeys(("thes", "thesis"), "thesis"),
    **dict.fromkeys(("rprt", "report"), "techreport"),
    **dict.fromkeys(("unpb", "unpublished work"), "unpublished"),
}
"""The BibTeX type of an entry of a RIS or EndNote file; `misc` for what is not here."""

FIELDS = frozenset(
    {
        "address", "archiveprefix", "booktitle", "chapter", "doi", "edition", "editor", "eprint", "eprintclass",
        "eprinttype", "eventtitle", "howpublished", "institution", "isbn", "issue", "journal", "journaltitle",
        "location", "number", "organization", "pages", "primaryclass", "publisher", "school", "series", "url",
        "volume",
    }
)  # fmt: skip
"""The fields of a citation; others are about the copy or its file."""

PLACES = ("journal", "journaltitle", "booktitle", "series", "school", "institution", "organization", "publisher")
"""Where a reference appeared; the first of them stands beside its year, the others follow as fields, and so does the
first where it is not the one that an entry of the type has."""

_KEY = re.compile(r"key: (?P<key>.+) \((?P<type>[^()]*)\)")
_TYPE = re.compile(r"type: (?P<type>.*)")
_LINE = re.compile(r"([\w$&*+.@/-]+): ?(.*)")
_YEAR = re.compile(r"(?:^| )\((\d{4})(?:[-/][^()]*)?\)(?=\. |$)")
_MORE = re.compile(r" and (?:others|\d+ more)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What an entry says. `key` is its own (empty where it has none), `type` that of BibTeX, in small letters; `others`
    where it has more authors than are named. `year` is None where it is not told; `month` and `day` are None where the
    entry need not have them. `fields` are those of BibTeX, by name, without what has a place of its own here."""

    key: str
    type: str = "misc"
    title: str = ""
    authors: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    others: bool = False
    year: int | None = None
    month: int | None = None
    day: int | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


def at_home(place: str, kind: str) -> bool:
    """Whether a field is the one that tells where an entry of a BibTeX type appears."""
    return ("journal" if place == "journaltitle" else place) == HOMES.get(kind)


def of(passage: Passage) -> Reference | None:
    """The reference that a passage is, or is a part of; None where it is none. A part without the lines of the entry
    (of a long abstract) tells key and title alone."""
    suffix = "." + passage.uri.rsplit(".", 1)[-1].lower()
    if passage.kind != "paper" or suffix not in SUFFIXES or not passage.header:
        return None
    key = passage.span.key or ""
    title = "" if passage.title == key else passage.title
    blocks = passage.text.split("\n\n")
    told = next(((number, lines) for number, block in enumerate(blocks[:2]) if (lines := _lines(block, key))), None)
    if told is None:
        return Reference(key=key, title=title) if key else None
    number, lines = told
    kind = lines.pop("type", "").strip().lower()
    if suffix != ".bib":
        kind = TYPES.get(kind, "article" if suffix == ".nbib" else "misc")
    if not kind.isascii() or not kind.isalpha() or kind in ("comment", "string", "preamble"):
        kind = "misc"
    fields = {name: value for name, value in lines.items() if name in FIELDS and value}
    if suffix != ".bib" and "issue" in fields:
        fields["number"] = fields.pop("issue")
    year, people, place = _lead(blocks[0]) if number else (None, "", "")
    if place == title:
        place = ""
    if year != passage.created_at.year:  # the date is read from the entry: another year stands in a name
        year, people, place = None, "", ""
    if place and place not in (fields.get(name) for name in PLACES):
        home = HOMES.get(kind, "")
        if suffix != ".bib" and home not in ("journal", "booktitle"):
            home = "series" if home == "publisher" else ""  # a publisher has a line of its own there
        if home:
            fields[home] = place
    elif suffix != ".bib" and place and place == fields.get("publisher"):
        home = HOMES.get(kind, "")
        if home in ("school", "institution"):
            fields[home] = fields.pop("publisher")
    if number and year is None and suffix == ".bib" and kind not in HOMES:
        people = _people(blocks[0], next((fields[name] for name in PLACES if name in fields), ""))
    authors, others = _names(people)
    editors, others_edit = _names(fields.pop("editor", ""))
    if editors == authors:
        authors, others = (), others_edit
    month, day = passage.created_at.month, passage.created_at.day
    return Reference(
        key=key,
        type=kind,
        title=title,
        authors=authors,
        editors=editors,
        others=others,
        year=year,
        month=month if year and (month > 1 or day > 1) else None,
        day=day if year and day > 1 else None,
        fields=fields,
    )


def _lines(block: str, key: str) -> dict[str, str]:
    """The lines of an entry by name; empty where the block is not theirs."""
    *lines, last = block.split("\n")
    ends = _KEY.fullmatch(last) if key else _TYPE.fullmatch(last)
    found = [_LINE.fullmatch(line) for line in lines]
    if ends is None or not all(found) or (key and ends["key"] != key):
        return {}
    return {each[1].lower(): each[2] for each in found if each} | {"type": ends["type"]}


def _lead(block: str) -> tuple[int | None, str, str]:
    """Year, people and place of the first block; nothing where no year parts the people from the place."""
    found = _YEAR.search(block)
    if found is None or "\n" in block:
        return None, "", ""
    return int(found[1]), block[: found.start()].strip(), block[found.end() :].removeprefix(". ")


def _people(block: str, place: str) -> str:
    """The people of a first block without a year, where a line tells its place if it has one."""
    if "(" in block or "\n" in block:  # a year in words, or no such block
        return ""
    return block.removesuffix(place).removesuffix(". ") if place and block.endswith(place) else block


def _names(people: str) -> tuple[tuple[str, ...], bool]:
    """The names, and whether there are more."""
    kept = _MORE.sub("", people)
    names = kept.split("; " if "; " in kept else ", ")
    return tuple(filter(None, (name.strip() for name in names))), kept != people
