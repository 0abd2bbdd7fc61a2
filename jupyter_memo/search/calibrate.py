"""What an index scores on nothing: the floors of abstention, measured with the shipped probes and kept in the store.

Kept by the constants of the fusion that made them; a search under other constants or another model goes without.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime

import numpy as np

from jupyter_memo.profile import Calibration, Fusion, Profile
from jupyter_memo.query import Scope
from jupyter_memo.ranking.confidence import confidence, terms
from jupyter_memo.response import Candidate
from jupyter_memo.search import arms, fuse
from jupyter_memo.search.probes import PROBES
from jupyter_memo.search.spelling import spelled
from jupyter_memo.store import filters, memory
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import Row
from jupyter_memo.text import plan as planner
from jupyter_memo.text.plan import QueryPlan

DEPTH = 10
"""Candidates an arm gives a probe: only the best evidence and the spread of one page are looked at."""

AT_ONCE = 2
"""Probes under way at the same time. Each holds the vectors and postings that it reads: in an index of a million
passages four held 930 MB, with their blocks in the heaps, and two hold half of it."""

LEAST_PASSAGES = 30
"""A smaller index is not calibrated: its lists are read at a glance, and a few more passages change all its figures."""

STALE = 1.25
"""An index that grew or shrank by more than this factor is measured again."""

SPREAD_QUANTILE = 0.75
"""Of the spreads of the probes' pages. With `quantile_alone` for the top cosine, at most 2 in 100 answerable questions
of five sets had a page called flat, and half to three quarters of the off-topic ones."""

DIGITS = 5


async def calibrate(store: Store, profile: Profile, meaning: arms.Meaning, *, timeout_seconds: float) -> Calibration:
    """Ask every probe of the whole live index and take the quantiles of the best confidence, for every set of arms."""
    snapshot = await store.snapshot()
    now = datetime.now(UTC)
    where = filters.where(filters.predicates(Scope(), now=now, open_runs=snapshot.open_runs, always=snapshot.always))
    narrow = dataclasses.replace(profile, depth=DEPTH)
    turn = asyncio.Semaphore(AT_ONCE)

    reading = profile.reading

    async def planned(probe: str) -> QueryPlan:
        plan = planner.plan(probe, now=now, plain_negation=reading.plain_negation)
        async with turn:
            return await spelled(store, plan, snapshot.open_runs) if reading.variants else plan

    plans = tuple(await asyncio.gather(*map(planned, PROBES)))

    async def ask(plan: QueryPlan) -> arms.Found:
        async with turn:
            return await arms.run(
                store,
                plan,
                where=where,
                version=snapshot.version,
                profile=narrow,
                mode="auto",
                meaning=meaning,
                began=time.perf_counter(),
                timeout_seconds=timeout_seconds,
            )

    with memory.blocks_apart():
        asked = await asyncio.gather(*map(ask, plans))
    await asyncio.to_thread(memory.give_back)
    ids = tuple(dict.fromkeys(hit.id for found in asked for hits in found.lists.values() for hit in hits))
    rows = await store.fetch(ids, meaning.key, where=where, version=snapshot.version)
    statistics = await fuse.counted(store, plans, profile.fusion, snapshot.open_runs)
    answers = [
        fuse.fuse(found, _of(found, rows), plan, profile.fusion, statistics, languages=meaning.languages)
        for found, plan in zip(asked, plans, strict=True)
    ]
    rules, with_meaning = profile.abstain, meaning.key is not None
    counts = [terms(plan.words) for plan in plans]
    pages = [[each.relevance for each in answer if each.relevance is not None][:DEPTH] for answer in answers]
    return Calibration(
        passages=await _live(store, snapshot.open_runs),
        model=_model(meaning),
        hybrid=_quantile(list(map(_best, answers, counts)), rules.quantile) if with_meaning else None,
        words=_quantile(list(map(_best_words, answers, counts)), rules.quantile_alone),
        meaning=_quantile([max(page, default=0.0) for page in pages], rules.quantile_alone) if with_meaning else None,
        cosine=_quantile([max(page, default=0.0) for page in pages], rules.quantile_cosine) if with_meaning else None,
        spread=(
            _quantile([max(page) - min(page) for page in pages if len(page) > 2], SPREAD_QUANTILE)
            if with_meaning
            else None
        ),
    )


async def stored(store: Store, fusion: Fusion, model: arms.Meaning) -> Calibration | None:
    """The calibration of these constants; of another model's only what words alone score."""
    kept = _read(await store.get_meta(_key(fusion)))
    if kept is None:
        return None
    if model.key is None or kept.model == _model(model):
        return kept
    return Calibration(passages=kept.passages, model=kept.model, words=kept.words)


def _read(text: str | None) -> Calibration | None:
    """What `keep` wrote; None where there is nothing, or nothing sound: then it is measured again."""
    try:
        kept = Calibration(**json.loads(text or "null"))
    except (ValueError, TypeError, RecursionError):
        return None
    figures = (kept.passages, kept.hybrid, kept.words, kept.meaning, kept.cosine, kept.spread)
    return kept if all(isinstance(each, int | float | None) for each in figures) else None


async def keep(store: Store, fusion: Fusion, calibration: Calibration) -> None:
    """Write a calibration into the store; the caller holds the write lock."""
    await store.set_meta(_key(fusion), json.dumps(dataclasses.asdict(calibration), sort_keys=True))


async def stale(store: Store, kept: Calibration | None, model: arms.Meaning) -> bool:
    """Whether the index has none that fits: it has outgrown its calibration, or a model came that it does not know."""
    live = await _live(store, (await store.snapshot()).open_runs)
    if live < LEAST_PASSAGES:
        return False
    if kept is None or (model.key is not None and kept.hybrid is None):
        return True
    return not kept.passages / STALE <= live <= kept.passages * STALE


def _of(found: arms.Found, rows: Mapping[str, Row]) -> dict[str, Row]:
    """The rows of one probe's hits, in the order of its lists."""
    hits = (hit.id for hits in found.lists.values() for hit in hits)
    return {id: rows[id] for id in dict.fromkeys(hits) if id in rows}


async def _live(store: Store, open_runs: tuple[str, ...]) -> int:
    return (await store.statistics((), open_runs)).passages


def _best(answer: tuple[Candidate, ...], count: int) -> float:
    return max((confidence(each, count) for each in answer), default=0.0)


def _best_words(answer: tuple[Candidate, ...], count: int) -> float:
    """The best confidence if words alone had been searched: the share itself, which then has all the weight."""
    alone = (
        dataclasses.replace(
            each, votes=tuple(dataclasses.replace(vote, weight=1.0) for vote in each.votes if vote.arm != "semantic")
        )
        for each in answer
    )
    return _best(tuple(alone), count)


def _quantile(values: list[float], at: float) -> float | None:
    return round(float(np.quantile(values, at)), DIGITS) if values else None


def _model(meaning: arms.Meaning) -> str:
    return f"{meaning.key.id} {meaning.key.sha256}" if meaning.key else ""


def _key(fusion: Fusion) -> str:
    constants = json.dumps(dataclasses.asdict(fusion), sort_keys=True)
    return f"calibration {hashlib.sha256(constants.encode()).hexdigest()[:16]}"
