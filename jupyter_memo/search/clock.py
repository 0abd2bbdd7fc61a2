"""The clock of a search: when each step around the ranking began and how long it took, the step before it included."""

from __future__ import annotations

import time

from jupyter_memo.response import StageTrace, Synced


class Clock:
    """Measures the steps around the stages: each mark closes the step that began at the mark before."""

    def __init__(self, began: float) -> None:
        self.began = self._last = began
        self.traces: tuple[StageTrace, ...] = ()

    def follow(self, synced: Synced | None, *, asked: bool) -> None:
        """Put the step before the search first. It counts as a part of it: the search began when that step did."""
        if synced is not None:
            self.began -= synced.ms / 1000
            step = StageTrace(stage="sync", before=0, after=0, ms=synced.ms, note=_followed(synced), ran=synced.ran)
            self.traces = (step, *self.traces)
        elif not asked:
            step = StageTrace(stage="sync", before=0, after=0, note="not asked for", ran=False)
            self.traces = (step, *self.traces)

    def restart(self) -> None:
        self._last = time.perf_counter()

    def mark(self, stage: str, before: int, after: int, note: str) -> None:
        now = time.perf_counter()
        trace = StageTrace(
            stage=stage,
            before=before,
            after=after,
            start_ms=1000 * (self._last - self.began),
            ms=1000 * (now - self._last),
            note=note,
        )
        self.traces, self._last = (*self.traces, trace), now


def _followed(synced: Synced) -> str:
    """`1 changed, 2 passages read, vectors of 2 follow`; after it what stood in the way."""
    done = [f"{count:,} {what}" for count, what in ((synced.changed, "changed"), (synced.removed, "removed")) if count]
    if synced.passages:
        done.append(f"{synced.passages:,} {'passage' if synced.passages == 1 else 'passages'} written")
    if synced.pending:
        done.append(f"vectors of {synced.pending:,} follow")
    told = ", ".join(done)
    return "; ".join(filter(None, (told, synced.note))) or "nothing has changed"
