"""The routes of the server extension, all below `jupyter-memo/`: thin, and without the engine.

A handler checks who asks and what for, hands the question to the worker and its answer back as it came.
"""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Callable, Mapping
from http.client import responses
from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado import web

from jupyter_memo.errors import MemoError
from jupyter_memo.jupyter import metrics, places
from jupyter_memo.jupyter.jobs import LOG
from jupyter_memo.jupyter.refusals import RefusedError
from jupyter_memo.jupyter.relay import NOTHING, Answer

if TYPE_CHECKING:
    from jupyter_memo.jupyter.server import MemoServer

MOST_BYTES = 2**20
"""The largest body that is read: a thousand pages of text to find similar ones of."""

MOST_WAITING = 64
"""Questions that may wait for the engine at once; a panel has one or two."""

ANSWER_SECONDS = 60.0

SEARCH_HEADER = "Memo-Search"
"""The header of a list that names it for later: explain, cite, judge, open."""

INDEX_OPTIONS: dict[str, type] = {"namespace": str, "kind": str, "tags": list, "allow_secrets": bool}

MOST_PATHS = 200
"""Paths that one index run may be asked for: a folder is one."""

CODES = {
    400: "BadRequest",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    408: "Timeout",
    413: "TooLarge",
    415: "BadRequest",
}
"""The code of what the framework itself refuses, by its status; of any other `internal`."""


class MemoHandler(APIHandler):
    """What all routes share. Every verb of every route is decorated with who may ask (a test sees to it)."""

    auth_resource = "jupyter_memo"
    _asking: asyncio.Future[Answer] | None = None
    _left = False
    _superseded = False

    @property
    def memo(self) -> MemoServer:
        found: MemoServer = self.settings["jupyter_memo"]
        return found

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")

    def compute_etag(self) -> None:
        """None: answers are not kept, and hashing them takes time."""

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """The error as {code, message, hint}; of what is not ours no more than its status, no traceback, no path."""
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, RefusedError):
            self._superseded = error.code == "Superseded"
            self.set_status(error.status)
            self.finish(error.told())
            return
        known = isinstance(error, web.HTTPError)
        message = responses.get(status_code, "This failed") + "."
        hint = "" if known else LOG
        self.finish({"code": CODES.get(status_code, "internal"), "message": message, "hint": hint})

    def log_exception(self, kind: Any, error: Any, trace: Any) -> None:
        """Nothing for a refusal: it is an answer."""
        if not isinstance(error, RefusedError):
            super().log_exception(kind, error, trace)

    def _log(self) -> None:
        """No line for a search that a later one took the place of: whoever types makes one with every letter."""
        if not self._superseded:
            super()._log()

    def on_connection_close(self) -> None:
        """Who has gone needs no answer."""
        self._left = True
        if self._asking is not None:
            self._asking.cancel()

    def body(self) -> dict[str, Any]:
        """The JSON object that was sent. Raises RefusedError for anything else, and for too much."""
        if len(self.request.body) > MOST_BYTES:
            raise RefusedError("TooLarge", "This is more than 1 MB.", "Send a part of it.")
        try:
            found = json.loads(self.request.body or b"{}")
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise RefusedError("BadRequest", "The body is no JSON object.", 'Send {"query": "…"} or the like.')
        return found

    async def ask(self, do: str, message: Mapping[str, Any] = NOTHING) -> Answer:
        """The worker's answer. Raises RefusedError when it has none, too many wait, or it takes too long."""
        relay = self.memo.relay
        if relay.waiting >= MOST_WAITING:
            raise RefusedError("Busy", f"{MOST_WAITING} questions are waiting already.", "Try again in a moment.")
        self._asking = asyncio.ensure_future(relay.ask(do, message, seconds=ANSWER_SECONDS))
        try:
            return await self._asking
        except asyncio.CancelledError:
            if self._left:
                raise web.Finish from None
            raise

    async def pass_on(self, do: str, message: Mapping[str, Any] = NOTHING) -> None:
        """Answer with what the worker answers."""
        await self.finish((await self.ask(do, message)).payload)

    async def list_of(self, do: str) -> None:
        """Answer with a list of results, named for later, and count it."""
        try:
            answer = await self.ask(do, self.body())
        except RefusedError as refusal:
            metrics.refused(refusal.code)
            raise
        metrics.searched(answer.facts)
        self.set_header(SEARCH_HEADER, answer.request)
        await self.finish(answer.payload)


class SearchHandler(MemoHandler):
    @web.authenticated
    @authorized
    async def post(self) -> None:
        await self.list_of("search")


class SimilarHandler(MemoHandler):
    @web.authenticated
    @authorized
    async def post(self) -> None:
        await self.list_of("similar")


class AboutHandler(MemoHandler):
    """What is asked of a list or a passage of it: the verb is the route's."""

    def initialize(self, do: str, writes: bool = False) -> None:
        self._do = do
        self._writes = writes

    @web.authenticated
    @authorized
    async def post(self) -> None:
        if self._writes:
            self.memo.check_writable()
        await self.pass_on(self._do, self.body())


class ReadHandler(MemoHandler):
    """What is asked without a body: the verb is the route's."""

    def initialize(self, do: str) -> None:
        self._do = do

    @web.authenticated
    @authorized
    async def get(self) -> None:
        await self.pass_on(self._do)


class PassageHandler(MemoHandler):
    @web.authenticated
    @authorized
    async def get(self) -> None:
        await self.pass_on("passage", {"id": self.get_query_argument("id", "")})


class StatusHandler(MemoHandler):
    @web.authenticated
    @authorized
    async def get(self) -> None:
        found, store, error = self.memo.described(), b"null", b"null"
        try:
            answer = await self.ask("status")
            store = answer.payload
            metrics.stands(answer.facts)
        except RefusedError as refusal:
            error = json.dumps(refusal.told()).encode()
        # The engine's part goes out as it came, between the server's own.
        own = json.dumps(found).encode()
        await self.finish(own[:-1] + b', "store": ' + store + b', "error": ' + error + b"}")


class JobsHandler(MemoHandler):
    @web.authenticated
    @authorized
    async def get(self) -> None:
        self.finish({"jobs": self.memo.jobs.told()})

    @web.authenticated
    @authorized
    async def post(self) -> None:
        self.memo.check_writable()
        body = self.body()
        asked = body.get("paths")
        if not isinstance(asked, list) or not asked or not all(isinstance(each, str) for each in asked):
            raise RefusedError("QueryError", "paths is no list of paths.", 'Send {"paths": [""]} for the whole folder.')
        if len(asked) > MOST_PATHS:
            raise RefusedError("TooLarge", f"{len(asked)} paths are too many.", "Send the folder they lie in.")
        paths = await asyncio.to_thread(places.confined, asked, self.memo.root, self.memo.folders)
        job = self.memo.jobs.start(asked, [str(path) for path in paths], _given(body))
        self.set_status(202)
        self.finish({"job": job})


class JobHandler(MemoHandler):
    @web.authenticated
    @authorized
    async def get(self, job: str) -> None:
        self.finish(self.memo.jobs.find(job).told())

    @web.authenticated
    @authorized
    async def delete(self, job: str) -> None:
        self.finish(self.memo.jobs.cancel(job).told())


class SettingsHandler(MemoHandler):
    """The settings in force and where each stands; changes go to the user's own file."""

    @web.authenticated
    @authorized
    async def get(self) -> None:
        from jupyter_memo.jupyter import settings

        self.finish(await self._told(functools.partial(settings.read, self.memo.root)))

    @web.authenticated
    @authorized
    async def put(self) -> None:
        from jupyter_memo.jupyter import settings

        told = await self._told(functools.partial(settings.write, self.memo.root, self.body()))
        await self.memo.settings_changed()  # before the answer: what is asked next is answered by what was changed
        self.finish(told)

    async def _told(self, work: Callable[[], Any]) -> Any:
        try:
            return await asyncio.to_thread(work)
        except MemoError as error:
            message, stop, hint = str(error).partition(". ")
            raise RefusedError(type(error).__name__, message + stop.strip(), hint) from error


def _given(body: dict[str, Any]) -> dict[str, Any]:
    """The options of an index run, each of a kind that it may be. Raises RefusedError."""
    given = {name: body[name] for name in INDEX_OPTIONS if body.get(name) is not None}
    for name, value in given.items():
        sound = isinstance(value, INDEX_OPTIONS[name])
        if not sound or (name == "tags" and not all(isinstance(tag, str) for tag in value)):
            raise RefusedError("QueryError", f"{name} cannot be that.", "Leave it out, or write it anew.")
    return given


ROUTES: list[tuple[Any, ...]] = [
    ("jupyter-memo/search", SearchHandler),
    ("jupyter-memo/similar", SimilarHandler),
    ("jupyter-memo/context", AboutHandler, {"do": "context"}),
    ("jupyter-memo/explain", AboutHandler, {"do": "explain"}),
    ("jupyter-memo/why-not", AboutHandler, {"do": "why_not"}),
    ("jupyter-memo/cite", AboutHandler, {"do": "cite"}),
    ("jupyter-memo/judge", AboutHandler, {"do": "judge", "writes": True}),
    ("jupyter-memo/open", AboutHandler, {"do": "open"}),
    ("jupyter-memo/passage", PassageHandler),
    ("jupyter-memo/values", ReadHandler, {"do": "values"}),
    ("jupyter-memo/facets", ReadHandler, {"do": "facets"}),
    ("jupyter-memo/index", JobsHandler),
    ("jupyter-memo/index/([0-9a-f]{1,32})", JobHandler),
    ("jupyter-memo/status", StatusHandler),
    ("jupyter-memo/doctor", ReadHandler, {"do": "doctor"}),
    ("jupyter-memo/settings", SettingsHandler),
]
