"""The JSON form: nothing is lost, nothing is rounded, and its schema is the committed one."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest

from jupyter_memo import wire
from jupyter_memo.errors import QueryError, StoreError
from jupyter_memo.response import SearchResponse

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("response", "degraded", "empty")


@pytest.fixture(scope="module")
def golden() -> ModuleType:
    """The module that builds the golden responses."""
    spec = importlib.util.spec_from_file_location("golden_build", GOLDEN / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def response(golden: ModuleType) -> SearchResponse:
    return golden.response()


@pytest.mark.parametrize("name", NAMES)
def test_the_golden_files_are_what_their_builder_makes(name: str, golden: ModuleType) -> None:
    written = (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
    assert written == wire.dumps(golden.BUILDERS[name]()) + "\n", "run: python tests/golden/build.py"


@pytest.mark.parametrize("name", NAMES)
def test_reading_gives_back_the_same_response(name: str, golden: ModuleType) -> None:
    whole = golden.BUILDERS[name]()
    assert whole == wire.loads(wire.dumps(whole))


def test_without_texts_only_texts_and_standing_places_are_missing(response: SearchResponse) -> None:
    light = wire.loads(wire.dumps(response, "snippets"))
    for before, after in zip(response, light, strict=True):
        assert before.why is not None
        assert after.why is not None
        assert (before.snippet, before.marks) == (after.snippet, after.marks)
        assert replace(before.passage, text="") == after.passage
        assert replace(before.why, places=()) == replace(after.why, places=())
    assert response.trace == light.trace


def test_no_text_beyond_the_snippet_is_inside(response: SearchResponse) -> None:
    assert "not of the architecture" in wire.dumps(response)
    assert "not of the architecture" not in wire.dumps(response, "snippets")


def test_numbers_are_raw_and_times_are_utc_with_z(response: SearchResponse) -> None:
    data = wire.to_dict(response)
    assert 0.5 / 61 == data["results"][0]["why"]["arms"][0]["contribution"]
    assert "2026-11-29T09:41:00Z" == data["now"]
    assert "2026-11-28T18:05:30.250000Z" == data["results"][0]["passage"]["recorded_at"]


def test_the_version_stands_first_and_keys_keep_the_order_of_the_fields(response: SearchResponse) -> None:
    assert ["schema", "text", "query", "results", "score_scale"] == list(wire.to_dict(response))[:5]


@pytest.mark.parametrize("level", ["full", "snippets"])
@pytest.mark.parametrize("name", NAMES)
def test_every_form_follows_the_schema(level: wire.TextLevel, name: str, golden: ModuleType) -> None:
    jsonschema.Draft202012Validator(wire.schema()).validate(wire.to_dict(golden.BUILDERS[name](), level))


def test_a_comparison_follows_its_part_of_the_schema() -> None:
    data = json.loads((GOLDEN / "comparison.json").read_text(encoding="utf-8"))
    assert 1 == data.pop("schema")
    whole = wire.schema()
    part = {"$defs": whole["$defs"], **whole["$defs"]["Comparison"], "additionalProperties": False}
    jsonschema.Draft202012Validator(part).validate(data)
    assert {"query", "a", "b", "moves", "differences", "model", "index_version", "now"} <= set(part["required"])


def test_the_schema_refuses_another_version(response: SearchResponse) -> None:
    data = {**wire.to_dict(response), "schema": 2}
    assert not jsonschema.Draft202012Validator(wire.schema()).is_valid(data)


def test_the_committed_schema_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == wire.main(["--check"]), "run: python -m jupyter_memo.wire"
    assert "" == capsys.readouterr().err


def test_a_schema_that_drifted_fails_the_check_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wire, "SCHEMA_FILE", tmp_path / "wire.schema.json")
    wire.SCHEMA_FILE.write_text("{}", encoding="utf-8")
    assert 1 == wire.main(["--check"])
    assert "wire.schema.json is out of date. Run: python -m jupyter_memo.wire\n" == capsys.readouterr().err
    assert 0 == wire.main([])
    assert 0 == wire.main(["--check"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "reads schema 1"),
        ('{"schema": 2}', "pip install -U jupyter_memo"),
        ('{"schema": 1, "query": "x"}', "cannot be read: results"),
        ('{"schema": 1, "results": [7]}', "is damaged"),
    ],
)
def test_what_cannot_be_read_is_a_store_error_with_a_cure(text: str, message: str) -> None:
    with pytest.raises(StoreError, match=message):
        wire.loads(text)


def test_an_unknown_level_names_the_levels(response: SearchResponse) -> None:
    with pytest.raises(QueryError, match="full, snippets"):
        wire.to_dict(response, "some")  # type: ignore[arg-type]


def test_fields_of_a_later_version_are_ignored(response: SearchResponse) -> None:
    data = {**wire.to_dict(response), "novelty": 1}
    assert response == wire.loads(json.dumps(data))


def test_lone_surrogates_do_not_keep_a_notebook_from_being_saved(response: SearchResponse) -> None:
    odd = replace(response, query="a\ud800b κ")
    assert "a\ufffdb κ" == json.loads(wire.dumps(odd).encode("utf-8"))["query"]


def test_to_json_is_the_same_text(response: SearchResponse) -> None:
    assert wire.dumps(response) == response.to_json()
