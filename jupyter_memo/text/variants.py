"""Other spellings of a query's words, by general rules. A rule proposes; the index's own vocabulary decides, so that a
rule may be generous: what no passage holds is no spelling.

Three kinds. *Alike*: British and American, a long vowel written once or twice (vaastu, vastu), two words written as one
(time series, time-series, timeseries); these hold for any word. *Near*: for a word that stands nowhere in the index, a
word of it that sounds alike or is one letter away. *Parts*: for such a word, the two words it is made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from jupyter_memo.text.tokens import QUESTION_WORDS, meant, spans, stems
from jupyter_memo.text.vocabulary import FUNCTION_WORDS

READ_CHARACTERS = 2_000
"""Of a query so much is read for spellings: what is longer says the same thing twice."""

MOST = 200
"""Spellings of one query that are looked up."""

LEAST_NEAR = 5
"""Shorter words are one letter away from too many others."""

LEAST = 4
"""Shorter words are spelt in one way."""

LEAST_PART = 3

LEAST_VOWELS = 6
"""In stems so long a wrong vowel is a slip (seperate); in shorter ones it makes another word (whole, while), as any
other wrong letter does in all (pilot, pivot)."""

LONGEST = 40
"""Longer runs of letters are data."""

PREFIX = 2
"""A near word begins like the unknown one: the first letters are seldom wrong, and that is what the index is asked by.
"""

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # colour, color; the stem has two letters, so that four and for stay apart
        (r"^(.{2,})our(s|ed|ing|able|ful|less|al|er|ers|ist|ists|hood|ite|ites)?$", r"\1or\2"),
        (r"^(.{2,})or(s|ed|ing|able|ful|less|al|er|ers|ist|ists|hood|ite|ites)?$", r"\1our\2"),
        # organise, organize; analyse, analyze
        (r"^(.{3,})is(e|es|ed|er|ers|ing|ation|ations|ational)$", r"\1iz\2"),
        (r"^(.{3,})iz(e|es|ed|er|ers|ing|ation|ations|ational)$", r"\1is\2"),
        (r"^(.{3,})ys(e|es|ed|er|ers|ing)$", r"\1yz\2"),
        (r"^(.{3,})yz(e|es|ed|er|ers|ing)$", r"\1ys\2"),
        # centre, center; by their names, as integer and integrate share a stem
        (r"^(.*(?:cent|met|lit|theat|fib|calib|lust|spect|somb|sab|scept))re(s|d)?$", r"\1er\2"),
        (r"^(.*(?:cent|met|lit|theat|fib|calib|lust|spect|somb|sab|scept))er(s|ed)?$", r"\1re\2"),
        # catalogue, catalog
        (r"^(.{3,})ogue(s|d)?$", r"\1og\2"),
        (r"^(.{3,})og(s|ed)?$", r"\1ogue\2"),
        # defence, defense
        (r"^(def|off|lic|pret)ence(s|d)?$", r"\1ense\2"),
        (r"^(def|off|lic|pret)ense(s|d)?$", r"\1ence\2"),
        # modelling, modeling
        (r"^(.{2,}[aeiou])ll(ed|ing|er|ers)$", r"\1l\2"),
        (r"^(.{2,}[aeiou])l(ed|ing|er|ers)$", r"\1ll\2"),
        # anaemia, anemia; oestrogen, estrogen
        (r"^(.+)ae(.+)$", r"\1e\2"),
        (r"^ae(.{4,})$", r"e\1"),
        (r"^(.*)oe(.{3,})$", r"\1e\2"),
        (r"^(.*)(h|p|c|gyn|f)e(m|d|s|c)(.{2,})$", r"\1\2ae\3\4"),
        (r"^(an|leuk|isch)e(mi.*)$", r"\1ae\2"),
        (r"^(.*)(estr|dem|soph)(.{2,})$", r"\1o\2\3"),
        (r"^(arch|medi|encyclop)e(.{2,})$", r"\1ae\2"),
        (r"^(enrol|fulfil|instal)(s|ment|ments)?$", r"\1l\2"),
        (r"^(enrol|fulfil|instal)l(s|ment|ments)?$", r"\1\2"),
        (r"^(judg|acknowledg|abridg)ement(s)?$", r"\1ment\2"),
        (r"^(judg|acknowledg|abridg)ment(s)?$", r"\1ement\2"),
        (r"^(.*)sulph(.*)$", r"\1sulf\2"),
        (r"^(.*)sulf(.*)$", r"\1sulph\2"),
    )
)
_PAIRS = dict(
    pair.split("/")
    for pair in """
    grey/gray programme/program programmes/programs sceptic/skeptic sceptical/skeptical artefact/artifact
    artefacts/artifacts ageing/aging aluminium/aluminum plough/plow mould/mold disc/disk discs/disks enquiry/inquiry
    pyjamas/pajamas tyre/tire tyres/tires storey/story cheque/check manoeuvre/maneuver manoeuvres/maneuvers
    practise/practice licence/license learnt/learned towards/toward maths/math moult/molt
    """.split()  # noqa: SIM905 - as a text it can be read
)
_IRREGULAR = {**_PAIRS, **{american: british for british, american in _PAIRS.items()}}

_VOWELS = frozenset("aeiou")
_LONG = re.compile(r"aa")
_SHORT = re.compile(r"(?<!a)a(?!a)")
_SOUNDS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"ph", "f"),
        (r"ck|q|kh", "k"),
        (r"(?<=[bcdgjkpst])h", ""),
        (r"ee|ie|y", "i"),
        (r"oo|ou", "u"),
        (r"w", "v"),
        (r"z", "s"),
        (r"ae|oe", "e"),
        (r"(.)\1+", r"\1"),
    )
)
_SOUNDING = re.compile(r"ph|ck|[qywz]|kh|[bcdgjkpst]h|ee|ie|oo|ou|ae|oe|(.)\1")
"""Where none of these stands, no rule of `_SOUNDS` changes a word."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """Another spelling of a word: the stem of the word, its own stem, and itself as a person reads it."""

    stem: str
    other: str
    written: str


def spellings(words: str) -> tuple[Spelling, ...]:
    """The spellings that the rules propose for every word of a query; of two words that may be written as one, one for
    either. At most MOST."""
    read = words[:READ_CHARACTERS]
    found: dict[Spelling, None] = {}
    held = spans(read)
    for stem, start, end in held:
        word = read[start:end].lower()
        if word in QUESTION_WORDS or not (word.isascii() and word.isalpha() and LEAST <= len(word) <= LONGEST):
            continue
        for other in _alike(word):
            found.update((Spelling(stem, each, other), None) for each in stems(other) if each != stem)
        for other in _long_or_short(stem):
            found[Spelling(stem, other, with_ending(other, stem, word))] = None
    for (first, start, middle), (second, after, end) in pairwise(held):
        one = _joined(read[start:middle], read[middle:after], read[after:end])
        for each in stems(one) if one else ():
            if each not in (first, second):
                found.update({Spelling(first, each, one): None, Spelling(second, each, one): None})
    return tuple(found)[:MOST]


def with_ending(other: str, stem: str, typed: str) -> str:
    """Another stem as a word: with the ending that the typed word has (receive for reciev-e), or its y."""
    word = typed.lower()
    if word.startswith(stem):
        return other + word[len(stem) :]
    return f"{other.removesuffix('i')}y" if word.endswith("y") and other.endswith("i") else other


def near(word: str, vocabulary: Iterable[tuple[str, int]]) -> str | None:
    """The stem of the vocabulary (stem, passages) that an unknown stem is most likely to mean: one that sounds alike,
    else one that is a letter away; of several, the one that most passages hold."""
    sound = _sound(word)
    alike, away = list[tuple[int, str]](), list[tuple[int, str]]()
    for stem, held in vocabulary:
        if stem != word and held > 0:
            if _sound(stem) == sound:
                alike.append((-held, stem))
            elif _one_away(word, stem):
                away.append((-held, stem))
    return min(alike or away, default=(0, None))[1]


def may_be_near(stem: str) -> bool:
    """Whether an unknown stem is looked for among its neighbours: letters only, and enough of them."""
    return stem.isascii() and stem.isalpha() and LEAST_NEAR <= len(stem) <= LONGEST


def parts(word: str) -> tuple[tuple[str, str], ...]:
    """The pairs of words that an unknown word may be made of: dataframe, data frame."""
    if not (word.isascii() and word.isalpha() and 2 * LEAST_PART <= len(word) <= LONGEST):
        return ()
    cuts = range(LEAST_PART, len(word) - LEAST_PART + 1)
    return tuple((word[:cut], word[cut:]) for cut in cuts)


def _alike(word: str) -> Iterator[str]:
    if other := _IRREGULAR.get(word):
        yield other
    for pattern, replacement in _RULES:
        if pattern.match(word):
            yield pattern.sub(replacement, word)


def _long_or_short(stem: str) -> Iterator[str]:
    """A stem with its long vowels short, or one of its short ones long; of the stem, as an ending would be another."""
    if _LONG.search(stem):
        yield _LONG.sub("a", stem)
    for match in _SHORT.finditer(stem):
        yield f"{stem[: match.start()]}aa{stem[match.end() :]}"


def _joined(first: str, between: str, second: str) -> str:
    """Two words as one, where they may be written so: with a hyphen or underscore between them, or two content words
    with a blank."""
    one = (first + second).lower()
    if not (one.isascii() and one.isalpha() and LEAST_NEAR <= len(one) <= LONGEST):
        return ""
    if between in ("-", "_"):
        return one
    if between != " " or min(len(first), len(second)) < LEAST_PART:
        return ""
    grammar = {first.lower(), second.lower()} & (QUESTION_WORDS | FUNCTION_WORDS)
    return one if not grammar and len(meant(f"{first} {second}")) == 2 else ""


def _sound(word: str) -> str:
    if _SOUNDING.search(word) is None:
        return word
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


def _one_away(one: str, other: str) -> bool:
    """Whether one letter more or less, two neighbours swapped, or in a long word another vowel, makes one of the other
    (Damerau 1964, without his other letters)."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    if len(one) == len(other):
        swapped = one[start : start + 2] == other[start : start + 2][::-1] and one[start + 2 :] == other[start + 2 :]
        vowels = one[start] in _VOWELS and other[start] in _VOWELS and len(one) >= LEAST_VOWELS
        return swapped or (vowels and one[start + 1 :] == other[start + 1 :])
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return longer[start + 1 :] == shorter[start:]
