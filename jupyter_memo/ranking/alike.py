"""What is like something: without the thing itself, and no less like it than was asked for."""

from __future__ import annotations

import re

from jupyter_memo.ranking.stage import Candidates, Context, Facts

LEAST_CHARACTERS = 60
"""A shorter text, blanks not counted, is a phrase that many passages may hold, and none of them is it."""

MOST_OF = 0.5
"""A passage is the text itself where one of the two holds the other, and is not twice as long: a cell is indexed with
its output or a neighbour, and begins with the heading that the index keeps apart."""

_HEADING = re.compile(r"^#{1,6}[ \t].*$", re.MULTILINE)


def itself(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """Leave out the one passage that is the given text, and say where it stands. Of several none can be told to be it:
    they are copies, and worth a place in the list."""
    text = context.query.like or ""
    wanted = {_bare(text), _bare(_HEADING.sub("", text))}
    wanted = {each for each in wanted if len(each) >= LEAST_CHARACTERS}
    same = [each for each in candidates if each.passage and any(_same(each.passage.text, one) for one in wanted)]
    if len(same) != 1 or same[0].passage is None:
        return candidates, Facts(note=f"{len(same)} passages hold this very text" if same else "not among them")
    passage = same[0].passage
    where = passage.uri if passage.title == passage.uri else f"{passage.uri}, {passage.title}"
    kept = tuple(each for each in candidates if each is not same[0])
    return kept, Facts(note=f"{where} left out", hint=f"This very text stands in {where}; it was left out.")


def similarity(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """With a least similarity, keep what has that cosine, whatever else speaks for it. A passage without a vector has
    no cosine, and is not similar by it."""
    least = context.query.min_relevance
    if least is None:
        return candidates, Facts(note="no least cosine was asked for")
    kept = tuple(each for each in candidates if each.relevance is not None and each.relevance >= least)
    blind = sum(each.relevance is None for each in candidates)
    below = len(candidates) - len(kept) - blind
    parts = (f"{below} below it" if below else "", f"{blind} without a vector" if blind else "")
    told = " and ".join(filter(None, parts))
    hint = f"The least cosine of {least:.2f} left out {told}." if told else ""
    return kept, Facts(note=f"cosine {least:.2f} or more; {told or 'none is below it'}", hint=hint)


def _same(text: str, wanted: str) -> bool:
    held = _bare(text)
    shorter, longer = sorted((held, wanted), key=len)
    return len(shorter) >= MOST_OF * len(longer) and shorter in longer


def _bare(text: str) -> str:
    return "".join(text.split())
