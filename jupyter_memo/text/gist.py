"""A text of any length boiled down to what it can be looked for by: the words and names that set it apart here.

Looking for every word of a page costs as much as a page of questions, and most of its words stand everywhere. So the
words of grammar go, and of the others those stay whose frequency in the text times rarity in the index is highest
(tf × idf, Salton and Buckley 1988; a query of such words is what search engines call "more like this"): at most WORDS
words and NAMES names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from jupyter_memo.text.terms import CHARACTER, LITERAL, STEM
from jupyter_memo.text.tokens import CJK_RUN, cjk_terms, content, has_cjk, spans
from jupyter_memo.text.vocabulary import FUNCTION_WORDS
from jupyter_memo.text.words import identifiers

READ_CHARACTERS = 8_000
"""Of a text so much is read for its words, some four pages: to find the names in more would outlast a query."""

MEANT_CHARACTERS = 1_000
"""Of a text so much is embedded: about one window of the default model. With two and four windows no more was found."""

LOOKED_UP = 300
"""Of so many different words and names the rarity is looked up: those that the text has most often, the first first."""

WORDS = 16
NAMES = 8
"""So many are looked for. Where documents that answer one question count as alike, 12 and 16 words find the most of
them, and all words of an abstract fewer than 8 do: the common ones leave the rare ones little of the score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word or name of a text: as the statistics call it, as it stands in the text, how often and where first."""

    name: str
    typed: str
    times: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """What is looked for: `words` in the order of the text, with one blank between two, `names` as identifiers;
    `of` counts the different words and names that the text has to choose from."""

    words: str = ""
    names: tuple[str, ...] = ()
    of: int = 0


def terms(text: str) -> tuple[Term, ...]:
    """The different words and names of a text, most frequent first: content words by their stems, of scripts without
    blanks every bigram, and identifiers."""
    read = text[:READ_CHARACTERS]
    meant = frozenset(content(read))
    times: Counter[str] = Counter()
    places: dict[str, tuple[str, int]] = {}
    for stem, start, end in spans(read):
        word = read[start:end]
        if stem in meant and word.lower() not in FUNCTION_WORDS and not has_cjk(stem):
            times[STEM + stem] += 1
            places.setdefault(STEM + stem, (word, start))
    for run in CJK_RUN.finditer(read) if has_cjk(read) else ():
        for place, term in enumerate(cjk_terms(run.group())):
            if len(term) > 1 or len(run.group()) == 1:
                times[CHARACTER + term] += 1
                places.setdefault(CHARACTER + term, (term, run.start() + place // 2))
    for name in identifiers(read):
        times[LITERAL + name] += read.count(name)
        places.setdefault(LITERAL + name, (name, read.find(name)))
    found = (Term(name=name, typed=places[name][0], times=count, at=places[name][1]) for name, count in times.items())
    return tuple(sorted(found, key=lambda term: (-term.times, term.at, term.name))[:LOOKED_UP])


def gist(found: tuple[Term, ...], passages: int, frequencies: Mapping[str, int], own: Mapping[str, int]) -> Gist:
    """The terms that set the text apart. `frequencies` say in how many of the `passages` each stands, `own` in how many
    of those that are the text itself: what no other passage holds cannot find one."""
    weighed = sorted(
        (
            (-weight, term.at, term.name, term)
            for term in found
            if (weight := _weight(term, passages, frequencies.get(term.name, 0) - own.get(term.name, 0))) > 0
        ),
    )
    ranked = [term for _, _, _, term in weighed]
    words = [term for term in ranked if not term.name.startswith(LITERAL)][:WORDS]
    names = [term for term in ranked if term.name.startswith(LITERAL)][:NAMES]
    return Gist(
        words=" ".join(term.typed for term in sorted(words, key=lambda term: (term.at, term.name))),
        names=tuple(term.typed for term in sorted(names, key=lambda term: (term.at, term.name))),
        of=len(found),
    )


def opening(text: str) -> str:
    """The beginning of a text that is embedded, up to a blank where there is one."""
    clean = text.strip()
    if len(clean) <= MEANT_CHARACTERS:
        return clean
    head, blank, _ = clean[: MEANT_CHARACTERS + 1].rpartition(" ")
    return head if blank and len(head) > MEANT_CHARACTERS // 2 else clean[:MEANT_CHARACTERS]


def _weight(term: Term, passages: int, held: int) -> float:
    """(1 + ln tf) × idf; 0 for what no passage holds."""
    if held <= 0:
        return 0.0
    return (1 + math.log(term.times)) * math.log(1 + (passages - min(held, passages) + 0.5) / (held + 0.5))
