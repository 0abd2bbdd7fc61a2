"""The steps of a search in order, and those that did not occur, by name and with the reason.

The first part is the classroom exercise "Trace a degraded query" on a folder on disk: a file is modified, the query's
embedding then fails, diversity stays at its default.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from jupyter_memo import profile, wire
from jupyter_memo.engine import Memo
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.render import html, reading, text
from jupyter_memo.response import SearchResponse, StageTrace, Synced
from jupyter_memo.search.clock import Clock

BEFORE = "# Weir\n\nThe gauge at the weir is read by hand once a week.\n"
AFTER = "# Weir\n\nThe gauge at the weir reports by telemetry every ten minutes.\n"
OTHER = "# Moss\n\nMoss grows on the north side of the weir wall.\n"

EXTRACTED = ("fact, entity and graph", "nothing of that kind is extracted by this version")
UNNAMED = ("exact", "no identifier in the query")
DIVERSIFY = ("diversify", "off in profile default (mmr.enabled)")


class Faltering(HashEmbedder):
    """A model that stops answering questions, while passages still go through."""

    falters = threading.Event()

    def encode_queries(self, texts: list[str]) -> Any:
        if self.falters.is_set():
            raise ConnectionError("the model does not answer")
        return super().encode_queries(texts)


@pytest.fixture(scope="module")
def exercise(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchResponse]:
    folder = tmp_path_factory.mktemp("exercise")
    notes = folder / "notes"
    notes.mkdir()
    (notes / "weir.md").write_text(BEFORE, encoding="utf-8")
    (notes / "moss.md").write_text(OTHER, encoding="utf-8")
    model = Faltering()
    with Memo.open(folder / ".memo", embedder=model) as memo:
        memo.index(notes)
        (notes / "weir.md").write_text(AFTER, encoding="utf-8")
        assert 0 == len(memo.search("telemetry", mode="keyword", sync=False))
        model.falters.set()
        yield memo.search("telemetry at the weir")


def names(response: SearchResponse) -> list[str]:
    return [step.name for step in reading.steps(response)]


def step(response: SearchResponse, name: str) -> StageTrace:
    return next(stage for stage in response.trace.stages if stage.stage == name)


def test_index_update_candidates_weighting_and_truncation_come_in_order(exercise: SearchResponse) -> None:
    told = ["sync", "plan", "scope", "keyword", "semantic", "fetch", "fusion", "weigh", "cutoff", "diversify", "limit"]
    assert told == [name for name in names(exercise) if name in told]


def test_no_step_began_before_the_one_above_it_ended(exercise: SearchResponse) -> None:
    stages = [stage for stage in exercise.trace.stages if stage.ran]
    for before, after in pairwise(stages):
        assert before.start_ms + before.ms <= after.start_ms + 1e-6
    assert stages[-1].start_ms + stages[-1].ms <= exercise.trace.total_ms
    assert all(step(exercise, "plan").start_ms <= arm.start_ms for arm in exercise.trace.arms if arm.ran)


def test_the_index_was_brought_up_to_date_first(exercise: SearchResponse) -> None:
    sync = exercise.trace.stages[0]
    assert ("sync", True, 0.0) == (sync.stage, sync.ran, sync.start_ms)
    assert sync.note.startswith("1 changed, 1 passage written")
    assert sync.ms > 0
    assert 1 == exercise.trace.synced


def test_the_new_words_are_found_without_the_model(exercise: SearchResponse) -> None:
    first = exercise.results[0]
    assert "telemetry every ten minutes" in first.passage.text
    assert "keyword_only" == exercise.mode_effective
    assert not any("by hand" in result.passage.text for result in exercise)
    assert first.why is not None
    assert ["keyword"] == [vote.arm for vote in first.why.arms]


def test_the_failure_is_a_remark_on_the_answer_and_no_failure_of_it(exercise: SearchResponse) -> None:
    assert (True, "arm_failed") == (exercise.degraded.flag, exercise.degraded.code)
    assert "the query's embedding failed" in exercise.degraded.reason
    assert "the model does not answer" in exercise.degraded.reason


def test_exactly_two_steps_are_named_that_did_not_occur(exercise: SearchResponse) -> None:
    failed = f"the query's embedding failed ({HashEmbedder().id}): the model does not answer"
    assert (("semantic", failed), DIVERSIFY) == reading.unrun(exercise)
    assert (UNNAMED, EXTRACTED) == reading.uncalled(exercise)


def test_every_view_of_the_trace_names_them(exercise: SearchResponse) -> None:
    sentences = (
        f"Semantic did not run: the query's embedding failed ({HashEmbedder().id}): the model does not answer. "
        "Diversify did not run: off in profile default (mmr.enabled). "
    )
    explained = replace(exercise, open_why=True)
    assert sentences in html.static(explained)
    assert sentences in " ".join(text.plain(explained).split()) + " "
    assert reading.unrun(exercise) == reading.unrun(wire.loads(wire.dumps(exercise, "snippets")))


def test_a_plain_answer_does_not_speak_of_what_the_profile_leaves_off(exercise: SearchResponse) -> None:
    assert "Diversify" not in text.plain(exercise)
    assert "Semantic did not run" in text.plain(exercise)


# --- the same steps in other searches

COPIES = [
    {"id": "first", "text": "Trout rest below the weir when the water is warm."},
    {"id": "copy", "text": "Trout rest below the weir, when the water is warm!"},
    {"id": "else", "text": "Trout and eels pass the weir by the ladder at night."},
]


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("river") / ".memo", embedder=embedder) as memo:
        memo.add(COPIES)
        yield memo


def spread(**constants: object) -> profile.Profile:
    return profile.override(profile.get("default"), **{"cutoff.enabled": False, "fold.enabled": False, **constants})


def found(response: SearchResponse) -> list[str]:
    return [result.passage.uri for result in response]


def test_diversity_brings_what_says_something_else_before_a_copy(river: Memo) -> None:
    plain = river.search("trout below the weir", profile=spread())
    varied = river.search("trout below the weir", profile=spread(**{"mmr.enabled": True}))
    assert {"first", "copy"} == set(found(plain)[:2])
    assert [found(plain)[0], "else", found(plain)[1]] == found(varied)
    assert {result.passage.uri: result.score for result in plain} == {
        result.passage.uri: result.score for result in varied
    }


def test_the_reason_tells_the_move(river: Memo) -> None:
    varied = river.search("trout below the weir", profile=spread(**{"mmr.enabled": True}))
    why = varied.results[1].why
    assert why is not None
    assert [("abstain", 3), ("diversify", 2), ("final", 2)] == [(place.stage, place.rank) for place in why.places[-3:]]
    assert ("diversify", True) == (step(varied, "diversify").stage, step(varied, "diversify").ran)


def test_pages_of_a_spread_list_have_no_gaps_and_no_repeats(river: Memo) -> None:
    chosen = spread(**{"mmr.enabled": True})
    whole = found(river.search("trout below the weir", profile=chosen))
    pages = [
        found(river.search("trout below the weir", profile=chosen, limit=1, offset=at)) for at in range(len(whole))
    ]
    assert whole == [uri for page in pages for uri in page]


def test_without_diversity_no_place_speaks_of_it(river: Memo) -> None:
    response = river.search("trout below the weir")
    stage = step(response, "diversify")
    assert (False, stage.before) == (stage.ran, stage.after)
    for result in response:
        assert result.why is not None
        assert "diversify" not in {place.stage for place in result.why.places}


def test_a_search_that_was_not_to_follow_the_disk_says_so(river: Memo) -> None:
    response = river.search("trout", sync=False)
    assert ("sync", "not asked for") == reading.unrun(response)[0]
    assert (0, "–") == (response.trace.synced, reading.steps(response)[0].ms)


def test_where_there_is_nothing_to_follow_no_step_is_told(river: Memo) -> None:
    assert "plan" == river.search("trout").trace.stages[0].stage


def test_an_arm_that_the_profile_leaves_off_did_not_run_and_one_of_another_mode_was_not_called_for(
    river: Memo,
) -> None:
    alone = river.search("trout", profile="keyword-only")
    off = "off in profile keyword-only"
    assert (("semantic", off), ("diversify", f"{off} (mmr.enabled)")) == reading.unrun(alone)
    moded = river.search("trout", mode="keyword")
    assert (("exact and semantic", "mode keyword was asked for"), EXTRACTED) == reading.uncalled(moded)


def test_a_query_that_only_filters_calls_for_no_arm(river: Memo) -> None:
    response = river.search("since:2020")
    every = "keyword, exact, semantic, fact, entity and graph"
    assert (((every, "the query only filters"),), ()) == (reading.uncalled(response), reading.unrun(response))


@pytest.mark.parametrize(
    ("synced", "ran", "note"),
    [
        (Synced(), True, "nothing has changed"),
        (Synced(changed=1, passages=1, pending=1), True, "1 changed, 1 passage written, vectors of 1 follow"),
        (Synced(changed=1200, removed=2, passages=3), True, "1,200 changed, 2 removed, 3 passages written"),
        (Synced(note="another run is indexing", ran=False), False, "another run is indexing"),
        (Synced(note="Could not read a.pdf."), True, "Could not read a.pdf."),
        (Synced(removed=1, note="data is not there"), True, "1 removed; data is not there"),
    ],
)
def test_what_was_done_before_the_search_is_told_in_words(synced: Synced, ran: bool, note: str) -> None:
    clock = Clock(time.perf_counter())
    clock.follow(synced, asked=True)
    assert (ran, note) == (clock.traces[0].ran, clock.traces[0].note)


def test_the_time_before_the_search_counts_as_a_part_of_it() -> None:
    clock = Clock(began := time.perf_counter())
    clock.follow(Synced(ms=250.0), asked=True)
    clock.mark("plan", 0, 0, "")
    first, second = clock.traces
    assert (0.0, 250.0) == (first.start_ms, first.ms)
    assert pytest.approx(250.0) == second.start_ms
    assert pytest.approx(began - 0.25) == clock.began
