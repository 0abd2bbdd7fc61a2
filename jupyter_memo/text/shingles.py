"""How alike texts are, word for word: by their runs of three words (shingles, Broder 1997).

Which of many texts may be alike is told by minima of hashes (MinHash, the same), computed for all of them at once; how
alike two are is then counted on the words themselves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from jupyter_memo.text.tokens import CJK_RUN

SIZE = 3
"""Words of a shingle."""

HASHES = 10
AGREE = 3
"""Two texts are compared when so many of so many minima are equal. Of pairs that have .8 of their shingles in common
one in 12,000 is missed, with .6 one in 80; of pairs with .1 seven in 100 are compared for nothing."""

HEAD = 8
"""Bytes by which a word is told from another, its length besides: enough for a first look."""

_CJK = CJK_RUN.pattern.removesuffix("+")
_WORD = re.compile(rf"{_CJK}|(?:(?!{_CJK})[^\W_])+")

_BETWEEN, _INSIDE, _FIRST = 0, 1, 2
_BYTES = np.array(
    [_FIRST if byte >= 0xE3 else _INSIDE if byte >= 0x80 or chr(byte).isalnum() else _BETWEEN for byte in range(256)],
    np.uint8,
)
"""What a byte of UTF-8 is: between words, in one, or the first of a character that is a word by itself. These are all
characters of three bytes and more from U+3000 on, where the scripts without spaces lie."""

_SIGNS = ((0xC2, 2), (0xE2, 3))
"""The first bytes of characters that are signs (« – “ →), and how many bytes each has."""

_MASKS = np.array([(1 << 8 * size) - 1 for size in range(HEAD + 1)], np.uint64)

Numbers = npt.NDArray[np.uint64]
Pairs = npt.NDArray[np.bool_]


def clean(text: str) -> str:
    """A text as it is compared: lower case, composed characters."""
    lowered = text.lower()
    return lowered if lowered.isascii() else unicodedata.normalize("NFC", lowered)


def shingles(text: str) -> frozenset[str]:
    """The runs of three words of a `clean` text; of a shorter one the whole, of one without words none."""
    found = _WORD.findall(text)
    if len(found) < SIZE:
        return frozenset([" ".join(found)] if found else ())
    return frozenset(map(" ".join, zip(found, found[1:], found[2:], strict=False)))


def candidates(texts: Sequence[str]) -> Pairs:
    """Which of the `clean` texts are worth comparing, shape (texts, texts): symmetric, false for what has no words."""
    found = np.zeros((len(texts), len(texts)), np.bool_)
    hashes, counts = _hashed(texts)
    held = np.flatnonzero(counts)
    if not len(held):
        return found
    starts = (np.cumsum(counts) - counts)[held]
    agreeing = np.zeros((len(held), len(held)), np.uint8)
    for factor in _FACTORS:
        minima = np.minimum.reduceat(hashes * factor, starts)
        agreeing += minima[:, None] == minima[None, :]
    found[np.ix_(held, held)] = agreeing >= AGREE
    return found


def _hashed(texts: Sequence[str]) -> tuple[Numbers, npt.NDArray[np.intp]]:
    """One number for each shingle of all texts, in order, and how many each text has."""
    encoded = [text.encode("utf-8", "surrogatepass") + b"\n" for text in texts]
    joined = b"".join((*encoded, b" " * HEAD))
    read = np.frombuffer(joined, np.uint8)
    kinds = _BYTES.take(read)
    for sign, size in _SIGNS if not joined.isascii() else ():
        places = np.flatnonzero(read == sign)
        for step in range(size):
            kinds[places + step] = _BETWEEN
    inside, first = kinds != _BETWEEN, kinds == _FIRST
    starts = np.flatnonzero(inside[1:] & (~inside[:-1] | first[1:])) + 1
    if len(inside) and inside[0]:
        starts = np.concatenate(([0], starts))
    ends = np.flatnonzero(inside[:-1] & (~inside[1:] | first[1:])) + 1
    heads = np.ndarray(len(joined) - HEAD + 1, "<u8", joined, strides=(1,))[starts]
    lengths = ends - starts
    words = (heads & _MASKS[np.minimum(lengths, HEAD)]) * _STEPS[0] + lengths.astype(np.uint64)
    words ^= words >> np.uint64(29)
    bounds = np.searchsorted(starts, np.cumsum([0, *map(len, encoded)]))
    counts = np.diff(bounds)
    padded = np.concatenate((words, np.zeros(SIZE - 1, np.uint64)))
    mixed = words * _STEPS[1] + padded[1:-1] * _STEPS[2] + padded[2:] * _STEPS[3]
    # The last two words of a text begin no shingle; a text that has no more words is one shingle itself.
    whole = np.ones(len(words), np.bool_)
    for back in range(1, SIZE):
        whole[bounds[1:][counts >= back] - back] = False
    for place in np.flatnonzero((counts > 0) & (counts < SIZE)):
        own = words[bounds[place] : bounds[place + 1]]
        mixed[bounds[place]] = (own * _STEPS[1 : 1 + len(own)]).sum(dtype=np.uint64)
        whole[bounds[place]] = True
    mixed ^= mixed >> np.uint64(31)
    return mixed[whole], np.where(counts < SIZE, np.minimum(counts, 1), counts - SIZE + 1)


def _drawn(count: int) -> Numbers:
    """Odd numbers whose bits look drawn (splitmix64, Steele, Lea and Flood 2014), the same everywhere."""
    mask, drawn = 2**64 - 1, []
    for step in range(1, count + 1):
        number = step * 0x9E3779B97F4A7C15 & mask
        number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & mask
        number = (number ^ number >> 27) * 0x94D049BB133111EB & mask
        drawn.append((number ^ number >> 31) | 1)
    return np.array(drawn, np.uint64)


_STEPS = _drawn(SIZE + 1)
_FACTORS = _drawn(SIZE + 1 + HASHES)[SIZE + 1 :]
