"""What an editor is told of the language of memo cells is what Python reads."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from jupyter_memo import Memo
from jupyter_memo.jupyter import grammar, manual, values
from jupyter_memo.models.hash import HashEmbedder
from jupyter_memo.text.fields import FIELDS

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


@pytest.fixture
def golden() -> ModuleType:
    """The module that builds the golden readings."""
    spec = importlib.util.spec_from_file_location("golden_queries", GOLDEN / "queries.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_table_is_that_of_the_code() -> None:
    assert 0 == grammar.main(["--check"]), "run: python -m jupyter_memo.jupyter.grammar, then jlpm wire"


def test_a_table_that_differs_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(grammar, "GRAMMAR_FILE", tmp_path / "grammar.json")
    assert 1 == grammar.main(["--check"])
    assert "grammar.json is out of date" in capsys.readouterr().err
    assert 0 == grammar.main([])
    assert 0 == grammar.main(["--check"])


def test_the_golden_readings_are_what_python_reads(golden: ModuleType) -> None:
    assert golden.FILE.read_text(encoding="utf-8") == golden.dumps(), "run: python tests/golden/queries.py"


def test_every_field_and_every_option_has_its_help() -> None:
    table = grammar.grammar()
    assert list(FIELDS) == list(table["fields"])
    assert all(field["help"] for field in table["fields"].values())
    told = {name: [option["help"] for option in options] for name, options in table["magics"].items()}
    assert {name: [option.help for option in options] for name, options in manual.OPTIONS.items()} == told


def test_the_values_of_a_field_are_listed_under_the_name_that_the_index_uses(tmp_path: Path) -> None:
    with Memo.open(tmp_path / ".memo", embedder=HashEmbedder()) as memo:
        found = asyncio.run(values.of_fields(memo))
    assert set(found) == {field["values"] for field in grammar.grammar()["fields"].values()}
