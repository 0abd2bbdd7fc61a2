"""Learned models behind one protocol. Importing this room loads none of them: `load` and `Door` do, when asked."""

from __future__ import annotations

from jupyter_memo.models.door import Door, State, load
from jupyter_memo.models.protocols import Embedder, Routed

__all__ = ["Door", "Embedder", "Routed", "State", "load"]
