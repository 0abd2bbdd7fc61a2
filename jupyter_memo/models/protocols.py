"""What every embedding model offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from jupyter_memo.profile import Bands


@runtime_checkable
class Embedder(Protocol):
    """Text to unit vectors.

    `id` and `sha256` name the vector space: rows of two spaces are never compared. `dim` is the length of a row.
    `max_tokens` is how many tokens, as `count_tokens` counts them, fit into one window; a longer text is embedded
    window by window and never cut. `bands` say what a cosine of this model means. `languages` are ISO 639-1 codes the
    model was trained on, empty when nobody says.
    """

    @property
    def id(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...
    @property
    def bands(self) -> Bands: ...
    @property
    def languages(self) -> tuple[str, ...]: ...

    def count_tokens(self, text: str) -> int:
        """The tokens of a text, without those the model adds itself."""

    def encode_passages(self, texts: list[str]) -> NDArray[np.float32]:
        """One unit row for each text: float32, (len(texts), dim). A row depends on its own text alone.

        An interrupt is honoured between texts; call with moderate batches. Raises ModelError when the model fails.
        """

    def encode_queries(self, texts: list[str]) -> NDArray[np.float32]:
        """As `encode_passages`, for questions: some models read the two differently."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One vector space of an embedder that has several: how it is told apart, and which `model` judges in it."""

    id: str
    sha256: str
    dim: int
    model: str


@runtime_checkable
class Routed(Embedder, Protocol):
    """An embedder of several models, each for what it reads.

    A row is a row of each space side by side, in the order of `ways`; a space that a text is not kept in, or not asked
    of, is 0 throughout. A passage is kept in all spaces of one of the `ways`, and in none of the others. In the spaces
    that it has rows are unit rows for passages; for queries their length is what a cosine of that space counts for.
    """

    @property
    def ways(self) -> tuple[tuple[Space, ...], ...]: ...

    def encode_as(
        self, texts: list[str], deciding: Sequence[str], held: Sequence[NDArray[np.float32] | None] = ()
    ) -> NDArray[np.float32]:
        """As `encode_passages`, each row kept in the spaces of the text at its place in `deciding`. What the row in
        `held` has of them already is not made again."""

    def as_query(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """The query, shape (dim,), for what is like these passages, from their stored rows (n, dim)."""
