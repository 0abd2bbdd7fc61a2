"""What may stand behind a field of a query (`kind:`, `ns:`, `tag:`), for completion."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jupyter_memo.query import LIMIT_MAX
from jupyter_memo.text.fields import TRUST_MAX

if TYPE_CHECKING:
    from jupyter_memo.engine import Memo

EVERYTHING = "trust:0"
"""A query without words that every passage answers, the newest first."""

TIMES = ["today", "7d", "2w", "6m", "1y"]


async def of_fields(memo: Memo) -> dict[str, list[str]]:
    """The values of each field as they are typed, the commonest first.

    Kinds and namespaces are those of the whole index; tags, languages, libraries, versions and sources those of its
    newest passages.
    """
    status = await asyncio.to_thread(memo.status)
    newest = [
        result.passage for result in await memo.search_async(EVERYTHING, limit=LIMIT_MAX, explain=False, sync=False)
    ]
    found = {
        "kind": [name for name, _ in status.kinds],
        "ns": [name for name, _ in status.namespaces if name],
        "tag": _common(tag for passage in newest for tag in passage.tags),
        "source": _common(f"{passage.uri.split('/', 1)[0]}/*" for passage in newest if "/" in passage.uri),
        "lang": _common(passage.lang for passage in newest),
        "lib": _common(passage.library for passage in newest),
        "version": _common(passage.version for passage in newest),
        "trust": [str(level) for level in range(TRUST_MAX + 1)],
        "since": TIMES,
        "before": TIMES,
        "as_of": TIMES[:2],
    }
    return {name: [_typed(value) for value in listed if '"' not in value] for name, listed in found.items()}


def _common(given: Iterable[str | None]) -> list[str]:
    return [value for value, _ in Counter(filter(None, given)).most_common()]


def _typed(value: str) -> str:
    """The value in quotes where blanks or commas would end it."""
    return f'"{value}"' if any(sign.isspace() or sign == "," for sign in value) else value
