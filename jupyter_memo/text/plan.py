"""The query plan: what a typed query asks for, read once and used by every arm.

`text.syntax` reads the signs (quotes, dashes, fields), `text.negation` what is said in plain words, `text.times` the
words of time. Who quotes inside a whole sentence (what is the type of a "module"?) cites rather than demands: there
the words count as words, and standing side by side counts for more.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from jupyter_memo.query import Mode, Scope
from jupyter_memo.text import negation, syntax, times
from jupyter_memo.text.syntax import Part, clipped
from jupyter_memo.text.tokens import CJK
from jupyter_memo.text.words import content, identifiers, literal_tokens, stems

SENTENCE_WORDS = 4
"""So many words outside the quotes, a function word (the, of, in) among them, make a sentence. Keywords beside a
phrase are fewer or are all content; asking for every quoted title of a sentence left real questions without any
answer."""


MOST_WORDS = 1_000
MOST_CLAUSES = 100
"""Of a query so many words are read, and so many phrases, names and exclusions each: more is a document that was
pasted, which says the same thing many times, and would take seconds."""

_READ = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
"""A word as it is counted there: one character of the scripts without spaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPlan:
    """One query, taken apart.

    `text` is the query exactly as typed. `words` is what the keyword arm matches (words of phrases included,
    exclusions, unwanted words and fields taken out). `semantic` is what is embedded: as typed, without exclusions,
    unwanted words, fields and quotes.
    `phrases` must stand in every result word for word, `quoted` are those of a sentence, which need not; `excluded`
    words, `excluded_phrases` and `excluded_identifiers` must not stand in any; each exclusion is in one of the three.
    What is `unwanted` was said in plain words ("without garlic") and only weighs a result down; `against` says that
    reasons against the subject are asked for ("why not …"). `identifiers` are literal tokens for the exact arm.
    `variants` are other spellings of words, by stem: one stem, or two that stand side by side; the index's vocabulary
    decides on them, and `also` are the same as a person reads them. `scope` holds the fields, `fields` the same as
    typed (`since:2026-06`), `suggested` those that the query's time words would be. `hints` are remarks for the reader.
    """

    text: str
    words: str = ""
    semantic: str = ""
    phrases: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    excluded_phrases: tuple[str, ...] = ()
    excluded_identifiers: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    against: bool = False
    identifiers: tuple[str, ...] = ()
    variants: tuple[tuple[str, tuple[str, ...]], ...] = ()
    also: tuple[str, ...] = ()
    scope: Scope = field(default_factory=Scope)
    fields: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """Every exclusion, words before names before phrases."""
        return (*self.excluded, *self.excluded_identifiers, *self.excluded_phrases)


def plan(text: str, *, mode: Mode = "auto", now: datetime, plain_negation: bool = True) -> QueryPlan:
    """Take a query apart; any text has a plan.

    In mode exact every literal token is an identifier, otherwise those that look like one. `now` (aware) is what
    relative dates count from. Without `plain_negation`, and in mode exact, "without X" is three words.
    """
    signs = syntax.read(text, now)
    wish = negation.Wish(parts=signs.parts)
    if plain_negation and mode != "exact":
        wish = negation.read(signs.parts)
    # What holds no letter and no digit is no word: a lone dash, one quote.
    said = " ".join(part.text for part in wish.parts if any(character.isalnum() for character in part.text))
    words = _first_words(said)
    names = tuple(dict.fromkeys(token.whole for token in literal_tokens(words))) if mode == "exact" else ()
    asked = tuple(dict.fromkeys(part.text for part in wish.parts if part.phrase))
    phrases = tuple(map(_first_words, asked[:MOST_CLAUSES]))
    left_out = (signs.excluded, signs.excluded_phrases, signs.excluded_identifiers)
    cut = words != said or asked != phrases or any(len(each) > MOST_CLAUSES for each in left_out)
    quoted = phrases if phrases and mode != "exact" and _is_sentence(wish.parts) else ()
    dated = signs.scope.since or signs.scope.before or signs.scope.as_of
    spoken_times = () if dated else times.suggested(" ".join(part.text for part in wish.parts), now)
    as_typed = signs.plain and not wish.unwanted
    return QueryPlan(
        text=text,
        words=words,
        semantic=_first_words(text.strip() if as_typed else " ".join(part.text for part in wish.parts)),
        phrases=() if quoted else phrases,
        quoted=quoted,
        excluded=signs.excluded[:MOST_CLAUSES],
        excluded_phrases=tuple(map(_first_words, signs.excluded_phrases[:MOST_CLAUSES])),
        excluded_identifiers=signs.excluded_identifiers[:MOST_CLAUSES],
        unwanted=wish.unwanted,
        against=wish.against,
        identifiers=(names if mode == "exact" else identifiers(words))[:MOST_CLAUSES],
        scope=signs.scope,
        fields=signs.fields,
        suggested=tuple(fields for _, fields in spoken_times),
        hints=tuple(dict.fromkeys((*signs.hints, *_hints(signs.scope, quoted, wish.unwanted, spoken_times, cut)))),
    )


def _first_words(text: str) -> str:
    """As much of a text as is read."""
    if len(text) <= MOST_WORDS:
        return text
    following = next(itertools.islice(_READ.finditer(text), MOST_WORDS, None), None)
    return text if following is None else text[: following.start()].rstrip()


def describe(plan: QueryPlan) -> str:
    """The plan in words: what was looked for, what was left out, what it was limited to."""
    parts: list[str] = []
    if plan.words:
        parts.append(f"looked for {clipped(plan.words)}")
    if plan.also:
        parts.append("also " + clipped(", ".join(plan.also)))
    if plan.phrases:
        parts.append(f"as phrase {_named(plan.phrases)}")
    if plan.quoted:
        parts.append(f"quoted in a sentence {_named(plan.quoted)}")
    if plan.identifiers:
        parts.append("exactly " + clipped(", ".join(plan.identifiers)))
    if plan.against:
        parts.append("for reasons against it")
    if plan.left_out:
        shown = (*plan.excluded, *plan.excluded_identifiers, *(f"“{phrase}”" for phrase in plan.excluded_phrases))
        parts.append(("left out " if plan.words else "everything but ") + clipped(", ".join(shown)))
    if plan.unwanted:
        parts.append("weighed down " + clipped(", ".join(plan.unwanted)))
    if plan.fields:
        parts.append("only " + clipped(" ".join(plan.fields)))
    return ", ".join(parts) or "no words and no filter"


def _hints(
    scope: Scope,
    quoted: tuple[str, ...],
    unwanted: tuple[str, ...],
    spoken_times: tuple[tuple[str, str], ...],
    cut: bool,
) -> Iterable[str]:
    if cut:
        yield f"The query is long: its first {MOST_WORDS:,} words were read, and {MOST_CLAUSES} signs of a kind."
    if quoted:
        yield f"{_named(quoted)}: preferred, not required, as a whole sentence stands around it."
    if unwanted:
        signs = " ".join(f'-"{each}"' if " " in each else f"-{each}" for each in unwanted)
        yield f"What holds {_named(unwanted)} is weighed down. {clipped(signs)} would leave it out."
    for words, fields in spoken_times:
        yield f"“{words}” was matched as words. {fields} would limit the list to it."
    if scope.since and scope.before and scope.since >= scope.before:
        yield "since: is not before before:, so nothing can match."


def _is_sentence(parts: tuple[Part, ...]) -> bool:
    """Whether what stands outside the quotes reads as a sentence."""
    outside = " ".join(part.text for part in parts if not part.quoted)
    words = stems(outside)
    return len(words) >= SENTENCE_WORDS and len(content(outside)) < len(words)


def _named(phrases: tuple[str, ...]) -> str:
    return " and ".join(f"“{clipped(phrase)}”" for phrase in phrases)
