"""Bytes to text: byte-order marks, UTF-8, UTF-16, and a guess for the rest that is reported."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator

import webencodings

from jupyter_memo.errors import IngestError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_META = re.compile(
    rb"""(?:<meta\b[^<>]*?\bcharset|<\?xml\b[^<>]*?\bencoding)\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")

SAMPLE_BYTES = 65_536
"""How much of a file is looked at to guess its encoding."""

HEAD_BYTES = 4096
"""How much of a page is looked at for what it says of its encoding; a browser looks at a quarter of that."""

PIECE_BYTES = 128 * 1024

BINARY_SHARE = 100
"""More than one control character in so many says that a file is not text. Escape characters of terminals are none."""


def decode(data: bytes, *, uri: str, cookie: bool = False, meta: bool = False) -> tuple[str, str | None]:
    """The text of a file with plain line feeds, and a remark when its encoding was not plain UTF-8, else None.

    A byte-order mark decides, then (with `cookie`) a coding line as Python has it, then UTF-8, then (with `meta`) what
    a page says of itself, then UTF-16 without a mark, then a guess by charset-normalizer. Raises IngestError for what
    is empty or looks binary.
    """
    encoding, remark = encoding_of(data, uri=uri, cookie=cookie, meta=meta)
    text = data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise IngestError("the file is empty", uri=uri, stage="read")
    _check_text(text, uri)
    return text, remark


def lines(data: bytes, *, uri: str) -> tuple[Iterator[str], str | None]:
    """The same line by line, each with its line feed as it stands, without ever holding the whole text."""
    encoding, remark = encoding_of(data, uri=uri)
    _check_text(data[:SAMPLE_BYTES].decode(encoding, "replace"), uri)
    return iter(io.TextIOWrapper(io.BytesIO(data), encoding, "replace", newline="")), remark


def encoding_of(data: bytes, *, uri: str, cookie: bool = False, meta: bool = False) -> tuple[str, str | None]:
    """The encoding of a file, and a remark when it is not plain UTF-8."""
    if not data or data.isspace():
        raise IngestError("the file is empty", uri=uri, stage="read")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            if not _valid(data, encoding):
                message = f"it begins with the mark of {encoding.upper()} and is not that. Save it as UTF-8"
                raise IngestError(message, uri=uri, stage="read")
            return encoding, None if encoding == "utf-8-sig" else f"read as {encoding.upper()}"
    if cookie and (named := _named(data)) and _valid(data, named):
        return named, None if named == "utf-8" else f"read as {named}, as its first lines say"
    told = _declared(data) if meta else None
    # Many pages that were saved as UTF-8 still name what they were before; none is valid UTF-8 by chance. What shifts
    # between sets of characters is made of ASCII alone.
    if _valid(data, "utf-8") and not (told == "iso2022_jp" and b"\x1b" in data):
        return "utf-8", None
    if told and _valid(data, told):
        return told, f"read as {told}, as the page says"
    if wide := _wide(data):
        return wide, f"read as {wide.upper()}, without a byte-order mark"
    if b"\x00" in data:
        raise _binary(uri)
    encoding = _guess(data[:SAMPLE_BYTES])
    return encoding, f"not UTF-8; read as {encoding}, a guess. Save it as UTF-8 to be sure"


def _valid(data: bytes, encoding: str) -> bool:
    """Whether the bytes are text of this encoding, looked at piece by piece."""
    try:
        b"".decode(encoding)  # refuses what is a codec, but no encoding of text
        decoder = codecs.getincrementaldecoder(encoding)("strict")
        for start in range(0, len(data), PIECE_BYTES):
            decoder.decode(data[start : start + PIECE_BYTES])
        decoder.decode(b"", True)
    except (UnicodeError, LookupError):
        return False
    return True


def _check_text(text: str, uri: str) -> None:
    if "\x00" in text or len(_CONTROLS.findall(text, 0, SAMPLE_BYTES)) * BINARY_SHARE > min(len(text), SAMPLE_BYTES):
        raise _binary(uri)


def _guess(sample: bytes) -> str:
    """The best guess; cp1252 where nothing is better or nothing is known, as most editors wrote it that did not write
    UTF-8."""
    from charset_normalizer import from_bytes

    matches = list(from_bytes(sample))
    if not matches:
        return "cp1252"
    best = matches[0]
    equal = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    return (
        "cp1252"
        if any("cp1252" in (match.encoding, *match.could_be_from_charset) for match in equal)
        else best.encoding
    )


def _named(data: bytes) -> str | None:
    """The encoding a coding line in the first two lines names (PEP 263)."""
    for line in data.split(b"\n", 2)[:2]:
        if match := _COOKIE.match(line):
            name = match[1].decode("ascii", "replace").lower()
            return "utf-8" if name.startswith(("utf-8", "utf8")) else name
    return None


def _declared(data: bytes) -> str | None:
    """The encoding that the head of a page names, by the name it has in Python."""
    match = _META.search(data, 0, HEAD_BYTES)
    found = webencodings.lookup(match[1].decode("ascii", "replace")) if match else None
    # It was found among single bytes, so it is none of two bytes a character, whatever the page was before.
    return found.codec_info.name if found and not found.name.startswith("utf-16") else None


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: in Western text every other byte is zero."""
    sample = data[:SAMPLE_BYTES]
    half = len(sample) // 2
    if half < 2 or len(data) % 2:
        return None
    even, odd = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    if odd > 0.5 > even * 5:
        return "utf-16-le"
    return "utf-16-be" if even > 0.5 > odd * 5 else None


def _binary(uri: str) -> IngestError:
    return IngestError("it looks binary, not like text. Rename it if its suffix is wrong", uri=uri, stage="read")
