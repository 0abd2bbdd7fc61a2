"""What each arm does for a result, why something is not on the page, what was judged: as text and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from jupyter_memo.records import Judgement
from jupyter_memo.render import html, location, numbers, reading, text, visible
from jupyter_memo.response import Ablation, WhyNot

JUDGED_HEAD = ("grade", "source", "query", "by", "on", "index")


def ablation_plain(ablation: Ablation, width: int = text.WIDTH) -> str:
    """One result with its arithmetic, then its rank without each arm and the arms that are enough."""
    result, response = ablation.result, ablation.response
    lines = text.wrapped(f"{result.rank}  {visible.closed(location.heading(result))}", width)
    lines += text.wrapped(location.whereabouts(result), width, indent="   ")
    lines += [f"   {line}" for line in text.why(result, response, width - 3)]
    for sentence in (*_without(ablation), *_ablation(ablation)):
        lines += text.wrapped(sentence, width, indent="   ")
    return "\n".join(line.rstrip() for line in lines)


def ablation_html(ablation: Ablation) -> str:
    """The same as an `<article>`; its table says the ranks without each arm, no sentence does so again."""
    result, response = ablation.result, ablation.response
    where = location.whereabouts(result)
    rows = [(each.arm, numbers.NOTHING if each.rank is None else numbers.count(each.rank)) for each in ablation.without]
    parts = [
        f"<article class='{html.PLAIN}'>",
        f"<h3>{result.rank}. <bdi>{escape(location.heading(result))}</bdi></h3>",
        f"<p><bdi>{escape(where)}</bdi></p>" if where else "",
        html.why(result, response),
        html.table(("without", "its rank"), rows, text=()) if rows else "",
        *(f"<p>{escape(sentence)}</p>" for sentence in _ablation(ablation)),
        "</article>",
    ]
    return html.one_block("\n".join(filter(None, parts)))


def why_not_plain(told: WhyNot, width: int = text.WIDTH) -> str:
    """The step and the sentence, what came before, what helps."""
    label = max(len(name) for name, _ in _why_not(told)) + 2
    lines = []
    for name, what in _why_not(told):
        lines += text.wrapped(what, width, indent=name.ljust(label), hanging=" " * label)
    return "\n".join(lines)


def why_not_html(told: WhyNot) -> str:
    """The same as a list of terms."""
    rows = (f"<dt>{escape(name)}</dt><dd>{escape(what)}</dd>" for name, what in _why_not(told))
    return f"<dl>{''.join(rows)}</dl>"


def judgements_plain(judgements: Sequence[Judgement]) -> str:
    """One line a judgement, the latest first."""
    if not judgements:
        return _NOTHING
    return "\n".join(text.table((JUDGED_HEAD, *map(_judgement, reversed(judgements))), right=(0, 5)))


def judgements_html(judgements: Sequence[Judgement]) -> str:
    """The same as a table."""
    if not judgements:
        return f"<p>{escape(_NOTHING)}</p>"
    return html.table(JUDGED_HEAD, [_judgement(each) for each in reversed(judgements)], text=(1, 2, 3, 4))


_NOTHING = "Nothing was judged yet. After a search: %memo judge 1 3"


def _without(ablation: Ablation) -> tuple[str, ...]:
    """The rank without each arm in one sentence."""
    told = [
        f"without {each.arm} "
        + ("it would not be found" if each.rank is None else f"it would stand {numbers.ordinal(each.rank)}")
        for each in ablation.without
    ]
    whole = "; ".join(told)
    return (f"{whole[0].upper()}{whole[1:]}.",) if told else ()


def _ablation(ablation: Ablation) -> tuple[str, ...]:
    """Which arms are enough, and whether this is still the list that was asked about."""
    told = []
    if ablation.enough:
        names = reading.listed(list(ablation.enough))
        verb = "alone keeps" if len(ablation.enough) == 1 else "together keep"
        told.append(f"{names[0].upper()}{names[1:]} {verb} it among the first {numbers.count(ablation.last)}.")
    if not ablation.same:
        told.append("The index or its rules have changed since this list was made; these ranks are those of now.")
    return tuple(told)


def _why_not(told: WhyNot) -> tuple[tuple[str, str], ...]:
    rows: list[tuple[str, str]] = [("Step", told.step)]
    if told.sentence:
        rows.append(("Why", visible.line(told.sentence)))
    if told.passed:
        rows.append(("Before", "; ".join(map(visible.line, told.passed)) + "."))
    if told.near:
        rows.append(("Near", ", ".join(map(visible.line, told.near))))
    if told.cure:
        rows.append(("Next", visible.line(told.cure)))
    return tuple(rows)


def _judgement(each: Judgement) -> tuple[str, ...]:
    return (
        str(each.grade),
        visible.line(each.uri),
        visible.line(each.query),
        visible.line(each.user),
        each.at.date().isoformat(),
        str(each.index_version),
    )
