"""Every arm under a filter returns what filtering its ranking of everything would, whatever stands in the fields."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_memo.query import Scope
from jupyter_memo.records import Passage
from jupyter_memo.store import reads
from jupyter_memo.store.filters import predicates, where
from jupyter_memo.store.lance import Store

HOSTILE = (
    "",
    " ",
    "it's",
    "''",
    "'; drop table passages; --",
    "' or 1=1 or '",
    "back\\slash",
    "\\'",
    '"double"',
    "line\nbreak\ttab\r",
    "nul\x00byte",
    "%",
    "_",
    "%_%",
    "/* comment",
    "-- comment",
    "$1 ? :x {y} (a|b)*[c]^$.+",
    "日本語",
    "한국어 '글'",
    "\u202ertl \u05d0\u05d1",
    "\U0001f642 emoji",
    "e\u0301 accent",
    "\uffff\u0000",
    "true",
)
WORDS = (
    "alpha",
    "beta",
    "gamma",
    "delta",
    "server",
    "error",
    "run",
    "net/http",
    "os.path.join",
    "C++",
    "機械学習",
    "it's",
)
ROWS = 240
NOW = datetime(2026, 3, 1, tzinfo=UTC)
EVERYTHING = 10 * ROWS


def moment(number: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number, microseconds=number)


def passages_of(row: Callable[..., Any], vector: Callable[..., Any]) -> list[Any]:
    chance = random.Random(7)
    optional = [*HOSTILE, None]
    rows = []
    for number in range(ROWS):
        text = " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 9)))
        rows.append(
            row(
                f"p{number:03d} {chance.choice(HOSTILE)}",
                text,
                vector=vector(text) if chance.random() < 0.9 else None,
                uri=chance.choice(("", "notes/", "archive:")) + chance.choice(HOSTILE) + chance.choice(("", ".md")),
                source_id=chance.choice(HOSTILE),
                namespace=chance.choice((*HOSTILE, "archive:1", "agent:x", "archive")),
                kind=chance.choice(HOSTILE),
                surface=chance.choice(HOSTILE),
                owner=chance.choice(HOSTILE),
                library=chance.choice(optional),
                version=chance.choice(optional),
                lang=chance.choice(optional),
                tags=tuple(chance.sample(HOSTILE, chance.randint(0, 3))),
                trust=chance.randint(0, 3),
                created_at=moment(chance.randint(0, 60)),
                recorded_at=moment(chance.randint(0, 60)),
                expires_at=moment(chance.randint(0, 90)) if chance.random() < 0.2 else None,
                forgotten_at=moment(30) if chance.random() < 0.05 else None,
            )
        )
    return rows


async def fill(store: Store, rows: list[Any], key: Any, write: Callable[..., Any]) -> None:
    chance = random.Random(8)
    await write(store, "first", rows[: ROWS // 2], key=key)
    await write(store, "second", rows[ROWS // 2 :], key=key)
    ids = [item.passage.id for item in rows]
    for number in range(3):
        await write(store, f"end {number}", end=chance.sample(ids, 15), at=moment(20 * number))


class Filled:
    """A store, what its indexes hold, and all lives of its passages. No dataclass: Hypothesis would print them all."""

    def __init__(self, state: str, store: Store, records: list[Passage]) -> None:
        self.state, self.store, self.records = state, store, records


@pytest.fixture(scope="module", params=["indexed", "mixed", pytest.param("unindexed", marks=pytest.mark.slow)])
def filled(request, run, tmp_path_factory, row, vector, key, write, optimize) -> Iterator[Filled]:
    store = run(Store.open(tmp_path_factory.mktemp("memo")))
    rows = passages_of(row, vector)
    run(fill(store, rows, key, write))
    if request.param == "indexed":
        run(optimize(store))
    if request.param == "mixed":
        run(optimize(store))
        again = [dataclasses.replace(item, passage=dataclasses.replace(item.passage, trust=3)) for item in rows[:40]]
        run(write(store, "again", again, key=key))
    lives = run(reads.rows(store._tables.passages, "true", ()))
    yield Filled(request.param, store, [life.passage for life in lives])
    run(store.close())


def glob(pattern: str) -> re.Pattern[str]:
    pattern = pattern + "*" if pattern.endswith("/") else pattern
    return re.compile("".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in pattern), re.DOTALL)


def admits(scope: Scope, passage: Passage, now: datetime) -> bool:
    """The meaning of a scope, in Python."""
    time = scope.as_of or now
    if scope.as_of is None:
        live = passage.superseded_at is None
    else:
        live = passage.recorded_at <= time and (passage.superseded_at is None or passage.superseded_at > time)
    system = passage.namespace.startswith(("archive:", "agent:"))
    return all(
        (
            live and passage.forgotten_at is None,
            passage.expires_at is None or passage.expires_at > time,
            passage.namespace in scope.namespaces if scope.namespaces else not system,
            not scope.kinds or passage.kind in scope.kinds,
            not scope.surfaces or passage.surface in scope.surfaces,
            not scope.sources or any(glob(pattern).fullmatch(passage.uri) for pattern in scope.sources),
            not scope.libraries or passage.library in scope.libraries,
            not scope.versions or passage.version in scope.versions,
            not scope.tags or bool({*scope.tags} & {*passage.tags}),
            not scope.langs or passage.lang in scope.langs,
            scope.owner is None or passage.owner == scope.owner,
            scope.min_trust is None or passage.trust >= scope.min_trust,
            scope.since is None or passage.created_at >= scope.since,
            scope.before is None or passage.created_at < scope.before,
        )
    )


def some(values: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    several = st.lists(st.sampled_from(values) | st.text(max_size=4), min_size=8, max_size=24).map(tuple)
    return st.one_of(st.just(()), st.just(()), st.just(()), several)


times = (
    st.none()
    | st.none()
    | st.integers(-5, 95).map(moment)
    | st.sampled_from([datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
)
globs = st.lists(
    st.one_of(
        st.sampled_from(
            ["*", "*.md", "notes/*", "notes/", "archive:*", "*'*", "?", "??", "*%*", "*\n*", "*\x00*", "*_%"]
        ),
        st.sampled_from(HOSTILE),
        st.text(max_size=6).map(lambda text: f"*{text}*"),
    ),
    min_size=1,
    max_size=3,
).map(tuple)
scopes = st.builds(
    Scope,
    namespaces=some((*HOSTILE, "archive:1", "agent:x")),
    kinds=some(HOSTILE),
    surfaces=some(HOSTILE),
    sources=st.just(()) | st.just(()) | globs,
    libraries=some(HOSTILE),
    versions=some(HOSTILE),
    tags=some(HOSTILE),
    langs=some(HOSTILE),
    owner=st.none() | st.none() | st.none() | st.sampled_from(HOSTILE),
    min_trust=st.none() | st.integers(-1, 4) | st.just(1000),
    since=times,
    before=times,
    as_of=times,
)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scope=scopes, words=texts, depth=st.sampled_from([1, 5, 100]))
def test_every_arm_filters_before_it_picks(
    filled, run, plan, vector, key, scope: Scope, words: str, depth: int
) -> None:
    state, store, records = filled.state, filled.store, filled.records
    admitted = {passage.id for passage in records if admits(scope, passage, NOW)}
    condition = where(predicates(scope, now=NOW, open_runs=()))
    asked = plan(words, identifiers=tuple(words.split()))
    query = vector(words)

    async def arms(condition: str, depth: int) -> dict[str, list[str]]:
        return {
            "keyword": [id for id, _ in await store.keyword(asked, condition, depth)],
            "exact": [id for id, _ in await store.exact(asked, condition, depth)],
            "semantic": [id for id, _ in await store.semantic(query, key, asked, condition, depth)],
            "newest": await store.newest(condition, asked, depth, 0),
        }

    ranking, found = run(arms("true", EVERYTHING)), run(arms(condition, depth))
    assert len(admitted) == run(store.count(condition))
    for arm, ids in found.items():
        expected = list(dict.fromkeys(id for id in ranking[arm] if id in admitted))
        if state == "indexed" or arm in ("semantic", "newest"):
            assert expected[:depth] == ids, arm
        elif len(expected) < depth:
            assert sorted(expected) == sorted(ids), arm
        else:
            assert depth == len(ids)
            assert {*ids} <= {*expected}, arm


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=texts,
    phrases=st.lists(texts, max_size=1).map(tuple),
    excluded=st.lists(st.sampled_from(WORDS[:7]), max_size=2).map(tuple),
    excluded_phrases=st.lists(texts, max_size=1).map(tuple),
    excluded_identifiers=st.lists(st.sampled_from(("C++", "os.path", "net/http")), max_size=1).map(tuple),
    depth=st.sampled_from([3, 100]),
)
def test_every_arm_keeps_phrases_in_and_exclusions_out(filled, run, plan, vector, key, words, depth, **clauses) -> None:
    store, records = filled.store, filled.records
    condition = where(predicates(Scope(), now=NOW, open_runs=()))
    asked = plan(words, identifiers=tuple(words.split()), **clauses)
    free = plan(words, identifiers=tuple(words.split()))
    query = vector(words)
    passing = {passage.id for passage in records if holds(passage.text, **clauses)}

    async def arms(asked: Any, depth: int) -> dict[str, list[str]]:
        return {
            "keyword": [id for id, _ in await store.keyword(asked, condition, depth)],
            "exact": [id for id, _ in await store.exact(asked, condition, depth)],
            "semantic": [id for id, _ in await store.semantic(query, key, asked, condition, depth)],
            "newest": await store.newest(condition, asked, depth, 0),
        }

    ranking, found = run(arms(free, EVERYTHING)), run(arms(asked, depth))
    for arm, ids in found.items():
        expected = [id for id in ranking[arm] if id in passing]
        # A phrase adds its own BM25, so the two arms of words may order what is left anew.
        if arm in ("semantic", "newest"):
            assert expected[:depth] == ids, arm
        elif len(expected) < depth:
            assert sorted(expected) == sorted(ids), arm
        else:
            assert depth == len(ids)
            assert {*ids} <= {*expected}, arm


def holds(text: str, *, phrases, excluded, excluded_phrases, excluded_identifiers) -> bool:
    """What phrases and exclusions mean for texts made of WORDS, whose stems are themselves."""
    tokens = spread(text)

    def adjacent(phrase: str) -> bool:
        return spread(phrase) in tokens

    return (
        all(adjacent(phrase) for phrase in phrases)
        and not any(adjacent(phrase) for phrase in (*excluded, *excluded_phrases))
        and not any(name in text for name in excluded_identifiers)
    )


def spread(text: str) -> str:
    """The words of a text, each with a blank before and after it."""
    return " " + " ".join(re.findall(r"[^\W_]+", text)) + " "
