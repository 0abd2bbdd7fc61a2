"""The signs of a query: what quotes, dashes, NOT and fields make of a text. Tolerant by design: everything that is
not one of these is words.

    "some words"  “some words”      a phrase: the words stand side by side
    -word  -"some words"  NOT word  left out
    kind:note,paper  tag:"a b"      a field, one of text.fields.FIELDS; several values mean any of them

A dash counts only before a letter at the beginning of a word: `state-of-the-art`, `--limit`, `- x`, `-5` exclude
nothing. NOT counts in capitals, in a query that is not all capitals. A quote counts where a word may begin and its
partner follows. A field whose value cannot be meant is words, with a hint.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from jupyter_memo.errors import QueryError
from jupyter_memo.query import Scope
from jupyter_memo.text.fields import FIELDS, into_scope
from jupyter_memo.text.words import has_cjk, identifiers, literal_tokens, stems

_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』"}
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\S+")
_FIELD = re.compile(rf"(-?)({'|'.join(sorted(FIELDS, key=len, reverse=True))}):(?=[^\s:])", re.IGNORECASE)
_VALUE = re.compile(r"\"([^\"]*)\"|“([^”]*)”|([^\s,]+)")
_NOT = re.compile(r"NOT\s+(?=\S)")


MOST_FIELDS = 100
"""Of thousands the library makes one condition that it cannot work off."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of what is looked for: a word as typed, or the words between two quotes."""

    text: str
    quoted: bool = False

    @property
    def phrase(self) -> bool:
        """Whether it is quoted and holds something that can be matched word for word."""
        return self.quoted and bool(stems(self.text) or has_cjk(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """A query taken apart by its signs. `plain` says that it has none of them: the parts are the text as typed."""

    parts: tuple[Part, ...] = ()
    excluded: tuple[str, ...] = ()
    excluded_phrases: tuple[str, ...] = ()
    excluded_identifiers: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    scope: Scope
    hints: tuple[str, ...] = ()
    plain: bool = True


def read(text: str, now: datetime) -> Signs:
    """Take a text apart by its signs; never raises. `now` (aware) is what relative dates count from."""
    parse = _Parse(text, now)
    parse.run()
    return Signs(
        parts=tuple(parse.parts),
        excluded=tuple(dict.fromkeys(parse.excluded)),
        excluded_phrases=tuple(dict.fromkeys(parse.excluded_phrases)),
        excluded_identifiers=tuple(dict.fromkeys(parse.excluded_identifiers)),
        fields=tuple(parse.fields),
        scope=parse.scope(),
        hints=tuple(parse.hints),
        plain=parse.plain,
    )


class _Parse:
    """One pass over the text, left to right; never goes back, so that long texts cost what their length costs."""

    def __init__(self, text: str, now: datetime) -> None:
        self.text, self.now = text, now
        self.parts: list[Part] = []
        self.excluded: list[str] = []
        self.excluded_phrases: list[str] = []
        self.excluded_identifiers: list[str] = []
        self.fields: list[str] = []
        self.hints: list[str] = []
        self.scopes: list[Scope] = []
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

    def scope(self) -> Scope:
        """All fields as one scope: values add up, of two dates or levels the later one counts."""
        given: dict[str, Any] = {}
        for scope in self.scopes:
            for entry in dataclasses.fields(Scope):
                value = getattr(scope, entry.name)
                if isinstance(value, tuple):
                    given.setdefault(entry.name, {}).update(dict.fromkeys(value))
                elif value is not None:
                    given[entry.name] = value
        added: dict[str, Any] = {
            name: tuple(value) if isinstance(value, dict) else value for name, value in given.items()
        }
        return dataclasses.replace(Scope(), **added)

    def _field(self, at: int, *, ignored: bool = False) -> int:
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
        typed = self.text[at:end].rstrip(",")
        if len(self.fields) >= MOST_FIELDS or len(values) > MOST_FIELDS:
            self.hints.append(f"Of fields the first {MOST_FIELDS} were read, and of each as many values.")
            self.plain = False
            return end
        if match[1] or ignored:
            self.plain = False
            self.hints.append(f"{clipped(typed)} was ignored: a field says what is wanted, not what is left out.")
            return end
        try:
            self.scopes.append(into_scope(Scope(), match[2].casefold(), tuple(values), self.now))
        except QueryError as error:
            self.hints.append(f"{str(error).rstrip('.')}. It was looked for as words.")
            self.parts.extend(Part(word) for word in self.text[at:end].split())
            return end
        self.plain = False
        self.fields.append(typed)
        return end

    def _not(self, at: int) -> int:
        match = _NOT.match(self.text, at)
        if not match or self.shouting:
            return 0
        field = _FIELD.match(self.text, match.end())
        if field and not field[1] and (end := self._field(match.end(), ignored=True)):
            return end
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
            self.parts.append(Part(content, quoted=True))
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
        self.parts.append(Part(self.text[at:end]))
        return end


def clipped(text: str, shown: int = 200) -> str:
    """A text as a message shows it: at most so many characters."""
    return text if len(text) <= shown else text[: shown - 1] + "…"
