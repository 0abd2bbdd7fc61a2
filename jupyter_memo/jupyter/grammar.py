"""What an editor must know to read a memo cell: the fields of a query, the options of every magic, and their help.

`python -m jupyter_memo.jupyter.grammar` writes `grammar.json` beside this file; with `--check` it only compares and
exits 1 where the two differ. The front end makes its own table from that file (`jlpm wire`), so that nothing stands in
two places by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jupyter_memo import wire
from jupyter_memo.jupyter.manual import NAMES, OPTIONS, SCOPE, VERB_OPTIONS, VERBS
from jupyter_memo.jupyter.options import Option, identifier, whole
from jupyter_memo.jupyter.values import TIMES
from jupyter_memo.records import KINDS
from jupyter_memo.text.fields import FIELDS, TRUST_MAX

GRAMMAR_FILE = Path(__file__).with_name("grammar.json")

_READS: dict[Callable[[str], Any], str] = {whole: "whole", identifier: "name"}
_SHORTEST = {target: name for name, target in reversed(FIELDS.items())}
"""The part of a scope, and the field that the values of the index are listed under."""


def grammar() -> dict[str, Any]:
    """The table as plain dicts and lists, in the order in which things are offered."""
    told = {_target(option): option.help for option in SCOPE}
    levels = [str(level) for level in range(TRUST_MAX + 1)]
    return {
        "fields": {name: {"values": _SHORTEST[target], "help": told[target]} for name, target in FIELDS.items()},
        "values": {"kind": list(KINDS), "trust": levels, "since": TIMES, "before": TIMES, "as_of": TIMES[:2]},
        "closed": ["kind", "trust"],
        "dates": ["since", "before", "as_of"],
        "magics": {name: list(map(_option, options)) for name, options in OPTIONS.items()},
        "verbs": {
            verb: {"help": told, "options": list(map(_option, VERB_OPTIONS.get(verb, ())))}
            for verb, told in VERBS.items()
        },
    }


def main(arguments: list[str]) -> int:
    """Write the file, or with --check compare it. Returns the exit status."""
    return wire.generated(GRAMMAR_FILE, grammar(), "jupyter_memo.jupyter.grammar", arguments, indent=1)


def _option(option: Option) -> dict[str, Any]:
    """One option. `choices` are all there is where it is closed, otherwise what to offer; `values` names the field
    whose values it takes."""
    suggested = NAMES.get(option.key, tuple)()
    field = _SHORTEST.get(_target(option), "")
    return {
        "flags": list(option.flags),
        "metavar": option.metavar,
        "help": option.help,
        "choices": list(option.choices or suggested),
        "closed": bool(option.choices),
        "many": option.many,
        "reads": _READS.get(option.read, "text"),
        # an option takes dates only, a field also `7d`
        "values": "" if option.choices or option.metavar == "DATE" else field,
    }


def _target(option: Option) -> str:
    """The part of a scope that an option fills; its own name where it fills none."""
    return FIELDS.get(option.key, {"library": FIELDS["lib"]}.get(option.key, option.key))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
