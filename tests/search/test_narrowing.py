"""The filter that a long list is offered: it shortens the list, keeps the first result, leaves what it says."""

from __future__ import annotations

import dataclasses
import itertools
from datetime import UTC, datetime

import pytest

from jupyter_memo import profile
from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.render import reading
from jupyter_memo.response import NarrowHint, SearchResponse

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ARGUMENTS = {"ns": "namespace", "lib": "library"}
OPEN = profile.override(profile.get("default"), **{"abstain.enabled": False, "cutoff.enabled": False})
SHALLOW = profile.override(OPEN, depth=20)
WORDS = ("weir", "gauge", "probe", "moss", "trout", "eel", "ladder", "wiper", "battery", "level", "rain", "storm")
QUERIES = tuple(f"{one} {other}" for one, other in itertools.pairwise(WORDS))


def ask(memo: Memo, query: str, **options: object) -> SearchResponse:
    return memo.search(query, now=NOW, sync=False, explain=False, **{"profile": OPEN, **options})  # type: ignore[arg-type]


def followed(memo: Memo, response: SearchResponse, **options: object) -> tuple[SearchResponse, SearchResponse]:
    """Both ways to follow a hint: typed, and as an argument."""
    hint, narrowed = response.narrow_hint, reading.narrow(response)
    assert hint is not None
    assert narrowed is not None
    given = {ARGUMENTS.get(hint.field, hint.field): hint.value}
    return (
        ask(memo, f"{response.query} {narrowed[1]}", **{**options, "limit": 100}),
        ask(memo, response.query, **{**options, **given, "limit": 100}),
    )


@pytest.mark.parametrize("granularity", ["passage", pytest.param("document", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "chosen",
    [
        OPEN,
        *(
            pytest.param(profile.override(profile.get(name), **{"cutoff.enabled": False}), marks=pytest.mark.slow)
            for name in ("rrf", "minmax")
        ),
    ],
    ids=lambda each: each.name,
)
def test_of_a_list_that_is_known_to_its_end_the_hint_tells_exactly_what_it_leaves(
    many: Memo, chosen: profile.Profile, granularity: str
) -> None:
    told = 0
    for query in QUERIES:
        options = {"profile": chosen, "granularity": granularity}
        response = ask(many, query, **options)
        if response.narrow_hint is None:
            continue
        told += 1
        assert not response.narrow_hint.at_most
        for found in followed(many, response, **options):
            assert (response.narrow_hint.leaves, response.narrow_hint.of) == (found.total, response.total)
            assert response[0].passage.id in [each.passage.id for each in found]
    assert told > len(QUERIES) / 2


def test_where_the_scores_end_the_list_the_hint_counts_what_is_listed(many: Memo) -> None:
    ends = {"cutoff.enabled": True, "cutoff.gap": 0.1, "cutoff.min_results": 8}
    chosen = profile.override(profile.get("default"), **ends)
    cut = 0
    for query in QUERIES:
        response = ask(many, query, profile=chosen, limit=5)
        hint = response.narrow_hint
        if hint is None:
            continue
        for found in followed(many, response, profile=chosen):
            cut += found.trace.cutoff is not None
            assert response.total == hint.of
            assert found.total <= hint.leaves if hint.at_most else found.total == hint.leaves
    assert cut


def test_where_ranks_would_move_up_it_tells_the_most_that_it_can_leave(many: Memo) -> None:
    chosen = profile.override(profile.get("rrf"), **{"cutoff.enabled": True, "cutoff.gap": 0.5})
    told = 0
    for query in QUERIES:
        response = ask(many, query, profile=chosen, limit=5)
        if response.narrow_hint is None:
            continue
        told += 1
        assert response.narrow_hint.at_most
        assert response.total == response.narrow_hint.of
        for found in followed(many, response, profile=chosen):
            assert found.total <= response.narrow_hint.leaves
    assert told


def test_where_an_arm_was_full_it_tells_the_most_that_it_can_leave(many: Memo) -> None:
    told = []
    for query in QUERIES:
        response = ask(many, query, profile=SHALLOW)
        assert "page" == response.total_mode
        if response.narrow_hint is None:
            continue
        told.append(response.narrow_hint.at_most)
        for found in followed(many, response, profile=SHALLOW):
            assert found.total <= response.narrow_hint.leaves < response.total
            assert response[0].passage.id in [each.passage.id for each in found]
    assert True in told


@pytest.mark.parametrize("query", ["kind:note", "since:2025", '-"storm storm storm" since:2025'])
@pytest.mark.parametrize("granularity", ["passage", "document"])
def test_a_list_by_date_is_narrowed_too(many: Memo, query: str, granularity: str) -> None:
    response = ask(many, query, granularity=granularity)
    hint = response.narrow_hint
    assert hint is not None
    assert {(hint.leaves, response[0].passage.id)} == {
        (found.total, found[0].passage.id) for found in followed(many, response, granularity=granularity)
    }


def test_a_list_that_fits_its_page_is_offered_none(many: Memo) -> None:
    response = ask(many, "weir gauge", limit=100)
    assert response.narrow_hint is None


def test_no_field_is_offered_that_the_query_has_already(many: Memo) -> None:
    hint = ask(many, "weir gauge kind:note", namespace="").narrow_hint
    assert hint is not None
    assert hint.field not in ("kind", "ns")


@pytest.mark.parametrize("query", ['weir "gauge', "weir NOT", "weir kind:"])
def test_a_filter_that_would_be_read_as_something_else_behind_the_query_is_not_offered(many: Memo, query: str) -> None:
    response = ask(many, query)
    if response.narrow_hint is not None:
        typed, given = followed(many, response)
        assert (response.narrow_hint.leaves, response.narrow_hint.leaves) == (typed.total, given.total)


def test_names_with_blanks_are_typed_in_quotes_and_others_left_alone(
    tmp_path_factory: pytest.TempPathFactory, embedder: Embedder
) -> None:
    records = [
        {
            "id": f"{'field notes' if number < 6 else 'lab'}/{number}",
            "text": f"the probe {number} reads {'x ' * number}",
        }
        for number in range(12)
    ]
    with Memo.open(tmp_path_factory.mktemp("blanks") / ".memo", embedder=embedder) as memo:
        memo.add(records)
        response = ask(memo, "probe 3 reads", limit=4)
        assert NarrowHint(field="source", value="field notes/", leaves=6, of=12) == response.narrow_hint
        assert ("To shorten the list: ", 'source:"field notes/"', " would leave 6 of 12.") == reading.narrow(response)
        assert {6} == {found.total for found in followed(memo, response)}


def test_at_most_is_said_in_words(many: Memo) -> None:
    response = ask(many, "weir gauge")
    hint = NarrowHint(field="source", value="a/", leaves=7, of=90, at_most=True)
    narrowed = reading.narrow(dataclasses.replace(response, narrow_hint=hint))
    assert ("To shorten the list: ", "source:a/", " would leave at most 7 of 90.") == narrowed


def test_behind_a_text_that_is_compared_no_filter_is_offered(many: Memo) -> None:
    assert many.similar("the gauge at the weir " * 9, now=NOW, profile=OPEN, limit=3).narrow_hint is None
