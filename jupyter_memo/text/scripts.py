"""The writing systems of a text, as far as models differ in which of them they read."""

from __future__ import annotations

import re
from collections.abc import Collection

from jupyter_memo.text.tokens import CJK

_SCRIPTS = {
    "cjk": CJK,
    "cyrillic": "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
    "arabic": "\u0620-\u064a\u066e-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "thai": "\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e4e",
}
_RUNS = {script: re.compile(f"[{characters}]+") for script, characters in _SCRIPTS.items()}

LANGUAGES = {"ar": "arabic", "ja": "cjk", "ko": "cjk", "ru": "cyrillic", "th": "thai", "zh": "cjk"}
"""The script of a language, by its ISO 639-1 code, where that is not the Latin one."""

SHARE = 0.1
"""From this share of its characters on, blanks left out, a passage is in a script: a Korean page whose half is code is
a Korean page, an English one that quotes a Korean word is none."""


def scripts(text: str) -> frozenset[str]:
    """The scripts of a query besides the Latin one: a single character counts."""
    if text.isascii():
        return frozenset()
    return frozenset(script for script, run in _RUNS.items() if run.search(text))


def written(text: str) -> frozenset[str]:
    """The scripts of a passage besides the Latin one: those that make up at least a tenth of it."""
    if text.isascii():
        return frozenset()
    total = len("".join(text.split()))
    held = {script: sum(len(run) for run in runs.findall(text)) for script, runs in _RUNS.items()}
    return frozenset(script for script, number in held.items() if number and number >= SHARE * total)


def known(scripts: Collection[str], languages: Collection[str]) -> bool:
    """Whether a model of these languages reads all of these scripts; one of which nobody says a language reads all."""
    return not languages or set(scripts) <= {LANGUAGES.get(language, "") for language in languages}
