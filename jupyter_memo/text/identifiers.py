"""Names that are kept whole: identifiers, paths, flags, ticket numbers, digests, and the parts they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from jupyter_memo.text.tokens import CJK, CJK_RUN

MAX_LITERAL_BYTES = 199
"""Longer tokens are left out whole: the index of literals cuts there. Their parts are kept where they are shorter."""

MAX_WHOLE_CHAIN = 6
"""Up to so many parts a chain is indexed with all of its sub-chains; above, with parts, pairs, beginnings and ends."""

MAX_NAME = 64
"""Longer runs of letters and digits are not taken apart; the index of words leaves them out as well."""

MAX_PARTS = 32
"""Parts of one chain that are indexed at all: a longer one is data, not a name."""

_LETTER = rf"[^\W{CJK}]"
"""What would go on with a name: a letter of another script than Chinese, Japanese or Korean, a digit, an underscore."""

_TOKEN = re.compile(
    rf"""
    (?P<url>\b[A-Za-z][A-Za-z0-9+.\-]{{1,20}}://[^\s<>"'`{{}}|\\^\[\],;]{{1,2000}})
  | (?P<doi>(?<!{_LETTER})10\.\d{{4,9}}/[^\s<>"'`{{}}|\\^\[\],;{CJK}]{{1,200}})
  | (?P<drive>(?<![\w.])[A-Za-z]:[\\/][^\s<>"'`{{}}|*?,;:()\[\]]*)
  | (?P<flag>(?<![\w\-.)\]])--?[^\W\d_][\w\-]*(?![\w\-]|\.\w))
  | (?P<sigil>(?<![\w%@#$])(?:%{{1,2}}(?=[^\W\d])|@(?=[^\W\d])|\#(?=\w)|\$(?=[A-Z_]{{2}})))?
    (?P<lead>(?<![\w.])\.(?=[^\W\d_])|(?<![\w</:.~\\])/(?=\w))?
    (?P<chain>\w+(?:(?:[.\-/\\@&]|::|:(?!\w{{1,20}}://))\w+)*)
    (?P<tail>\+\+(?!{_LETTER})|(?<=(?<!{_LETTER})[A-Z])\#(?!{_LETTER})|['’](?:t|re|ve|ll|d|m)\b)?
    """,
    re.VERBOSE,
)
_JOINT = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[^\W\d_]\d|\d[^\W\d_]")
_SOFT = re.compile(r"(?<!:):(?!:)|[@&]")
_LINK = re.compile(r"::|[^\w]+")
_HAS_SYMBOL = re.compile(r"[^\w]")
_SEGMENT = re.compile(r"\w+(?:(?:::|[./\\:\-])\w+)*")
_DOI = re.compile(r"10\.\d{4,9}/")
_WHOLE = frozenset({"url", "doi", "drive"})
_ENGLISH = frozenset(
    {"and/or", "either/or", "he/she", "she/he", "his/her", "s/he", "yes/no", "on/off", "in/out", "n/a", "w/o"}
)


@dataclass(frozen=True, slots=True)
class Literal:
    """One literal token of a text: as it stands (`whole`), and the tokens in it that stand for themselves (`pieces`).

    `localhost:8080` is one whole of two pieces; `os.path` is a whole that is its own only piece. `start` and `end`
    are its half-open range of characters.
    """

    whole: str
    pieces: tuple[str, ...]
    start: int
    end: int


def literal_tokens(text: str) -> Iterator[Literal]:
    """The literal tokens of a text in order, case kept, surrounding quotes, brackets and punctuation taken off."""
    position = 0
    cjk = not text.isascii()
    while match := _TOKEN.search(text, position):
        kind, whole = match.lastgroup, match.group()
        position = match.end()
        if kind in _WHOLE:
            whole = _balanced(whole)
            position = match.start() + len(whole)
            yield Literal(whole, (whole,), match.start(), position)
            continue
        if kind == "flag":
            whole = whole.rstrip("-_")
            yield Literal(whole, (whole,), match.start(), match.start() + len(whole))
            continue
        if not any(character.isalnum() for character in whole):
            continue
        start, end = match.start(), match.end()
        if text[end - 1 : end + 2].endswith(("'s", "’s")) and not text[end + 2 : end + 3].isalnum():
            position = end + 2
        yield Literal(whole.replace("’", "'"), _pieces(match, cjk), start, end)


def literals(text: str) -> tuple[str, ...]:
    """Every literal token for the index of literals, repeats included: wholes, pieces, and sub-chains.

    A sub-chain of a dotted, slashed, hyphenated or `::` compound is marked with a leading dot: `os.path.join` gives
    itself and .os .path .join .os.path .path.join, so that the query `path.join` finds a token of its own surely and
    the end of a longer one by `.path.join`. No token holds white space or more than MAX_LITERAL_BYTES bytes.
    """
    found: list[str] = []
    for token in literal_tokens(text):
        if token.pieces != (token.whole,):
            found.append(token.whole)
        for piece in token.pieces:
            found += _expanded(piece) if len(piece) <= MAX_LITERAL_BYTES else _expanded.__wrapped__(piece)
    return tuple(token for token in found if len(token) * 4 <= MAX_LITERAL_BYTES or _short(token))


def identifiers(text: str) -> tuple[str, ...]:
    """The literal tokens that look like names a machine gave or reads, in order, once each.

    They are: camelCase and CamelCase; snake_case and _private; two or more capitals with a digit, three or more
    without (not in a text that is all capitals); a letter followed later by a digit (`python3`, `ABC-1234`, `utf-8`);
    dotted and slashed names and paths; `::` chains; C++, C#; URLs, DOIs, mail addresses; versions of three numbers or
    with a v; flags; %magics, @decorators, #numbers, $VARIABLES; hexadecimal digests of seven or more with letters and
    digits. They are not: words, capitalised or not, numbers, dates, contractions, initials (`e.g.`, `U.S.`),
    hyphenated English.
    """
    found: dict[str, None] = {}
    shouting = _is_shouting(text)
    for token in literal_tokens(text):
        candidates = (token.whole,) if _stands_whole(token) else token.pieces
        for name in candidates:
            if looks_like_identifier(name, capitals=not shouting):
                found[name] = None
    return tuple(found)


@lru_cache(maxsize=8192)
def looks_like_identifier(token: str, *, capitals: bool = True) -> bool:
    """Whether one literal token looks like a name a machine gave or reads; the rules are those of `identifiers`."""
    bare = token.lstrip("%@#$")
    if token[0] in "%@#$" or token.startswith("-"):
        return len(bare) > 1 or token.startswith("-")
    if any(sign in token for sign in ("://", "::", "\\", "@")) or token.endswith(("++", "#")) or _DOI.match(token):
        return True
    parts = [part for part in _LINK.split(token) if part]
    if len(parts) > 1 or token[0] in "./":
        return _compound_is_identifier(token, parts)
    return _word_is_identifier(token, capitals)


def _compound_is_identifier(token: str, parts: list[str]) -> bool:
    letters = any(character.isalpha() for character in token)
    if "'" in token or not letters:
        return token.count(".") >= 2 and "/" not in token and "-" not in token
    if any(_word_is_identifier(part, capitals=False) for part in parts):
        return True
    if "/" in token:
        return token.lower() not in _ENGLISH and not parts[0].isdigit()
    if "." in token:
        return not all(len(part) == 1 for part in parts) and token.lower() not in ("ph.d", "m.sc", "b.sc")
    return parts[0][0].isalpha() and parts[-1][0].isdigit()


def _word_is_identifier(word: str, capitals: bool) -> bool:
    if "_" in word.strip("_"):
        return True
    if word.startswith("_"):
        return word.startswith("__") or not word.endswith("_")
    digits = any(character.isdigit() for character in word)
    upper = sum(character.isupper() for character in word)
    letters = sum(character.isalpha() for character in word)
    if not letters:
        return False
    if digits:
        hexadecimal = len(word) >= 7 and all(character in "0123456789abcdefABCDEF" for character in word)
        return word[0].isalpha() or hexadecimal or word[:2].lower() == "0x"
    if upper == letters:
        return capitals and letters >= 3
    return any(a.islower() and b.isupper() for a, b in pairwise(word))


def is_joined(name: str) -> bool:
    """Whether a run of letters and digits is several words in one: camelCase, or letters with digits. Runs above
    MAX_NAME are data."""
    return len(name) <= MAX_NAME and _JOINT.search(name) is not None


def split_identifier(name: str) -> tuple[str, ...]:
    """The words a name is made of: camelCase, snake_case, kebab-case, letters from digits, capitals from a last word.

    getHTTPResponse2 gives get, HTTP, Response, 2; a plural of capitals (URLs) stays one.
    """
    shape = "".join(map(_shape, name))
    return tuple(name[match.start() : match.end()] for match in _PARTS.finditer(shape))


_PARTS = re.compile(r"UUv(?=d)|UU+s(?![sl])|U+(?=U[sl])|U?[slv]+|U+|d+|o+")


def _shape(character: str) -> str:
    if character.isupper():
        return "U"
    if character.isdigit():
        return "d"
    if character.islower():
        return character if character in "sv" else "l"
    return "o" if character.isalpha() else " "


def _pieces(match: re.Match[str], cjk: bool) -> tuple[str, ...]:
    """The tokens of a chain that stand for themselves: cut at : @ &, where scripts change, and after a sigil."""
    chain = (match["lead"] or "") + match["chain"]
    pieces = [piece for piece in _SOFT.split(chain) if piece] if _SOFT.search(chain) else [chain]
    if match["tail"]:
        pieces[-1] += match["tail"].replace("’", "'")
    if cjk:
        pieces = [part for piece in pieces for part in _scripts(piece)]
    return tuple(pieces)


def _scripts(piece: str) -> list[str]:
    """A piece cut where Chinese, Japanese or Korean text meets other letters: ERP시스템 is ERP and 시스템."""
    if not CJK_RUN.search(piece):
        return [piece]
    parts: list[str] = []
    end = 0
    for match in CJK_RUN.finditer(piece):
        parts += (piece[end : match.start()].strip("-/\\.:@&"), match.group())
        end = match.end()
    parts.append(piece[end:].strip("-/\\.:@&"))
    return [part for part in parts if part]


@lru_cache(maxsize=16_384)
def _expanded(piece: str) -> tuple[str, ...]:
    """A piece and its marked sub-chains."""
    if not _HAS_SYMBOL.search(piece):
        bare = piece.strip("_")
        return (piece, "." + bare) if bare and bare != piece else (piece,)
    if piece.endswith(("++", "#")) or "'" in piece:
        return (piece,)
    found = [piece]
    for segment in _SEGMENT.findall(piece):
        found += (chain for chain in _chains(segment, whole=segment == piece) if chain != piece)
    return tuple(found)


def _chains(segment: str, *, whole: bool) -> Iterator[str]:
    """The marked sub-chains of one unbroken chain, itself among them unless it is the whole token. Parts that are
    numbers of one or two digits say nothing alone."""
    parts = [(match.start(), match.end()) for match in re.finditer(r"\w+", segment)][:MAX_PARTS]
    last = len(parts) - 1
    english = all(segment[start:end].isalpha() for start, end in parts) and set(_LINK.findall(segment)) == {"-"}
    for first in range(last + 1):
        for final in range(first, last + 1):
            if first == 0 and final == last and whole:
                continue
            if (english and final > first) or (last >= MAX_WHOLE_CHAIN and not _kept(first, final, last)):
                continue
            chain = segment[parts[first][0] : parts[final][1]]
            if len(chain) > 2 or not chain.isdigit():
                yield "." + chain


def _kept(first: int, final: int, last: int) -> bool:
    """Which sub-chains of a long chain are kept: parts, pairs, beginnings and ends."""
    return final - first < 2 or first == 0 or final == last


def _stands_whole(token: Literal) -> bool:
    """Whether a token with soft joints is one name: an address is, `key:value` and mixed scripts are several."""
    return len(token.pieces) == 1 or token.whole[0] in "%@#$" or "@" in token.whole


def _balanced(token: str) -> str:
    """A URL or DOI without the punctuation and the closing brackets of the sentence around it."""
    depth = 0
    for place, character in enumerate(token):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            token = token[:place]
            break
    return token.rstrip(".:!?*_~\\/-(&#") or token


def _short(token: str) -> bool:
    return len(token.encode("utf-8", "replace")) <= MAX_LITERAL_BYTES


def _is_shouting(text: str) -> bool:
    """A text of four or more words without a small letter: its capitals say nothing."""
    return not any(character.islower() for character in text) and len(text.split()) >= 4
