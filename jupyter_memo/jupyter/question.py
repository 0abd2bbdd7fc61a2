"""Lines that end in a question mark.

IPython reads `%memo_search why does it fail?` as a request for help on `fail`. People end questions so, and here that
is the query; `%memo_search?` alone keeps its meaning. The same goes for the text behind `%memo similar` and
`%memo context`.
"""

from __future__ import annotations

import re
import tokenize
from typing import Any

from IPython.core.inputtransformer2 import TokenTransformBase

_LINE = re.compile(
    r"(?P<before>\s*(?:[^\W\d][\w.]*\s*=\s*)?)"
    r"%(?P<magic>memo_search|memo(?=[ \t]+(?:similar|context)[ \t]))[ \t]+(?P<query>\S.*\?)\s*"
)


class Question(TokenTransformBase):
    """A token transformer that stands before IPython's own for help."""

    priority = 1

    @classmethod
    def find(cls, tokens_by_line: list[list[tokenize.TokenInfo]]) -> Question | None:
        """The first line of a cell that is a %memo_search, %memo similar or %memo context, whose text ends in `?`."""
        for tokens in tokens_by_line:
            first = next((token for token in tokens if token.type not in (tokenize.INDENT, tokenize.DEDENT)), None)
            if first is not None and _LINE.fullmatch(first.line.splitlines()[0] if first.line else ""):
                return cls(first.start)
        return None

    def transform(self, lines: list[str]) -> list[str]:
        """The line as the call that IPython would make of it without the question mark."""
        found: Any = _LINE.fullmatch(lines[self.start_line].rstrip("\n"))
        call = f"{found['before']}get_ipython().run_line_magic({found['magic']!r}, {found['query']!r})\n"
        return [*lines[: self.start_line], call, *lines[self.start_line + 1 :]]
