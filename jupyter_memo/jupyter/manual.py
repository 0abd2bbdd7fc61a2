"""The options of every magic, in one table: parsing, Tab completion and the manual all read it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from jupyter_memo.errors import MemoError
from jupyter_memo.jupyter.options import Option, cosine, identifier, manual, whole
from jupyter_memo.profile import PROFILES
from jupyter_memo.query import GRANULARITIES, LIMIT_MAX, MODES
from jupyter_memo.records import KINDS, SURFACES
from jupyter_memo.response import CITE_STYLES, SHARES

F = TypeVar("F", bound=Callable[..., object])

OUT = Option(short="-o", long="--out", metavar="NAME", read=identifier, help="assign the result to NAME, and show it")
QUIET = Option(short="-q", long="--quiet", help="show nothing")

SHOWING = ("out", "quiet", "explain", "share", "widget")
"""Options that say what becomes of a result; the engine does not get them."""

RENAMED = {"also": "queries", "surface": "surfaces"}
"""What the engine calls the value of an option that goes by a shorter name on a line."""

SCOPE = (
    Option(short="-N", long="--namespace", metavar="NAME", many=True, help="only this namespace"),
    Option(short="-k", long="--kind", metavar="KIND", choices=KINDS, many=True, help="only this kind"),
    Option(short="-t", long="--tag", metavar="TAG", many=True, help="only what has this tag"),
    Option(short="-s", long="--source", metavar="GLOB", many=True, help="only sources such as notes/*.md"),
    Option(long="--library", metavar="NAME", many=True, help="only this library"),
    Option(long="--version", metavar="VERSION", many=True, help="only this version of it"),
    Option(long="--lang", metavar="LANG", many=True, help="only this language"),
    Option(long="--since", metavar="DATE", help="written then or later: 2026, 2026-06, 2026-06-30"),
    Option(long="--before", metavar="DATE", help="written before then"),
    Option(long="--as-of", metavar="DATE", help="what the index held then"),
    Option(long="--min-trust", metavar="N", read=whole, help="trust of at least N, 0 to 3"),
)

SEARCH = (
    Option(short="-n", long="--limit", metavar="N", read=whole, help=f"results on the page, 1 to {LIMIT_MAX}"),
    Option(long="--offset", metavar="N", read=whole, help="results to skip: the next page"),
    Option(short="-m", long="--mode", metavar="MODE", choices=MODES, help="what to search by"),
    Option(short="-p", long="--profile", metavar="NAME", help="ranking rules, as %memo profiles lists them"),
    Option(short="-g", long="--granularity", metavar="WHAT", choices=GRANULARITIES, help="what a result is"),
    Option(long="--also", metavar="QUERY", many=True, help="the same question in other words; their scores vote"),
    Option(
        long="--surface",
        metavar="WHAT",
        choices=(*SURFACES, "all"),
        many=True,
        help="only this surface; of several each is searched by itself, and what they find is merged",
    ),
    Option(
        long="--min-relevance",
        metavar="COSINE",
        read=cosine,
        help="a floor for what only meaning finds; 0: no floor of a surface either",
    ),
    Option(long="--max-tokens", metavar="N", read=whole, help="no more text than this many model tokens"),
    Option(short="-e", long="--explain", help="show the reasons opened"),
    Option(long="--no-sync", help="ask the index as it stands, without a look at the disk"),
    Option(long="--share", metavar="LEVEL", choices=SHARES, help="how much text the saved notebook holds"),
    Option(short="-w", long="--widget", help="a search box below the list: ask again, page, cite, judge, index"),
    OUT,
    QUIET,
    *SCOPE,
)

INDEX = (
    Option(short="-N", long="--namespace", metavar="NAME", help="put the passages into this namespace"),
    Option(short="-k", long="--kind", metavar="KIND", choices=KINDS, help="what they are, where the file cannot say"),
    Option(short="-t", long="--tag", metavar="TAG", many=True, help="tag them"),
    Option(long="--library", metavar="NAME", help="the library they document"),
    Option(long="--version", metavar="VERSION", help="its version"),
    Option(long="--trust", metavar="N", read=whole, help="0 (untrusted import) to 3 (checked by its owner)"),
    Option(long="--allow-secrets", help="index what looks like a key or a password, too; remembered for these files"),
    Option(short="-d", long="--dry-run", help="say what would be done, write nothing"),
    OUT,
    QUIET,
)

OF = Option(long="--of", metavar="NAME", read=identifier, help="of the result in NAME instead of the last one")

DAYS = Option(long="--history-days", metavar="N", read=whole, help="days of history to keep; 0 keeps none")

VERB_OPTIONS: dict[str, tuple[Option, ...]] = {
    "explain": (OF,),
    "judge": (OF,),
    "cite": (OF, Option(short="-s", long="--style", metavar="STYLE", choices=CITE_STYLES, help="how it is written")),
    "similar": (
        OF,
        Option(long="--min-similarity", metavar="COSINE", read=cosine, help="nothing that is less like it"),
        *(option for option in SEARCH if option.key not in ("widget", "also", "min_relevance")),
    ),
    "context": (
        Option(long="--even-if-flat", help="give near misses too, where nothing stands out"),
        *(option for option in SEARCH if option.key not in ("widget", "explain")),
    ),
    "maintain": (DAYS,),
    "purge": (
        Option(short="-d", long="--dry-run", help="say what would be erased, erase nothing"),
        Option(short="-y", long="--yes", help="erase it; this cannot be undone"),
    ),
    "why_not": (
        Option(long="--target", metavar="PATH", help="a path, glob, path#heading or passage id"),
        *(option for option in SEARCH if option.key not in (*SHOWING, "no_sync")),
    ),
    "compare": (
        Option(long="--profiles", metavar="A,B", help="the two to compare; one is compared with that of the answer"),
        *(
            option
            for option in SEARCH
            if option.key == "share" or option.key not in (*SHOWING, "profile", "offset", "max_tokens")
        ),
    ),
}
"""The options of verbs of %memo that take any."""

VERBS = {
    "explain": "explain N: why result N stands where it does, and what each arm does for it",
    "why_not": "why_not QUERY --target PATH: the step that dropped something, with the number",
    "similar": "similar [TARGET]: what is like a path, path#heading, result N, text, or this cell",
    "context": "context QUERY: the passages for a language model, whole, framed as data, with sources",
    "compare": "compare --profiles A,B QUERY: both lists, and the cause of each move",
    "judge": "judge N GRADE: keep how well result N answers, 0 to 3",
    "judgements": "what was judged",
    "cite": "cite [N…] --style markdown, bibtex or csl: results as citations",
    "widget": "widget [QUERY]: a search box that stays, with citing, judging and indexing",
    "maintain": "maintain [--history-days N]: delete old history, put the store in order",
    "purge": "purge [TARGET…] --yes: erase what was changed or removed from the disk, for good",
    "status": "what stands in the store, and how the model is",
    "backfill": "embed the passages that wait for their vectors",
    "doctor": "what works and what does not, with a cure for each fault",
    "profiles": "profiles [NAME]: the ranking profiles there are, or all constants of one",
    "open": "open PATH: use another store",
    "help": "this text",
}

NAMES: dict[str, Callable[[], tuple[str, ...]]] = {"profile": lambda: tuple(PROFILES)}
"""Values to offer for options whose values are not a closed list: those that every installation has."""


def own_names(key: str) -> tuple[str, ...]:
    """The same as they stand where this runs, with the profiles of the user's own settings file."""
    from jupyter_memo import config  # pydantic takes a tenth of a second, and only completion needs it here

    if key not in ("profile", "profiles"):
        return NAMES.get(key, tuple)()
    try:
        return tuple(config.load().profiles)
    except MemoError:
        return tuple(PROFILES)


OPTIONS: dict[str, tuple[Option, ...]] = {"memo_search": SEARCH, "memo_index": INDEX, "memo": ()}


def asked(given: dict[str, Any]) -> dict[str, Any]:
    """What was given on a line as the options of `Memo.search`: without what only shows the result."""
    named = {RENAMED.get(key, key): value for key, value in given.items() if key not in SHOWING}
    if named.pop("no_sync", False):
        named["sync"] = False
    return named


def documented(name: str) -> Callable[[F], F]:
    """Adds the options of that magic to its docstring, so that `%%memo_search?` is the whole manual."""

    def add(function: F) -> F:
        function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\nOptions:\n\n{manual(OPTIONS[name])}\n"
        return function

    return add


def overview() -> str:
    """The verbs of `%memo` and the other magics, as text."""
    label = max(map(len, VERBS)) + 2
    verbs = "\n".join(f"  %memo {verb.ljust(label)}{told}" for verb, told in VERBS.items())
    return (
        "Search over notes, notebooks, papers, code and data, with the reason for every rank.\n\n"
        "  %memo_index PATH…      index files and folders (%memo_index? lists the options)\n"
        "  %memo_search QUERY     ask in one line\n"
        "  %%memo_search          ask with the rest of the cell (%%memo_search? is the manual)\n"
        "  %%memo similar         what is like the rest of the cell\n"
        "  %%memo context         what a language model should read for the question below\n\n"
        f"{verbs}"
    )
