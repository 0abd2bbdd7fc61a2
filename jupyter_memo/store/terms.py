"""Document frequencies of the live passages, kept as they change: the statistics that evidence fusion counts by.

LanceDB's own counts hold superseded rows until they are rewritten and shift under filters; these do not. A row is one
change: `delta` passages more (or fewer) hold `term` since the run `run_id`. A count is the sum over committed runs, so
writing is appending, a run that never commits never counts, and several writers need no read before they write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc
from lancedb.index import BTree
from lancedb.table import AsyncTable

from jupyter_memo.store import filters
from jupyter_memo.store.tables import Row
from jupyter_memo.text.terms import passage_length, passage_terms

TERMS = pa.schema(
    [
        pa.field("term", pa.string(), nullable=False),
        ("delta", pa.int64()),
        pa.field("run_id", pa.string(), nullable=False),
    ]
)

PASSAGES, LENGTH = "#passages", "#length"
"""Two names no term has: how many passages are live, and the sum of their lengths in terms."""

SUMMED = ""
"""The run of rows that sum up earlier ones."""

SUMMED_ROWS = 500_000
"""So many changes are counted in at once: some 20 MB."""

_SUMS = pa.schema([TERMS.field("term"), TERMS.field("delta")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Live passages, the sum of their lengths in terms, and in how many of them each asked term stands."""

    passages: int = 0
    length: int = 0
    frequencies: dict[str, int] = field(default_factory=dict)


async def tally(table: AsyncTable, added: Sequence[Row], dropped: Sequence[Row], run_id: str) -> None:
    """Count rows that a run adds and rows that it ends."""
    changes = count(added)
    changes.subtract(count(dropped))
    await _append(table, changes, run_id)


Known = dict[str, int]
"""Counts that were looked up, of one state of the table, 0 where a term stands nowhere."""

MOST_KNOWN = 20_000
"""So many counts are kept between searches: some 2 MB."""


async def statistics(table: AsyncTable, names: Sequence[str], open_runs: Sequence[str], known: Known) -> Counts:
    """The counts of these terms; a term that stands nowhere is left out. What is `known` already is not looked up, and
    what was looked up is."""
    every = (PASSAGES, LENGTH, *names)
    missing = [name for name in dict.fromkeys(every) if name not in known]
    found: Counter[str] = Counter(dict.fromkeys(missing, 0))
    if missing:
        wanted = f"{filters.any_of('term', missing)} and {filters.committed(open_runs)}"
        rows = await table.query().where(wanted).select(["term", "delta"]).to_arrow()
        for term, delta in zip(rows["term"].to_pylist(), rows["delta"].to_pylist(), strict=True):
            found[term] += delta
    counts = {name: found[name] if name in found else known[name] for name in every}
    if len(known) + len(found) > MOST_KNOWN:
        known.clear()
    known.update(found)
    passages, length = counts.pop(PASSAGES), counts.pop(LENGTH)
    return Counts(
        passages=passages, length=length, frequencies={term: held for term, held in counts.items() if held > 0}
    )


async def beginning(table: AsyncTable, prefix: str, open_runs: Sequence[str]) -> dict[str, int]:
    """The counts of all terms that begin so; those that stand nowhere are left out."""
    following = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    within = f"term >= {filters.quote(prefix)} and term < {filters.quote(following)}"
    rows = (
        await table.query().where(f"{within} and {filters.committed(open_runs)}").select(["term", "delta"]).to_arrow()
    )
    sums = _summed(_SUMS.empty_table(), rows.to_batches())
    return {term: held for term, held in zip(*sums.to_pydict().values(), strict=True) if held > 0}


async def sum_up(table: AsyncTable) -> None:
    """Replace all changes by one row a term, in one commit. Runs under the write lock, when no run is open.

    Holds the terms and at most as many changes again, not every change that was ever written."""
    sums, waiting, rows = _SUMS.empty_table(), list[pa.RecordBatch](), 0
    async for batch in await table.query().select(["term", "delta"]).to_batches():
        waiting.append(batch)
        rows += len(batch)
        if rows >= max(SUMMED_ROWS, len(sums)):
            sums, waiting, rows = _summed(sums, waiting), [], 0
    sums = _summed(sums, waiting)
    sums = sums.filter(pc.greater(sums["delta"], 0))
    await table.add(_table(sums["term"], sums["delta"], SUMMED), mode="overwrite")
    await ensure_index(table)


def _summed(sums: pa.Table, changes: Sequence[pa.RecordBatch]) -> pa.Table:
    """The sums with these changes counted in."""
    every = pa.concat_tables([sums, pa.Table.from_batches([batch.select(_SUMS.names) for batch in changes], _SUMS)])
    return every.group_by("term").aggregate([("delta", "sum")]).rename_columns(_SUMS.names).cast(_SUMS)


def count(rows: Sequence[Row]) -> Counter[str]:
    """In how many of these rows each term stands, with the two sums."""
    found: Counter[str] = Counter()
    for row in rows:
        found.update(passage_terms(row.lex, row.ident, row.cjk))
        found[LENGTH] += passage_length(row.lex, row.cjk)
    if rows:
        found[PASSAGES] += len(rows)
    return found


async def _append(table: AsyncTable, changes: Counter[str], run_id: str) -> None:
    kept = {term: delta for term, delta in changes.items() if delta}
    if kept:
        await table.add(_table(pa.array(list(kept), pa.string()), pa.array(list(kept.values()), pa.int64()), run_id))


async def ensure_index(table: AsyncTable) -> None:
    """The index a look-up of a few terms among many goes by."""
    await table.create_index("term", config=BTree(), replace=True)


def _table(terms: pa.Array, deltas: pa.Array, run_id: str) -> pa.Table:
    return pa.table([terms, deltas, pa.array([run_id] * len(terms), pa.string())], schema=TERMS)
