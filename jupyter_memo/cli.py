"""The command line: index, search, similar, context, compare, profiles, status, doctor, maintain, purge and evaluate,
each a few lines over the engine."""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from jupyter_memo import config
from jupyter_memo import profile as ranking
from jupyter_memo.engine import Memo
from jupyter_memo.errors import MemoError, QueryError, StoreError
from jupyter_memo.evaluate import asking, showing
from jupyter_memo.profile import CONTEXT_TOKENS
from jupyter_memo.query import MODES
from jupyter_memo.records import SURFACES
from jupyter_memo.render import compare, profiles, report, state, text, upkeep


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. 0 when it worked, 1 when a check failed, 2 with one line on standard error for what the user can
    mend, 130 when it was interrupted, 141 when nobody reads what it says any more."""
    asked = _parser().parse_args(argv)
    verb: Callable[[argparse.Namespace], int] = asked.verb
    try:
        if verb is not _index:
            _check_there(getattr(asked, "store", None))
        return verb(asked)
    except MemoError as error:
        _write(sys.stderr, f"{type(error).__name__}: {error}")
        return 2
    except KeyboardInterrupt:
        _write(sys.stderr, "Interrupted. What was finished is kept, whole; the same line again goes on.")
        return 130
    except BrokenPipeError:
        # What is left in the buffer would be written at exit, and fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _check_there(store: str | None) -> None:
    """Asking makes no index where a name was mistyped. Raises StoreError."""
    if store and "://" not in store and not os.path.exists(config.expanded(store)):  # noqa: PTH110 (or no possible name)
        raise StoreError(f"there is no index at {store}. Make one: python -m jupyter_memo index PATH --store {store}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m jupyter_memo", description="Search over what you have written.")
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    def verb(name: str, work: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=about, description=about)
        made.add_argument("--embedder", metavar="NAME", help="minilm, multilingual, hash, none or transformers:NAME")
        made.set_defaults(verb=work)
        return made

    def stored(made: argparse.ArgumentParser) -> argparse.ArgumentParser:
        made.add_argument("--store", metavar="FOLDER", help="where the index lies; found as in a notebook if not given")
        return made

    def searching(made: argparse.ArgumentParser) -> None:
        made.add_argument("--profile", metavar="NAME")
        made.add_argument("--limit", type=int, metavar="N")
        made.add_argument("--mode", choices=MODES, help="one way of searching; auto takes all that apply")
        made.add_argument(
            "--also", action="append", default=[], metavar="QUERY", help="the same in other words; their scores vote"
        )
        made.add_argument("--min-relevance", type=float, metavar="COSINE", help="a floor for what only meaning finds")
        made.add_argument(
            "--surface",
            action="append",
            default=[],
            choices=(*SURFACES, "all"),
            help="only this surface; several are searched each by itself and merged",
        )

    index = stored(verb("index", _index, "Index files and folders."))
    index.add_argument("paths", nargs="+", metavar="PATH")
    index.add_argument(
        "--allow-secrets", action="store_true", help="index what looks like a key or a password, too; it is remembered"
    )
    search = stored(verb("search", _search, "Search the index."))
    search.add_argument("query", nargs="+", metavar="WORD")
    searching(search)
    search.add_argument("--explain", action="store_true", help="the arithmetic of every result")
    search.add_argument("--json", action="store_true", help="the response as JSON")
    context = stored(verb("context", _context, "The passages for a language model, framed as data, with sources."))
    context.add_argument("query", nargs="+", metavar="WORD")
    context.add_argument("--max-tokens", type=int, default=CONTEXT_TOKENS, metavar="N", help="no more than so many")
    context.add_argument("--even-if-flat", action="store_true", help="give near misses too, where nothing stands out")
    searching(context)
    context.add_argument("--json", action="store_true", help="text, sources and reason as JSON")
    similar = stored(verb("similar", _similar, "What is like a passage, a source or a text."))
    similar.add_argument(
        "target", nargs="+", metavar="TARGET", help="a path, uri, path#heading or passage id, or a text; - reads it"
    )
    similar.add_argument("--min-similarity", type=float, metavar="COSINE", help="nothing that is less like it")
    similar.add_argument("--profile", metavar="NAME")
    similar.add_argument("--limit", type=int, metavar="N")
    similar.add_argument("--json", action="store_true", help="the response as JSON")
    two = stored(verb("compare", _compare, "What two profiles find, and the cause of each move between them."))
    two.add_argument("query", nargs="+", metavar="WORD")
    two.add_argument("--profiles", metavar="A,B", required=True, help="the two profiles")
    two.add_argument("--limit", type=int, metavar="N")
    two.add_argument("--json", action="store_true", help="the comparison as JSON")
    listed = verb("profiles", _profiles, "The ranking profiles there are, or all constants of one.")
    listed.add_argument("name", nargs="?", metavar="NAME")
    stored(verb("status", _status, "What stands in the index."))
    stored(verb("doctor", _doctor, "What works and what does not."))
    maintain = stored(verb("maintain", _maintain, "Delete old history and put the store in order."))
    maintain.add_argument("--history-days", type=float, metavar="N", help="days of history to keep; 0 keeps none")
    purge = stored(verb("purge", _purge, "Erase changed and removed passages from the disk, for good."))
    purge.add_argument("targets", nargs="*", metavar="TARGET", help="a path, uri, glob or id; none for all history")
    purge.add_argument("--dry-run", action="store_true", help="say what would be erased, erase nothing")
    purge.add_argument("--yes", action="store_true", help="erase it; this cannot be undone")
    evaluate = verb("evaluate", _evaluate, "Measure profiles on sets of questions with known answers.")
    evaluate.add_argument(
        "sets",
        nargs="+",
        metavar="SET",
        help="a folder with corpus, queries and qrels; FOLDER:TRACK for one track of it",
    )
    evaluate.add_argument(
        "--profiles",
        default="default,rrf",
        metavar="A,B",
        help="names, each with constants changed if wanted: default,default+fusion.balance=0.4+cutoff.gap=0.6",
    )
    evaluate.add_argument("--stores", metavar="FOLDER", help="keeps the indexed sets for the next run")
    evaluate.add_argument(
        "--off-topic",
        action="append",
        default=[],
        metavar="SET@SET",
        help="ask the queries of the first set of the corpus of the second, as queries without an answer",
    )
    evaluate.add_argument(
        "--sweep",
        metavar="CONSTANT=A,B",
        help="measure the first profile with each value of a constant, and what the other sets would choose",
    )
    evaluate.add_argument("--ranking-only", action="store_true", help="leave out the second table, as shipped")
    evaluate.add_argument("--by", metavar="KEY", help="one more table, by a field of the queries' meta: category, type")
    evaluate.add_argument("--json", action="store_true", help="every figure as JSON")
    return parser


def _index(asked: argparse.Namespace) -> int:
    with Memo.open(asked.store, embedder=asked.embedder) as memo:
        _write(sys.stdout, report.plain(memo.index(*asked.paths, allow_secrets=asked.allow_secrets or None)))
    return 0


def _search(asked: argparse.Namespace) -> int:
    with Memo.open(asked.store, embedder=asked.embedder) as memo:
        found = dataclasses.replace(memo.search(" ".join(asked.query), **_options(asked)), open_why=asked.explain)
    _write(sys.stdout, found.to_json() if asked.json else text.plain(found))
    return 0


def _context(asked: argparse.Namespace) -> int:
    """The text on standard output, and nothing else there, so that it can be piped; why there is none goes to standard
    error."""
    with Memo.open(asked.store, embedder=asked.embedder) as memo:
        made = memo.context(
            " ".join(asked.query),
            max_tokens=asked.max_tokens,
            even_if_flat=asked.even_if_flat,
            **_options(asked),
        )
    if asked.json:
        _write(sys.stdout, made.to_json())
    elif made:
        _write(sys.stdout, str(made))
    else:
        _write(sys.stderr, " ".join(filter(None, (made.reason, made.hint))))
    return 0


def _options(asked: argparse.Namespace) -> dict[str, Any]:
    return {
        "mode": asked.mode,
        "profile": asked.profile,
        "limit": asked.limit,
        "queries": asked.also,
        "surfaces": asked.surface,
        "min_relevance": asked.min_relevance,
    }


def _similar(asked: argparse.Namespace) -> int:
    target = sys.stdin.read() if asked.target == ["-"] else " ".join(asked.target)
    with Memo.open(asked.store, embedder=asked.embedder) as memo:
        found = memo.similar(target, min_similarity=asked.min_similarity, profile=asked.profile, limit=asked.limit)
    _write(sys.stdout, found.to_json() if asked.json else text.plain(found))
    return 0


def _compare(asked: argparse.Namespace) -> int:
    names = [name.strip() for name in asked.profiles.split(",")]
    if len(names) != 2:
        raise QueryError(f"--profiles {asked.profiles} names no two profiles. Write --profiles default,rrf")
    with Memo.open(asked.store, embedder=asked.embedder) as memo:
        compared = memo.compare(" ".join(asked.query), *names, limit=asked.limit)
    _write(sys.stdout, compared.to_json() if asked.json else compare.plain(compared))
    return 0


def _profiles(asked: argparse.Namespace) -> int:
    known = config.load().profiles
    if asked.name is None:
        _write(sys.stdout, profiles.profiles_plain(tuple(known.values())))
    else:
        chosen = ranking.get(asked.name, known)
        _write(sys.stdout, profiles.constants_plain(chosen, known[chosen.base or "default"]))
    return 0


def _status(asked: argparse.Namespace) -> int:
    with Memo.open(asked.store, embedder=asked.embedder) as memo:
        _write(sys.stdout, state.status_plain(memo.status()))
    return 0


def _doctor(asked: argparse.Namespace) -> int:
    with Memo.open(asked.store, embedder=asked.embedder) as memo:
        checks = memo.doctor()
    _write(sys.stdout, state.checks_plain(checks))
    return 0 if all(check.ok for check in checks) else 1


def _maintain(asked: argparse.Namespace) -> int:
    with Memo.open(asked.store, embedder=asked.embedder or "none") as memo:
        _write(sys.stdout, upkeep.plain(memo.maintain(history_days=asked.history_days)))
    return 0


def _purge(asked: argparse.Namespace) -> int:
    if not (asked.yes or asked.dry_run):
        raise QueryError("purging cannot be undone. Look with --dry-run first, then say --yes")
    with Memo.open(asked.store, embedder=asked.embedder or "none") as memo:
        _write(sys.stdout, upkeep.plain(memo.purge(*asked.targets, dry_run=asked.dry_run)))
    return 0


def _evaluate(asked: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder, Memo.open(folder, embedder=asked.embedder) as memo:
        found = memo.evaluate(
            *asked.sets,
            profiles=asked.profiles.split(","),
            sweep=_constant(asked.sweep) if asked.sweep else None,
            stores=asked.stores,
            off_topic=[_pair(pair) for pair in asked.off_topic],
            shipped=not asked.ranking_only,
            progress=_Progress(),
        )
    _write(sys.stdout, found.to_json() if asked.json else str(found))
    if asked.by and not asked.json:
        _write(sys.stdout, "\n" + showing.parts(found.by(asked.by), asked.by))
    return 0


def _pair(typed: str) -> tuple[str, str]:
    questions, at, corpus = typed.rpartition("@")
    if not at:
        raise QueryError(f"--off-topic {typed} is not SET@SET: queries of the first, corpus of the second")
    return questions, corpus


def _constant(typed: str) -> tuple[str, tuple[object, ...]]:
    name, equals, values = typed.partition("=")
    if not equals:
        raise QueryError(f"--sweep {typed} is not CONSTANT=A,B: fusion.balance=0.4,0.5")
    return name, tuple(asking.value_of(value) for value in values.split(","))


class _Progress:
    """One line on standard error for each step, and one every ten seconds within a long one."""

    def __init__(self) -> None:
        self._what, self._last = "", 0.0

    def __call__(self, done: int, of: int, what: str) -> None:
        now = time.monotonic()
        if what != self._what or now - self._last > 10:
            self._what, self._last = what, now
            _write(sys.stderr, f"{what} {done}/{of}" if done else what)


def _write(stream: Any, line: str) -> None:
    """Write a line, with ? for what the terminal has no sign for. Raises MemoError where it cannot be written."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        stream.write(line.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise MemoError(f"the output cannot be written: {error.strerror}. Send it elsewhere, or make room") from error
