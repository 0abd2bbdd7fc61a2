"""Text made safe for BibTeX and Markdown."""

from __future__ import annotations

import re

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


def markdown(text: str) -> str:
    """A text that Markdown shows as it is."""
    return _MARKDOWN.sub(r"\\\1", text)


def code(text: str) -> str:
    """A span of code, fenced by more backticks than the text has in a row."""
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def bibtex(text: str) -> str:
    """A text as the value of a field, its braces balanced."""
    return "".join(_BIBTEX.get(sign, sign) for sign in text)


def is_address(path: str) -> bool:
    """Whether it is an address of the web."""
    return path.startswith(("http://", "https://"))


def link(address: str) -> str:
    """An address or DOI as BibTeX takes it: signs that would end or break the field are written as their number."""
    return re.sub(r"[\\{}\s]", lambda sign: f"%{ord(sign[0]):02X}", address)
