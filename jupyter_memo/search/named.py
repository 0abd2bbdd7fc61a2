"""The passages that a name stands for: a passage's id, a source's uri, a section `uri#Heading`, a passage `uri#id`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from jupyter_memo.errors import QueryError
from jupyter_memo.records import Passage
from jupyter_memo.response import Result
from jupyter_memo.store import filters
from jupyter_memo.store.lance import Store
from jupyter_memo.store.tables import Row

LONGEST = 1_000
"""No name has more characters; what has is a text."""

MOST_PASSAGES = 200
"""Of a source so many passages speak for it, the first ones."""

NEAR = 5

_ID = re.compile(r"[0-9a-f]{32}")
_MARKED = re.compile(r" {0,3}#{1,6}[ \t]+(\S.*?)(?:[ \t]#*)?[ \t]*")
_UNDER = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}[ \t]*")
"""What stands below a heading in Markdown and reStructuredText."""

SHORT_ID = 8
"""Characters of an id that tell a passage from the others of its source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The live passages of a name, in the order of their source; `whole` where it is the name of a source."""

    rows: tuple[Row, ...] = ()
    whole: bool = False


def meant(target: object) -> str | Passage:
    """A target of `Memo.similar`: a text or name, or a passage. Raises QueryError for anything else."""
    if isinstance(target, Result):
        return target.passage
    if isinstance(target, Passage):
        return target
    if not isinstance(target, str | PurePath):
        kind = type(target).__name__
        raise QueryError(f"the target is a {kind}. Give a result, the id of a passage, a uri or path, or a text")
    if not str(target).strip():
        raise QueryError("the target is empty. Give a result, the id of a passage, a uri or path, or a text")
    return str(target)


async def find(store: Store, name: str, open_runs: Sequence[str] = ()) -> Named:
    """The passages of that name; none where there is nothing of that name or all of it was forgotten. `open_runs` are
    those of the snapshot: what they have ended lives until they are committed.

    Of what was edited or removed since, the last text counts where a passage is named by its id."""
    if len(name) > LONGEST or "\n" in name or not name.strip():
        return Named()
    name = name.strip()
    uri, mark, part = name.rpartition("#")
    part = part.strip()
    uris = [name, uri] if mark and uri and part else [name]
    condition = f"{filters.any_of('id', (name,))} or ({filters.any_of('uri', uris)} and {filters.current(open_runs)})"
    rows = [row for row in await store.lives(condition, 10 * MOST_PASSAGES) if row.passage.forgotten_at is None]
    by_id = sorted((row for row in rows if row.passage.id == name), key=_age)
    if by_id:
        return Named(rows=(by_id[-1],))
    live = sorted((row for row in rows if row.passage.superseded_at is None), key=_place)
    whole = [row for row in live if row.passage.uri == name]
    if whole:
        return Named(rows=tuple(whole[:MOST_PASSAGES]), whole=True)
    parts = [row for row in live if row.passage.id in standing] if (standing := _ids(live, part)) else []
    if not parts and len(part) >= SHORT_ID:
        parts = [row for row in live if row.passage.id.startswith(part)]
    return Named(rows=tuple(parts[:MOST_PASSAGES]))


async def name_of(store: Store, target: str | Passage) -> str:
    """The name of one passage as a person reads it: `uri#Heading` where that means it alone, else `uri#id`. Of a text:
    that of the passage whose id it is, else itself."""
    if isinstance(target, str):
        rows = (await find(store, target)).rows if _ID.fullmatch(target) else ()
        if not rows:
            return target
        target = rows[0].passage
    passage = target
    short = f"{passage.uri}#{passage.id[:SHORT_ID]}"
    for name in (f"{passage.uri}#{passage.title}", short) if passage.header else (short,):
        rows = (await find(store, name)).rows
        if [row.passage.id for row in rows] == [passage.id]:
            return name
    return passage.id


def near(wanted: str, uris: Sequence[str]) -> tuple[str, ...]:
    """The uris most like a name: those with the same last part first, then those that are spelt like it."""
    last = wanted.rstrip("/").rsplit("/", 1)[-1].lower()
    same = [uri for uri in uris if uri.rsplit("/", 1)[-1].lower() == last]
    names = {uri.rsplit("/", 1)[-1].lower(): uri for uri in reversed(uris)}
    spelt = [names[name] for name in difflib.get_close_matches(last, names, n=NEAR)]
    return tuple(dict.fromkeys((*same, *difflib.get_close_matches(wanted, uris, n=NEAR), *spelt)))[:NEAR]


def under(passages: Iterable[Passage], heading: str) -> list[Passage]:
    """The passages under a heading, spelt as it is or as the anchor of a link: those with it in their breadcrumb; where
    none has, those it stands in, which short sections were joined to."""
    wanted = _slug(heading)
    if not wanted:
        return []
    passages = tuple(passages)
    found = [each for each in passages if any(_slug(title) == wanted for title in each.header)]
    return found or [each for each in passages if any(_slug(title) == wanted for title in _within(each, True))]


def headings(passages: Iterable[Passage]) -> tuple[str, ...]:
    """The headings that passages have in their breadcrumb or in their text."""
    found = (title for each in passages for title in (*each.header, *_within(each, False)))
    return tuple(dict.fromkeys(line for title in found if (line := " ".join(title.split()))))


def near_heading(wanted: str, titles: Sequence[str]) -> str:
    """The heading most like the one that is wanted; empty where none is."""
    slugs = {_slug(title): title for title in reversed(titles)}
    found = difflib.get_close_matches(_slug(wanted), slugs, n=1, cutoff=0.4)
    return slugs[found[0]] if found else ""


def _within(passage: Passage, bare: bool) -> Iterator[str]:
    """The headings in a text: lines marked as one, and where `bare`, whatever stands in a line by itself (the heading
    of a web page, which has no mark)."""
    if passage.code:
        return
    lines = ["", *passage.text.split("\n"), ""]
    fenced = False
    for number in range(1, len(lines) - 1):
        line, after = lines[number], lines[number + 1]
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if fenced or not line.strip():
            continue
        if marked := _MARKED.fullmatch(line):
            yield marked[1]
            continue
        above = _UNDER.fullmatch(after) and not _UNDER.fullmatch(line)
        alone = bare and not lines[number - 1].strip() and not after.strip()
        if above or alone:
            yield line.strip()


def _ids(rows: Sequence[Row], heading: str) -> frozenset[str]:
    return frozenset(each.id for each in under((row.passage for row in rows), heading))


def _slug(text: str) -> str:
    return re.sub(r"\W+", "-", text.casefold()).strip("-")


def _age(row: Row) -> tuple[bool, object]:
    return row.passage.superseded_at is None, row.passage.recorded_at


def _place(row: Row) -> tuple[int, ...]:
    span = row.passage.span
    return tuple(place if place is not None else -1 for place in (span.page, span.turn, span.cell, span.start_line))
