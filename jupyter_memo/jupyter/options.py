"""Options of a magic line, and what is left of the line when they are taken off: the query, exactly as typed.

Quotes group a value (`--source "my notes/*.md"`); nothing else in a line has a meaning of its own, so backslashes, `#`,
braces and stray quotes in a query survive. `--` ends the options.
"""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from IPython.core.error import UsageError

WIDTH = 88

_TOKEN = re.compile(r"\"([^\"]*)\"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)")
_LONG = re.compile(r"--[A-Za-z][\w-]*(?==|\s|$)")
_SHORT = re.compile(r"-[A-Za-z](?=\s|$)")
_TARGET = re.compile(r"([^\W\d]\w*)\s*<<(?=\s|$)\s*")
_VARIABLE = re.compile(r"\{\{([^\W\d]\w*)\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option. `metavar` is the name of its value, empty for a switch; `many` options may be given again."""

    long: str
    short: str = ""
    metavar: str = ""
    help: str
    read: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    many: bool = False

    @property
    def key(self) -> str:
        return self.long.removeprefix("--").replace("-", "_")

    @property
    def flags(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.short, self.long)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A line taken apart: the options given, the variable to assign to, and the rest, as typed or as words."""

    given: dict[str, Any] = field(default_factory=dict)
    target: str | None = None
    rest: str = ""
    words: tuple[str, ...] = ()


def parse(line: str, options: Iterable[Option], *, anywhere: bool = False) -> Parsed:
    """Take the options off the front of a line. Raises UsageError naming the nearest option, or what a value must be.

    The first thing that is no option begins the rest; with `anywhere` it is one of the words, and options may follow
    it. `NAME <<` in front of the options or behind them names the variable that takes the result.
    """
    table = {flag: option for option in options for flag in option.flags}
    given: dict[str, Any] = {}
    found: list[str] = []
    target, at = _target(line, _skip(line, 0))
    while at < len(line):
        if re.match(r"--(?=\s|$)", line[at:]):
            at = _skip(line, at + 2)
            break
        flag = _LONG.match(line, at) or _SHORT.match(line, at)
        if flag is None:
            if target is None and not found:
                target, at = _target(line, at)
            word = _TOKEN.match(line, at) if anywhere else None
            if word is None:
                break
            found.append(_unquoted(word))
            at = _skip(line, word.end())
            continue
        option = table.get(flag[0])
        if option is None:
            raise UsageError(_unknown(flag[0], table))
        at = flag.end()
        if not option.metavar:
            if line[at : at + 1] == "=":
                raise UsageError(f"{flag[0]} takes no value")
            given[option.key] = True
        else:
            text, at = _value(line, at, flag[0], option)
            value = _read(text, flag[0], option)
            given[option.key] = (*given.get(option.key, ()), value) if option.many else value
        at = _skip(line, at)
    rest = line[at:].rstrip()
    if anywhere:
        return Parsed(given=given, target=target, words=(*found, *map(_unquoted, _TOKEN.finditer(rest))))
    return Parsed(given=given, target=target, rest=rest)


def without_comment(line: str) -> str:
    """The line up to a `#` that stands at its beginning or after white space, outside quotes."""
    at = 0
    while at < len(line):
        at = _skip(line, at)
        if line.startswith("#", at):
            return line[:at].rstrip()
        found = _TOKEN.match(line, at)
        at = found.end() if found else len(line)
    return line


def expand(text: str, names: dict[str, Any]) -> str:
    """`text` with `{{name}}` replaced by the variable of that name; other braces stay. Raises UsageError for a name
    that is not defined."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in names:
            raise UsageError(
                f"{found[0]}: no variable is called {found[1]}. Define it first, or write {{{{ {found[1]} }}}} with "
                "spaces to search for the braces themselves"
            )
        return str(names[found[1]])

    return _VARIABLE.sub(value, text)


def manual(options: Iterable[Option]) -> str:
    """The options as an indented, aligned list for a docstring."""
    rows = []
    for option in options:
        value = f" {option.metavar}" if option.metavar else ""
        rows.append((", ".join(option.flags) + value, option.help + _extra(option)))
    label = max(len(flags) for flags, _ in rows) + 4
    return "\n".join(
        textwrap.fill(told, WIDTH, initial_indent=f"  {flags}".ljust(label), subsequent_indent=" " * label)
        for flags, told in rows
    )


def near(wanted: str, known: Iterable[str]) -> str:
    """` Did you mean X?`, or nothing when nothing is close."""
    found = difflib.get_close_matches(wanted, list(known), n=1)
    return f" Did you mean {found[0]}?" if found else ""


def whole(text: str) -> int:
    """A whole number, for `Option.read`."""
    try:
        return int(text)
    except ValueError:
        raise ValueError("a whole number") from None


def cosine(text: str) -> float:
    """A number of -1 to 1, for `Option.read`."""
    try:
        value = float(text)
    except ValueError:
        value = 2.0
    if not -1 <= value <= 1:
        raise ValueError("a cosine, such as 0.5")
    return value


def identifier(text: str) -> str:
    """The name of a variable, for `Option.read`."""
    if not text.isidentifier():
        raise ValueError("the name of a variable")
    return text


def _skip(line: str, at: int) -> int:
    while at < len(line) and line[at].isspace():
        at += 1
    return at


def _target(line: str, at: int) -> tuple[str | None, int]:
    found = _TARGET.match(line, at)
    return (found[1], found.end()) if found else (None, at)


def _unquoted(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group is not None)


def _value(line: str, at: int, flag: str, option: Option) -> tuple[str, int]:
    attached = line[at : at + 1] == "="
    start = at + 1 if attached else _skip(line, at)
    found = _TOKEN.match(line, start)
    if found is None or (attached and start < len(line) and line[start].isspace()):
        raise UsageError(f"{flag} needs a value: {flag} {option.metavar}")
    text = _unquoted(found)
    if not attached and found[3] and (text == "--" or _LONG.match(text)):
        raise UsageError(f"{flag} needs a value before {text}: {flag} {option.metavar}")
    if found[3] and text[0] in "\"'" and text[0] not in text[1:]:
        raise UsageError(f"{flag}: the quote in {text} is not closed")
    return text, found.end()


def _read(text: str, flag: str, option: Option) -> Any:
    if option.choices and text not in option.choices:
        raise UsageError(f"{flag} {text}: not one of {', '.join(option.choices)}.{near(text, option.choices)}")
    try:
        return option.read(text)
    except ValueError as error:
        raise UsageError(f"{flag} {text}: the value must be {error}") from None


def _unknown(flag: str, table: dict[str, Option]) -> str:
    hint = near(flag, table) or f" To search for it: -- {flag}"
    return f"unknown option {flag}.{hint} All options: %memo_search?"


def _extra(option: Option) -> str:
    told = f" ({', '.join(option.choices)})" if option.choices else ""
    return told + (" (may be given again)" if option.many else "")
