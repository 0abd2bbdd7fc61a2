"""%memo compare and %memo profiles, in a shell with a real engine over a few notes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_memo import config, wire
from jupyter_memo.comparison import Comparison
from jupyter_memo.engine import Memo
from jupyter_memo.errors import ProfileError
from jupyter_memo.jupyter import display, settings
from jupyter_memo.jupyter.completion import candidates
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.profile import PROFILES

NOTES = (
    {"id": "notes/drift.md", "title": "Drift", "text": "Turbidity probes drift by two units a month.", "kind": "note"},
    {"id": "notes/probes.md", "title": "Probes", "text": "The probes at the weir were changed in spring."},
    {"id": "code/pump.py", "title": "Pump", "text": "def drift(probes): return probes.mean()", "kind": "code"},
)
OWN = '[profiles.words]\nbase = "keyword-only"\npurpose = "for exact words"\npage = 2\n'


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    """A small index, opened where a settings file of the user's own holds a profile."""
    folder = tmp_path_factory.mktemp("own")
    own = folder / config.FILE_NAME
    own.write_text(OWN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(config, "own_file", lambda: own)
        patch.chdir(folder)
        memo = Memo.open(folder / ".memo", embedder=embedder)
        memo.add(NOTES)
        with pytest.MonkeyPatch.context() as stays_open:  # a shell that unloads the extension closes what it opened
            stays_open.setattr(memo, "close", lambda: None)
            yield memo
        memo.close()


@pytest.fixture
def asking(shell: InteractiveShell, kept: Memo) -> InteractiveShell:
    """A shell whose magics have that index open."""
    magics: Any = shell.magics_manager.registry["MemoMagics"]
    magics._opener = lambda *_, **__: kept
    return shell


def run(shell: InteractiveShell, cell: str) -> Any:
    outcome = shell.run_cell(cell)
    outcome.raise_error()
    return outcome.result


def test_a_line_compares_two_profiles_on_its_query(asking: InteractiveShell) -> None:
    told = run(asking, "%memo compare --profiles rrf,words --kind note # drift")
    assert isinstance(told, Comparison)
    assert ("rrf", "words", "# drift") == (told.a.profile, told.b.profile, told.query)
    assert {"notes/drift.md"} == {move.uri for move in told.moves}
    data, _ = asking.display_formatter.format(told)
    assert told.query == data[display.COMPARISON_MIME]["query"]
    assert data["text/plain"].startswith("# drift\nrrf → words · ")
    assert "<article" in data["text/html"]


def test_options_may_stand_behind_the_query(asking: InteractiveShell) -> None:
    told = run(asking, "%memo compare probe drift --profiles rrf,words --limit 1")
    assert ("probe drift", 1) == (told.query, told.a.limit)


def test_without_a_query_that_of_the_last_answer_is_asked_as_it_was(asking: InteractiveShell) -> None:
    run(asking, "%memo_search --kind note --limit 3 --profile rrf probe drift")
    told = run(asking, "%memo compare --profiles words")
    assert ("probe drift", "rrf", "words", 3) == (told.query, told.a.profile, told.b.profile, told.a.limit)
    assert all(move.uri == "notes/drift.md" for move in told.moves)


def test_one_profile_is_compared_with_that_of_the_memo(asking: InteractiveShell) -> None:
    told = run(asking, "%memo compare --profiles rrf drift")
    assert ("default", "rrf") == (told.a.profile, told.b.profile)


@pytest.mark.parametrize(
    ("line", "cure"),
    [
        ("drift", "name two profiles: %memo compare --profiles A,B QUERY"),
        ("--profiles a,b,c drift", "name two profiles"),
        ("--profiles default,rrf", "name the query too"),
        ("--profiles default,rff drift", "Did you mean rrf"),
        ("drift --profiles default,rrf more", "Write the query before --profiles"),
        ("--offset 3 --profiles default,rrf drift", "unknown option --offset"),
    ],
)
def test_a_slip_is_told_in_one_line(asking: InteractiveShell, line: str, cure: str) -> None:
    with pytest.raises(UsageError, match=cure):
        run(asking, f"%memo compare {line}")


def test_the_share_level_bounds_what_is_saved_of_a_comparison(asking: InteractiveShell) -> None:
    for more in ("", "--granularity document "):
        told = run(asking, f"%memo compare --share none {more}--profiles rrf,words drift")
        made = json.dumps(told._repr_mimebundle_())
        assert "pump" not in made
        assert "Drift" not in made
        assert "notes/" not in made
        assert "notes/drift.md" in {move.uri for move in told.moves}
        assert wire.LEFT_OUT["none"] in made


def test_profiles_lists_them_with_those_of_the_user(asking: InteractiveShell) -> None:
    data, _ = asking.display_formatter.format(run(asking, "%memo profiles"))
    assert "for exact words · made from keyword-only" in data["text/plain"]
    assert "<td style=text-align:left>for exact words" in data["text/html"]


def test_profiles_with_a_name_shows_all_its_constants(asking: InteractiveShell) -> None:
    data, _ = asking.display_formatter.format(run(asking, "%memo profiles words"))
    assert "words: for exact words · made from keyword-only" == data["text/plain"].split("\n")[0]
    changed = [line.split() for line in data["text/plain"].split("\n") if line.startswith("*")]
    assert [["*", "page", "2", "10"]] == changed
    with pytest.raises(UsageError, match="Did you mean words"):
        run(asking, "%memo profiles wrods")
    with pytest.raises(UsageError, match="name one profile"):
        run(asking, "%memo profiles default rrf")


def test_a_profile_of_the_user_is_taken_by_every_magic(asking: InteractiveShell) -> None:
    assert "words" == run(asking, "%memo_search -p words drift").trace.profile
    assert "words" == run(asking, "%memo similar -p words notes/drift.md").trace.profile


def test_names_are_completed_with_those_of_the_user(asking: InteractiveShell) -> None:
    assert {*PROFILES, "words"} == set(candidates("memo_search", " --profile wo"))
    assert "words" in candidates("memo", " profiles w")
    assert "rrf,words" in candidates("memo", " compare --profiles rrf,w")
    assert "rrf" in candidates("memo", " compare --profiles r")


def test_a_broken_settings_file_does_not_break_completion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: InteractiveShell
) -> None:
    own = tmp_path / config.FILE_NAME
    own.write_text("[profiles.rrf]\n")
    monkeypatch.setattr(config, "own_file", lambda: own)
    assert tuple(PROFILES) == candidates("memo_search", " --profile ")


def test_the_settings_form_is_told_the_names_and_keeps_one_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / config.FILE_NAME
    own.write_text(OWN)
    monkeypatch.setattr(config, "own_file", lambda: own)
    (told,) = (each for each in settings.read(tmp_path)["settings"] if each["key"] == "profile")
    assert [*PROFILES, "words"] == told["choices"]
    found = settings.write(tmp_path, {"profile": "words"})
    (told,) = (each for each in found["settings"] if each["key"] == "profile")
    assert ("words", "words") == (told["value"], told["own"])
    assert OWN.strip() in own.read_text()
    with pytest.raises(ProfileError, match=r"search\.mode = 'semantic' finds nothing by profile words"):
        settings.write(tmp_path, {"search.mode": "semantic"})
    with pytest.raises(ProfileError, match="Did you mean words"):
        settings.write(tmp_path, {"profile": "wrods"})
    assert "auto" == config.load().search.mode
