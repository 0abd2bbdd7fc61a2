"""The extension of the Jupyter server: the engine over REST, for the side panel.

The engine itself never runs here: searches go to one worker process, each index run to one of its own (`relay`,
`worker`). Configure it in `jupyter_server_config.py` as `c.MemoServer`.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_server.extension.application import ExtensionApp
from traitlets import Bool, List, Unicode

from jupyter_memo import __version__, config, wire
from jupyter_memo.errors import MemoError
from jupyter_memo.jupyter import metrics, note, routes, surroundings
from jupyter_memo.jupyter.jobs import Jobs
from jupyter_memo.jupyter.refusals import RefusedError
from jupyter_memo.jupyter.relay import Relay
from jupyter_memo.store import access


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """What the settings and the disk said: where the store is, what was passed over on the way to it, whether it may be
    written to, and the note that was left of it."""

    store: str | None
    told: tuple[str, ...]
    writable: bool
    note: Path | None


class MemoServer(ExtensionApp):
    """Search over notes, notebooks, papers, code and data, for the side panel of JupyterLab."""

    name = "jupyter_memo"

    store = Unicode(
        help="Folder or address of the index. Empty, it is what the settings say, else the nearest folder called "
        ".memo from the server's root folder upwards, else one in your user data."
    ).tag(config=True)
    roots = List(Unicode(), help="More folders that may be indexed, besides the server's root folder.").tag(config=True)
    read_only = Bool(help="Open the index for reading only, as one on a shared folder.").tag(config=True)

    relay: Relay
    jobs: Jobs

    def initialize_settings(self) -> None:
        """Find the store and say so in the note; no process is started before something is asked."""
        assert self.serverapp is not None
        self.root = Path(os.path.abspath(self.serverapp.root_dir))
        self.folders = [folder for each in self.roots if (folder := self._folder(each)) is not None]
        self.jobs = Jobs(lambda: Relay({**self._opening, "index": True}, self.root))
        metrics.JOBS.set_function(lambda: len(self.jobs.running()))
        self._retiring: dict[asyncio.Task[None], Relay] = {}
        self._configure(self._looked())
        atexit.register(note.remove, self._note)

    def initialize_handlers(self) -> None:
        """Add the routes."""
        self.handlers.extend(routes.ROUTES)

    async def settings_changed(self) -> None:
        """Answer by the settings as they stand now. What was asked before is still answered by the older ones; lists
        that were kept are not kept any more."""
        looked = await asyncio.to_thread(self._looked)  # files are read: not in the loop of the server
        task = asyncio.get_running_loop().create_task(self.relay.retire())
        self._retiring[task] = self.relay
        task.add_done_callback(self._retiring.pop)
        self._configure(looked)

    def _looked(self) -> _Looked:
        where, embedder, told = _configured(self.store, self.root)
        config.warn(told)
        return _Looked(
            store=where,
            told=told,
            writable=not self.read_only and (where is None or access.writable(where)),
            note=note.write(surroundings.here(store=where, embedder=embedder)),
        )

    def _configure(self, looked: _Looked) -> None:
        self.writable, self._note = looked.writable, looked.note
        opening = {"store": looked.store, "read_only": self.read_only, "root": str(self.root), "told": looked.told}
        self._opening = opening
        self.relay = Relay(opening, self.root)

    def _folder(self, named: str) -> Path | None:
        try:
            return Path(os.path.abspath(config.expanded(named)))
        except MemoError:  # one that is mistyped must not take the others along
            self.log.warning("c.MemoServer.roots: %r is passed over: there is no such home folder", named)
            return None

    async def stop_extension(self) -> None:
        """End the workers, and take the note away."""
        await self.jobs.close()
        # Also those that still answer what they were asked before the settings changed: nobody waits any more.
        await asyncio.gather(self.relay.close(), *(relay.close() for relay in self._retiring.values()))
        await asyncio.gather(*self._retiring)
        note.remove(self._note)
        atexit.unregister(note.remove)

    def current_activity(self) -> list[str] | None:
        """The index runs that go on, for which a server that nobody uses is not shut down yet."""
        return self.jobs.running() or None

    def described(self) -> dict[str, Any]:
        """What the server itself knows: its versions, its folder, its jobs."""
        return {
            "version": __version__,
            "python": _python(),
            "environment": config.shown(Path(sys.prefix)),
            "root": config.shown(self.root),
            "writable": self.writable,
            "jobs": self.jobs.running(),
            "schema": wire.SCHEMA,
        }

    def check_writable(self) -> None:
        """Raises RefusedError where the index is open for reading only."""
        if not self.writable:
            raise RefusedError(
                "ReadOnly",
                "This index is open for reading only.",
                "Name another one in c.MemoServer.store, or in the setting store.",
            )


def _configured(named: str, root: Path) -> tuple[str | None, str | None, tuple[str, ...]]:
    """Where the store is, the model, and what is not believed on the way to them; None, or as it was named, where
    the settings cannot be read or name no place, which the worker tells whoever asks."""
    try:
        settings, told = config.load(start=root, path=named or None), config.notices(named or None, start=root)
        return config.store_path(named or None, settings, start=root), settings.embedder, told
    except MemoError:
        return named or None, None, ()


def _python() -> str:
    return ".".join(map(str, sys.version_info[:3]))
