"""The committed front end is built from the committed sources. Checked without Node, by digests stored beside it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SOURCES = PROJECT / "labextension"
BUILT = PROJECT / "jupyter_memo" / "jupyter" / "labextension"
STATIC = PROJECT / "jupyter_memo" / "jupyter" / "static"
CURE = "run: cd labextension && jlpm install && jlpm build:prod"
ALONE = ("package.json", "tsconfig.json", "yarn.lock", "../jupyter_memo/wire.schema.json")
FOLDERS = ("schema", "scripts", "src", "style")


def digests() -> dict[str, str]:
    """The sha256 of every file that the bundles are made from, by its path from the folder of the front end."""
    inside = [path for folder in FOLDERS for path in (SOURCES / folder).rglob("*") if path.is_file()]
    names = [*ALONE, *(path.relative_to(SOURCES).as_posix() for path in inside)]
    return {name: hashlib.sha256((SOURCES / name).read_bytes()).hexdigest() for name in names}


def test_the_built_front_end_is_that_of_the_sources() -> None:
    stored = json.loads((BUILT / "sources.json").read_text(encoding="utf-8"))
    now = digests()
    changed = sorted(name for name in {*stored, *now} if stored.get(name) != now.get(name))
    assert [] == changed, f"the built front end is stale. {CURE}"


def test_the_entry_that_jupyterlab_loads_is_there() -> None:
    package = json.loads((BUILT / "package.json").read_text(encoding="utf-8"))
    assert (BUILT / package["jupyterlab"]["_build"]["load"]).is_file()
    assert "./mimeExtension" == package["jupyterlab"]["_build"]["mimeExtension"]


@pytest.mark.parametrize("folder", [BUILT, STATIC], ids=["labextension", "static"])
def test_no_development_build_is_committed(folder: Path) -> None:
    names = [path.name for path in folder.rglob("*") if path.is_file()]
    assert [] == [name for name in names if name.endswith(".map") or name == "build_log.json"]
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 300_000


def test_no_source_of_the_front_end_makes_markup_from_text() -> None:
    for path in (SOURCES / "src").rglob("*.ts"):
        text = path.read_text(encoding="utf-8")
        for way in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "DOMParser",
            "eval(",
            "Function(",
        ):
            assert way not in text, f"{path.name} uses {way}"


def test_the_versions_of_both_halves_are_the_same() -> None:
    import jupyter_memo

    assert jupyter_memo.__version__ == json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))["version"]


def test_the_lock_file_names_no_registry() -> None:
    assert "://" not in (SOURCES / "yarn.lock").read_text(encoding="utf-8").replace("patch:", "")


def test_jupyter_finds_the_front_end_of_a_source_tree() -> None:
    import jupyter_memo

    (found,) = jupyter_memo._jupyter_labextension_paths()
    assert Path(jupyter_memo.__file__).parent / found["src"] == BUILT
    assert "jupyter-memo" == found["dest"]
