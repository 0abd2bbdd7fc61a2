"""Notebooks by cell: text cells by their headings, code cells with what they put out, under the titles above them.

Read straight from JSON, not through nbformat: that refuses notebooks which are a little invalid, of which there are
many, and costs a second to load. nbformat 1 to 4 and what comes after are known: cells in `cells` or in `worksheets`,
heading cells, `input` and `prompt_number`, formats of outputs with and without `data`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

from jupyter_memo.chunk import frontmatter, markdown, outputs
from jupyter_memo.chunk.clean import without_blobs
from jupyter_memo.chunk.frontmatter import FrontMatter
from jupyter_memo.chunk.outputs import text_of
from jupyter_memo.chunk.section import Block, Document, Outline, Section
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Span

CELL_MAGICS = {
    "bash": "bash",
    "cython": "cython",
    "html": "html",
    "javascript": "javascript",
    "js": "javascript",
    "julia": "julia",
    "latex": "latex",
    "markdown": "markdown",
    "perl": "perl",
    "python": "python",
    "r": "r",
    "ruby": "ruby",
    "script": "bash",
    "sh": "bash",
    "sql": "sql",
    "svg": "svg",
}
"""First lines of a cell that say it is in another language than its notebook (lower case, without %%)."""

_QUESTION = re.compile(r"\s*%%memo(?:_\w+)?\b")
_ASKING = re.compile(r"(?:\w+\s*=\s*)?%memo(?:_\w+)?\b|%load_ext\s+jupyter_memo\b|%config\s+MemoMagics\b|#")
"""What asks an index: the beginning of a cell, and of each line of a cell that does nothing else. Either would be the
best answer to its own question."""

_RAW_FRONT = re.compile(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)", re.DOTALL)


def read(text: str, *, uri: str) -> Document:
    """A notebook. Raises IngestError when it is no JSON, or JSON that is no notebook; a notebook without text has no
    sections and a note."""
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise IngestError(f"it is not valid JSON ({_where(error)}). Save it again", uri=uri, stage="read") from error
    cells = _cells(notebook)
    if cells is None:
        raise IngestError("it is JSON, but no notebook: it has no list of cells", uri=uri, stage="chunk")
    reader = _Reader(_language(notebook))
    found = [section for place, cell in enumerate(cells) for section in reader.cell(place, cell)]
    sections = [section for section in found if section.heading or section.blocks]
    notes = outputs.remarks(reader.counts)
    if reader.attachments:
        notes = (*notes, f"attachments left out: {', '.join(dict.fromkeys(reader.attachments))}"[:200])
    if not sections:
        notes = (*notes, "the notebook holds no text")
    front = reader.front
    title = front.title or reader.outline.title
    return Document(
        sections=tuple(sections), title=title, front=front, lang=front.lang or reader.lang, notes=(*front.notes, *notes)
    )


class _Reader:
    """One pass over the cells; the outline goes from cell to cell."""

    def __init__(self, lang: str | None) -> None:
        self.lang = lang
        self.outline = Outline()
        self.counts: Counter[str] = Counter()
        self.attachments: list[str] = []
        self.front = FrontMatter()

    def cell(self, place: int, cell: object) -> Iterator[Section]:
        if not isinstance(cell, dict):
            self.counts["cell"] += 1
            return
        source = text_of(cell.get("source", cell.get("input", cell.get("code", cell.get("text")))))
        source, blobs = without_blobs(source.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", ""))
        self.counts["data"] += blobs
        attachments = cell.get("attachments")
        self.attachments += map(str, attachments) if isinstance(attachments, dict) else ()
        id = cell.get("id")
        span = Span(cell=place, cell_id=id if isinstance(id, str) else None)
        kind = cell.get("cell_type")
        if kind == "code":
            yield from self._code(cell, source, span)
        elif kind == "heading":
            level = cell.get("level")
            title = markdown.heading_title(" ".join(source.split()))
            self.outline.enter(level if isinstance(level, int) and 1 <= level <= 6 else 1, title)
            heading = Block(text=source, line=1)
            yield Section(header=self.outline.header, heading=heading, blocks=(), span=_source_span(span))
        elif kind in ("markdown", "html"):
            yield from markdown.sections(source, self.outline, span=_source_span(span))
        else:
            yield from self._raw(source, span)

    def _code(self, cell: dict[str, Any], source: str, span: Span) -> Iterator[Section]:
        count = cell.get("execution_count", cell.get("prompt_number"))
        count = count if isinstance(count, int) and not isinstance(count, bool) else None
        lang = _magic_language(source) or _lower(cell.get("language")) or self.lang
        header = self.outline.header
        if _asks(source):
            self.counts["search"] += 1
            return

        def place(part: Literal["source", "output"]) -> Span:
            return Span(cell=span.cell, cell_id=span.cell_id, execution_count=count, part=part)

        if source.strip():
            block = Block(text=source, line=1, code=True)
            yield Section(header=header, blocks=(block,), span=place("source"), code=True, lang=lang, join="never")
        texts = outputs.texts(cell.get("outputs"), self.counts)
        put_out = tuple(Block(text=text, code=True) for text in texts)
        yield Section(header=header, blocks=put_out, span=place("output"), code=True, lang=lang, join="tail")

    def _raw(self, source: str, span: Span) -> Iterator[Section]:
        """Text for a converter, or the cell of a kind this version does not know. Front matter may begin a
        notebook."""
        front = _RAW_FRONT.match(source)
        if span.cell == 0 and front:
            self.front = frontmatter.parse(front[1])
        if source.strip():
            blocks = (Block(text=source, line=1, code=True),)
            yield Section(header=self.outline.header, blocks=blocks, span=_source_span(span), code=True, join="never")


def _asks(source: str) -> bool:
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    asked = any("%memo" in line for line in lines if not line.startswith("#"))
    return bool(_QUESTION.match(source)) or (asked and all(map(_ASKING.match, lines)))


def _source_span(span: Span) -> Span:
    return Span(cell=span.cell, cell_id=span.cell_id, part="source")


def _cells(notebook: object) -> list[Any] | None:
    """The cells in order, whatever version wrote them; None when there is no place for cells at all."""
    if not isinstance(notebook, dict):
        return None
    cells = notebook.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = notebook.get("worksheets")
    if isinstance(sheets, list):
        inside = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        return [cell for cells in inside if isinstance(cells, list) for cell in cells]
    return [] if "nbformat" in notebook else None


def _language(notebook: dict[str, Any]) -> str | None:
    """The language of the kernel, as the notebook says it in one of its places."""
    metadata = notebook.get("metadata")
    if not isinstance(metadata, dict):
        return None
    kernel, info = metadata.get("kernelspec"), metadata.get("language_info")
    if isinstance(info, dict) and (name := _lower(info.get("name"))):
        return name
    if isinstance(kernel, dict):
        return _lower(kernel.get("language")) or ("python" if str(kernel.get("name")).startswith("python") else None)
    return None


def _lower(value: object) -> str | None:
    return value.strip().lower() or None if isinstance(value, str) else None


def _magic_language(source: str) -> str | None:
    match = re.match(r"\s*%%(\w+)", source)
    return CELL_MAGICS.get(match[1].lower()) if match else None


def _where(error: Exception) -> str:
    return f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else "nested too deeply"
