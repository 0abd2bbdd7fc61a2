"""The golden responses, built in full view: run this file to write the JSON files beside it.

`response` has six arms, ageing, a cutoff, a budget, a narrow hint; `degraded` lacks its semantic arm; `empty` found
nothing. Every contribution is computed here by the formula of reciprocal rank fusion, weight / (60 + rank).
"""

from __future__ import annotations

import dataclasses
import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jupyter_memo import wire
from jupyter_memo.records import Kind, Passage, Span
from jupyter_memo.response import (
    Arm,
    ArmTrace,
    Band,
    Budget,
    Cutoff,
    Degraded,
    FilterTrace,
    Freshness,
    NarrowHint,
    Place,
    Provenance,
    RawKind,
    Result,
    SearchResponse,
    Shape,
    StageTrace,
    Trace,
    Vote,
    Weight,
    Why,
)

HERE = Path(__file__).parent
NOW = datetime(2026, 11, 29, 9, 41, tzinfo=UTC)
READ = datetime(2026, 11, 28, 18, 5, 30, 250_000, tzinfo=UTC)
K = 60
WEIGHTS: dict[Arm, float] = {"keyword": 0.5, "exact": 0.3, "semantic": 0.5, "fact": 0.4, "entity": 0.4, "graph": 0.5}
RAW_KINDS: dict[Arm, RawKind] = {
    "keyword": "bm25",
    "exact": "bm25",
    "semantic": "cosine",
    "fact": "cosine",
    "entity": "mention weight",
    "graph": "walk mass",
}
QUERY = "why does the flow lose ESS against HMC near kappa_c -tutorial since:2026-06"
PLAN = (
    "looked for why does the flow lose ESS against HMC near kappa_c, exactly kappa_c, left out tutorial, "
    "only since:2026-06"
)
TERMS = ("flow", "lose", "ESS", "HMC", "near", "kappa_c")
AGEING = ("note", "conversation")


def passage(
    uri: str, header: tuple[str, ...], text: str, kind: Kind, days: float, span: Span, *, code: bool = False
) -> Passage:
    digest = hashlib.sha256(f"{uri} {' '.join(header)} {text}".encode()).hexdigest()
    return Passage(
        id=digest[:16],
        source_id=hashlib.sha256(uri.encode()).hexdigest()[:16],
        uri=uri,
        text=text,
        header=header,
        span=span,
        kind=kind,
        namespace="phi4",
        code=code,
        tokens=len(text.split()) * 4 // 3,
        sha256=digest,
        created_at=NOW - timedelta(days=days),
        recorded_at=READ,
    )


def marks(snippet: str, words: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    found = []
    for word in words:
        at = snippet.find(word)
        if at >= 0:
            found.append((at, at + len(word)))
    return tuple(sorted(found))


def result(
    rank: int,
    fused_rank: int,
    found: Passage,
    votes: dict[Arm, tuple[int | None, float]],
    band: Band,
    words: tuple[str, ...] = (),
    snippet: str | None = None,
) -> Result:
    given = tuple(
        Vote(
            arm=arm,
            rank=place,
            raw=raw,
            raw_kind=RAW_KINDS[arm],
            weight=WEIGHTS[arm],
            contribution=WEIGHTS[arm] / (K + place) if place is not None else 0.0,
            matched_terms=words if arm == "keyword" else ("kappa_c",) if arm == "exact" else (),
        )
        for arm, (place, raw) in votes.items()
    )
    fused = round(sum(vote.contribution for vote in given), 9)
    age = (NOW - found.created_at).total_seconds() / 86_400
    factor = 0.8 + 0.2 * 0.5 ** (age / 90) if found.kind in AGEING else 1.0
    weights = (Weight(name="age", factor=factor, detail=f"{age:.0f} days old, {found.kind}"),) if factor < 1 else ()
    final = round(fused * factor, 9)
    relevance = votes["semantic"][1] if "semantic" in votes else None
    shown = found.text if snippet is None else snippet
    return Result(
        rank=rank,
        passage=found,
        score=final,
        relevance=relevance,
        band=band,
        snippet=shown,
        marks=marks(shown, words),
        why=Why(
            arms=given,
            fused=fused,
            rerank=None,
            weights=weights,
            final=final,
            rank=rank,
            relevance=relevance,
            band=band,
            places=(
                Place(stage="fused", rank=fused_rank, score=fused),
                Place(stage="weigh", rank=rank, score=final),
                Place(stage="abstain", rank=rank, score=final),
                Place(stage="final", rank=rank, score=final),
            ),
            provenance=Provenance(
                uri=found.uri, source_id=found.source_id, sha256=found.sha256, recorded_at=READ, trust=2
            ),
            freshness=Freshness(created_at=found.created_at, age_days=age, ages=found.kind in AGEING, factor=factor),
        ),
    )


def results() -> tuple[Result, ...]:
    paper = (
        "As the correlation length grows, the trained map concentrates on one sign of the magnetisation; importance "
        "weights turn heavy-tailed, whereas Hybrid Monte Carlo only slows down. We find the same for three volumes "
        "around criticality."
    )
    return (
        result(
            1,
            1,
            passage(
                "notebooks/07_ess_vs_kappa.ipynb",
                ("Results", "ESS against κ at L = 14"),
                "ESS falls from 0.61 at κ = 0.260 to 0.08 at kappa_c = 0.2755, while HMC keeps 0.43 there. The flow "
                "starts to lose when the correlation length passes its receptive field.",
                "notebook",
                11.4,
                Span(start_line=1, end_line=2, cell=11, cell_id="a41c09d2", execution_count=7, part="output"),
            ),
            {
                "keyword": (1, 11.84213),
                "exact": (2, 4.31207),
                "semantic": (3, 0.61184),
                "fact": (1, 0.64372),
                "entity": (1, 1.3125),
                "graph": (4, 0.018243),
            },
            "strong",
            ("ESS", "kappa_c", "HMC", "flow", "lose"),
        ),
        result(
            2,
            3,
            passage(
                "papers/flow-sampling-critical-slowing-down.pdf",
                ("3.2 Loss of overlap at criticality",),
                paper + " The effect is one of the loss, not of the architecture.",
                "paper",
                112.0,
                Span(page=4),
            ),
            {"semantic": (2, 0.63811), "fact": (5, 0.45527), "entity": (2, 1.12), "graph": (1, 0.03108)},
            "strong",
            snippet=paper,
        ),
        result(
            3,
            2,
            passage(
                "notes/criticality.md",
                ("Open questions", "Why the flow loses ESS"),
                "Near the critical point the flow loses ESS because reverse KL is mode-seeking: half of the weight "
                "sits in the magnetisation sector it never samples. HMC is slow there but not biased. Try a "
                "symmetrised prior, or anneal κ.",
                "note",
                19.0,
                Span(start_line=120, end_line=138),
            ),
            {"keyword": (2, 11.0213), "semantic": (1, 0.67108), "fact": (2, 0.58722), "entity": (3, 0.94)},
            "strong",
            ("Near", "flow", "loses", "ESS", "HMC"),
        ),
        result(
            4,
            4,
            passage(
                "src/flows/train.py",
                ("reverse_kl_step",),
                "def reverse_kl_step(flow, prior, action, kappa):\n"
                "    # the loss can go down while ESS goes down: log both, near kappa_c above all\n"
                "    x, log_q = flow.sample(prior)",
                "code",
                41.2,
                Span(start_line=88, end_line=131),
                code=True,
            ),
            {"keyword": (4, 9.40117), "exact": (1, 4.86034), "semantic": (21, 0.33802), "graph": (3, 0.02041)},
            "weak",
            ("flow", "ESS", "near", "kappa_c"),
        ),
        result(
            5,
            5,
            passage(
                "chats/2026-11-03-cluster.md",
                ("L = 20 run, two seeds",),
                "The L = 20 job ends with ESS 0.02 near κ_c and the loss looks fine. Same for both seeds. HMC on that "
                "lattice gives τ_int ≈ 46, so the flow is the one to fix.",
                "conversation",
                26.0,
                Span(turn=14),
            ),
            {"keyword": (3, 10.27006), "semantic": (5, 0.53418), "fact": (3, 0.51166)},
            "moderate",
            ("ESS", "near", "HMC", "flow"),
        ),
        result(
            6,
            6,
            passage(
                "notebooks/03_hmc_baseline.ipynb",
                ("Autocorrelation", "Baseline at the critical point"),
                "HMC at the critical point: acceptance 0.81, τ_int = 38 ± 4. ESS per sweep is the fair number to "
                "compare a flow with.",
                "notebook",
                87.9,
                Span(start_line=1, end_line=9, cell=4, cell_id="7c0e51f3", execution_count=3, part="source"),
            ),
            {"keyword": (7, 7.90552), "semantic": (8, 0.46231), "entity": (4, 0.88)},
            "moderate",
            ("HMC", "ESS", "flow"),
        ),
        result(
            7,
            7,
            passage(
                "data/ess_table.csv",
                (),
                "kappa   L   sampler   ess     tau_int\n"
                "0.2755  14  flow      0.081   –\n"
                "0.2755  14  hmc       0.431   38",
                "data",
                12.3,
                Span(start_line=40, end_line=61),
                code=True,
            ),
            {"keyword": (5, 9.12448), "semantic": (None, 0.28114), "fact": (4, 0.47093), "entity": (7, 0.61)},
            "very-weak",
            ("ess", "flow", "hmc"),
        ),
    )


def trace() -> Trace:
    def arm(name: Arm, reason: str, found: int, start: float, ms: float) -> ArmTrace:
        return ArmTrace(arm=name, ran=True, reason=reason, candidates=found, start_ms=start, ms=ms)

    def stage(
        name: str, before: int, after: int, start: float, ms: float, note: str, *, ran: bool = True
    ) -> StageTrace:
        return StageTrace(stage=name, before=before, after=after, start_ms=start, ms=ms, note=note, ran=ran)

    return Trace(
        mode_asked="auto",
        mode_run="hybrid",
        profile="memo-mcp",
        profile_hash="4be1c09ad7f3e258",
        model="all-MiniLM-L6-v2",
        plan=PLAN,
        arms=(
            arm("keyword", "text and header, OR of 7 words", 100, 6.83, 6.214),
            arm("exact", "identifiers: kappa_c", 9, 6.84, 2.871),
            arm("semantic", "meaning of the query", 100, 6.84, 17.902),
            arm("fact", "31 facts", 14, 6.85, 7.388),
            arm("entity", "HMC, ESS", 37, 6.86, 3.144),
            arm("graph", "2 walks, 10 rounds", 22, 6.86, 11.571),
        ),
        filters=(
            FilterTrace(predicate="in the index", left=18_412),
            FilterTrace(predicate="live: not superseded, forgotten, expired", left=17_106),
            FilterTrace(predicate="since 2026-06-01", left=7_236),
            FilterTrace(predicate="not archive: or agent:", left=5_022),
        ),
        stages=(
            stage("sync", 0, 0, 0.0, 6.1, "2 changed, 1 removed"),
            stage("plan", 0, 0, 6.1, 0.412, PLAN),
            stage("fusion", 282, 165, 24.8, 0.512, "282 hits, 165 passages"),
            stage("fetch", 165, 165, 25.3, 4.871, "texts, once"),
            stage("weigh", 165, 165, 30.2, 0.118, "age, on 41 note and conversation"),
            stage("abstain", 165, 44, 30.3, 0.094, "121 with nothing but a cosine below 0.25"),
            stage("document", 44, 44, 30.4, 0.002, "passages, as asked"),
            stage("cutoff", 44, 7, 30.4, 0.021, "score fell by 67 %"),
            stage("diversify", 7, 7, 30.4, 0.001, "off in profile memo-mcp (mmr.enabled)", ran=False),
            stage("limit", 7, 7, 30.4, 0.004, "the first 7"),
            stage("budget", 7, 7, 30.5, 0.006, "1412 of 2000 tokens"),
        ),
        cutoff=Cutoff(
            index=7,
            last_score=0.019911,
            next_score=0.006578947,
            drop=1 - 0.006578947 / 0.019911,
            gap=0.5,
            cause="only keyword supports the rest",
        ),
        budget=Budget(max_tokens=2000, used_tokens=1412),
        as_of=None,
        index_version=212,
        synced=3,
        total_ms=32.54,
    )


def response() -> SearchResponse:
    """Seven results of six arms, ended by a gap."""
    found = results()
    return SearchResponse(
        query=QUERY,
        results=found,
        score_scale="rrf",
        mode_effective="hybrid",
        total=44,
        total_mode="exact",
        shape=Shape(top_relevance=0.67108, relevance_spread=0.38994, flat_page=False),
        limit=10,
        offset=0,
        now=NOW,
        narrow_hint=NarrowHint(field="kind", value="notebook", leaves=9, of=44),
        terms=TERMS,
        excluded=("tutorial",),
        filters=("since:2026-06",),
        trace=trace(),
    )


def degraded() -> SearchResponse:
    """Two results of words alone, while the model loads."""
    whole = response()
    loading = "all-MiniLM-L6-v2 is still loading"
    words = ("keyword", "exact")
    kept = tuple(
        result(
            rank,
            rank,
            found.passage,
            {"keyword": (rank, 9.4 - rank), "exact": (rank, 4.9 - rank / 2)},
            "keyword-only",
            ("kappa_c",),
        )
        for rank, found in enumerate((whole.results[3], whole.results[0]), 1)
    )
    arms = tuple(
        dataclasses.replace(arm, candidates=2)
        if arm.arm in words
        else ArmTrace(
            arm=arm.arm,
            ran=False,
            reason=loading if arm.arm == "semantic" else "nothing of that kind is extracted by this version",
            called=arm.arm == "semantic",
        )
        for arm in whole.trace.arms
    )
    return dataclasses.replace(
        whole,
        query="kappa_c ERR_NAN_ESS",
        results=kept,
        mode_effective="keyword_only",
        total=2,
        shape=Shape(),
        narrow_hint=None,
        terms=("kappa_c", "ERR_NAN_ESS"),
        excluded=(),
        filters=(),
        degraded=Degraded(
            flag=True,
            code="model_loading",
            reason=f"{loading}. Passages that only share a meaning with the query are missing; search again soon.",
        ),
        trace=dataclasses.replace(whole.trace, mode_run="keyword_only", arms=arms, cutoff=None, total_ms=9.21),
    )


def empty() -> SearchResponse:
    """No result: the nearest passage lies under the floor."""
    whole = response()
    stages = tuple(
        dataclasses.replace(stage, after=0, before=0 if at > 5 else stage.before) if at >= 5 else stage
        for at, stage in enumerate(whole.trace.stages)
    )
    return dataclasses.replace(
        whole,
        query="thermostat calibration of the dilution fridge",
        results=(),
        total=0,
        shape=Shape(),
        reason=(
            "Nothing in this index answers this: no word of it was found, and the nearest passage has cosine 0.21, "
            "under the floor 0.25 of all-MiniLM-L6-v2."
        ),
        hint="Try words these notes would use, or index more.",
        narrow_hint=None,
        terms=("thermostat", "calibration", "dilution", "fridge"),
        excluded=(),
        filters=(),
        trace=dataclasses.replace(whole.trace, cutoff=None, stages=stages, total_ms=21.07),
    )


BUILDERS = {"response": response, "degraded": degraded, "empty": empty}

if __name__ == "__main__":
    for name, build in BUILDERS.items():
        (HERE / f"{name}.json").write_text(wire.dumps(build()) + "\n", encoding="utf-8")
