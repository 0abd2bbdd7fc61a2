"""PDF by page and paragraph."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Parsed

Count = Callable[[str], int]


def pdf(*pages: str, password: str | None = None, **metadata: str) -> bytes:
    """A file of pages that are drawn as their content streams say; /F is Helvetica."""
    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for content in pages:
        page = writer.add_blank_page(width=595, height=842)
        stream = DecodedStreamObject()
        stream.set_data(content.encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
        fonts = DictionaryObject({NameObject("/F"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    if metadata:
        writer.add_metadata({f"/{name}": value for name, value in metadata.items()})
    if password is not None:
        writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def text(*lines: str, top: int = 700, size: int = 10) -> str:
    """Lines of text, 12 points apart."""
    return "\n".join(
        f"BT /F {size} Tf 1 0 0 1 70 {top - 12 * place} Tm ({line}) Tj ET" for place, line in enumerate(lines)
    )


def parse(data: bytes, count: Count) -> Parsed:
    return registry.parse("a.pdf", data, count_tokens=count, max_tokens=100)


def test_paragraphs_know_their_page(count: Count) -> None:
    parsed = parse(pdf(text("On the first", "page."), text("On the second", "page.")), count)
    assert [(1, "On the first page."), (2, "On the second page.")] == [
        (piece.span.page, piece.text) for piece in parsed.chunks
    ]
    assert "paper" == parsed.kind


def test_title_and_date_are_those_of_the_file(count: Count) -> None:
    data = pdf(text("Some words."), Title="Tides of the North Sea", CreationDate="D:20210310054108+02'00'")
    parsed = parse(data, count)
    assert "Tides of the North Sea" == parsed.title
    assert ("Tides of the North Sea",) == parsed.chunks[0].header
    assert datetime(2021, 3, 10, 3, 41, 8, tzinfo=UTC) == parsed.created_at


@pytest.mark.parametrize("title", ["", "untitled", "Microsoft Word - thesis", "paper v3.docx", "12-34", "a_b_c"])
def test_a_title_that_is_none_gives_way_to_the_largest_type(count: Count, title: str) -> None:
    page = text("Large and short", top=750, size=20) + "\n" + text("The body", "of the page", "goes on.")
    assert "Large and short" == parse(pdf(page, Title=title), count).title


def test_pages_in_one_size_have_no_title(count: Count) -> None:
    assert None is parse(pdf(text("The body", "of the page.")), count).title


def test_a_date_that_is_none_does_no_harm(count: Count) -> None:
    assert None is parse(pdf(text("Words."), CreationDate="yesterday"), count).created_at


def test_an_index_stays_on_the_line_of_its_word(count: Count) -> None:
    words = "BT /F 10 Tf 1 0 0 1 70 700 Tm (25 kg/m) Tj ET BT /F 7 Tf 1 0 0 1 110 704 Tm (2) Tj ET "
    words += "BT /F 10 Tf 1 0 0 1 114 700 Tm ( and more) Tj ET"
    assert "25 kg/m 2 and more" == parse(pdf(words), count).chunks[0].text


def test_running_headers_and_page_numbers_are_left_out(count: Count) -> None:
    pages = [
        text(f"A header, {n}", top=800) + text(f"Body {n} of it.", top=500) + text(str(n), top=30) for n in range(4)
    ]
    assert [f"Body {n} of it." for n in range(4)] == [piece.text for piece in parse(pdf(*pages), count).chunks]


def test_a_file_that_is_only_locked_against_changes_is_read(count: Count) -> None:
    assert "Words." == parse(pdf(text("Words."), password=""), count).chunks[0].text


def test_a_password_is_asked_for_in_one_clear_line(count: Count) -> None:
    with pytest.raises(IngestError, match=r"asks for a password\. Save a copy without one"):
        parse(pdf(text("Words."), password="secret"), count)


def test_a_drawing_too_large_to_look_through_is_left_out_with_a_note(
    count: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_memo.chunk.pdf.MAX_PAGE_BYTES", 1000)
    parsed = parse(pdf(text("Words."), "0 0 m 1 1 l S\n" * 500), count)
    assert ("page 2 is a large drawing and was left out",) == parsed.notes


def test_a_page_that_fails_is_named_and_the_others_are_read(count: Count, monkeypatch: pytest.MonkeyPatch) -> None:
    from pypdf import PageObject

    whole = PageObject.extract_text

    def fails(self: PageObject, *args: Any, **kwargs: Any) -> str:
        if self.page_number == 0:
            raise RecursionError
        return whole(self, *args, **kwargs)

    monkeypatch.setattr(PageObject, "extract_text", fails)
    parsed = parse(pdf(text("One."), text("Two.")), count)
    assert ["Two."] == [piece.text for piece in parsed.chunks]
    assert ("page 1 could not be read",) == parsed.notes


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a valid PDF"),
        (b"%PDF-1.4\n", "not a valid PDF"),
        (b"no pdf at all" * 99, "not a valid PDF"),
        (pdf(text("Words."))[:400], "not a valid PDF"),
        (pdf(""), "holds no text"),
    ],
)
def test_what_cannot_be_read_is_one_clear_error(count: Count, data: bytes, message: str) -> None:
    with pytest.raises(IngestError, match=message) as caught:
        parse(data, count)
    assert "\n" not in str(caught.value)


def test_a_real_scan_is_said_to_have_no_text_layer(count: Count, shared_data: Path) -> None:
    path = shared_data / "formats/misc/pdf/non_text_searchable.pdf"
    with pytest.raises(IngestError, match=r"no text layer.*Run text recognition"):
        parse(path.read_bytes(), count)


def test_a_real_article_is_read_by_page_in_whole_words(count: Count, shared_data: Path) -> None:
    parsed = registry.parse(
        "a.pdf",
        (shared_data / "formats/papers/nutrients-13-01241.pdf").read_bytes(),
        count_tokens=count,
        max_tokens=254,
    )
    pages = {number: [piece.text for piece in parsed.chunks if piece.span.page == number] for number in range(1, 14)}
    assert all(pages.values())
    assert "Coffee Consumption and All-Cause" in str(parsed.title)
    assert any("scientific" in text or "insufficient" in text for text in pages[2])
    everything = "\n".join(text for texts in pages.values() for text in texts)
    assert "relative Mediterranean diet score" in everything
    assert "self-reported" in everything
    assert "/gid" not in everything
    assert not any("of 13" in text for text in pages[5])
    assert "Nutrients 2021, 13, 1241 2" not in everything


def test_the_parser_says_nothing_on_the_screen(
    count: Count, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import logging

    handlers = logging.getLogger().handlers[:]
    try:
        logging.getLogger().handlers.clear()
        parse((shared_data / "formats/papers/nutrients-13-01241.pdf").read_bytes(), count)
    finally:
        logging.getLogger().handlers[:] = handlers
    assert ("", "") == capsys.readouterr()
