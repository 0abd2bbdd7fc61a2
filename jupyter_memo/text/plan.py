"""The query plan: what a typed query asks for, parsed once and used by every arm.

The grammar, tolerant by design: everything that is not one of these is words.

    "some words"  “some words”      a phrase: the words stand side by side; inside a sentence only preferred
    -word  -"some words"  NOT word  left out
    kind:note,paper  tag:"a b"      a field, one of text.fields.FIELDS; several values mean any of them

A dash counts only before a letter at the beginning of a word: `state-of-the-art`, `--limit`, `- x`, `-5` exclude
nothing. NOT counts in capitals, in a query that is not all capitals. A quote counts where a word may begin and its
partner follows. Who quotes inside a whole sentence (what is the type of a "module"?) cites rather than demands: there
the words count as words, and standing side by side counts for more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from jupyter_memo.query import Mode, Scope
from jupyter_memo.text.fields import FIELDS, into_scope
from jupyter_memo.text.words import content, has_cjk, identifiers, literal_tokens, stems

SENTENCE_WORDS = 4
"""So many words outside the quotes, a function word (the, of, in) among them, make a sentence. Keywords beside a
phrase are fewer or are all content; asking for every quoted title of a sentence left real questions without any
answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPlan:
    """One query, taken apart.

    `text` is the query exactly as typed. `words` is what the keyword arm matches (words of phrases included,
    exclusions and fields taken out). `semantic` is what is embedded: as typed, without exclusions, fields and quotes.
    `phrases` must stand in every result word for word, `quoted` are those of a sentence, which need not; `excluded`
    words, `excluded_phrases` and
    `excluded_identifiers` must not stand in any; each exclusion is in one of the three. `identifiers` are literal
    tokens for the exact arm. `scope` holds the fields, `fields` the same as typed (`since:2026-06`). `hints` are
    remarks for the reader.
    """

    text: str
    words: str = ""
    semantic: str = ""
    phrases: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    excluded_phrases: tuple[str, ...] = ()
    excluded_identifiers: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    scope: Scope = field(default_factory=Scope)
    fields: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


def plan(text: str, *, mode: Mode = "auto", now: datetime) -> QueryPlan:
    """Take a query apart. Any text has a plan; only a known field with a value it cannot have raises QueryError.

    In mode exact every literal token is an identifier, otherwise those that look like one. `now` (aware) is what
    relative dates count from.
    """
    parse = _Parse(text, now)
    parse.run()
    return parse.plan(mode)


def describe(plan: QueryPlan) -> str:
    """The plan in words: what was looked for, what was left out, what it was limited to."""
    parts: list[str] = []
    if plan.words:
        parts.append(f"looked for {_clipped(plan.words)}")
    if plan.phrases:
        parts.append("as phrase " + " and ".join(f"“{_clipped(phrase)}”" for phrase in plan.phrases))
    if plan.quoted:
        parts.append("quoted in a sentence " + " and ".join(f"“{_clipped(phrase)}”" for phrase in plan.quoted))
    if plan.identifiers:
        parts.append("exactly " + _clipped(", ".join(plan.identifiers)))
    left_out = (*plan.excluded, *plan.excluded_identifiers, *(f"“{phrase}”" for phrase in plan.excluded_phrases))
    if left_out:
        parts.append(("left out " if plan.words else "everything but ") + _clipped(", ".join(left_out)))
    if plan.fields:
        parts.append("only " + _clipped(" ".join(plan.fields)))
    return ", ".join(parts) or "no words and no filter"


_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』"}
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\S+")
_FIELD = re.compile(rf"(-?)({'|'.join(sorted(FIELDS, key=len, reverse=True))}):(?=[^\s:])", re.IGNORECASE)
_VALUE = re.compile(r"\"([^\"]*)\"|“([^”]*)”|([^\s,]+)")
_NOT = re.compile(r"NOT\s+(?=\S)")
_SHOWN = 200


class _Parse:
    """One pass over the text, left to right; never goes back, so that long texts cost what their length costs."""

    def __init__(self, text: str, now: datetime) -> None:
        self.text, self.now = text, now
        self.words: list[str] = []
        self.outside: list[str] = []
        self.phrases: list[str] = []
        self.excluded: list[str] = []
        self.excluded_phrases: list[str] = []
        self.excluded_identifiers: list[str] = []
        self.fields: list[str] = []
        self.hints: list[str] = []
        self.scope = Scope()
        self.plain = True
        self.shouting = not any(character.islower() for character in text)
        self.unpaired: set[str] = set()

    def run(self) -> None:
        at = 0
        while at < len(self.text):
            if space := _SPACE.match(self.text, at):
                at = space.end()
                continue
            if self.text[at] == "(" and self.text[at + 1 : at + 2] in _QUOTES:
                at += 1
            at = self._field(at) or self._not(at) or self._minus(at) or self._phrase(at) or self._word(at)

    def plan(self, mode: Mode) -> QueryPlan:
        # what holds no letter and no digit is no word: a lone dash, one quote
        words = " ".join(word for word in self.words if any(character.isalnum() for character in word))
        if mode == "exact":
            names = tuple(dict.fromkeys(token.whole for token in literal_tokens(words)))
        else:
            names = identifiers(words)
        phrases = tuple(dict.fromkeys(self.phrases))
        quoted = phrases if mode != "exact" and self._is_sentence() else ()
        if quoted:
            told = " and ".join(f"“{_clipped(phrase)}”" for phrase in quoted)
            self.hints.append(f"{told}: preferred, not required, as a whole sentence stands around it.")
        if self.scope.since and self.scope.before and self.scope.since >= self.scope.before:
            self.hints.append("since: is not before before:, so nothing can match.")
        return QueryPlan(
            text=self.text,
            words=words,
            semantic=self.text.strip() if self.plain else " ".join(self.words),
            phrases=() if quoted else phrases,
            quoted=quoted,
            excluded=tuple(dict.fromkeys(self.excluded)),
            excluded_phrases=tuple(dict.fromkeys(self.excluded_phrases)),
            excluded_identifiers=tuple(dict.fromkeys(self.excluded_identifiers)),
            identifiers=names,
            scope=self.scope,
            fields=tuple(self.fields),
            hints=tuple(dict.fromkeys(self.hints)),
        )

    def _is_sentence(self) -> bool:
        """Whether what stands outside the quotes reads as a sentence."""
        if not self.phrases:
            return False
        outside = " ".join(self.outside)
        words = stems(outside)
        return len(words) >= SENTENCE_WORDS and len(content(outside)) < len(words)

    def _field(self, at: int) -> int:
        match = _FIELD.match(self.text, at)
        if not match or self.text.startswith(("//", "http://", "https://"), match.end()):
            return 0
        values: list[str] = []
        end = match.end()
        while value := _VALUE.match(self.text, end):
            values.append(next(group for group in value.groups() if group is not None))
            end = value.end()
            if self.text[end : end + 1] != ",":
                break
            end += 1
        values = [value for value in values if value.strip()]
        if not values:
            return 0
        self.plain = False
        typed = self.text[at:end].rstrip(",")
        if match[1]:
            self.hints.append(f"{typed} was ignored: a field says what is wanted, not what is left out.")
            return end
        self.scope = into_scope(self.scope, match[2].lower(), tuple(values), self.now)
        self.fields.append(typed)
        return end

    def _not(self, at: int) -> int:
        match = _NOT.match(self.text, at)
        if not match or self.shouting:
            return 0
        field = _FIELD.match(self.text, match.end())
        if field and not field[1]:
            self.hints.append("NOT before a field was ignored: a field says what is wanted, not what is left out.")
            self.plain = False
            return self._field(match.end())
        return self._exclude(match.end())

    def _minus(self, at: int) -> int:
        if self.text[at] != "-" or at + 1 == len(self.text):
            return 0
        following = self.text[at + 1]
        # `-.5`, `-5` and `--flag` are text; `-"…"` and `-word` are exclusions
        if following in _QUOTES or following.isalpha() or following in "_@#$%./":
            return self._exclude(at + 1) if self._excludable(at + 1) else 0
        return 0

    def _excludable(self, at: int) -> bool:
        word = _WORD.match(self.text, at)
        return word is not None and any(character.isalpha() for character in word.group())

    def _exclude(self, at: int) -> int:
        """Leave out the phrase or word that begins here."""
        if quoted := self._quoted(at):
            content, end = quoted
            self._sort_exclusion(content, phrase=True)
            self.plain = False
            return end
        match = _WORD.match(self.text, at)
        if not match:
            return 0
        tokens = list(literal_tokens(match.group().lstrip("-")))
        if not tokens:
            return 0
        self.plain = False
        for token in tokens:
            self._sort_exclusion(token.whole, phrase=False)
        return match.end()

    def _sort_exclusion(self, content: str, *, phrase: bool) -> None:
        """To the index that can tell it from others: C++ is no word `c`, DataFrame is a word in any case of
        letters."""
        tokens = stems(content)
        names = identifiers(content)
        if names == (content,) and not content.isalnum():
            self.excluded_identifiers.append(content)
        elif len(tokens) > 1 or (phrase and (tokens or has_cjk(content))):
            self.excluded_phrases.append(content)
        elif tokens:
            self.excluded.append(content)

    def _phrase(self, at: int) -> int:
        quoted = self._quoted(at)
        if not quoted:
            return 0
        content, end = quoted
        self.plain = False
        if content:
            self.words.append(content)
            if stems(content) or has_cjk(content):
                self.phrases.append(content)
        return end

    def _quoted(self, at: int) -> tuple[str, int] | None:
        """The words between a quote that opens here and its partner, blanks made single, and where it ends."""
        opening = self.text[at : at + 1]
        if opening not in _QUOTES or not opening or opening in self.unpaired:
            return None
        ends = [end for closing in _QUOTES[opening] if (end := self.text.find(closing, at + 1)) >= 0]
        if not ends:
            self.unpaired.add(opening)
            return None
        end = min(ends)
        return " ".join(self.text[at + 1 : end].split()), end + 1

    def _word(self, at: int) -> int:
        match = _WORD.match(self.text, at)
        end = match.end() if match else at + 1
        self.words.append(self.text[at:end])
        self.outside.append(self.text[at:end])
        return end


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
