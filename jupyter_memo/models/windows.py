"""How a text that is longer than a model's window is embedded all the same: in windows, whose mean is its vector.

The mean of unit rows, normalised, is the direction with the greatest summed cosine to the windows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def spans(length: int, *, size: int, overlap: int) -> list[slice]:
    """Slices of at most `size` that cover 0..length, neighbours sharing at least `overlap`. The last one is full too: a
    rest of a few tokens would weigh as much in the mean as a whole window."""
    if length <= size:
        return [slice(0, length)]
    starts = [*range(0, length - size, size - overlap), length - size]
    return [slice(start, start + size) for start in starts]


def halves(text: str, *, size: int, count: Callable[[str], int]) -> list[str]:
    """The text in pieces of at most `size` tokens, for a tokenizer that only counts: halved at the white space nearest
    to the middle until each piece fits."""
    if len(text) < 2 or count(text) <= size:
        return [text]
    middle = len(text) // 2
    cut = min((match.start() for match in re.finditer(r"\s", text)), key=lambda at: abs(at - middle), default=middle)
    cut = cut if 0 < cut < len(text) else middle
    return [piece for part in (text[:cut], text[cut:]) for piece in halves(part, size=size, count=count)]


def mean_direction(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The normalised mean of unit rows (n, dim) -> (dim,). Rows that cancel out leave the first one."""
    import numpy as np

    mean: NDArray[np.float32] = rows.mean(axis=0, dtype=np.float32)
    length = np.float32(np.linalg.norm(mean))
    return rows[0] if length < 1e-6 else mean / length
