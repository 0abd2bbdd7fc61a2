"""Pages of every kind of list: together they are the whole list, and the totals on them are true."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from jupyter_memo import profile
from jupyter_memo.engine import Memo
from jupyter_memo.profile import Profile
from jupyter_memo.response import SearchResponse

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


PROFILES: tuple[Profile, ...] = (
    *profile.PROFILES.values(),
    profile.override(profile.get("default"), **{"mmr.enabled": True, "cutoff.enabled": False}),
    profile.override(profile.get("default"), **{"cutoff.gap": 0.1, "abstain.enabled": False}),
    profile.override(profile.get("rrf"), depth=20, **{"fold.pool": 10, "cutoff.enabled": False}),
)
QUERIES = (
    "weir gauge",
    "moss",
    "“trout eel”",
    'probe -"rain rain"',
    "",
    "kind:note",
    '-"storm storm" kind:paper',
    "zebra",
    "weir ns:field",
)


def search(memo: Memo, query: str, **options: object) -> SearchResponse:
    scope = {} if query else {"since": "2025"}
    return memo.search(query, now=NOW, sync=False, explain=False, **scope, **options)  # type: ignore[arg-type]


def ids(response: SearchResponse) -> list[str]:
    return [result.passage.id for result in response]


def pages(memo: Memo, query: str, limit: int, **options: object) -> list[SearchResponse]:
    found: list[SearchResponse] = []
    while True:
        offset = sum(map(len, found))
        found.append(search(memo, query, limit=limit, offset=offset, **options))
        if not found[-1].truncated:
            return found
        assert len(found[-1])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=some.sampled_from(QUERIES),
    chosen=some.sampled_from(PROFILES),
    granularity=some.sampled_from(["passage", "document"]),
    limit=some.integers(9, 60),
    mode=some.sampled_from(["auto", "auto", "keyword", "semantic", "exact"]),
    max_tokens=some.sampled_from([None, None, 200]),
)
def test_pages_together_are_the_whole_list(
    many: Memo,
    query: str,
    chosen: Profile,
    granularity: str,
    limit: int,
    mode: str,
    max_tokens: int | None,
) -> None:
    options = {"profile": chosen, "granularity": granularity, "mode": mode}
    whole = [id for page in pages(many, query, 100, **options) for id in ids(page)]
    assert len(whole) == len(set(whole))
    found = pages(many, query, limit, max_tokens=max_tokens, **options)
    assert whole == [id for page in found for id in ids(page)]
    first = found[0]
    for page in found:
        assert (first.total, first.total_mode) == (page.total, page.total_mode)
        assert list(range(page.offset + 1, page.offset + len(page) + 1)) == [result.rank for result in page]
    assert [len(whole) - page.offset - len(page) for page in found] == [page.truncated for page in found]
    assert len(whole) == first.total
    if first.mode_effective == "filter_only":
        assert "exact" == first.total_mode


def test_a_page_beyond_the_end_is_empty_and_says_how_long_the_list_is(many: Memo) -> None:
    whole = sum(map(len, pages(many, "moss", 100)))
    response = search(many, "moss", offset=whole)
    assert (0, 0) == (len(response), response.truncated)
    assert f"The list has {whole} results, as many as the offset {whole}." == response.reason
    assert f"The list has {whole} results, fewer than the offset 500." == search(many, "moss", offset=500).reason


def test_a_total_is_exact_where_no_arm_was_full_and_a_least_number_where_one_was(many: Memo) -> None:
    deep = profile.override(profile.get("default"), depth=200, **{"abstain.enabled": False})
    shallow = profile.override(deep, depth=50)
    exact, page = (search(many, "weir gauge", profile=each) for each in (deep, shallow))
    assert ("exact", "page") == (exact.total_mode, page.total_mode)
    assert exact.total > page.total


def test_an_arm_that_brought_all_of_the_scope_was_not_cut_short(many: Memo) -> None:
    in_scope = search(many, "ns:field").total
    exactly = profile.override(profile.get("default"), depth=in_scope)
    assert "exact" == search(many, "weir gauge ns:field", profile=exactly).total_mode
    assert "page" == search(many, "weir gauge", profile=exactly).total_mode


@pytest.mark.parametrize("query", ["kind:note", "-storm kind:note", "ns:agent:log"])
@pytest.mark.parametrize("granularity", ["passage", "document"])
def test_a_list_by_date_counts_all_there_is(many: Memo, query: str, granularity: str) -> None:
    found = pages(many, query, 9, granularity=granularity)
    times = [result.passage.created_at for page in found for result in page]
    assert sorted(times, reverse=True) == times
    assert {(len(times), "exact", "none", "filter_only")} == {
        (page.total, page.total_mode, page.score_scale, page.mode_effective) for page in found
    }
