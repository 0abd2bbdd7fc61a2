"""The server's end of a worker: a process that holds the engine, started when something is first asked of it.

A message to the worker is a JSON object on a line, as `answering` takes it. A frame of the worker is a line, a JSON
object {request, is, bytes, …facts}, and behind it so many bytes: the answer as JSON, which the server hands on as they
came. So neither the engine nor what it answers ever occupies the server's event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import queue
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jupyter_memo.jupyter.refusals import RefusedError, gone, late

COMMAND = (sys.executable, "-P", "-m", "jupyter_memo.jupyter.worker")
"""Without -P Python would import what it needs from the folder it runs in, and that is the user's."""

CLOSE_SECONDS = 25.0
"""How long a worker may take to put its store away before it is killed."""

NOTHING: Mapping[str, Any] = MappingProxyType({})

MOST_OVERDUE = 2
"""So many questions in a row, each asked when the one before it was given up, and a worker that has answered nothing
meanwhile is taken to hang. One alone may have been a hard one."""

WRITES = frozenset({"judge", "index"})
"""What may wait for another program that is writing: that it takes long tells nothing of the worker."""

SETTLE_SECONDS = 0.2
"""A question that was on its way to a worker has reached it by then."""

Told = Callable[[dict[str, Any]], None]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a worker answered: the JSON as it came, and what is to be known of it without reading it."""

    request: str
    payload: bytes
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Waiting:
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Answer]
    told: Told | None


class Relay:
    """One worker, started at the first question and again at the next one when it has died.

    `opening` is what the worker is told first (store, read_only, …); it runs in `folder`. May be used from several
    event loops; `close` ends it for good.
    """

    def __init__(self, opening: dict[str, Any], folder: Path, command: tuple[str, ...] = COMMAND) -> None:
        self._opening = opening
        self._folder = folder
        self._command = command
        self._gate = threading.Lock()
        self._worker: _Worker | None = None
        self._closed = False
        self.waiting = 0
        """How many questions are unanswered."""

    @property
    def pid(self) -> int | None:
        """The process, when one is there."""
        return self._worker.process.pid if self._worker and not self._worker.dead else None

    async def ask(
        self,
        do: str,
        message: Mapping[str, Any] = NOTHING,
        *,
        request: str = "",
        told: Told | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """The answer to a verb of `serving`; `told` is handed its progress. Cancelling this cancels the work, and so
        does the end of its time.

        Raises RefusedError with code Timeout when it took more than `seconds`; with what the engine said; with code
        WorkerGone when the process died over it; and with code Superseded when a later question of the same view took
        its place.
        """
        self.waiting += 1
        try:
            worker = self._worker
            if worker is None or worker.dead:
                worker = await asyncio.to_thread(self._started)
            loop = asyncio.get_running_loop()
            named = request or uuid.uuid4().hex
            waiting = _Waiting(loop, loop.create_future(), told)
            worker.put(named, waiting, {**message, "request": named, "do": do})
            asked = time.monotonic()
            try:
                return await asyncio.wait_for(waiting.answer, seconds)
            except asyncio.CancelledError:
                worker.cancel(named)
                raise
            except TimeoutError:
                worker.cancel(named)
                hangs = do not in WRITES and worker.overdue(asked)
                raise late(seconds or 0, hangs) from None
        finally:
            self.waiting -= 1

    async def retire(self) -> None:
        """End the worker when it has answered what it was asked; nothing more is to be asked of it."""
        await asyncio.sleep(SETTLE_SECONDS)
        while self.waiting:
            await asyncio.sleep(SETTLE_SECONDS)
        await self.close()

    async def close(self) -> None:
        """End the worker: it is told, and killed where it does not end by itself."""
        with self._gate:
            self._closed = True
            worker = self._worker
        if worker is not None:
            await asyncio.to_thread(worker.close)

    def _started(self) -> _Worker:
        with self._gate:
            if self._closed:
                raise gone("the server is shutting down")
            if self._worker is None or self._worker.dead:
                try:
                    self._worker = _Worker(self._command, self._opening, self._folder)
                except OSError as error:
                    raise gone(f"its process cannot be started ({error.strerror})") from error
            return self._worker


class _Worker:
    """One life of a worker: its process, and a thread for each direction, so that a full pipe blocks no loop."""

    def __init__(self, command: tuple[str, ...], opening: dict[str, Any], folder: Path) -> None:
        self.dead = False
        self.waiting: dict[str, _Waiting] = {}
        self._overdue = 0
        self._given_up = 0.0
        self._heard = 0.0
        self._gate = threading.Lock()
        self._out: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.process = subprocess.Popen(  # noqa: S603 (our own module, by our own interpreter)
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in the terminal is for the server, which ends its workers in order
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self.say(opening)
        for work in (self._write, self._read):
            threading.Thread(target=work, name=f"jupyter_memo-{work.__name__}", daemon=True).start()

    def put(self, request: str, waiting: _Waiting, message: dict[str, Any]) -> None:
        with self._gate:
            if not self.dead:
                self.waiting[request] = waiting
                self.say(message)
                return
        raise gone("its process has ended")

    def say(self, message: dict[str, Any]) -> None:
        self._out.put(message)

    def cancel(self, request: str) -> None:
        if self.waiting.pop(request, None) is not None:
            self.say({"request": "", "do": "cancel", "of": request})

    def overdue(self, asked: float) -> bool:
        """Take note that a question of that moment was given up; whether the worker hangs, and was ended for it."""
        if self._heard < asked and self._given_up <= asked:
            self._overdue += 1
        self._given_up = time.monotonic()
        if self._overdue < MOST_OVERDUE:
            return False
        _log.warning("a worker of jupyter_memo answers nothing any more; it is ended, and started anew when needed")
        with self._gate:  # at once: nothing more is to be asked of it
            self.dead = True
        self.process.kill()
        return True

    def close(self) -> None:
        self._out.put(None)
        try:
            self.process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _write(self) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError), self.process.stdin as pipe:
            while (message := self._out.get()) is not None:
                pipe.write(json.dumps(message).encode() + b"\n")
                pipe.flush()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as pipe:
            try:
                for line in pipe:
                    header = json.loads(line)
                    size = header.pop("bytes")
                    payload = pipe.read(size)
                    if len(payload) < size:  # it died while it answered
                        break
                    self._came(header, payload)
            except Exception:
                _log.exception("a worker of jupyter_memo said what cannot be read; it is ended")
                self.process.kill()
        with self._gate:
            self.dead = True
            left, self.waiting = self.waiting, {}
        self._out.put(None)
        self.process.wait()
        for waiting in left.values():
            _settle(waiting, gone("its process has ended"))

    def _came(self, header: dict[str, Any], payload: bytes) -> None:
        request, what = header.pop("request"), header.pop("is")
        waiting = self.waiting.get(request)
        if waiting is None or what == "begun":
            return
        if what == "progress":
            if waiting.told is not None:
                _call(waiting.loop, functools.partial(waiting.told, json.loads(payload)))
            return
        self.waiting.pop(request, None)
        if what != "cancelled":  # which tells that messages are read, and no more
            self._heard, self._overdue = time.monotonic(), 0
        if what == "done":
            _settle(waiting, Answer(request=request, payload=payload, facts=header))
        elif what == "cancelled":
            _settle(waiting, RefusedError("Superseded", "A later question took the place of this one.", ""))
        else:
            _settle(waiting, RefusedError(**json.loads(payload)))


def _settle(waiting: _Waiting, result: Answer | RefusedError) -> None:
    def settle() -> None:
        if waiting.answer.done():
            return
        if isinstance(result, RefusedError):
            waiting.answer.set_exception(result)
        else:
            waiting.answer.set_result(result)

    _call(waiting.loop, settle)


def _call(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(work)
