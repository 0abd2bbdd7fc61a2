"""What the elements of a page are for: which hold what it says, which stand around that, which are not shown."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jupyter_memo.chunk import markup

VOID = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
"""Elements without content."""

LEFT_OUT = frozenset(
    (*markup.RAW - {"title"}, "template", "noscript", "svg", "canvas", "object", "audio", "video", "map", "button")
) | frozenset(("select", "datalist", "dialog", "annotation-xml"))
"""Elements that hold nothing to read: programs, drawings, controls."""

AROUND = frozenset({"nav", "footer", "menu"})
"""Elements around what a page says..."""

AROUND_AT_TOP = frozenset({"header", "aside"})
"""...and those that are so unless they stand in what it says (a note, the head of an article)."""

AROUND_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "menu", "menubar", "toolbar"})
"""Roles of such elements."""

AROUND_CLASSES = frozenset(
    {
        "breadcrumb",
        "breadcrumbs",
        "nav",
        "nav-panel",
        "navbar",
        "navigation",
        "related",
        "sidebar",
        "site-footer",
        "site-header",
        "sphinxsidebar",
        "table-of-contents",
        "toc",
    }
)
"""Classes of such elements, as generators of documentation name them."""

ENDED_BY = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": frozenset({"tr", "td", "th"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
    "option": frozenset({"option"}),
}
"""Elements whose end tag may be left out, and which ones an opening tag ends."""

PARAGRAPH_ENDS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "details",
        "div",
        "dl",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "ul",
        "li",
        "dt",
        "dd",
        "tr",
        "td",
        "th",
    }
)
"""Tags that end a paragraph which is open."""

OF_TABLES = frozenset({"table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"})
CELLS = frozenset({"td", "th", "caption"})
"""In a cell of a table no end tag ends what was begun outside it, but for those of tables themselves."""


_HIDING = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)"
    r"|font-size\s*:\s*0(?![.\d]*[1-9])|(?:left|right|top|bottom|text-indent)\s*:\s*-\d{3,}"
    r"|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]|clip-path\s*:\s*inset\((?:50|100)%)",
    re.IGNORECASE,
)


def hides(name: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element says of itself that it is not shown."""
    if name in ("html", "body"):  # until a program shows the page, which none does here
        return False
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if attributes.get("aria-hidden", "").lower() == "true":
        return True
    return "style" in attributes and _HIDING.search(attributes["style"]) is not None


def is_around(name: str, attributes: Mapping[str, str], *, inside: bool) -> bool:
    """Whether an element stands around what a page says; `inside` an article or a main part fewer do."""
    if name in AROUND or (name in AROUND_AT_TOP and not inside):
        return True
    if attributes.get("role", "").lower() in AROUND_ROLES:
        return True
    return not AROUND_CLASSES.isdisjoint(attributes.get("class", "").lower().split())


def is_left_out(name: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element holds nothing to read. Of formulas their source in TeX is kept."""
    return name in LEFT_OUT or (name == "annotation" and "tex" not in attributes.get("encoding", ""))
