"""What stands before and after the best passage of a document: for the reader, and no match."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence

from jupyter_memo.ranking.stage import Context
from jupyter_memo.records import Passage
from jupyter_memo.response import SearchResponse
from jupyter_memo.search.planned import Planned
from jupyter_memo.store import filters
from jupyter_memo.store.lance import Store
from jupyter_memo.store.reads import Place

CUT = "…"
MOST_PASSAGES = 3
"""So many passages on one side are joined, where they are short."""

LEAST_TOKENS = 12
"""Less than a line is no context."""


async def beside(store: Store, asked: Planned, context: Context, response: SearchResponse) -> SearchResponse:
    """The same response, each of its documents with the text around its best passage, at most `beside.tokens` on each
    side. It lies within the scope and holds nothing that the query leaves out, and it is counted in the budget, after
    the results: what these have left over is given to the documents in their order."""
    most = context.resolved.profile.beside.tokens
    if context.query.granularity != "document" or not response.results or not most:
        return response
    around = await _around(store, asked, [result.passage for result in response.results])
    ids = list(dict.fromkeys(id for sides in around.values() for side in sides for id in side))
    rows = await store.fetch(ids, where=asked.where, version=asked.snapshot.version)
    budget = response.trace.budget
    left = None if budget.max_tokens is None else budget.max_tokens - budget.used_tokens
    spent, results = 0, []
    for result in response.results:
        texts = []
        for back, side in zip((True, False), around.get(result.passage.id, ((), ())), strict=True):
            room = most if left is None else min(most, left - spent)
            passages = [rows[id].passage for id in side if id in rows]
            text, tokens = _joined(passages, result.passage, room, back=back)
            texts.append(text)
            spent += tokens
        results.append(dataclasses.replace(result, before=texts[0], after=texts[1]))
    budget = dataclasses.replace(budget, used_tokens=budget.used_tokens + spent)
    trace = dataclasses.replace(response.trace, budget=budget)
    return dataclasses.replace(response, results=tuple(results), trace=trace)


Sides = tuple[Sequence[str], Sequence[str]]


async def _around(store: Store, asked: Planned, passages: Sequence[Passage]) -> Mapping[str, Sides]:
    """The ids before and after each of these, the nearest first. Passages whose places are the same (of one page of a
    PDF) are in no known order: there none is told."""
    sources = sorted({passage.source_id for passage in passages})
    where = f"({asked.where}) and {filters.any_of('source_id', sources)}"
    version = asked.snapshot.version
    held: dict[str, list[Place]] = defaultdict(list)
    for place in await store.places(where, version=version):
        held[place.source_id].append(place)
    if asked.plan.left_out:
        wanted = dataclasses.replace(asked.plan, phrases=())
        spared = set(await store.listing(where, wanted, version=version))
        held = defaultdict(list, {source: [each for each in held[source] if each.id in spared] for source in held})
    return {passage.id: _sides(passage.id, held[passage.source_id]) for passage in passages}


def _sides(id: str, places: Sequence[Place]) -> Sides:
    own = next((each.at for each in places if each.id == id), None)
    at: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for each in places:
        at[each.at].append(each.id)
    if own is None or len(at[own]) > 1:
        return (), ()
    order = sorted(at)
    here = order.index(own)
    return _alone([at[place] for place in reversed(order[:here])]), _alone([at[place] for place in order[here + 1 :]])


def _alone(groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The nearest, up to the first place that several passages share."""
    found = []
    for group in groups[:MOST_PASSAGES]:
        if len(group) > 1:
            break
        found.append(group[0])
    return tuple(found)


def _joined(passages: Sequence[Passage], own: Passage, room: int, *, back: bool) -> tuple[str, int]:
    """The text nearest to a passage that `room` tokens hold, and how many it has."""
    parts: list[str] = []
    spent = 0
    for passage in passages:
        left = room - spent
        if left < LEAST_TOKENS:
            break
        text, tokens = _nearest(passage, left, back=back)
        if passage.header != own.header and text == passage.text.strip("\n"):
            text = f"{passage.title}\n{text}"
        parts.append(text)
        spent += tokens
        if tokens < passage.tokens:
            break
    return "\n\n".join(reversed(parts) if back else parts), spent


def _nearest(passage: Passage, room: int, *, back: bool) -> tuple[str, int]:
    """The end of a passage, or its beginning, cut between words, in code between lines. Tokens are taken to be as long
    as they are on the mean."""
    text = passage.text.strip("\n")
    if passage.tokens <= room:
        return text, passage.tokens
    size = int(len(text) * room / passage.tokens)
    gap = "\n" if passage.code else " "
    if back:
        at = text.find(gap, len(text) - size)
        cut = text[at + 1 :] if at >= 0 else text[len(text) - size :]
        return f"{CUT}{gap}{cut}" if passage.code else CUT + cut, room
    at = text.rfind(gap, 0, size + 1)
    cut = text[: at if at > 0 else size]
    return f"{cut}{gap}{CUT}" if passage.code else cut + CUT, room
