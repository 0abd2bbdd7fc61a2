"""The whole of it through `Memo.evaluate`, with the weightless model."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import ProfileError, QueryError, StoreError
from jupyter_memo.evaluate import asking
from jupyter_memo.evaluate.sets import Question
from jupyter_memo.profile import get, override

BIRDS = {
    "kite": "the red kite soars over the valley",
    "owl": "the barn owl hunts voles at night",
    "heron": "a grey heron stands in the shallow water",
    "wren": "the wren sings from the hedge in winter",
}


def entry(text, **meta):
    return {"text": text, "meta": meta}


@pytest.fixture
def birds(written):
    queries = {
        "q1": entry("red kite valley", answerable="yes", part="day"),
        "q2": entry("barn owl voles", answerable="yes", part="night"),
        "q3": entry("quarterly revenue forecast", answerable="absent"),
    }
    return written("birds", BIRDS, queries, [("q1", "kite", 1), ("q2", "owl", 1)])


@pytest.fixture
def fish(written):
    return written(
        "fish",
        {"eel": "the eel swims upstream", "cod": "cod lives in cold seas"},
        {"f": "eel upstream"},
        [("f", "eel", 1)],
    )


def test_every_run_has_its_figures(memo, birds):
    found = memo.evaluate(birds, profiles=("default", "rrf"))
    lines = {(line.run, line.table) for line in found.measured}
    references = {("bm25", "reference"), ("dense", "reference"), ("reference", "reference")}
    runs = {(name, table) for name in ("default", "rrf") for table in ("ranking", "shipped")}
    assert references | runs == lines
    assert dict.fromkeys(("nDCG@10", "recall@5", "recall@10", "recall@100", "MRR@10"), 1.0) == dict(
        next(line.values for line in found.measured if (line.run, line.table) == ("default", "ranking"))
    )


@pytest.mark.slow
def test_the_page_as_shipped_has_no_recall_deeper_than_itself(memo, birds):
    found = memo.evaluate(birds, profiles=("default",), reference=False)
    shipped = next(line for line in found.measured if line.table == "shipped")
    assert "recall@100" not in dict(shipped.values)


@pytest.mark.slow
def test_hashes_of_files_profiles_and_model_are_told(memo, birds, embedder):
    found = memo.evaluate(birds, profiles=("default",))
    (subject,) = found.subjects
    assert (4, 3, 2) == (subject.documents, subject.questions, subject.judged)
    assert [64, 64, 64] == [len(each) for each in (subject.corpus_sha256, subject.queries_sha256, subject.qrels_sha256)]
    ((name, shipped, ranking),) = found.profiles
    assert "default" == name
    assert shipped != ranking
    assert (embedder.id, embedder.sha256) == (found.model, found.model_sha256)


@pytest.mark.slow
def test_groups_are_respected(memo, written):
    documents = {
        "a1": entry("we met at the harbour", group="a"),
        "b1": entry("we met at the harbour harbour", group="b"),
    }
    queries = {"q": entry("harbour", group="a")}
    folder = written("chats", documents, queries, [("q", "a1", 1)])
    found = memo.evaluate(folder, profiles=("default",))
    assert {1.0} == {line.value("MRR@10") for line in found.measured}


@pytest.mark.slow
def test_kinds_are_passed_on(written, tmp_path, embedder):
    folder = written("code", {"f": entry("def red_kite(): ...", kind="code")}, {"q": "red_kite"}, [("q", "f", 1)])
    with Memo.open(tmp_path / "store", embedder=embedder) as memo:
        memo.evaluate(folder, profiles=("default",), stores=tmp_path / "kept")
    with Memo.open(tmp_path / "kept" / "code", embedder=embedder, read_only=True) as made:
        assert (("code", 1),) == made.status().kinds


def test_an_absent_question_counts_for_abstention_and_not_for_ranking(memo, birds):
    found = memo.evaluate(birds, profiles=("default",))
    (abstention,) = found.abstentions
    assert ("absent", 2, 1) == (abstention.against, abstention.answerable, abstention.unanswerable)
    assert 1.0 == abstention.auc
    assert 0.0 == abstention.false_refusals
    assert {2} == {line.count for line in found.measured}


@pytest.mark.slow
def test_queries_of_another_set_are_a_class_without_an_answer(memo, birds, fish):
    found = memo.evaluate(birds, profiles=("default",), off_topic=[(fish, birds)])
    assert ["absent", "queries of fish"] == [each.against for each in found.abstentions]


def test_off_topic_questions_need_a_set_that_is_measured(memo, birds, fish):
    with pytest.raises(QueryError, match="birds is not among the sets"):
        memo.evaluate(fish, off_topic=[(fish, birds)])


def test_without_the_shipped_run_there_are_no_rates(memo, birds):
    (abstention,) = memo.evaluate(birds, profiles=("default",), shipped=False).abstentions
    assert 1.0 == abstention.auc
    assert math.isnan(abstention.false_answers)
    assert math.isnan(abstention.false_refusals)


def test_differences_are_to_the_reference_and_to_the_better_arm_with_intervals(memo, birds):
    worst = override(get("semantic-only"), name="worst", depth=1)
    found = memo.evaluate(birds, profiles=(worst,))
    assert [("reference", "reference"), ("better arm", "bm25")] == [
        (each.against, each.arm) for each in found.differences
    ]
    assert all(each.low <= each.mean <= each.high for each in found.differences)


def test_over_several_sets_each_counts_alike(memo, birds, fish):
    found = memo.evaluate(birds, fish, profiles=("keyword-only",))
    alone = [line.value() for line in found.measured if (line.run, line.table) == ("keyword-only", "ranking")]
    assert pytest.approx((alone[0] + alone[1]) / 2) == found.value("mean", "keyword-only")
    assert {"birds", "fish", "mean"} == {each.set for each in found.differences}


@pytest.mark.slow
def test_figures_apart_by_a_field_of_the_questions(memo, birds):
    parts = memo.evaluate(birds, profiles=("default",), reference=False).by("part")
    assert [("day", 1, 1.0), ("night", 1, 1.0)] == [(part.part, part.count, part.value) for part in parts]


@pytest.mark.slow
def test_a_kept_store_is_indexed_once(memo, birds, tmp_path):
    stores = tmp_path / "kept"
    told: list[str] = []
    for _ in range(2):
        memo.evaluate(birds, profiles=("default",), stores=stores, progress=lambda done, of, what: told.append(what))
    assert 1 == sum("indexing" in what for what in told)
    assert 1 == sum("embedding" in what for what in told)


@pytest.mark.slow
def test_an_interrupted_indexing_is_taken_up_again(memo, birds, tmp_path):
    stores = tmp_path / "kept"
    first = memo.evaluate(birds, profiles=("default",), stores=stores)
    note = stores / "birds.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "complete": False}))
    told: list[str] = []
    again = memo.evaluate(
        birds, profiles=("default",), stores=stores, progress=lambda done, of, what: told.append(what)
    )
    assert any("indexing" in what for what in told)
    assert first.value("birds", "default") == again.value("birds", "default")


@pytest.mark.slow
def test_a_store_without_a_note_is_taken_as_it_is(memo, birds, tmp_path):
    stores = tmp_path / "kept"
    memo.evaluate(birds, profiles=("default",), stores=stores)
    (stores / "birds.json").unlink()
    told: list[str] = []
    memo.evaluate(birds, profiles=("default",), stores=stores, progress=lambda done, of, what: told.append(what))
    assert not any("indexing" in what for what in told)


def test_a_store_of_another_corpus_is_refused(memo, birds, tmp_path):
    stores = tmp_path / "kept"
    memo.evaluate(birds, profiles=("default",), stores=stores)
    (birds / "corpus.jsonl").write_text('{"id": "kite", "text": "another text"}\n')
    with pytest.raises(StoreError, match="another corpus"):
        memo.evaluate(birds, profiles=("default",), stores=stores)


def test_the_memo_of_its_own_is_left_alone(memo, birds):
    memo.evaluate(birds, profiles=("default",))
    assert 0 == memo.status().passages


def test_without_a_model_the_reference_is_words_alone(birds, tmp_path):
    with Memo.open(tmp_path / "words", embedder="none") as memo:
        found = memo.evaluate(birds, profiles=("default",))
    assert {"bm25", "reference", "default"} == {line.run for line in found.measured}
    assert "none" == found.model


def test_a_question_that_cannot_be_asked_counts_as_refused_and_is_told(memo, written):
    folder = written("odd", {"a": "kind words"}, {"q": "  "}, [("q", "a", 1)])
    found = memo.evaluate(folder, profiles=("default",), reference=False)
    assert 0.0 == found.value("odd", "default")
    assert 1.0 == found.abstentions[0].false_refusals
    assert ("odd: 1 questions cannot be asked as they are",) == tuple(note.split(" (")[0] for note in found.notes)


def test_constants_are_changed_in_the_name_of_a_profile():
    named = asking.named("default+fusion.balance=0.4+cutoff.enabled=false+depth=50")
    assert (0.4, False, 50) == (named.fusion.balance, named.cutoff.enabled, named.depth)
    assert "default+fusion.balance=0.4+cutoff.enabled=false+depth=50" == named.name


def test_an_unknown_constant_is_named():
    with pytest.raises(ProfileError, match=r"fusion\.balence"):
        asking.named("default+fusion.balence=0.4")


def test_two_profiles_of_one_name_are_refused(memo, birds):
    with pytest.raises(QueryError, match="same name"):
        memo.evaluate(birds, profiles=("default", dataclasses.replace(get("default"), page=5)))


def test_no_set_is_one_clear_line(memo):
    with pytest.raises(QueryError, match="name at least one evaluation set"):
        memo.evaluate()


def test_it_shows_itself_as_text_and_html_without_script(memo, written):
    folder = written("<script>", BIRDS, {"q": "red kite"}, [("q", "kite", 1)])
    bundle = memo.evaluate(folder, profiles=("default",))._repr_mimebundle_()
    assert {"text/html", "text/plain"} == bundle.keys()
    assert "<script>" not in bundle["text/html"]
    assert "nDCG@10, ranking only" in bundle["text/plain"]


def test_a_data_frame_has_every_figure(memo, birds):
    frame = memo.evaluate(birds, profiles=("default",)).to_pandas()
    assert ["set", "run", "table", "questions", "nDCG@10", "recall@5", "recall@10", "recall@100", "MRR@10"] == list(
        frame.columns
    )
    assert 5 == len(frame)


def test_json_holds_the_figures_and_no_number_that_json_has_not(memo, birds):
    found = memo.evaluate(birds, profiles=("default",), shipped=False)
    told = json.loads(found.to_json(), parse_constant=lambda name: pytest.fail(name))
    assert None is told["abstentions"][0]["false_answers"]
    assert 1.0 == next(line for line in told["measured"] if line["run"] == "bm25")["values"]["nDCG@10"]


@pytest.mark.slow
def test_nothing_of_the_extra_is_loaded_before_it_is_used():
    code = (
        "import sys, jupyter_memo.engine, jupyter_memo.cli;"
        "print({'bm25s', 'ir_measures', 'Stemmer'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "set()" == done.stdout.strip()


def test_a_copy_that_is_folded_below_a_result_stands_right_behind_it(memo):
    text = "The red kite circles above the valley and looks for mice in the short grass of the pasture."
    memo.add(
        [{"id": "one", "text": text}, {"id": "copy", "text": text}, {"id": "owl", "text": "A barn owl and a kite."}]
    )
    question = Question(id="q", text="red kite above the valley")
    ranked = asking.ask(memo.search, [question], asking.ranking_only(get("default"))).run["q"]
    assert {"one", "copy"} == set(sorted(ranked, key=lambda uri: -ranked[uri])[:2])
    assert 1 == len(memo.search(question.text)[0].folded)
