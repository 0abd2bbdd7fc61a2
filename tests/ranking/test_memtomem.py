"""Profile `memtomem` against the page of its system, and what all seed profiles leave off; the numbers written out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from jupyter_memo import profile
from jupyter_memo.profile import Bands, ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.ranking import abstain, fold, fusion, select, weigh
from jupyter_memo.ranking.stage import Candidates, Context
from jupyter_memo.records import Passage
from jupyter_memo.response import Arm, ArmHit, Candidate
from jupyter_memo.text.plan import QueryPlan

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SEED = profile.get("memtomem")
SEEDS = tuple(map(profile.get, ("memo-mcp", "memtomem")))


def hits(arm: Arm, *ids: str) -> tuple[ArmHit, ...]:
    return tuple(ArmHit(arm=arm, id=id, rank=rank, raw=1.0) for rank, id in enumerate(ids, 1))


def context(chosen: profile.Profile = SEED, limit: int = 10) -> Context:
    return Context(
        query=Query(text="q", limit=limit),
        plan=QueryPlan(text="q", words="q"),
        resolved=ResolvedProfile(
            profile=chosen, model="m", bands=Bands(strong=0.55, moderate=0.42, weak=0.30, floor=0.25)
        ),
        now=NOW,
        arms=frozenset({"keyword", "semantic"}),
    )


def listed(*scores: float, cosine: float = 0.05, text: str = "one two three four five six") -> Candidates:
    """Candidates that nothing but a low cosine found, with one text, a year old."""
    made = []
    for number, score in enumerate(scores):
        fused = fusion.fuse({"semantic": (ArmHit(arm="semantic", id=f"{number}", rank=1, raw=cosine),)}, SEED.fusion)[0]
        passage = Passage(
            id=f"{number}", source_id=f"s{number}", uri=f"s{number}", text=text, kind="note", tokens=6,
            created_at=NOW - timedelta(days=365), recorded_at=NOW,
        )  # fmt: skip
        made.append(
            Candidate(id=f"{number}", votes=fused.votes, fused=score, score=score, relevance=cosine, passage=passage)
        )
    return tuple(made)


def test_the_constants_are_those_of_the_page() -> None:
    weights = {arm: SEED.fusion.weight(arm) for arm in ("keyword", "semantic", "exact", "fact", "entity", "graph")}
    assert {"keyword": 1, "semantic": 1, "exact": 0, "fact": 0, "entity": 0, "graph": 0} == weights
    assert (50, "rrf", 60, 10) == (SEED.depth, SEED.fusion.method, SEED.fusion.k, SEED.page)


def test_rrf_sums_one_over_sixty_plus_rank() -> None:
    lists: dict[Arm, tuple[ArmHit, ...]] = {
        "keyword": hits("keyword", "b", "a"),
        "semantic": hits("semantic", "c", "x", "a"),
    }
    # a: 1/62 + 1/63; b and c: 1/61 (the tie breaks by id); x: 1/62
    expected = {"a": 0.032002048, "b": 0.016393443, "c": 0.016393443, "x": 0.016129032}
    assert expected == {each.id: each.fused for each in fusion.fuse(lists, SEED.fusion)}


def test_nothing_ages() -> None:
    kept, _ = weigh.weigh(listed(0.03, 0.02), context())
    assert [0.03, 0.02] == [each.score for each in kept]


def test_nothing_is_dropped_for_a_low_cosine() -> None:
    kept, facts = abstain.abstain(listed(0.03, 0.02, cosine=-0.2), context())
    assert (2, None) == (len(kept), facts.floor)


def test_the_list_does_not_end_where_the_score_falls() -> None:
    kept, facts = select.cutoff(listed(0.9, 0.8, 0.7, 0.001, 0.0001), context())
    assert (5, None, False) == (len(kept), facts.cutoff, facts.ran)


def test_a_page_holds_ten() -> None:
    page, facts = select.limit(listed(*[0.03] * 12), context(limit=SEED.page))
    assert (10, 2) == (len(page), facts.truncated)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda each: each.name)
def test_what_is_this_products_own_is_off_in_the_seed_profiles(seed: profile.Profile) -> None:
    switches = (seed.reading.plain_negation, seed.reading.variants, seed.mmr.enabled, seed.fold.enabled)
    assert not any(switches)
    assert "rrf" == seed.fusion.method  # where pairs count for nothing, and no page is refused as a whole
    assert abstain.least(context(seed)) is None


@pytest.mark.parametrize("seed", SEEDS, ids=lambda each: each.name)
def test_a_copy_keeps_its_place_in_the_seed_profiles(seed: profile.Profile) -> None:
    kept, facts = fold.fold(listed(0.03, 0.02), context(seed))
    assert (2, False) == (len(kept), facts.ran)


def test_minmax_is_the_seed_profile_but_for_the_method() -> None:
    import dataclasses

    minmax, rrf = profile.get("minmax"), profile.get("rrf")
    same = dataclasses.replace(minmax.fusion, method="rrf")
    assert rrf == dataclasses.replace(minmax, name="rrf", purpose=rrf.purpose, fusion=same)


def test_minmax_gives_an_arm_whose_scores_are_all_the_same_its_whole_weight() -> None:
    fused = fusion.fuse({"keyword": hits("keyword", "a", "b")}, profile.get("minmax").fusion)
    assert {"a": 0.5, "b": 0.5} == {each.id: each.fused for each in fused}
