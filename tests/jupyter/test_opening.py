"""Where JupyterLab opens a passage, and how it is quoted."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo.jupyter import opening
from jupyter_memo.records import Passage, Span
from jupyter_memo.response import SearchResponse

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def passage(uri: str, **more: Any) -> Passage:
    return Passage(id="1", source_id="2", uri=uri, text="", created_at=NOW, recorded_at=NOW, **more)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "sub").mkdir(parents=True)
    return tmp_path / "root"


def test_a_file_is_named_from_the_served_folder_on(root: Path) -> None:
    (root / "sub" / "a.pdf").touch()
    found = opening.place(passage("x/a.pdf", span=Span(page=4)), root / "sub" / "a.pdf", str(root))
    assert {"path": "sub/a.pdf", "kind": "pdf", "why": "", "page": 4} == found


def test_a_file_elsewhere_is_not_named(root: Path) -> None:
    (root.parent / "secret.md").touch()
    found = opening.place(passage("secret.md"), root.parent / "secret.md", str(root))
    assert (None, opening.OUTSIDE) == (found["path"], found["why"])


def test_a_served_folder_that_is_a_link_serves_what_it_leads_to(root: Path) -> None:
    (root / "sub" / "a.md").touch()
    (root.parent / "link").symlink_to(root)
    found = opening.place(passage("a.md"), root / "sub" / "a.md", str(root.parent / "link"))
    assert "sub/a.md" == found["path"]


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_is_gone_is_told_so(root: Path, there: bool) -> None:
    found = opening.place(passage("a.md"), root / "gone.md" if there else None, str(root))
    assert (None, opening.GONE) == (found["path"], found["why"])


def test_a_file_whose_place_cannot_be_looked_into_is_told_so(root: Path) -> None:
    found = opening.place(passage("a.md"), root / ("x" * 300) / "a.md", str(root))
    assert (None, opening.GONE) == (found["path"], found["why"])


def quoted(response: SearchResponse, text: str, *, code: bool = False, lang: str = "python") -> str:
    result = response.results[0]
    changed = dataclasses.replace(result.passage, text=text, code=code, lang=lang if code else None)
    results = (dataclasses.replace(result, passage=changed),)
    return opening.quote(dataclasses.replace(response, results=results), 1)


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://example.org/x)",
        "<img src=x onerror=1>",
        "a\n\n<script>1</script>",
        "\\![x](y) \\<b>",
        "<!-- x",
        "<?x",
        "![x][y]\n\n[y]: https://example.org",
    ],
)
def test_a_quote_shows_nothing_that_calls_home(response: SearchResponse, text: str) -> None:
    made = quoted(response, text)
    assert all(line.startswith(">") for line in made.splitlines())
    assert "![" not in made
    assert not any(f"<{sign}" in made for sign in ("img", "script", "b>", "!", "?"))


def test_code_is_quoted_in_a_fence_that_it_cannot_leave(response: SearchResponse) -> None:
    made = quoted(response, "x = 1\n```\n<b>", code=True)
    assert ["> ````python", "> x = 1", "> ```", "> <b>", "> ````"] == made.splitlines()[:5]


def test_a_language_that_would_end_the_fence_is_left_out(response: SearchResponse) -> None:
    made = quoted(response, "x = 1", code=True, lang="x\n```\n<img src=x onerror=1>")
    assert ["> ```", "> x = 1", "> ```"] == made.splitlines()[:3]


def test_formulas_and_comparisons_stay_as_they_are(response: SearchResponse) -> None:
    assert "> $a < b$ and a <= b!" in quoted(response, "$a < b$ and a <= b!")
