"""Namespace, tags, validity and trust of a source: from the run, the source itself, rules by path, the folder."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jupyter_memo import config
from jupyter_memo.engine import Memo
from jupyter_memo.errors import ConfigError, MissingExtraError, QueryError
from jupyter_memo.ingest import keywords
from jupyter_memo.ingest.labels import Labels
from jupyter_memo.query import parse_days
from jupyter_memo.records import Chunk, Parsed, Passage


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def opened(folder: Path, **settings: object) -> Memo:
    return Memo.open(folder / ".memo", embedder="hash", **settings)


def only(memo: Memo, text: str) -> Passage:
    (result,) = memo.search(text, sync=False).results
    return result.passage


@pytest.mark.parametrize(
    ("uri", "namespace"),
    [
        ("work/river/a.md", "river"),
        ("work/river/deep/a.md", "deep"),
        ("work/todo.md", "inbox"),
        ("home/a.md", "home"),
        ("home/b.txt", ""),
        ("a.md", ""),
    ],
)
def test_the_first_rule_that_matches_gives_the_namespace(uri: str, namespace: str) -> None:
    rules = (("work/*.md", "inbox"), ("work/*/**", "{parent}"), ("*.md", "{root}"))
    assert namespace == Labels(namespaces=rules).namespace(uri)


def test_a_rule_that_names_a_folder_holds_for_all_below_it() -> None:
    assert "w" == Labels(namespaces=(("work/", "w"),)).namespace("work/river/a.md")


def test_without_a_rule_the_folder_is_the_namespace_only_when_asked() -> None:
    told = [Labels(auto_namespace=auto).namespace("work/river/a.md") for auto in (False, True)]
    assert ["", "river"] == told


def test_a_file_in_no_folder_gets_no_automatic_namespace() -> None:
    assert "" == Labels(auto_namespace=True).namespace("a.md")


@pytest.mark.parametrize(
    ("front", "option", "namespace"),
    [("", None, "river"), ("namespace: own", None, "own"), ("namespace: own", "said", "said")],
)
def test_the_run_outranks_the_file_and_the_file_the_rules(
    front: str, option: str | None, namespace: str, tmp_path: Path
) -> None:
    write(tmp_path, "river/a.md", f"---\n{front}\n---\nThe gauge was moved.\n")
    with opened(tmp_path, index__namespaces={"river/**": "{parent}"}, index__auto_namespace=True) as memo:
        memo.index(tmp_path, namespace=option)
        assert namespace == only(memo, "gauge").namespace


def test_a_changed_rule_labels_anew_without_embedding(tmp_path: Path) -> None:
    write(tmp_path, "river/a.md", "The gauge was moved.\n")
    write(tmp_path, "lake/b.md", "The buoy was moored.\n")
    with opened(tmp_path) as memo:
        memo.index(tmp_path)
    with opened(tmp_path, index__namespaces={"river/": "water"}, index__trust={"file": 3}) as memo:
        report = memo.index(tmp_path)
        assert (2, 0, 0) == (report.kept, report.added, report.embedded)
        assert ("water", 3) == ((passage := only(memo, "gauge")).namespace, passage.trust)
        assert {"indexed"} == {source.status for source in report.sources}
        assert {"unchanged"} == {source.status for source in memo.index(tmp_path).sources}


@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("namespaces", {"!a": "b"}, "is no glob"),
        ("namespaces", {"a": "{folder}"}, "{parent} and {root}"),
        ("namespaces", {"a": "{"}, "{parent} and {root}"),
        ("namespaces", {"a": " "}, "names no namespace"),
        ("ttl", {"a": "soon"}, "30d"),
        ("trust", {"file": 4}, "index.trust.file"),
        ("trust", {"flie": 2}, "Did you mean index.trust.file?"),
        ("allow_secrets", ["#a"], "is no glob"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_an_error_with_its_cure(setting: str, value: object, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config.load(**{f"index__{setting}": value})
    assert told in str(raised.value)


def test_rules_keep_the_order_of_the_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, config.FILE_NAME, 'store = "x"\n[index.namespaces]\n"z/*" = "first"\n"a/*" = "second"\n')
    monkeypatch.chdir(tmp_path)
    assert (("z/*", "first"), ("a/*", "second")) == config.load().index.namespaces


def test_trust_of_one_channel_may_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_MEMO__INDEX__TRUST__CONVERSATION", "0")
    trust = config.load().index.trust
    assert (2, 2, 0) == (trust.file, trust.memory, trust.conversation)


def test_trust_goes_by_the_channel_unless_it_is_said(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "The gauge was moved.\n")
    write(tmp_path, "talk.json", json.dumps([{"role": "user", "content": "Where is the buoy?"}]))
    with opened(tmp_path, index__trust={"memory": 3}) as memo:
        memo.index(tmp_path)
        memo.add([{"text": "The pump broke."}, {"text": "The hose leaks.", "trust": 0}])
        assert [2, 1, 3, 0] == [only(memo, word).trust for word in ("gauge", "buoy", "pump", "hose")]
        memo.index(tmp_path / "talk.json", trust=2)
        assert 2 == only(memo, "buoy").trust


def test_tags_of_the_text_join_those_of_the_front_matter(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "a.md", "---\ntags: [river]\n---\nThe gauge was moved. #field-work #river\n")
    memo.index(tmp_path)
    assert ("river", "field-work") == only(memo, "tag:field-work gauge").tags


def test_a_time_to_live_in_the_front_matter_counts_from_the_date(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "a.md", "---\ndate: 2026-01-10\nttl: 30d\n---\nThe gauge was moved.\n")
    memo.index(tmp_path)
    found = [len(memo.search("gauge", sync=False, now=datetime(2026, 2, day, tzinfo=UTC)).results) for day in (8, 10)]
    assert [1, 0] == found


def test_valid_until_ends_a_document(memo: Memo, tmp_path: Path) -> None:
    write(tmp_path, "a.md", "---\nvalid_until: 2100-02-01\n---\nThe gauge was moved.\n")
    memo.index(tmp_path)
    assert datetime(2100, 2, 1, tzinfo=UTC) == only(memo, "gauge").expires_at


def test_a_time_to_live_may_be_given_by_path(tmp_path: Path) -> None:
    write(tmp_path, "scratch/a.md", "---\ndate: 2100-01-01\n---\nThe gauge was moved.\n")
    write(tmp_path, "b.md", "The buoy was moored.\n")
    with opened(tmp_path, index__ttl={"scratch/": "2w"}) as memo:
        memo.index(tmp_path)
        assert (datetime(2100, 1, 15, tzinfo=UTC), None) == (
            only(memo, "gauge").expires_at,
            only(memo, "buoy").expires_at,
        )


def test_a_record_may_have_a_time_to_live(memo: Memo) -> None:
    memo.add([{"text": "The pump broke.", "created_at": "2100-01-01", "ttl": "1d"}])
    assert datetime(2100, 1, 2, tzinfo=UTC) == only(memo, "pump").expires_at


def test_a_record_given_again_lives_anew(memo: Memo) -> None:
    first, second = [
        (memo.add([{"text": "The pump broke.", "ttl": "1d"}]), only(memo, "pump").expires_at) for _ in range(2)
    ]
    assert (1, 0) == (first[0].embedded, second[0].embedded)
    assert first[1] is not None
    assert second[1] is not None
    assert first[1] < second[1]


def test_a_time_to_live_that_is_none_names_the_record(memo: Memo) -> None:
    with pytest.raises(QueryError, match="record 1: ttl:soon"):
        memo.add([{"text": "The pump broke.", "ttl": "soon"}])


@pytest.mark.parametrize(
    ("value", "days"),
    [("12h", 0.5), ("30d", 30), ("2 weeks", 14), ("6m", 180), ("1y", 365), (7, 7), (timedelta(hours=6), 0.25)],
)
def test_times_to_live_are_read(value: object, days: float) -> None:
    assert days == parse_days(value)


@pytest.mark.parametrize("value", ["", "0d", "-3d", "soon", None, True, float("nan"), "99999999d"])
def test_what_is_no_time_to_live_is_refused(value: object) -> None:
    with pytest.raises(QueryError):
        parse_days(value)


PROSE = Chunk(
    text="Biofilm growth on the optical windows shifts the turbidity baseline. Biofilm growth is fastest in May, when "
    "the turbidity baseline rises every week. Wiping the optical windows removes the biofilm."
)


def test_keywords_are_what_a_text_turns_on() -> None:
    pytest.importorskip("yake")
    found = keywords.of(Parsed(chunks=(PROSE, Chunk(text="import numpy\n" * 20, code=True))), 3)
    assert 3 == len(found)
    assert any("biofilm" in tag for tag in found)
    assert not any("numpy" in tag for tag in found)


def test_keywords_become_tags_of_notes_and_not_of_code(tmp_path: Path) -> None:
    pytest.importorskip("yake")
    write(tmp_path, "a.md", f"---\ntags: [own]\n---\n{PROSE.text}\n")
    write(tmp_path, "b.py", f'"""Docstring of the turbine."""\n\n\ndef spin():\n    return "{PROSE.text}"\n')
    with opened(tmp_path, index__keywords=2) as memo:
        memo.index(tmp_path)
        note, code = (memo.search(text, sync=False).results[0].passage for text in ("wiping windows", "turbine spin"))
        assert ("own", 3, ()) == (note.tags[0], len(note.tags), code.tags)


def test_keywords_without_the_library_name_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "yake", None)
    path = write(tmp_path, "a.md", "The gauge was moved.\n")
    with (
        opened(tmp_path, index__keywords=2) as memo,
        pytest.raises(MissingExtraError, match=r"jupyter_memo\[keywords\]"),
    ):
        memo.index(path)
