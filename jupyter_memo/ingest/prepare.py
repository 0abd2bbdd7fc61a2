"""From one source's bytes to its passages: parsed, labelled, identified by content."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from jupyter_memo.chunk import pack, registry
from jupyter_memo.chunk.window import within
from jupyter_memo.ingest import keywords, secrets, withholding
from jupyter_memo.ingest.labels import NO_LABELS, Labels, expiry
from jupyter_memo.query import checked_kind, checked_label, checked_tags, checked_trust
from jupyter_memo.records import Chunk, Kind, Parsed, Passage, Source, Surface, surface_of
from jupyter_memo.store.tables import Row, utf8
from jupyter_memo.text import words

CountTokens = Callable[[str], int]

CONTEXT_TOKENS = 127
"""Of a longer context the last so many tokens help to find a passage: half the window of the default model, so that
what leads up to a passage does not drown it. No turn of the 4,124 of LoCoMo is longer; cut to 24 tokens, they leave
recall@10 at .683 instead of .708."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the caller says of the sources; None (or no tags) leaves it to the source itself or to the last run.

    `allow_secrets`: whether what looks like a key or a token is indexed. None is no for files and yes for records: what
    a program hands over, it has chosen.
    """

    namespace: str | None = None
    kind: Kind | None = None
    tags: tuple[str, ...] = ()
    library: str | None = None
    version: str | None = None
    trust: int | None = None
    allow_secrets: bool | None = None

    def __post_init__(self) -> None:
        """Raises QueryError for what cannot be meant. A str given as `tags` is one tag."""
        object.__setattr__(self, "tags", checked_tags(self.tags))
        for name in ("namespace", "library", "version"):
            checked_label(getattr(self, name), name)
        if self.kind is not None:
            checked_kind(self.kind)
        if self.trust is not None:
            object.__setattr__(self, "trust", checked_trust(self.trust))

    def over(self, earlier: Options) -> Options:
        """These options, and the earlier ones where these say nothing."""
        return Options(
            namespace=earlier.namespace if self.namespace is None else self.namespace,
            kind=self.kind or earlier.kind,
            tags=self.tags or earlier.tags,
            library=earlier.library if self.library is None else self.library,
            version=earlier.version if self.version is None else self.version,
            trust=earlier.trust if self.trust is None else self.trust,
            allow_secrets=earlier.allow_secrets if self.allow_secrets is None else self.allow_secrets,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How sources are read: the tokens of the model, its window, the packing target (None: fits the window), and what
    the settings say of sources by their paths."""

    count_tokens: CountTokens
    max_tokens: int
    target_tokens: int | None = None
    labels: Labels = NO_LABELS

    def fingerprint(self, options: Options, name: str = "") -> str:
        """Everything besides the bytes that decides the passages, as JSON. `name` is the uri of a file, which says who
        reads it and which rules hold for it."""
        return json.dumps(
            {
                "chunker": registry.version(name),
                "max_tokens": self.max_tokens,
                "target_tokens": self.target_tokens,
                "labels": self.labels.stamp(name),
                "secrets": secrets.VERSION,
                "options": _plain(options),
            },
            sort_keys=True,
        )


@functools.lru_cache(maxsize=1000)
def _plain(options: Options) -> dict[str, Any]:
    # A run over unchanged files asks this of each, and thousands of files share a few options.
    return dataclasses.asdict(options)


@functools.lru_cache(maxsize=1000)
def options_of(fingerprint: str) -> Options:
    """The options a source was last indexed with."""
    if not fingerprint:
        return Options()
    stored = json.loads(withholding.bare(fingerprint))["options"]
    return Options(**{**stored, "tags": tuple(stored["tags"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """One source ready to be written: its record and its rows (without vectors), in the order of the source."""

    source: Source
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def source_id(surface: Surface, root: str, path: str) -> str:
    """32 hex digits that stand for one file of one root, or one record."""
    return _digest(surface, root, path)


def prepare(
    parsed: Parsed,
    source: Source,
    options: Options,
    *,
    count_tokens: CountTokens,
    now: datetime,
    dated: datetime,
    labels: Labels = NO_LABELS,
) -> Prepared:
    """Rows for every chunk of a parsed source. `dated` is when the source was written, unless it says so itself.

    What looks like a secret is left out, unless the options or the labels allow it.
    """
    reason = ""
    held = 0
    if checks_secrets(source, options, labels):
        parsed, held, reason = withholding.without_secrets(parsed)
        source = dataclasses.replace(source, title="" if secrets.find(source.title) else source.title)
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    kind = options.kind or parsed.kind or source.kind
    is_file = source.surface == "file"
    namespace = options.namespace or parsed.namespace or (labels.namespace(source.uri) if is_file else "")
    ttl_days = labels.ttl_days(source.uri) if is_file and parsed.ttl_days is None else parsed.ttl_days
    trust = labels.trusted(source.surface, parsed.kind) if options.trust is None else options.trust
    tags = tuple(dict.fromkeys((*options.tags, *parsed.tags)))
    if is_file and labels.keywords and kind not in ("code", "data"):
        tags = tuple(dict.fromkeys((*tags, *keywords.of(parsed, labels.keywords))))
    rows = []
    for chunk in parsed.chunks:
        occurrence = seen[chunk.header, chunk.text]
        seen[chunk.header, chunk.text] += 1
        date = chunk.created_at or parsed.created_at or dated
        passage = Passage(
            id=_digest(source.id, *chunk.header, chunk.text, str(occurrence)),
            source_id=source.id,
            uri=source.uri,
            text=chunk.text,
            header=chunk.header,
            span=chunk.span,
            surface=surface_of(source.surface, kind),
            kind=kind,
            namespace=namespace,
            library=options.library,
            version=options.version,
            tags=tags,
            trust=trust,
            lang=chunk.lang or parsed.lang,
            code=chunk.code,
            tokens=count_tokens(chunk.text),
            sha256=hashlib.sha256("\n".join((*chunk.header, chunk.text)).encode("utf-8", "surrogatepass")).hexdigest(),
            created_at=date,
            recorded_at=now,
            expires_at=parsed.expires_at or (expiry(date, ttl_days) if ttl_days else None),
        )
        rows.append(row(passage, tail(chunk.context, CONTEXT_TOKENS, count_tokens), named=is_file))
    record = dataclasses.replace(
        source,
        kind=kind,
        namespace=namespace,
        title=parsed.title or source.title,
        passages=len(rows),
        fingerprint=withholding.remarked(source.fingerprint, held, reason),
    )
    notes = (reason, *parsed.notes) if reason else parsed.notes
    return Prepared(source=record, rows=tuple(rows), notes=notes)


def unread(source: Source, reason: str) -> Prepared:
    """A source of which nothing is to be indexed, for a reason that its name gives."""
    marked = dataclasses.replace(source, fingerprint=withholding.remarked(source.fingerprint, 1, reason))
    return Prepared(source=marked, rows=(), notes=(reason,))


def checks_secrets(source: Source, options: Options, labels: Labels) -> bool:
    """Whether what looks like a secret is to be held back of a source."""
    if options.allow_secrets is None:
        return source.surface == "file" and not labels.allows(source.uri)
    return not options.allow_secrets


def row(passage: Passage, context: str, *, named: bool) -> Row:
    """The stored form of a passage: its derived search columns, no vector yet. `named` says that it lies in a file.

    Words of the context count as its own do, for phrases and exclusions too. Names do not: who asks for one by its
    exact form wants the passage that says it.
    """
    # A file's name says what it is about; a record's id is a number more often than a word.
    lex = words.lexical(passage.header, passage.text, passage.uri if named else "")
    return Row(
        passage=passage,
        context=context,
        lex=words.with_context(lex, context),
        ident=words.ident_column(passage.header, passage.text, passage.uri),
        cjk=words.cjk_column(passage.header, f"{passage.text}\n{context}"),
        vector=None,
    )


def tail(text: str, limit: int, count_tokens: CountTokens) -> str:
    """The end of a text, of at most `limit` tokens: from the beginning of a word on where there are words."""
    text = utf8(text).strip()
    if within(text, limit, count_tokens):
        return text
    starts: Sequence[int] = [match.start() for match in _WORD.finditer(text)]
    if not within(text[starts[-1] :], limit, count_tokens):
        starts = range(len(text))
    place = bisect_left(starts, True, key=lambda start: within(text[start:], limit, count_tokens))
    return text[starts[place] :] if place < len(starts) else ""


def whole(text: str, header: tuple[str, ...], context: str, reading: Reading) -> tuple[Chunk, ...]:
    """A record's text as chunks: one if it fits the window, else split at sentences."""
    chunk = Chunk(text=text, header=header, context=context)
    return pack.split(chunk, count_tokens=reading.count_tokens, max_tokens=reading.max_tokens)


def utc(seconds: float) -> datetime:
    """An aware UTC time from seconds since the epoch, cut to microseconds."""
    return datetime.fromtimestamp(seconds, UTC)


def _digest(*parts: str) -> str:
    text = "\x1f".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
