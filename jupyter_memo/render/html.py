"""A response as HTML that needs no script, no style sheet and no trust: it reads as lists and tables anywhere.

Everything that comes from a query or a passage goes through `visible` and `html.escape`. JupyterLab's own style sheet
aligns every cell of a table to the right, so cells of text say their side themselves. Attributes stand without quotes
where they can: nothing from outside is ever in one, and a notebook would store hundreds of them.

It is also a part of a Markdown file, when a notebook is exported to one. There HTML ends at the first blank line, and
what follows is Markdown: a link, an image, a heading. So no line of it is blank.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from functools import partial

from jupyter_memo.records import Passage
from jupyter_memo.render import ledger, location, numbers, reading, visible
from jupyter_memo.response import Result, SearchResponse

DOT = " · "
LEFT = " style=text-align:left"
PLAIN = "tex2jax_ignore mathjax_ignore"
"""Classes that MathJax knows: a dollar sign in a note is a dollar sign, and two of them make no formula of a text."""

escape = partial(html.escape, quote=False)
_BLANK = re.compile(r"^([ \t]*)\n", re.MULTILINE)


def static(response: SearchResponse) -> str:
    """The whole answer as one `<article>`. With `response.open_why` the reasons stand open."""
    arms = reading.arms(response)
    top = max((result.score for result in response.results), default=0.0)
    told = "\n".join(
        filter(
            None,
            (
                f"<article class='{PLAIN}'>",
                f"<h3>{_query(response)}</h3>",
                _head(response),
                f"<p>{escape(reading.also(response))}</p>" if response.queries else "",
                *(f"<p><strong>{escape(what)}</strong> {escape(means)}</p>" for what, means in reading.notes(response)),
                _void(response),
                _results([_result(result, response, arms, top) for result in response.results], response.offset),
                _end(response),
                _made(response),
                _key(response),
                "</article>",
            ),
        )
    )
    return one_block(told)


def one_block(told: str) -> str:
    """HTML without a blank line, so that it stays HTML in a Markdown file."""
    return _BLANK.sub(r"\1&#10;", told)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], text: Iterable[int], foot: Sequence[str] = ()) -> str:
    """An HTML table of escaped cells; the first cell of a row heads it. Columns in `text` are aligned to the left."""
    left = frozenset((0, *text))

    def cells(row: Sequence[str], *, heads: bool = False) -> str:
        tags = ("th" if heads or at == 0 else "td" for at in range(len(row)))
        return "".join(
            f"<{tag}{LEFT if at in left and cell else ''}>{escape(cell)}</{tag}>"
            for at, (tag, cell) in enumerate(zip(tags, row, strict=True))
        )

    body = "".join(f"<tr>{cells(row)}</tr>" for row in rows)
    last = f"<tfoot align=right><tr>{cells(foot, heads=True)}</tr></tfoot>" if foot else ""
    return (
        f"<table cellpadding=4 style=margin-left:0><thead align=right><tr>{cells(head, heads=True)}</tr></thead>"
        f"<tbody align=right>{body}</tbody>{last}</table>"
    )


def _query(response: SearchResponse) -> str:
    """The query as typed; exclusions and fields in the code face, as they are commands rather than words."""
    commands = {*response.filters, *(f"-{word}" for word in response.excluded)}
    words = reading.query(response).split() or ["(no words)"]
    return " ".join(f"<code>{escape(word)}</code>" if word in commands else escape(word) for word in words)


def _head(response: SearchResponse) -> str:
    first, *rest = (*reading.head(response), *reading.run(response))
    return f"<p><strong>{escape(first)}</strong>{escape(''.join(DOT + part for part in rest))}</p>"


def _void(response: SearchResponse) -> str:
    rows = reading.void(response)
    if not rows:
        return ""
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(told)}</dd>" for name, told in rows) + "</dl>"


def _results(items: list[str], offset: int) -> str:
    if not items:
        return ""
    start = f" start={offset + 1}" if offset else ""
    return "\n".join((f"<ol{start}>", *items, "</ol>"))


def _result(result: Result, response: SearchResponse, arms: tuple[str, ...], top: float) -> str:
    reasons = why(result, response)
    facts = ledger.facts(result, response)
    found = " ".join(filter(None, ledger.letters(result, arms)))
    score = numbers.score(result.score, response.score_scale)
    if response.score_scale == "none":
        line = escape(DOT.join(facts))
    else:
        told = escape(DOT.join(filter(None, (score, *facts, found))))
        line = f"{_meter(result.score, top, score)} {told}"
    title = f"<strong><bdi>{escape(location.heading(result))}</bdi></strong>"
    place = location.whereabouts(result)
    where = f"<br><bdi>{escape(place)}</bdi>" if place else ""
    opened = " open" if response.open_why else ""
    told = f"<details{opened}><summary>{line}</summary>\n{reasons}</details>" if reasons else f"<br>{line}"
    text = _snippet(result) + (_whole(result.passage, result.snippet) if response.share == "full" else "")
    return "\n".join((f"<li>{title}{where}", told, f"{text}{_around(result)}{_folded(result, response)}</li>"))


def _around(result: Result) -> str:
    """What stands beside the best passage of a document, closed."""
    sides = reading.around(result)
    told = "".join(
        f"<p><small>{side}</small></p>{_quoted(escape(beside), code=result.passage.code)}" for side, beside in sides
    )
    return f"<details><summary>{reading.AROUND}</summary>{told}</details>" if sides else ""


def _folded(result: Result, response: SearchResponse) -> str:
    """What says the same, closed: where it stands and how alike it is."""
    rows = reading.folds(result, response)
    if not rows:
        return ""
    items = "".join(f"<li>{DOT.join(f'<bdi>{escape(part)}</bdi>' for part in row if part)}</li>" for row in rows)
    return f"<details><summary>{reading.folded(result)}</summary><ul>{items}</ul></details>"


def _meter(value: float, top: float, shown: str) -> str:
    """A bar as long as the score is high, relative to the first result; the number stands beside it."""
    if top <= 0:
        return ""
    share = numbers.fixed(value / top, 3)
    return f"<meter value={share} title={shown}></meter>"


def why(result: Result, response: SearchResponse) -> str:
    """The arithmetic of one result as a table, and what that does not say; empty where it carries no reasons."""
    entry = ledger.ledger(result, response)
    if entry is None:
        return ""
    rows = [(row.name, row.rank, row.raw, row.unit, row.formula, row.value) for row in entry.lines]
    head = ("arm", "rank", "raw", "unit", entry.formula, "contribution")
    told = escape(" ".join(ledger.story(result)))
    sums = table(head, rows, text=(3,), foot=("score", "", "", "", "", entry.score))
    return f"{sums}<p><small>{told}</small></p>"


def _snippet(result: Result) -> str:
    """The snippet with its matched words marked; line breaks are kept for code only."""
    if not result.snippet:
        return ""
    code = result.passage.code
    clean = visible.text if code else _flowing
    parts, at = [], 0
    for start, end in result.marks:
        if not at <= start < end <= len(result.snippet):
            continue
        parts.append(escape(clean(result.snippet[at:start])))
        parts.append(f"<mark>{escape(clean(result.snippet[start:end]))}</mark>")
        at = end
    parts.append(escape(clean(result.snippet[at:])))
    return _quoted("".join(parts), code=code)


def _whole(passage: Passage, snippet: str) -> str:
    """All of the passage, closed, where the snippet is not all of it."""
    if not passage.text or passage.text.strip() == snippet.strip():
        return ""
    quoted = _quoted(escape(visible.text(passage.text)), code=passage.code)
    return f"<details><summary>The whole passage</summary>{quoted}</details>"


def _quoted(inside: str, *, code: bool) -> str:
    if code:  # Jupyter's style sheet gives the code face to `code` alone, and columns need it
        return f"<blockquote><pre dir=auto><code>{inside.rstrip()}</code></pre></blockquote>"
    return f"<blockquote dir=auto>{inside.strip()}</blockquote>"


def _flowing(text: str) -> str:
    return visible.text(text).replace("\n", " ")


def _end(response: SearchResponse) -> str:
    hint = reading.narrow(response)
    narrow = f"{hint[0]}<code>{escape(hint[1])}</code>{escape(hint[2])}" if hint else ""
    told = [" ".join(filter(None, (escape(reading.ending(response)), narrow)))]
    told += [escape(remark) for remark in (*reading.legs(response), *reading.remarks(response))]
    return "\n".join(f"<p>{part}</p>" for part in told if part)


def _made(response: SearchResponse) -> str:
    steps = [(step.name, step.left, step.ms, step.note) for step in reading.steps(response)]
    total = ("total", numbers.count(len(response.results)), numbers.trace_ms(response.trace.total_ms), "")
    parts = [
        "<details>",
        "<summary>How this list was made</summary>",
        table(("stage", "left", "ms", "note"), steps, text=(3,), foot=total),
    ]
    idle = reading.idle(response)
    if idle:
        parts.append(f"<p>{escape(idle)}</p>")
    filters = reading.filters(response)
    if len(filters) > 1:
        parts.append("<p>Filters, applied inside every arm:</p>")
        parts.append(table(("predicate", "gone", "left"), filters, text=()))
    parts.append(f"<p><small>{escape(reading.conditions(response))}</small></p>")
    parts.append("</details>")
    return "\n".join(parts)


def _key(response: SearchResponse) -> str:
    legend = reading.legend(response)
    told = f"Letters: {legend}; the number is the rank in that arm."
    return f"<p><small>{escape(told)}</small></p>" if legend else ""
