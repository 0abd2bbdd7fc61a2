"""How a model is named, and how it is loaded while nobody waits for it."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import difflib
import threading
import weakref
from collections.abc import Callable
from typing import Literal

from jupyter_memo.errors import ConfigError, MemoError
from jupyter_memo.models.protocols import Embedder

State = Literal["absent", "idle", "loading", "ready", "failed"]
"""`absent`: no model is wanted (a setting, not a fault). `idle`: not started. The others say what they mean."""

NAMES = ("hash", "minilm", "multilingual", "none", "transformers:NAME")
_TRANSFORMERS = "transformers:"


def load(name: str) -> Embedder | None:
    """The model of that name, loaded now; None for `none`.

    `minilm` is the default, `multilingual` that one beside a model for other scripts, `transformers:NAME` a
    sentence-transformers model by folder or hub name, `hash` for tests.
    Raises ConfigError for another name, MissingExtraError or ModelError when it cannot be loaded.
    """
    check(name)
    if name == "none":
        return None
    if name == "hash":
        from jupyter_memo.models.hash import HashEmbedder

        return HashEmbedder()
    if name == "minilm":
        from jupyter_memo.models import minilm

        return minilm.shared()
    if name == "multilingual":
        from jupyter_memo.models import multilingual

        return multilingual.shared()
    from jupyter_memo.models import transformers

    return transformers.read(name.removeprefix(_TRANSFORMERS))


def check(name: str) -> None:
    """Raises ConfigError, naming the nearest name, when no model can be meant. Loads nothing."""
    if name in NAMES[:4] or (name.startswith(_TRANSFORMERS) and name.removeprefix(_TRANSFORMERS).strip()):
        return
    near = difflib.get_close_matches(name.lower(), NAMES, n=1)
    cure = f"Did you mean {near[0]}?" if near else "Use one of: " + ", ".join(NAMES)
    if name.startswith(_TRANSFORMERS):
        cure = f"Name a model of the hub or a folder behind it: {_TRANSFORMERS}sentence-transformers/all-MiniLM-L6-v2"
    elif "/" in name:
        cure = f"For a model of the hub or a folder write {_TRANSFORMERS}{name}"
    raise ConfigError(f"no embedder is called {name!r}. {cure}")


EXIT_SECONDS = 20.0
"""How long the end of a program waits for a model that is loading: a runtime that is cut short in the midst of that
aborts the process."""

_doors: weakref.WeakSet[Door] = weakref.WeakSet()


@atexit.register
def _settle() -> None:
    for door in tuple(_doors):
        door.settle(EXIT_SECONDS)


class Door:
    """A model that loads in a background thread, once. All methods may be called from any thread.

    `source` is a name for `load`, an embedder, or a function without arguments that gives one. A wrong name raises
    ConfigError here; whatever fails later is told by `state` and `error`, never raised.
    """

    def __init__(self, source: str | Embedder | Callable[[], Embedder | None]) -> None:
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._waiting: list[Callable[[], None]] = []
        self._embedder: Embedder | None = None
        self._error = ""
        self._state: State = "idle"
        self._make: Callable[[], Embedder | None]
        if isinstance(source, str):
            check(source)
            self._make = lambda: load(source)
            if source == "none":
                self._finish(None)
        elif isinstance(source, Embedder) and not isinstance(source, type):
            self._make = lambda: source
            self._finish(source)
        elif callable(source):
            self._make = source
        else:
            raise ConfigError(
                f"an embedder is a name ({', '.join(NAMES)}) or an object of that protocol, not {source!r}"
            )

    @property
    def state(self) -> State:
        return self._state

    @property
    def error(self) -> str:
        """Why loading failed and what helps; empty in every other state."""
        return self._error

    @property
    def embedder(self) -> Embedder | None:
        """The model if it is ready, without waiting for it."""
        return self._embedder

    def start(self) -> None:
        """Begins to load unless that was done before. Returns at once."""
        with self._lock:
            if self._state != "idle":
                return
            self._state = "loading"
        _doors.add(self)
        threading.Thread(target=self._load, name="jupyter_memo-model", daemon=True).start()

    def wait(self, seconds: float | None = None) -> Embedder | None:
        """The model once it is ready, starting it if need be; None if there is none, it failed, or time ran out."""
        self.start()
        self._done.wait(seconds)
        return self._embedder

    def settle(self, seconds: float) -> None:
        """Wait until nothing is being loaded, at most so long; starts nothing."""
        if self._state == "loading":
            self._done.wait(seconds)

    async def ready(self, seconds: float | None = None) -> Embedder | None:
        """`wait` for a coroutine: no thread is kept busy, however long the model takes."""
        self.start()
        loop = asyncio.get_running_loop()
        done = asyncio.Event()

        def tell() -> None:
            with contextlib.suppress(RuntimeError):  # the loop that asked may be closed by now
                loop.call_soon_threadsafe(done.set)

        with self._lock:
            if self._state in ("idle", "loading"):
                self._waiting.append(tell)
            else:
                done.set()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), seconds)
        return self._embedder

    def retry(self) -> None:
        """Loads again after a failure; does nothing in any other state."""
        with self._lock:
            if self._state != "failed":
                return
            self._done.clear()
            self._error = ""
            self._state = "idle"
        self.start()

    def _load(self) -> None:
        try:
            self._finish(self._make())
        except MemoError as error:
            self._fail(str(error))
        except BaseException as error:  # whatever it is, those who wait must hear of it
            self._fail(f"{type(error).__name__}: {error}")

    def _finish(self, embedder: Embedder | None) -> None:
        with self._lock:
            self._embedder = embedder
            self._state = "absent" if embedder is None else "ready"
        self._tell()

    def _fail(self, error: str) -> None:
        with self._lock:
            self._error = error
            self._state = "failed"
        self._tell()

    def _tell(self) -> None:
        self._done.set()
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for tell in waiting:
            tell()
