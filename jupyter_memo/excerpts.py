"""What a search gives to a language model: passages in full text, in a frame that marks them as data."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from jupyter_memo.response import Result, SearchResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The pieces, the best first, each a run of results in the order of their source; or why there are none."""

    pieces: tuple[tuple[Result, ...], ...] = ()
    reason: str | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """One quoted piece of a source: a passage, or passages that follow each other there.

    `number` is what the text cites it by ([1], [2], …), `ranks` and `ids` are those of its passages in the response, in
    the order of the source. `where` is its source line without the title: path, headings, place.
    """

    number: int
    uri: str
    title: str
    where: str
    text: str
    ranks: tuple[int, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptContext:
    """The passages worth giving to a language model for one question. `str(context)` is the text to paste or send.

    `text` is empty where the index has nothing to say: then `reason` says why, and `hint` what may help. Otherwise it
    quotes the `excerpts` between two marks that nothing inside can hold, behind a sentence that says that they are data
    and no instructions. `tokens` are those of the whole text, as the index's model counts them; `max_tokens` is what it
    was to keep within (None: nothing). `response` is the search it was made from.
    """

    text: str
    excerpts: tuple[Excerpt, ...]
    tokens: int
    max_tokens: int | None
    response: SearchResponse
    reason: str | None = None
    hint: str | None = None

    @property
    def query(self) -> str:
        """What was asked."""
        return self.response.query

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)

    def to_dict(self) -> dict[str, Any]:
        """The text, its sources and the reason as plain dicts and lists, without the response."""
        return {
            "query": self.query,
            "text": self.text,
            "tokens": self.tokens,
            "max_tokens": self.max_tokens,
            "reason": self.reason,
            "hint": self.hint,
            "excerpts": [asdict(excerpt) for excerpt in self.excerpts],
        }

    def to_json(self) -> str:
        """`to_dict()` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.context_bundle(self)
