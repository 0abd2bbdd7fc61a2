"""Turns of a conversation: each is found by its own words and by those of the turn before, and shows its own only."""

from __future__ import annotations

import gzip
import itertools
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.ingest import given
from jupyter_memo.ingest.prepare import CONTEXT_TOKENS, Options, Prepared, Reading, tail
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.profile import Profile, get, override
from jupyter_memo.response import IndexReport, Result
from jupyter_memo.text.terms import adjacent, passage_length

QUESTION = "Where should the rain gauge stand?"
ANSWER = "Behind the shed, away from both trees."
THANKS = "Good, I will dig the post in tomorrow."


def chat(*texts: str, **fields: Any) -> list[dict[str, Any]]:
    """Turns of one thread, c/1 and on."""
    return [{"id": f"c/{number}", "text": text, "thread": "garden"} | fields for number, text in enumerate(texts, 1)]


CHAT = chat(QUESTION, ANSWER, THANKS)


def everything(profile: str) -> Profile:
    """A profile that shows what it finds, weak as it may be."""
    return override(get(profile), **{"abstain.enabled": False, "cutoff.enabled": False})


@pytest.fixture(scope="session")
def session(shared_data: Path) -> list[dict[str, Any]]:
    """The first session of a real conversation, as records of one thread."""
    with gzip.open(shared_data / "locomo" / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        turns = [turn for turn in map(json.loads, lines) if turn["id"].startswith("c0/D1:")]
    return [{"id": turn["id"], "text": turn["text"], "thread": "c0/1"} for turn in turns]


def words(text: str) -> int:
    return len(text.split())


def prepared(records: Any, **options: Any) -> list[Prepared]:
    reading = Reading(count_tokens=words, max_tokens=20)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    return [each for _, each in given.prepared(records, Options(**options), reading, now)]


def contexts(records: Any, **options: Any) -> list[str]:
    return [row.context for each in prepared(records, **options) for row in each.rows]


def results(memo: Memo, text: str, **options: Any) -> dict[str, Result]:
    found = memo.search(text, **{"profile": everything("default"), **options})
    return {result.passage.uri: result for result in found}


def figures(report: IndexReport) -> tuple[int, int, int, int]:
    return report.kept, report.added, report.dropped, report.embedded


def cosine(embedder: Embedder, text: str, query: str) -> float:
    return float(np.dot(embedder.encode_passages([text])[0], embedder.encode_queries([query])[0]))


def test_a_real_turn_is_found_by_a_word_of_the_turn_before(memo: Memo, session: list[dict[str, Any]]) -> None:
    memo.add(session)
    (said,) = (place for place, turn in enumerate(session) if "transgender" in turn["text"])
    answer = session[said + 1]
    found = results(memo, "transgender", mode="keyword")
    assert {session[said]["id"], answer["id"]} == found.keys()
    assert answer["text"] == found[answer["id"]].passage.text


def test_a_turn_that_says_the_word_comes_before_the_one_that_follows_it(memo: Memo) -> None:
    memo.add(CHAT)
    assert ["c/1", "c/2"] == [*results(memo, "rain gauge", mode="keyword")]


@pytest.mark.parametrize("profile", ["default", "memo-mcp"])
def test_the_relevance_of_a_turn_is_the_mean_of_two_cosines(
    memo: Memo, embedder: Embedder, session: list[dict[str, Any]], profile: str
) -> None:
    memo.add(session)
    query = "When did Caroline go to the LGBTQ support group?"
    found = results(memo, query, mode="semantic", limit=100, profile=everything(profile))
    for before, turn in itertools.pairwise(session):
        if turn["id"] in found:
            alone = cosine(embedder, turn["text"], query)
            led = cosine(embedder, f"{before['text']}\n{turn['text']}", query)
            assert pytest.approx((alone + led) / 2, abs=1e-3) == found[turn["id"]].relevance
    assert len(found) > 5


def test_a_back_filled_turn_has_the_vector_it_would_have_had_at_once(tmp_path: Path, embedder: Embedder) -> None:
    def relevance(memo: Memo) -> dict[str, float | None]:
        return {uri: each.relevance for uri, each in results(memo, QUESTION, mode="semantic").items()}

    with Memo.open(tmp_path / "at once", embedder=embedder) as memo:
        memo.add(CHAT)
        at_once = relevance(memo)
    with Memo.open(tmp_path / "later", embedder="none") as memo:
        memo.add(CHAT)
    with Memo.open(tmp_path / "later", embedder=embedder) as memo:
        memo.backfill()
        assert at_once == relevance(memo)
    assert {"c/1", "c/2"} <= at_once.keys()


def test_the_same_conversation_again_changes_nothing(memo: Memo) -> None:
    first = memo.add(CHAT)
    again = memo.add(CHAT)
    assert (0, 3, 0, 3) == figures(first)
    assert (3, 0, 0, 0) == figures(again)
    assert {"unchanged"} == {source.status for source in again.sources}


def test_a_turn_after_a_changed_one_keeps_its_passage_and_is_found_by_the_new_words(memo: Memo) -> None:
    memo.add(CHAT)
    before = results(memo, "shed")["c/2"].passage
    report = memo.add(chat("Which side of the hedge is best?", ANSWER, THANKS))
    after = results(memo, "hedge", mode="keyword")["c/2"].passage
    assert (2, 1, 1, 2) == figures(report)
    assert (before.id, before.created_at) == (after.id, after.created_at)
    assert {} == results(memo, "gauge", mode="keyword")
    assert ["c/1", "c/2", "c/3"] == sorted(results(memo, "dig hedge shed"))


def test_the_statistics_follow_a_changed_context(memo: Memo, tmp_path: Path, embedder: Embedder) -> None:
    changed = chat("Which side of the hedge is best?", ANSWER, THANKS)
    memo.add(CHAT)
    memo.add(changed)
    with Memo.open(tmp_path / "fresh", embedder=embedder) as fresh:
        fresh.add(changed)
        for query in ("hedge", "gauge shed", "dig the post"):
            expected = {uri: each.score for uri, each in results(fresh, query).items()}
            assert expected == {uri: each.score for uri, each in results(memo, query).items()}


def test_a_context_that_changed_without_a_model_waits_for_its_vector(tmp_path: Path, embedder: Embedder) -> None:
    with Memo.open(tmp_path, embedder=embedder) as memo:
        memo.add(CHAT)
    with Memo.open(tmp_path, embedder="none") as memo:
        memo.add([CHAT[1] | {"context": "Is the hedge too close?"}])
    with Memo.open(tmp_path, embedder=embedder) as memo:
        memo.backfill()
        led = cosine(embedder, f"Is the hedge too close?\n{ANSWER}", "hedge")
        expected = (cosine(embedder, ANSWER, "hedge") + led) / 2
        assert pytest.approx(expected, abs=1e-3) == results(memo, "hedge", mode="semantic")["c/2"].relevance


def test_a_turn_given_without_the_one_before_stands_alone(memo: Memo) -> None:
    memo.add(CHAT)
    memo.add([CHAT[1]])
    assert ["c/1"] == [*results(memo, "gauge", mode="keyword")]


def test_the_context_is_shown_nowhere(memo: Memo) -> None:
    memo.add(CHAT)
    response = memo.search("gauge", mode="keyword", profile=everything("default"))
    (found,) = (each for each in response if each.passage.uri == "c/2")
    assert ANSWER == found.passage.text
    assert ANSWER == found.snippet
    assert () == found.marks
    (held,) = (each for each in json.loads(response.to_json())["results"] if each["passage"]["uri"] == "c/2")
    assert "stand" not in json.dumps(held["passage"])


def test_a_name_finds_the_turn_that_says_it_and_not_the_next(memo: Memo) -> None:
    memo.add(chat("It stops with ERR_CONN_RESET again.", "Then restart the pump.", "Done."))
    assert ["c/1"] == [*results(memo, "ERR_CONN_RESET", mode="exact")]


def test_the_turn_before_is_the_context_and_the_first_turn_has_none() -> None:
    assert ["", QUESTION, ANSWER] == contexts(CHAT)


def test_a_context_of_its_own_goes_before_the_thread() -> None:
    assert ["", "On siting gauges.", ANSWER] == contexts([CHAT[0], CHAT[1] | {"context": "On siting gauges."}, CHAT[2]])


def test_a_context_needs_no_thread() -> None:
    assert ["On siting gauges."] == contexts([{"text": ANSWER, "context": "On siting gauges."}])


def test_threads_given_in_turns_do_not_mix() -> None:
    other = [{"text": "Who has the key?", "thread": "hut"}, {"text": "Mira has.", "thread": "hut"}]
    assert ["", "", QUESTION, "Who has the key?"] == contexts([CHAT[0], other[0], CHAT[1], other[1]])


def test_a_thread_ends_at_its_namespace() -> None:
    assert ["", ""] == contexts([CHAT[0] | {"namespace": "a"}, CHAT[1] | {"namespace": "b"}])
    assert ["", QUESTION] == contexts([CHAT[0], CHAT[1]], namespace="a")


def test_a_turn_given_twice_is_not_its_own_context() -> None:
    assert ["", QUESTION, QUESTION, ANSWER] == contexts([CHAT[0], CHAT[1], CHAT[1], CHAT[2]])


def test_of_a_long_turn_every_passage_has_the_context() -> None:
    long = ". ".join(f"Step {number} is to wait and look once more" for number in range(9))
    found = contexts(chat(QUESTION, long))
    assert len(found) > 2
    assert ["", *[QUESTION] * (len(found) - 1)] == found


def test_of_a_long_context_the_end_is_kept() -> None:
    said = [f"{first}{second}" for first in "abcdefghijklmnopqrst" for second in "bcdfghjklmnpqrstvwxz"]
    (*_, row) = (row for each in prepared(chat(" ".join(said), ANSWER)) for row in each.rows)
    assert " ".join(said[-CONTEXT_TOKENS:]) == row.context
    assert words(ANSWER) + CONTEXT_TOKENS == passage_length(row.lex, row.cjk)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", ""), (" a b ", "a b"), ("a b c d", "b c d"), ("a\n\nbb  cc d", "bb  cc d"), ("x" * 99, "x" * 15)],
)
def test_the_tail_of_a_text_begins_with_a_word_unless_it_is_longer_than_the_limit(text: str, expected: str) -> None:
    def count(part: str) -> int:
        return sum(max(1, len(word) // 4) for word in part.split())

    assert expected == tail(text, 3, count)


def test_a_passage_counts_the_words_of_its_context_once_and_no_pair_across_the_border() -> None:
    (_, row) = (row for each in prepared(chat("one two", "three four")) for row in each.rows)
    assert 4 == passage_length(row.lex, row.cjk)
    assert [1, 1] == [adjacent(("three", "four"), row.lex), adjacent(("one", "two"), row.lex)]
    assert [0, 0] == [adjacent(("four", "one"), row.lex), adjacent(("two", "three"), row.lex)]
