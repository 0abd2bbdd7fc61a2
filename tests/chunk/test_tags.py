from __future__ import annotations

import pytest

from jupyter_memo.chunk import markdown
from jupyter_memo.chunk.tags import inline


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#field-work and #river/upper", ("field-work", "river/upper")),
        ("(#open, #done)", ("open", "done")),
        ("the end #done.", ("done",)),
        ("twice #done #done", ("done",)),
        ("#Ökologie #日本語 #2026-plan", ("Ökologie", "日本語", "2026-plan")),
    ],
)
def test_tags_are_read_from_the_text(text: str, tags: tuple[str, ...]) -> None:
    assert tags == inline(text)


@pytest.mark.parametrize(
    "text",
    [
        "issue #123",
        "white is #fff, blue #1f77b4, red #d62728ff",
        "`#tag` and ``a ` #b``",
        "[place](#heading) and [[Note#Part]]",
        "https://example.org/#part",
        'a <a href=" #x ">link</a>',
        "C# and a#b",
        "# heading",
        "## #",
        r"\#escaped",
        "<!-- #todo -->",
        "$x #y$",
    ],
)
def test_what_only_looks_like_a_tag_is_none(text: str) -> None:
    assert () == inline(text)


def test_headings_and_code_of_a_note_give_no_tags() -> None:
    text = "# A #title\n\nText #kept.\n\n```\n#fenced\n```\n\n    #indented\n"
    assert ("kept",) == markdown.read(text).front.tags
