"""What a response says as a whole, in sentences and rows. Text and HTML only lay this out, so they cannot disagree."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from jupyter_memo.render import location, numbers, visible
from jupyter_memo.response import ARM_LETTERS, ARMS, ArmTrace, Miss, Result, SearchResponse

DOT = " · "

BEFORE_ARMS = ("sync", "plan", "scope")
"""Stages that stand before the arms in the trace; they count no candidates."""


QUERY_LONGEST = 600
"""Characters of a query that head its list: some eight lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One row of how a list was made: a stage or an arm, how many it left, its milliseconds, a note."""

    name: str
    left: str
    ms: str
    note: str


def query(response: SearchResponse) -> str:
    """The query as typed, in one line; of one as long as a page the beginning."""
    line = visible.line(response.query[: 2 * QUERY_LONGEST])
    return line if len(line) <= QUERY_LONGEST else line[: QUERY_LONGEST - 1] + "…"


def also(response: SearchResponse) -> str:
    """The other wordings of the question that had a vote; empty where there are none."""
    wordings = "; ".join(visible.line(each[:QUERY_LONGEST]) for each in response.queries)
    return f"Also asked: {wordings}" if wordings else ""


def legs(response: SearchResponse) -> tuple[str, ...]:
    """What each surface gave, where several were searched apart and merged, a sentence each."""
    told = []
    for leg in response.legs:
        parts = [f"{numbers.count(leg.merged)} of {numbers.count(leg.found)} in the list"]
        if leg.shown != leg.merged:
            parts.append(f"{numbers.count(leg.shown)} here")
        if leg.best is not None:
            parts.append(f"best {numbers.score(leg.best, leg.scale)}")
        if leg.nearest is not None:
            parts.append(f"nearest cosine {numbers.fixed(leg.nearest, 2)}")
        if leg.floor is not None and leg.found:
            parts.append(f"by meaning alone from cosine {numbers.fixed(leg.floor, 2)}")
        if leg.note:
            parts.append(visible.line(leg.note))
        told.append(f"{leg.surface}: {', '.join(parts) if leg.found else leg.note}.")
    return tuple(told)


def shown(response: SearchResponse) -> str:
    """How much of the list this page is: `7 of 44`, `11–20 of 44`, `10 of 61 or more`, `no result`."""
    size = len(response.results)
    if not size:
        return "no result"
    first, last = response.offset + 1, response.offset + size
    page = numbers.count(size) if first == 1 else f"{numbers.count(first)}–{numbers.count(last)}"
    # An unfiltered total is a count of candidates; an arm that was full may have had more.
    return f"{page} of {numbers.count(response.total)}{'' if response.total_mode == 'exact' else ' or more'}"


def mode(response: SearchResponse) -> str:
    """What ran: `hybrid`, `keyword only`, or what is missing when something failed: `without semantic`."""
    if not response.degraded.flag:
        return response.mode_effective.replace("_", " ")
    missing = _missing(response)
    return f"without {missing}" if missing else "incomplete"


def head(response: SearchResponse) -> tuple[str, ...]:
    """The line under the query: how many, what ran, how long."""
    return shown(response), mode(response), numbers.ms(response.trace.total_ms)


def run(response: SearchResponse) -> tuple[str, ...]:
    """The rest of that line: profile, index version, and what is out of the ordinary."""
    trace = response.trace
    told = [f"profile {visible.line(trace.profile)}", f"index {trace.index_version}"]
    if trace.as_of is not None:
        told.append(f"as of {trace.as_of.date().isoformat()}")
    if trace.synced:
        told.append(f"{numbers.count(trace.synced)} changed file{'s' if trace.synced != 1 else ''} read first")
    if response.score_scale == "rerank":
        told.append("scale rerank")
    return tuple(told)


def notes(response: SearchResponse) -> tuple[tuple[str, str], ...]:
    """What a reader must know before the list, as (what, what it means): degraded, flat page."""
    told = []
    if response.degraded.flag:
        missing = _missing(response)
        what = f"Searched without the {missing} arm." if missing else "This search is incomplete."
        told.append((what, visible.line(response.degraded.reason)))
    cosines = [result.relevance for result in response.results if result.relevance is not None]
    if response.shape.flat_page and cosines:
        low, high = numbers.fixed(min(cosines), 2), numbers.fixed(max(cosines), 2)
        means = (
            f"The {len(cosines)} cosines lie between {low} and {high}, as they do for a subject these notes do not "
            "cover. Read the ranks with doubt, or name something the notes would name"
            + (f" (they use {_words(response)})." if response.words_to_try else ".")
        )
        told.append(("A flat page.", means))
    return tuple(told)


def remarks(response: SearchResponse) -> tuple[str, ...]:
    """Hints of the search itself, as they came."""
    return tuple(visible.line(hint) for hint in response.hints if hint.strip())


def ending(response: SearchResponse) -> str:
    """Why the list ends where it ends: the gap with its two numbers, the budget, or what the next page holds."""
    told = []
    cutoff = response.trace.cutoff
    last = response.offset + len(response.results)
    if cutoff is not None and response.results and cutoff.index == last:
        told.append(
            f"The list ends here: the next result scores {numbers.score(cutoff.next_score, response.score_scale)}, "
            f"{numbers.percent(cutoff.drop)} below result {cutoff.index} (limit: {numbers.percent(cutoff.gap)})"
            + (f", and {visible.line(cutoff.cause)}." if cutoff.cause else ".")
        )
    budget = response.trace.budget
    if budget.left_out and budget.max_tokens is not None:
        told.append(
            f"{numbers.count(budget.left_out)} more did not fit the budget of "
            f"{numbers.count(budget.max_tokens)} tokens."
        )
    beyond = response.truncated - budget.left_out
    if beyond > 0:
        told.append(f"{numbers.count(beyond)} more follow{'s' if beyond == 1 else ''} from offset {last} on.")
    return " ".join(told)


AROUND = "Around it in the document: context, not a match"
"""What heads the text beside the best passage of a document."""


def around(result: Result) -> tuple[tuple[str, str], ...]:
    """The text beside the best passage of a document, as (side, text)."""
    sides = (("before it", result.before), ("after it", result.after))
    return tuple((side, visible.text(text)) for side, text in sides if text.strip())


def folded(result: Result) -> str:
    """`2 more like this`; nothing where nothing is folded below it."""
    return f"{numbers.count(len(result.folded))} more like this" if result.folded else ""


def folds(result: Result, response: SearchResponse) -> tuple[tuple[str, str, str], ...]:
    """What is folded below a result, as (where, place in it, how alike and its score)."""
    rows = []
    for each in result.folded:
        title = visible.line(each.title)
        # What is not the same in every word is never told to be.
        told = [f"{numbers.percent(min(each.likeness, 0.99) if each.likeness < 1 else 1.0)} the same words"]
        if each.own:
            told.append(f"has {', '.join(map(visible.line, each.own))}")
        if response.score_scale != "none":
            told.append(numbers.score(each.score, response.score_scale))
        rows.append((visible.line(each.uri) or title, location.place(each.span, title), DOT.join(told)))
    return tuple(rows)


def narrow(response: SearchResponse) -> tuple[str, str, str] | None:
    """The filter that would shorten the list, as (before, field:value, after)."""
    hint = response.narrow_hint
    if hint is None:
        return None
    value = visible.line(hint.value)
    typed = f'{hint.field}:"{value}"' if " " in value or "," in value else f"{hint.field}:{value}"
    left = f"{'at most ' if hint.at_most else ''}{numbers.count(hint.leaves)} of {numbers.count(hint.of)}"
    return "To shorten the list: ", typed, f" would leave {left}."


def void(response: SearchResponse) -> tuple[tuple[str, str], ...]:
    """What to say of an empty list, as (label, text): why, where it looked, what to do next."""
    if response.results:
        return ()
    told = [("Why", visible.line(response.reason or "Nothing in this index answers this."))]
    filters = response.trace.filters
    if filters:
        left = numbers.count(filters[-1].left)
        of = f" of {numbers.count(filters[0].left)}" if filters[0].left != filters[-1].left else ""
        told.append(("Looked in", f"{left}{of} passages"))
    if response.nearest:
        told.append(("Nearest", "not results: " + "; ".join(map(_miss, response.nearest))))
    if response.words_to_try:
        told.append(("Words", f"used near it: {_words(response)}"))
    if response.hint:
        told.append(("Next", visible.line(response.hint)))
    return tuple(told)


def _miss(miss: Miss) -> str:
    title = visible.line(miss.title)
    where = DOT.join(filter(None, (visible.line(miss.uri), location.place(miss.span, title))))
    cosine = "" if miss.relevance is None else f", cosine {numbers.fixed(miss.relevance, 2)}"
    return f"{title} ({where}{cosine})"


def _words(response: SearchResponse) -> str:
    return ", ".join(map(visible.line, response.words_to_try))


def arms(response: SearchResponse) -> tuple[str, ...]:
    """The arms that have a place in the list: those that ran, in the fixed order."""
    ran = {trace.arm for trace in response.trace.arms if trace.ran}
    voted = {vote.arm for result in response.results if result.why for vote in result.why.arms}
    return tuple(arm for arm in ARMS if arm in ran or arm in voted)


def legend(response: SearchResponse) -> str:
    """What the letters mean; nothing where no letter is shown."""
    if not any(vote.rank for result in response.results if result.why for vote in result.why.arms):
        return ""
    return ", ".join(f"{ARM_LETTERS[arm]} {arm}" for arm in ARMS)


def unrun(response: SearchResponse) -> tuple[tuple[str, str], ...]:
    """The steps that did not occur though they had a place in this search, in its order, as (names, reason): they
    failed or are switched off. Steps of one reason stand together. What nothing called for is in `uncalled`."""
    trace = response.trace
    early = [stage for stage in trace.stages if stage.stage in BEFORE_ARMS]
    late = [stage for stage in trace.stages if stage.stage not in BEFORE_ARMS]
    return _grouped(
        *((stage.stage, stage.note) for stage in early if not stage.ran),
        *((arm.arm, arm.reason) for arm in trace.arms if arm.called and not arm.ran),
        *((stage.stage, stage.note) for stage in late if not stage.ran),
    )


def uncalled(response: SearchResponse) -> tuple[tuple[str, str], ...]:
    """The arms that the query, the mode or the index gave nothing to do, as (names, reason)."""
    return _grouped(*((arm.arm, arm.reason) for arm in response.trace.arms if not (arm.called or arm.ran)))


def idle(response: SearchResponse) -> str:
    """Both in sentences."""
    missed = (f"{names[0].upper()}{names[1:]} did not run{_because(reason)}." for names, reason in unrun(response))
    spared = (f"Nothing called for {names}{_because(reason)}." for names, reason in uncalled(response))
    return " ".join((*missed, *spared))


def idle_arms(response: SearchResponse) -> str:
    """The same of the arms alone."""
    return idle(dataclasses.replace(response, trace=dataclasses.replace(response.trace, stages=())))


def _grouped(*steps: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    reasons: dict[str, list[str]] = {}
    for name, reason in steps:
        reasons.setdefault(visible.line(reason).rstrip("."), []).append(visible.line(name))
    return tuple((listed(names), reason) for reason, names in reasons.items())


def _absent(arm: ArmTrace) -> str:
    return "did not run" if arm.called else "not called for"


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def listed(names: list[str]) -> str:
    """`fact, entity and graph`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def steps(response: SearchResponse) -> tuple[Step, ...]:
    """How the list was made, in order: what came before the arms, the scope, the arms, the stages."""
    trace = response.trace
    rows = [
        Step(
            name=stage.stage,
            left="" if stage.stage in BEFORE_ARMS else numbers.count(stage.after) if stage.ran else numbers.NOTHING,
            ms=numbers.trace_ms(stage.ms) if stage.ran else numbers.NOTHING,
            note=visible.line(stage.note if stage.ran else f"did not run: {stage.note}"),
        )
        for stage in trace.stages
    ]
    middle = next((at for at, stage in enumerate(trace.stages) if stage.stage not in BEFORE_ARMS), len(rows))
    arms = [
        Step(
            name=arm.arm,
            left=numbers.count(arm.candidates) if arm.ran else numbers.NOTHING,
            ms=numbers.trace_ms(arm.ms) if arm.ran else numbers.NOTHING,
            note=visible.line(arm.reason if arm.ran else f"{_absent(arm)}: {arm.reason}"),
        )
        for arm in trace.arms
    ]
    if trace.filters and not any(stage.stage == "scope" for stage in trace.stages):
        of = f"of {numbers.count(trace.filters[0].left)} passages"
        arms.insert(0, Step(name="scope", left=numbers.count(trace.filters[-1].left), ms="", note=of))
    return (*rows[:middle], *arms, *rows[middle:])


def filters(response: SearchResponse) -> tuple[tuple[str, str, str], ...]:
    """The scope predicate by predicate, as (predicate, gone, left)."""
    rows, before = [], None
    for entry in response.trace.filters:
        gone = "" if before is None or before == entry.left else numbers.count(entry.left - before)
        rows.append((visible.line(entry.predicate), gone, numbers.count(entry.left)))
        before = entry.left
    return tuple(rows)


def conditions(response: SearchResponse) -> str:
    """Under what it ran: mode, profile with its hash, model, scale, and the plan where no stage says it."""
    trace = response.trace
    ran = trace.mode_run.replace("_", " ")
    planned = next((stage.note for stage in trace.stages if stage.stage == "plan"), "")
    told = [
        f"Looked for: {visible.line(trace.plan)}." if trace.plan and trace.plan != planned else "",
        f"Mode {visible.line(trace.mode_asked)}, run as {ran}.",
        f"Profile {visible.line(trace.profile)}, {visible.line(trace.profile_hash)}.",
        f"Model {visible.line(trace.model)}." if trace.model else "",
        f"Scale {response.score_scale}: scores order this list only." if response.score_scale != "none" else "",
        f"Index version {trace.index_version}." if trace.as_of is None else f"Index as of {trace.as_of.isoformat()}.",
        f"Share level {response.share}.",
    ]
    return " ".join(filter(None, told))


def _missing(response: SearchResponse) -> str:
    """The arm whose absence made the search degraded: the one whose failure is the reason, else semantic."""
    idle = [trace for trace in response.trace.arms if not trace.ran]
    failed = next((trace.arm for trace in idle if trace.reason and trace.reason in response.degraded.reason), None)
    return failed or next((trace.arm for trace in idle if trace.arm == "semantic"), "")
