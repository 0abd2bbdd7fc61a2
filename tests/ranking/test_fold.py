"""Near-duplicates folded, as a pure stage."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from jupyter_memo import profile
from jupyter_memo.errors import ProfileError
from jupyter_memo.profile import GENERIC_BANDS, ResolvedProfile
from jupyter_memo.query import Query
from jupyter_memo.ranking.fold import fold
from jupyter_memo.ranking.stage import Candidates, Context, order
from jupyter_memo.records import Passage
from jupyter_memo.response import Candidate
from jupyter_memo.text.plan import plan

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WEIR = (
    "The gauge at the weir is read by hand once a week and the level is written into the book with the hour of the "
    "reading; the wiper of the probe is cleaned on the same day with fresh water and a soft cloth, and the battery is "
    "changed when its voltage falls below {volts} at the terminal."
)
MOSS = "Moss grows on the north side of the wall and holds the water of the spring for many days after the rain."
SAME = np.array([1.0, 0.0], np.float32)
NEAR = np.array([0.95, 0.31225], np.float32)


def candidate(id: str, score: float, text: str, uri: str = "", header: tuple[str, ...] = ()) -> Candidate:
    passage = Passage(
        id=id, source_id=id, uri=uri or f"{id}.md", text=text, header=header, created_at=NOW, recorded_at=NOW
    )
    return Candidate(id=id, votes=(), fused=score, score=score, passage=passage)


def context(query: str = "gauge", vectors: Mapping[str, np.ndarray] | None = None, **constants: object) -> Context:
    chosen = profile.override(profile.get("default"), **constants)
    resolved = ResolvedProfile(profile=chosen, model="m", bands=GENERIC_BANDS)
    return Context(
        query=Query(text=query), plan=plan(query, now=NOW), resolved=resolved, now=NOW, vectors=vectors or {}
    )


def shape(candidates: Candidates) -> list[tuple[str, list[str]]]:
    return [(each.id, [below.id for below in each.folded]) for each in candidates]


TWO = (candidate("a", 0.9, WEIR.format(volts="11.8")), candidate("b", 0.8, WEIR.format(volts="11.2")))
THREE = (TWO[0], candidate("m", 0.85, MOSS), TWO[1])


def test_a_copy_stands_below_the_best_of_them_and_takes_no_place() -> None:
    after, facts = fold(THREE, context())
    assert [("a", ["b"]), ("m", [])] == shape(after)
    assert ("1 say the same as 1 above them", True) == (facts.note, facts.ran)


def test_what_is_folded_keeps_its_place_in_the_file_its_score_and_how_alike_it_is() -> None:
    below = fold(THREE, context())[0][0].folded[0]
    assert ("b.md", "b.md", 0.8) == (below.uri, below.title, below.score)
    assert 0.85 < below.likeness < 1


def test_what_is_folded_keeps_its_surface_for_what_is_no_file_cannot_be_opened() -> None:
    passage = TWO[1].passage
    assert passage is not None
    record = dataclasses.replace(TWO[1], passage=dataclasses.replace(passage, surface="memory"))
    surfaces = [fold((TWO[0], each), context())[0][0].folded[0].surface for each in (TWO[1], record)]
    assert ["file", "memory"] == surfaces


def test_the_words_that_only_the_folded_one_holds_are_named() -> None:
    assert ("11.2",) == fold(THREE, context())[0][0].folded[0].own


def test_two_versions_that_differ_in_a_number_stay_apart_where_it_is_asked_for() -> None:
    assert [("a", []), ("m", []), ("b", [])] == shape(fold(THREE, context("voltage 11.2"))[0])
    # Asked for what the one above holds, the other has nothing of its own to say.
    assert [("a", ["b"]), ("m", [])] == shape(fold(THREE, context("voltage 11.8"))[0])


@pytest.mark.parametrize(
    ("query", "changed"),
    [
        ("PROBE-17 wiper", "the wiper of PROBE-17 is"),
        ('"wiper of brass"', "the wiper of brass is"),
        ("titanium", "the wiper of titanium is"),
        ("探针", "the wiper of the 探针 is"),
        ("df.groupby", "the wiper of df.groupby is"),
        ('why is the "wiper of brass" so often broken', "the wiper of brass is"),
    ],
)
def test_what_the_exact_terms_of_a_query_single_out_is_never_folded(query: str, changed: str) -> None:
    text = WEIR.format(volts="11.8").replace("the wiper of the probe is", changed)
    pair = (candidate("a", 0.9, WEIR.format(volts="11.8")), candidate("b", 0.8, text))
    vectors = {"a": SAME, "b": SAME}
    assert [("a", ["b"])] == shape(fold(pair, context(vectors=vectors))[0])
    assert [("a", []), ("b", [])] == shape(fold(pair, context(query, vectors))[0])


def test_a_path_that_is_asked_for_singles_out_too() -> None:
    text = WEIR.format(volts="11.8")
    pair = (candidate("a", 0.9, text, "notes/weir.md"), candidate("b", 0.8, text, "archive/weir-copy1.md"))
    assert [("a", ["b"])] == shape(fold(pair, context())[0])
    assert [("a", []), ("b", [])] == shape(fold(pair, context("gauge archive"))[0])


def test_every_copy_is_compared_with_what_stays_so_that_no_chain_leads_away() -> None:
    words = [f"w{number}" for number in range(60)]
    texts = [" ".join([*(f"x{at}" for at in range(4 * step)), *words[4 * step :]]) for step in range(4)]
    chain = tuple(candidate(f"{step}", 1 - step / 10, text) for step, text in enumerate(texts))
    after = shape(fold(chain, context("w59", **{"fold.words": 0.6, "fold.words_alone": 0.8}))[0])
    assert [("0", ["1"]), ("2", ["3"])] == after


def test_of_two_it_is_like_it_stands_below_the_more_alike() -> None:
    base = WEIR.format(volts="11.8")
    third = base.replace("by hand once", "by eye twice")
    candidates = (candidate("a", 0.9, third), candidate("b", 0.8, base + " Extra."), candidate("c", 0.7, base))
    constants = {"fold.words_alone": 0.93, "fold.words": 0.9}
    assert [("a", []), ("b", ["c"])] == shape(fold(candidates, context(**constants))[0])


def test_headings_are_a_part_of_what_is_compared() -> None:
    pair = (
        candidate("a", 0.9, "lr 0.1, 20 epochs", header=("Runs", "Run A")),
        candidate("b", 0.8, "lr 0.1, 20 epochs", header=("Runs", "Run B")),
    )
    assert [("a", []), ("b", [])] == shape(fold(pair, context("epochs"))[0])


@pytest.mark.parametrize(
    ("vectors", "folded"),
    [({"a": SAME, "b": SAME}, True), ({"a": SAME, "b": NEAR}, False), ({"a": SAME}, True), ({}, True)],
)
def test_where_both_have_vectors_these_must_agree(vectors: dict[str, np.ndarray], folded: bool) -> None:
    assert folded == (1 == len(fold(TWO, context(vectors=vectors))[0]))


def test_with_less_in_common_the_vectors_decide() -> None:
    other = WEIR.format(volts="11.8").replace("once a week", "twice each month").replace("soft cloth", "sponge")
    pair = (TWO[0], candidate("b", 0.8, other))
    assert 2 == len(fold(pair, context())[0])
    assert 1 == len(fold(pair, context(vectors={"a": SAME, "b": SAME}))[0])


def test_off_is_the_very_same_list_and_says_so() -> None:
    after, facts = fold(THREE, context(**{"fold.enabled": False}))
    assert after is THREE
    assert (False, "off in profile default (fold.enabled)") == (facts.ran, facts.note)


def test_beyond_the_pool_nothing_is_folded() -> None:
    assert [("a", []), ("m", []), ("b", [])] == shape(fold(THREE, context(**{"fold.pool": 2}))[0])


def test_seeds_of_other_systems_do_not_fold() -> None:
    assert not any(profile.get(name).fold.enabled for name in ("memo-mcp", "memtomem"))


@pytest.mark.parametrize(
    "constants",
    [{"fold.words": 0.0}, {"fold.words": 0.95}, {"fold.words_alone": 1.1}, {"fold.cosine": 2}, {"fold.pool": 0}],
)
def test_constants_out_of_range_are_refused(constants: dict[str, object]) -> None:
    with pytest.raises(ProfileError, match="fold"):
        context(**constants)


TEXTS = some.sampled_from([WEIR.format(volts="11.8"), WEIR.format(volts="11.2"), MOSS, MOSS + " It is green.", "", "?"])


@settings(deadline=None)
@given(
    some.lists(some.tuples(some.sampled_from([0.2, 0.5, 0.9]), TEXTS), max_size=9), some.sampled_from(["gauge", "11.2"])
)
def test_nothing_is_lost_the_order_stays_and_twice_is_once(drawn: list[tuple[float, str]], query: str) -> None:
    candidates = order(tuple(candidate(f"{at}", score, text) for at, (score, text) in enumerate(drawn)))
    after, _ = fold(candidates, context(query))
    stays = [each.id for each in after]
    below = [folded.id for each in after for folded in each.folded]
    assert sorted(each.id for each in candidates) == sorted((*stays, *below))
    assert stays == [each.id for each in candidates if each.id in stays]
    assert candidates[:1] == after[:1] or after[0].folded
    assert stays == [each.id for each in fold(after, context(query))[0]]


@settings(deadline=None)
@given(some.lists(some.tuples(some.sampled_from([0.2, 0.5, 0.9]), TEXTS), max_size=9), some.integers(0, 9))
def test_a_longer_list_begins_as_the_shorter_one(drawn: list[tuple[float, str]], length: int) -> None:
    candidates = order(tuple(candidate(f"{at}", score, text) for at, (score, text) in enumerate(drawn)))
    shorter = [each.id for each in fold(candidates[:length], context())[0]]
    assert shorter == [each.id for each in fold(candidates, context())[0]][: len(shorter)]


def test_what_was_folded_before_stays_with_what_it_is_folded_below() -> None:
    first, _ = fold((TWO[0], candidate("c", 0.5, TWO[0].passage.text if TWO[0].passage else "")), context())
    second, _ = fold((candidate("z", 0.95, TWO[0].passage.text if TWO[0].passage else ""), *first), context())
    assert [("z", ["a", "c"])] == shape(second)
