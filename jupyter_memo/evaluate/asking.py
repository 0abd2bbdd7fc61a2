"""Asking every question of a set through a search callable, and what is kept of the answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from jupyter_memo import own_profiles
from jupyter_memo import profile as profiles
from jupyter_memo.errors import QueryError
from jupyter_memo.evaluate.measures import Run
from jupyter_memo.evaluate.sets import Question
from jupyter_memo.profile import Profile
from jupyter_memo.query import Granularity
from jupyter_memo.response import SearchResponse

DEPTH = 100

RANKING_ONLY: dict[str, object] = {
    "abstain.enabled": False,
    "cutoff.enabled": False,
    "recency.kinds": (),
    "beside.tokens": 0,
}
"""What is off while ranking itself is measured: whatever shortens the list or weighs age, and what is only shown."""


class Search(Protocol):
    """One search, with the options of `Memo.search` that are used here."""

    def __call__(
        self,
        text: str,
        *,
        granularity: Granularity,
        profile: Profile,
        limit: int,
        explain: bool,
        record: bool,
        sync: bool,
        namespace: str | None,
    ) -> SearchResponse: ...


Tell = Callable[[int, int], None]
"""Called with how many questions are answered, and of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The answers to a set's questions: the ranked documents as a run, and the confidence of each answer (that of
    the trace's floor, else the score of the first result, 0 where there is none).

    `refused` are the questions without a result, those in `malformed` among them: their text cannot be asked as it is.
    `degraded` counts the answers that lacked an arm; `ms` is the mean time a question.
    """

    run: Run
    confidence: Mapping[str, float]
    refused: frozenset[str]
    malformed: tuple[str, ...] = ()
    degraded: int = 0
    profile_hash: str = ""
    ms: float = 0.0


def ranking_only(profile: Profile) -> Profile:
    """The profile without abstention, cutoff and ageing, under its own name."""
    return profiles.override(profile, **RANKING_ONLY)


def ask(
    search: Search, questions: Iterable[Question], profile: Profile, *, limit: int = DEPTH, tell: Tell | None = None
) -> Asked:
    """Ask each question within its group; `limit` is how many documents are kept."""
    asked = tuple(questions)
    run: dict[str, dict[str, float]] = {}
    confidence: dict[str, float] = {}
    malformed: list[str] = []
    degraded, name = 0, ""
    began = time.perf_counter()
    for number, question in enumerate(asked, 1):
        run[question.id], confidence[question.id] = {}, 0.0
        try:
            response = search(
                question.text,
                granularity="document",
                profile=profile,
                limit=limit,
                explain=False,
                record=False,
                sync=False,
                namespace=question.group or None,
            )
        except QueryError:
            malformed.append(question.id)
            continue
        # What is folded below a result is shown with it: it stands right behind.
        listed = (
            uri
            for result in response.results
            for uri in (result.document or result.passage.uri, *(below.uri for below in result.folded))
        )
        run[question.id] = {uri: 1.0 / place for place, uri in enumerate(dict.fromkeys(listed), 1)}
        if response.trace.floor:
            confidence[question.id] = response.trace.floor.best
        elif response.results:
            confidence[question.id] = response.results[0].score
        degraded += response.degraded.flag
        name = response.trace.profile_hash
        if tell:
            tell(number, len(asked))
    return Asked(
        run=run,
        confidence=confidence,
        refused=frozenset(id for id, documents in run.items() if not documents),
        malformed=tuple(malformed),
        degraded=degraded,
        profile_hash=name,
        ms=1000 * (time.perf_counter() - began) / max(1, len(asked)),
    )


def named(spec: str | Profile, known: Mapping[str, Profile] = profiles.PROFILES) -> Profile:
    """A profile by its name, with dotted constants changed where asked: `default+fusion.balance=0.4+cutoff.gap=0.6`.

    Numbers, true, false and words are understood. Raises ProfileError.
    """
    if isinstance(spec, Profile):
        return spec
    base, *changes = spec.split("+")
    chosen = profiles.get(base, known)
    for change in changes:
        key, _, value = change.partition("=")
        chosen = profiles.override(chosen, **{key.strip(): own_profiles.value_of(key.strip(), value_of(value))})
    return profiles.override(chosen, name=spec) if changes else chosen


def value_of(text: str) -> object:
    """A constant as it is typed: a whole number, a decimal one, true or false, else a word."""
    text = text.strip()
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)
