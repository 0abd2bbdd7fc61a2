"""Rows by the values of one indexed column, a few values at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence

import pyarrow as pa
from lancedb.table import AsyncTable

from jupyter_memo.store import filters

AT_ONCE, PARTS = 50, 8
"""Values in one query: so many, or of a long list, which is sorted, an eighth. LanceDB holds the page of the index of
every value at once, 4,096 rows each, and ids are spread over all of them: in a store of 440,000 passages 1,000 values
took 36 MB, and ever more in a larger one. An eighth of them took 6 MB at a time, and the whole as long as before."""


async def found(
    table: AsyncTable,
    column: str,
    values: Iterable[str],
    *,
    condition: str = "true",
    select: Sequence[str] | None = None,
) -> AsyncIterator[pa.Table]:
    """The rows with these values that fulfil a condition, in several tables. `select` are the columns, all where it is
    None."""
    each = sorted(set(values))
    size = max(AT_ONCE, -(-len(each) // PARTS))
    for start in range(0, len(each), size):
        query = table.query().where(f"{filters.any_of(column, each[start : start + size])} and ({condition})")
        yield await (query if select is None else query.select(list(select))).to_arrow()
