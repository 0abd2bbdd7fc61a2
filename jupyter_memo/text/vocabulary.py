"""Words that passages have in common: what to ask an index for when its own words are not known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from jupyter_memo.text.tokens import content, stems

WORDS = 5
"""So many words are a hint; more are a list."""

LEAST_LETTERS = 4
HEADING = 3
"""A word of a heading counts as much as one that stands in three passages: headings say what passages are about."""

FUNCTION_WORDS = frozenset(
    """
    about above across after again against almost along also although always among another around because been before
    being below beneath beside between beyond both cannot could does doing done down during each either else ever every
    few from further hardly have having hence here hers herself himself however into itself just less many might more
    most much must myself near neither never nobody none nothing often once only onto other others otherwise ought ours
    over perhaps quite rather same second seldom several shall should since some somebody something sometimes soon still
    such than that their theirs them then there therefore these they third this those though three through thus together
    toward towards twice under unless until upon used using usually very well were what whatever when whenever where
    whether which while whom whose will with within without would your yours
    """.split()  # noqa: SIM905 - as a text it can be read
)
"""Words of grammar, counting and time that stand in any text and say nothing of its subject. Longer than the list of
the index's analyzer, as a wrong one here costs a word of a hint and there a match."""

_WORD = re.compile(rf"[^\W\d_]{{{LEAST_LETTERS},}}")


def shared(passages: Iterable[tuple[tuple[str, ...], str]], query: str) -> tuple[str, ...]:
    """At most five words of these passages (header, text) that the query has not, those of most passages first.

    Function words, short words and words in no heading and one passage only are left out; each stem stands once.
    """
    asked = set(stems(query))
    weights: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for header, text in passages:
        headed = _stemmed(" ".join(header))
        for stem, word in {**_stemmed(text), **headed}.items():
            if stem not in asked:
                weights[stem] += HEADING if stem in headed else 1
                shown.setdefault(stem, word)
    ranked = sorted((-weight, stem) for stem, weight in weights.items() if weight > 1)
    return tuple(shown[stem] for _, stem in ranked[:WORDS])


def _stemmed(text: str) -> dict[str, str]:
    """Stem -> word, lower case, of the content words of a text."""
    words = dict.fromkeys(word for word in map(str.lower, _WORD.findall(text)) if word not in FUNCTION_WORDS)
    speaking = set(content(" ".join(words))) if words else set()
    pairs = ((stems(word), word) for word in words)
    return {found[0]: word for found, word in pairs if len(found) == 1 and found[0] in speaking}
