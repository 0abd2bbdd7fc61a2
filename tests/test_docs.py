"""The documents: every Python block of the README runs, its two commands are marked, its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(<!-- command: (\w+) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [match.group(2, 3, 4) for match in BLOCK.finditer(README)]


def test_the_readme_has_exactly_two_commands_and_each_is_marked() -> None:
    assert ["run", "test"] == [mark for mark, language, _ in BLOCKS if language == "bash"]
    assert not [mark for mark, language, _ in BLOCKS if mark and language != "bash"]


def test_each_command_is_one_line() -> None:
    assert [1, 1] == [len(text.splitlines()) for _, language, text in BLOCKS if language == "bash"]


def test_every_python_block_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [text for _, language, text in BLOCKS if language == "python"]
    assert blocks
    names: dict[str, object] = {"__name__": "readme"}
    for number, text in enumerate(blocks, 1):
        exec(compile(text, f"README.md, Python block {number}", "exec"), names)


def test_every_relative_link_of_the_readme_leads_to_a_file() -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", README)
    assert targets
    assert [] == [target for target in targets if not (PROJECT / target).exists()]


@pytest.mark.parametrize("name", ["README.md", "jupyter_memo/CHANGELOG.md"])
def test_documents_hold_no_machine_paths(name: str) -> None:
    text = (PROJECT / name).read_text(encoding="utf-8")
    assert [] == re.findall(r"(?<![\w.~])/(?:home|Users|root|tmp|work)/\S*", text)
