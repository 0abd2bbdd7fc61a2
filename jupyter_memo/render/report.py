"""What an index run did, as text and HTML: one calm line, then every source that was not read, with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from jupyter_memo.records import SourceStatus
from jupyter_memo.render import numbers, visible
from jupyter_memo.render.text import WIDTH, wrapped
from jupyter_memo.response import IndexReport, SourceReport

OPEN_MOST = 8
"""A list of up to this many sources stands open; longer ones are closed until asked for."""

TEXT_MOST = 20
"""Sources named one by one in plain text; the rest is counted, and `report.sources` holds them."""

HTML_MOST = 500

HELD_BACK = "read, but for passages that look like secrets"

LABELS: tuple[tuple[SourceStatus, str], ...] = (
    ("failed", "failed"),
    ("skipped", "skipped"),
    ("indexed", HELD_BACK),
    ("unchanged", HELD_BACK),
)
"""Of sources that were read, or had been, those are listed of which something was held back."""

DOT = " · "


def summary(report: IndexReport) -> str:
    """One line: sources read, unchanged and removed, passages added, kept and dropped, vectors made, time."""
    counts = Counter(source.status for source in report.sources) + Counter(dict(report.unlisted))
    would = "to read" if report.dry_run else "read"
    read, same, gone = counts["indexed"], counts["unchanged"], counts["removed"]
    sources = [f"{_many(read, 'source')} {would}", _some(same, "unchanged"), _some(gone, "removed")]
    passages = [_some(report.added, "added"), _some(report.kept, "kept"), _some(report.dropped, "dropped")]
    vectors = [_some(report.embedded, "embedded"), _some(report.pending, "waiting for vectors")]
    passages = list(filter(None, passages))
    groups = (
        ", ".join(filter(None, sources)),
        "passages: " + ", ".join(passages) if passages else "no passage changed",
        ", ".join(filter(None, vectors)),
        _some(report.withheld, "held back"),
        ", ".join(filter(None, (_some(report.skipped, "skipped"), _some(report.failed, "failed")))),
        numbers.seconds(report.seconds),
    )
    return DOT.join(filter(None, groups))


def standing(report: IndexReport) -> str:
    """What kind of run it was, when it was not a plain one."""
    return "Dry run: nothing was written." if report.dry_run else ""


def beyond(report: IndexReport) -> str:
    """How many sources are counted and not listed, of which kind; empty when all are listed."""
    if not report.unlisted:
        return ""
    parts = ", ".join(f"{numbers.count(of)} {status}" for status, of in report.unlisted)
    return f"Counted, but not listed one by one: {parts}. Listed are {numbers.count(len(report.sources))}."


def plain(report: IndexReport, width: int = WIDTH) -> str:
    """The report as text, without a final newline."""
    lines = [*wrapped(standing(report), width), *wrapped(summary(report), width)]
    for status, label in LABELS:
        found = _of(report, status)
        if found:
            lines.append(f"{numbers.count(len(found) + _unlisted(report, status))} {label}:")
            for source in found[:TEXT_MOST]:
                lines += wrapped(_line(source), width, indent="  ", hanging="      ")
            if len(found) > TEXT_MOST:
                more = numbers.count(len(found) - TEXT_MOST)
                lines.append(f"  and {more} more: report.sources {_lists(report, status)}")
    lines += wrapped(beyond(report), width)
    for hint in report.hints:
        lines += wrapped(visible.line(hint), width)
    return "\n".join(lines)


def html(report: IndexReport) -> str:
    """The report as script-free HTML. Long lists are closed; opening them shows all of it."""
    return "\n".join(("<div>", *_parts(report), "</div>"))


def _parts(report: IndexReport) -> Iterator[str]:
    state = standing(report)
    if state:
        yield f"<p><strong>{escape(state)}</strong></p>"
    yield f"<p>{escape(summary(report))}</p>"
    for status, label in LABELS:
        found = _of(report, status)
        if found:
            opened = " open" if len(found) <= OPEN_MOST else ""
            total = numbers.count(len(found) + _unlisted(report, status))
            yield f"<details{opened}><summary>{total} {label}</summary>"
            yield _list(found[:OPEN_MOST])
            if len(found) > OPEN_MOST:
                yield f"<details><summary>and {numbers.count(len(found) - OPEN_MOST)} more</summary>"
                yield _list(found[OPEN_MOST:HTML_MOST])
                if len(found) > HTML_MOST:
                    rest = numbers.count(len(found) - HTML_MOST)
                    yield f"<p>and {rest} more: <code>report.sources</code> {_lists(report, status)}</p>"
                yield "</details>"
            yield "</details>"
    if rest := beyond(report):
        yield f"<p>{escape(rest)}</p>"
    for hint in report.hints:
        yield f"<p>{escape(visible.line(hint))}</p>"


def _list(sources: tuple[SourceReport, ...]) -> str:
    items = (
        f"<li><bdi>{escape(visible.line(source.uri))}</bdi>"
        + (f": {escape(visible.line(source.reason))}" if source.reason else "")
        + "</li>"
        for source in sources
    )
    return f"<ul>{''.join(items)}</ul>"


def _line(source: SourceReport) -> str:
    uri = visible.closed(visible.line(source.uri))
    return f"{uri}: {visible.line(source.reason)}" if source.reason else uri


def _of(report: IndexReport, status: SourceStatus) -> tuple[SourceReport, ...]:
    worth = ("failed", "skipped")
    return tuple(
        source for source in report.sources if source.status == status and (status in worth or source.withheld)
    )


def _unlisted(report: IndexReport, status: SourceStatus) -> int:
    return dict(report.unlisted).get(status, 0) if status in ("failed", "skipped") else 0


def _lists(report: IndexReport, status: SourceStatus) -> str:
    return "lists these" if _unlisted(report, status) else "lists them all"


def _some(number: int, what: str) -> str:
    return f"{numbers.count(number)} {what}" if number else ""


def _many(number: int, what: str) -> str:
    return f"{numbers.count(number)} {what}{'' if number == 1 else 's'}"
