"""The words of a passage: what the three text columns of the index hold, and the one door to the rest of this room.

`lex` is matched by stems, `ident` by literal tokens, `cjk` by characters and bigrams. All three are derived: they can
be made again from header, text and uri.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from jupyter_memo.text.identifiers import (
    identifiers,
    is_joined,
    literal_tokens,
    literals,
    looks_like_identifier,
    split_identifier,
)
from jupyter_memo.text.snippets import snippet
from jupyter_memo.text.tokens import asked, cjk_terms, content, has_cjk, spans, stems

__all__ = [
    "asked",
    "cjk_column",
    "cjk_terms",
    "content",
    "has_cjk",
    "ident_column",
    "ident_terms",
    "identifiers",
    "jaccard",
    "lexical",
    "literal_tokens",
    "literals",
    "looks_like_identifier",
    "runs",
    "snippet",
    "spans",
    "speaks_of",
    "split_identifier",
    "stem_column",
    "stems",
    "with_context",
]

_RUN = re.compile(r"[^\W_]+")
_WORD = re.compile(r"\d+(?:\.\d+)+|\w+")


def lexical(header: tuple[str, ...], text: str, uri: str) -> str:
    """The `lex` column: the stems of breadcrumb and text in order, then those of the parts of joined names (camelCase,
    letters and digits) and of the file name's words, each only where it is not a word of the passage already."""
    body = "\n".join((*header, text))
    runs = dict.fromkeys(_RUN.findall(body))
    known = {word.lower() for word in runs}
    more: dict[str, None] = {}
    for name in runs:
        if is_joined(name):
            more.update((part, None) for part in split_identifier(name) if part.lower() not in known)
    for name in _RUN.findall(PurePosixPath(uri).stem):
        more.update((part, None) for part in (name, *split_identifier(name)) if part.lower() not in known)
    return stem_column(f"{body}\n{' '.join(more)}" if more else body)


def with_context(lex: str, context: str) -> str:
    """A `lex` column that also holds the stems of a context. One blank more stands between the two, so that the last
    stem of the one and the first of the other are no pair; a count of blanks by twos does not see it."""
    more = lexical((), context, "")
    return f"{lex} {more}" if lex and more else lex or more


def runs(text: str) -> list[str]:
    """The words of a text as they are written: runs of letters and digits, decimals in one piece."""
    return _WORD.findall(text)


def stem_column(text: str) -> str:
    """The stems of a text as a column holds them: a blank on each side of every stem, so that ` stem ` counts one and
    ` first  second ` an adjacent pair, whatever stands around them."""
    return "".join(f" {stem} " for stem in stems(text))


def ident_column(header: tuple[str, ...], text: str, uri: str) -> str:
    """The text of the `ident` column: the literal tokens of header, text, path and file name, one blank between
    them."""
    name = PurePosixPath(uri).name
    places = (uri, name) if name != uri else (uri,)
    return " ".join(token for part in (*header, text, *places) for token in literals(part))


def cjk_column(header: tuple[str, ...], text: str) -> str:
    """The text of the `cjk` column: characters and bigrams of header and text, empty where there are none."""
    return " ".join(term for part in (*header, text) for term in cjk_terms(part))


def ident_terms(name: str) -> tuple[str, str]:
    """The two terms that find one literal token in the `ident` column: as a token of its own, and inside a longer
    chain."""
    return name, "." + name.lstrip("./")


def speaks_of(text: str) -> frozenset[str]:
    """The words of a text as a set: its content stems, and the terms of the scripts without spaces."""
    return frozenset((*content(text), *cjk_terms(text)))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Words in both ÷ words in either, 0 to 1 (Jaccard 1912); 0 where neither has any."""
    both = len(one & other)
    either = len(one) + len(other) - both
    return both / either if either else 0.0


def rough_tokens(text: str) -> int:
    """Tokens of a text while no model can count them: English runs to four tokens in three words."""
    return len(text.split()) * 4 // 3
