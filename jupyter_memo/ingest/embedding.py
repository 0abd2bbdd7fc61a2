"""What a model reads of a passage, and the vector that comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jupyter_memo.models.protocols import Embedder, Routed
from jupyter_memo.store.tables import Row

if TYPE_CHECKING:
    from numpy.typing import NDArray


def vectors(embedder: Embedder, rows: Sequence[Row]) -> NDArray[np.float32]:
    """One vector a row: float32, (len(rows), dim).

    A passage with a context is read twice, alone and after its context, and has the mean of the two unit vectors,
    which is shorter than one: its product with a query's unit vector is then the mean of the two cosines, exactly.
    Scaled to unit length it would be more, and by how much would differ from passage to passage.
    """
    own = [_own(row) for row in rows]
    led = [(place, f"{row.context}\n{own[place]}") for place, row in enumerate(rows) if row.context]
    texts = [*own, *(text for _, text in led)]
    if isinstance(embedder, Routed):
        places = [*range(len(rows)), *(place for place, _ in led)]
        encoded = embedder.encode_as(texts, [own[at] for at in places], [rows[at].vector for at in places])
    else:
        encoded = embedder.encode_passages(texts)
    found = np.array(encoded[: len(rows)], np.float32)
    for (place, _), row in zip(led, encoded[len(rows) :], strict=True):
        found[place] = (found[place] + row) / 2
    return found


def _own(row: Row) -> str:
    """The breadcrumb on one line, then the text."""
    passage = row.passage
    return "\n".join((" › ".join(passage.header), passage.text)) if passage.header else passage.text
