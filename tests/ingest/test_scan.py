from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from jupyter_memo.errors import QueryError
from jupyter_memo.ingest.roots import Root, Roots
from jupyter_memo.ingest.scan import Rules, Scan, scan


def run(folder: Path, *paths: Path, **rules: object) -> Scan:
    return scan(paths or (folder,), Roots(entries=(Root(alias="", folder=folder),)), Rules(**rules))  # type: ignore[arg-type]


def write(folder: Path, *names: str, text: str = "some words\n") -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def found(of: Scan) -> list[str]:
    return [entry.uri for entry in of.found]


def reasons(of: Scan) -> dict[str, str]:
    return {entry.uri: entry.reason for entry in of.skipped}


def test_files_that_have_a_reader_are_found_in_order(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/c.py", "a/b.ipynb")
    assert ["a/b.ipynb", "a/c.py", "b.md"] == found(run(tmp_path))


def test_every_other_file_is_listed_with_a_reason(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "photo.png", "thing.xyz", ".hidden.md", "node_modules/x.py", ".git/config")
    report = reasons(run(tmp_path))
    assert {"photo.png", "thing.xyz", ".hidden.md", "node_modules/", ".git/"} == set(report)
    assert all(report.values())


def test_checkpoints_of_notebooks_and_generated_folders_are_not_walked(tmp_path: Path) -> None:
    write(
        tmp_path, "a.ipynb", ".ipynb_checkpoints/a-checkpoint.ipynb", "build/b.md", "site-packages/c.py", ".venv/d.py"
    )
    assert ["a.ipynb"] == found(run(tmp_path))
    assert {"build/", "site-packages/", ".venv/"} == set(reasons(run(tmp_path)))


def test_a_key_file_is_not_said_to_be_worth_renaming(tmp_path: Path) -> None:
    write(tmp_path, "id_rsa", "server.pem")
    assert {"by its name it holds keys or passwords"} == set(reasons(run(tmp_path)).values())


def test_patterns_of_the_settings_are_ignored(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "drafts/b.md")
    assert ["a.md"] == found(run(tmp_path, ignore=("drafts/",)))


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text="")
    assert {"a.md": "empty file"} == reasons(run(tmp_path))


def test_a_file_above_the_limit_names_the_setting(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text="x" * 3_000_000)
    assert "index.max_megabytes" in reasons(run(tmp_path, max_bytes=1_000_000))["a.md"]


def test_gitignore_and_memoignore_are_obeyed(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "private/b.md", "drafts/c.md")
    (tmp_path / ".gitignore").write_text("private/\n")
    (tmp_path / ".memoignore").write_text("drafts\n")
    assert ["a.md"] == found(run(tmp_path))


def test_an_inner_ignore_file_may_take_back_what_an_outer_one_left_out(tmp_path: Path) -> None:
    write(tmp_path, "x.md", "inner/x.md")
    (tmp_path / ".gitignore").write_text("x.md\n")
    (tmp_path / "inner" / ".gitignore").write_text("!x.md\n")
    assert ["inner/x.md"] == found(run(tmp_path))


def test_ignore_files_above_the_asked_folder_hold_too(tmp_path: Path) -> None:
    write(tmp_path, "a/keep.md", "a/drop.md")
    (tmp_path / ".gitignore").write_text("drop.md\n")
    assert ["a/keep.md"] == found(run(tmp_path, tmp_path / "a"))


def test_a_named_file_is_read_although_it_is_hidden_or_ignored(tmp_path: Path) -> None:
    write(tmp_path, ".a.md", "b.md")
    (tmp_path / ".gitignore").write_text("b.md\n")
    assert [".a.md", "b.md"] == found(run(tmp_path, tmp_path / ".a.md", tmp_path / "b.md"))


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside/secret.md", "root/a.md")
    (tmp_path / "root" / "link").symlink_to(tmp_path / "outside")
    assert ["a.md"] == found(run(tmp_path / "root"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep names that are text only")
def test_a_name_that_is_no_text_is_left_out_and_told(tmp_path: Path) -> None:
    for name in (b"b\xff.md", b"d\xff/c.md"):
        path = tmp_path / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    of = run(tmp_path)
    assert [] == found(of)
    assert {"b?.md", "d?/c.md"} == set(reasons(of))
    assert all("is no text. Rename it" in reason for reason in reasons(of).values())


def test_a_link_to_itself_is_left_out_and_stops_nothing(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    (tmp_path / "loop").symlink_to("loop")
    of = run(tmp_path)
    assert ["a.md"] == found(of)
    assert {"loop": "a link that leads nowhere or out of the indexed folder"} == reasons(of)


def test_a_link_in_a_circle_ends(tmp_path: Path) -> None:
    write(tmp_path, "a/b.md")
    (tmp_path / "a" / "again").symlink_to(tmp_path / "a")
    of = run(tmp_path)
    assert ["a/b.md"] == found(of)
    assert "walked already" in reasons(of)["a/again/"]


def test_a_path_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(QueryError, match=r"no file or folder at .*nope"):
        run(tmp_path, tmp_path / "nope")


def test_a_root_outside_the_store_gets_an_alias_that_no_own_folder_has(tmp_path: Path) -> None:
    write(tmp_path, "home/notes/a.md", "elsewhere/notes/b.md")
    roots = Roots(entries=(Root(alias="", folder=tmp_path / "home"),)).including(tmp_path / "elsewhere" / "notes")
    assert "notes-2/b.md" == roots.uri(tmp_path / "elsewhere" / "notes" / "b.md")


def test_a_parent_folder_indexed_later_keeps_the_uris_of_its_child(tmp_path: Path) -> None:
    write(tmp_path, "all/sub/a.md", "all/b.md")
    roots = Roots().including(tmp_path / "all" / "sub").including(tmp_path / "all")
    of = scan((tmp_path / "all",), roots, Rules())
    assert ["all/b.md", "sub/a.md"] == found(of)


def test_a_root_that_is_gone_is_bound_to_a_new_folder_that_holds_its_files(tmp_path: Path) -> None:
    write(tmp_path, "now/notes/a.md")
    roots = Roots(entries=(Root(alias="notes", folder=tmp_path / "before" / "notes"),))
    size = (tmp_path / "now" / "notes" / "a.md").stat().st_size
    bound = roots.including(tmp_path / "now" / "notes", {"notes": [("a.md", size)]})
    assert "notes/a.md" == bound.uri(tmp_path / "now" / "notes" / "a.md")


def test_a_root_that_is_gone_is_left_alone_by_another_folder_of_its_name(tmp_path: Path) -> None:
    write(tmp_path, "now/notes/a.md")
    roots = Roots(entries=(Root(alias="notes", folder=tmp_path / "before" / "notes"),))
    bound = roots.including(tmp_path / "now" / "notes", {"notes": [("a.md", 1)]})
    assert "notes-2/a.md" == bound.uri(tmp_path / "now" / "notes" / "a.md")
