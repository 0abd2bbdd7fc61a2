"""Verbs of %memo about the last answer: explain, why_not, judge, judgements, cite; and what `similar` is asked about.

"The last answer" is that of the last %memo_search; `--of NAME` takes the one in a variable.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError

from jupyter_memo.jupyter import display, manual, options
from jupyter_memo.render import visible
from jupyter_memo.response import Ablation, Result, SearchResponse, WhyNot

if TYPE_CHECKING:
    from jupyter_memo.engine import Memo

_ONE = re.compile(r"""(?P<target>"[^"]*"|'[^']*'|\S+)\s+(?P<flag>--[a-z-]+)(?=[\s=]|$)""")
_TARGET = re.compile(r"(?:^|(?<=\s))--target(?=[\s=])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a verb works with: the engine, the last answer, the user's variables."""

    engine: Memo
    last: SearchResponse | None
    variables: dict[str, Any]

    def answer(self, name: str | None) -> SearchResponse:
        """The answer that is meant. Raises UsageError when there is none."""
        found = self.variables.get(name) if name else self.last
        if isinstance(found, SearchResponse):
            return found
        if name:
            raise UsageError(f"--of {name}: no search result is in a variable of that name")
        raise UsageError("there is no answer yet. Ask first: %memo_search QUERY")


def explain(asked: Asked, line: str) -> Ablation:
    """%memo explain N."""
    parsed = options.parse(line, manual.VERB_OPTIONS["explain"], anywhere=True)
    (rank,) = _numbers(parsed.words, 1, "%memo explain N, such as %memo explain 2")
    return asked.engine.explain(asked.answer(parsed.given.get("of")), rank)


def judge(asked: Asked, line: str) -> display.Note:
    """%memo judge N GRADE."""
    parsed = options.parse(line, manual.VERB_OPTIONS["judge"], anywhere=True)
    rank, grade = _numbers(parsed.words, 2, "%memo judge N GRADE: a rank, and 0 (no answer) to 3 (the answer)")
    kept = asked.engine.judge(asked.answer(parsed.given.get("of")), rank, grade)
    return display.Note(f"Judged {kept.grade}: {visible.line(kept.uri)} for “{visible.line(kept.query)}”.")


def judgements(asked: Asked, line: str) -> display.Judgements:
    """%memo judgements."""
    if line.strip():
        raise UsageError(f"%memo judgements takes nothing behind it, but {line.strip()!r} was given")
    return display.Judgements(asked.engine.judgements())


def cite(asked: Asked, line: str) -> display.Note:
    """%memo cite [N…]."""
    parsed = options.parse(line, manual.VERB_OPTIONS["cite"], anywhere=True)
    ranks = _numbers(parsed.words, None, "%memo cite [N…], such as %memo cite 1 3 --style bibtex")
    response = asked.answer(parsed.given.get("of"))
    for rank in ranks:
        response.at(rank)
    return display.Note(response.cite(parsed.given.get("style", "markdown"), ranks))


def around_target(line: str) -> options.Parsed:
    """The line of %memo similar taken apart: options in front, the target as typed, and behind a target of one word, or
    in quotes, options too. Behind a text they would be a part of it."""
    known = manual.VERB_OPTIONS["similar"]
    parsed = options.parse(line, known)
    flags = {option.long for option in known}
    found = _ONE.match(parsed.rest)
    if found is None or found["flag"] not in flags:
        return parsed
    behind = options.parse(parsed.rest[found.start("flag") :], known)
    if behind.rest:
        return parsed
    return dataclasses.replace(parsed, given=parsed.given | behind.given, rest=found["target"])


def target(asked: Asked, line: str, cell: str | None, of: str | None, around: Callable[[], str]) -> str | Result:
    """What %memo similar is asked about: the text below it, result N of an answer, what the line names or says, or the
    cell that it stands in. Raises UsageError when there is nothing."""
    if cell is not None and line:
        raise UsageError(f"the magic line takes options only, but {line!r} is none. Write the text below it")
    text = options.expand(line if cell is None else cell.strip("\r\n"), asked.variables)
    if cell is None and (of or text.isdecimal()):
        (rank,) = _numbers((text,), 1, "%memo similar N --of NAME: the rank of a result")
        return asked.answer(of).at(rank)
    if not text.strip() and cell is None:
        text = around()
    if not text.strip():
        raise UsageError("there is nothing to compare with. Name a target: %memo similar PATH, or write a text below")
    quoted = cell is None and len(text) > 2 and text[0] == text[-1] and text[0] in "\"'" and text.count(text[0]) == 2
    return text[1:-1] if quoted else text


def why_not(asked: Asked, line: str) -> WhyNot:
    """%memo why_not [QUERY] --target PATH. Without a query that of the last answer, asked as it was."""
    known = manual.VERB_OPTIONS["why_not"]
    parsed = options.parse(line, known)
    given, text = dict(parsed.given), parsed.rest
    found = list(_TARGET.finditer(text))
    if found:
        behind = options.parse(text[found[-1].start() :], known)
        if behind.rest:
            raise UsageError(
                f"{behind.rest!r} stands behind the options. Write the query before --target, and a target with "
                "blanks in quotes"
            )
        given, text = given | behind.given, text[: found[-1].start()].rstrip()
    target = given.pop("target", None)
    if target is None:
        raise UsageError("name what should have been found: %memo why_not QUERY --target PATH")
    last = asked.last
    if not text.strip():
        if last is None:
            raise UsageError("name the query too: %memo why_not QUERY --target PATH")
        given, text = again(last) | given, last.query
    else:
        text = options.expand(text, asked.variables)
    return asked.engine.why_not(text, options.expand(target, asked.variables), **manual.asked(given))


def again(last: SearchResponse) -> dict[str, Any]:
    """The options that ask the query of an answer as it was asked."""
    return {
        "scope": last.scope,
        "mode": last.trace.mode_asked,
        "profile": last.trace.profile,
        "granularity": last.granularity,
        "limit": last.limit,
        "offset": last.offset,
        "max_tokens": last.trace.budget.max_tokens,
        "min_relevance": last.min_relevance,
        "now": last.now,
        "queries": last.queries,
        "surfaces": tuple(leg.surface for leg in last.legs),
    }


VERBS: dict[str, Callable[[Asked, str], Any]] = {
    "explain": explain,
    "why_not": why_not,
    "judge": judge,
    "judgements": judgements,
    "cite": cite,
}


def _numbers(words: tuple[str, ...], count: int | None, usage: str) -> tuple[int, ...]:
    if count is not None and len(words) != count:
        raise UsageError(usage)
    try:
        return tuple(int(word) for word in words)
    except ValueError:
        raise UsageError(usage) from None
