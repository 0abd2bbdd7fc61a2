"""The command line: index, search, similar, status, doctor, maintain, purge and evaluate, each a few lines over the
engine."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from jupyter_memo.engine import Memo
from jupyter_memo.errors import MemoError, QueryError
from jupyter_memo.evaluate import asking, showing
from jupyter_memo.render import report, state, text, upkeep


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. 0 when it worked, 1 when a check failed, 2 with one line on standard error for what the user can
    mend."""
    asked = _parser().parse_args(argv)
    verb: Callable[[argparse.Namespace], int] = asked.verb
    try:
        return verb(asked)
    except MemoError as error:
        _write(sys.stderr, f"{type(error).__name__}: {error}")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m jupyter_memo", description="Search over what you have written.")
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    def verb(name: str, work: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=about, description=about)
        made.add_argument("--embedder", metavar="NAME", help="minilm, hash, none or transformers:NAME")
        made.set_defaults(verb=work)
        return made

    def stored(made: argparse.ArgumentParser) -> argparse.ArgumentParser:
        made.add_argument("--store", metavar="FOLDER", help="where the index lies; found as in a notebook if not given")
        return made

    index = stored(verb("index", _index, "Index files and folders."))
    index.add_argument("paths", nargs="+", metavar="PATH")
    index.add_argument(
        "--allow-secrets", action="store_true", help="index what looks like a key or a password, too; it is remembered"
    )
    search = stored(verb("search", _search, "Search the index."))
    search.add_argument("query", nargs="+", metavar="WORD")
    search.add_argument("--profile", metavar="NAME")
    search.add_argument("--limit", type=int, metavar="N")
    search.add_argument("--json", action="store_true", help="the response as JSON")
    similar = stored(verb("similar", _similar, "What is like a passage, a source or a text."))
    similar.add_argument(
        "target", nargs="+", metavar="TARGET", help="a path, uri, path#heading or passage id, or a text; - reads it"
    )
    similar.add_argument("--min-similarity", type=float, metavar="COSINE", help="nothing that is less like it")
    similar.add_argument("--profile", metavar="NAME")
    similar.add_argument("--limit", type=int, metavar="N")
    similar.add_argument("--json", action="store_true", help="the response as JSON")
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
        found = memo.search(" ".join(asked.query), profile=asked.profile, limit=asked.limit)
    _write(sys.stdout, found.to_json() if asked.json else text.plain(found))
    return 0


def _similar(asked: argparse.Namespace) -> int:
    target = sys.stdin.read() if asked.target == ["-"] else " ".join(asked.target)
    with Memo.open(asked.store, embedder=asked.embedder) as memo:
        found = memo.similar(target, min_similarity=asked.min_similarity, profile=asked.profile, limit=asked.limit)
    _write(sys.stdout, found.to_json() if asked.json else text.plain(found))
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
    stream.write(line + "\n")
    stream.flush()
