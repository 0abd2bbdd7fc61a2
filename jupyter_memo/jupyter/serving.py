"""Answers what the side panel asks through the server: all that a widget asks, and what goes beyond one list.

Requests are those of `answering`; these verbs add to it, or take more:

    do        takes                                        gives
    search    query, view, and OPTIONS                     the response
    similar   text, or id, or search and rank; OPTIONS     the response
    context   query, max_tokens, even_if_flat, OPTIONS     the fields of `PromptContext` but its response
    explain   search, rank                                 {response, without, enough, last, same}
    why_not   query, target                                the fields of `WhyNot`
    cite      search, rank, style (also: quote)            {text}
    judge     grade, and search and rank, or query and id  {grade, uri}, once it is durable
    open      id, or search and rank                       where JupyterLab opens it
    passage   id                                           {id, uri, title, header, kind, text}
    facets    -                                            {kinds, namespaces, tags, folders, months}
    index     paths, namespace, kind, tags, allow_secrets  {report, text}, and progress
    status    -                                            the fields of `Status`, and profiles, their names
    doctor    -                                            {checks}

What a verb gives is the answer; where it holds `response`, that is, and `facts` beside it are what the server counts.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jupyter_memo import health, wire
from jupyter_memo.errors import LifecycleError, QueryError
from jupyter_memo.jupyter import display, opening, surroundings, values
from jupyter_memo.jupyter.answering import Answering, Send
from jupyter_memo.query import whole
from jupyter_memo.records import Passage, SourceStatus
from jupyter_memo.render import report, visible
from jupyter_memo.response import IndexReport, Result, SearchResponse, SourceReport

if TYPE_CHECKING:
    from jupyter_memo.engine import Memo

NAMES = ("kind", "namespace", "tag", "source", "library", "version", "lang", "queries", "surfaces")
TEXTS = ("mode", "profile", "granularity", "since", "before", "as_of")
SWITCHES = ("sync", "explain", "record")
NUMBERS = ("limit", "offset", "min_trust", "min_relevance")

OPTIONS = (*NAMES, *TEXTS, *SWITCHES, *NUMBERS)
"""The options of `Memo.search` that a message may hold; what is null or missing is not given."""

MOST_BYTES = 2**20
"""The most that a list takes as JSON: no honest one does."""

READ: dict[str, SourceStatus] = {"read": "indexed", "unchanged": "unchanged", "removed": "removed"}
"""What a report calls the sources of a status."""

LISTED = 200
"""Sources that a report names one by one, of those that failed and of those that were skipped."""


class Serving(Answering):
    """The worker's side of one server. `opened` is what the server opened it with (root, read_only, …)."""

    kept = 64
    log = "server"

    def __init__(self, memo: Memo, send: Send, opened: Mapping[str, Any]) -> None:
        super().__init__(memo, send, {})
        self._opened = opened
        self._verbs |= {
            "similar": self._similar,
            "context": self._context,
            "explain": self._explain,
            "why_not": self._why_not,
            "open": self._open,
            "passage": self._passage,
            "facets": self._facets,
            "status": self._status,
            "doctor": self._doctor,
        }

    async def _search(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        query = message.get("query", "")
        if isinstance(query, str) and not query.strip():
            query = values.EVERYTHING
        return await self._listed(request, message, lambda given: self._memo.search_async(query, **given))

    async def _similar(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        async def ask(given: dict[str, Any]) -> SearchResponse:
            target: str | Passage | Result = str(message.get("text") or "")
            if "search" in message:
                response, rank = self._named(message)
                target = response.at(rank)
            elif "id" in message:
                target, _ = await self._memo.passage_async(str(message["id"]))
            return await self._memo.similar_async(target, min_similarity=message.get("min_similarity"), **given)

        return await self._listed(request, message, ask)

    async def _context(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        given = options(message)
        given |= {name: message[name] for name in ("max_tokens", "even_if_flat") if message.get(name) is not None}
        if not isinstance(given.get("even_if_flat", False), bool):
            raise QueryError("even_if_flat is neither true nor false")
        made = await self._memo.context_async(message.get("query", ""), **given)
        self._keep(request, made.response)
        return made.to_dict()

    async def _listed(self, request: str, message: dict[str, Any], ask: Any) -> dict[str, Any]:
        """A response of the engine. A later one of the same view cancels it; without a view nothing does."""
        given = options(message)
        view = message.get("view")
        if view is not None:
            self._cancel(self._searching.get(str(view)))
            self._searching[str(view)] = request
        try:
            response = await ask(given)
        finally:
            if view is not None and self._searching.get(str(view)) == request:
                del self._searching[str(view)]
        self._keep(request, response)
        return {"response": _json_of(response), "facts": counted(response)}

    async def _fields(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        return {"fields": await values.of_fields(self._memo)}  # other processes write to the index too

    async def _explain(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        response, rank = self._named(message)
        ablation = await asyncio.to_thread(self._memo.explain, response, rank)
        made = {
            "response": wire.to_dict(display.saved(ablation.response.shared("snippets")), "snippets"),
            "without": [dataclasses.asdict(each) for each in ablation.without],
            "enough": ablation.enough,
            "last": ablation.last,
            "same": ablation.same,
        }
        return {"response": made}

    async def _why_not(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        query, target = message.get("query"), message.get("target")
        if not isinstance(query, str) or not isinstance(target, str) or not target.strip():
            raise QueryError("why is what not found? Give a query, and a target: a path, a glob, an id")
        return dataclasses.asdict(await asyncio.to_thread(self._memo.why_not, query, target, **options(message)))

    async def _cite(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        if message.get("style") != "quote":
            return await super()._cite(request, message)
        response, rank = self._named(message)
        return {"text": opening.quote(response, rank)}

    async def _judge(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        asked: SearchResponse | str
        if "search" in message:
            asked, rank = self._named(message)
            id = asked.at(rank).passage.id
        else:
            asked = message.get("query", "")
            if not isinstance(asked, str) or not asked.strip():
                raise QueryError("judged for what? Give a search and a rank, or a query and the id of a passage")
            id = (await self._memo.passage_async(str(message.get("id"))))[0].id
        kept = await asyncio.to_thread(self._memo.judge, asked, id, whole(message.get("grade"), "grade"))
        return {"grade": kept.grade, "uri": visible.line(kept.uri)}

    async def _open(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        id = message.get("id")
        if "search" in message:
            response, rank = self._named(message)
            id = response.at(rank).passage.id
        passage, path = await self._memo.passage_async(str(id))
        return await asyncio.to_thread(opening.place, passage, path, str(self._opened.get("root", "")))

    async def _passage(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        passage, _ = await self._memo.passage_async(str(message.get("id")))
        return {
            "id": passage.id,
            "uri": visible.line(passage.uri),
            "title": visible.line(passage.title),
            "header": [visible.line(part) for part in passage.header],
            "kind": passage.kind,
            "text": passage.text,
        }

    async def _facets(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        return dict(await self._memo.facets_async())

    async def _index(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        names = ("namespace", "kind", "allow_secrets")
        given = {name: message[name] for name in names if message.get(name) is not None}
        if message.get("tags"):
            given["tags"] = tuple(map(str, message["tags"]))
        made = await self._memo.index_async(*message["paths"], progress=self._progress(request), **given)
        return {"report": reported(made), "text": report.plain(made)}

    async def _status(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        status = await asyncio.to_thread(self._memo.status)
        facts = {name: getattr(status, name) for name in ("passages", "sources", "pending", "index_version")}
        # What the server passed over on its way to the store that it named.
        notices = tuple(dict.fromkeys((*status.notices, *map(str, self._opened.get("told", ())))))
        names = [profile.name for profile in self._memo.profiles()]
        return {"response": dataclasses.asdict(status) | {"notices": notices, "profiles": names}, "facts": facts}

    async def _doctor(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        checks = await asyncio.to_thread(lambda: (*self._memo.doctor(), *surroundings.of_server()))
        told = map(health.passed_over, map(str, self._opened.get("told", ())))
        return {"checks": [dataclasses.asdict(check) for check in dict.fromkeys((*checks, *told))]}

    def _named(self, message: dict[str, Any]) -> tuple[SearchResponse, int]:
        response = self._answered.get(str(message.get("search")))
        if response is None:
            raise LifecycleError("this list is no longer kept. Search again")
        rank = whole(message.get("rank"), "rank")
        response.at(rank)
        return response, rank


def _json_of(response: SearchResponse) -> bytes:
    """The response as JSON: with snippets, and shortened where texts of a hostile length stand in it."""
    light = display.saved(response.shared("snippets"))
    made = _dumped(light)
    for characters in display.SHORTER:
        if len(made) <= MOST_BYTES:
            break
        made = _dumped(display.shortened(light, characters))
    return made


def _dumped(response: SearchResponse) -> bytes:
    return wire.dumps(response, "snippets").encode()


def options(message: Mapping[str, Any]) -> dict[str, Any]:
    """The options in a message, each of a kind that it may be. Raises QueryError."""
    given = {name: message[name] for name in OPTIONS if message.get(name) is not None}
    for name, value in given.items():
        if name in TEXTS and not isinstance(value, str):
            raise QueryError(f"{name} is no text. Write it in quotes")
        if name in SWITCHES and not isinstance(value, bool):
            raise QueryError(f"{name} is neither true nor false")
        if name in NAMES:
            several = value if isinstance(value, list) else [value]
            if not all(isinstance(each, str) for each in several):
                raise QueryError(f"{name} is no text and no list of texts. Write it in quotes")
            given[name] = tuple(several)
    return given


def counted(response: SearchResponse) -> dict[str, Any]:
    """What the server's metrics count of a response."""
    trace, cut = response.trace, response.trace.cutoff
    ends = {"gap": cut is not None, "budget": trace.budget.left_out > 0, "limit": response.truncated > 0}
    refused = trace.floor is not None and trace.floor.refused
    return {
        "mode": response.mode_effective,
        "outcome": "found" if response.results else "abstained" if refused else "nothing",
        "degraded": response.degraded.code if response.degraded.flag else "",
        "cutoff": next((name for name, is_so in ends.items() if is_so), "none"),
        "arms": [[arm.arm, arm.ms / 1000, arm.candidates] for arm in trace.arms if arm.ran],
        "seconds": trace.total_ms / 1000,
        "index_version": trace.index_version,
    }


def reported(made: IndexReport) -> dict[str, Any]:
    """An index report as JSON: its counts, and the sources that were not read, with reason and cure."""
    found = {
        entry.name: getattr(made, entry.name)
        for entry in dataclasses.fields(made)
        if entry.name not in ("sources", "unlisted", "skipped", "failed")
    }
    statuses = Counter(source.status for source in made.sources) + Counter(dict(made.unlisted))
    found |= {name: statuses[status] for name, status in READ.items()}
    for status, total in (("skipped", made.skipped), ("failed", made.failed)):
        found[f"{status}_total"] = total
        found[status] = [_source(each) for each in made.sources if each.status == status][:LISTED]
    found["held_back"] = [_source(each) for each in made.sources if each.withheld][:LISTED]
    return found


def _source(source: SourceReport) -> dict[str, str]:
    reason, stop, cure = visible.line(source.reason).partition(". ")
    return {"uri": visible.line(source.uri), "reason": reason + stop.strip(), "cure": cure}
