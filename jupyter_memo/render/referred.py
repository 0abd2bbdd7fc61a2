"""A reference of somebody's bibliography as a citation of what it refers to: only what the entry said."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from jupyter_memo.chunk import reference
from jupyter_memo.chunk.reference import Reference
from jupyter_memo.render import visible
from jupyter_memo.render.escaping import bibtex, code, is_address, link, markdown

CSL_TYPES: dict[str, str] = {
    **dict.fromkeys(reference.JOURNALS, "article-journal"),
    **dict.fromkeys(reference.PARTS, "chapter"),
    **dict.fromkeys(reference.BOOKS, "book"),
    **dict.fromkeys(("inproceedings", "conference"), "paper-conference"),
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), "thesis"),
    **dict.fromkeys(("techreport", "report"), "report"),
    **dict.fromkeys(("online", "electronic", "www"), "webpage"),
    "dataset": "dataset",
    "software": "software",
    "patent": "patent",
    "unpublished": "manuscript",
}
"""The CSL type of each BibTeX type; `document` for any other."""

CSL_FIELDS: dict[str, tuple[str, ...]] = {
    "container-title": ("journal", "journaltitle", "booktitle"),
    "collection-title": ("series",),
    "publisher": ("publisher", "school", "institution", "organization"),
    "publisher-place": ("address", "location"),
    "volume": ("volume",),
    "issue": ("issue", "number"),
    "page": ("pages",),
    "edition": ("edition",),
    "ISBN": ("isbn",),
    "DOI": ("doi",),
}
"""The CSL variables that a field of BibTeX becomes, by the first that there is."""

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_DOI_ADDRESS = re.compile(r"https?://(?:dx\.)?doi\.org/", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w:.+/-]+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Referred:
    """One reference: `key` is its own, made safe and unlike the others of the list; `path` and `place` say in which
    bibliography it was found, `found` in which index and when."""

    key: str
    reference: Reference
    path: str
    place: str
    found: str


def safe_key(key: str) -> str:
    """A key that BibTeX can hold: plain letters, digits and `:.+/_-`; the same one where it was that already."""
    plain = unicodedata.normalize("NFKD", key).encode("ascii", "ignore").decode()
    return _UNSAFE.sub("-", plain).strip("-")


def as_bibtex(entry: Referred) -> str:
    """An entry of its own type."""
    told = entry.reference
    own = {name: visible.line(value) for name, value in told.fields.items()}
    fields = {
        "author": _people(told.authors, told.others),
        "editor": _people(told.editors, told.others and not told.authors),
        "title": "{" + bibtex(visible.line(told.title)) + "}" if told.title else "",
        **{name: bibtex(value) for name, value in own.items() if name not in ("doi", "url")},
        "year": _number(told.year),
        "month": _number(told.month),
        "day": _number(told.day),
        "doi": _doi_field(own.get("doi", "")),
        "url": link(own["url"]) if is_address(own.get("url", "")) else "",
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{told.type}{{{entry.key},\n{lines}}}"


def as_csl(entry: Referred) -> dict[str, Any]:
    """An item of CSL-JSON. Names are literal: which part of one is the family's is not known."""
    told = entry.reference
    item: dict[str, Any] = {"id": entry.key, "type": CSL_TYPES.get(told.type, "document")}
    if told.title:
        item["title"] = visible.line(told.title)
    for name, people in (("author", told.authors), ("editor", told.editors)):
        if people:
            item[name] = [{"literal": visible.line(each)} for each in people]
    if told.year:
        parts = (told.year, told.month, told.day)
        item["issued"] = {"date-parts": [[part for part in parts if part is not None]]}
    for name, sources in CSL_FIELDS.items():
        if value := next((told.fields[source] for source in sources if source in told.fields), ""):
            item[name] = visible.line(value)
    if "DOI" in item:
        item["DOI"] = _DOI_ADDRESS.sub("", item["DOI"])
    if "issue" in item and told.type not in reference.JOURNALS and "issue" not in told.fields:
        item["number" if item["type"] in ("report", "patent") else "collection-number"] = item.pop("issue")
    if is_address(address := visible.line(told.fields.get("url", ""))):
        item["URL"] = address
    return item


def as_markdown(entry: Referred) -> str:
    """An item of a list: people (year), title, where it appeared; then the bibliography that it was found in."""
    told = entry.reference
    own = {name: visible.line(value) for name, value in told.fields.items()}
    names = told.authors or tuple(f"{name} (ed.)" for name in told.editors)
    people = ", ".join(map(visible.line, names)) + (" et al." if told.others and names else "")
    day = "-".join(f"{part:02}" for part in (told.year, told.month, told.day) if part is not None)
    container = next((own[name] for name in CSL_FIELDS["container-title"] if name in own), "")
    number = own.get("issue") or own.get("number", "")
    volume = own.get("volume", "") + (f"({number})" if number else "")
    pages = f"pp. {own['pages']}" if "pages" in own else ""
    makers = (own[name] for name in ("publisher", "school", "institution", "organization") if name in own)
    where = ", ".join(
        (
            *([f"*{markdown(container)}*"] if container else []),
            *(markdown(part) for part in (own.get("series", ""), volume, pages, *makers) if part),
        )
    )
    doi = _DOI_ADDRESS.sub("", own.get("doi", ""))
    title = visible.line(told.title).removesuffix(".") or entry.key
    parts = (
        " ".join(filter(None, (markdown(people), f"({day})" if day else ""))),
        f"**{markdown(title)}**",
        where,
        f"doi:{markdown(doi)}" if doi else "",
        code(own["url"]) if is_address(own.get("url", "")) else "",
        ", ".join(filter(None, (code(entry.path), markdown(entry.place)))),
        markdown(entry.found),
    )
    return "- " + ". ".join(filter(None, (part.removesuffix(".") for part in parts))) + "."


def _people(names: tuple[str, ...], others: bool) -> str:
    """Names as BibTeX parts them; one with a comma or an “and” of its own is kept together by braces."""
    told = []
    for name in map(visible.line, names):
        whole = "," in name or re.search(r"\sand\s", name, re.IGNORECASE)
        told.append("{" + bibtex(name) + "}" if whole else bibtex(name))
    return " and ".join((*told, "others") if others and told else told)


def _doi_field(doi: str) -> str:
    doi = _DOI_ADDRESS.sub("", doi)
    return link(doi) if _DOI.fullmatch(doi) else bibtex(doi)


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
