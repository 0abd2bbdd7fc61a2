"""Loading and unloading the IPython extension: `%load_ext jupyter_memo`."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell

from jupyter_memo.jupyter.completion import complete
from jupyter_memo.jupyter.magics import MemoMagics
from jupyter_memo.jupyter.question import Question


def load(shell: InteractiveShell) -> None:
    """Register the magics, their completion and the reading of questions. Loading again replaces what was loaded."""
    unload(shell)
    shell.register_magics(MemoMagics)
    shell.input_transformer_manager.token_transformers.append(Question)
    if shell.Completer is not None:
        shell.Completer.custom_matchers.append(complete)


def unload(shell: InteractiveShell) -> None:
    """Take everything away again and close the store. Unloading what is not loaded does nothing."""
    manager = shell.magics_manager
    loaded = manager.registry.pop("MemoMagics", None)
    if loaded is not None:
        loaded.unload()
        shell.configurables = [entry for entry in shell.configurables if entry is not loaded]
    for kind in manager.magics.values():
        for name in ("memo", "memo_search", "memo_index"):
            kind.pop(name, None)
    transformers = shell.input_transformer_manager.token_transformers
    transformers[:] = [entry for entry in transformers if entry.__name__ != Question.__name__]
    if shell.Completer is not None:
        matchers = shell.Completer.custom_matchers
        matchers[:] = [entry for entry in matchers if getattr(entry, "__module__", "") != complete.__module__]
