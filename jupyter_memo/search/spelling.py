"""Which of the spellings that `text.variants` proposes stand in this index: the plan is given those, and no others."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence

from jupyter_memo.store.lance import Store
from jupyter_memo.text import variants
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.terms import LITERAL, STEM, query_terms
from jupyter_memo.text.variants import Spelling
from jupyter_memo.text.vocabulary import FUNCTION_WORDS
from jupyter_memo.text.words import content, looks_like_identifier, spans, stems

MOST_UNKNOWN = 3
"""Unknown words of one query for which a near one is looked for: a query with more of them is in other words."""


async def spelled(store: Store, plan: QueryPlan, open_runs: Sequence[str]) -> QueryPlan:
    """The plan with the other spellings of its words that the index holds, its names as the index writes them, and a
    hint for each word that it does not know and for which another one stands in; one that only ends otherwise, or is
    written as two, needs none."""
    proposed = variants.spellings(plan.words)
    meant = frozenset(content(plan.words))
    read = plan.words[: variants.READ_CHARACTERS]
    typed = {stem: read[start:end] for stem, start, end in spans(read)}
    wanted = dict.fromkeys(
        stem
        for stem, word in typed.items()
        if stem in meant
        and variants.may_be_near(stem)
        and word.lower() not in FUNCTION_WORDS
        and not looks_like_identifier(word)
    )
    cased = {name: _cases(name) for name in plan.identifiers}
    names = dict.fromkeys(STEM + stem for stem in (*wanted, *(each.other for each in proposed)))
    literals = dict.fromkeys(LITERAL + name for cases in cased.values() for name in cases)
    if not names and not literals:
        return plan
    # What ranking will ask of the words as typed is looked up with them, and known then.
    counts = await store.statistics((*names, *literals, *query_terms(plan).names), open_runs)
    plan = dataclasses.replace(plan, identifiers=_as_written(cased, counts.frequencies))
    held = {name.removeprefix(STEM): count for name, count in counts.frequencies.items() if name.startswith(STEM)}
    found: defaultdict[str, list[str]] = defaultdict(list)
    shown = []
    for each in proposed:
        if each.other in held:
            found[each.stem].append(each.other)
            shown.append(each.written)
    unknown = [stem for stem in wanted if stem not in held and stem not in found and counts.passages]
    hints = []
    for stem in unknown[:MOST_UNKNOWN]:
        if close := await _near(store, stem, typed[stem], open_runs):
            found[stem].append(close.other)
            shown.append(close.written)
            if not (" " in close.other or close.other.startswith(stem) or stem.startswith(close.other)):
                hints.append(f"“{typed[stem]}” stands nowhere here; “{close.written}” was looked for too.")
    known = tuple((stem, tuple(dict.fromkeys(others))) for stem, others in found.items())
    if not known:
        return plan
    return dataclasses.replace(plan, variants=known, also=tuple(dict.fromkeys(shown)), hints=(*plan.hints, *hints))


async def _near(store: Store, stem: str, typed: str, open_runs: Sequence[str]) -> Spelling | None:
    """What an unknown word means: a word of the index that is spelt nearly like it, or two that it is made of."""
    vocabulary = await store.vocabulary(STEM + stem[: variants.PREFIX], open_runs)
    known = ((term[len(STEM) :], count) for term, count in vocabulary.items())
    if other := variants.near(stem, (each for each in known if each[0] not in FUNCTION_WORDS)):
        return Spelling(stem, other, variants.with_ending(other, stem, typed))
    pairs = {}
    for first, second in variants.parts(typed.lower()):
        if not {first, second} & FUNCTION_WORDS and len(both := stems(f"{first} {second}")) == 2 and both[0] != both[1]:
            pairs[both] = f"{first} {second}"
    names = dict.fromkeys(STEM + part for pair in pairs for part in pair)
    counts = (await store.statistics(tuple(names), open_runs)).frequencies if names else {}
    least = {pair: min(counts.get(STEM + part, 0) for part in pair) for pair in pairs}
    best = max(pairs, key=lambda pair: (least[pair], pair), default=None)
    return Spelling(stem, " ".join(best), pairs[best]) if best and least[best] else None


def _cases(name: str) -> tuple[str, ...]:
    """A name as typed, in capitals and in small letters; a path or address only as typed."""
    return (name,) if "/" in name or "\\" in name else tuple(dict.fromkeys((name, name.upper(), name.lower())))


def _as_written(cased: Mapping[str, tuple[str, ...]], counts: Mapping[str, int]) -> tuple[str, ...]:
    """Each name as the index writes it, where it does not know it as typed but in other letters (c++ for C++)."""
    written = (next((case for case in cases if counts.get(LITERAL + case)), name) for name, cases in cased.items())
    return tuple(dict.fromkeys(written))
