"""What an index run says of itself."""

from __future__ import annotations

import pytest

from jupyter_memo.render import report
from jupyter_memo.response import IndexReport, SourceReport


def run(skipped: int = 2, **fields: object) -> IndexReport:
    sources = (
        SourceReport(uri="notes/a.md", status="indexed", added=7),
        SourceReport(uri="notes/b.md", status="unchanged", kept=5),
        SourceReport(uri="notes/gone.md", status="removed", dropped=3),
        SourceReport(uri="data/<bad>.json", status="failed", reason="line 3: not JSON. Fix it or ignore it"),
        *(SourceReport(uri=f"img/{n}.png", status="skipped", reason="not a text file") for n in range(skipped)),
    )
    plain: dict[str, object] = {
        "kept": 5, "added": 7, "dropped": 3, "embedded": 7, "skipped": skipped, "failed": 1, "seconds": 1.84,
        "sources": sources,
    }  # fmt: skip
    return IndexReport(**{**plain, **fields})  # type: ignore[arg-type]


def test_one_line_sums_up_the_run() -> None:
    assert (
        "1 source read, 1 unchanged, 1 removed · passages: 7 added, 5 kept, 3 dropped · 7 embedded · "
        "2 skipped, 1 failed · 1.8\u202fs"
    ) == report.summary(run())


def test_a_run_that_changed_nothing_says_so() -> None:
    nothing = IndexReport(sources=(SourceReport(uri="a", status="unchanged"),), seconds=0.02)
    assert "0 sources read, 1 unchanged · no passage changed · <\u202f0.1\u202fs" == report.summary(nothing)


def test_a_dry_run_says_that_nothing_was_written() -> None:
    page = report.plain(run(dry_run=True))
    assert page.startswith("Dry run: nothing was written.\n1 source to read")


@pytest.mark.parametrize("form", [report.plain, report.html])
def test_every_skipped_and_failed_source_has_its_reason(form: object) -> None:
    page = form(run())  # type: ignore[operator]
    assert "img/0.png" in page
    assert "not a text file" in page
    assert "line 3: not JSON. Fix it or ignore it" in page


def test_failures_stand_before_what_was_skipped() -> None:
    page = report.plain(run())
    assert page.index("1 failed:") < page.index("2 skipped:")


def test_uris_are_escaped() -> None:
    assert "data/&lt;bad&gt;.json" in report.html(run())


def test_few_sources_stand_open_and_many_are_closed_but_all_there() -> None:
    assert "<details open><summary>2 skipped</summary>" in report.html(run())
    page = report.html(run(skipped=151))
    assert "<details><summary>151 skipped</summary>" in page
    assert "<summary>and 143 more</summary>" in page
    assert 151 == page.count(".png")


def test_a_very_long_list_says_where_the_rest_is() -> None:
    page = report.html(run(skipped=2000))
    assert "and 1\u202f500 more: <code>report.sources</code> lists them all" in page
    assert "and 1\u202f980 more: report.sources lists them all" in report.plain(run(skipped=2000))


def test_passages_that_wait_for_vectors_are_counted() -> None:
    assert "3 waiting for vectors" in report.summary(run(pending=3))


def test_what_is_counted_and_not_listed_is_said_and_counted_in() -> None:
    many = run(skipped=2, unlisted=(("indexed", 999), ("skipped", 30)))
    assert report.plain(many).startswith("1\u202f000 sources read, 1 unchanged, 1 removed")
    for shown in (report.plain(many, width=200), report.html(many)):
        assert "32 skipped" in shown
        assert "Counted, but not listed one by one: 999 indexed, 30 skipped. Listed are 6." in shown
