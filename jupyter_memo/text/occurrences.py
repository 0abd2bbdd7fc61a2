"""How often stems, and pairs of them, stand in many `lex` columns: what a search counts in every candidate.

All columns are laid end to end as bytes, and the first bytes of each token, the blank after it among them, are read as
one number. So a stem is looked for in all columns by one comparison of a whole array, in a fraction of the time that a
look into each column takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

HEAD = 8
"""Bytes that make the number of a token; one that has no blank among them is compared as a whole besides."""

BETWEEN = 2
"""Blanks between two adjacent stems; between a passage and its context, and between two columns, there are more."""

_BLANK = ord(" ")
_MASKS = np.array([(1 << 8 * (size + 1)) - 1 for size in range(HEAD)], np.uint64)
"""What is left of the first bytes of a token of so many bytes: itself and one blank."""

Counts = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """Counts of stems, shape (columns, stems), of adjacent pairs, shape (columns, pairs), and of all tokens, shape
    (columns,)."""

    stems: Counts
    pairs: Counts
    lengths: Counts


def occurrences(columns: Sequence[str], stems: Sequence[str], pairs: Sequence[tuple[str, str]]) -> Occurrences:
    """Count distinct stems, and pairs of those stems, in columns as `words.stem_column` and `words.with_context` make
    them; pairs of other stems must not be asked for."""
    joined = f" {' '.join(columns)} {' ' * HEAD}"
    text = joined.encode()
    signs = np.frombuffer(text, np.uint8)
    edges = np.flatnonzero(np.diff(signs == _BLANK)) + 1
    starts, ends = edges[::2], edges[1::2]
    heads = (
        np.ndarray(len(text) - HEAD + 1, "<u8", text, strides=(1,))[starts]
        & _MASKS[np.minimum(ends - starts, HEAD - 1)]
    )
    bytes_of = len if joined.isascii() else _bytes_of
    bounds = np.cumsum([0, *(bytes_of(column) + 1 for column in columns)])
    lengths = np.diff(np.searchsorted(starts, bounds))
    rows = np.repeat(np.arange(len(columns)), lengths)

    def count(places: Places) -> Counts:
        return np.bincount(rows[places], minlength=len(columns))

    counts = np.zeros((len(columns), len(stems)), np.int64)
    found: dict[str, Places] = {}
    # Which stem each token is; the last one is no token, so that every token has a next one.
    known = np.full(len(starts) + 1, -1)
    for number, stem in enumerate(stems):
        name = f"{stem} ".encode()
        places = np.flatnonzero(heads == int.from_bytes(name[:HEAD], "little"))
        if len(name) > HEAD:
            same = [text.startswith(name, start) for start in starts[places].tolist()]
            places = places[np.array(same, bool)]
        found[stem], known[places] = places, number
        counts[:, number] = count(places)
    paired = np.zeros((len(columns), len(pairs)), np.int64)
    numbers = {stem: number for number, stem in enumerate(stems)}
    for number, (first, second) in enumerate(pairs):
        places = found[first]
        places = places[known[places + 1] == numbers[second]]
        paired[:, number] = count(places[starts[places + 1] - ends[places] == BETWEEN])
    return Occurrences(stems=counts, pairs=paired, lengths=lengths)


def _bytes_of(column: str) -> int:
    return len(column.encode())
