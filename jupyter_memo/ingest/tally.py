"""The running sums of an index run, and the report they end in."""

from __future__ import annotations

from dataclasses import dataclass, field

from jupyter_memo.ingest.prepare import Diff, Prepared
from jupyter_memo.response import IndexReport, SourceReport


@dataclass(slots=True)
class Tally:
    """The running sums of a report."""

    sources: list[SourceReport] = field(default_factory=list)
    embedded: int = 0
    pending: int = 0
    hints: list[str] = field(default_factory=list)

    def report(self, seconds: float, *, dry_run: bool) -> IndexReport:
        def count(status: str) -> int:
            return sum(source.status == status for source in self.sources)

        return IndexReport(
            kept=sum(source.kept for source in self.sources),
            added=sum(source.added for source in self.sources),
            dropped=sum(source.dropped for source in self.sources),
            embedded=self.embedded,
            pending=self.pending,
            skipped=count("skipped"),
            failed=count("failed"),
            seconds=seconds,
            sources=tuple(sorted(self.sources, key=lambda source: source.uri)),
            dry_run=dry_run,
            hints=tuple(self.hints),
        )


def report_of(item: Prepared, difference: Diff) -> SourceReport:
    return SourceReport(
        uri=item.source.uri,
        status="indexed",
        reason="; ".join(item.notes),
        kept=difference.kept,
        added=len(difference.added),
        dropped=len(difference.dropped),
    )
