"""Profile `memo-mcp` against the formulas of the seed's page, the numbers written out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from jupyter_memo import profile
from jupyter_memo.profile import Bands, Profile, ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.ranking import abstain, fusion, select, weigh
from jupyter_memo.ranking.stage import Context
from jupyter_memo.records import Kind, Passage
from jupyter_memo.response import Arm, ArmHit, Candidate
from jupyter_memo.text.plan import QueryPlan

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SEED = profile.get("memo-mcp")
BANDS = Bands(strong=0.55, moderate=0.42, weak=0.30, floor=0.25)


def hits(arm: Arm, *ids: str, raws: tuple[float, ...] = ()) -> tuple[ArmHit, ...]:
    values = raws or tuple(1.0 for _ in ids)
    return tuple(
        ArmHit(arm=arm, id=id, rank=rank, raw=raw) for rank, (id, raw) in enumerate(zip(ids, values, strict=True), 1)
    )


def passage(id: str, kind: Kind = "document", age_days: float = 0, tokens: int = 0, source: str = "s") -> Passage:
    return Passage(
        id=id,
        source_id=source,
        uri=source,
        text="",
        kind=kind,
        tokens=tokens,
        created_at=NOW - timedelta(days=age_days),
        recorded_at=NOW,
    )


def candidate(id: str, score: float, arms: tuple[Arm, ...] = ("keyword",), cosine: float | None = None, **more: object):
    fused = fusion.fuse({arm: hits(arm, id, raws=(cosine or 0.0,)) for arm in arms}, SEED.fusion)[0]
    return Candidate(
        id=id,
        votes=fused.votes,
        fused=score,
        score=score,
        relevance=cosine,
        passage=passage(id, **more),  # type: ignore[arg-type]
    )


def context(chosen: Profile = SEED, **query: object) -> Context:
    return Context(
        query=Query(text="q", **query),  # type: ignore[arg-type]
        plan=QueryPlan(text="q"),
        resolved=ResolvedProfile(profile=chosen, model="m", bands=BANDS),
        now=NOW,
    )


def test_the_rrf_profile_has_the_constants_of_the_seed() -> None:
    plain = profile.get("rrf")
    assert (SEED.depth, SEED.fusion, SEED.recency, SEED.cutoff) == (
        plain.depth,
        plain.fusion,
        plain.recency,
        plain.cutoff,
    )


def test_the_weights_are_those_of_the_page() -> None:
    weights = {arm: SEED.fusion.weight(arm) for arm in ("semantic", "keyword", "exact", "fact", "entity", "graph")}
    assert {"semantic": 0.5, "keyword": 0.5, "exact": 0.3, "fact": 0.4, "entity": 0.4, "graph": 0.5} == weights


def test_rrf_sums_weight_over_sixty_plus_rank() -> None:
    fused = fusion.fuse(
        {
            "keyword": hits("keyword", "b", "a"),
            "exact": hits("exact", "a"),
            "semantic": hits("semantic", "c", "x", "a"),
        },
        SEED.fusion,
    )
    # a: .5/62 + .3/61 + .5/63; b: .5/61; c: .5/61 (the tie breaks by id); x: .5/62
    expected = {"a": 0.020919057, "b": 0.008196721, "c": 0.008196721, "x": 0.008064516}
    assert list(expected) == [each.id for each in fused]
    assert expected == {each.id: each.fused for each in fused}


def test_contributions_are_kept_for_every_arm() -> None:
    fused = fusion.fuse({"keyword": hits("keyword", "a"), "exact": hits("exact", "z", "a")}, SEED.fusion)
    a = next(each for each in fused if each.id == "a")
    assert [("keyword", 1, pytest.approx(0.00819672131)), ("exact", 2, pytest.approx(0.00483870968))] == [
        (vote.arm, vote.rank, vote.contribution) for vote in a.votes
    ]


def test_minmax_scales_each_arm_between_its_lowest_and_highest() -> None:
    fused = fusion.fuse(
        {
            "keyword": hits("keyword", "a", "b", "c", raws=(12.0, 9.0, 4.0)),
            "semantic": hits("semantic", "b", raws=(0.7,)),
        },
        profile.get("minmax").fusion,
    )
    # a: .5 × 1; b: .5 × (9-4)/(12-4) + .5 × 1 (the only one of its arm); c: .5 × 0
    assert {"b": 0.8125, "a": 0.5, "c": 0.0} == {each.id: each.fused for each in fused}


@pytest.mark.parametrize(
    ("age_days", "factor"), [(0, 1.0), (90, 0.9), (180, 0.85), (19, 0.97277433), (10_000, 0.8), (-5, 1.0)]
)
def test_recency_is_floor_plus_the_rest_halved_every_ninety_days(age_days: float, factor: float) -> None:
    weighed, _ = weigh.weigh((candidate("a", 0.03, kind="note", age_days=age_days),), context())
    assert pytest.approx(0.03 * factor, abs=1e-9) == weighed[0].score


def test_recency_leaves_documents_and_code_alone() -> None:
    weighed, _ = weigh.weigh((candidate("a", 0.03, kind="code", age_days=400),), context())
    assert 0.03 == weighed[0].score


def test_recency_is_applied_before_the_sort() -> None:
    old, new = candidate("old", 0.0300, kind="note", age_days=900), candidate("new", 0.0290, kind="note")
    weighed, _ = weigh.weigh((old, new), context())
    assert ["new", "old"] == [each.id for each in weighed]


def test_a_cosine_below_the_weak_band_is_dropped_when_it_is_the_only_evidence() -> None:
    kept, _ = abstain.abstain(
        (
            candidate("both", 0.02, ("keyword", "semantic"), cosine=0.10),
            candidate("above", 0.01, ("semantic",), cosine=0.30),
            candidate("below", 0.01, ("semantic",), cosine=0.2999),
        ),
        context(),
    )
    assert ["both", "above"] == [each.id for each in kept]


@pytest.mark.parametrize(
    ("cosine", "name"),
    [
        (0.55, "strong"),
        (0.5499, "moderate"),
        (0.42, "moderate"),
        (0.30, "weak"),
        (0.29, "very-weak"),
        (None, "keyword-only"),
    ],
)
def test_bands_name_the_cosine(cosine: float | None, name: str) -> None:
    assert name == abstain.band(cosine, BANDS)


def test_the_list_ends_where_a_score_halves_after_the_third() -> None:
    scores = (0.10, 0.04, 0.039, 0.019, 0.018)
    kept, facts = select.cutoff(tuple(candidate(str(i), score) for i, score in enumerate(scores)), context())
    assert 3 == len(kept)
    assert facts.cutoff is not None
    assert (3, 0.039, 0.019, "only keyword supports the rest") == (
        facts.cutoff.index,
        facts.cutoff.last_score,
        facts.cutoff.next_score,
        facts.cutoff.cause,
    )


def test_exactly_half_is_not_cut() -> None:
    scores = (0.4, 0.4, 0.4, 0.2, 0.1)
    kept, _ = select.cutoff(tuple(candidate(str(i), score) for i, score in enumerate(scores)), context())
    assert 5 == len(kept)


def test_a_reranked_list_is_not_cut() -> None:
    import dataclasses

    reranked = tuple(
        dataclasses.replace(candidate(str(i), score), rerank=score) for i, score in enumerate((0.9, 0.8, 0.7, 0.01))
    )
    assert 4 == len(select.cutoff(reranked, context())[0])


def test_the_budget_counts_tokens_and_twenty_four_a_result() -> None:
    three = tuple(candidate(str(i), 0.03, tokens=100) for i in range(3))
    kept, facts = select.budget(three, context(max_tokens=248))
    assert facts.budget is not None
    assert (2, 248, 1, 1) == (len(kept), facts.budget.used_tokens, facts.budget.left_out, facts.truncated)


def test_the_budget_always_holds_one_result() -> None:
    kept, _ = select.budget((candidate("a", 0.03, tokens=9_000), candidate("b", 0.02)), context(max_tokens=10))
    assert ["a"] == [each.id for each in kept]


def test_limit_counts_what_comes_after_the_page() -> None:
    five = tuple(candidate(str(i), 0.1 - i / 100) for i in range(5))
    page, facts = select.limit(five, context(limit=2, offset=1))
    assert (["1", "2"], 2) == ([each.id for each in page], facts.truncated)


def test_a_document_is_shown_by_its_best_passage() -> None:
    many = (
        candidate("a1", 0.3, source="a"),
        candidate("b1", 0.2, source="b"),
        candidate("a2", 0.1, source="a"),
    )
    kept, _ = select.document(many, context(granularity="document"))
    assert ["a1", "b1"] == [each.id for each in kept]
