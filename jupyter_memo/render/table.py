"""A response as an Arrow table or a data frame: one row a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_memo.errors import MissingExtraError
from jupyter_memo.render import location
from jupyter_memo.response import ARMS, Result, SearchResponse

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def to_arrow(response: SearchResponse) -> pa.Table:
    """One row a result, numbers raw. shape (results, 29 + 3 × arms).

    For each arm `{arm}_rank` (int, null where it did not find the passage), `{arm}_raw` and `{arm}_contribution`. The
    columns and their types are the same for every response, an empty one included.
    """
    import pyarrow as pa

    texts = ("band", "title", "uri", "where", "snippet", "text", "kind", "namespace", "library", "version", "lang")
    when = pa.timestamp("us", tz="UTC")
    fields: list[tuple[str, Any]] = [
        ("rank", pa.int64()),
        ("score", pa.float64()),
        ("relevance", pa.float64()),
        *((name, pa.string()) for name in texts),
        ("header", pa.list_(pa.string())),
        ("tags", pa.list_(pa.string())),
        ("trust", pa.int64()),
        ("start_line", pa.int64()),
        ("end_line", pa.int64()),
        ("cell", pa.int64()),
        ("page", pa.int64()),
        ("created_at", when),
        ("recorded_at", when),
        ("passage_id", pa.string()),
        ("fused", pa.float64()),
        ("rerank", pa.float64()),
        ("surface", pa.string()),
        ("native", pa.float64()),
        ("age_factor", pa.float64()),
    ]
    for arm in ARMS:
        fields += [(f"{arm}_rank", pa.int64()), (f"{arm}_raw", pa.float64()), (f"{arm}_contribution", pa.float64())]
    return pa.Table.from_pylist([_row(result) for result in response.results], schema=pa.schema(fields))


def to_pandas(response: SearchResponse) -> pd.DataFrame:
    """`to_arrow` as a data frame. Raises MissingExtraError without pandas."""
    try:
        import pandas  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("pandas", "pandas") from error
    frame: pd.DataFrame = to_arrow(response).to_pandas()
    return frame


def _row(result: Result) -> dict[str, Any]:
    passage, span, why = result.passage, result.passage.span, result.why
    row = {
        "rank": result.rank,
        "score": result.score,
        "relevance": result.relevance,
        "band": result.band,
        "title": location.heading(result),
        "uri": passage.uri,
        "where": location.whereabouts(result),
        "snippet": result.snippet,
        "text": passage.text,
        "kind": passage.kind,
        "namespace": passage.namespace,
        "library": passage.library,
        "version": passage.version,
        "lang": passage.lang,
        "header": list(passage.header),
        "tags": list(passage.tags),
        "trust": passage.trust,
        "start_line": span.start_line,
        "end_line": span.end_line,
        "cell": span.cell,
        "page": span.page,
        "created_at": passage.created_at,
        "recorded_at": passage.recorded_at,
        "passage_id": passage.id,
        "surface": passage.surface,
        "native": result.native,
    }
    if why is not None:
        row |= {"fused": why.fused, "rerank": why.rerank, "age_factor": why.freshness.factor}
        for vote in why.arms:
            row |= {
                f"{vote.arm}_rank": vote.rank,
                f"{vote.arm}_raw": vote.raw,
                f"{vote.arm}_contribution": vote.contribution,
            }
    return row
