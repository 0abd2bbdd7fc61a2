"""What must stand side by side and what must not stand at all, as clauses of full-text search, and as conditions where
no index knows it."""

from __future__ import annotations

import re
from typing import Any, cast

from lancedb.query import FullTextQuery, MatchQuery, PhraseQuery

from jupyter_memo.store import filters
from jupyter_memo.store.indexes import CJK, IDENT, LEX
from jupyter_memo.store.tables import utf8
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.tokens import CJK_RUN
from jupyter_memo.text.words import cjk_terms, ident_terms, stems

MOST_TOKENS = 50
"""A pattern of many more would be refused as too large; a longer phrase is looked for letter by letter."""

MOST_PARTS = 20
"""Of a phrase of both scripts so many parts are looked up; the whole is looked for in what these leave. Of hundreds of
clauses the library makes a query that ends in no time it is given."""

_TOKEN = re.compile(rf"{CJK_RUN.pattern}|[^\W_]+?(?={CJK_RUN.pattern[:-1]}|[\W_]|$)")
_EDGE = r"(?:{}|[\W_]|[\p{{Han}}\p{{Hangul}}\p{{Hiragana}}\p{{Katakana}}\p{{Bopomofo}}])"


def any_word(text: str, column: str, boost: float = 1.0) -> FullTextQuery:
    """Any of the words of a column's index; `boost` is a factor of the score."""
    # Pydantic hides the defaults of these classes from type checkers.
    query: FullTextQuery = cast(Any, MatchQuery)(text, column, boost=boost)
    return query


def adjacent(text: str, column: str) -> FullTextQuery:
    """All of the words of a column's index, side by side."""
    query: FullTextQuery = cast(Any, PhraseQuery)(text, column)
    return query


def required(plan: QueryPlan) -> list[FullTextQuery]:
    """What every passage must hold for the plan's phrases."""
    return [clause for phrase in plan.phrases for clause in _phrase(phrase)]


def banned(plan: QueryPlan) -> list[FullTextQuery]:
    """What no passage may hold, one clause each."""
    clauses: list[FullTextQuery] = []
    # Words too are matched as phrases: a word that is several tokens (don't) must not ban the single ones (t).
    for phrase in (*plan.excluded, *plan.excluded_phrases):
        parts = _phrase(phrase)
        if len(parts) == 1 and not _is_mixed(phrase):
            clauses.append(parts[0])
    names = [utf8(name) for name in plan.excluded_identifiers if name and not name.isspace()]
    return clauses + [any_word(" ".join(ident_terms(name)), IDENT) for name in names]


def _phrase(phrase: str) -> list[FullTextQuery]:
    """A phrase as adjacent stems, or as contiguous characters and bigrams; of one of both scripts every part, which
    `_side_by_side` puts together. Letters glued to such characters (ERP시스템) have no stem of their own."""
    phrase = utf8(phrase)
    runs = list(CJK_RUN.finditer(phrase))
    if not runs:
        return _stemmed(phrase)
    clauses: list[FullTextQuery] = []
    stretch: list[str] = []
    end = 0
    for run in (*runs, None):
        between = phrase[end : run.start() if run else len(phrase)]
        if any(sign.isalnum() for sign in between):
            if stretch:
                clauses.append(adjacent(" ".join(stretch), CJK))
            stretch = []
            words = _unglued(between, after_run=end > 0, before_run=run is not None)
            clauses += _stemmed(words)
        if run is not None:
            stretch += cjk_terms(run.group())
            end = run.end()
    if stretch:
        clauses.append(adjacent(" ".join(stretch), CJK))
    return clauses[:MOST_PARTS]


def _stemmed(words: str) -> list[FullTextQuery]:
    spoken = stems(words)
    return [adjacent(" ".join(spoken), LEX)] if spoken else []


def _unglued(text: str, *, after_run: bool, before_run: bool) -> str:
    start, end = 0, len(text)
    while after_run and start < end and text[start].isalnum():
        start += 1
    while before_run and end > start and text[end - 1].isalnum():
        end -= 1
    return text[start:end]


def with_literals(where: str, plan: QueryPlan) -> str:
    """The filter with the phrases that no index knows as a whole: what holds no word (`++`), and what holds words of
    both scripts. They are looked for in header and text themselves."""
    for phrase in plan.phrases:
        if phrase.strip() and (_is_mixed(phrase) or not _phrase(phrase)):
            where = filters.both(where, _literally(phrase))
    for phrase in (*plan.excluded, *plan.excluded_phrases):
        if phrase.strip() and (_is_mixed(phrase) or not _phrase(phrase)):
            where = filters.both(where, f"not {_literally(phrase)}")
    return where


def _literally(phrase: str) -> str:
    header = "array_to_string(header, ' ')"
    if _is_mixed(phrase) and len(_TOKEN.findall(phrase)) <= MOST_TOKENS:
        pattern = filters.quote(_side_by_side(phrase))
        return f"(regexp_like(text, {pattern}) or regexp_like({header}, {pattern}))"
    literal = filters.quote(phrase)
    return f"(contains(text, {literal}) or contains({header}, {literal}))"


def _is_mixed(phrase: str) -> bool:
    """Whether a phrase holds several runs of the scripts without spaces, or such a run and other words."""
    return CJK_RUN.search(phrase) is not None and len(_TOKEN.findall(phrase)) > 1


def _side_by_side(phrase: str) -> str:
    """The words of a phrase as a pattern of the library: in any case of letters, with nothing but signs between two,
    and no letter before or behind that would make another word of the first or last."""
    pattern, before = "(?i)", ""
    for token in _TOKEN.findall(utf8(phrase)):
        run = CJK_RUN.match(token) is not None
        if not before:
            pattern += "" if run else _EDGE.format("^")
        else:
            pattern += r"[\W_]*" if run or before == "run" else r"[\W_]+"
        pattern, before = pattern + token, "run" if run else "word"
    return pattern + ("" if before == "run" else _EDGE.format("$"))
