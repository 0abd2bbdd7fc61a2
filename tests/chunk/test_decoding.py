"""Bytes to text."""

from __future__ import annotations

import pytest

from jupyter_memo.chunk.decoding import decode
from jupyter_memo.errors import IngestError

TEXT = "Größe, naïve café: what a small town remembers of its river\nzweite Zeile\n" * 5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_utf8_needs_no_remark(encoding: str) -> None:
    assert (TEXT, None) == decode(TEXT.encode(encoding), uri="a.txt")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_wide_encodings_are_read_and_named(encoding: str) -> None:
    text, remark = decode(TEXT.encode(encoding), uri="a.txt")
    assert text == TEXT
    assert remark is not None
    assert encoding.upper()[:6] in remark


def test_latin_1_is_guessed_and_the_guess_is_told() -> None:
    text, remark = decode(TEXT.encode("latin-1"), uri="a.txt")
    assert text == TEXT
    assert remark is not None
    assert "guess" in remark


def test_a_coding_line_decides_for_code() -> None:
    source = "# -*- coding: koi8-r -*-\nname = 'Привет'\n"
    text, remark = decode(source.encode("koi8-r"), uri="a.py", cookie=True)
    assert text == source
    assert remark == "read as koi8-r, as its first lines say"


@pytest.mark.parametrize("feed", ["\r\n", "\r"])
def test_line_feeds_become_plain(feed: str) -> None:
    assert ("a\nb\n", None) == decode(f"a{feed}b{feed}".encode(), uri="a.txt")


@pytest.mark.parametrize("data", [b"", b" \n\t", "\ufeff ".encode()])
def test_an_empty_file_is_said_to_be_empty(data: bytes) -> None:
    with pytest.raises(IngestError, match="empty") as caught:
        decode(data, uri="a.txt")
    assert ("a.txt", "read") == (caught.value.uri, caught.value.stage)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", b"abc\x00def", bytes(range(1, 20)) * 9])
def test_binary_is_said_to_be_binary(data: bytes) -> None:
    with pytest.raises(IngestError, match="binary"):
        decode(data, uri="a.txt")


def test_colours_of_a_terminal_are_text() -> None:
    assert decode(b"\x1b[31mred\x1b[0m " * 50, uri="a.log")[0].startswith("\x1b[31mred")
