"""Verbs of %memo about ranking profiles: profiles and compare."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from IPython.core.error import UsageError

from jupyter_memo import profile as profiles
from jupyter_memo.comparison import Comparison
from jupyter_memo.jupyter import display, manual, options
from jupyter_memo.jupyter.questions import Asked, again

_PROFILES = re.compile(r"(?:^|(?<=\s))--profiles(?=[\s=])")
USAGE = "%memo compare --profiles A,B QUERY"


def listed(asked: Asked, line: str) -> display.Profiles | display.Constants:
    """%memo profiles [NAME]."""
    words = options.parse(line, (), anywhere=True).words
    if len(words) > 1:
        raise UsageError(f"name one profile, or none for all: %memo profiles {words[0]}")
    known = asked.engine.profiles()
    if not words:
        return display.Profiles(known)
    named = {each.name: each for each in known}
    chosen = profiles.get(words[0], named)
    return display.Constants(chosen, named[chosen.base or "default"])


def compare(asked: Asked, line: str) -> Comparison:
    """%memo compare --profiles A,B [QUERY]. Without a query that of the last answer, asked as it was; with one profile
    against the one that this answer, or else the memo, goes by."""
    known = manual.VERB_OPTIONS["compare"]
    parsed = options.parse(line, known)
    given, text = dict(parsed.given), parsed.rest
    found = list(_PROFILES.finditer(text))
    if found:
        behind = options.parse(text[found[-1].start() :], known)
        if behind.rest:
            raise UsageError(f"{behind.rest!r} stands behind the options. Write the query before --profiles")
        given, text = given | behind.given, text[: found[-1].start()].rstrip()
    names = [name.strip() for name in str(given.pop("profiles", "")).split(",") if name.strip()]
    if not 1 <= len(names) <= 2:
        raise UsageError(f"name two profiles: {USAGE}")
    last, share = asked.last, given.pop("share", None)
    mine = ""
    if text.strip():
        text = options.expand(text, asked.variables)
    elif last is None:
        raise UsageError(f"name the query too: {USAGE}")
    else:
        mine = last.trace.profile
        before = {key: value for key, value in again(last).items() if key not in ("profile", "offset", "max_tokens")}
        given, text = before | given, last.query
    if len(names) == 1:
        names.insert(0, mine or asked.engine.status().profile)
    a, b = names
    compared = asked.engine.compare(text, a, b, **manual.asked(given))
    return compared if share is None else compared.shared(share)


VERBS: dict[str, Callable[[Asked, str], Any]] = {"compare": compare, "profiles": listed}
