"""What an unscoped search leaves out: the namespaces of archives and agents, by name, and how to ask for them."""

from __future__ import annotations

import re
from itertools import pairwise

from jupyter_memo.response import FilterTrace
from jupyter_memo.store import filters
from jupyter_memo.store.lance import Store

NAMED = 3
"""So many namespaces are named in a hint."""

_APART = re.compile(r"[\s,]")


async def hint(store: Store, traces: tuple[FilterTrace, ...]) -> str:
    """A sentence for the reader of the list; empty where nothing was hidden."""
    left_out = next((one.left - two.left for one, two in pairwise(traces) if two.predicate == filters.UNSYSTEMIC), 0)
    if not left_out:
        return ""
    names = await store.system_namespaces()
    listed = [*names[:NAMED], f"{len(names) - NAMED} more"] if len(names) > NAMED else [*names]
    where = " and ".join(filter(None, (", ".join(listed[:-1]), listed[-1]))) if listed else "system namespaces"
    told = "1 passage" if left_out == 1 else f"{left_out} passages"
    asked = next((name for name in names if '"' not in name), "agent:…")
    typed = f'ns:"{asked}"' if _APART.search(asked) else f"ns:{asked}"
    return f"{told} in {where} {'was' if left_out == 1 else 'were'} not searched. Ask for them: {typed}"
