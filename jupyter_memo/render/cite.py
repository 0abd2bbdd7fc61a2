"""Results as citations: Markdown, BibTeX and CSL-JSON, each with the place inside the source and the index it was found
in.

A source says what it is by its path; who wrote it is not known here, so no entry names an author. A record of a
bibliography (a paper that was added by its citation key) keeps that key, and its passages share one entry.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from jupyter_memo.errors import QueryError
from jupyter_memo.records import Kind, Passage
from jupyter_memo.render import location, visible
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
_BIBTEX = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # \{ would unbalance the entry: BibTeX counts braces without looking at backslashes
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "…": r"\ldots{}",
    "›": r"\textgreater{}",
    "·": r"\textperiodcentered{}",
    **{sign: f"\\{sign}" for sign in "#$%&_"},
}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&])")


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


def entries(results: Iterable[Result], version: int | None, accessed: date | None) -> tuple[Entry, ...]:
    """One entry a result, in their order; passages of one record with a key of its own are one."""
    shared: dict[str, list[Passage]] = {}
    for result in results:
        shared.setdefault(_own_key(result.passage) or _made_key(result.passage), []).append(result.passage)
    return tuple(_entry(key, passages, version, accessed) for key, passages in shared.items())


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


def _index(entry: Entry) -> str:
    return "" if entry.version is None else f"jupyter_memo index {entry.version}"


def _markdown(entry: Entry) -> str:
    inside = location.CRUMB.join(entry.header)
    where = ", ".join(filter(None, (_code(entry.path), _plain(inside), _plain(entry.place))))
    told = [f"**{_plain(entry.title)}**", where, f"{entry.kind}, written {entry.written.isoformat()}"]
    found = ", ".join(
        filter(None, (_plain(_index(entry)), f"accessed {entry.accessed.isoformat()}" if entry.accessed else ""))
    )
    return "- " + ". ".join(filter(None, (*told, found))) + "."


def _plain(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _code(text: str) -> str:
    """A span of code, fenced by more backticks than the text has in a row."""
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _bibtex(entry: Entry) -> str:
    note = "; ".join(filter(None, (location.CRUMB.join(entry.header), entry.place, _index(entry))))
    fields = {
        "title": "{" + _escaped(entry.title) + "}",  # the inner braces keep capitals as they are
        "howpublished": _escaped(entry.path),
        "type": entry.kind,
        "year": str(entry.written.year),
        "month": str(entry.written.month),
        "pages": entry.pages,
        "note": _escaped(note),
        "urldate": entry.accessed.isoformat() if entry.accessed else "",
    }
    if _is_address(entry.path):
        fields["url"] = re.sub(r"[\\{}\s]", lambda sign: f"%{ord(sign[0]):02X}", entry.path)
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{entry.key},\n{lines}}}"


def _escaped(text: str) -> str:
    return "".join(_BIBTEX.get(sign, sign) for sign in text)


def _csl(entry: Entry) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": entry.key,
        "type": CSL_TYPES[entry.kind],
        "title": entry.title,
        "genre": entry.kind,
        "issued": _date(entry.written),
    }
    if entry.accessed:
        item["accessed"] = _date(entry.accessed)
    item["URL" if _is_address(entry.path) else "archive_location"] = entry.path
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
        item["note"] = _index(entry)
    return item


def _date(day: date) -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}


def _is_address(path: str) -> bool:
    return path.startswith(("http://", "https://"))
