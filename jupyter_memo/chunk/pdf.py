"""PDF by page and paragraph, under its title, as pypdf reads its text layer."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from jupyter_memo.chunk import layout
from jupyter_memo.chunk.frontmatter import FrontMatter
from jupyter_memo.chunk.layout import Line
from jupyter_memo.chunk.section import Block, Document, Section
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Span

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MAX_PAGE_BYTES = 2 * 1024 * 1024
"""What draws one page, unpacked: of a printed page some ten thousand bytes. More of it is a drawing, in which a search
for text takes nine seconds a megabyte."""

SAME_LINE = 0.45
"""Baselines that differ by less of the size of the type are one line: indices and exponents."""

MAX_LINE = 10_000
"""Characters of a line; more of them stand on no paper."""

TITLE_RATIO = 1.2
"""Type so much larger than the usual one of the first page is its title."""

_NO_TITLE = re.compile(
    r"untitled|title|microsoft (?:word|powerpoint)\b.*|.*\.(?:docx?|dvi|tex|pdf|indd|pptx?|odt|rtf|ps|qxd|fm)|[\W\d_]*",
    re.IGNORECASE,
)


def read(data: bytes, *, uri: str) -> Document:
    """A PDF. Raises IngestError with the cure when it is none, is encrypted, or is a scan without a text layer."""
    # Without a handler, what the parser has to say would go to the user's screen.
    logging.getLogger("pypdf").addHandler(logging.NullHandler())
    try:
        reader = _opened(data, uri)
        count = len(reader.pages)
    except IngestError:
        raise
    except Exception as error:  # a broken file breaks the parser in many ways
        raise IngestError(f"it is not a valid PDF ({_reason(error)}). Save it again", uri=uri, stage="read") from error
    pages: list[list[Line]] = []
    scans: list[int] = []
    notes: list[str] = []
    broken: list[int] = []
    for number in range(1, count + 1):
        lines: list[Line] = []
        try:
            page = reader.pages[number - 1]
            if _bytes(page) > MAX_PAGE_BYTES:
                notes.append(f"page {number} is a large drawing and was left out")
            else:
                lines = _lines(page)
                if not lines and _has_image(page):
                    scans.append(number)
        except Exception:  # a page may be broken in any way; the others are read all the same
            broken.append(number)
        pages.append(lines)
    if scans:
        notes.append(f"no text layer on {_listed(scans)}. Text recognition (OCR) adds one")
    if broken:
        notes.append(f"{_listed(broken)} could not be read")
    if not any(pages):
        raise IngestError(_why_empty(scans, broken), uri=uri, stage="chunk")
    title = _title(reader, pages[0])
    pages = layout.without_running(pages)
    known = layout.vocabulary(pages)
    sections = tuple(
        Section(
            header=(title,) if title else (),
            blocks=tuple(Block(text=text) for text in layout.paragraphs(lines, known)),
            span=Span(page=number),
        )
        for number, lines in enumerate(pages, 1)
        if lines
    )
    return Document(
        sections=sections,
        title=title,
        front=FrontMatter(created_at=_created(reader)),
        lang=_language(reader),
        notes=tuple(notes),
    )


def _opened(data: bytes, uri: str) -> PdfReader:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        try:
            opened = reader.decrypt("")  # most are locked against changes only
        except DependencyError as error:
            cure = "Install the package cryptography, or save a copy without encryption"
            raise IngestError(f"it is encrypted by AES. {cure}", uri=uri, stage="read") from error
        except FileNotDecryptedError:
            opened = None
        if not opened:
            raise IngestError("it asks for a password. Save a copy without one", uri=uri, stage="read")
    return reader


def _bytes(page: PageObject) -> int:
    contents = page.get_contents()
    return len(contents.get_data()) if contents is not None else 0


def _lines(page: PageObject) -> list[Line]:
    """The lines of a page in the order in which they were written."""
    lines: list[Line] = []
    spaced = False
    end = 0.0

    def visit(text: str, user: Sequence[float], own: Sequence[float], _: object, size: float | None) -> None:
        nonlocal spaced, end
        x = own[4] * user[0] + own[5] * user[2] + user[4]
        y = own[4] * user[1] + own[5] * user[3] + user[5]
        a, b = own[0] * user[0] + own[1] * user[2], own[0] * user[1] + own[1] * user[3]
        height = (size or 1.0) * max((a * a + b * b) ** 0.5, 1e-3)
        for place, part in enumerate(layout.legible(text.replace("\r", "\n")) for text in text.split("\n")):
            at = y - place * 1.2 * height
            before = lines[-1] if lines else None
            if not part.strip():
                spaced = spaced or bool(part) or place > 0
                continue
            upright = abs(b) <= abs(a)
            beside = (
                before is not None
                and abs(before.y - at) < SAME_LINE * max(before.size, height)
                and upright == before.upright
                and x >= end - 0.1 * height
                and len(before.text) < MAX_LINE
            )
            if before is not None and beside:
                spaced = spaced or part[:1].isspace() or before.text[-1:].isspace()
                main = before if before.size >= height else Line(text="", x=before.x, y=at, size=height)
                joined = before.text.rstrip() + (" " if spaced else "") + part.lstrip()
                lines[-1] = Line(text=joined, x=before.x, y=main.y, size=main.size, upright=upright)
            else:
                lines.append(Line(text=part.lstrip(), x=x, y=at, size=height, upright=upright))
            end = x
            spaced = False
        spaced = spaced or text.endswith("\n")

    page.extract_text(visitor_text=visit)
    return [line for line in lines if any(map(str.isalnum, line.text))]


def _has_image(page: PageObject) -> bool:
    resources: Any = page.get("/Resources")
    found = resources.get_object().get("/XObject") if resources is not None else None
    objects = (each.get_object() for each in found.get_object().values()) if found is not None else ()
    return any(each.get("/Subtype") in ("/Image", "/Form") for each in objects)


def _title(reader: PdfReader, first: Sequence[Line]) -> str | None:
    """What the file calls itself where that is a title, else what stands largest at the top of its first page."""
    try:
        named = reader.metadata.title if reader.metadata else None
    except Exception:  # metadata is the part most often broken
        named = None
    named = " ".join(layout.legible(named).split()) if isinstance(named, str) else ""
    words = " ".join(line.text for line in first)
    if named and not _NO_TITLE.fullmatch(named) and (" " in named or named in words):
        return named[:300]
    upright = [line for line in first if line.upright]
    if len(upright) < 2:
        return None
    usual = sorted(line.size for line in upright)[len(upright) // 2]
    largest = max(line.size for line in upright)
    large = [line.text for line in upright if line.size > largest / 1.05]
    title = " ".join(" ".join(large).split())
    return title if largest > TITLE_RATIO * usual and " " in title and len(title) <= 300 else None


def _created(reader: PdfReader) -> datetime | None:
    try:
        created = reader.metadata.creation_date if reader.metadata else None
    except Exception:  # as it says anything
        return None
    if not isinstance(created, datetime):
        return None
    try:
        return created.replace(tzinfo=UTC) if created.tzinfo is None else created.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _language(reader: PdfReader) -> str | None:
    try:
        named = reader.root_object.get("/Lang")
    except Exception:  # it says nothing
        return None
    return named.strip() or None if isinstance(named, str) and len(named) < 20 else None


def _why_empty(scans: list[int], broken: list[int]) -> str:
    if scans:
        return "it has no text layer: its pages are pictures. Run text recognition (OCR) on it, for instance ocrmypdf"
    return "none of its pages could be read. Save it again" if broken else "it holds no text"


def _listed(numbers: list[int]) -> str:
    """`page 3`, `pages 3, 4, 7`, `pages 1, 2, 3 and 40 more`."""
    shown = ", ".join(map(str, numbers[:8])) + (f" and {len(numbers) - 8} more" if len(numbers) > 8 else "")
    return f"page{'s' if len(numbers) > 1 else ''} {shown}"


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
