"""The ranking stages watched: which of them let go of a candidate, and by which number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from jupyter_memo.ranking.abstain import cosine_floor
from jupyter_memo.ranking.stage import Candidates, Context, Facts, Stage
from jupyter_memo.records import Passage
from jupyter_memo.response import Candidate, WhyNot, WhyNotStep

REWORD = "Ask in words that it uses."


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """One stage: who came in, who came out, and what it said."""

    stage: str
    before: Candidates
    after: Candidates
    facts: Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """A target on its way. `passed` grows by one sentence a step."""

    query: str
    target: str
    passed: list[str] = field(default_factory=list)

    def told(
        self,
        step: WhyNotStep,
        sentence: str,
        cure: str = "",
        number: float | None = None,
        limit: float | None = None,
        passage: Passage | None = None,
    ) -> WhyNot:
        return WhyNot(
            query=self.query,
            target=self.target,
            step=step,
            sentence=sentence,
            cure=cure,
            number=number,
            limit=limit,
            id=passage.id if passage else "",
            uri=passage.uri if passage else "",
            passed=tuple(self.passed),
        )


def watch(entry: tuple[str, Stage], seen: list[Watched]) -> tuple[str, Stage]:
    """The same stage, which leaves what went in and out in `seen`."""
    name, stage = entry

    def watched(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
        after, facts = stage(candidates, context)
        seen.append(Watched(stage=name, before=candidates, after=after, facts=facts))
        return after, facts

    return name, watched


def ranked(trail: Trail, candidates: Candidates, stages: Sequence[Watched], context: Context) -> WhyNot:
    """The stage after which none of the candidates is left, or the rank of the best."""
    alive = candidates
    best = alive[0]
    trail.passed.append("; ".join(_found_by(best)) or "listed by date")
    for watched in stages:
        left = tuple(each for each in watched.after if each.id in {other.id for other in alive})
        if not left and watched.stage == "document":
            sources = {_source(each) for each in alive}
            left = tuple(each for each in watched.after if _source(each) in sources)
        if not left and watched.stage == "fold":
            return _beneath(trail, watched, alive)
        if not left:
            # Of those that stood there last, the one that stood highest.
            best = next(each for each in watched.before if each.id in {other.id for other in alive})
            return _dropped(trail, watched, best, context)
        alive = left
    page = stages[-1].after
    best = alive[0]
    rank = context.query.offset + 1 + [each.id for each in page].index(best.id)
    uri = _uri(best)
    return trail.told("found", f"It is there: {uri} has rank {rank}.", "", rank, None, best.passage)


def _dropped(trail: Trail, watched: Watched, best: Candidate, context: Context) -> WhyNot:
    query, facts = context.query, watched.facts
    uri, rank = _uri(best), 1 + [each.id for each in watched.before].index(best.id)
    trail.passed.append(f"rank {rank} before {watched.stage}")
    if watched.stage == "abstain":
        return _abstained(trail, watched, best, context)
    if watched.stage == "cutoff" and facts.cutoff is not None:
        cut = facts.cutoff
        sentence = (
            f"{uri} would have rank {rank}, but the list ends after {cut.index}: the next score is "
            f"{100 * cut.drop:.0f} % below it (limit {100 * cut.gap:.0f} %)."
        )
        return trail.told(
            "cutoff", sentence, "A profile with a higher cutoff.gap, or without cutoff, lists on.", cut.drop,
            cut.gap, best.passage,
        )  # fmt: skip
    if watched.stage == "limit":
        first, last = query.offset + 1, query.offset + query.limit
        page = f"this page has ranks {first} to {last}"
        cure = f"Ask for offset={(rank - 1) // query.limit * query.limit}, or a higher limit."
        limit = last if rank > last else first
        return trail.told("limit", f"{uri} has rank {rank}; {page}.", cure, rank, limit, best.passage)
    if watched.stage == "budget" and facts.budget is not None:
        asked = query.max_tokens or 0
        cost = best.passage.tokens if best.passage else 0
        sentence = (
            f"{uri} has rank {query.offset + rank} and {cost} tokens; {facts.budget.used_tokens} of the {asked} "
            "tokens were used before it, and it did not fit."
        )
        return trail.told(
            "budget", sentence, "Ask with a higher max_tokens.", facts.budget.used_tokens, asked, best.passage
        )
    if watched.stage == "document":
        return trail.told("document", f"Another passage of {uri} stands for it.", "", passage=best.passage)
    # A stage this module does not know drops it: what the stage says of itself is the best there is.
    return trail.told("abstain", f"The stage {watched.stage} dropped {uri}: {facts.note}.", "", passage=best.passage)


def _beneath(trail: Trail, watched: Watched, alive: Candidates) -> WhyNot:
    """Of those that were folded, the one that is told stands below the highest."""
    ids = {each.id for each in alive}
    rank, keeper, folded = next(
        (rank, keeper, folded)
        for rank, keeper in enumerate(watched.after, 1)
        for folded in keeper.folded
        if folded.id in ids
    )
    own = next(each for each in alive if each.id == folded.id)
    trail.passed.append(f"rank {1 + [each.id for each in watched.before].index(own.id)} before {watched.stage}")
    sentence = (
        f"{folded.uri} is folded below {_uri(keeper)}, number {rank} of the list: likeness {folded.likeness:.2f}, and "
        "the query asks for nothing that only it holds."
    )
    cure = "Open “more like this” below that one, or ask for a word that only this one holds."
    return trail.told("folded", sentence, cure, folded.likeness, None, own.passage)


def _abstained(trail: Trail, watched: Watched, best: Candidate, context: Context) -> WhyNot:
    """One of two floors: that of a single cosine, or that of the best confidence of the whole list."""
    uri, floor = _uri(best), watched.facts.floor
    own = cosine_floor(context)
    only_cosine = all(vote.arm == "semantic" for vote in best.votes)
    if only_cosine and best.relevance is not None and best.relevance < own:
        sentence = (
            f"{uri} holds no word of the query, and its cosine {best.relevance:.3f} is under the floor {own:.3f}."
        )
        return trail.told("floor", sentence, REWORD, best.relevance, own, best.passage)
    if floor is not None:
        sentence = (
            f"Nothing was answered: the best confidence of the list is {floor.best:.3f}, under {floor.least:.3f}; "
            f"{uri} has evidence {best.fused:.3f}."
        )
        return trail.told("abstain", sentence, REWORD, floor.best, floor.least, best.passage)
    return trail.told("abstain", f"{uri} was dropped: {watched.facts.note}.", REWORD, passage=best.passage)


def _found_by(candidate: Candidate) -> list[str]:
    return [f"{vote.arm} rank {vote.rank}" for vote in candidate.votes if vote.rank is not None]


def _source(candidate: Candidate) -> str:
    return candidate.passage.source_id if candidate.passage else candidate.id


def _uri(candidate: Candidate) -> str:
    return candidate.passage.uri if candidate.passage else candidate.id


def day(time: datetime) -> str:
    """2026-06-30."""
    return time.date().isoformat()
