"""Which words of a query a passage holds, as typed: of all its wordings, and another spelling as the word itself."""

from __future__ import annotations

from functools import lru_cache

from jupyter_memo.ranking.stage import Context
from jupyter_memo.response import Vote
from jupyter_memo.store.tables import Row
from jupyter_memo.text import words


def matched(vote: Vote, context: Context, row: Row) -> tuple[str, ...]:
    """The words of the query, as typed, that this arm found in the passage."""
    if vote.arm == "keyword":
        held = frozenset(row.lex.split()) | frozenset(row.cjk.split())
        said = spoken(context)
        meant = content(said)
        found = held & (meant | frozenset(words.cjk_terms(said)))
        if held.intersection(variants(context)):
            found |= {stem for stem in meant if held.intersection(variants(context, stem))}
        return tuple(word for word, terms in _typed(said) if not found.isdisjoint(terms))
    if vote.arm == "exact":
        held = frozenset(row.ident.split())
        return tuple(name for name in names(context) if name in held or "." + name in held)
    return ()


@lru_cache(maxsize=8)
def content(said: str) -> frozenset[str]:
    """The stems of what a query speaks of: every result asks for those of the same query."""
    return frozenset(words.content(said))


@lru_cache(maxsize=8)
def _typed(said: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The words of a query as typed, each with its stems and characters."""
    typed = dict.fromkeys(said.split())
    return tuple((word, frozenset((*words.stems(word), *words.cjk_terms(word)))) for word in typed)


def spoken(context: Context) -> str:
    """The words of the query, and of its other wordings."""
    return " ".join(plan.words for plan in (context.plan, *context.others))


def names(context: Context) -> tuple[str, ...]:
    """The identifiers of the query, and of its other wordings."""
    plans = (context.plan, *context.others)
    return tuple(dict.fromkeys(name for plan in plans for name in plan.identifiers))


def variants(context: Context, stem: str | None = None) -> tuple[str, ...]:
    """The stems of other spellings, of one word or of all."""
    plans = (context.plan, *context.others)
    return tuple(
        other
        for plan in plans
        for word, spelt in plan.variants
        if stem is None or word == stem
        for each in spelt
        for other in each.split()
    )
