"""Which file is read by which reader, why another is not, and a whole source as chunks."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Literal

from jupyter_memo.chunk import code, markdown, notebook, pack, plain, structured, window
from jupyter_memo.chunk.decoding import decode
from jupyter_memo.chunk.section import Document
from jupyter_memo.chunk.window import CountTokens
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Chunk, Kind, Parsed

VERSION = 1
"""Raised when the same bytes give other chunks, so that everything is read again."""

Reader = Literal["markdown", "notebook", "python", "json", "jsonl", "yaml", "toml", "text"]

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
    **dict.fromkeys(plain.SUFFIXES, "text"),
}
"""Suffixes, in lower case, and who reads them."""

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
}
"""The kind of a source by its reader, unless front matter says another. Prose under markup for printing (.rst, .tex,
.adoc) is a document: it does not age as a note does."""

DOCUMENT_SUFFIXES = frozenset({".rst", ".tex", ".adoc"})

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
    "tables are not read by this version. Describe it in a note, or index a notebook that shows it": _suffixes(
        "csv tsv parquet feather arrow xlsx xls ods dta sav rds rdata"
    ),
    "not read by this version. Save it as text or Markdown to index it": _suffixes(
        "pdf ps djvu epub mobi doc docx odt rtf ppt pptx odp pages key html htm xhtml"
    ),
    "code in this language is not read by this version. Python, notebooks and Markdown are": _suffixes(
        "r jl m c h cc cpp cxx hpp cu rs go java kt scala swift js mjs ts jsx tsx rb pl lua sh bash zsh ps1 bat sql "
        "f f90 f95 hs ml ex exs clj php cs vue css scss pyx"
    ),
    "bibliographies are not read by this version. Keep notes on what you read": _suffixes("bib ris enw"),
    "chats and mail are not read by this version. Save it as Markdown to index it": _suffixes("chat mbox eml"),
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
    return READERS.get(suffix) if suffix else NAMES.get(path.name.lower())


def why_not(path_name: str) -> str:
    """Why a file of this name is not read, in one line with the cure; empty when it is read."""
    if reader(path_name):
        return ""
    path = PurePosixPath(path_name.replace("\\", "/"))
    suffix = path.suffix.lower()
    if not suffix:
        return f"no suffix says what it holds. Rename it, for instance to {path.name}.txt, to index it as text"
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
    text, remark = decode(data, uri=path_name, cookie=name == "python")
    target = max_tokens if target_tokens is None else min(target_tokens, max_tokens)
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
        lang=document.lang or front.lang,
        notes=((remark, *document.notes) if remark else document.notes),
    )


def split(chunk: Chunk, count_tokens: CountTokens, max_tokens: int) -> tuple[Chunk, ...]:
    """A chunk made elsewhere (a record) as it is when it fits the window, else in pieces, none of it lost."""
    return pack.split(chunk, count_tokens=count_tokens, max_tokens=max_tokens)


def _read(name: Reader, text: str, uri: str, count_tokens: CountTokens, max_tokens: int, target: int) -> Document:
    if name == "markdown":
        return markdown.read(text)
    if name == "notebook":
        return notebook.read(text, uri=uri)
    if name == "python":
        return code.read(text)
    if name == "text":
        return plain.read(text, PurePosixPath(uri).suffix.lower())

    def fits(value: str, whole: bool) -> bool:
        limit = min(target, max_tokens - _HEADER_ROOM) if whole else max_tokens - _HEADER_ROOM
        return window.within(value, limit, count_tokens)

    return structured.read(text, name, fits, uri=uri)
