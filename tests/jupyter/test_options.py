"""Taking options off a magic line."""

from __future__ import annotations

from typing import Any

import pytest
from IPython.core.error import UsageError

from jupyter_memo.jupyter import options
from jupyter_memo.jupyter.manual import INDEX, SEARCH


@pytest.mark.parametrize(
    ("line", "given", "rest"),
    [
        ("why does it fail", {}, "why does it fail"),
        ("--limit 5 why", {"limit": 5}, "why"),
        ("--limit=5 why", {"limit": 5}, "why"),
        ("-n 5 -m exact why", {"limit": 5, "mode": "exact"}, "why"),
        ("-e -q why", {"explain": True, "quiet": True}, "why"),
        ('--source "my notes/*.md" why', {"source": ("my notes/*.md",)}, "why"),
        ("-t 'a b' --tag=c why", {"tag": ("a b", "c")}, "why"),
        ("-tutorial why", {}, "-tutorial why"),
        ("-n 5 -tutorial why", {"limit": 5}, "-tutorial why"),
        ("why --limit 5", {}, "why --limit 5"),
        ("-- --limit 5", {}, "--limit 5"),
        ("-n 5 -- -q", {"limit": 5}, "-q"),
        (
            '--mode auto "two words" C:\\new # x don\'t {a}  b',
            {"mode": "auto"},
            '"two words" C:\\new # x don\'t {a}  b',
        ),
        ("--since 2026-06", {"since": "2026-06"}, ""),
        ("--as-of 2026 x", {"as_of": "2026"}, "x"),
        ("- x", {}, "- x"),
        ("-5 degrees", {}, "-5 degrees"),
        ("--offset -5 x", {"offset": -5}, "x"),
        ("", {}, ""),
    ],
)
def test_options_come_off_the_front_and_the_rest_stays_as_typed(line: str, given: dict[str, Any], rest: str) -> None:
    parsed = options.parse(line, SEARCH)
    assert (given, rest, None) == (parsed.given, parsed.rest, parsed.target)


@pytest.mark.parametrize(
    ("line", "target", "rest"),
    [
        ("found << why", "found", "why"),
        ("found <<", "found", ""),
        ("-n 5 found << why", "found", "why"),
        ("found << -n 5 why", "found", "why"),
        ("-- cout << x", None, "cout << x"),
        ("1 << 2", None, "1 << 2"),
        ("found <<x", None, "found <<x"),
    ],
)
def test_a_name_and_two_angles_name_the_variable(line: str, target: str | None, rest: str) -> None:
    parsed = options.parse(line, SEARCH)
    assert (target, rest) == (parsed.target, parsed.rest)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--limt 5 x", "unknown option --limt. Did you mean --limit? All options: %memo_search?"),
        ("--zzz", "unknown option --zzz. To search for it: -- --zzz All options: %memo_search?"),
        ("-x y", "unknown option -x. To search for it: -- -x All options: %memo_search?"),
        ("--limit", "--limit needs a value: --limit N"),
        ("--limit= x", "--limit needs a value: --limit N"),
        ("--limit --mode exact", "--limit needs a value before --mode: --limit N"),
        ("-n five", "-n five: the value must be a whole number"),
        ("--mode keywrd", "--mode keywrd: not one of auto, keyword, exact, semantic. Did you mean keyword?"),
        ("-o 2x y", "-o 2x: the value must be the name of a variable"),
        ("--explain=yes", "--explain takes no value"),
        ('--tag "open', '--tag: the quote in "open is not closed'),
    ],
)
def test_a_slip_is_one_line_with_its_cure(line: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        options.parse(line, SEARCH)
    assert message == str(raised.value)


def test_options_may_stand_anywhere_among_paths() -> None:
    parsed = options.parse('notes --tag a "my papers" -d ~/x -- -odd', INDEX, anywhere=True)
    assert ("notes", "my papers", "~/x", "-odd") == parsed.words
    assert {"tag": ("a",), "dry_run": True} == parsed.given


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("--limit 5 # five", "--limit 5"),
        ("# all of it", ""),
        ("--tag '#1'", "--tag '#1'"),
        ("--tag C#", "--tag C#"),
        ('--source "a # b" # c', '--source "a # b"'),
        ("", ""),
    ],
)
def test_a_comment_ends_the_line_unless_it_is_quoted(line: str, kept: str) -> None:
    assert kept == options.without_comment(line)


def test_only_double_braces_around_a_name_are_expanded() -> None:
    assert "{x} ${x} {{ x }} {{x.y}} 7" == options.expand("{x} ${x} {{ x }} {{x.y}} {{x}}", {"x": 7})


def test_an_undefined_name_is_an_error_that_says_how_to_mean_braces() -> None:
    with pytest.raises(UsageError, match=r"\{\{nope\}\}: no variable is called nope\. .* write \{\{ nope \}\}"):
        options.expand("{{nope}}", {})


@pytest.mark.parametrize("table", [SEARCH, INDEX])
def test_no_flag_is_used_twice(table: tuple[options.Option, ...]) -> None:
    flags = [flag for option in table for flag in option.flags]
    assert len(flags) == len(set(flags))


def test_the_manual_fits_its_width() -> None:
    assert [] == [line for line in options.manual(SEARCH).split("\n") if len(line) > options.WIDTH]
