"""Search over what a researcher has written or collected, from inside a notebook, with the reason for every rank.

    from jupyter_memo import Memo

    with Memo.open() as memo:
        memo.index("notes")
        memo.search("why does the flow lose ESS")

In a notebook: `%load_ext jupyter_memo`, then `%memo help`. Names are imported when they are first used, so that
`import jupyter_memo` loads no store and no model.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_memo.comparison import Comparison
    from jupyter_memo.engine import Memo
    from jupyter_memo.errors import (
        ConfigError,
        IngestError,
        LifecycleError,
        MemoError,
        MissingExtraError,
        ModelError,
        ProfileError,
        QueryError,
        StoreError,
    )
    from jupyter_memo.evaluate import Evaluation
    from jupyter_memo.excerpts import Excerpt, PromptContext
    from jupyter_memo.profile import PROFILES, Profile
    from jupyter_memo.query import Scope
    from jupyter_memo.records import Judgement, Passage, Span
    from jupyter_memo.response import (
        Ablation,
        Check,
        IndexReport,
        Result,
        SearchResponse,
        SourceReport,
        Status,
        Upkeep,
        Why,
        WhyNot,
    )

__version__ = "0.1.0"

__all__ = [
    "PROFILES",
    "Ablation",
    "Check",
    "Comparison",
    "ConfigError",
    "Evaluation",
    "Excerpt",
    "IndexReport",
    "IngestError",
    "Judgement",
    "LifecycleError",
    "Memo",
    "MemoError",
    "MissingExtraError",
    "ModelError",
    "Passage",
    "Profile",
    "ProfileError",
    "PromptContext",
    "QueryError",
    "Result",
    "Scope",
    "SearchResponse",
    "SourceReport",
    "Span",
    "Status",
    "StoreError",
    "Upkeep",
    "Why",
    "WhyNot",
    "__version__",
]

_HOMES = {
    "comparison": ("Comparison",),
    "engine": ("Memo",),
    "errors": (
        "ConfigError",
        "IngestError",
        "LifecycleError",
        "MemoError",
        "MissingExtraError",
        "ModelError",
        "ProfileError",
        "QueryError",
        "StoreError",
    ),
    "evaluate": ("Evaluation",),
    "excerpts": ("Excerpt", "PromptContext"),
    "profile": ("PROFILES", "Profile"),
    "query": ("Scope",),
    "records": ("Judgement", "Passage", "Span"),
    "response": (
        "Ablation",
        "Check",
        "IndexReport",
        "Result",
        "SearchResponse",
        "SourceReport",
        "Status",
        "Upkeep",
        "Why",
        "WhyNot",
    ),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(importlib.import_module(f"jupyter_memo.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'jupyter_memo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: InteractiveShell) -> None:
    """`%load_ext jupyter_memo`: the magics %memo, %memo_index, %memo_search and %%memo_search."""
    from jupyter_memo.jupyter import extension

    extension.load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """`%unload_ext jupyter_memo`: take the magics away and close the store."""
    from jupyter_memo.jupyter import extension

    extension.unload(shell)


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Where JupyterLab's tools find the built front end in a source tree; an installed one lies in share/jupyter."""
    return [{"src": "jupyter/labextension", "dest": "jupyter-memo"}]


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    """What the Jupyter server loads; its own classes are imported by nobody else."""
    from jupyter_memo.jupyter.server import MemoServer

    return [{"module": "jupyter_memo.jupyter.server", "app": MemoServer}]
