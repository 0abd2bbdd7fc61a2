"""Mime bundles: what a notebook stores of a result. Readable with a kernel or without, trusted or not.

No widget stands in these bundles: a widget whose model is gone would hide the readable forms beside it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from jupyter_memo.profile import Profile
from jupyter_memo.render import html, report, state, text
from jupyter_memo.response import Check, IndexReport, SearchResponse, Status

MIME = "application/vnd.jupyter-memo+json"

BYTES_A_RESULT = 6_000
BYTES_LEAST = 60_000
"""The most a saved output may take, all three forms together: 60 kB for a page of up to ten results, 6 kB a result for
longer ones. Notebooks travel in version control, and Jupyter keeps every output in the memory of the page."""

TEXTS_MOST = 40
"""Of a list of texts (headings, tags, matched words) that is shortened, so many stay."""

SHORTER = (2_000, 600, 240, 80)
"""Characters kept of each text, tried in this order until the bundle fits."""


def bundle(response: SearchResponse) -> dict[str, Any]:
    """The response as JSON by `wire.schema.json` (snippets, no passage texts), script-free HTML and plain text.

    Where that is more than a notebook should store, long texts are cut, then the reasons go, and a hint in all three
    forms says so; the response itself stays whole.
    """
    most = max(BYTES_LEAST, BYTES_A_RESULT * len(response.results))
    for characters in SHORTER:
        made = _forms(shortened(response, characters))
        if _size(made) <= most:
            return made
    return _forms(shortened(response, SHORTER[-1], why=False))


def shortened(response: SearchResponse, characters: int, *, why: bool = True) -> SearchResponse:
    """The response with every text cut to `characters` (marks beyond the cut go too), or also without reasons.

    Passages lose their texts, which a notebook does not store. A response that has nothing to cut stays the same.
    """
    light = dataclasses.replace(
        response,
        results=tuple(
            dataclasses.replace(result, passage=dataclasses.replace(result.passage, text=""))
            for result in response.results
        ),
    )
    short: SearchResponse = _cut(light, characters)
    if short == light and why:
        return light
    results = tuple(
        dataclasses.replace(
            result,
            marks=tuple(mark for mark in result.marks if mark[1] < characters),
            why=result.why if why else None,
        )
        for result in short.results
    )
    told = f"Texts were cut to {characters} characters to keep this notebook small; the result in memory is whole."
    return dataclasses.replace(short, results=results, hints=(*short.hints, told))


def report_bundle(report_: IndexReport) -> dict[str, Any]:
    """What an index run did, as HTML and text."""
    return {"text/html": report.html(report_), "text/plain": report.plain(report_)}


def status_bundle(status: Status) -> dict[str, Any]:
    """What stands in the store, as HTML and text."""
    return {"text/html": state.status_html(status), "text/plain": state.status_plain(status)}


def checks_bundle(checks: tuple[Check, ...]) -> dict[str, Any]:
    """What the doctor found, as HTML and text."""
    return {"text/html": state.checks_html(checks), "text/plain": state.checks_plain(checks)}


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
    # pydantic takes a tenth of a second to import: a notebook pays for it at its first result, not at %load_ext.
    from jupyter_memo import wire

    return {
        MIME: wire.to_dict(response, "snippets"),
        "text/html": html.static(response),
        "text/plain": text.plain(response),
    }


def _size(made: dict[str, Any]) -> int:
    """Bytes of all forms together, in UTF-8; the indentation that a saved notebook adds is not counted."""
    return len(json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode())


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
