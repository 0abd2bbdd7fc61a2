"""Mime bundles: what a notebook stores of a result. Readable with a kernel or without, trusted or not.

No widget stands in these bundles: a widget whose model is gone would hide the readable forms beside it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jupyter_memo.profile import Profile
from jupyter_memo.records import Judgement
from jupyter_memo.render import html, question, report, state, text, upkeep
from jupyter_memo.response import Ablation, Check, IndexReport, Result, SearchResponse, Status, Upkeep, WhyNot
from jupyter_memo.text.paths import portable

MIME = "application/vnd.jupyter-memo+json"

BYTES_A_RESULT = 6_000
BYTES_LEAST = 60_000
"""The most a saved output may take in the file of a notebook, all three forms and the indentation that Jupyter adds:
60 kB for a page of up to ten results, 6 kB a result for longer ones. Notebooks travel in version control, and Jupyter
keeps every output in the memory of the page."""

FULL_TIMES = 4
"""How many times as much where whole passages were asked for: each stands there in all three forms."""

TEXTS_MOST = 40
"""Of a list of texts (headings, tags, matched words) that is shortened, so many stay."""

SHORTER = (2_000, 600, 400, 240, 160, 80)
"""Characters kept of each text, tried in this order until the bundle fits."""


def bundle(response: SearchResponse) -> dict[str, Any]:
    """The response as JSON by `wire.schema.json`, script-free HTML and plain text, each with no more text than
    `response.share` allows and no path of this machine.

    Where that is more than a notebook should store, long texts are cut, then the reasons go, and a hint in all three
    forms says so; the response itself stays whole.
    """
    light = saved(response)
    most = max(BYTES_LEAST, BYTES_A_RESULT * len(response.results)) * (FULL_TIMES if response.share == "full" else 1)
    for characters in SHORTER:
        made = _forms(shortened(light, characters))
        if _size(made) <= most:
            return made
    return _forms(shortened(light, SHORTER[-1], why=False))


def saved(response: SearchResponse) -> SearchResponse:
    """What of a response a notebook may hold: reduced to its share level, sources told from the working folder on."""
    # pydantic takes a tenth of a second to import: a notebook pays for it at its first result, not at %load_ext.
    from jupyter_memo import wire

    light = wire.shared(response, response.share)
    folder = str(Path.cwd())
    return dataclasses.replace(light, results=tuple(_portable(result, folder) for result in light.results))


def shortened(response: SearchResponse, characters: int, *, why: bool = True) -> SearchResponse:
    """The response with every text cut to `characters` (marks beyond the cut go too), or also without reasons. One that
    has nothing to cut stays the same."""
    short: SearchResponse = _cut(response, characters)
    if short == response and why:
        return response
    results = tuple(
        dataclasses.replace(
            result,
            marks=tuple(mark for mark in result.marks if mark[1] < characters),
            why=result.why if why else None,
        )
        for result in short.results
    )
    told = f"Texts were cut to {characters} characters to keep this notebook small; the result in memory is whole."
    if not why:
        told = told.replace("characters", "characters and the reasons left out", 1)
    return dataclasses.replace(short, results=results, hints=(*short.hints, told))


def report_bundle(report_: IndexReport) -> dict[str, Any]:
    """What an index run did, as HTML and text."""
    return {"text/html": report.html(report_), "text/plain": report.plain(report_)}


def upkeep_bundle(done: Upkeep) -> dict[str, Any]:
    """What maintaining or purging did, as HTML and text."""
    return {"text/html": upkeep.html(done), "text/plain": upkeep.plain(done)}


def status_bundle(status: Status) -> dict[str, Any]:
    """What stands in the store, as HTML and text."""
    return {"text/html": state.status_html(status), "text/plain": state.status_plain(status)}


def checks_bundle(checks: tuple[Check, ...]) -> dict[str, Any]:
    """What the doctor found, as HTML and text."""
    return {"text/html": state.checks_html(checks), "text/plain": state.checks_plain(checks)}


def ablation_bundle(ablation: Ablation) -> dict[str, Any]:
    """What each arm does for one result, as HTML and text, with no more of it than its list's share level allows."""
    light = dataclasses.replace(ablation, response=saved(ablation.response))
    return {"text/html": question.ablation_html(light), "text/plain": question.ablation_plain(light)}


def why_not_bundle(told: WhyNot) -> dict[str, Any]:
    """Why something is not on the page, as HTML and text."""
    return {"text/html": question.why_not_html(told), "text/plain": question.why_not_plain(told)}


@dataclasses.dataclass(frozen=True, slots=True)
class Judgements:
    """What was judged, shown as one table."""

    judgements: tuple[Judgement, ...]

    def __iter__(self) -> Iterator[Judgement]:
        return iter(self.judgements)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        listed = self.judgements
        return {"text/html": question.judgements_html(listed), "text/plain": question.judgements_plain(listed)}


@dataclasses.dataclass(frozen=True, slots=True)
class Note:
    """Text that a cell shows as it is, without quotes."""

    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": self.text}


@dataclasses.dataclass(frozen=True, slots=True)
class Checks:
    """What the doctor found, shown as one table. A plain tuple would be shown as a tuple."""

    checks: tuple[Check, ...]

    def __iter__(self) -> Iterator[Check]:
        return iter(self.checks)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return checks_bundle(self.checks)


@dataclasses.dataclass(frozen=True, slots=True)
class Profiles:
    """Ranking profiles, shown as one table."""

    profiles: tuple[Profile, ...]

    def __iter__(self) -> Iterator[Profile]:
        return iter(self.profiles)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/html": state.profiles_html(self.profiles), "text/plain": state.profiles_plain(self.profiles)}


def _forms(response: SearchResponse) -> dict[str, Any]:
    from jupyter_memo import wire

    return {
        MIME: wire.to_dict(response, response.share),
        "text/html": html.static(response),
        "text/plain": text.plain(response),
    }


def _portable(result: Result, folder: str) -> Result:
    uri = portable(result.passage.uri, folder)
    if uri == result.passage.uri:
        return result
    why = result.why
    if why is not None:
        why = dataclasses.replace(why, provenance=dataclasses.replace(why.provenance, uri=uri))
    document = None if result.document is None else uri
    return dataclasses.replace(result, passage=dataclasses.replace(result.passage, uri=uri), document=document, why=why)


def _size(made: dict[str, Any]) -> int:
    """Bytes of all forms together where they stand in a saved notebook: text line by line, every value on a line of its
    own, which for numbers and short names is a third of the whole."""
    data = {mime: form.splitlines(keepends=True) if isinstance(form, str) else form for mime, form in made.items()}
    notebook = {"cells": [{"outputs": [{"data": data}]}]}
    return len(json.dumps(notebook, ensure_ascii=False, indent=1).encode())


def _cut(value: Any, characters: int) -> Any:
    """The same tree of records with every text cut, and of many texts the first few."""
    if isinstance(value, str):
        return value if len(value) <= characters else value[: characters - 1] + "…"
    if isinstance(value, tuple):
        few = value[:TEXTS_MOST] if value and isinstance(value[0], str) else value
        return tuple(_cut(inner, characters) for inner in few)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changes = {field.name: _cut(getattr(value, field.name), characters) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **changes)
    return value
