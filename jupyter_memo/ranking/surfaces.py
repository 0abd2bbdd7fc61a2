"""Lists of several surfaces as one, after Kemory's search across surfaces.

Each surface (memory, chat, file) is searched by itself and keeps the scores of that search, its native ones. They are
never set against each other: what counts is the rank in a surface's own list, how close a result comes to the best of
that list, and how near the surface comes to the question at all, in a unit that all surfaces share:

    score = (k + 1) / (k + rank) × native / best × nearness

`nearness` is the surface's highest cosine as a share of the highest of all surfaces. So the first of the nearest
surface has 1, and a surface that holds nothing of the subject stands behind, whatever its own scores are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from jupyter_memo.profile import Bands, Surfaces
from jupyter_memo.ranking.stage import SCORE_DIGITS, Candidates
from jupyter_memo.records import Surface
from jupyter_memo.response import Candidate, Weight


def merge(lists: Mapping[Surface, Candidates], constants: Surfaces, *, absolute: bool = False) -> Candidates:
    """One list out of the ranked lists of all surfaces. Each score is the native one × a weight named `surface`, so
    that votes, weights and score add up as in any other list. Equal scores go by the native one, then by id.

    `absolute` says that native scores have one unit on all surfaces; where no meaning was searched they tell nearness.
    """
    near = nearness(lists, absolute=absolute) if constants.calibrated else {}
    merged = [
        (_placed(candidate, surface, rank, candidates[0].score, near.get(surface, 1.0), constants), candidate.score)
        for surface, candidates in lists.items()
        for rank, candidate in enumerate(candidates, 1)
    ]
    merged.sort(key=lambda each: (-each[0].score, -each[1], each[0].id))
    return tuple(one for one, _ in merged)


def nearness(lists: Mapping[Surface, Candidates], *, absolute: bool = False) -> dict[Surface, float]:
    """How near each surface that found anything comes to the question, 0 to 1, the nearest 1: by its highest cosine;
    without cosines by its highest native score where that is `absolute`, else all alike."""
    found = {surface: candidates for surface, candidates in lists.items() if candidates}
    cosines = {surface: nearest(candidates) for surface, candidates in found.items()}
    tops = {surface: top for surface, top in cosines.items() if top is not None}
    if len(tops) < len(found):
        tops = {surface: candidates[0].score if absolute else 1.0 for surface, candidates in found.items()}
    most = max(tops.values(), default=0.0)
    return {surface: max(0.0, top) / most if most > 0 else 1.0 for surface, top in tops.items()}


def nearest(candidates: Candidates) -> float | None:
    """The highest cosine of a list; None where meaning found nothing of it."""
    return max((each.relevance for each in candidates if each.relevance is not None), default=None)


def floor(surface: Surface, asked: float | None, constants: Surfaces, bands: Bands) -> float | None:
    """The least cosine of what nothing but meaning found on that surface, from the caller's own floor: it is raised,
    never lowered, and 0 opts out."""
    if surface not in constants.floored or constants.floor == "none" or asked == 0:
        return asked
    least: float = getattr(bands, constants.floor)
    return least if asked is None else max(asked, least)


def _placed(
    candidate: Candidate, surface: Surface, rank: int, best: float, near: float, constants: Surfaces
) -> Candidate:
    told = [f"{surface}: number {rank} there"]
    part = near * (constants.k + 1) / (constants.k + rank)
    if constants.relevance:
        factor = part / best if best > 0 else 0.0
        told.append(f"{candidate.score / best if best > 0 else 0:.0%} of its best")
    else:
        factor = part / candidate.score if candidate.score > 0 else 0.0
    if near < 1:
        told.append(f"as near as {near:.0%} of the nearest")
    detail = ", ".join(told)
    return dataclasses.replace(
        candidate,
        score=round(candidate.score * factor, SCORE_DIGITS),
        rrf_rank=None,  # where it would stand on its own surface
        weights=(*candidate.weights, Weight(name="surface", factor=factor, detail=detail)),
        folded=tuple(
            dataclasses.replace(each, score=round(each.score * factor, SCORE_DIGITS)) for each in candidate.folded
        ),
    )
