"""Index runs that the server was asked for: one at a time, each in a process of its own, which is gone after it."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from jupyter_memo.jupyter.refusals import RefusedError
from jupyter_memo.jupyter.relay import Relay

LOG = "The log of the Jupyter server holds the traceback."

KEPT = 20
MOST_UNFINISHED = 20
"""Jobs that may wait at once."""

State = Literal["waiting", "running", "cancelling", "done", "failed", "cancelled"]
OVER: tuple[State, ...] = ("done", "failed", "cancelled")

FORESEEN_SECONDS = 2.0
FORESEEN_SHARE, FORESEEN_FILES = 0.1, 50
"""Before so many seconds, and a tenth of the files or fifty, nothing is said of how long a run will take: one large
file among the first would make hours of minutes."""

_log = logging.getLogger(__name__)


@dataclass
class Job:
    """One index run. `paths` are as they were asked for, `named` as the worker takes them."""

    id: str
    paths: list[str]
    named: list[str]
    options: dict[str, Any]
    state: State = "waiting"
    done: int = 0
    total: int = 0
    name: str = ""
    started: datetime | None = None
    report: dict[str, Any] | None = None
    text: str = ""
    error: dict[str, str] | None = None
    clock: float = 0.0
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    def told(self) -> dict[str, Any]:
        """As JSON tells it, whole."""
        return {**self.listed(), "report": self.report, "text": self.text}

    def listed(self) -> dict[str, Any]:
        """As a list of jobs tells it: without what it reports, which may be long."""
        return {
            "job": self.id,
            "paths": self.paths,
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "name": self.name,
            "started": self.started.isoformat(timespec="seconds").replace("+00:00", "Z") if self.started else None,
            "seconds_left": self._left(),
            "report": None,
            "text": "",
            "error": self.error,
        }

    def ended(self, _task: object) -> None:
        """See that it is over: a task that is cancelled before its first step takes none."""
        if self.state not in OVER:
            self.state = "cancelled"

    def moved(self, step: dict[str, Any]) -> None:
        """Take in what the worker says of its progress."""
        self.done, self.total, self.name = step["done"], step["total"], step["name"]

    def _left(self) -> float | None:
        spent = time.monotonic() - self.clock
        few = self.done < min(FORESEEN_FILES, FORESEEN_SHARE * self.total)
        if self.state != "running" or not self.done or few or spent < FORESEEN_SECONDS:
            return None
        return round(spent / self.done * (self.total - self.done), 1)


class Jobs:
    """The index runs of one server, the newest last. `worker` makes the process for one."""

    def __init__(self, worker: Callable[[], Relay]) -> None:
        self._worker = worker
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._turn = asyncio.Lock()

    def start(self, paths: list[str], named: list[str], options: dict[str, Any]) -> str:
        """Begin a run, or have it wait for those before it; its id. Raises RefusedError where too many wait."""
        if sum(job.state not in OVER for job in self._jobs.values()) >= MOST_UNFINISHED:
            raise RefusedError("Busy", f"{MOST_UNFINISHED} index runs are waiting already.", "Wait until one is done.")
        job = Job(uuid.uuid4().hex[:12], paths, named, options)
        self._jobs[job.id] = job
        job.task = asyncio.get_running_loop().create_task(self._run(job))
        job.task.add_done_callback(job.ended)
        for old in [each for each in self._jobs.values() if each.state in OVER][: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[old.id]
        return job.id

    def find(self, id: str) -> Job:
        """The run of that id. Raises RefusedError."""
        if id not in self._jobs:
            raise RefusedError("NotFound", "No index run has this id.", f"The last {KEPT} are kept.")
        return self._jobs[id]

    def cancel(self, id: str) -> Job:
        """Stop a run at its next passage; what it has read by then stays, in whole sources."""
        job = self.find(id)
        # One that has its report is done, and only its process is still being put away.
        if job.state in ("waiting", "running") and job.task is not None and job.report is None:
            job.state = "cancelling"
            job.task.cancel()
        return job

    def told(self) -> list[dict[str, Any]]:
        """All that are kept, the newest first, without their reports."""
        return [job.listed() for job in reversed(self._jobs.values())]

    def running(self) -> list[str]:
        """The ids of those that are not over."""
        return [job.id for job in self._jobs.values() if job.state not in OVER]

    async def close(self) -> None:
        """Cancel all, and wait until they are."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None and not job.task.done()]
        for job in self._jobs.values():
            self.cancel(job.id)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, job: Job) -> None:
        try:
            async with self._turn:
                job.state, job.started, job.clock = "running", datetime.now(UTC), time.monotonic()
                await self._work(job)
                job.state = "done"
        except asyncio.CancelledError:
            job.state = "cancelled"
        except RefusedError as refusal:
            job.state, job.error = "failed", refusal.told()
        except Exception:
            _log.exception("an index run of jupyter_memo failed")
            job.state, job.error = "failed", RefusedError("internal", "The index run failed.", LOG).told()

    async def _work(self, job: Job) -> None:
        relay = self._worker()
        try:
            answer = await relay.ask("index", {"paths": job.named, **job.options}, request=job.id, told=job.moved)
            made = json.loads(answer.payload)
            job.report, job.text = made["report"], made["text"]
        finally:
            # Its end is waited for also when the run is cancelled: until then it may be writing.
            await asyncio.shield(asyncio.ensure_future(relay.close()))
