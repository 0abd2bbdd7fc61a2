"""Index runs as the server keeps them, over an engine that does as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from jupyter_memo.jupyter import jobs, routes
from jupyter_memo.jupyter.relay import Answer

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def engine() -> str:
    return "scripted"


async def begun(told: Ask, path: str, **options: Any) -> str:
    status, found = await told("POST", "index", {"paths": [path], **options})
    assert 202 == status
    return str(found["job"])


async def reached(told: Ask, job: str, done: int) -> dict[str, Any]:
    while (found := (await told("GET", f"index/{job}"))[1])["done"] < done:
        await asyncio.sleep(0.01)
    return dict(found)


async def test_progress_is_told(told: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "FORESEEN_SECONDS", 0.0)
    job = await begun(told, "")
    found = await reached(told, job, 1)
    assert ("running", 1, 3, "a.md") == (found["state"], found["done"], found["total"], found["name"])
    assert found["seconds_left"] > 0
    assert found["started"].endswith("Z")


@pytest.mark.parametrize(
    ("done", "total", "told"), [(1, 100, False), (10, 100, True), (49, 5000, False), (50, 5000, True)]
)
def test_how_long_a_run_will_take_is_told_once_enough_of_it_is_done(done: int, total: int, told: bool) -> None:
    job = jobs.Job(id="j", paths=[], named=[], options={}, state="running", done=done, total=total, clock=-1e6)
    assert told == (job.listed()["seconds_left"] is not None)


@pytest.mark.slow
async def test_runs_wait_for_each_other_and_can_be_cancelled_while_they_do(
    told: Ask, finished: Ask, jp_serverapp: Any
) -> None:
    ids = [await begun(told, "") for _ in range(2)]
    await reached(told, ids[0], 1)
    _, listed = await told("GET", "index")
    assert [(ids[1], "waiting"), (ids[0], "running")] == [(job["job"], job["state"]) for job in listed["jobs"]]
    _, status = await told("GET", "status")
    assert ids == status["jobs"]
    assert jp_serverapp.extension_manager.any_activity()
    for id in reversed(ids):
        _, found = await told("DELETE", f"index/{id}")
        assert "cancelling" == found["state"]
    assert ["cancelled", "cancelled"] == [(await finished(id))["state"] for id in ids]
    assert not jp_serverapp.extension_manager.any_activity()
    _, again = await told("DELETE", f"index/{ids[0]}")
    assert "cancelled" == again["state"]


async def test_a_run_that_fails_says_why(told: Ask, finished: Ask) -> None:
    over = await finished(await begun(told, "nowhere"))
    assert ("failed", "QueryError", None) == (over["state"], over["error"]["code"], over["report"])
    assert "Check the spelling" == over["error"]["hint"]


async def test_a_run_whose_process_dies_says_so(told: Ask, finished: Ask) -> None:
    over = await finished(await begun(told, "broken"))
    assert ("failed", "WorkerGone") == (over["state"], over["error"]["code"])


async def test_no_more_than_some_wait(told: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_UNFINISHED", 1)
    await begun(told, "")
    status, error = await told("POST", "index", {"paths": [""]})
    assert (429, "Busy") == (status, error["code"])


async def test_the_last_runs_are_kept(told: Ask, finished: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "KEPT", 1)
    first = await begun(told, "nowhere")
    await finished(first)
    await begun(told, "nowhere")
    status, _ = await told("GET", f"index/{first}")
    assert 404 == status


async def test_options_of_a_wrong_kind_are_refused(told: Ask) -> None:
    many = {"namespace": "x", "tags": 5}
    for wrong in ({"namespace": 1}, {"tags": "x"}, {"tags": [1]}, many, {"allow_secrets": "yes"}):
        status, error = await told("POST", "index", {"paths": [""], **wrong})
        assert (400, "QueryError") == (status, error["code"])


class Putting:
    """A worker that has answered, and takes its time to end."""

    def __init__(self) -> None:
        self.answered, self.ends = asyncio.Event(), asyncio.Event()

    async def ask(self, *_: Any, **__: Any) -> Answer:
        return Answer(request="x", payload=b'{"report": {"added": 1}, "text": "1 added"}')

    async def close(self) -> None:
        self.answered.set()
        await self.ends.wait()


async def test_a_run_that_is_cancelled_before_its_first_step_is_over() -> None:
    kept = jobs.Jobs(lambda: Putting())  # type: ignore[arg-type,return-value]
    job = kept.find(kept.start([""], [""], {}))
    assert "cancelling" == kept.cancel(job.id).state
    assert job.task is not None
    await asyncio.wait([job.task])
    await asyncio.sleep(0)
    assert ("cancelled", []) == (job.state, kept.running())


async def test_a_run_that_has_reported_is_done_though_it_is_cancelled_then() -> None:
    worker = Putting()
    kept = jobs.Jobs(lambda: worker)  # type: ignore[arg-type,return-value]
    job = kept.find(kept.start([""], [""], {}))
    await worker.answered.wait()
    kept.cancel(job.id)
    worker.ends.set()
    await kept.close()
    assert ("done", {"added": 1}) == (job.state, job.report)


async def test_the_list_of_runs_is_without_reports() -> None:
    worker = Putting()
    kept = jobs.Jobs(lambda: worker)  # type: ignore[arg-type,return-value]
    job = kept.find(kept.start([""], [""], {}))
    worker.ends.set()
    assert job.task is not None
    await job.task
    (listed,) = kept.told()
    assert ("done", None, "") == (listed["state"], listed["report"], listed["text"])
    assert ({"added": 1}, "1 added") == (job.told()["report"], job.told()["text"])
    assert listed.keys() == job.told().keys()


async def test_a_run_of_too_many_paths_is_refused(told: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MOST_PATHS", 2)
    status, error = await told("POST", "index", {"paths": ["a", "b", "c"]})
    assert (413, "TooLarge") == (status, error["code"])
