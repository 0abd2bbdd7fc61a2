"""Why a passage moved between two lists, in words: read off what both say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from jupyter_memo import own_profiles
from jupyter_memo.profile import Profile
from jupyter_memo.response import Arm, Result, SearchResponse, Vote

LEAST = 5e-5
"""A change of a contribution that four digits do not show is none."""

MOST = 3
"""So many constants are named where nothing better can be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a sentence is made of: the two lists, the passage in both (None where it is not), and the two profiles."""

    group: str
    id: str
    before: SearchResponse
    after: SearchResponse
    was: Result | None
    now: Result | None
    profiles: tuple[Profile, Profile]
    limit: int


def sentence(
    group: str,
    id: str,
    before: SearchResponse,
    after: SearchResponse,
    profiles: tuple[Profile, Profile],
    limit: int,
) -> str:
    """What the constants of a group did to a passage, from the list before to the list after; `limit` is the page of
    the latter. `profiles` are the two that are compared."""
    told = Told(
        group=group,
        id=id,
        before=before,
        after=after,
        was=_find(id, before),
        now=_find(id, after),
        profiles=profiles,
        limit=limit,
    )
    return _SENTENCES.get(group, _constants)(told) or _constants(told)


def _find(id: str, response: SearchResponse) -> Result | None:
    return next((each for each in response.results if id in (each.document, each.passage.id)), None)


def _reading(told: Told) -> str:
    for result, whether in ((told.now, "and that weighs it down"), (told.was, "which no longer counts")):
        weight = _weight(result, "unwanted")
        if weight and weight[1]:
            return f"it {weight[1]} (×{weight[0]:.2f}), {whether}"
    if told.before.trace.plan != told.after.trace.plan:
        return f"the query is read as: {told.after.trace.plan}"
    return ""


def _depth(told: Told) -> str:
    one, other = (profile.depth for profile in told.profiles)
    deepest = max(one, other)
    for result in (told.was, told.now):
        for vote in _votes(result):
            if vote.rank is not None and vote.rank > min(one, other):
                return f"{vote.arm} finds it {_nth(vote.rank)}, and each arm brings {other} instead of {one}"
    whole = "more" if other == deepest else "fewer"
    return f"each arm brings {other} instead of {one}, so that {whole} passages compete"


def _arms(told: Told) -> str:
    ran, runs = _ran(told.before), _ran(told.after)
    lost, gained = [arm for arm in ran if arm not in runs], [arm for arm in runs if arm not in ran]
    parts = []
    for arms, result, does in ((lost, told.was, "no longer runs"), (gained, told.now, "runs too")):
        for arm in arms:
            rank = next((vote.rank for vote in _votes(result) if vote.arm == arm and vote.rank is not None), None)
            where = f", where it {'stood' if arms is lost else 'stands'} {_nth(rank)}," if rank else ""
            parts.append(f"{arm}{where} {does}")
    return "; ".join(parts)


def _fusion(told: Told) -> str:
    one, other = (profile.fusion for profile in told.profiles)
    if one.method == other.method:
        return _contributions(told)
    votes = _votes(told.now) or _votes(told.was)
    places = _listed(f"{_nth(vote.rank)} by {vote.arm}" for vote in votes if vote.rank is not None)
    if other.method == "rrf":
        return f"ranked by its places: {places}"
    if other.method == "minmax":
        shares = _listed(f"{vote.contribution:.2f} of {vote.weight:.2f} by {vote.arm}" for vote in votes)
        return f"ranked by its part of each arm's scores: {shares}" if told.now else "ranked by each arm's scores"
    if told.now is None:
        return "ranked by how well it matches"
    how = [f"cosine {vote.raw:.2f}" for vote in votes if vote.raw_kind == "cosine"]
    share = sum(vote.raw for vote in votes if vote.raw_kind == "share")
    how += [f"{100 * share:.0f} % of what the words could earn"] if share > 0 else []
    return f"ranked by how well it matches: {_listed(how)}" if how else "ranked by how well it matches"


def _contributions(told: Told) -> str:
    was = {vote.arm: vote.contribution for vote in _votes(told.was)}
    now = {vote.arm: vote.contribution for vote in _votes(told.now)}
    if told.was is None or told.now is None:
        return "the weights of its votes changed against those of others"
    changes = [(arm, now.get(arm, 0.0) - was.get(arm, 0.0)) for arm in {**was, **now}]
    changes = sorted((each for each in changes if abs(each[1]) >= LEAST), key=lambda each: -abs(each[1]))
    if not changes:
        return "its own votes are the same; those of others changed"
    return ", ".join(f"{arm} {'+' if by > 0 else '−'}{abs(by):.4f}" for arm, by in changes)


def _recency(told: Told) -> str:
    was, now = _weight(told.was, "age"), _weight(told.now, "age")
    if was and now:
        return f"{now[1]}: ×{now[0]:.2f} instead of ×{was[0]:.2f}"
    if now:
        return f"{now[1]}: ×{now[0]:.2f}"
    if was:
        return f"{was[1]}: no longer ×{was[0]:.2f}"
    return "it does not age; others do" if told.now or told.was else ""


def _abstain(told: Told) -> str:
    floors = told.before.trace.floor, told.after.trace.floor
    refusing = [floor for floor in floors if floor and floor.refused]
    if refusing and (told.was is None or told.now is None):
        floor = refusing[0]
        does = "nothing is answered" if told.now is None else "it is answered all the same"
        return f"{does}: the best confidence is {floor.best:.3f}, under {floor.least:.3f}"
    for gone, here, does in ((told.now, told.was, "is dropped"), (told.was, told.now, "is kept")):
        if gone is None and here is not None and here.relevance is not None:
            return f"nothing but meaning finds it, and what has a cosine of {here.relevance:.2f} {does}"
    return "others are dropped" if len(told.after) < len(told.before) else "others are kept"


def _cutoff(told: Told) -> str:
    cut = told.after.trace.cutoff if told.now is None else told.before.trace.cutoff
    if cut is None:
        return ""
    why = f"the score falls by {100 * cut.drop:.0f} % (limit {100 * cut.gap:.0f} %)"
    if told.now is None:
        return f"the list ends after {cut.index}: {why}"
    return f"the list goes on after {cut.index}, where {why}" if told.was is None else ""


def _mmr(told: Told) -> str:
    enabled = told.profiles[1].mmr.enabled
    return "what is like something above it gives way" if enabled else "what is like something above it no longer does"


def _fold(told: Told) -> str:
    for response, says in (
        (told.after, "it says the same as"),
        (told.before, "it is listed, although it says the same as"),
    ):
        for result in response.results:
            if any(told.id == folded.id for folded in result.folded):
                return f"{says} the {_nth(result.rank)}"
    return "what says the same is listed" if not told.profiles[1].fold.enabled else "what says the same is folded"


def _page(told: Told) -> str:
    return f"the page holds {told.limit}"


def _constants(told: Told) -> str:
    """The constants of the group, from one value to the other."""
    changed = [
        f"{key} {own_profiles.written(one)} → {own_profiles.written(other)}"
        for key, (one, other) in own_profiles.differences(*told.profiles).items()
        if key.split(".")[0] == told.group
    ]
    return ", ".join(changed[:MOST])


_SENTENCES: dict[str, Callable[[Told], str]] = {
    "reading": _reading,
    "depth": _depth,
    "arms": _arms,
    "fusion": _fusion,
    "recency": _recency,
    "abstain": _abstain,
    "fold": _fold,
    "cutoff": _cutoff,
    "mmr": _mmr,
    "page": _page,
}


def _votes(result: Result | None) -> tuple[Vote, ...]:
    return result.why.arms if result and result.why else ()


def _weight(result: Result | None, name: str) -> tuple[float, str] | None:
    weights = result.why.weights if result and result.why else ()
    return next(((each.factor, each.detail) for each in weights if each.name == name), None)


def _ran(response: SearchResponse) -> list[Arm]:
    return [trace.arm for trace in response.trace.arms if trace.ran]


def _nth(rank: int | None) -> str:
    if rank is None:
        return "nowhere"
    ending = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
