"""What is like something: a query whose words and vector come from a passage, a source or a text instead of a question.

Everything after the plan is a search like any other: the same arms, fusion and stages. The words that are looked for
are the gist of the text (`text.gist`), the vector is the stored one; of several passages, their mean direction. A text
that no passage stands for is taken verbatim: no quote, dash or colon in it is a command.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from jupyter_memo.query import Query
from jupyter_memo.ranking.stage import Candidates
from jupyter_memo.search import named
from jupyter_memo.search.arms import Found, Meaning
from jupyter_memo.store import filters
from jupyter_memo.store.lance import Snapshot, Store
from jupyter_memo.store.tables import Row, cosine
from jupyter_memo.text import gist as gists
from jupyter_memo.text import plan as planner
from jupyter_memo.text.fields import FIELDS
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.terms import passage_terms

ITSELF = "not itself"
"""The name of the filter that leaves out what was named."""

_NAME = re.compile(r"\S*[/\\#]\S+|\S+\.[A-Za-z]\w{0,5}|[0-9a-f]{32}")
"""One word that reads like a path, a section or an id."""

_FIELD = re.compile(rf"\s(?:{'|'.join(FIELDS)}):\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Like:
    """What a query is to be like: the live passages that it names, none for a text; `whole` where they are all of
    their source. `gist` is what of it is looked for."""

    text: str
    rows: tuple[Row, ...] = ()
    whole: bool = False
    gist: gists.Gist

    @property
    def described(self) -> str:
        """What it is, in a few words."""
        if not self.rows:
            return f"a text of {len(self.text):,} characters"
        uri = self.rows[0].passage.uri
        if self.whole:
            return f"all of {uri}, {len(self.rows)} {'passage' if len(self.rows) == 1 else 'passages'}"
        return f"{len(self.rows)} passages of {uri}" if len(self.rows) > 1 else f"one passage of {uri}"


async def like(store: Store, query: Query, target: str, snapshot: Snapshot, now: datetime) -> tuple[Like, QueryPlan]:
    """What `target` means, and the plan of a search for what is like it. Behind a name, not in a text, fields may
    stand: `notes/a.md kind:code`. Raises QueryError for a malformed one."""
    found = await named.find(store, target, snapshot.open_runs)
    fields = QueryPlan(text="")
    if not found.rows and (behind := _FIELD.search(target)) and "\n" not in target:
        before = await named.find(store, target[: behind.start()], snapshot.open_runs)
        typed = planner.plan(target[behind.start() :], now=now) if before.rows else fields
        if typed.fields and not typed.words:
            found, fields = before, typed
    rows, hints = found.rows, list(fields.hints)
    text = "\n\n".join(map(_said, rows)) if rows else target
    if not rows and _NAME.fullmatch(target.strip()):
        hints.append(await _unknown(store, target.strip()))
    terms = gists.terms(text)
    counts = await store.statistics(tuple(term.name for term in terms), snapshot.open_runs)
    own = Counter(term for row in rows for term in passage_terms(row.lex, row.ident, row.cjk))
    gist = gists.gist(terms, counts.passages, counts.frequencies, own)
    plan = QueryPlan(
        text=query.text,
        words=gist.words,
        semantic=gists.opening(text),
        identifiers=gist.names,
        scope=fields.scope,
        fields=fields.fields,
        hints=tuple(hints),
    )
    return Like(text=text, rows=rows, whole=found.whole, gist=gist), plan


def apart(wanted: Like) -> tuple[filters.Predicate, ...]:
    """The condition that leaves out what was named itself: that passage, all of that section, all of that source."""
    if not wanted.rows:
        return ()
    if wanted.whole:
        sources = sorted({row.passage.source_id for row in wanted.rows})
        sql = f"not ({filters.any_of('source_id', sources)})"
    else:
        sql = f"not ({filters.any_of('id', sorted(row.passage.id for row in wanted.rows))})"
    return (filters.Predicate(name=ITSELF, sql=sql),)


async def meaning(store: Store, wanted: Like, means: Meaning) -> Meaning:
    """What the semantic arm works with: the stored vectors of what was named, where it has any of this model."""
    if means.key is None or not wanted.rows:
        return means
    held = await store.fetch([row.passage.id for row in wanted.rows], means.key)
    vectors = [row.vector for row in held.values() if row.vector is not None and np.any(row.vector)]
    if not vectors:
        return means
    direction = means.like(np.stack(vectors))
    return means if direction is None else dataclasses.replace(means, encode=_known(direction))


def measured(candidates: Candidates, rows: Mapping[str, Row], found: Found) -> Candidates:
    """The same candidates with the cosine of those that no list of meaning held, where their vectors were fetched."""
    if found.vector is None or found.key is None:
        return candidates
    vector, key = found.vector, found.key
    return tuple(
        each
        if each.relevance is not None
        else dataclasses.replace(each, relevance=cosine(rows[each.id].vector, vector, key))
        for each in candidates
    )


def describe(wanted: Like) -> str:
    """The plan in words."""
    gist = wanted.gist
    count = len(gist.words.split()) + len(gist.names)
    shown = " ".join((*gist.words.split(), *gist.names))
    chosen = f"the {count} of its {gist.of} words and names that are rarest here" if count < gist.of else "its words"
    return f"like {wanted.described}: {chosen}: {shown}" if count else f"like {wanted.described}: none of its words"


def _said(row: Row) -> str:
    return "\n".join((*row.passage.header, row.passage.text))


def _known(vector: np.ndarray) -> Callable[[str], Awaitable[np.ndarray]]:
    async def encode(_text: str) -> np.ndarray:
        return vector

    return encode


async def _unknown(store: Store, target: str) -> str:
    live = sorted(source.uri for source in await store.sources() if source.removed_at is None)
    near = named.near(target.partition("#")[0], live)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"Nothing in the index is called {target}, so it was taken as a text.{meant}"
