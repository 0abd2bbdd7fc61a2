"""Near-duplicates: what says the same as a result above it, word for word, stands below it and takes no place.

The usual case are copies of one file in several folders, and versions of a note. Whatever the query itself tells apart
is never folded: a passage that holds a word, a name or a phrase of the query which the one above it lacks.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from jupyter_memo.profile import Fold
from jupyter_memo.ranking.stage import Candidates, Context, Facts
from jupyter_memo.response import Candidate, Folded
from jupyter_memo.text import words
from jupyter_memo.text.shingles import candidates as comparable
from jupyter_memo.text.shingles import clean, shingles

OWN = 3
LONGEST_OWN = 40
"""So many words that only a folded text holds are named, and so much of each: what a reader would open it for."""


def fold(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """Take out of the first `fold.pool` candidates what is as good as equal to one above it, and keep it there.

    Each is compared with those that stay, not with what was folded, so that no chain leads from one text to another.
    It looks at the same candidates whatever page is asked for, so that pages have no gaps.
    """
    rule = context.resolved.profile.fold
    if not rule.enabled:
        return candidates, Facts(note=f"off in profile {context.resolved.profile.name} (fold.enabled)", ran=False)
    pool = candidates[: rule.pool]
    texts = [_Text(each) for each in pool]
    near = defaultdict(list)
    for place, above in np.argwhere(np.tril(comparable([text.clean for text in texts]), -1)).tolist():
        near[place].append(above)
    below: dict[int, list[Folded]] = {}
    gone: set[int] = set()
    for place, others in near.items():
        text = texts[place]
        alike = sorted(
            (-words.jaccard(texts[above].shingles, text.shingles), above) for above in others if above not in gone
        )
        for unlike, above in alike:
            keeper = texts[above]
            if same(-unlike, keeper, text, rule, context) and not told_apart(keeper, text, context):
                below.setdefault(above, []).extend((_folded(pool[place], -unlike, keeper, text), *pool[place].folded))
                gone.add(place)
                break
    kept = tuple(
        dataclasses.replace(each, folded=(*each.folded, *below[place])) if place in below else each
        for place, each in enumerate(pool)
        if place not in gone
    )
    note = f"{len(gone)} say the same as {len(below)} above them" if gone else "no two say the same"
    return (*kept, *candidates[rule.pool :]), Facts(note=note)


class _Text:
    """A candidate's header and text, read as far as somebody asks."""

    def __init__(self, candidate: Candidate) -> None:
        self.id = candidate.id
        passage = candidate.passage
        self.said = "\n".join((*passage.header, passage.text)) if passage else ""
        self.uri = passage.uri if passage else ""
        self.clean = clean(self.said)

    @cached_property
    def shingles(self) -> frozenset[str]:
        return shingles(self.clean)

    @cached_property
    def column(self) -> str:
        return words.stem_column(self.said)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of text and path, characters and their pairs."""
        return frozenset((*words.stems(f"{self.said}\n{self.uri}"), *words.cjk_terms(self.said)))

    @cached_property
    def names(self) -> frozenset[str]:
        """Names as they are written, the path among them."""
        return frozenset(words.ident_column((), self.said, self.uri).split())


def same(likeness: float, one: _Text, other: _Text, rule: Fold, context: Context) -> bool:
    """Whether two texts are as good as equal: by their words, and by their meaning where that is known of both."""
    if likeness < rule.words:
        return False
    first, second = context.vectors.get(one.id), context.vectors.get(other.id)
    if first is None or second is None:
        return likeness >= rule.words_alone
    length = float(np.linalg.norm(first) * np.linalg.norm(second))
    return length > 0 and float(np.dot(first, second)) >= rule.cosine * length


def told_apart(keeper: _Text, other: _Text, context: Context) -> bool:
    """Whether the query asks for something that `other` holds and the one above it does not."""
    plans = (context.plan, *context.others)
    spoken = " ".join(plan.words for plan in plans)
    asked = frozenset((*words.content(spoken), *words.cjk_terms(spoken)))
    if asked & other.terms - keeper.terms:
        return True
    named = frozenset(form for plan in plans for name in plan.identifiers for form in words.ident_terms(name))
    if named and named & other.names - keeper.names:
        return True
    phrases = [phrase for plan in plans for phrase in (*plan.phrases, *plan.quoted)]
    return any(_holds(other, phrase) and not _holds(keeper, phrase) for phrase in phrases)


def _holds(text: _Text, phrase: str) -> bool:
    column = words.stem_column(phrase)
    if column and column in text.column:
        return True
    return words.has_cjk(phrase) and clean(phrase) in text.clean


def _folded(candidate: Candidate, likeness: float, keeper: _Text, text: _Text) -> Folded:
    passage = candidate.passage
    assert passage is not None  # without one it has no text, and is like nothing
    return Folded(
        id=candidate.id,
        uri=passage.uri,
        title=passage.title,
        surface=passage.surface,
        span=passage.span,
        score=candidate.score,
        likeness=likeness,
        own=tuple(itertools.islice(_own(keeper, text), OWN)),
    )


def _own(keeper: _Text, text: _Text) -> Iterator[str]:
    """The words that only the second text holds, as they are written, in its order."""
    known = {word.lower() for word in words.runs(keeper.said)}
    for word in dict.fromkeys(words.runs(text.said)):
        if word.lower() not in known:
            yield word if len(word) <= LONGEST_OWN else f"{word[: LONGEST_OWN - 1]}…"
