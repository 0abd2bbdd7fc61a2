"""Results as citations: Markdown, BibTeX and CSL-JSON, each with the place inside the source and the index it was found
in.

A source says what it is by its path; who wrote it is not known here, so no entry names an author. A record of a
bibliography (a paper that was added by its citation key) keeps that key, and its passages share one entry. A passage
of a .bib, .ris, .enw or .nbib file is a reference and cited as what it refers to (`referred.py`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from jupyter_memo.chunk import reference
from jupyter_memo.chunk.reference import Reference
from jupyter_memo.errors import QueryError
from jupyter_memo.records import Kind, Passage
from jupyter_memo.render import location, referred, visible
from jupyter_memo.render.escaping import bibtex, code, is_address, link, markdown
from jupyter_memo.render.referred import Referred
from jupyter_memo.response import CITE_STYLES, CiteStyle, Result
from jupyter_memo.text.paths import portable

CSL_TYPES: dict[Kind, str] = {
    "document": "document",
    "notebook": "document",
    "code": "software",
    "data": "dataset",
    "paper": "article",
    "note": "document",
    "conversation": "personal_communication",
}
"""The CSL type of each kind. CSL has none for notes and notebooks; `genre` names those."""

KEY_DIGITS = 8
"""Digits of the passage's id in a key: two passages of one file name share them once in four milliards of pairs."""

_KEY = re.compile(r"[A-Za-z][\w:.+-]*", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One citation. `place` is where inside the source (`p. 4`, `cell 12 · In[7]`, `L3–9`; several for a record cited
    by its own key), `pages` the pages alone. `version` is that of the index, `accessed` the day it was asked."""

    key: str
    title: str
    path: str
    header: tuple[str, ...]
    place: str
    pages: str
    kind: Kind
    lang: str
    written: date
    version: int | None
    accessed: date | None


def cite(
    results: Iterable[Result], style: CiteStyle, *, index_version: int | None = None, accessed: date | None = None
) -> str:
    """The results as text in one style, without a final newline. Raises QueryError for an unknown style."""
    if style not in CITE_STYLES:
        raise QueryError(f"style {style!r} is unknown. Use one of: {', '.join(CITE_STYLES)}")
    found = entries(results, index_version, accessed)
    if style == "csl":
        return json.dumps([_csl(entry) for entry in found], indent=2, ensure_ascii=False)
    write = _bibtex if style == "bibtex" else _markdown
    return ("\n\n" if style == "bibtex" else "\n").join(map(write, found))


def entries(results: Iterable[Result], version: int | None, accessed: date | None) -> tuple[Entry | Referred, ...]:
    """One entry a result, in their order; passages of one record with a key of its own are one, and so are the parts of
    a reference, in however many bibliographies it stands under one key and title."""
    shared: dict[tuple[str, str, bool], list[Passage]] = {}
    told: dict[tuple[str, str, bool], list[Reference]] = {}
    for passage in (result.passage for result in results):
        if meant := reference.of(passage):
            name = (meant.key or _made_key(passage), passage.title, True)
            told.setdefault(name, []).append(meant)
        else:
            name = (_own_key(passage) or _made_key(passage), "", False)
        shared.setdefault(name, []).append(passage)
    taken = {key for key, _, refers in shared if not refers}
    found: list[Entry | Referred] = []
    for name, passages in shared.items():
        if name in told:
            found.append(_referred(max(told[name], key=_told), passages, taken, version, accessed))
            taken.add(found[-1].key)
        else:
            found.append(_entry(name[0], passages, version, accessed))
    return tuple(found)


def _told(meant: Reference) -> int:
    return len(meant.authors) + len(meant.editors) + len(meant.fields) + (meant.year is not None)


def _referred(
    meant: Reference, passages: list[Passage], taken: Collection[str], version: int | None, accessed: date | None
) -> Referred:
    first = passages[0]
    key = referred.safe_key(meant.key) or _made_key(first)
    title = location.title(first)
    return Referred(
        key=key if key not in taken else f"{key}-{first.id[:KEY_DIGITS]}",
        reference=meant,
        path=visible.line(portable(first.uri)),
        place=", ".join(dict.fromkeys(filter(None, (location.place(each.span, title) for each in passages)))),
        found=_found(version, accessed),
    )


def _entry(key: str, passages: list[Passage], version: int | None, accessed: date | None) -> Entry:
    first = passages[0]
    title = location.title(first)
    places = dict.fromkeys(filter(None, (location.place(each.span, title) for each in passages)))
    pages = dict.fromkeys(str(each.span.page) for each in passages if each.span.page is not None)
    return Entry(
        key=key,
        title=title,
        path=visible.line(portable(first.uri)),
        header=tuple(map(visible.line, first.header[:-1])),
        place=", ".join(places),
        pages=", ".join(pages),
        kind=first.kind,
        lang=visible.line(first.lang or ""),
        written=first.created_at.date(),
        version=version,
        accessed=accessed,
    )


def _own_key(passage: Passage) -> str:
    """The key a bibliography gave the record; empty where there is none."""
    if passage.kind != "paper":
        return ""
    name = passage.span.key or (passage.uri if passage.surface == "memory" else "")
    return name if _KEY.fullmatch(name) else ""


def _made_key(passage: Passage) -> str:
    """File name and the first digits of the passage's id, which depends on its text: the same passage has the same key
    wherever it is cited."""
    stem = portable(passage.uri).rsplit("/", 1)[-1].rsplit(".", 1)[0]
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40].strip("-")
    return "-".join(filter(None, (slug if slug[:1].isalpha() else f"memo-{slug}".rstrip("-"), passage.id[:KEY_DIGITS])))


def _index(version: int | None) -> str:
    return "" if version is None else f"jupyter_memo index {version}"


def _found(version: int | None, accessed: date | None) -> str:
    return ", ".join(filter(None, (_index(version), f"accessed {accessed.isoformat()}" if accessed else "")))


def _markdown(entry: Entry | Referred) -> str:
    if isinstance(entry, Referred):
        return referred.as_markdown(entry)
    inside = location.CRUMB.join(entry.header)
    where = ", ".join(filter(None, (code(entry.path), markdown(inside), markdown(entry.place))))
    told = [f"**{markdown(entry.title)}**", where, f"{entry.kind}, written {entry.written.isoformat()}"]
    return "- " + ". ".join(filter(None, (*told, markdown(_found(entry.version, entry.accessed))))) + "."


def _bibtex(entry: Entry | Referred) -> str:
    if isinstance(entry, Referred):
        return referred.as_bibtex(entry)
    note = "; ".join(filter(None, (location.CRUMB.join(entry.header), entry.place, _index(entry.version))))
    fields = {
        "title": "{" + bibtex(entry.title) + "}",  # the inner braces keep capitals as they are
        "howpublished": bibtex(entry.path),
        "type": entry.kind,
        "year": str(entry.written.year),
        "month": str(entry.written.month),
        "pages": entry.pages,
        "note": bibtex(note),
        "urldate": entry.accessed.isoformat() if entry.accessed else "",
    }
    if is_address(entry.path):
        fields["url"] = link(entry.path)
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{entry.key},\n{lines}}}"


def _csl(entry: Entry | Referred) -> dict[str, Any]:
    if isinstance(entry, Referred):
        return referred.as_csl(entry)
    item: dict[str, Any] = {
        "id": entry.key,
        "type": CSL_TYPES[entry.kind],
        "title": entry.title,
        "genre": entry.kind,
        "issued": _date(entry.written),
    }
    if entry.accessed:
        item["accessed"] = _date(entry.accessed)
    item["URL" if is_address(entry.path) else "archive_location"] = entry.path
    if entry.header:
        item["section"] = location.CRUMB.join(entry.header)
    if entry.place:
        item["locator"] = entry.place
    if entry.pages:
        item["page"] = entry.pages
    if entry.lang:
        item["language"] = entry.lang
    item["source"] = "jupyter_memo"
    if entry.version is not None:
        item["note"] = _index(entry.version)
    return item


def _date(day: date) -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}
