"""Terms as the statistics count them: one name for each stem, character or literal token, whatever column holds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.words import asked, cjk_terms, content, has_cjk, looks_like_identifier, split_identifier, stems

STEM, CHARACTER, LITERAL = "s:", "c:", "i:"
"""What a term's name begins with, so that the stem `go` and the literal `go` are counted apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerms:
    """What a query looks for, in the terms of the statistics.

    `words` are stems and characters with the number of times the query has them; `identifiers` literal names; `pairs`
    adjacent stems. `content` are those of the words that say what is asked: no function words, no parts of names.
    `variants` are the other spellings of some of the words, each one stem or two adjacent ones. `fragments` are words
    that are no more than a part of a name, with that name: the C of C++, and in a query of names alone all their parts.
    """

    words: tuple[tuple[str, float], ...] = ()
    identifiers: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    content: tuple[str, ...] = ()
    variants: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = ()
    fragments: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every term whose frequency is needed."""
        spelt = (STEM + stem for _, others in self.variants for other in others for stem in other)
        return tuple(dict.fromkeys((*(word for word, _ in self.words), *self.identifiers, *spelt)))


@lru_cache(maxsize=256)
def query_terms(plan: QueryPlan, *, question_words: bool = False) -> QueryTerms:
    """The terms of a plan, its question words left out unless asked for. The parts of a joined name (getHTTPResponse)
    count as words beside the name itself."""
    # A run without spaces is one word to the stemmer, and hardly ever stands elsewhere: its characters speak for it.
    spoken = tuple(stem for stem in (stems if question_words else asked)(plan.words) if not has_cjk(stem))
    counts = Counter(STEM + stem for stem in spoken)
    for name in plan.identifiers:
        for part in stems(" ".join(split_identifier(name))):
            counts.setdefault(STEM + part, 1)
    characters = cjk_terms(plan.words)
    counts.update(CHARACTER + term for term in characters)
    meant = frozenset(content(plan.words))
    speaking = tuple(stem for stem in spoken if stem in meant) or spoken
    pairs = tuple(dict.fromkeys((first, second) for first, second in pairwise(spoken) if first != second))
    return QueryTerms(
        words=tuple(counts.items()),
        identifiers=tuple(LITERAL + name for name in plan.identifiers),
        pairs=pairs,
        content=tuple(dict.fromkeys((*(STEM + stem for stem in speaking), *(CHARACTER + term for term in characters)))),
        fragments=_fragments(plan, spoken),
        variants=tuple(
            (STEM + stem, tuple(tuple(other.split()) for other in others))
            for stem, others in plan.variants
            if STEM + stem in counts
        ),
    )


def _fragments(plan: QueryPlan, spoken: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    parts = {
        name: frozenset(stems(" ".join((name, *split_identifier(name))))) - {name.lower()} for name in plan.identifiers
    }
    only_names = all(any(stem in held or stem == name.lower() for name, held in parts.items()) for stem in spoken)
    return tuple(
        (STEM + stem, LITERAL + name)
        for name, held in parts.items()
        for stem in sorted(held)
        if only_names or name.endswith(("++", "#"))
    )


def passage_terms(lex: str, ident: str, cjk: str) -> Iterable[str]:
    """The distinct terms of a passage, from its derived columns. Of the literal tokens only those count that a query
    in mode auto would look for: names, not every word a second time."""
    literals = {token.lstrip(".") for token in ident.split()}
    return (
        *(STEM + stem for stem in set(lex.split())),
        *(CHARACTER + term for term in set(cjk.split())),
        *(LITERAL + name for name in literals if looks_like_identifier(name)),
    )


def passage_length(lex: str, cjk: str) -> int:
    """How many terms a passage has, repeats included; at least 1."""
    return length_of(lex.count(" ") // 2, cjk)


def length_of(stems: int, cjk: str) -> int:
    """The same of a passage with so many stems."""
    return max(1, stems + len(cjk.split()) if cjk else stems)


def adjacent(pair: tuple[str, str], lex: str) -> int:
    """How often two stems stand side by side in the `lex` column."""
    return lex.count(f" {pair[0]}  {pair[1]} ")
