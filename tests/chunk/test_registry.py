"""Which file is read by whom, and why another is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jupyter_memo.chunk import registry
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Chunk

Count = Callable[[str], int]


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("a.md", "markdown"),
        ("deep/er/A.MD", "markdown"),
        ("a.Rmd", "markdown"),
        ("a.qmd", "markdown"),
        ("a.ipynb", "notebook"),
        ("a.py", "python"),
        ("a.json", "json"),
        ("a.ndjson", "jsonl"),
        ("a.yml", "yaml"),
        ("pyproject.toml", "toml"),
        ("a.rst", "rst"),
        ("README", "text"),
        ("refs.BIB", "bibtex"),
        ("a.chat", "chat"),
        ("a.b.txt", "text"),
        (r"c:\x\a.md", "markdown"),
        ("a.pdf", "pdf"),
        ("a.tsv", "csv"),
        ("a.parquet", "arrow"),
        ("a.jl", "code"),
        ("a.docx", None),
        ("a", None),
        (".gitignore", None),
        ("md", None),
    ],
)
def test_the_reader_is_chosen_by_name(name: str, reader: str | None) -> None:
    assert reader == registry.reader(name)


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("a.docx", ".docx: not read by this version. Save it as text"),
        ("a.png", "images are not read"),
        ("a.zip", "Unpack"),
        ("a.xlsx", "Save it as CSV"),
        ("a.kt", "code in this language"),
        ("a.ciw", "Export it as BibTeX"),
        ("a.pkl", "binary"),
        ("doc_4", "Rename it, for instance to doc_4.txt"),
        ("a.xyz", "Rename it to a.txt"),
    ],
)
def test_what_is_not_read_has_a_reason_with_a_cure(name: str, cure: str) -> None:
    assert cure in registry.why_not(name)
    assert "\n" not in registry.why_not(name)


def test_what_is_read_has_no_reason_not_to_be() -> None:
    assert "" == registry.why_not("a.md")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.md", "note"),
        ("a.txt", "note"),
        ("a.rst", "document"),
        ("a.tex", "document"),
        ("a.py", "code"),
        ("a.ipynb", "notebook"),
        ("a.toml", "data"),
        ("a.bib", "paper"),
        ("a.chat", "conversation"),
        ("a.pdf", "paper"),
        ("a.csv", "data"),
        ("a.feather", "data"),
    ],
)
def test_the_kind_follows_the_suffix(name: str, kind: str) -> None:
    assert kind == registry.kind(name)


def test_a_file_nobody_reads_is_an_error_with_the_reason(count: Count) -> None:
    with pytest.raises(IngestError, match="not read by this version"):
        registry.parse("a.docx", b"PK", count_tokens=count)


@pytest.mark.parametrize("source", ["<!-- only a comment -->", "---\ntitle: only this\n---\n", "&nbsp;\n\n---\n"])
def test_a_file_without_text_is_an_error(count: Count, source: str) -> None:
    with pytest.raises(IngestError, match="holds no text") as caught:
        registry.parse("a.md", source.encode(), count_tokens=count)
    assert "chunk" == caught.value.stage


def test_the_guess_of_an_encoding_is_a_note(count: Count) -> None:
    parsed = registry.parse("a.md", "Die Größe der Straße über dem Fluß".encode("latin-1"), count_tokens=count)
    assert "a guess" in parsed.notes[0]
    assert "Größe" in parsed.chunks[0].text


def test_the_same_bytes_give_the_same_pieces(count: Count) -> None:
    data = b"# A\n\none\n\n## B\n\ntwo\n"
    assert registry.parse("a.md", data, count_tokens=count) == registry.parse("a.md", data, count_tokens=count)


def test_a_record_too_long_is_split_and_nothing_lost(count: Count) -> None:
    pieces = registry.split(Chunk(text="One two three. " * 40, header=("T",)), count, 30)
    assert 1 < len(pieces)
    assert ("One two three. " * 40).split() == " ".join(piece.text for piece in pieces).split()


def test_a_reader_that_changes_has_only_its_own_files_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table, note, record = registry.version("a.csv"), registry.version("a.md"), registry.version("")
    monkeypatch.setitem(registry.VERSIONS, "csv", 2)
    assert table != registry.version("a.csv")
    assert (note, record) == (registry.version("a.md"), registry.version(""))
