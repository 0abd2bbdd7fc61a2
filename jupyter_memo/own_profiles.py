"""Profiles of a user's own: tables of a settings file, each a known profile with some constants changed.

    [profiles.papers]
    base = "default"
    purpose = "papers: meaning counts more, nothing ages"
    fusion.balance = 0.6
    recency.kinds = []

Constants go by their dotted names; `section.name = …`, `"section.name" = …` and `[profiles.papers.section]` are the
same. What is written must be able to matter: a constant that the others make idle is a slip, and refused like one that
does not exist. The constants of the profiles that the package brings are not judged so: there they are defaults.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import math
import re
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from jupyter_memo.errors import ProfileError
from jupyter_memo.profile import PROFILES, Profile, get

SECTION = "profiles"
"""The table of a settings file that holds them, one table a profile."""

TOLD = ("name", "purpose", "base")
"""Fields of a profile that say what it is, and rank nothing."""

_NAME = re.compile(r"[\w.-]+")
_EXTRACTED = ("fact", "entity", "graph")
_ARMS = ("keyword", "exact", "semantic", *_EXTRACTED)


def constants(profile: Profile) -> dict[str, Any]:
    """Every constant of a profile by its dotted name, in the order of the pipeline's types."""
    return {key: _at(profile, key) for key in _types()}


def differences(one: Profile, other: Profile) -> dict[str, tuple[Any, Any]]:
    """The constants that differ, by dotted name: (of one, of the other)."""
    theirs = constants(other)
    return {key: (value, theirs[key]) for key, value in constants(one).items() if value != theirs[key]}


def read(tables: Any, place: str, known: Mapping[str, Profile] = PROFILES) -> dict[str, Profile]:
    """The profiles in the `profiles` tables of a file; `place` names the file in errors. A `base` is one of the same
    file or of those known. Raises ProfileError."""
    if not isinstance(tables, Mapping):
        raise ProfileError(f"{place}: profiles is no table. Begin one with [profiles.NAME]")
    made: dict[str, Profile] = {}
    for name in tables:
        _make(name, tables, place, known, made, ())
    return made


def value_of(key: str, value: Any) -> Any:
    """A constant as its profile holds it: a list as a tuple, a whole number where a decimal one stands. Raises
    ProfileError for a name that no constant has, or a value that it cannot have."""
    if key not in _types():
        near = difflib.get_close_matches(key, _types(), n=1)
        cure = f"Did you mean {near[0]}?" if near else "%memo profiles default lists them all"
        raise ProfileError(f"no profile constant is called {key!r}. {cure}")
    wanted = _types()[key]
    fits, what = True, ""
    if typing.get_origin(wanted) is Literal:
        choices = typing.get_args(wanted)
        fits, what = value in choices, f"one of {', '.join(choices)}"
    elif typing.get_origin(wanted) is tuple:
        choices = typing.get_args(typing.get_args(wanted)[0])
        fits = isinstance(value, list | tuple) and all(each in choices for each in value)
        what = f"a list of some of these: {', '.join(choices)}"
        value = tuple(value) if fits else value
    elif wanted is bool:
        fits, what = isinstance(value, bool), "true or false"
    elif wanted is int:
        fits, what = isinstance(value, int) and not isinstance(value, bool), "a whole number"
    elif wanted is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        what = "a number"
        value = float(value) if fits else value
    if not fits:
        raise ProfileError(f"{key} = {value!r} is not valid. Write {what}")
    return value


def _make(
    name: str,
    tables: Mapping[str, Any],
    place: str,
    known: Mapping[str, Profile],
    made: dict[str, Profile],
    within: tuple[str, ...],
) -> Profile:
    """The profile of that name, its base before it."""
    if name in made:
        return made[name]
    where = f"{place}: profiles.{name}"
    table = tables[name]
    if name in PROFILES:
        raise ProfileError(f"{where}: {name} is a profile of this package. Give yours another name")
    if not _NAME.fullmatch(name):
        raise ProfileError(f"{where} is no name for a profile. Use letters, digits, dots and dashes")
    if not isinstance(table, Mapping):
        raise ProfileError(f"{where} is no table. Begin one with [profiles.{name}]")
    given = dict(_flat(table))
    base, purpose = given.pop("base", "default"), given.pop("purpose", "")
    for key, value in (("base", base), ("purpose", purpose)):
        if not isinstance(value, str) or "\n" in value:
            raise ProfileError(f"{where}: {key} = {value!r} is no line of text. Write it in quotes")
    if base in (*within, name):
        raise ProfileError(f"{where}: base = {base!r} leads back to itself. Begin from another profile")
    try:
        own = base in tables and base not in PROFILES
        begun = _make(base, tables, place, known, made, (*within, name)) if own else get(base, known)
    except ProfileError as error:
        raise error if own else ProfileError(f"{where}: base: {error}") from error
    try:
        changes = {key: value_of(key, value) for key, value in given.items()}
        made[name] = changed(begun, changes, name=name, base=base, purpose=purpose)
        _agree(made[name], begun, changes)
    except ProfileError as error:
        told = str(error).removeprefix(f"profile {name}: ")
        raise ProfileError(f"{where}: {told}") from error
    return made[name]


def changed(profile: Profile, changes: Mapping[str, Any], **told: str) -> Profile:
    """A copy with constants changed, all at once, so that only what comes out must hold together; `told` are its name,
    base and purpose. Raises ProfileError."""
    sections: dict[str, dict[str, Any]] = {}
    whole: dict[str, Any] = dict(told)
    for key, value in changes.items():
        section, _, name = key.rpartition(".")
        if section:
            sections.setdefault(section, {})[name] = value
        else:
            whole[name] = value
    parts = {section: dataclasses.replace(getattr(profile, section), **given) for section, given in sections.items()}
    return dataclasses.replace(profile, **parts, **whole)


def _agree(profile: Profile, base: Profile, given: Mapping[str, Any]) -> None:
    """Raise ProfileError for the first constant that was written and can change nothing, as the others stand."""
    for key, value in given.items():
        idle = _idle(key, value, profile, base)
        if idle:
            raise ProfileError(f"{key} = {written(value)} contradicts {idle}")


def _idle(key: str, value: Any, profile: Profile, base: Profile) -> str:
    """What makes a constant idle, and the cure; empty where it can matter."""
    section, _, name = key.rpartition(".")
    method, fusion = profile.fusion.method, profile.fusion
    switch = getattr(getattr(profile, section), "enabled", True) if section else True
    if not switch and name != "enabled":
        return f"{section}.enabled = false: the step is off. Set it to true, or take {key} out"
    weighed = section == "fusion" and name in _ARMS and value > 0 and base.fusion.weight(name) > 0
    if weighed and method == "evidence":
        return (
            "fusion.method = evidence, where an arm runs or does not (0), whatever its weight. "
            "Weigh meaning against words by fusion.balance, or set fusion.method"
        )
    if key in EVIDENCE and method != "evidence":
        return f"fusion.method = {method}, which has no use for it. Set fusion.method = 'evidence', or take it out"
    if key == "fusion.k" and method == "minmax":
        return "fusion.method = minmax, which does not rank by place. Set fusion.method = 'rrf', or take it out"
    by_words, by_meaning = fusion.keyword > 0 or fusion.exact > 0, fusion.semantic > 0
    if name.startswith("balance") and not (by_words and by_meaning):
        missing = "semantic" if by_words else "keyword and fusion.exact"
        return f"fusion.{missing} = 0: there is nothing to balance. Give it a weight, or take {key} out"
    if key in ("fusion.pairs", "fusion.question_words", "reading.against", "reading.variants") and not by_words:
        return f"fusion.keyword and fusion.exact = 0: no words are searched. Give them a weight, or take {key} out"
    if key == "abstain.quantile_cosine" and not by_meaning:
        return f"fusion.semantic = 0: there is no cosine. Give it a weight, or take {key} out"
    if key == "abstain.band" and not by_meaning:
        return f"fusion.semantic = 0: there is no cosine. Give it a weight, or take {key} out"
    if key == "reading.unwanted" and not profile.reading.plain_negation:
        return f"reading.plain_negation = false. Set it to true, or take {key} out"
    if key in ("recency.half_life_days", "recency.floor") and not profile.recency.kinds:
        return f"recency.kinds = []: nothing ages. Name a kind, or take {key} out"
    if key in ("recency.half_life_days", "recency.kinds") and value and profile.recency.floor == 1:
        return f"recency.floor = 1: nothing ages. Set it below 1, or take {key} out"
    if key in ("page", "cutoff.min_results"):
        most = profile.depth * sum(fusion.weight(arm) > 0 for arm in _ARMS)
        if value > most:
            return f"depth = {profile.depth}: the arms bring at most {most} passages. Set depth higher, or {key} lower"
    return ""


EVIDENCE = frozenset(
    {
        *(
            f"fusion.{name}"
            for name in ("balance", "balance_code", "balance_other", "balance_script", "pairs", "question_words")
        ),
        *(f"abstain.{name}" for name in ("quantile", "quantile_alone", "quantile_cosine", "most", "uncalibrated")),
        "cutoff.above",
        "reading.against",
    }
)
"""Constants that only evidence fusion, or what is judged by its scores, looks at."""


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


@functools.cache
def _types() -> Mapping[str, Any]:
    """Every constant by its dotted name, and its type."""
    found: dict[str, Any] = {}
    for name, kind in typing.get_type_hints(Profile).items():
        if dataclasses.is_dataclass(kind):
            found |= {f"{name}.{inner}": each for inner, each in typing.get_type_hints(kind).items()}
        elif name not in TOLD:
            found[name] = kind
    return types.MappingProxyType(found)


def _at(profile: Profile, key: str) -> Any:
    return functools.reduce(getattr, key.split("."), profile)


def written(value: Any) -> str:
    """A constant as a person writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return f"{value:g}" if isinstance(value, float) else str(value)
