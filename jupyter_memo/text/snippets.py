"""The best window of a passage, with the places of the words that were looked for."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator

from jupyter_memo.text.identifiers import is_joined, split_identifier
from jupyter_memo.text.tokens import CJK_RUN, has_cjk, spans, stems

CUT = "…"
_VOICED = "\uff9e\uff9f"
REACH = 24
"""Characters a cut may move to find a blank; text without blanks (Chinese, a digest) is cut where it stands."""

Mark = tuple[int, int, str]
"""Start, end (half-open, characters) and the term that was found there."""


def snippet(
    text: str,
    stems_wanted: frozenset[str],
    *,
    cjk: tuple[str, ...] = (),
    literals: tuple[str, ...] = (),
    width: int = 240,
    code: bool = False,
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A window of about `width` characters, and the half-open character ranges of matched words in it.

    The window holds the most distinct terms, then the most occurrences, then stands earliest. Prose is put on one line
    and cut between words, code keeps its lines and is cut between them; `…` stands where something was cut. `cjk` are
    terms as `cjk_terms` makes them, `literals` names to be found as they are. Characters are Unicode code points, as
    Python counts them: JavaScript, which counts some as two, takes them apart by `Array.from`.
    """
    body = composed(text.strip("\n").rstrip() if code else " ".join(text.split()))
    marks = _marks(body, stems_wanted, cjk, tuple(map(composed, literals)))
    cut = _code_window if code and "\n" in body else _prose_window
    shown, start, end, shift = cut(body, marks, width)
    found = [(a, _whole(body, b)) for a, b, _ in marks]
    # Half a word at an edge is not what was looked for; of a name longer than the window there is nothing else.
    inside = [(a, b) for a, b in found if a >= start and b <= end]
    ranges = _merged(inside or [(max(a, start), min(b, end)) for a, b in found if a < end and b > start])
    return shown, tuple((a + shift, b + shift) for a, b in ranges)


def composed(text: str) -> str:
    """A text in composed characters (NFC), as nearly all are written: a letter and its accent, the parts of a Hangul
    syllable are one."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _whole(text: str, end: int) -> int:
    """The end of a mark, behind the accents that stand on its last letter."""
    while end < len(text) and not text[end].isascii() and unicodedata.combining(text[end]):
        end += 1
    return end


def _marks(text: str, wanted: frozenset[str], cjk: tuple[str, ...], literals: tuple[str, ...]) -> list[Mark]:
    marks: list[Mark] = []
    for stem, start, end in spans(text) if wanted else ():
        if stem in wanted:
            marks.append((start, end, stem))
        # Most words are plain, and told by a look: no name is joined that has one case of letters and no digit.
        elif not ((word := text[start:end]).isalpha() and (word.islower() or word.isupper())) and is_joined(word):
            marks += _part_marks(word, start, wanted)
    if cjk and has_cjk(text):
        marks += _cjk_marks(text, cjk)
    for literal in dict.fromkeys(literals):
        pattern = rf"(?<!\w){re.escape(literal)}(?!\w)"
        marks += ((match.start(), match.end(), literal) for match in re.finditer(pattern, text))
    return sorted(marks)


def _part_marks(name: str, start: int, wanted: frozenset[str]) -> Iterator[Mark]:
    """Places of wanted words inside a joined name: `frame` in DataFrame."""
    for part in split_identifier(name):
        if (stem := next(iter(stems(part)), "")) in wanted:
            yield start, start + len(part), stem
        start += len(part)


def _cjk_marks(text: str, cjk: tuple[str, ...]) -> list[Mark]:
    """Places of bigrams; of a single character only where no wanted bigram holds it, since alone it says little."""
    pairs = {term for term in cjk if len(term) > 1}
    paired = {character for term in pairs for character in term}
    single = {term for term in cjk if len(term) == 1} - paired
    marks: list[Mark] = []
    for run in CJK_RUN.finditer(text):
        signs = _signs(run.group(), run.start())
        for place, (sign, start, end) in enumerate(signs):
            if sign in single:
                marks.append((start, end, sign))
            if place + 1 < len(signs) and (pair := sign + signs[place + 1][0]) in pairs:
                marks.append((start, signs[place + 1][2], pair))
    return marks


def _signs(run: str, at: int) -> list[tuple[str, int, int]]:
    """The characters of a run in the form that `cjk_terms` gives them, each with its range in the text: half-width kana
    have their voice mark behind them."""
    if unicodedata.is_normalized("NFKC", run):
        return [(sign, place, place + 1) for place, sign in enumerate(run, at)]
    signs: list[tuple[str, int, int]] = []
    for each in re.finditer(f".[{_VOICED}]?", run):
        whole = unicodedata.normalize("NFKC", each.group())
        signs += ((sign, at + each.start(), at + each.end()) for sign in whole)
    return signs


def _best(marks: list[Mark], width: int) -> tuple[int, int]:
    """The first mark and the one after the last of the best run of marks within `width` characters. There must be
    one."""
    best, chosen = (0, 0), (0, 1)
    counts: dict[str, int] = {}
    last = 0
    for first in range(len(marks)):
        while last < len(marks) and (last == first or marks[last][1] - marks[first][0] <= width):
            counts[marks[last][2]] = counts.get(marks[last][2], 0) + 1
            last += 1
        value = (len(counts), last - first)
        if value > best:
            best, chosen = value, (first, last)
        term = marks[first][2]
        counts[term] -= 1
        if not counts[term]:
            del counts[term]
    return chosen


def _prose_window(text: str, marks: list[Mark], width: int) -> tuple[str, int, int, int]:
    """Shown text, its range in `text`, and how far that range moved."""
    if len(text) <= width:
        return text, 0, len(text), 0
    start = 0
    if marks:
        first, last = _best(marks, width)
        left, right = marks[first][0], max(end for _, end, _ in marks[first:last])
        # A third of the free room stands before the first match: a reader wants what follows more than what leads to
        # it.
        start = max(0, min(left - max(0, width - (right - left)) // 3, len(text) - width))
        start = min(start, left)
        if start:
            blank = text.find(" ", start, min(start + REACH, left))
            start = blank + 1 if blank >= 0 else start
    end = min(len(text), start + width)
    if end < len(text):
        blank = text.rfind(" ", max(start + 1, end - REACH), end + 1)
        covered = max((b for a, b, _ in marks if a < end and a >= start and b <= end), default=0)
        end = blank if blank >= covered and blank > start else end
    lead = CUT if start else ""
    return f"{lead}{text[start:end]}{CUT if end < len(text) else ''}", start, end, len(lead) - start


def _code_window(text: str, marks: list[Mark], width: int) -> tuple[str, int, int, int]:
    """As `_prose_window`, whole lines only, at least one; a `…` line above and below where lines were cut."""
    if len(text) <= width:
        return text, 0, len(text), 0
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    first = final = 0
    if marks:
        chosen, last = _best(marks, width)
        first = bisect_right(starts, marks[chosen][0]) - 1
        final = bisect_right(starts, max(end for _, end, _ in marks[chosen:last]) - 1) - 1
    while final > first and ends[final] - starts[first] > width:
        final -= 1
    if ends[final] - starts[first] > width:
        inner = [
            (a - starts[first], b - starts[first], term) for a, b, term in marks if starts[first] <= a < ends[first]
        ]
        shown, start, end, shift = _prose_window(text[starts[first] : ends[first]], inner, width)
        return shown, start + starts[first], end + starts[first], shift - starts[first]
    grown = True
    while grown:  # a line of what leads to it for each line of what follows
        grown = False
        if first and ends[final] - starts[first - 1] <= width:
            first, grown = first - 1, True
        if final + 1 < len(starts) and ends[final + 1] - starts[first] <= width:
            final, grown = final + 1, True
    lead = f"{CUT}\n" if first else ""
    trail = f"\n{CUT}" if final + 1 < len(starts) else ""
    return f"{lead}{text[starts[first] : ends[final]]}{trail}", starts[first], ends[final], len(lead) - starts[first]


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Overlapping ranges as one; those that only touch stay two, except that CJK bigrams overlap anyway."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
