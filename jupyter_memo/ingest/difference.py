"""What one source's new rows mean for the store: passages are told apart by their content."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jupyter_memo.records import Passage
from jupyter_memo.store.tables import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What one source's new rows mean for the store. `moved` are kept passages whose place or labels changed, `renewed`
    those that other words find now (another context, another file name): what finds them is made again, in a new
    life."""

    added: tuple[Row, ...]
    renewed: tuple[Row, ...]
    recast: tuple[Row, ...]
    moved: tuple[Passage, ...]
    dropped: tuple[str, ...]
    kept: int

    @property
    def written(self) -> tuple[Row, ...]:
        """The rows that begin a life."""
        return (*self.added, *self.renewed)

    @property
    def unread(self) -> tuple[Row, ...]:
        """Those of them that the model has not read as they are now: a new name is no new meaning."""
        return (*self.added, *self.recast)


def diff(rows: Sequence[Row], stored: Mapping[str, Row]) -> Diff:
    """Compare new rows with the live ones of the same source by id, which is a digest of their content."""
    added, renewed, recast, moved = [], [], [], []
    for fresh in rows:
        held = stored.get(fresh.passage.id)
        if held is None:
            added.append(fresh)
            continue
        now = _place(fresh.passage, held.passage)
        # What was forgotten is found by nothing, so nothing is to be made again.
        if _finding(fresh) != _finding(held) and held.passage.forgotten_at is None:
            again = dataclasses.replace(fresh, passage=dataclasses.replace(now, recorded_at=fresh.passage.recorded_at))
            renewed.append(again)
            if fresh.context != held.context:
                recast.append(again)
        elif now != held.passage:
            moved.append(now)
    ids = {fresh.passage.id for fresh in rows}
    dropped = tuple(sorted(id for id in stored if id not in ids))
    return Diff(
        added=tuple(added),
        renewed=tuple(renewed),
        recast=tuple(recast),
        moved=tuple(moved),
        dropped=dropped,
        kept=len(rows) - len(added),
    )


def _finding(row: Row) -> tuple[str, str, str, str]:
    return row.context, row.lex, row.ident, row.cjk


def _place(fresh: Passage, held: Passage) -> Passage:
    """The held passage with the place and labels of the fresh one. It keeps its own dates: a passage is as old as its
    text, whatever else changed in the file."""
    return dataclasses.replace(
        held,
        uri=fresh.uri,
        span=fresh.span,
        surface=fresh.surface,
        kind=fresh.kind,
        namespace=fresh.namespace,
        library=fresh.library,
        version=fresh.version,
        tags=fresh.tags,
        trust=fresh.trust,
        lang=fresh.lang,
        code=fresh.code,
        expires_at=fresh.expires_at,
    )
