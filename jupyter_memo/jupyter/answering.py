"""Answers what the front end of a search widget asks: searches, citations, judgements, index runs. What the side panel
asks besides stands in `serving`.

A request is a JSON object {request, do, …}; its answers are {request, is, …}, where `is` is begun, then progress any
number of times, then one of done (value), failed (error: code, message, hint) or cancelled. A search response is the
JSON of `wire.schema.json`.

    do        takes                       gives
    search    view, query, offset         {response}; a later one of the same view cancels it
    values    -                           {fields: {kind: […], …}} for completion
    cite      search, rank, style         {text}
    judge     search, rank, grade         {grade, uri}, once it is durable
    index     paths                       {text}, and progress (done, total, name)
    cancel    of                          nothing: the request named by `of` answers

Requests come in on whatever thread reads them (that of the cells between cells, one of its own where the front end uses
subshells) and leave it at once. They are answered from one background thread, so that neither a running cell nor the
reading of messages waits for the engine, and nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from jupyter_memo import wire
from jupyter_memo.errors import MemoError, QueryError, StoreError
from jupyter_memo.jupyter import display, values
from jupyter_memo.render import report, visible
from jupyter_memo.response import SearchResponse, Share
from jupyter_memo.runner import Runner

if TYPE_CHECKING:
    from jupyter_memo.engine import Memo

Send = Callable[[dict[str, Any]], None]

KEPT = 8
"""Responses kept to be cited and judged from: those that the views of one widget can show, and a few before them."""

PROGRESS_SECONDS = 0.1
"""The least time between two progress messages; nobody reads faster, and the channel is shared with the cells."""

_log = logging.getLogger(__name__)


@functools.lru_cache(maxsize=1)
def background() -> Runner:
    """The thread that answers for every widget of this process."""
    return Runner("jupyter_memo-widgets")


class Answering:
    """The kernel's side of one widget. `send` hands a message to the front end and may be called from any thread;
    `options` are those of `Memo.search` for every search; other wordings among them are those of the query `about`, and
    have no vote on another one."""

    kept = KEPT
    log = "kernel"

    def __init__(self, memo: Memo, send: Send, options: dict[str, Any], about: str = "") -> None:
        self.last: SearchResponse | None = None
        self._memo = memo
        self._send = send
        self._options = options
        self._about = about
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._searching: dict[str, str] = {}
        self._answered: OrderedDict[str, SearchResponse] = OrderedDict()
        self._values: tuple[int, dict[str, list[str]]] = (-1, {})
        self._indexing = False
        self._verbs: dict[str, Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]] = {
            "search": self._search,
            "values": self._fields,
            "cite": self._cite,
            "judge": self._judge,
            "index": self._index,
        }

    def take(self, message: object) -> None:
        """Take a request in, and return at once. What is no request is left alone."""
        if isinstance(message, dict) and isinstance(message.get("request"), str) and isinstance(message.get("do"), str):
            background().spawn(self._take(message["request"], message["do"], message))

    def stop(self) -> None:
        """Cancel everything that is under way."""
        background().loop.call_soon_threadsafe(lambda: [task.cancel() for task in self._tasks.values()])

    async def _take(self, request: str, do: str, message: dict[str, Any]) -> None:
        if do == "cancel":
            self._cancel(str(message.get("of")))
            return
        task = asyncio.current_task()
        if task is None or do not in self._verbs:
            self._fail(request, QueryError(f"the widget cannot {do!r}. Run its cell again: it is of another version"))
            return
        self._tasks[request] = task
        self._tell(request, "begun")
        try:
            self._tell(request, "done", value=await self._verbs[do](request, message))
        except asyncio.CancelledError:
            if task.cancelling():
                self._tell(request, "cancelled")
            else:  # it was the engine that stopped
                self._fail(request, StoreError("this memo is closed. Open it again, and run this cell again"))
        except MemoError as error:
            self._fail(request, error)
        except Exception as error:
            _log.exception("a request of the search widget failed")
            self._fail(request, error)
        finally:
            self._tasks.pop(request, None)

    async def _search(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        view = str(message.get("view"))
        self._cancel(self._searching.get(view))
        self._searching[view] = request
        try:
            query, given = str(message.get("query", "")), dict(self._options)
            if query.strip() != self._about.strip():
                given.pop("queries", None)
            response = await self._memo.search_async(query, offset=_number(message, "offset", 0), **given)
        finally:
            if self._searching.get(view) == request:
                del self._searching[view]
        self._keep(request, response)
        # The share level bounds what is saved, and nothing of this is: a widget's messages are no output.
        level: Share = "full" if response.share == "full" else "snippets"
        return {"response": wire.to_dict(display.saved(response.shared(level)), level)}

    def _keep(self, request: str, response: SearchResponse) -> None:
        """Keep the response, to be named by its request."""
        self.last = self._answered[request] = response
        while len(self._answered) > self.kept:
            self._answered.popitem(last=False)

    async def _fields(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        version = self.last.trace.index_version if self.last else 0
        if self._values[0] != version:
            self._values = (version, await values.of_fields(self._memo))
        return {"fields": self._values[1]}

    async def _cite(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        response, rank = self._named(message)
        return {"text": response.cite(message.get("style", "markdown"), (rank,))}

    async def _judge(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        response, rank = self._named(message)
        kept = await asyncio.to_thread(self._memo.judge, response, rank, _number(message, "grade", -1))
        return {"grade": kept.grade, "uri": visible.line(kept.uri)}

    async def _index(self, request: str, message: dict[str, Any]) -> dict[str, Any]:
        if self._indexing:
            raise QueryError("this widget is indexing already. Wait until it is done, or cancel it")
        paths = message.get("paths")
        listed = [str(path) for path in paths] if isinstance(paths, list) else []
        self._indexing = True
        try:
            made = await self._memo.index_async(*listed, progress=self._progress(request))
        finally:
            self._indexing = False
            self._values = (-1, {})
        return {"text": report.plain(made)}

    def _progress(self, request: str) -> Callable[[int, int, str], None]:
        """A function for the engine's thread that passes on what is worth a message."""
        loop, told = asyncio.get_running_loop(), 0.0

        def tell(done: int, total: int, name: str) -> None:
            nonlocal told
            now = time.monotonic()
            if done >= total or now - told >= PROGRESS_SECONDS:
                told = now
                step = {"done": done, "total": total, "name": visible.line(name)}
                loop.call_soon_threadsafe(functools.partial(self._tell, request, "progress", **step))

        return tell

    def _named(self, message: dict[str, Any]) -> tuple[SearchResponse, int]:
        """The response and the rank in it that a message names."""
        response = self._answered.get(str(message.get("search")))
        if response is None:
            raise QueryError("this list is no longer kept. Search again")
        rank = _number(message, "rank", 0)
        response.at(rank)
        return response, rank

    def _cancel(self, request: str | None) -> None:
        task = self._tasks.get(request) if request else None
        if task is not None:
            task.cancel()

    def _tell(self, request: str, what: str, **more: Any) -> None:
        self._send({"request": request, "is": what, **more})

    def _fail(self, request: str, error: Exception) -> None:
        self._tell(request, "failed", error=told(error, self.log))


def told(error: Exception, log: str = "kernel") -> dict[str, str]:
    """An error as {code, message, hint}: the name of its class, what is wrong, and the cure its message ends in. The
    traceback of one that nobody raised on purpose stands in the log of `log`."""
    if not isinstance(error, MemoError):
        return {
            "code": "internal",
            "message": f"Something in the engine failed: {type(error).__name__}.",
            "hint": f"The log of the {log} holds the traceback.",
        }
    message, stop, hint = visible.line(str(error)).partition(". ")
    return {"code": type(error).__name__, "message": message + stop.strip(), "hint": hint}


def _number(message: dict[str, Any], name: str, missing: int) -> int:
    value = message.get(name, missing)
    if isinstance(value, bool) or not isinstance(value, int):
        raise QueryError(f"{name} {value!r} is not a whole number. Run this cell again: it is of another version")
    return value
