"""The arms: parallel ranked lists over one scope. An arm that fails or is too slow degrades alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import numpy as np

from jupyter_memo.errors import MemoError
from jupyter_memo.profile import Profile
from jupyter_memo.query import Mode
from jupyter_memo.response import ARMS, Arm, ArmHit, ArmTrace, Degraded
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import ModelKey
from jupyter_memo.text.paths import pathless
from jupyter_memo.text.plan import QueryPlan

Search = Callable[[], Awaitable[list[tuple[str, float]]]]

NOT_DEGRADED = Degraded()

MODE_ARMS: dict[Mode, tuple[Arm, ...]] = {
    "auto": ("keyword", "exact", "semantic"),
    "keyword": ("keyword",),
    "exact": ("exact",),
    "semantic": ("semantic",),
}

MESSAGE_CHARACTERS = 200
"""How much of the text of an unforeseen error is told."""


def mean_direction(vectors: np.ndarray) -> np.ndarray | None:
    """The mean of the directions of vectors (n, dim) as a unit vector, shape (dim,); None where they cancel out."""
    rows = np.asarray(vectors, np.float64)
    total = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).sum(axis=0)
    length = float(np.linalg.norm(total))
    return (total / length).astype(np.float32) if length > 1e-6 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What the semantic arm works with. `encode` turns the query into one unit vector (it may take a while, and fail),
    `like` the vectors of passages, shape (n, dim), into one for what is like them; `languages` are the model's; `off`
    says why there is no semantic arm at all and `cure` what helps; `degraded` is set when that is not the user's own
    choice."""

    key: ModelKey | None = None
    encode: Callable[[str], Awaitable[np.ndarray]] | None = None
    like: Callable[[np.ndarray], np.ndarray | None] = mean_direction
    languages: tuple[str, ...] = ()
    off: str = ""
    cure: str = ""
    degraded: Degraded = NOT_DEGRADED


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The lists of the arms that ran, a trace of each arm, run or not, and the query's vector where there is one,
    with the model that made it.

    `mode` is the one that was asked for; `failed` are the arms that began and did not answer; `cures` says for an arm
    that did not run what would let it.
    """

    lists: dict[Arm, tuple[ArmHit, ...]]
    traces: tuple[ArmTrace, ...]
    degraded: Degraded = NOT_DEGRADED
    vector: np.ndarray | None = None
    key: ModelKey | None = None
    mode: Mode = "auto"
    failed: tuple[Arm, ...] = ()
    cures: dict[Arm, str] = field(default_factory=dict)

    def ran(self, arm: Arm) -> bool:
        return arm in self.lists


def nothing_to_rank() -> Found:
    """No arm runs when the query only filters."""
    reason = "the query only filters"
    return Found(lists={}, traces=tuple(ArmTrace(arm=arm, ran=False, reason=reason, called=False) for arm in ARMS))


async def run(
    store: Store,
    plan: QueryPlan,
    *,
    where: str,
    version: int,
    profile: Profile,
    mode: Mode,
    meaning: Meaning,
    began: float,
    timeout_seconds: float,
) -> Found:
    """Every arm that the mode, the profile and the plan call for, at once.

    `began` is the perf_counter second the search began at: traces count from there. All arms read the same `version` of
    the passages. Each list holds at most
    `profile.depth` hits, best first, ranks from 1.
    """
    searches: dict[Arm, Search] = {}
    vectors: list[np.ndarray] = []
    skipped: dict[Arm, Skipped] = {}
    cures: dict[Arm, str] = {}
    failed: list[Arm] = []
    for arm in ARMS:
        why = _why_not(arm, plan, profile, mode, meaning)
        if why:
            skipped[arm], cures[arm] = why, why.cure
        else:
            searches[arm] = _search(arm, store, plan, where, version, profile.depth, meaning, vectors)
    outcomes = await asyncio.gather(*(_timed(searches[arm], began, timeout_seconds) for arm in searches))
    lists: dict[Arm, tuple[ArmHit, ...]] = {}
    judges = meaning.key.judges(vectors[0]) if meaning.key and vectors else ()
    traces: dict[Arm, ArmTrace] = {
        arm: ArmTrace(arm=arm, ran=False, reason=why.reason, called=why.called) for arm, why in skipped.items()
    }
    degraded = meaning.degraded if mode in ("auto", "semantic") and profile.fusion.semantic > 0 else Degraded()
    for arm, outcome in zip(searches, outcomes, strict=True):
        if outcome.error:
            traces[arm] = ArmTrace(arm=arm, ran=False, reason=outcome.error, start_ms=outcome.start_ms, ms=outcome.ms)
            failed.append(arm)
            cures[arm] = "%memo doctor looks for the cause."
            told = f"The {arm} arm did not answer: {outcome.error.rstrip('.')}. %memo doctor looks for the cause."
            degraded = Degraded(flag=True, code="arm_failed", reason=told)
            continue
        hits = tuple(ArmHit(arm=arm, id=id, rank=rank, raw=raw) for rank, (id, raw) in enumerate(outcome.hits, 1))
        lists[arm] = hits
        traces[arm] = ArmTrace(
            arm=arm,
            ran=True,
            reason=_why(arm, plan, judges),
            candidates=len(hits),
            start_ms=outcome.start_ms,
            ms=outcome.ms,
        )
    vector = vectors[0] if vectors and "semantic" in lists else None
    return Found(
        lists=lists,
        traces=tuple(traces[arm] for arm in ARMS),
        degraded=degraded,
        vector=vector,
        key=meaning.key,
        mode=mode,
        failed=tuple(failed),
        cures=cures,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Why an arm does not run, what would let it, and whether anything called for it (`ArmTrace.called`)."""

    reason: str
    cure: str = ""
    called: bool = False


def _why_not(arm: Arm, plan: QueryPlan, profile: Profile, mode: Mode, meaning: Meaning) -> Skipped | None:
    """Why this arm does not run for this query; None when it does."""
    if arm in ("fact", "entity", "graph"):
        return Skipped(reason="nothing of that kind is extracted by this version")
    if arm not in MODE_ARMS[mode]:
        return Skipped(reason=f"mode {mode} was asked for")
    if profile.fusion.weight(arm) == 0:
        cure = "Choose another profile, or mode auto."
        return Skipped(reason=f"off in profile {profile.name}", cure=cure, called=True)
    if arm == "keyword" and not plan.words.strip():
        return Skipped(reason="no word in the query", cure="Type a word to look for.")
    if arm == "exact" and not plan.identifiers:
        cure = "Type a name as it is written, or search by words (mode auto)."
        return Skipped(reason="no identifier in the query", cure=cure)
    if arm == "semantic" and meaning.off:
        return Skipped(reason=meaning.off, cure=meaning.cure, called=True)
    if arm == "semantic" and not plan.semantic.strip():
        return Skipped(reason="nothing to look for but filters", cure="Type what you look for.")
    return None


def _why(arm: Arm, plan: QueryPlan, judges: tuple[str, ...]) -> str:
    if arm == "exact":
        return "identifiers: " + ", ".join(plan.identifiers)
    if arm == "semantic":
        return f"meaning of the query, by {' and '.join(judges)}" if judges else "meaning of the query"
    count = len(plan.words.split())
    return f"text and header, OR of {count} words" if count != 1 else "text and header, 1 word"


def _search(
    arm: Arm,
    store: Store,
    plan: QueryPlan,
    where: str,
    version: int,
    depth: int,
    meaning: Meaning,
    vectors: list[np.ndarray],
) -> Search:
    if arm == "keyword":
        return lambda: store.keyword(plan, where, depth, version=version)
    if arm == "exact":
        return lambda: store.exact(plan, where, depth, version=version)
    key, encode = meaning.key, meaning.encode
    if key is None or encode is None:
        raise ValueError("the semantic arm runs only with a model key and an encoder")

    async def semantic() -> list[tuple[str, float]]:
        vector = await encode(plan.semantic)
        vectors.append(vector)
        return await store.semantic(vector, key, plan, where, depth, version=version)

    return semantic


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    hits: list[tuple[str, float]]
    start_ms: float
    ms: float
    error: str = ""


async def _timed(search: Search, began: float, timeout_seconds: float) -> _Outcome:
    start = time.perf_counter()
    hits: list[tuple[str, float]] = []
    error = ""
    try:
        hits = await asyncio.wait_for(search(), timeout_seconds)
    except TimeoutError:
        error = f"no answer within {timeout_seconds:g} s"
    except MemoError as problem:
        error = pathless(str(problem)) or type(problem).__name__
    except Exception as problem:  # a failing arm must never take the whole answer with it
        error = f"{type(problem).__name__}: {pathless(str(problem))[:MESSAGE_CHARACTERS]}"
    end = time.perf_counter()
    return _Outcome(hits=hits, start_ms=1000 * (start - began), ms=1000 * (end - start), error=error)
