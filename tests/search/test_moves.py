"""Two profiles on one question: the moves add up, and every cause is seen in fresh searches."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jupyter_memo import own_profiles
from jupyter_memo.comparison import Comparison, Move
from jupyter_memo.engine import Memo
from jupyter_memo.errors import ProfileError, QueryError
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.profile import PROFILES, Profile
from jupyter_memo.search import moves

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
WORDS = ("probe", "drift", "weir", "storm", "wiper", "valley", "kite", "sensor", "log", "offset", "spring", "stage")
KINDS = ("note", "document", "code", "conversation")
QUERIES = ("why does the sensor ERR_STALE log after the storm", "kite -weir", "wiper without drift")
PAIRS = (
    ("default", "rrf"),
    ("default", "memtomem"),
    ("memo-mcp", "memtomem"),
    ("rrf", "minmax"),
    ("rrf", "recency"),
    ("keyword-only", "semantic-only"),
    ("code", "default"),
)


def records() -> list[dict[str, object]]:
    """Sixty texts of few words each, of every kind and age, some of them copies, so that every rule has work."""
    made: list[dict[str, object]] = []
    for number in range(60):
        held = [WORDS[(number * step + step) % len(WORDS)] for step in (1, 3, 5, 7)[: 2 + number % 3]]
        text = f"The {' and the '.join(held)} in week {number % 9}." + (" ERR_STALE" if number % 11 == 0 else "")
        if number % 10 == 9:
            text = str(made[-1]["text"])
        made.append(
            {
                "id": f"n{number}",
                "text": text,
                "kind": KINDS[number % 4],
                "created_at": NOW - timedelta(days=number * 13 % 400),
            }
        )
    return made


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("moves") / ".memo", embedder=embedder) as memo:
        memo.add(records())
        yield memo


@functools.cache
def compared(memo: Memo, query: str, a: str, b: str) -> Comparison:
    return memo.compare(query, a, b, limit=8, now=NOW)


@functools.cache
def fresh(memo: Memo, query: str, chosen: str | Profile) -> dict[str, int]:
    """The whole list of a search by itself: id and rank."""
    found = memo.search(query, profile=chosen, limit=100, now=NOW, sync=False)
    return {result.passage.id: result.rank for result in found}


def kind_of(id: str, before: dict[str, int], after: dict[str, int], limit: int = 8) -> str:
    one, other = before.get(id, 999), after.get(id, 999)
    if one > limit or other > limit:
        return "entered" if one > limit else "left"
    return "same" if one == other else "up" if other < one else "down"


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_compared_with_itself_shows_nothing(kept: Memo, name: str) -> None:
    told = compared(kept, "kite -weir", name, name)
    assert told.same
    assert ((), 1.0) == (told.differences, told.correlation)
    assert all(move.cause is None and not move.steps for move in told.moves)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_both_lists_are_those_of_two_searches(kept: Memo, a: str, b: str) -> None:
    for query in QUERIES:
        told = compared(kept, query, a, b)
        for name, rank in ((a, "rank_a"), (b, "rank_b")):
            listed = {id: at for id, at in fresh(kept, query, name).items() if at <= 8}
            ranks = {move.id: getattr(move, rank) for move in told.moves}
            assert listed == {id: at for id, at in ranks.items() if at is not None and at <= 8}
        assert (a, b) == (told.a.profile, told.b.profile)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_moves_add_up(kept: Memo, a: str, b: str) -> None:
    for query in QUERIES:
        told = compared(kept, query, a, b)
        counts = told.counts
        both = counts["same"] + counts["up"] + counts["down"]
        assert min(told.a.limit, told.a.listed) == both + counts["left"]
        assert min(told.b.limit, told.b.listed) == both + counts["entered"]
        shared = [move for move in told.moves if move.kind in ("same", "up", "down")]
        ranks = sum((move.rank_a or 0) - (move.rank_b or 0) for move in shared)
        assert ranks == sum(move.places for move in shared)
        for move in told.moves:
            ends = [rank for step in move.steps for rank in (step.before, step.after)]
            assert [move.rank_a, move.rank_b] == ([ends[0], ends[-1]] if ends else [move.rank_a] * 2)
            assert ends[1:-1:2] == ends[2::2]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_every_cause_is_seen_when_only_its_constants_change(kept: Memo, a: str, b: str) -> None:
    one, other = PROFILES[a], PROFILES[b]

    def listed(query: str, groups: tuple[str, ...]) -> dict[str, int]:
        return fresh(kept, query, moves.mixed(one, other, groups))

    groups = tuple(moves.grouped(one, other))
    seen = 0
    for query in QUERIES:
        for move in compared(kept, query, a, b).moves:
            if move.kind == "same":
                continue
            assert move.cause is not None
            group, seen = move.cause.group, seen + 1
            assert group in groups
            if move.cause.alone:
                assert move.kind == kind_of(move.id, listed(query, ()), listed(query, (group,)))
            else:
                at = groups.index(group)
                before, after = listed(query, groups[:at]), listed(query, groups[: at + 1])
                gained = before.get(move.id, 101) - after.get(move.id, 101)
                assert (gained > 0) == (move.kind in ("up", "entered"))
                assert gained
    assert seen


@pytest.mark.parametrize(
    ("base", "changes", "group"),
    [
        ("rrf", {"recency.floor": 0.2, "recency.half_life_days": 20.0}, "recency"),
        ("rrf", {"fusion.keyword": 0.1}, "fusion"),
        ("rrf", {"fusion.semantic": 0.0}, "arms"),
        ("rrf", {"depth": 4}, "depth"),
        ("rrf", {"cutoff.gap": 0.03}, "cutoff"),
        ("rrf", {"page": 3}, "page"),
        ("default", {"reading.plain_negation": False}, "reading"),
        ("default", {"fusion.balance": 0.9}, "fusion"),
        ("default", {"mmr.enabled": True, "mmr.lambda_": 0.3}, "mmr"),
        ("default", {"fold.enabled": False}, "fold"),
    ],
)
def test_where_one_group_differs_it_is_the_cause_of_every_move(
    kept: Memo, base: str, changes: dict[str, object], group: str
) -> None:
    other = own_profiles.changed(PROFILES[base], changes, name="other")
    seen = 0
    for query in QUERIES:
        told = kept.compare(query, base, other, now=NOW)
        for move in told.moves:
            if move.cause is not None:
                seen += 1
                assert (group, True) == (move.cause.group, move.cause.alone)
                assert move.cause.sentence
    assert seen


def told_of(memo: Memo, query: str, a: str, changes: dict[str, object], wanted: str) -> tuple[Move, ...]:
    other = own_profiles.changed(PROFILES[a], changes, name="other")
    return tuple(move for move in memo.compare(query, a, other, now=NOW).moves if move.kind == wanted)


def test_a_cause_by_age_names_the_age_and_both_factors(kept: Memo) -> None:
    change: dict[str, object] = {"recency.floor": 0.2}
    notes = [
        move.cause.sentence
        for query in QUERIES
        for kind in ("down", "left")
        for move in told_of(kept, query, "rrf", change, kind)
        if move.cause
    ]
    assert any("days old, note: ×" in each and " instead of ×" in each for each in notes)


def test_a_cause_by_an_arm_names_the_rank_that_is_gone(kept: Memo) -> None:
    told = told_of(kept, QUERIES[0], "rrf", {"fusion.semantic": 0.0}, "left")
    assert any(
        move.cause and re.fullmatch(r"semantic, where it stood \d+th, no longer runs", move.cause.sentence)
        for move in told
    )


def test_a_cause_by_the_cutoff_names_the_drop(kept: Memo) -> None:
    told = told_of(kept, "probe drift", "rrf", {"cutoff.gap": 0.03}, "left")
    assert told
    assert all(move.cause and "the list ends after" in move.cause.sentence for move in told)


def test_a_cause_by_folding_names_what_it_says_the_same_as(kept: Memo) -> None:
    sentences = [
        move.cause.sentence
        for query in QUERIES
        for move in told_of(kept, query, "default", {"fold.enabled": False}, "entered")
        if move.cause
    ]
    assert any("it says the same as the" in each for each in sentences)


def test_two_profiles_whose_lists_are_alike_have_their_differences_told(kept: Memo) -> None:
    other = own_profiles.changed(PROFILES["rrf"], {"fusion.k": 61}, name="other")
    told = kept.compare("kite", "rrf", other, now=NOW)
    assert [("fusion", "fusion.k", "60", "61")] == [
        (each.group, each.constant, each.a, each.b) for each in told.differences
    ]


def test_the_page_of_each_profile_counts_where_no_limit_is_given(kept: Memo) -> None:
    other = own_profiles.changed(PROFILES["rrf"], {"page": 3}, name="other")
    told = kept.compare("probe drift", "rrf", other, now=NOW)
    assert (10, 3) == (told.a.limit, told.b.limit)
    assert {"same": 3, "up": 0, "down": 0, "entered": 0, "left": 7} == told.counts
    assert all(move.rank_a == move.rank_b for move in told.moves)


def test_documents_are_compared_by_their_best_passages(kept: Memo) -> None:
    told = kept.compare("probe drift", "rrf", "semantic-only", granularity="document", now=NOW)
    assert all(move.id.startswith("n") for move in told.moves)
    assert len({move.id for move in told.moves}) == len(told.moves)


def test_both_lists_are_of_one_state_of_the_index(tmp_path: Path, embedder: Embedder) -> None:
    with Memo.open(tmp_path / ".memo", embedder=embedder) as memo:
        memo.add(records()[:20])
        real = memo._reader.search
        versions = []

        async def search(*given: object, **named: object) -> object:
            found = await real(*given, **named)  # type: ignore[arg-type]
            versions.append((found.trace.index_version, found.now))
            await memo._writer.add([{"text": f"probe drift {len(versions)}"}], _options(), False, None)
            return found

        memo._reader.search = search  # type: ignore[method-assign, assignment]
        memo.compare("probe drift", "default", "memtomem")
        assert 2 < len(versions)
        assert 1 == len(set(versions))


def _options() -> object:
    from jupyter_memo.ingest.prepare import Options

    return Options(namespace=None, kind=None, tags=(), library=None, version=None, trust=None, allow_secrets=None)


def test_a_filter_alone_has_one_order_and_no_arms(kept: Memo) -> None:
    told = compared(kept, "kind:note", "default", "memtomem")
    assert told.same
    assert ((), "none") == (told.a.arms, told.a.scale)


@pytest.mark.parametrize("name", ["offset", "max_tokens"])
def test_lists_are_compared_from_their_beginning_and_whole(kept: Memo, name: str) -> None:
    with pytest.raises(QueryError, match=f"Leave {name} out"):
        kept.compare("kite", "default", "rrf", **{name: 5})


def test_an_unknown_profile_is_told_with_the_nearest(kept: Memo) -> None:
    with pytest.raises(ProfileError, match="Did you mean rrf"):
        kept.compare("kite", "default", "rff")


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(1, 1), (2, 2), (3, 3)], 1.0),
        ([(1, 3), (2, 2), (3, 1)], -1.0),
        # five of the six pairs stand in the same order
        ([(1, 1), (2, 2), (3, 4), (4, 3)], 4 / 6),
        ([(1, 1)], None),
    ],
)
def test_the_correlation_is_kendalls(pairs: list[tuple[int, int]], expected: float | None) -> None:
    assert (None if expected is None else pytest.approx(expected)) == moves.tau(pairs)


def test_a_profile_mixed_of_all_groups_has_the_constants_of_the_other() -> None:
    for a, b in itertools.permutations(PROFILES.values(), 2):
        whole = moves.mixed(a, b, tuple(moves.grouped(a, b)))
        assert {} == own_profiles.differences(whole, b)
