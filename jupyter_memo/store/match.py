"""How the arms find passages in a table: by words, by literal tokens, by meaning, by age.

Filters, phrases and exclusions hold before the best are picked, so an arm under a filter returns what filtering its
whole ranking would. Scores are rounded to 1e-5 and equal scores are ordered by id, over the whole tie and not only
its part that the library happened to return, so the same table gives the same list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from lancedb.query import AsyncStandardQuery, BooleanQuery, FullTextQuery, Occur
from lancedb.table import AsyncTable

from jupyter_memo.store import filters, phrases
from jupyter_memo.store.indexes import CJK, FLAT_ROWS, IDENT, LEX, has_index
from jupyter_memo.store.seen import Seen
from jupyter_memo.store.tables import PLACE, ModelKey, Vector, bounded, utf8, vector_matrix
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.words import cjk_terms, ident_terms, stems

Hits = list[tuple[str, float]]

Q = TypeVar("Q", bound=AsyncStandardQuery)

NONE_KNOWN: Mapping[str, float] = MappingProxyType({})

DIGITS = 5
SPARE = 16
"""Asked for beyond the depth, so that most ties at its end are seen whole at once."""

GROWTH = 4

VARIANT_TIMES, TYPED_TIMES = 4, 5
VARIANT_BOOST = VARIANT_TIMES / TYPED_TIMES
"""What BM25 of another spelling counts for, against 1 for the word as it was typed: .8, as a ratio of whole numbers."""

LONG_WORDS = 50
"""From so many words on, those of the query are searched once in a large table, and the few passages with other
spellings are looked up apart: `TYPED_TIMES` as many words cost as many times as much (246 words: 290 ms for 90)."""

INSIDE_BOOST = 0.05
"""What BM25 of a token inside a longer chain counts for, against 1 for the token itself."""

LISTED_IDS = 1000
"""Up to so many ids stand in a filter; more are sifted out of longer lists."""

BYPASS_ROWS = 10_000
"""A filter that leaves so few rows is searched exactly: faster than the vector index, and nothing is missed."""

PROBES = 50
REFINE = 5
"""Lists of the vector index that are read, and how many times the depth is compared exactly (recall@10 .99 and
more)."""

COSINE_SLACK = 2e-4
"""By how much LanceDB's half-precision product may differ from the cosine computed here."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one query gave: hits that passed, how many rows it saw, and a bound for the score of those it did not
    see."""

    hits: Hits
    seen: int
    bound: float


@dataclass(frozen=True, slots=True)
class Rows:
    """The passages of one version, or of the newest where that is None, what was counted of them before, and at which
    row those stand that were found (-1: at several)."""

    table: AsyncTable
    seen: Seen
    version: int | None
    places: dict[str, int] = field(default_factory=dict)

    async def count(self, where: str) -> int:
        """How many fulfil a condition."""
        if self.version is None:
            return int(await self.table.count_rows(where))
        return await self.seen.count(self.table, self.version, where)

    def noted(self, found: pa.Table) -> list[str]:
        """The ids of what was found, with their rows remembered."""
        ids: list[str] = found["id"].to_pylist()
        for id, row in zip(ids, found["_rowid"].to_pylist(), strict=True):
            if self.places.setdefault(id, row) != row:
                self.places[id] = -1
        return ids

    async def indexed(self, column: str) -> bool:
        """Whether a column has an index."""
        if self.version is None:
            return await has_index(self.table, column)
        return await self.seen.once(self.version, f"index {column}", lambda: has_index(self.table, column))


async def keyword(rows: Rows, plan: QueryPlan, where: str, depth: int) -> Hits:
    """Passages by BM25 over stems, and over characters and bigrams for the scripts without spaces."""
    words = utf8(plan.words)
    spoken, characters = stems(words), cjk_terms(words)
    others = dict.fromkeys(other for _, spelt in plan.variants for other in spelt)
    alike = tuple(other for other in others if " " not in other)
    joined = [phrases.adjacent(other, LEX) for other in others if " " in other]
    where = phrases.with_literals(where, plan)
    parts: list[FullTextQuery] = []
    if spoken:
        parts.append(phrases.any_word(" ".join(spoken), LEX))
    if alike:
        parts.append(phrases.any_word(" ".join(alike), LEX, boost=VARIANT_BOOST))
    if characters:
        parts.append(phrases.any_word(" ".join(characters), CJK))
    if not parts:
        return []
    every = _with_clauses(_any([*parts, *joined]), plan)
    if phrases.required(plan):  # their scores are added too
        return await _by_text(rows, every, where, depth)
    core, scale = _any(parts), 1.0
    large = len(spoken) >= LONG_WORDS and await rows.count(filters.EVERYTHING) > FLAT_ROWS
    if large and alike and not characters:
        typed, spelt = parts
        few = await _scores(rows.table, _with_clauses(_any([spelt, *joined]), plan), where, LISTED_IDS + 1)
        if len(few) <= LISTED_IDS:
            core = _with_clauses(typed, plan)
            return await _by_text(rows, core, where, depth, known=await _summed(rows, few, core, where))
    if spoken and alike and not characters:
        # One list of words is far quicker to search than two of which the scores are added. A word that stands in it
        # several times weighs as many times as much.
        core = phrases.any_word(" ".join(spoken * TYPED_TIMES + alike * VARIANT_TIMES), LEX)
        scale = 1 / TYPED_TIMES
    core = _with_clauses(core, plan)
    if not joined:
        return await _by_text(rows, core, where, depth, scale)
    few = await _scores(rows.table, _with_clauses(_any(joined), plan), where, LISTED_IDS + 1)
    if len(few) > LISTED_IDS:
        return await _by_text(rows, every, where, depth)
    return await _by_text(rows, core, where, depth, scale, await _summed(rows, few, core, where, scale))


async def _summed(
    rows: Rows, few: Mapping[str, float], core: FullTextQuery, where: str, scale: float = 1.0
) -> dict[str, float]:
    """The scores of these few rows with those that a query gives them, times `scale`: the sum of all rows costs many
    times as much."""
    within = filters.both(filters.any_of("id", few), where)
    held = await _scores(rows.table, core, within, len(few)) if few else {}
    return {id: score + scale * held.get(id, 0.0) for id, score in few.items()}


async def _scores(table: AsyncTable, query: FullTextQuery, where: str, limit: int) -> dict[str, float]:
    search = _under(table.query().nearest_to_text(query), where)
    found = await search.select(["id", "_score"]).limit(limit).to_arrow()
    return dict(zip(found["id"].to_pylist(), found["_score"].to_pylist(), strict=True))


def _any(parts: Iterable[FullTextQuery]) -> FullTextQuery:
    """Any of these; their scores are added."""
    clauses = [(Occur.SHOULD, part) for part in parts]
    return clauses[0][1] if len(clauses) == 1 else BooleanQuery(clauses)


def _under(query: Q, where: str) -> Q:
    """A query under a condition; to ask for one that every row fulfils is not free."""
    return query if where == filters.EVERYTHING else cast(Q, query.where(where))


async def exact(rows: Rows, plan: QueryPlan, where: str, depth: int) -> Hits:
    """Passages by BM25 over literal tokens. Those that hold a token as such come before those that hold it only
    inside a longer chain, whatever the scores of the two: rarity must not lift a part above a whole."""
    terms = [ident_terms(utf8(name)) for name in dict.fromkeys(plan.identifiers) if name and not name.isspace()]
    if not terms:
        return []
    where = phrases.with_literals(where, plan)
    whole = phrases.any_word(" ".join(name for name, _ in terms), IDENT)
    hits = await _by_text(rows, _with_clauses(whole, plan), where, depth)
    if len(hits) >= depth:
        return hits
    inside = phrases.any_word(" ".join(part for _, part in terms), IDENT)
    known = {id for id, _ in hits}
    more = await _by_text(rows, _with_clauses(inside, plan), where, depth + len(hits))
    more = [(id, score) for id, score in more if id not in known][: depth - len(hits)]
    if not more:
        return hits
    scale = INSIDE_BOOST
    if hits:
        scale = min(scale, hits[-1][1] / (2 * more[0][1]))
    return hits + [(id, round(score * scale, DIGITS)) for id, score in more]


async def semantic(rows: Rows, column: str, vector: Vector, plan: QueryPlan, where: str, depth: int) -> Hits:
    """Passages by cosine, computed from the stored vectors: by the mean of two where these are means of two. Exact up
    to FLAT_ROWS rows, and wherever a filter leaves few; above, through the index."""
    query = np.asarray(vector, dtype=np.float32).reshape(-1)
    length = float(np.linalg.norm(query))
    if not np.isfinite(length) or length == 0:
        return []
    query = query / length
    table = rows.table
    where, keep = await _sieve(table, plan, phrases.with_literals(where, plan))
    indexed = await rows.count(filters.EVERYTHING) > FLAT_ROWS and await rows.indexed(column)
    approximate = indexed and await rows.count(where) > BYPASS_ROWS

    async def find(limit: int) -> Found:
        search = _under(table.query().nearest_to(query).column(column).distance_type("dot"), where)
        search = search.nprobes(PROBES).refine_factor(REFINE) if approximate else search.bypass_vector_index()
        # Unless it is selected, the library warns that the distance is missing.
        found = await search.select(["id", column, "_distance"]).with_row_id().limit(limit).to_arrow()
        return _cosines(rows.noted(found), found, column, query, keep)

    return await _best(find, depth, COSINE_SLACK)


async def routed(
    rows: Rows, key: ModelKey, columns: Collection[str], vector: Vector, plan: QueryPlan, where: str, depth: int
) -> Hits:
    """Passages by the product with a vector that asks in several columns at once, each in its own place."""
    there = [part for part in key.parts if part.key.column in columns]
    held = [part for part in there if await rows.count(f"{part.key.column} is not null")]
    hits: Hits = []
    for part in held:
        length = float(np.linalg.norm(vector[part.place]))
        if length == 0:
            continue
        # A passage that has the vectors of a later way is judged by those.
        later = [each.key.column for each in held if each.way > part.way]
        scope = " and ".join((f"({where})", *(f"{column} is null" for column in later))) if later else where
        found = await semantic(rows, part.key.column, vector[part.place], plan, scope, depth)
        hits += ((id, bounded(cosine * length, length)) for id, cosine in found)
    return _ordered(hits)[:depth]


async def newest(table: AsyncTable, plan: QueryPlan | None, where: str, limit: int, offset: int) -> list[str]:
    """Ids of all passages under the filter, phrases and exclusions of the plan included, the newest first."""
    keep: Callable[[str], bool] | None = None
    if plan is not None:
        where, keep = await _sieve(table, plan, phrases.with_literals(where, plan))
    found = await _under(table.query(), where).select(["id", "created_at"]).to_arrow()
    ids: list[str] = found.sort_by([("created_at", "descending"), ("id", "ascending")])["id"].to_pylist()
    if keep is not None:
        ids = [id for id in ids if keep(id)]
    return ids[offset : offset + limit]


async def listing(table: AsyncTable, plan: QueryPlan, where: str, *, by_source: bool) -> list[str]:
    """The same as a reader would go through them: the newest first, what is as new by its source and its place there.
    With `by_source` the first of each source."""
    where, keep = await _sieve(table, plan, phrases.with_literals(where, plan))
    columns = ["id", "source_id", "created_at", "uri", *PLACE]
    found = await _under(table.query(), where).select(columns).to_arrow()
    keys = [("created_at", "descending"), *((name, "ascending") for name in ("uri", *PLACE, "id"))]
    found = found.take(pc.sort_indices(found, sort_keys=keys))
    listed: dict[str, str] = {}
    for id, source in zip(found["id"].to_pylist(), found["source_id"].to_pylist(), strict=True):
        if keep is None or keep(id):
            listed.setdefault(source if by_source else id, id)
    return list(listed.values())


def _with_clauses(core: FullTextQuery, plan: QueryPlan) -> FullTextQuery:
    """A query that also asks for the phrases and against the exclusions."""
    clauses = [(Occur.MUST, clause) for clause in phrases.required(plan)]
    clauses += [(Occur.MUST_NOT, clause) for clause in phrases.banned(plan)]
    return BooleanQuery([(Occur.MUST, core), *clauses]) if clauses else core


async def _sieve(table: AsyncTable, plan: QueryPlan, where: str) -> tuple[str, Callable[[str], bool] | None]:
    """Phrases and exclusions for a query that cannot ask for them: into the filter as ids where these are few, else
    as a test of each id."""
    tests: list[Callable[[str], bool]] = []
    scope = where
    if required := phrases.required(plan):
        wanted = await _matches(table, BooleanQuery([(Occur.MUST, clause) for clause in required]), scope)
        if len(wanted) <= LISTED_IDS:
            where = filters.both(where, filters.any_of("id", sorted(wanted)))
        else:
            tests.append(wanted.__contains__)
    if banned := phrases.banned(plan):
        unwanted = await _matches(table, BooleanQuery([(Occur.SHOULD, clause) for clause in banned]), scope)
        if len(unwanted) > LISTED_IDS:
            tests.append(lambda id: id not in unwanted)
        elif unwanted:
            where = filters.both(where, f"not ({filters.any_of('id', sorted(unwanted))})")
    return where, (lambda id: all(test(id) for test in tests)) if tests else None


async def _matches(table: AsyncTable, query: FullTextQuery, where: str) -> set[str]:
    rows = max(1, await table.count_rows())
    search = _under(table.query().nearest_to_text(query), where)
    found = await search.select(["id", "_score"]).limit(rows).to_arrow()
    return set(found["id"].to_pylist())


async def _by_text(
    rows: Rows,
    query: FullTextQuery,
    where: str,
    depth: int,
    scale: float = 1.0,
    known: Mapping[str, float] = NONE_KNOWN,
) -> Hits:
    """The best by a query, its scores times `scale`; what is `known` has that score instead, which is no lower."""

    async def find(limit: int) -> Found:
        # An id may stand there twice: of a passage that a run is about to replace both lives are counted.
        search = _under(rows.table.query().nearest_to_text(query), where)
        found = await search.select(["id", "_score"]).with_row_id().limit(limit).to_arrow()
        scores = [score * scale for score in found["_score"].to_pylist()]
        hits = list(zip(rows.noted(found), scores, strict=True))
        return Found([*hits, *known.items()], len(scores), min(scores, default=0.0))

    return await _best(find, depth, 0.0)


def _cosines(ids: list[str], found: pa.Table, column: str, query: Vector, keep: Callable[[str], bool] | None) -> Found:
    rows, there = vector_matrix(found[column])
    there &= rows.any(axis=1)
    cosines = rows @ query
    hits = [
        (id, float(cosine))
        for id, cosine, present in zip(ids, cosines, there, strict=True)
        if present and (keep is None or keep(id))
    ]
    return Found(hits, len(found), float(cosines[there].min(initial=1.0)))


async def _best(find: Callable[[int], Awaitable[Found]], depth: int, slack: float) -> Hits:
    """The best `depth` hits, asking for more until nothing unseen can be among them or equal to the last."""
    if depth < 1:
        return []
    limit = depth + SPARE
    while True:
        found = await find(limit)
        hits = _ordered(found.hits)
        full = found.seen < limit
        if full or (len(hits) >= depth and hits[depth - 1][1] > found.bound + slack + 10**-DIGITS):
            return hits[:depth]
        limit *= GROWTH


def _ordered(hits: Iterable[tuple[str, float]]) -> Hits:
    """Best first, ties by id; of an id that stands there twice, the better."""
    best: dict[str, float] = {}
    for id, score in hits:
        rounded = round(score, DIGITS)
        if rounded > best.get(id, float("-inf")):
            best[id] = rounded
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))
