"""From ranked candidates to the response: snippets, reasons, and what to say of the list as a whole."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping

from jupyter_memo.query import Mode
from jupyter_memo.ranking.abstain import band, cosine_floor
from jupyter_memo.ranking.stage import Candidates, Context, Ranked
from jupyter_memo.ranking.weigh import age_days
from jupyter_memo.response import (
    Candidate,
    Floor,
    Freshness,
    Leg,
    Miss,
    ModeEffective,
    Place,
    Provenance,
    Result,
    ScoreScale,
    SearchResponse,
    Shape,
    Trace,
    Why,
)
from jupyter_memo.search import matched
from jupyter_memo.search.arms import MODE_ARMS, Found
from jupyter_memo.search.similar import ITSELF
from jupyter_memo.store.tables import Row
from jupyter_memo.text import vocabulary, words
from jupyter_memo.text.snippets import composed

UNRUN: dict[Mode, ModeEffective] = {"semantic": "semantic_only", "exact": "exact"}
"""What a search is called in which no arm ran: what was asked for, not what it would have fallen back to."""

FLAT_SPREAD = 0.05
"""While an index is not calibrated: a page whose cosines lie closer together than this does not tell its results apart
(random passages of one subject spread wider under MiniLM)."""

FLAT_MIN_RESULTS = 3

FLAT_WORDS = 0.5
"""A result that earns this share of what the query's words could earn stands out, whatever the cosines are."""

NEAREST = 8
"""Of the nearest passages, so many lend their words to a question that found nothing."""

TRY = "Try words these notes would use, or index more."


def build(*, context: Context, ranked: Ranked, found: Found, rows: Mapping[str, Row], trace: Trace) -> SearchResponse:
    """The whole response; every number in it is read off the candidates and the trace."""
    query, plan = context.query, context.plan
    filter_only = trace.mode_run == "filter_only"
    offset = query.offset
    results = tuple(
        _result(candidate, offset + position, context, rows[candidate.id], ranked.places[candidate.id])
        for position, candidate in enumerate(ranked.page, 1)
    )
    total = _length(context, trace)
    reason, hint = _empty(context, found, trace) if not results else (None, None)
    shape = _shape(results, ranked.page, context)
    nothing = bool(trace.floor and trace.floor.refused) or (not results and bool(found.lists))
    return SearchResponse(
        query=query.text,
        results=results,
        score_scale=_scale(context, filter_only),
        mode_effective=mode_effective(found, filter_only=filter_only),
        total=total,
        total_mode="exact" if context.listed is not None or _to_the_end(context, found, trace) else "page",
        shape=shape,
        limit=query.limit,
        offset=offset,
        now=context.now,
        reason=reason,
        hint=hint,
        hints=(*plan.hints, *(fact.hint for fact in ranked.facts if fact.hint), *_hints(found)),
        truncated=sum(fact.truncated for fact in ranked.facts),
        words_to_try=_own_words(context, found, rows) if nothing or shape.flat_page else (),
        nearest=tuple(map(_miss, next((fact.refused for fact in ranked.facts if fact.refused), ()))),
        recorded=False,
        degraded=found.degraded,
        terms=_terms(matched.spoken(context), matched.names(context)),
        excluded=plan.left_out,
        filters=plan.fields,
        queries=query.queries,
        unwanted=plan.unwanted,
        suggested=plan.suggested,
        granularity=query.granularity,
        scope=query.scope,
        min_relevance=query.min_relevance,
        trace=trace,
    )


def merged(response: SearchResponse, legs: tuple[Leg, ...], native: Mapping[str, float]) -> SearchResponse:
    """The response of a list over several surfaces: each result with its native score, and each surface told."""
    results = tuple(dataclasses.replace(each, native=native[each.passage.id]) for each in response.results)
    shown = Counter(each.passage.surface for each in results)
    return dataclasses.replace(
        response,
        results=results,
        score_scale="surfaces",
        legs=tuple(dataclasses.replace(leg, shown=shown[leg.surface]) for leg in legs),
    )


def _length(context: Context, trace: Trace) -> int:
    """How long the whole list is, of which this is a page."""
    if context.listed is not None:
        return context.listed
    return next((entry.before for entry in trace.stages if entry.stage == "limit"), 0)


def _to_the_end(context: Context, found: Found, trace: Trace) -> bool:
    """Whether the arms brought all that matches: none was full, or those that were hold all of the scope."""
    in_scope = trace.filters[-1].left
    depth = context.resolved.profile.depth
    return not any(depth <= len(hits) < in_scope for hits in found.lists.values())


def mode_effective(found: Found, *, filter_only: bool) -> ModeEffective:
    """What really ran, whatever was asked for; where nothing could, what was asked for."""
    if filter_only:
        return "filter_only"
    ran = set(found.lists)
    if not ran:
        return UNRUN.get(found.mode, "keyword_only")
    if ran == {"exact"}:
        return "exact"
    if "semantic" not in ran:
        return "keyword_only"
    if ran == {"semantic"}:
        return "semantic_only"
    return "hybrid" if ran & {"keyword", "exact"} else "hybrid_dense_only"


def _scale(context: Context, filter_only: bool) -> ScoreScale:
    return "none" if filter_only else context.resolved.profile.fusion.method


def _result(candidate: Candidate, rank: int, context: Context, row: Row, places: tuple[Place, ...]) -> Result:
    passage = row.passage
    spoken = composed(matched.spoken(context))
    # In mode exact the parts of a name found nothing, so nothing but the name itself is marked.
    wanted = matched.content(spoken).union(matched.variants(context)) if context.query.mode != "exact" else frozenset()
    snippet, marks = words.snippet(
        passage.text,
        wanted,
        cjk=words.cjk_terms(spoken) if words.has_cjk(spoken) else (),
        literals=matched.names(context),
        code=passage.code,
    )
    named = band(candidate.relevance, context.resolved.bands)
    return Result(
        rank=rank,
        passage=passage,
        score=candidate.score,
        relevance=candidate.relevance,
        band=named,
        snippet=snippet,
        marks=marks,
        document=passage.uri if context.query.granularity == "document" else None,
        why=_why(candidate, rank, context, row, places) if context.query.explain else None,
        folded=candidate.folded,
    )


def _why(candidate: Candidate, rank: int, context: Context, row: Row, places: tuple[Place, ...]) -> Why:
    passage = row.passage
    recency = context.resolved.profile.recency
    age = next((weight for weight in candidate.weights if weight.name == "age"), None)
    return Why(
        arms=tuple(
            dataclasses.replace(vote, matched_terms=matched.matched(vote, context, row)) for vote in candidate.votes
        ),
        fused=candidate.fused,
        rerank=candidate.rerank,
        weights=candidate.weights,
        final=candidate.score,
        rank=rank,
        relevance=candidate.relevance,
        band=band(candidate.relevance, context.resolved.bands),
        places=(*places, Place(stage="final", rank=rank, score=candidate.score)),
        provenance=Provenance(
            uri=passage.uri,
            source_id=passage.source_id,
            sha256=passage.sha256,
            recorded_at=passage.recorded_at,
            trust=passage.trust,
        ),
        freshness=Freshness(
            created_at=passage.created_at,
            age_days=age_days(passage, context.now),
            ages=passage.kind in recency.kinds,
            factor=age.factor if age else 1.0,
        ),
        rrf_rank=candidate.rrf_rank,
    )


def _terms(text: str, more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*text.split(), *more)))


def _shape(results: tuple[Result, ...], page: Candidates, context: Context) -> Shape:
    """Top cosine, spread of the cosines (top - lowest), and whether the page is flat.

    A page of three results and more is flat when its top cosine and its spread are both no more than those of most
    questions that this index cannot answer (`Calibration.meaning`, `.spread`), so that the size of the index does not
    matter, and no result holds half of the query's weight of words.
    """
    cosines = [result.relevance for result in results if result.relevance is not None]
    if not cosines:
        return Shape()
    top, spread = max(cosines), max(cosines) - min(cosines)
    flat = len(cosines) >= FLAT_MIN_RESULTS and len(cosines) == len(results)
    known = context.resolved.calibration
    if known and known.meaning is not None and known.spread is not None:
        flat = flat and top < known.meaning and spread <= known.spread and not any(map(_by_words, page))
    else:
        words = ("keyword", "exact")
        flat = flat and spread < FLAT_SPREAD and not any(vote.arm in words for each in page for vote in each.votes)
    return Shape(top_relevance=top, relevance_spread=spread, flat_page=flat)


def _by_words(candidate: Candidate) -> bool:
    shares = [vote.raw or 0.0 for vote in candidate.votes if vote.raw_kind == "share"]
    return sum(shares) >= FLAT_WORDS


def _hints(found: Found) -> tuple[str, ...]:
    if found.ran("semantic") and not (found.ran("keyword") or found.ran("exact")) and not found.lists["semantic"]:
        return ("Words were not searched, so an empty list proves nothing.",)
    return ()


def _empty(context: Context, found: Found, trace: Trace) -> tuple[str, str]:
    """Why the list is empty and what may help, in this order: no index, scope, no arm, page, floor, no match."""
    passages, in_scope = trace.filters[0].left, trace.filters[-1].left
    if passages == 0:
        return "The index is empty.", "Index a folder first: %memo_index PATH"
    if in_scope == 0:
        last = next(entry for entry in trace.filters if entry.left == 0)
        if last.predicate == ITSELF:
            return "Nothing is in scope but what it is to be like.", "Index more, or widen the filters."
        return f"No passage is left by the filter “{last.predicate}”.", "Widen or drop that filter."
    if not found.lists and trace.mode_run != "filter_only":
        return _unrun(found)
    length = _length(context, trace)
    if context.query.offset and length:
        counted = "1 result" if length == 1 else f"{length} results"
        at = context.query.offset
        return (
            f"The list has {counted}, {'fewer than' if length < at else 'as many as'} the offset {at}.",
            "Start from offset 0.",
        )
    like = context.query.like is not None
    nothing = "Nothing in this index is like it" if like else "Nothing in this index answers this"
    cure = "Compare with another passage or text, or index more." if like else TRY
    sifted = next((entry for entry in trace.stages if entry.stage == "similarity"), None)
    if sifted and sifted.before and not sifted.after:
        return f"{nothing} enough: {sifted.note}.", "Ask for a lower min_similarity, or for none."
    if trace.floor and trace.floor.refused:
        return f"{nothing}: {_refused(trace.floor)}", cure
    floored = next((entry for entry in trace.stages if entry.stage == "abstain"), None)
    if floored and floored.before and not floored.after:
        top = max((hit.raw for hit in found.lists.get("semantic", ())), default=0.0)
        floor = cosine_floor(context)
        why = f"the nearest passage has cosine {top:.2f}, under the floor {floor:.2f} of {context.resolved.model}"
        return f"{nothing}: no word of it was found, and {why}.", cure
    if context.plan.phrases:
        return "No passage in scope holds the phrase word for word.", "Try it without the quotes."
    return f"None of the {in_scope} passages in scope matches.", "Try other words, or fewer filters."


def _refused(floor: Floor) -> str:
    measured = "which unrelated questions reach here too" if floor.calibrated else "below which a match may be chance"
    told = f"the best match has confidence {floor.best:.3f}, under the floor {floor.least:.3f}, {measured}"
    near = f". The nearest passage has cosine {floor.cosine:.2f}" if floor.cosine is not None else ""
    return f"{told}{near}."


def _own_words(context: Context, found: Found, rows: Mapping[str, Row]) -> tuple[str, ...]:
    """Words that the nearest passages use and the query does not."""
    ids = (hit.id for arm in ("semantic", "keyword") for hit in found.lists.get(arm, ())[: NEAREST // 2])
    near = [(rows[id].passage.header, rows[id].passage.text) for id in dict.fromkeys(ids) if id in rows]
    return vocabulary.shared(near, context.plan.words)


def _miss(candidate: Candidate) -> Miss:
    passage = candidate.passage
    assert passage is not None  # the fetch stands before the stages
    return Miss(
        uri=passage.uri, title=passage.title, span=passage.span, relevance=candidate.relevance, fused=candidate.fused
    )


def _unrun(found: Found) -> tuple[str, str]:
    """Why no arm of the asked mode ran, and the first cure. A fault is told before what the query lacks."""
    arms = found.failed or MODE_ARMS[found.mode]
    reasons = dict.fromkeys(trace.reason.rstrip(".") for trace in found.traces if trace.arm in arms and trace.reason)
    verb = "answered" if found.failed else "could run"
    cure = next((found.cures[arm] for arm in arms if found.cures.get(arm)), "Search by words (mode auto).")
    return f"No arm {verb}: {'; '.join(reasons)}.", cure
