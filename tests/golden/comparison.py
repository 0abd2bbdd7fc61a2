"""The golden comparison, built in full view: run this file to write `comparison.json` and `comparison.html`.

Two lists of ten: nine on both pages, of which three rise, three fall and three stay; one entered, one left. Two that
stay have the title of another one: a copy of its file, and another place in its file.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from jupyter_memo.comparison import Cause, Comparison, Difference, Move, Side, Step
from jupyter_memo.jupyter import display
from jupyter_memo.records import Span

HERE = Path(__file__).parent
NOW = datetime(2026, 11, 29, 9, 41, tzinfo=UTC)

ROWS: tuple[tuple[str, str, Span, int | None, int | None, Cause | None, tuple[Step, ...]], ...] = (
    (
        "ESS against κ at L = 14",
        "notebooks/07_ess_vs_kappa.ipynb",
        Span(cell=11, execution_count=7),
        1,
        2,
        Cause(group="arms", sentence="exact, where it stood 2nd, no longer runs", alone=True),
        (Step(group="arms", before=1, after=2),),
    ),
    (
        "3.2 Loss of overlap at criticality",
        "papers/flow-sampling-critical-slowing-down.pdf",
        Span(page=4),
        2,
        6,
        Cause(group="fusion", sentence="ranked by its places: 19th by keyword, 2nd by semantic", alone=True),
        (Step(group="fusion", before=2, after=5), Step(group="recency", before=5, after=6)),
    ),
    (
        "Why the flow loses ESS",
        "notes/criticality.md",
        Span(start_line=120, end_line=138),
        3,
        1,
        Cause(group="recency", sentence="19 days old, note: no longer ×0.97", alone=False),
        (Step(group="fusion", before=3, after=2), Step(group="recency", before=2, after=1)),
    ),
    (
        "reverse_kl_step",
        "src/flows/train.py",
        Span(start_line=88, end_line=131),
        4,
        5,
        Cause(group="fusion", sentence="ranked by its places: 4th by keyword, 21st by semantic", alone=True),
        (Step(group="fusion", before=4, after=5),),
    ),
    (
        "L = 20 run, two seeds",
        "chats/2026-11-03-cluster.md",
        Span(turn=14),
        5,
        3,
        Cause(group="recency", sentence="26 days old, conversation: no longer ×0.96", alone=True),
        (Step(group="fusion", before=5, after=5), Step(group="recency", before=5, after=3)),
    ),
    (
        "Baseline at the critical point",
        "notebooks/02_hmc_baseline.ipynb",
        Span(cell=3),
        6,
        4,
        Cause(group="fusion", sentence="ranked by its places: 6th by keyword, 5th by semantic", alone=True),
        (Step(group="fusion", before=6, after=4),),
    ),
    ("ess_table.csv", "data/ess_table.csv", Span(), 7, 7, None, ()),
    (
        "Symmetrised priors",
        "notes/ideas.md",
        Span(start_line=3, end_line=9),
        8,
        None,
        Cause(group="depth", sentence="each arm brings 50 instead of 100, so that fewer passages compete", alone=True),
        (Step(group="depth", before=8, after=None),),
    ),
    (
        "Meeting of 12 June",
        "notes/meetings.md",
        Span(start_line=40, end_line=52),
        None,
        8,
        Cause(
            group="cutoff",
            sentence="the list goes on after 8, where the score falls by 68 % (limit 50 %)",
            alone=True,
        ),
        (Step(group="cutoff", before=None, after=8),),
    ),
    ("ess_table.csv", "archive/data/ess_table.csv", Span(), 9, 9, None, ()),
    ("Why the flow loses ESS", "notes/criticality.md", Span(start_line=140, end_line=151), 10, 10, None, ()),
)


def comparison() -> Comparison:
    """The comparison that Python and TypeScript both read."""
    moves = []
    for number, (title, uri, span, a, b, cause, steps) in enumerate(ROWS):
        kind = "left" if b is None else "entered" if a is None else "same" if a == b else "up" if b < a else "down"
        moves.append(
            Move(
                id=f"{number:016x}",
                title=title,
                uri=uri,
                span=span,
                kind=kind,  # type: ignore[arg-type]
                rank_a=a,
                rank_b=b,
                cause=cause,
                steps=tuple(step for step in steps if step.before != step.after),
            )
        )
    return Comparison(
        query="why does the flow lose ESS against HMC near the critical point -tutorial since:2026-06",
        a=Side(
            profile="default",
            profile_hash="0" * 16,
            scale="evidence",
            limit=10,
            listed=10,
            arms=("keyword", "exact", "semantic"),
        ),
        b=Side(
            profile="memtomem", profile_hash="1" * 16, scale="rrf", limit=10, listed=44, arms=("keyword", "semantic")
        ),
        moves=tuple(moves),
        differences=(
            Difference(group="depth", constant="depth", a="100", b="50"),
            Difference(group="arms", constant="fusion.exact", a="0.3", b="0"),
            Difference(group="fusion", constant="fusion.method", a="evidence", b="rrf"),
            Difference(group="fusion", constant="fusion.keyword", a="0.5", b="1"),
            Difference(group="recency", constant="recency.kinds", a="[note, conversation]", b="[]"),
            Difference(group="cutoff", constant="cutoff.enabled", a="true", b="false"),
        ),
        correlation=1 / 3,
        model="minilm",
        index_version=212,
        now=NOW,
        hints=("3 passages have no vector yet; words find them. The rest follows by itself.",),
    )


def forms() -> dict[str, str]:
    """What stands in the files beside this one."""
    import json

    made = display.comparison_bundle(comparison())
    return {
        "comparison.json": json.dumps(made[display.COMPARISON_MIME], ensure_ascii=False, indent=1) + "\n",
        "comparison.html": made["text/html"] + "\n",
    }


if __name__ == "__main__":
    for name, text in forms().items():
        (HERE / name).write_text(text, encoding="utf-8")
