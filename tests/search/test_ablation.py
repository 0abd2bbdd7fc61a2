"""Ablation: the ranks it tells are those of fresh searches without the arm."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.response import SearchResponse

TEXTS = [
    {"id": f"n{number}", "text": text}
    for number, text in enumerate(
        (
            "The probe drifts; see ERR_SENSOR_STALE in the log.",
            "Probes were changed in spring, and ERR_SENSOR_STALE went away.",
            "Drift of two units a month, by the wiper.",
            "A stale sensor is one that was not read for an hour.",
            "The weir overflows after rain.",
            "ERR_SENSOR_STALE means that nothing came from the probe.",
        )
    )
]
QUERY = "probe drift ERR_SENSOR_STALE"


@pytest.fixture(params=["rrf", "minmax", "default"])
def found(request: pytest.FixtureRequest, memo: Memo) -> SearchResponse:
    memo.add(TEXTS)
    return memo.search(QUERY, profile=request.param)


def rank(memo: Memo, found: SearchResponse, id: str, *arms: str) -> int | None:
    """The rank in a fresh search in which these arms have weight 0."""
    without = profiles.override(profiles.get(found.trace.profile), **{f"fusion.{arm}": 0.0 for arm in arms})
    fresh = memo.search(QUERY, profile=without, now=found.now, limit=100)
    return next((each.rank for each in fresh if each.passage.id == id), None)


def test_ranks_without_an_arm_equal_fresh_queries_without_it(memo: Memo, found: SearchResponse) -> None:
    ran = [trace.arm for trace in found.trace.arms if trace.ran]
    assert ["keyword", "exact", "semantic"] == ran
    for result in found:
        told = memo.explain(found, result.rank)
        assert told.same
        assert {arm: rank(memo, found, result.passage.id, arm) for arm in ran} == {
            each.arm: each.rank for each in told.without
        }


def test_the_smallest_set_of_arms_keeps_it_on_its_page_and_no_smaller_one_does(
    memo: Memo, found: SearchResponse
) -> None:
    ran = [trace.arm for trace in found.trace.arms if trace.ran]

    def kept(arms: tuple[str, ...], id: str) -> bool:
        stands = rank(memo, found, id, *(arm for arm in ran if arm not in arms)) if arms else None
        return stands is not None and stands <= found.offset + found.limit

    for result in found:
        enough = memo.explain(found, result.rank).enough
        assert kept(enough, result.passage.id) or tuple(ran) == enough
        smaller = [some for size in range(1, len(enough)) for some in itertools.combinations(ran, size)]
        assert [] == [some for some in smaller if kept(some, result.passage.id)]


def test_the_scope_of_the_list_holds_in_every_search(memo: Memo) -> None:
    memo.add([{**each, "namespace": "a" if number % 2 else "b"} for number, each in enumerate(TEXTS)])
    found = memo.search("probe drift", profile="rrf", namespace="a", limit=2)
    told = memo.explain(found, 1)
    assert told.same
    assert ("a",) == told.response.scope.namespaces
    assert all(each.rank is None or each.rank <= 3 for each in told.without)


def test_the_state_of_the_index_is_that_of_the_list(memo: Memo) -> None:
    memo.add(TEXTS)
    found = memo.search("probe drift", profile="rrf")
    before = memo.explain(found, 1)
    memo.add([{"id": f"new{n}", "text": "probe drift probe drift"} for n in range(5)])
    assert before == memo.explain(found, 1)


def test_a_list_that_cannot_be_made_again_says_so(memo: Memo) -> None:
    memo.add(TEXTS)
    found = memo.search("probe drift", profile="rrf")
    turned = replace(found, results=tuple(reversed(found.results)))
    assert not memo.explain(turned, 1).same


def test_a_rank_that_is_not_on_the_page_is_an_error(memo: Memo) -> None:
    memo.add(TEXTS)
    with pytest.raises(QueryError, match="ranks 1 to"):
        memo.explain(memo.search("probe drift", profile="rrf"), 99)


def test_one_arm_alone_is_enough_and_without_it_nothing_is_found(memo: Memo) -> None:
    memo.add(TEXTS)
    told = memo.explain(memo.search("probe", profile="rrf", mode="keyword"), 1)
    assert (("keyword",), [("keyword", None)]) == (told.enough, [(each.arm, each.rank) for each in told.without])


def test_a_document_is_followed_whichever_of_its_passages_is_its_best(memo: Memo) -> None:
    filler = "filler " * 250
    memo.add([{"id": "long", "text": f"ERR_SENSOR_STALE. {filler}\n\nprobe drift probe drift. {filler}"}])
    bests = {
        arm: memo.search(
            QUERY, granularity="document", profile=profiles.override(profiles.get("rrf"), **{f"fusion.{arm}": 0.0})
        )
        .results[0]
        .passage.id
        for arm in ("keyword", "exact", "semantic")
    }
    found = memo.search(QUERY, granularity="document", profile="rrf")
    assert {found.results[0].passage.id} < set(bests.values())
    assert [1, 1, 1] == [each.rank for each in memo.explain(found, 1).without]
