"""Automatic tags: the words and pairs of words that a text turns on, by YAKE (Campos et al. 2020)."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from jupyter_memo.errors import MissingExtraError
from jupyter_memo.records import Parsed

MOST_CHARACTERS = 20_000
"""So much of a text is looked at, from its beginning: what it is about is said early, and more of it takes seconds."""

_LANGUAGE = re.compile(r"[a-z]{2}(?:-\w+)?")
_WORD = re.compile(r"\w+(?:-\w+)*")


def of(parsed: Parsed, number: int) -> tuple[str, ...]:
    """At most `number` tags of a source, in small letters, words joined by `-`, the most telling first.

    Code and tables have no say. Raises MissingExtraError without the extra `keywords`.
    """
    prose = "\n\n".join(chunk.text for chunk in parsed.chunks if not chunk.code)[:MOST_CHARACTERS]
    if not prose.strip():
        return ()
    lang = parsed.lang[:2] if parsed.lang and _LANGUAGE.fullmatch(parsed.lang) else "en"
    found = _extractor(lang, number).extract_keywords(prose)
    tags = ("-".join(_WORD.findall(phrase.lower())) for phrase, _ in found)
    return tuple(dict.fromkeys(tag for tag in tags if tag))[:number]


def check() -> None:
    """Raises MissingExtraError, with the command that cures it, where the library is absent."""
    try:
        import yake  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("yake", "keywords") from error


@cache
def _extractor(lang: str, number: int) -> Any:
    check()
    import yake

    return yake.KeywordExtractor(lan=lang, n=2, top=number)
