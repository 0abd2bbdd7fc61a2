"""The process that holds the engine for a Jupyter server: questions come in at stdin, answers go out at stdout.

`python -m jupyter_memo.jupyter.worker` is started by `relay`, which says what a frame is, and ends when its stdin does:
also when the server was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from jupyter_memo.jupyter.answering import background, told
from jupyter_memo.jupyter.serving import Serving

if TYPE_CHECKING:
    from jupyter_memo.engine import Memo

END_SECONDS = 20.0
"""Time for a write that has begun to become whole after the server is gone. Longer ones the next run heals."""

NICE = 10
"""How far an index run stands back behind what a person waits for, where the system knows such a thing."""

Opener = Callable[[dict[str, Any]], "Memo"]


class Worker:
    """Opens the engine when something is first asked of it, and again when that failed."""

    def __init__(self, opening: dict[str, Any], opener: Opener, frames: IO[bytes]) -> None:
        self._opening = opening
        self._opener = opener
        self._frames = frames
        self._gate = threading.Lock()
        self._turn = asyncio.Lock()
        self._cancelled: set[object] = set()
        self._serving: Serving | None = None
        self._memo: Memo | None = None

    def take(self, message: dict[str, Any]) -> None:
        """Take a request in, and return at once."""
        if message.get("do") == "cancel" and self._serving is None:
            self._cancelled.add(message.get("of"))
        background().spawn(self._take(message))

    def close(self) -> None:
        """Cancel what is under way, and put the store away."""
        if self._serving is not None:
            self._serving.stop()
        if self._memo is not None:
            self._memo.close()

    async def _take(self, message: dict[str, Any]) -> None:
        async with self._turn:  # in the order they came
            if self._serving is None:
                # Each opening that fails may have waited long: none is for a request that nobody waits for.
                if message.get("do") == "cancel" or message.get("request") in self._cancelled:
                    self._cancelled.discard(message.get("request"))
                    return
                try:
                    self._memo = await asyncio.to_thread(self._opener, self._opening)
                except Exception as error:
                    self.send({"request": message.get("request"), "is": "failed", "error": told(error, "server")})
                    return
                self._serving = Serving(self._memo, self.send, self._opening)
                self._cancelled.clear()
        self._serving.take(message)

    def send(self, message: dict[str, Any]) -> None:
        """Write a frame; from any thread."""
        request, what = message.pop("request"), message.pop("is")
        value = message.pop("value", None) or message.pop("error", None) or message
        facts = value.pop("facts", {}) if what == "done" else {}
        answer = value.get("response", value)
        payload = answer if isinstance(answer, bytes) else _json(answer)
        header = _json({"request": request, "is": what, "bytes": len(payload), **facts})
        # A server that is gone hears nothing; that its end of stdin is gone too, ends this process.
        with self._gate, contextlib.suppress(OSError):
            self._frames.write(header + b"\n" + payload)
            self._frames.flush()


def opened(opening: dict[str, Any]) -> Memo:
    """The engine that the server's opening message asks for."""
    from jupyter_memo.engine import Memo

    return Memo.open(opening.get("store"), read_only=bool(opening.get("read_only")))


def main(opener: Opener = opened) -> None:
    """Serve until stdin ends. `opener` makes the engine."""
    frames = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not stand between the frames
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source = sys.stdin.buffer
    opening = json.loads(source.readline() or b"{}")
    if opening.get("index") and hasattr(os, "nice"):
        os.nice(NICE)
    worker = Worker(opening, opener, frames)
    for line in source:
        worker.take(json.loads(line))
    end = threading.Timer(END_SECONDS, os._exit, (1,))
    end.daemon = True
    end.start()
    worker.close()
    # Threads of libraries may still wait for work that will not come.
    os._exit(0)


def _json(value: Any) -> bytes:
    # A name on the disk may hold bytes that are no text.
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain).encode(
        "utf-8", "replace"
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    raise TypeError(type(value).__name__)


if __name__ == "__main__":
    main()
