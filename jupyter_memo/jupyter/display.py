"""Mime bundles: what a notebook stores of a result. Readable with a kernel or without, trusted or not.

No widget stands in these bundles: a widget whose model is gone would hide the readable forms beside it.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jupyter_memo.comparison import Comparison
from jupyter_memo.excerpts import PromptContext
from jupyter_memo.profile import Profile
from jupyter_memo.records import Judgement
from jupyter_memo.render import compare, context, html, profiles, question, report, state, text, upkeep
from jupyter_memo.response import Ablation, Check, IndexReport, Result, SearchResponse, Status, Upkeep, WhyNot
from jupyter_memo.text.paths import portable

MIME = "application/vnd.jupyter-memo+json"
COMPARISON_MIME = "application/vnd.jupyter-memo.comparison+json"

BYTES_A_RESULT = 6_000
BYTES_LEAST = 60_000
"""The most a saved output may take in the file of a notebook, all three forms and the indentation that Jupyter adds:
60 kB for a page of up to ten results, 6 kB a result for longer ones. Notebooks travel in version control, and Jupyter
keeps every output in the memory of the page."""

FULL_TIMES = 4
"""How many times as much where whole passages were asked for: each stands there in all three forms."""

ELSEWHERE = "The reasons are left out here to keep this notebook small; JupyterLab shows them."

TEXTS_MOST = 40
"""Of a list of texts (headings, tags, matched words) that is shortened, so many stay."""

SHORTER = (2_000, 600, 400, 240, 160, 80)
"""Characters kept of each text, tried in this order until the bundle fits."""

CUT_FIRST, UNCUT = 5, 2
"""So many of these are tried with all reasons: two lines of each text are read before a table. Then the HTML loses its
reasons, and texts are cut from that one on, which leaves a usual snippet whole."""

AROUND = 4
"""Once something has to be cut, what stands on a side of the best passage of a document keeps a fourth of what other
texts keep."""

FOLDED_MOST = 10
"""Of the passages that stand below others, so many stay of a whole list that is shortened: the first of each result
before the second of any."""


def bundle(response: SearchResponse) -> dict[str, Any]:
    """The response as JSON by `wire.schema.json`, script-free HTML and plain text, each with no more text than
    `response.share` allows and no path of this machine.

    Where that is more than a notebook should store, long texts are cut, then the reasons go: first those of the HTML,
    which JupyterLab does not show, then all. A hint says so; the response itself stays whole.
    """
    light = saved(response)
    most = max(BYTES_LEAST, BYTES_A_RESULT * len(response.results)) * (FULL_TIMES if response.share == "full" else 1)
    whole, bare = SHORTER[:CUT_FIRST], SHORTER[UNCUT:]
    for reasons, characters in (*((True, each) for each in whole), *((False, each) for each in bare)):
        made = _forms(shortened(light, characters), reasons=reasons)
        if _size(made) <= most:
            return made
    return _forms(shortened(light, SHORTER[-1], why=False))


def saved(response: SearchResponse) -> SearchResponse:
    """What of a response a notebook may hold: reduced to its share level, sources told from the working folder on."""
    # pydantic takes a tenth of a second to import: a notebook pays for it at its first result, not at %load_ext.
    from jupyter_memo import wire

    light = wire.shared(response, response.share)
    folder = str(Path.cwd())
    return dataclasses.replace(
        light,
        results=tuple(_portable(result, folder) for result in light.results),
        nearest=tuple(dataclasses.replace(miss, uri=portable(miss.uri, folder)) for miss in light.nearest),
    )


def shortened(response: SearchResponse, characters: int, *, why: bool = True) -> SearchResponse:
    """The response with every text cut to `characters` (marks beyond the cut go too), or also without reasons. One that
    has nothing to cut stays the same."""
    # The longest cut is for long texts alone; from the second on what stands beside and below results gives way.
    beside = characters if characters == SHORTER[0] else characters // AROUND
    around = tuple(
        dataclasses.replace(each, before=_end(each.before, beside), after=_cut(each.after, beside))
        for each in response.results
    )
    short: SearchResponse = _cut(dataclasses.replace(response, results=around), characters)
    short = short if characters == SHORTER[0] else _fewer_folded(short)
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
    gone = sum(len(result.folded) for result in response.results) - sum(len(result.folded) for result in results)
    left_out = " and ".join((*([f"{gone} of “more like this”"] if gone else []), *([] if why else ["the reasons"])))
    said = (f"texts were cut to {characters} characters", f"{left_out} left out" if left_out else "")
    what = " and ".join(filter(None, said if _cut(response, characters) != response or not gone else said[1:]))
    told = f"{what[0].upper()}{what[1:]} to keep this notebook small; the result in memory is whole."
    return dataclasses.replace(short, results=results, hints=(*short.hints, told))


def _end(text: str, characters: int) -> str:
    """The end of a text, which is what stands next to the passage behind it."""
    return text if len(text) <= characters else f"…{text[1 - characters :]}"


def _fewer_folded(response: SearchResponse) -> SearchResponse:
    """The response with FOLDED_MOST passages below others at most."""
    order = sorted((at, number) for number, result in enumerate(response.results) for at in range(len(result.folded)))
    if len(order) <= FOLDED_MOST:
        return response
    kept = Counter(number for _, number in order[:FOLDED_MOST])
    results = (
        dataclasses.replace(each, folded=each.folded[: kept[number]]) for number, each in enumerate(response.results)
    )
    return dataclasses.replace(response, results=tuple(results))


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


def context_bundle(made: PromptContext) -> dict[str, Any]:
    """A text for a language model, as HTML and text, with no more of it than its list's share level allows."""
    light = saved(made.response)
    return {"text/html": context.html(made, light), "text/plain": context.plain(made, light)}


def comparison_bundle(compared: Comparison) -> dict[str, Any]:
    """Two lists and the moves between them as JSON by `wire.schema.json`, script-free HTML and text, with no more of
    it than its share level allows and no path of this machine."""
    from jupyter_memo import wire

    folder = str(Path.cwd())
    light = wire.comparison_shared(compared, compared.share)
    moves = tuple(dataclasses.replace(move, uri=portable(move.uri, folder)) for move in light.moves)
    light = dataclasses.replace(light, moves=moves)
    for characters in SHORTER:
        cut = _cut(light, characters)
        made = {
            COMPARISON_MIME: wire.comparison(cut),
            "text/html": compare.static(cut),
            "text/plain": compare.plain(cut),
        }
        if _size(made) <= max(BYTES_LEAST, BYTES_A_RESULT * len(light.moves)):
            break
    return made


def why_not_bundle(told: WhyNot) -> dict[str, Any]:
    """Why something is not on the page, as HTML and text, with no more of it than its share level allows."""
    if told.share == "none":
        from jupyter_memo import wire

        values = (("", told.number), (" against ", told.limit))
        numbers = "".join(f"{between}{value:.3g}" for between, value in values if value is not None)
        told = dataclasses.replace(told, sentence=numbers, passed=(), near=(), cure=wire.LEFT_OUT["none"])
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
class Constants:
    """All constants of a profile beside those of the one it is told apart from, shown as one table."""

    profile: Profile
    base: Profile

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            "text/html": profiles.constants_html(self.profile, self.base),
            "text/plain": profiles.constants_plain(self.profile, self.base),
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Profiles:
    """Ranking profiles, each with its purpose and what sets it apart."""

    profiles: tuple[Profile, ...]

    def __iter__(self) -> Iterator[Profile]:
        return iter(self.profiles)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            "text/html": profiles.profiles_html(self.profiles),
            "text/plain": profiles.profiles_plain(self.profiles),
        }


def _forms(response: SearchResponse, *, reasons: bool = True) -> dict[str, Any]:
    from jupyter_memo import wire

    page = response
    if not reasons:
        bare = (dataclasses.replace(result, why=None) for result in response.results)
        page = dataclasses.replace(response, results=tuple(bare), hints=(*response.hints, ELSEWHERE))
    return {
        MIME: wire.to_dict(response, response.share),
        "text/html": html.static(page),
        "text/plain": text.plain(response),
    }


def _portable(result: Result, folder: str) -> Result:
    below = tuple(dataclasses.replace(each, uri=portable(each.uri, folder)) for each in result.folded)
    result = dataclasses.replace(result, folded=below) if below != result.folded else result
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
