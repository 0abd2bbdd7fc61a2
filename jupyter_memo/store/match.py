"""How the arms find passages in a table: by words, by literal tokens, by meaning, by age.

Filters, phrases and exclusions hold before the best are picked, so an arm under a filter returns what filtering its
whole ranking would. Scores are rounded to 1e-5 and equal scores are ordered by id, over the whole tie and not only
its part that the library happened to return, so the same table gives the same list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from lancedb.query import BooleanQuery, FullTextQuery, Occur
from lancedb.table import AsyncTable

from jupyter_memo.store import filters, phrases
from jupyter_memo.store.indexes import CJK, FLAT_ROWS, IDENT, LEX, has_index
from jupyter_memo.store.tables import Vector, utf8, vector_matrix
from jupyter_memo.text.plan import QueryPlan
from jupyter_memo.text.words import cjk_terms, ident_terms, stems

Hits = list[tuple[str, float]]

DIGITS = 5
SPARE = 16
"""Asked for beyond the depth, so that most ties at its end are seen whole at once."""

GROWTH = 4

VARIANT_BOOST = 0.8
"""What BM25 of another spelling counts for, against 1 for the word as it was typed."""

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


async def keyword(table: AsyncTable, plan: QueryPlan, where: str, depth: int) -> Hits:
    """Passages by BM25 over stems, and over characters and bigrams for the scripts without spaces."""
    words = utf8(plan.words)
    parts: list[FullTextQuery] = []
    if spoken := stems(words):
        parts.append(phrases.any_word(" ".join(spoken), LEX))
    others = dict.fromkeys(other for _, spelt in plan.variants for other in spelt)
    if alike := " ".join(other for other in others if " " not in other):
        parts.append(phrases.any_word(alike, LEX, boost=VARIANT_BOOST))
    parts += (phrases.adjacent(other, LEX) for other in others if " " in other)
    if characters := cjk_terms(words):
        parts.append(phrases.any_word(" ".join(characters), CJK))
    if not parts:
        return []
    core = parts[0] if len(parts) == 1 else BooleanQuery([(Occur.SHOULD, part) for part in parts])
    return await _by_text(table, _with_clauses(core, plan), phrases.with_literals(where, plan), depth)


async def exact(table: AsyncTable, plan: QueryPlan, where: str, depth: int) -> Hits:
    """Passages by BM25 over literal tokens. Those that hold a token as such come before those that hold it only
    inside a longer chain, whatever the scores of the two: rarity must not lift a part above a whole."""
    terms = [ident_terms(utf8(name)) for name in dict.fromkeys(plan.identifiers) if name and not name.isspace()]
    if not terms:
        return []
    where = phrases.with_literals(where, plan)
    whole = phrases.any_word(" ".join(name for name, _ in terms), IDENT)
    hits = await _by_text(table, _with_clauses(whole, plan), where, depth)
    if len(hits) >= depth:
        return hits
    inside = phrases.any_word(" ".join(part for _, part in terms), IDENT)
    known = {id for id, _ in hits}
    more = await _by_text(table, _with_clauses(inside, plan), where, depth + len(hits))
    more = [(id, score) for id, score in more if id not in known][: depth - len(hits)]
    if not more:
        return hits
    scale = INSIDE_BOOST
    if hits:
        scale = min(scale, hits[-1][1] / (2 * more[0][1]))
    return hits + [(id, round(score * scale, DIGITS)) for id, score in more]


async def semantic(table: AsyncTable, column: str, vector: Vector, plan: QueryPlan, where: str, depth: int) -> Hits:
    """Passages by cosine, computed from the stored vectors: by the mean of two where these are means of two. Exact up
    to FLAT_ROWS rows, and wherever a filter leaves few; above, through the index."""
    query = np.asarray(vector, dtype=np.float32).reshape(-1)
    length = float(np.linalg.norm(query))
    if not np.isfinite(length) or length == 0:
        return []
    query = query / length
    where, keep = await _sieve(table, plan, phrases.with_literals(where, plan))
    indexed = await table.count_rows() > FLAT_ROWS and await has_index(table, column)
    approximate = indexed and await table.count_rows(where) > BYPASS_ROWS

    async def find(limit: int) -> Found:
        search = table.query().nearest_to(query).column(column).distance_type("dot").where(where)
        search = search.nprobes(PROBES).refine_factor(REFINE) if approximate else search.bypass_vector_index()
        # Unless it is selected, the library warns that the distance is missing.
        found = await search.select(["id", column, "_distance"]).limit(limit).to_arrow()
        return _cosines(found, column, query, keep)

    return await _best(find, depth, COSINE_SLACK)


async def newest(table: AsyncTable, plan: QueryPlan | None, where: str, limit: int, offset: int) -> list[str]:
    """Ids of all passages under the filter, phrases and exclusions of the plan included, the newest first."""
    keep: Callable[[str], bool] | None = None
    if plan is not None:
        where, keep = await _sieve(table, plan, phrases.with_literals(where, plan))
    found = await table.query().where(where).select(["id", "created_at"]).to_arrow()
    ids: list[str] = found.sort_by([("created_at", "descending"), ("id", "ascending")])["id"].to_pylist()
    if keep is not None:
        ids = [id for id in ids if keep(id)]
    return ids[offset : offset + limit]


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
            where = f"({where}) and {filters.any_of('id', sorted(wanted))}"
        else:
            tests.append(wanted.__contains__)
    if banned := phrases.banned(plan):
        unwanted = await _matches(table, BooleanQuery([(Occur.SHOULD, clause) for clause in banned]), scope)
        if len(unwanted) > LISTED_IDS:
            tests.append(lambda id: id not in unwanted)
        elif unwanted:
            where = f"({where}) and not ({filters.any_of('id', sorted(unwanted))})"
    return where, (lambda id: all(test(id) for test in tests)) if tests else None


async def _matches(table: AsyncTable, query: FullTextQuery, where: str) -> set[str]:
    rows = max(1, await table.count_rows())
    found = await table.query().nearest_to_text(query).where(where).select(["id", "_score"]).limit(rows).to_arrow()
    return set(found["id"].to_pylist())


async def _by_text(table: AsyncTable, query: FullTextQuery, where: str, depth: int) -> Hits:
    async def find(limit: int) -> Found:
        search = table.query().nearest_to_text(query).where(where)
        found = await search.select(["id", "_score"]).limit(limit).to_arrow()
        scores = found["_score"].to_pylist()
        return Found(list(zip(found["id"].to_pylist(), scores, strict=True)), len(scores), min(scores, default=0.0))

    return await _best(find, depth, 0.0)


def _cosines(found: pa.Table, column: str, query: Vector, keep: Callable[[str], bool] | None) -> Found:
    rows, there = vector_matrix(found[column])
    there &= rows.any(axis=1)
    cosines = rows @ query
    hits = [
        (id, float(cosine))
        for id, cosine, present in zip(found["id"].to_pylist(), cosines, there, strict=True)
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
