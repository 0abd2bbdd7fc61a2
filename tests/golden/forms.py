"""More golden responses, and what Python makes of all of them: run this file to write the files beside it.

`evidence` is scored as profile default scores, `flat` is a flat page, `refused` an empty list under the floor,
`surfaces` is merged from several, `hostile` is made of texts that want to be markup, to hide or to reorder. The HTML of
each response, with its reasons open, and `visible.json` are what the front end is compared with: a number or a word
that it shows otherwise fails its tests.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

from jupyter_memo import wire
from jupyter_memo.records import Span, Surface
from jupyter_memo.render import html, visible
from jupyter_memo.response import (
    Degraded,
    Floor,
    Folded,
    Leg,
    Miss,
    NarrowHint,
    Place,
    Result,
    SearchResponse,
    Shape,
    Vote,
    Weight,
)

HERE = Path(__file__).parent
OFFSET = 7
"""`evidence` is a second page: so many results come before it."""

MARKUP = (
    "<script>window.__xss = 1</script>",
    "<img src=x onerror='window.__xss = 1'>",
    "<svg onload=window.__xss=1><a xlink:href='javascript:window.__xss=1'>x</a></svg>",
    "<iframe srcdoc='<script>parent.__xss=1</script>'></iframe>",
    "<a href='javascript:window.__xss=1'>press</a>",
    "</li></ol></div><style>* { display: none }</style>",
    "[press](javascript:window.__xss=1) ![x](http://127.0.0.1:9/x.png)",
    "&lt;b&gt; &amp; \"'`${window.__xss = 1}`",
)
SIGNS = (
    "\x1b[31mred\x1b[0m \x1b]8;;http://127.0.0.1:9\x07link\x1b]8;;\x07 \x9b2J",
    "user\u202egpj.exe\u202c and \u2066isolated\u2069 \u200fRLM \u061cALM",
    "pass\u200bword zero\u2060width \ufeffBOM soft\u00adhyphen",
    "nul\x00 bell\x07 delete\x7f next\x85line sep\u2028para\u2029end",
    "می\u200cخواهم \U0001f469\u200d\U0001f52c a\u200db \u200d",
    "tag\U000e0041\U000e0042 hidden \ufff9annot\ufffbated \ufffe\uffff",
    "tab\tstop\r\nwin\rmac\x0bvertical\x0cform",
    "\U0001d6fd and \U0001f52d before found words",
)


def others() -> ModuleType:
    """The module of the responses that this one starts from."""
    if "golden_build" not in sys.modules:
        spec = importlib.util.spec_from_file_location("golden_build", HERE / "build.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules["golden_build"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["golden_build"])
    return sys.modules["golden_build"]


def weighed(result: Result, rank: int) -> Result:
    """The result as evidence fusion scores it: half of the share of the words, half of the cosine."""
    why = result.why
    assert why is not None
    words, meaning = (1 / 3, 2 / 3) if result.passage.code else (0.5, 0.5)
    share = 0.90731 - 0.1137 * rank
    cosine = result.relevance or 0.28114
    votes = (
        Vote(
            arm="keyword",
            rank=rank if rank % 3 else None,
            raw=share,
            raw_kind="share",
            weight=words,
            contribution=words * share,
            matched_terms=("flow", "ESS"),
        ),
        Vote(
            arm="semantic",
            rank=8 - rank,
            raw=cosine,
            raw_kind="cosine",
            weight=meaning,
            contribution=meaning * cosine,
        ),
    )
    fused = round(sum(vote.contribution for vote in votes), 9)
    source = (Weight(name="source", factor=0.9, detail="trust 1"),) if rank == 4 else ()
    weights = (*why.weights, *source)
    final = fused
    for weight in weights:
        final = round(final * weight.factor, 9)
    places = (
        Place(stage="fused", rank=9 - rank, score=fused),
        Place(stage="weigh", rank=rank + 1, score=final),
        Place(stage="abstain", rank=rank, score=final),
        Place(stage="final", rank=rank, score=final),
    )
    changed = dataclasses.replace(
        why,
        arms=votes,
        fused=fused,
        weights=weights,
        final=final,
        relevance=cosine,
        places=places,
        rrf_rank=3 + 10 * rank,
    )
    return dataclasses.replace(result, rank=rank, score=final, relevance=cosine, why=changed)


def copies(rank: int) -> tuple[Folded, ...]:
    """What is folded below the first two results: a copy that is the same, one that is nearly so, and a record."""
    made = (
        Folded(
            id="c0",
            uri="notebooks/old/07_ess-copy1.ipynb",
            title="Results",
            span=Span(cell=11),
            score=0.512,
            likeness=1.0,
        ),
        Folded(
            id="c1",
            uri="papers/flow-v1.pdf",
            title="3.2 Loss",
            span=Span(page=5),
            score=0.4375,
            likeness=0.9972,
            own=("0.43", "sampler"),
        ),
        Folded(
            id="c2",
            uri="journal-2026-06-03",
            title="journal-2026-06-03",
            surface="memory",
            score=0.25,
            likeness=0.8125,
        ),
    )
    return {1: made[:1], 2: made[1:]}.get(rank, ())


def evidence() -> SearchResponse:
    """The second page of a longer list, scored by evidence, with results of documents and two tags."""
    whole = others().response()
    scored = []
    for rank, result in enumerate(whole.results, 1):
        passage = dataclasses.replace(
            result.passage,
            tags=(("ess", "criticality"), ("ess",), ())[rank % 3],
            namespace="phi4" if rank < 6 else "journal",
        )
        document = result.passage.uri if rank == 2 else None
        changed = dataclasses.replace(result, passage=passage, document=document, folded=copies(rank))
        if document:
            headed = dataclasses.replace(passage, header=("Flow sampling", "3 Results", *passage.header))
            changed = dataclasses.replace(
                changed, passage=headed, before="…the text above.\n\n2 Methods\nShort.", after="What follows…"
            )
        scored.append(weighed(changed, rank))
    results = []
    for rank, result in enumerate(sorted(scored, key=lambda result: -result.score), OFFSET + 1):
        why = result.why
        assert why is not None
        fused, *_, final = why.places
        places = (
            dataclasses.replace(fused, rank=fused.rank + OFFSET),
            dataclasses.replace(final, stage="weigh", rank=rank + rank % 2),
            dataclasses.replace(final, stage="abstain", rank=rank),
            dataclasses.replace(final, rank=rank),
        )
        changed = dataclasses.replace(why, rank=rank, places=places)
        results.append(dataclasses.replace(result, rank=rank, why=changed))
    trace = dataclasses.replace(
        whole.trace,
        profile="default",
        cutoff=None,
        budget=dataclasses.replace(whole.trace.budget, left_out=2),
        arms=tuple(
            arm
            if arm.arm in ("keyword", "semantic")
            else dataclasses.replace(
                arm, ran=False, reason="nothing of that kind here.", candidates=0, start_ms=0, ms=0
            )
            for arm in whole.trace.arms
        ),
    )
    return dataclasses.replace(
        whole,
        results=tuple(results),
        score_scale="evidence",
        total=1044,
        total_mode="page",
        offset=OFFSET,
        truncated=1032,
        granularity="document",
        hints=("Two files changed while this search ran.",),
        trace=trace,
    )


def surfaces() -> SearchResponse:
    """Memory, chat and file searched apart and merged, with two other wordings of the question."""
    whole = evidence()
    by: dict[Surface, list[Result]] = {"memory": [], "chat": [], "file": []}
    for at, result in enumerate(whole.results):
        passage = dataclasses.replace(result.passage, surface=("file", "memory", "chat")[at % 3])
        by[passage.surface].append(dataclasses.replace(result, passage=passage, folded=(), document=None))
    placed = []
    for surface, found in by.items():
        for rank, result in enumerate(found, 1):
            why, best = result.why, found[0].score
            assert why is not None
            factor = 61 / (60 + rank) / best
            detail = f"{surface}: number {rank} there, {result.score / best:.0%} of its best"
            score = round(result.score * factor, 9)
            changed = dataclasses.replace(
                why, weights=(*why.weights, Weight(name="surface", factor=factor, detail=detail)), rrf_rank=None
            )
            placed.append((score, dataclasses.replace(result, native=result.score, score=score, why=changed)))
    results = []
    for rank, (score, result) in enumerate(sorted(placed, key=lambda each: (-each[0], -(each[1].native or 0))), 1):
        why = result.why
        assert why is not None
        first = dataclasses.replace(why.places[0], rank=1 + rank // 3)
        places = (first, Place(stage="merge", rank=rank, score=score), Place(stage="final", rank=rank, score=score))
        changed = dataclasses.replace(why, final=score, rank=rank, places=places)
        results.append(dataclasses.replace(result, rank=rank, why=changed))
    best = {surface: found[0].score for surface, found in by.items()}
    legs = (
        Leg(surface="memory", found=12, merged=2, shown=2, scale="evidence", best=best["memory"], nearest=0.638),
        Leg(
            surface="chat",
            found=1044,
            merged=4,
            shown=2,
            scale="evidence",
            best=best["chat"],
            nearest=0.671,
            floor=0.3,
            note="ended after 4, where the score falls by 61%",
        ),
        Leg(
            surface="file", found=31, merged=3, shown=3, scale="evidence", best=best["file"], nearest=0.6125, floor=0.3
        ),
    )
    return dataclasses.replace(
        whole,
        results=tuple(results),
        score_scale="surfaces",
        offset=0,
        granularity="passage",
        queries=("sampler near kappa_c is inefficient", "why is HMC better at criticality"),
        legs=legs,
    )


def flat() -> SearchResponse:
    """A page whose cosines lie close together, asked for with a filter alone in mind."""
    whole = others().response()
    results = tuple(
        dataclasses.replace(result, relevance=0.31 + 0.005 * at, band="weak", why=None)
        for at, result in enumerate(whole.results)
    )
    shape = Shape(top_relevance=0.34, relevance_spread=0.03, flat_page=True)
    words = ("albedo", "brine", "melt")
    return dataclasses.replace(whole, results=results, shape=shape, narrow_hint=None, words_to_try=words)


def refused() -> SearchResponse:
    """An empty list under the floor of evidence, with its nearest misses and words to try."""
    whole = others().response()
    nearest = tuple(
        Miss(
            uri=result.passage.uri,
            title=result.passage.title,
            span=result.passage.span,
            relevance=None if at == 2 else 0.213 - 0.02 * at,
            fused=0.187 - 0.01 * at,
        )
        for at, result in enumerate(whole.results[:3])
    )
    floor = Floor(best=0.187, least=0.302, calibrated=True, refused=True, cosine=0.213, certain=0.41)
    return dataclasses.replace(
        whole,
        results=(),
        score_scale="evidence",
        total=0,
        truncated=0,
        shape=Shape(),
        narrow_hint=None,
        reason="Nothing in this index answers this: the best match has evidence 0.187, under the floor 0.302.",
        hint="Try words these notes would use, or index more.",
        nearest=nearest,
        words_to_try=("cryostat", "ESS", "plaquette"),
        trace=dataclasses.replace(whole.trace, floor=floor, cutoff=None),
    )


def hostile() -> SearchResponse:
    """Every text of it is an attack or a sign that should not be seen, or should be."""
    whole = others().response()
    results = []
    for at, (markup, signs) in enumerate(zip(MARKUP, SIGNS, strict=True)):
        result = whole.results[at % len(whole.results)]
        snippet = f"{signs}\nflow {markup} ESS"
        found = (snippet.index("flow"), snippet.index("flow") + 4), (len(snippet) - 3, len(snippet))
        passage = dataclasses.replace(
            result.passage,
            id=f"{at:016x}",
            uri=f"notes/{markup}/{signs}.md",
            header=(signs, markup) if at % 2 else (markup, signs),
            text=snippet,
            tags=(markup, signs),
            namespace=markup if at % 2 else signs,
            code=bool(at % 3 == 1),
            span=Span(key=markup, cell=at),
        )
        why = result.why
        assert why is not None
        votes = tuple(dataclasses.replace(vote, matched_terms=(markup, signs)) for vote in why.arms)
        weights = tuple(dataclasses.replace(weight, detail=markup) for weight in why.weights)
        provenance = dataclasses.replace(why.provenance, uri=passage.uri)
        results.append(
            dataclasses.replace(
                result,
                rank=at + 1,
                passage=passage,
                snippet=snippet,
                marks=found,
                before=markup,
                after=f"{signs} {markup}",
                folded=(
                    Folded(id=f"{at:x}", uri=markup, title=signs, span=Span(key=markup), likeness=0.9, own=(markup,)),
                ),
                why=dataclasses.replace(why, arms=votes, weights=weights, provenance=provenance, rank=at + 1),
            )
        )
    markup, signs = MARKUP[1], SIGNS[1]
    trace = dataclasses.replace(
        whole.trace,
        plan=f"{markup} {signs}",
        model=markup,
        profile=signs,
        profile_hash=markup,
        arms=tuple(
            dataclasses.replace(arm, reason=markup if at % 2 else signs, ran=arm.arm != "semantic")
            for at, arm in enumerate(whole.trace.arms)
        ),
        filters=tuple(dataclasses.replace(entry, predicate=markup) for entry in whole.trace.filters),
        stages=tuple(dataclasses.replace(stage, note=f"{markup} {signs}") for stage in whole.trace.stages),
        cutoff=dataclasses.replace(whole.trace.cutoff, index=8, cause=markup),
    )
    return dataclasses.replace(
        whole,
        query=f"{MARKUP[0]} {SIGNS[0]} -{MARKUP[1]}",
        results=tuple(results),
        hints=(MARKUP[4], SIGNS[4]),
        queries=(f"{MARKUP[5]} {SIGNS[5]}",),
        narrow_hint=NarrowHint(field="kind", value=MARKUP[0], leaves=1, of=8),
        degraded=Degraded(flag=True, code="arm_failed", reason=f"{markup} {signs}"),
        excluded=(MARKUP[1],),
        filters=(MARKUP[2],),
        trace=trace,
    )


BUILDERS = {"evidence": evidence, "flat": flat, "hostile": hostile, "refused": refused, "surfaces": surfaces}


def forms() -> dict[str, str]:
    """Each file of this module by its name: the responses as JSON, all responses as HTML, what `visible` makes."""
    made = {name: build() for name, build in {**others().BUILDERS, **BUILDERS}.items()}
    pages = {
        f"{name}.html": html.static(dataclasses.replace(response, open_why=True)) + "\n"
        for name, response in made.items()
    }
    data = {f"{name}.json": wire.dumps(made[name]) + "\n" for name in BUILDERS}
    seen = [{"given": given, "text": visible.text(given), "line": visible.line(given)} for given in (*MARKUP, *SIGNS)]
    return {**data, **pages, "visible.json": json.dumps(seen, indent=1) + "\n"}


if __name__ == "__main__":
    for name, written in forms().items():
        (HERE / name).write_text(written, encoding="utf-8")
