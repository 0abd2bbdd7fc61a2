"""Which file is read by which reader, why another is not, and a whole source as chunks."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Literal

from jupyter_memo.chunk import (
    bibliography,
    code,
    conversation,
    delimited,
    grammar,
    languages,
    markdown,
    notebook,
    pack,
    pdf,
    plain,
    rcode,
    references,
    rst,
    structured,
    webpage,
    window,
)
from jupyter_memo.chunk.cut import CountTokens
from jupyter_memo.chunk.decoding import decode
from jupyter_memo.chunk.section import Document
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Chunk, Kind, Parsed

VERSION = 2
"""Raised when every reader gives other chunks for the same bytes, so that everything is read again."""

Reader = Literal[
    "markdown",
    "notebook",
    "python",
    "json",
    "jsonl",
    "yaml",
    "toml",
    "text",
    "bibtex",
    "references",
    "chat",
    "pdf",
    "csv",
    "arrow",
    "rst",
    "html",
    "code",
    "r",
]

VERSIONS: dict[Reader, int] = {
    "bibtex": 2,
    "json": 2,
    "jsonl": 2,
    "markdown": 2,
    "notebook": 2,
    "references": 2,
}
"""Raised, from 1 on, when one reader gives other chunks for the same bytes, so that its files are read again."""

READERS: dict[str, Reader] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".myst": "markdown",
    ".qmd": "markdown",
    ".rmd": "markdown",
    ".ipynb": "notebook",
    ".py": "python",
    ".pyi": "python",
    ".json": "json",
    ".geojson": "json",
    ".webmanifest": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".r": "r",
    ".rst": "rst",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".bib": "bibtex",
    **dict.fromkeys(references.FORMS, "references"),
    ".chat": "chat",
    ".pdf": "pdf",
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    **dict.fromkeys((".parquet", ".feather", ".arrow", ".arrows", ".ipc"), "arrow"),
    **dict.fromkeys(plain.SUFFIXES, "text"),
    **dict.fromkeys(languages.SUFFIXES, "code"),
}
"""Suffixes, in lower case, and who reads them (code, where its grammar is installed)."""

NAMES: dict[str, Reader] = dict.fromkeys(
    ("readme", "changelog", "changes", "contributing", "history", "news", "notes", "todo"), "text"
)
"""File names without a suffix, in lower case, that hold text by custom."""

KINDS: dict[Reader, Kind] = {
    "markdown": "note",
    "notebook": "notebook",
    "python": "code",
    "json": "data",
    "jsonl": "data",
    "yaml": "data",
    "toml": "data",
    "text": "note",
    "rst": "document",
    "html": "document",
    "code": "code",
    "r": "code",
    "bibtex": "paper",
    "references": "paper",
    "chat": "conversation",
    "pdf": "paper",
    "csv": "data",
    "arrow": "data",
}
"""The kind of a source by its reader, unless front matter says another. Prose under markup for printing (.rst, .tex,
.adoc) is a document: it does not age as a note does."""

DOCUMENT_SUFFIXES = frozenset({".tex", ".adoc"})

_HEADER_ROOM = 16
"""Tokens left for a breadcrumb of keys when it is decided whether a value may stay whole."""


def _suffixes(names: str) -> frozenset[str]:
    return frozenset(f".{name}" for name in names.split())


_NOT_READ: dict[str, frozenset[str]] = {
    "images are not read. Describe the picture in a note beside it": _suffixes(
        "png jpg jpeg gif bmp tif tiff webp svg ico heic eps"
    ),
    "sound and film are not read. Put a transcript beside it": _suffixes("mp3 wav ogg flac m4a mp4 mov avi mkv webm"),
    "archives are not opened. Unpack it to index what it holds": _suffixes("zip tar gz tgz bz2 xz 7z rar whl jar zst"),
    "tables of this kind are not read by this version. Save it as CSV to index it": _suffixes(
        "xlsx xls ods dta sav sas7bdat rds rdata orc"
    ),
    "not read by this version. Save it as text or Markdown to index it": _suffixes(
        "ps djvu epub mobi doc docx odt rtf ppt pptx odp pages key mhtml mht"
    ),
    "code in this language is not read by this version. Describe it in a note": _suffixes(
        "kt scala swift rb pl lua zsh ps1 bat sql hs ml ex exs clj php cs vue css scss pyx"
    ),
    "bibliographies of this kind are not read by this version. Export it as BibTeX or RIS": _suffixes("ciw enl bibx"),
    "mail is not read by this version. Save it as text to index it": _suffixes("mbox eml"),
    "it is binary, not text": _suffixes(
        "pyc pyo so dll dylib exe o a class bin dat db sqlite sqlite3 pkl pickle joblib npy npz h5 hdf5 nc zarr pt pth "
        "onnx safetensors ckpt mat lance woff woff2 ttf otf"
    ),
}
"""Why a file is not read, with the cure, and the suffixes this holds for."""


def reader(path_name: str) -> Reader | None:
    """Who reads a file of this name, None when nobody does. Only the name counts, not its folder."""
    path = PurePosixPath(path_name.replace("\\", "/"))
    suffix = path.suffix.lower()
    if (language := languages.SUFFIXES.get(suffix)) and not grammar.installed(language):
        return None
    return READERS.get(suffix) if suffix else NAMES.get(path.name.lower())


def version(path_name: str) -> str:
    """What is to be compared to know whether a file of this name would be read today as it was read before."""
    name = reader(path_name)
    return f"{VERSION}.{VERSIONS.get(name, 1) if name else 0}"


def why_not(path_name: str) -> str:
    """Why a file of this name is not read, in one line with the cure; empty when it is read."""
    if reader(path_name):
        return ""
    path = PurePosixPath(path_name.replace("\\", "/"))
    suffix = path.suffix.lower()
    if not suffix:
        return f"no suffix says what it holds. Rename it, for instance to {path.name}.txt, to index it as text"
    if language := languages.SUFFIXES.get(suffix):
        return f"{suffix}: {language} is read by a grammar that is not installed. Run pip install 'jupyter_memo[code]'"
    for reason, suffixes in _NOT_READ.items():
        if suffix in suffixes:
            return f"{suffix}: {reason}"
    return f"{suffix} files are not known. Rename it to {path.stem}.txt to index it as text"


def kind(path_name: str) -> Kind:
    """The kind of a source by its name, unless its front matter says another; `document` for what is not read."""
    name = reader(path_name)
    if name is None or PurePosixPath(path_name).suffix.lower() in DOCUMENT_SUFFIXES:
        return "document"
    return KINDS[name]


def parse(
    path_name: str,
    data: bytes,
    *,
    count_tokens: CountTokens,
    max_tokens: int = 256,
    target_tokens: int | None = None,
) -> Parsed:
    """A source as chunks that fit a window of `max_tokens` with their breadcrumb, as `count_tokens` counts.

    `target_tokens` is the size up to which short neighbours are joined: None is the window, 0 joins nothing. Raises
    IngestError (stage read or chunk) with one line of what is wrong: no text, binary, not valid JSON.
    """
    name = reader(path_name)
    if name is None:
        raise IngestError(why_not(path_name), uri=path_name, stage="read")
    target = max_tokens if target_tokens is None else min(target_tokens, max_tokens)
    remark = None
    if name in ("pdf", "csv", "arrow"):
        document = _read_bytes(name, data, path_name)
    else:
        text, remark = decode(data, uri=path_name, cookie=name == "python", meta=name == "html")
        document = _read(name, text, path_name, count_tokens, max_tokens, target)
    chunks = pack.fit(document.sections, count_tokens=count_tokens, max_tokens=max_tokens, target_tokens=target)
    if not chunks and name != "notebook":
        raise IngestError("it holds no text", uri=path_name, stage="chunk")
    front = document.front
    return Parsed(
        chunks=chunks,
        title=front.title or document.title,
        kind=front.kind or kind(path_name),
        tags=front.tags,
        namespace=front.namespace,
        created_at=front.created_at,
        expires_at=front.expires_at,
        ttl_days=front.ttl_days,
        lang=document.lang or front.lang,
        notes=((remark, *document.notes) if remark else document.notes),
    )


def split(chunk: Chunk, count_tokens: CountTokens, max_tokens: int) -> tuple[Chunk, ...]:
    """A chunk made elsewhere (a record) as it is when it fits the window, else in pieces, none of it lost."""
    return pack.split(chunk, count_tokens=count_tokens, max_tokens=max_tokens)


def _read_bytes(name: Reader, data: bytes, uri: str) -> Document:
    if name == "pdf":
        return pdf.read(data, uri=uri)
    if name == "csv":
        return delimited.read(data, uri=uri)
    from jupyter_memo.chunk import tabular  # loads Arrow

    return tabular.read(data, uri=uri)


def _read(name: Reader, text: str, uri: str, count_tokens: CountTokens, max_tokens: int, target: int) -> Document:
    if name == "markdown":
        return markdown.read(text)
    if name == "notebook":
        return notebook.read(text, uri=uri)
    if name == "python":
        return code.read(text)
    if name == "code":
        return grammar.read(text, languages.SUFFIXES[PurePosixPath(uri).suffix.lower()], uri=uri)
    if name == "r":
        return rcode.read(text)
    if name == "rst":
        return rst.read(text)
    if name == "html":
        return webpage.read(text, uri=uri)
    if name == "bibtex":
        return bibliography.read(text)
    if name == "references":
        return references.read(text, PurePosixPath(uri).suffix.lower())
    if name in ("chat", "json", "jsonl") and (found := conversation.read(text, name, uri=uri)):
        return found
    if name == "text":
        return plain.read(text, PurePosixPath(uri).suffix.lower())

    def fits(value: str, whole: bool) -> bool:
        limit = min(target, max_tokens - _HEADER_ROOM) if whole else max_tokens - _HEADER_ROOM
        return window.within(value, limit, count_tokens)

    return structured.read(text, name, fits, uri=uri)
