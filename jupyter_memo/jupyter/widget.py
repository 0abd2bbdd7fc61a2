"""The search widget: a box, its list, and what needs a kernel (searching again, citing, judging, indexing).

It is drawn by the same view as a saved result (`static/widget.js`). Lists travel as messages and are never part of the
widget's state, so no notebook saves them here; what a notebook is to keep stands in an output of its own.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
from traitlets import Bool, Int, Unicode

from jupyter_memo.jupyter.answering import Answering
from jupyter_memo.render import visible
from jupyter_memo.response import SearchResponse

if TYPE_CHECKING:
    from jupyter_memo.engine import Memo

VIEW = "application/vnd.jupyter.widget-view+json"
STATIC = Path(__file__).with_name("static")


class SearchWidget(anywidget.AnyWidget):
    """A search box over a memo. `Memo.widget` makes one.

    `query` and `offset` are what it begins with, and `ask` whether it asks that at once. `writable` says whether it
    offers to judge and to index.
    """

    _esm = STATIC / "widget.js"
    _css = STATIC / "widget.css"

    query = Unicode().tag(sync=True)
    offset = Int().tag(sync=True)
    ask = Bool(True).tag(sync=True)
    writable = Bool(True).tag(sync=True)

    def __init__(
        self, memo: Memo, query: str = "", options: dict[str, Any] | None = None, *, ask: bool, writable: bool
    ) -> None:
        given = dict(options or {})
        offset = given.pop("offset", 0)
        self._answering = Answering(memo, self._tell, given, about=query)
        super().__init__(query=query, offset=offset, ask=ask and bool(query.strip()), writable=writable)
        self.on_msg(self._heard)
        self._unbind()

    @property
    def response(self) -> SearchResponse | None:
        """The list that was asked for last in the widget, whole; None before the first."""
        return self._answering.last

    def close(self) -> None:
        """Cancel what is under way and take the widget away."""
        self._answering.stop()
        super().close()

    def _tell(self, content: dict[str, Any]) -> None:
        self.send(content)
        self._unbind()

    def _unbind(self) -> None:
        """Let messages go to the thread that the front end addresses. ipykernel 7.4 sends those of a comm to where its
        last message out came from instead: to the cells, which may be running, or to one that has ended meanwhile."""
        if self.comm is not None:
            self.comm.__dict__.pop("_reply_subshell_id", None)

    def _heard(self, _widget: Any, content: Any, _buffers: Any) -> None:
        self._answering.take(content)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        told = "A search box of jupyter_memo"
        told += f" for “{visible.line(self.query)}”" if self.query.strip() else ""
        told += ". It works while its kernel runs: run this cell again."
        forms = {
            VIEW: {"version_major": 2, "version_minor": 0, "model_id": self.model_id},
            "text/html": f"<p>{escape(told)}</p>",
            "text/plain": told,
        }
        return forms, {}
