"""The running sums of an index run, and the report they end in. They take no more room for a million sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from jupyter_memo.ingest.difference import Diff
from jupyter_memo.ingest.prepare import Prepared
from jupyter_memo.ingest.withholding import HINT, withheld
from jupyter_memo.records import Source, SourceStatus
from jupyter_memo.response import IndexReport, SourceReport

LISTED = 20_000
"""Sources a report names one by one: more than a folder of a researcher holds, and some megabytes."""

_FAULTS = ("failed", "skipped")


class Listing:
    """Reports of sources: counted exactly, listed up to LISTED, those of failed and skipped sources first."""

    def __init__(self) -> None:
        self.statuses: Counter[SourceStatus] = Counter()
        self.kept = self.added = self.dropped = self.withheld = 0
        self._faults: list[SourceReport] = []
        self._others: list[SourceReport] = []

    def append(self, source: SourceReport) -> None:
        """Count a source, and list it while there is room."""
        self.statuses[source.status] += 1
        self.kept += source.kept
        self.added += source.added
        self.dropped += source.dropped
        self.withheld += source.withheld
        full = len(self._faults) + len(self._others) >= LISTED
        if source.status in _FAULTS or source.withheld:
            if full and self._others:
                self._others.pop()
                full = False
            if not full:
                self._faults.append(source)
        elif not full:
            self._others.append(source)

    def extend(self, sources: Iterable[SourceReport]) -> None:
        """Count and list several."""
        for source in sources:
            self.append(source)

    def listed(self) -> tuple[SourceReport, ...]:
        """The sources that are listed, by uri."""
        return tuple(sorted((*self._faults, *self._others), key=lambda source: source.uri))

    def unlisted(self) -> tuple[tuple[SourceStatus, int], ...]:
        """How many of each status are not."""
        there = Counter(source.status for source in (*self._faults, *self._others))
        return tuple(sorted((status, rest) for status, of in self.statuses.items() if (rest := of - there[status])))


@dataclass(slots=True)
class Tally:
    """The running sums of a report."""

    sources: Listing = field(default_factory=Listing)
    embedded: int = 0
    pending: int = 0
    hints: list[str] = field(default_factory=list)

    def report(self, seconds: float, *, dry_run: bool) -> IndexReport:
        return IndexReport(
            kept=self.sources.kept,
            added=self.sources.added,
            dropped=self.sources.dropped,
            withheld=self.sources.withheld,
            embedded=self.embedded,
            pending=self.pending,
            skipped=self.sources.statuses["skipped"],
            failed=self.sources.statuses["failed"],
            seconds=seconds,
            sources=self.sources.listed(),
            unlisted=self.sources.unlisted(),
            dry_run=dry_run,
            hints=(*self.hints, *((HINT,) if self.sources.withheld else ())),
        )


def unchanged(source: Source) -> SourceReport:
    """A source that is as the index has it. What is held back of it is told again each time."""
    held, reason = withheld(source.fingerprint)
    status: SourceStatus = "skipped" if held and not source.passages else "unchanged"
    return SourceReport(uri=source.uri, status=status, reason=reason, kept=source.passages, withheld=held)


def report_of(item: Prepared, difference: Diff) -> SourceReport:
    held, _ = withheld(item.source.fingerprint)
    return SourceReport(
        uri=item.source.uri,
        status="skipped" if held and not item.rows else "indexed",
        withheld=held,
        reason="; ".join(item.notes),
        kept=difference.kept,
        added=len(difference.added),
        dropped=len(difference.dropped),
    )
