"""Words of a text as the keyword index sees them, and the terms of the scripts that do not put spaces between
words."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

MAX_TOKEN_BYTES = 64
"""Tokens of 64 bytes and more in UTF-8 are in no index of words; the exact arm finds them."""

# fmt: off
QUESTION_WORDS = frozenset((
    "what", "who", "whom", "whose", "which", "when", "where", "why", "how", "do", "does", "did", "is",
    "are", "was", "were", "be", "been", "has", "have", "had", "can", "could", "should", "would", "will",
))
# fmt: on
"""What English asks with."""

SHORT = 200
"""Texts up to so many characters are queries and names, which one search asks for again and again."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3100-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U000323af"
)
CJK_RUN = re.compile(f"[{CJK}]+")
"""One run of Han, Hiragana, Katakana, Bopomofo or Hangul characters."""

_GLUED = re.compile(rf"(?<=[{CJK}])(?=[^\W_{CJK}])|(?<=[^\W_{CJK}])(?=[{CJK}])")
"""Where a word of such a script and one of another touch."""


def stems(text: str) -> tuple[str, ...]:
    """The tokens of a text in order, repeats included, as the `lex` column of the index holds them.

    Runs of letters and digits, apart where Chinese, Japanese or Korean begins or ends (pandas in 用pandas读取), lower
    case, English stems (Snowball), accents folded away after stemming, no stop words taken out: the chain that
    LanceDB's full-text index builds from such text. The two agree on all letters in daily use; for fractions, circled
    and Roman numerals and rare phonetic letters LanceDB folds a little more or less.
    """
    return _short(text) if len(text) <= SHORT else _analyzed(text)


def content(text: str) -> tuple[str, ...]:
    """The stems of what a text speaks of: without the English function words (the, at, of), unless it has no others."""
    return meant(text) or stems(text)


def meant(text: str) -> tuple[str, ...]:
    """The stems of a text without the English function words; none where it has no others."""
    return _short(text, content_only=True) if len(text) <= SHORT else _analyzed(text, content_only=True)


def asked(text: str) -> tuple[str, ...]:
    """The stems of what a question asks about: those of `stems` without its question words, unless it has no others.

    A word in capitals (WHO, IS-A) is a name and stays.
    """
    held = _clean(text)
    tokens = _analyzer().pre_tokenize(held).tokens
    kept = tuple(
        token.text
        for token in tokens
        if (word := held[token.char_offset_from : token.char_offset_to]).lower() not in QUESTION_WORDS
        or (word.isupper() and len(word) > 1)
    )
    return kept or tuple(token.text for token in tokens)


def spans(text: str) -> tuple[tuple[str, int, int], ...]:
    """The same tokens as `stems`, each with its half-open range of characters in the text."""
    held = _clean(text)
    tokens = _analyzer().pre_tokenize(held).tokens
    found = ((token.text, token.char_offset_from, token.char_offset_to) for token in tokens)
    if len(held) == len(text):
        return tuple(found)
    # Each place where words were set apart moved all behind it by one.
    apart = [match.start() for match in _GLUED.finditer(text)]
    moved = [place + number + 1 for number, place in enumerate(apart)]
    return tuple((stem, start - bisect(moved, start), end - bisect(moved, end)) for stem, start, end in found)


def has_cjk(text: str) -> bool:
    """Whether any character is Chinese, Japanese or Korean."""
    return not text.isascii() and CJK_RUN.search(text) is not None


def cjk_terms(text: str) -> tuple[str, ...]:
    """Characters and bigrams of each run of Chinese, Japanese or Korean text: c1, c1c2, c2, c2c3, c3.

    In this order the terms of a part of a run stand side by side among the terms of the run, so that a phrase query
    finds it. Half-width and composed forms are brought to one form first (NFKC).
    """
    if text.isascii():
        return ()
    terms: list[str] = []
    for match in CJK_RUN.finditer(text):
        run = unicodedata.normalize("NFKC", match.group())
        for first, second in pairwise(run):
            terms += (first, first + second)
        terms.append(run[-1])
    return tuple(terms)


@lru_cache(maxsize=4096)
def _short(text: str, *, content_only: bool = False) -> tuple[str, ...]:
    return _analyzed(text, content_only=content_only)


def _analyzed(text: str, *, content_only: bool = False) -> tuple[str, ...]:
    return tuple(_analyzer(content_only=content_only).analyze(_clean(text)))


def _clean(text: str) -> str:
    """Half a surrogate pair cannot be encoded, so a stand-in has its place; words that touch one of another script are
    set apart by a blank."""
    return text if text.isascii() else _GLUED.sub(" ", _LONE_SURROGATE.sub("\ufffd", text))


@cache
def _analyzer(*, content_only: bool = False) -> Any:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(MAX_TOKEN_BYTES))
    builder = builder.filter(Filter.lowercase())
    if content_only:
        builder = builder.filter(Filter.stopword("english"))
    return builder.filter(Filter.stemmer("english")).filter(Filter.ascii_fold()).build()
