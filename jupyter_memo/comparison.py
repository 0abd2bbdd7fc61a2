"""Two profiles on one question: where each passage stands in both lists, and which constants moved it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from jupyter_memo.records import Span
from jupyter_memo.response import Arm, Degraded, ScoreScale, Share

MoveKind = Literal["up", "down", "same", "entered", "left"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A constant that two profiles have differently, its values as words. `group` is the part of the ranking that it
    belongs to: reading, depth, arms, fusion, recency, abstain, cutoff, mmr, page."""

    group: str
    constant: str
    a: str
    b: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What the constants of one group did to a rank, after those of the groups before it: where the passage stood in
    the whole list, and where it stands then. None is outside of it."""

    group: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """The group of constants that made a move, and how in words. `alone` says that this group is enough: profile a with
    it from b makes the same move. Otherwise it did so after the groups that stand before it in `Move.steps`."""

    group: str
    sentence: str
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One passage (or document) that is on the page of a or of b. `entered` is on that of b alone, `left` on that of a
    alone. The ranks are those of the whole lists, None where a list does not hold it: one that left may stand below the
    page. The `steps` are in the order of the pipeline, and lead from `rank_a` to `rank_b`."""

    id: str
    title: str
    uri: str
    kind: MoveKind
    rank_a: int | None
    rank_b: int | None
    span: Span = field(default_factory=Span)
    cause: Cause | None = None
    steps: tuple[Step, ...] = ()

    @property
    def places(self) -> int:
        """How many places higher it stands in b; 0 for what is on one page only."""
        both = self.kind in ("up", "down") and self.rank_a is not None and self.rank_b is not None
        return self.rank_a - self.rank_b if both else 0  # type: ignore[operator]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two lists. `limit` is how many make its page, `listed` how many the whole list has, at most 100.
    `reason` says why it is empty."""

    profile: str
    profile_hash: str
    scale: ScoreScale
    limit: int
    listed: int
    arms: tuple[Arm, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What one question finds by profile a and by profile b, over the same state of the index and at the same moment.

    `moves` are those of a's page in its order, then what entered, in that of b. `correlation` is Kendall's tau over the
    ranks of what is on both pages, None for fewer than two. `share` says how much text a saved notebook holds.
    """

    query: str
    a: Side
    b: Side
    moves: tuple[Move, ...]
    differences: tuple[Difference, ...]
    model: str
    index_version: int
    now: datetime
    correlation: float | None = None
    hints: tuple[str, ...] = ()
    degraded: Degraded = field(default_factory=Degraded)
    share: Share = "snippets"

    @property
    def same(self) -> bool:
        """Whether the two pages are the same."""
        return all(move.kind == "same" for move in self.moves)

    @property
    def counts(self) -> dict[MoveKind, int]:
        """How many moves of each kind. same + up + down are on both pages; with left, that is a's, with entered b's."""
        found = Counter(move.kind for move in self.moves)
        kinds: tuple[MoveKind, ...] = ("same", "up", "down", "entered", "left")
        return {kind: found[kind] for kind in kinds}

    def shared(self, share: Share) -> Comparison:
        """The same, to be shown and saved with so much text. It stays whole in memory."""
        return dataclasses.replace(self, share=share)

    def to_json(self) -> str:
        """The comparison as JSON text, by `Comparison` in `wire.schema.json`."""
        from jupyter_memo import wire

        return wire.comparison_dumps(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.comparison_bundle(self)
