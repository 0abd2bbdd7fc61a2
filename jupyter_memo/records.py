"""What is stored: frozen records, the same for every store, chunker and surface.

Times are aware UTC. `trust` is 0 (untrusted import) to 3 (checked by its owner); files a user indexes are 2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Kind = Literal["document", "notebook", "code", "data", "paper", "note", "conversation"]
KINDS: tuple[Kind, ...] = ("document", "notebook", "code", "data", "paper", "note", "conversation")

Surface = Literal["file", "memory", "chat"]
SURFACES: tuple[Surface, ...] = ("memory", "chat", "file")
DEFAULT_TRUST = 2


def surface_of(surface: Surface, kind: str) -> Surface:
    """Where a text of that kind is at home: a conversation is chat, whether it lies in a file or was handed over."""
    return "chat" if kind == "conversation" else surface


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Where a passage stands in its source. Every field that does not apply is None.

    `start_line` and `end_line` are 1-based and inclusive, counted in the file (Markdown, code, text) or, for a
    notebook, inside the cell. `cell` is the 0-based index of the cell, `cell_id` its nbformat id,
    `execution_count` the number in `In[n]`, `part` is source or output. `page` is 1-based, `turn` is 1-based,
    `key` is a dotted path in a structured file.
    """

    start_line: int | None = None
    end_line: int | None = None
    cell: int | None = None
    cell_id: str | None = None
    execution_count: int | None = None
    part: Literal["source", "output"] | None = None
    page: int | None = None
    turn: int | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One piece of a source as a chunker cuts it, before it is a `Passage`.

    `header` is the breadcrumb, outermost first (the titles above the piece, without the file name); its last element is
    the piece's own title. `text` holds the piece without its headings. `code` marks text whose line breaks matter.
    `context` is text that precedes the piece and helps to find it (the turn before, in a conversation); it is never
    shown and no part of what identifies the piece. `created_at` is when the piece was written, where the source says so
    of it alone (a turn, a reference).
    """

    text: str
    header: tuple[str, ...] = ()
    context: str = ""
    span: Span = field(default_factory=Span)
    code: bool = False
    lang: str | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A whole source as a chunker reads it: its pieces and what the source says of itself.

    `kind`, `tags`, `created_at`, `namespace` come from the source's own front matter or metadata where it has them,
    else None or empty; `ttl_days` is how long a passage is valid from its date on. `notes` are remarks for the report
    ("3 image outputs left out").
    """

    chunks: tuple[Chunk, ...]
    title: str | None = None
    kind: Kind | None = None
    tags: tuple[str, ...] = ()
    namespace: str | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    ttl_days: float | None = None
    lang: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One searchable passage. `id` is content-addressed: it depends on its source, header and text, not on its place.

    `uri` is what a person reads (`notes/criticality.md`), `source_id` stands for the file or record. `header` is the
    breadcrumb, outermost first. `surface` is `chat` for turns of a conversation, else `file` or, for a record,
    `memory`. `tokens` counts the tokens of the model in use when it was indexed. `sha256` is that of header and text.
    `superseded_at`, `forgotten_at`, `expires_at` take it out of live search, never out of history.
    """

    id: str
    source_id: str
    uri: str
    text: str
    header: tuple[str, ...] = ()
    span: Span = field(default_factory=Span)
    surface: Surface = "file"
    kind: Kind = "document"
    namespace: str = ""
    owner: str = ""
    visibility: str = "private"
    library: str | None = None
    version: str | None = None
    tags: tuple[str, ...] = ()
    trust: int = DEFAULT_TRUST
    lang: str | None = None
    code: bool = False
    tokens: int = 0
    sha256: str = ""
    created_at: datetime
    recorded_at: datetime
    expires_at: datetime | None = None
    superseded_at: datetime | None = None
    superseded_by: str | None = None
    forgotten_at: datetime | None = None
    forget_reason: str | None = None

    @property
    def title(self) -> str:
        """The innermost heading, or the last part of the uri."""
        return self.header[-1] if self.header else self.uri.rsplit("/", 1)[-1]


SourceStatus = Literal["indexed", "unchanged", "skipped", "failed", "removed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file or record as the last run saw it.

    `root` is the alias of the folder it was found under (empty for records), `path` is relative to it, with `/`.
    `sha256` is of the bytes; `size` in bytes; `mtime_ns` is the file's own modification time. `run_id` names the write
    that committed it. `fingerprint` is of everything besides the bytes that decides the passages (chunker version,
    options), so that a change there re-reads the file.
    """

    id: str
    uri: str
    root: str = ""
    path: str = ""
    surface: Surface = "file"
    kind: Kind = "document"
    namespace: str = ""
    title: str = ""
    sha256: str = ""
    fingerprint: str = ""
    size: int = 0
    mtime_ns: int = 0
    passages: int = 0
    run_id: str = ""
    recorded_at: datetime
    removed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What somebody said of one passage as an answer to one query: `grade` 0 (no answer) to 3 (the answer).

    `uri` and `source_id` are those of the passage, so that the verdict counts for its source when its text has changed.
    `response` is the hash of the response it was judged in (`SearchResponse.hash`), empty when there was none.
    """

    query: str
    id: str
    grade: int
    uri: str = ""
    source_id: str = ""
    user: str = ""
    at: datetime
    index_version: int = 0
    response: str = ""
