"""The magics: %memo_index, %memo_search, %%memo_search and %memo. Thin: they parse a line and call the engine.

A mistake of the user ends as one line that holds its cure (IPython's UsageError, which still stops Run All); anything
else that goes wrong keeps its traceback.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand
from IPython.display import display as publish
from traitlets import CaselessStrEnum, Int, Unicode, observe

from jupyter_memo.errors import MemoError
from jupyter_memo.excerpts import PromptContext
from jupyter_memo.jupyter import cells, comparing, display, keeping, manual, options, questions
from jupyter_memo.jupyter.progress import bar
from jupyter_memo.query import LIMIT_MAX, MODES
from jupyter_memo.render import numbers, state
from jupyter_memo.response import IndexReport, SearchResponse, Status

if TYPE_CHECKING:
    from jupyter_memo.engine import Memo
    from jupyter_memo.jupyter.widget import SearchWidget

T = TypeVar("T")
Opener = Callable[..., "Memo"]


def _open_engine(path: str | None, **settings: Any) -> Memo:
    """The engine, imported when it is first needed: loading the extension stays quick."""
    from jupyter_memo.engine import Memo

    return Memo.open(path, **settings)


@magics_class
class MemoMagics(Magics):
    """The magics of one kernel, and its one open store. `%config MemoMagics.limit = 5` changes a default."""

    # None is what the settings say; these change it for one kernel. What each means, the settings tell.
    limit = Int(None, allow_none=True, min=1, max=LIMIT_MAX, help="The setting search.limit").tag(config=True)
    mode = CaselessStrEnum(MODES, default_value=None, allow_none=True, help="The setting search.mode").tag(config=True)
    profile = Unicode(None, allow_none=True, help="The setting profile").tag(config=True)
    store = Unicode(None, allow_none=True, help="The setting store").tag(config=True)
    embedder = Unicode(None, allow_none=True, help="The setting embedder").tag(config=True)

    _memo: Memo | None = None
    _last: SearchResponse | None = None

    def __init__(self, shell: InteractiveShell, opener: Opener = _open_engine, **settings: Any) -> None:
        super().__init__(shell, **settings)
        self._opener = opener
        atexit.register(self.close)

    @property
    def engine(self) -> Memo:
        """The open engine of this kernel; opened at first use."""
        if self._memo is None:
            self._memo = self._opener(self.store, profile=self.profile, embedder=self.embedder)
        return self._memo

    @property
    def _variables(self) -> dict[str, Any]:
        return self.shell.user_ns if self.shell is not None else {}

    def close(self) -> None:
        """Close the store, if one is open. The next use opens it again."""
        memo, self._memo, self._last = self._memo, None, None
        if memo is not None:
            memo.close()

    def unload(self) -> None:
        """Close the store for good."""
        atexit.unregister(self.close)
        self.close()

    @observe("profile", "store", "embedder")
    def _reopen(self, _change: Any) -> None:
        self.close()

    @no_var_expand
    @line_magic
    @manual.documented("memo_index")
    def memo_index(self, line: str) -> IndexReport | None:
        """Index files and folders, so that %memo_search finds what is in them.

            %memo_index PATH… [options]

        Only what is new or changed is read; files that are gone leave the index. A path with spaces stands in quotes;
        {{name}} stands for the variable of that name. Interrupting is safe: run the same line again to go on.

            %memo_index notes ~/papers --tag thesis
            %memo_index . --dry-run
        """
        with _one_line():
            asked = options.parse(options.without_comment(line), manual.INDEX, anywhere=True)
            if not asked.words:
                raise UsageError("name at least one file or folder: %memo_index .")
            paths = [options.expand(word, self._variables) for word in asked.words]
            given = {key: value for key, value in asked.given.items() if key not in manual.SHOWING}
            given["tags"] = given.pop("tag", ())
            try:
                with bar("indexing", "files", quiet="quiet" in asked.given) as progress:
                    report = self.engine.index(*paths, progress=progress, **given)
            except KeyboardInterrupt:
                print("Interrupted. What was finished is in the index, whole. Run the same line again to go on.")  # noqa: T201
                raise
            return self._give(report, asked)

    @no_var_expand
    @line_cell_magic
    @manual.documented("memo_search")
    def memo_search(self, line: str, cell: str | None = None) -> SearchResponse | None:
        r"""Ask the index. Ranked passages with the reason for each rank; the result object is returned.

            %memo_search [options] QUERY
            %%memo_search [options]
            QUERY
            r = %memo_search [options] QUERY

        The query is taken exactly as typed: quotes, dashes, # and backslashes are part of it. In the line form it
        begins with the first word that is no option, or behind `--`; in the cell form it is the body, and the magic
        line may end in a # comment. {{name}} stands for the variable of that name.

        In a query:

          "some words"     the words side by side
          -word  NOT word  left out
          topic without x  x is not looked for and weighs a result down
          kind:note  tag:x  ns:x  source:notes/*.md  lang:en  lib:x  version:1  trust:2
          since:2026-06  before:2026-07  as_of:2026-06-30

        --also QUERY asks the same in other words, and the scores vote. --surface all searches memory, chats and files
        each by itself and merges what they find.

        `-o NAME`, or `NAME <<` in front, assigns the result and shows it; with --quiet it is only assigned. --widget
        adds a search box below it, for the time that the kernel runs.

            %%memo_search -o found --kind note --since 2026-06
            why does the flow lose ESS near kappa_c -tutorial
        """
        with _one_line():
            asked = options.parse(line if cell is None else options.without_comment(line), manual.SEARCH)
            text = self._text(asked, cell)
            given = manual.asked(asked.given)
            response = self.engine.search(text, **{"limit": self.limit, "mode": self.mode, **given})
            response = self._answered(response, asked, _late(asked.rest))
            if "widget" in asked.given and "quiet" not in asked.given:
                self._below(self.engine.widget(text, ask=False, **given))
            return self._give(response, asked)

    @no_var_expand
    @line_cell_magic
    def memo(self, line: str, cell: str | None = None) -> Any:
        """Questions to the last answer, and the state of the store: %memo explain 2, %memo status, %memo help. The cell
        forms are %%memo similar, with a text below it, and %%memo context, with a question."""
        with _one_line():
            name, tail = (*line.split(None, 1), "", "")[:2]
            if name == "similar":
                return self._similar(tail, cell)
            if name == "context":
                return self._context(tail, cell)
            if cell is not None:
                forms = "%%memo similar or %%memo context"
                raise UsageError(f"%%memo {name} takes no text below it. Write %memo {name}, or {forms}")
            if name == "widget":
                return self.engine.widget(options.expand(tail.strip(), self._variables))
            about = questions.VERBS.get(name) or comparing.VERBS.get(name) or keeping.VERBS.get(name)
            if about is not None:
                tail = tail if name in ("why_not", "compare") else options.without_comment(tail)
                asked = questions.Asked(engine=self.engine, last=self._last, variables=self._variables)
                return about(asked, tail)
            verb, *rest = options.parse(options.without_comment(line), (), anywhere=True).words or ("",)
            if verb and verb not in manual.VERBS:
                raise UsageError(
                    f"%memo {verb}: no such verb.{options.near(verb, manual.VERBS)} Verbs: {', '.join(manual.VERBS)}"
                )
            if rest and verb != "open":
                raise UsageError(f"%memo {verb} takes nothing behind it, but {' '.join(rest)!r} was given")
            return self._open(rest) if verb == "open" else getattr(self, f"_{verb or 'overview'}")()

    def _similar(self, line: str, cell: str | None) -> SearchResponse | None:
        """%memo similar [TARGET] and %%memo similar."""
        asked = questions.around_target(line if cell is None else options.without_comment(line))
        given = manual.asked(asked.given)
        questioner = questions.Asked(engine=self.engine, last=self._last, variables=self._variables)
        target = questions.target(questioner, asked.rest, cell, given.pop("of", None), lambda: cells.around(self.shell))
        response = self.engine.similar(target, **{"limit": self.limit, "mode": self.mode, **given})
        return self._give(self._answered(response, asked, () if cell else _late(asked.rest)), asked)

    def _context(self, line: str, cell: str | None) -> PromptContext | None:
        """%memo context QUERY and %%memo context."""
        asked = options.parse(line if cell is None else options.without_comment(line), manual.VERB_OPTIONS["context"])
        made = self.engine.context(self._text(asked, cell), **{"mode": self.mode, **manual.asked(asked.given)})
        response = self._answered(made.response, asked, () if cell else _late(asked.rest))
        return self._give(dataclasses.replace(made, response=response), asked)

    def _text(self, asked: options.Parsed, cell: str | None) -> str:
        """The query: the rest of the line, or the cell. Raises UsageError where a cell's line holds more than
        options."""
        if cell is not None and asked.rest:
            raise UsageError(f"the magic line takes options only, but {asked.rest!r} is none. Write the query below it")
        return options.expand(asked.rest if cell is None else cell.strip("\r\n"), self._variables)

    def _answered(self, response: SearchResponse, asked: options.Parsed, hints: tuple[str, ...]) -> SearchResponse:
        """The response as it is to be shown, kept as the last one."""
        if hints or "explain" in asked.given:
            response = dataclasses.replace(response, hints=(*response.hints, *hints), open_why="explain" in asked.given)
        if "share" in asked.given:
            response = response.shared(asked.given["share"])
        self._last = response
        return response

    def _overview(self) -> display.Note:
        return display.Note(f"{manual.overview()}\n\n{state.status_plain(self.engine.status())}")

    def _help(self) -> display.Note:
        return display.Note(manual.overview())

    def _status(self) -> Status:
        return self.engine.status()

    def _doctor(self) -> display.Checks:
        from jupyter_memo import config
        from jupyter_memo.jupyter import surroundings

        engine, embedder = self.engine, self.embedder or config.load().embedder
        return display.Checks((*engine.doctor(), *surroundings.of_kernel(store=engine.path, embedder=embedder)))

    def _backfill(self) -> display.Note:
        with bar("embedding", "passages") as progress:
            done = self.engine.backfill(progress=progress)
        return display.Note(f"{numbers.count(done)} passages embedded." if done else "No passage waits for a vector.")

    def _open(self, rest: list[str]) -> Status:
        if len(rest) != 1:
            raise UsageError("name one folder or URL: %memo open PATH")
        before = self.store
        self.store = options.expand(rest[0], self._variables)
        try:
            return self.engine.status()
        except BaseException:
            self.store = before
            raise

    def _below(self, widget: SearchWidget) -> None:
        """Show a widget when the cell is over. An output of its own, below the list: one that held both would show
        neither once the kernel is gone."""
        if self.shell is None:
            return
        events = self.shell.events

        def show(_result: Any) -> None:
            events.unregister("post_run_cell", show)
            publish(widget)  # type: ignore[no-untyped-call]

        events.register("post_run_cell", show)

    def _give(self, result: T, asked: options.Parsed) -> T | None:
        """Assign the result where a name was given, and return it to be shown unless --quiet."""
        name = asked.given.get("out") or asked.target
        if name:
            self._variables[name] = result
        return None if "quiet" in asked.given else result


def _late(text: str) -> tuple[str, ...]:
    """A remark for a line whose query seems to hold an option."""
    known = {flag for option in manual.SEARCH for flag in option.flags if flag.startswith("--")}
    found = next((word for word in text.split() if word.partition("=")[0] in known), None)
    return (f"{found} was searched for as a word; options stand in front of the query.",) if found else ()


@contextlib.contextmanager
def _one_line() -> Iterator[None]:
    """Turn what the package raises on purpose into one line. UsageError itself: IPython prints subclasses in full."""
    try:
        yield
    except MemoError as error:
        raise UsageError(" ".join(str(error).split())) from None
