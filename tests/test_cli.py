from __future__ import annotations

import io
import json
import sys

import pytest

from jupyter_memo import cli, config


@pytest.fixture
def birds(tmp_path):
    folder = tmp_path / "birds"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"id": "kite", "text": "red kite"}\n{"id": "owl", "text": "barn owl"}\n')
    (folder / "queries.jsonl").write_text('{"id": "q", "text": "red kite", "meta": {"type": "direct"}}\n')
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\tkite\t1\n")
    return folder


def test_files_are_indexed_and_found(tmp_path, capsys):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "kite.md").write_text("# Birds\n\nThe red kite soars over the valley.\n")
    store = ["--store", str(tmp_path / ".memo"), "--embedder", "hash"]
    assert 0 == cli.main(["index", str(notes), *store])
    assert "1" in capsys.readouterr().out
    assert 0 == cli.main(["search", "red", "kite", *store])
    assert "kite.md" in capsys.readouterr().out
    assert 0 == cli.main(["search", "red", "kite", "--json", *store])
    assert "red kite" == json.loads(capsys.readouterr().out)["query"]
    assert 0 == cli.main(["search", "red", "kite", "--mode", "keyword", "--explain", *store])
    told = capsys.readouterr().out
    assert "keyword only" in told
    assert "contribution" in told


def test_what_is_like_a_source_or_a_text_is_found(tmp_path, monkeypatch, capsys):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "kite.md").write_text("# Birds\n\nThe red kite soars over the valley.\n")
    (notes / "hawk.md").write_text("# Hawks\n\nA hawk soars over the valley like a kite.\n")
    store = ["--store", str(tmp_path / ".memo"), "--embedder", "hash"]
    assert 0 == cli.main(["index", str(notes), *store])
    capsys.readouterr()
    assert 0 == cli.main(["similar", "notes/kite.md", "--json", *store])
    told = json.loads(capsys.readouterr().out)
    assert ("like: notes/kite.md", ["notes/hawk.md"]) == (
        told["query"],
        [each["passage"]["uri"] for each in told["results"]],
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO("kites soar over -valleys"))
    assert 0 == cli.main(["similar", "-", *store])
    assert capsys.readouterr().out.startswith("like: kites soar over -valleys\n")
    assert 2 == cli.main(["similar", "kite", "--min-similarity", "7", *store])
    assert "min_similarity 7.0 is no cosine" in capsys.readouterr().err


def test_two_profiles_are_compared(tmp_path, capsys):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "kite.md").write_text("# Birds\n\nThe red kite soars over the valley.\n")
    store = ["--store", str(tmp_path / ".memo"), "--embedder", "hash"]
    assert 0 == cli.main(["index", str(notes), *store])
    capsys.readouterr()
    assert 0 == cli.main(["compare", "red", "kite", "--profiles", "default,rrf", *store])
    assert capsys.readouterr().out.startswith("red kite\ndefault → rrf · 1 in both")
    assert 0 == cli.main(["compare", "kite", "--profiles", "default, memtomem", "--limit", "1", "--json", *store])
    told = json.loads(capsys.readouterr().out)
    assert ("kite", "memtomem", 1) == (told["query"], told["b"]["profile"], told["b"]["limit"])
    assert 2 == cli.main(["compare", "kite", "--profiles", "default", *store])
    assert "names no two profiles" in capsys.readouterr().err


def test_profiles_are_told_with_those_of_the_user(tmp_path, monkeypatch, capsys):
    own = tmp_path / config.FILE_NAME
    own.write_text('[profiles.mine]\nbase = "rrf"\ndepth = 70\n')
    monkeypatch.setattr(config, "own_file", lambda: own)
    monkeypatch.chdir(tmp_path)
    assert 0 == cli.main(["profiles"])
    assert "made from rrf" in capsys.readouterr().out
    assert 0 == cli.main(["profiles", "mine"])
    assert ["*", "depth", "70", "100"] in [line.split() for line in capsys.readouterr().out.split("\n")]
    assert 2 == cli.main(["profiles", "mien"])
    assert "Did you mean mine?" in capsys.readouterr().err


def test_the_status_is_told(tmp_path, capsys):
    assert 0 == cli.main(["status", "--store", str(tmp_path), "--embedder", "hash"])
    assert "passages" in capsys.readouterr().out


def test_a_failed_check_is_the_exit_code(tmp_path, monkeypatch, capsys):
    from jupyter_memo.engine import Memo
    from jupyter_memo.response import Check

    for ok, code in ((True, 0), (False, 1)):
        monkeypatch.setattr(Memo, "doctor", lambda self, ok=ok: (Check(name="model", ok=ok, detail="seen"),))
        assert code == cli.main(["doctor", "--store", str(tmp_path), "--embedder", "hash"])
        assert "seen" in capsys.readouterr().out


def test_sets_are_measured(birds, capsys):
    assert 0 == cli.main(["evaluate", str(birds), "--profiles", "default,rrf", "--embedder", "hash", "--by", "type"])
    out, err = capsys.readouterr()
    assert "nDCG@10, ranking only" in out
    assert "As shipped" in out
    assert "nDCG@10 by type" in out
    assert "birds: indexing 2 documents" in err


def test_figures_come_as_json(birds, capsys):
    assert 0 == cli.main(
        ["evaluate", str(birds), "--profiles", "default", "--embedder", "hash", "--ranking-only", "--json"]
    )
    told = json.loads(capsys.readouterr().out)
    assert ["bm25", "dense", "reference", "default"] == [line["run"] for line in told["measured"]]


@pytest.mark.slow
def test_a_constant_is_swept(birds, capsys):
    asked = ["evaluate", str(birds), "--profiles", "default", "--sweep", "fusion.k=10,20", "--embedder", "hash"]
    assert 0 == cli.main(asked)
    assert "default+fusion.k=20" in capsys.readouterr().out


def test_kept_stores_are_named(birds, tmp_path):
    stores = tmp_path / "kept"
    assert 0 == cli.main(["evaluate", str(birds), "--embedder", "hash", "--stores", str(stores), "--ranking-only"])
    assert (stores / "birds.json").is_file()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["nowhere"], "there is no evaluation set at nowhere"),
        (["BIRDS", "--off-topic", "BIRDS"], "is not SET@SET"),
        (["BIRDS", "--sweep", "fusion.k"], "is not CONSTANT=A,B"),
        (["BIRDS", "--profiles", "defualt"], "Did you mean default?"),
    ],
)
def test_what_the_user_can_mend_is_one_line(birds, capsys, more, told):
    asked = [str(birds) if word == "BIRDS" else word for word in more]
    assert 2 == cli.main(["evaluate", *asked, "--embedder", "hash"])
    err = capsys.readouterr().err
    assert told in err
    assert 1 == len(err.splitlines())


def test_a_context_goes_to_standard_output_alone(tmp_path, capsys):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "kite.md").write_text("# Birds\n\nThe red kite soars over the valley.\n")
    store = ["--store", str(tmp_path / ".memo"), "--embedder", "hash"]
    assert 0 == cli.main(["index", str(notes), *store])
    capsys.readouterr()
    assert 0 == cli.main(["context", "red", "kite", "--also", "bird of prey", "--surface", "file", *store])
    told = capsys.readouterr()
    assert ("", True) == (told.err, "The red kite soars over the valley." in told.out)
    assert told.out.startswith("What stands between <memo-")
    assert 0 == cli.main(["context", "quantum zebra", *store])
    told = capsys.readouterr()
    assert ("", True) == (told.out, "Nothing in this index answers this" in told.err)
    assert 0 == cli.main(["context", "red kite", "--json", "--max-tokens", "500", *store])
    assert 500 == json.loads(capsys.readouterr().out)["max_tokens"]
    assert 0 == cli.main(["search", "red kite", "--also", "bird", "--surface", "all", "--json", *store])
    found = json.loads(capsys.readouterr().out)
    assert (["bird"], 3) == (found["queries"], len(found["legs"]))


def test_asking_makes_no_index_where_a_name_was_mistyped(tmp_path, capsys):
    for verb in (["search", "x"], ["status"], ["doctor"], ["maintain"]):
        assert 2 == cli.main([*verb, "--store", str(tmp_path / "typo"), "--embedder", "none"])
        assert "there is no index at" in capsys.readouterr().err
    assert not (tmp_path / "typo").exists()


class Narrow(io.StringIO):
    """A terminal that has signs for English only."""

    encoding = "ascii"

    def write(self, text: str) -> int:
        text.encode("ascii")
        return super().write(text)


def test_a_terminal_without_the_signs_shows_the_rest(monkeypatch):
    monkeypatch.setattr(sys, "stdout", Narrow())
    cli._write(sys.stdout, "score · 0.5 ☂")
    assert "score ? 0.5 ?\n" == sys.stdout.getvalue()


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [(KeyboardInterrupt(), 130, "Interrupted"), (OSError(28, "No space left"), 2, "cannot be written: No space left")],
)
def test_what_ends_the_output_early_is_one_line(tmp_path, monkeypatch, capsys, error, status, told):
    def fails(text: str) -> int:
        raise error

    monkeypatch.setattr(sys.stdout, "write", fails)
    store = ["--store", str(tmp_path), "--embedder", "none"]
    assert status == cli.main(["status", *store])
    assert told in (err := capsys.readouterr().err)
    assert 1 == err.count("\n")
