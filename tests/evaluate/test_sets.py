from __future__ import annotations

import pytest

from jupyter_memo.errors import QueryError
from jupyter_memo.evaluate import sets


def test_gains_are_two_to_the_score_minus_one(written):
    folder = written("plain", {"a": "x", "b": "y"}, {"q": "x"}, [("q", "a", 3), ("q", "b", 1)])
    (read,) = sets.read(folder)
    assert {"q": {"a": 7, "b": 1}} == read.gains
    assert 1 == read.primary


def test_packed_and_plain_files_read_alike_down_to_the_hash(written):
    documents, queries, qrels = {"a": "x"}, {"q": "x"}, [("q", "a", 1)]
    (plain,) = sets.read(written("plain", documents, queries, qrels))
    (packed,) = sets.read(written("packed", documents, queries, qrels, packed=True))
    assert plain.documents == packed.documents
    assert (plain.corpus_sha256, plain.queries_sha256) == (packed.corpus_sha256, packed.queries_sha256)


def test_a_document_is_handed_over_with_its_kind_and_its_group_as_namespace(written):
    document = {"title": "T", "text": "x", "meta": {"kind": "note", "group": "g1"}}
    (read,) = sets.read(written("plain", {"a": document}, {"q": "x"}, []))
    assert [{"id": "a", "text": "x", "title": "T", "kind": "note", "namespace": "g1"}] == list(read.records())


def test_a_document_of_a_session_is_a_turn_of_a_thread_of_its_group(written):
    turn = {"text": "x", "meta": {"kind": "conversation", "group": "g1", "session": 2}}
    (read,) = sets.read(written("plain", {"a": turn}, {"q": "x"}, []))
    (record,) = read.records()
    assert ("conversation", "g1", "g1/2") == (record["kind"], record["namespace"], record["thread"])


def test_a_title_without_a_text_is_the_text_and_is_not_said_twice(written):
    (read,) = sets.read(written("plain", {"a": {"title": "T", "text": " "}}, {"q": "x"}, []))
    assert [{"id": "a", "text": "T"}] == list(read.records())


def test_a_document_without_any_text_is_not_indexed(written):
    (read,) = sets.read(written("plain", {"a": "", "b": "x"}, {"q": "x"}, []))
    assert ["b"] == [record["id"] for record in read.records()]


@pytest.mark.parametrize(
    ("meta", "judged", "answer"),
    [
        ({}, True, "yes"),
        ({}, False, "no"),
        ({"answerable": "yes"}, False, "yes"),
        ({"answerable": True}, True, "yes"),
        ({"answerable": False}, True, "no"),
        ({"answerable": "near"}, True, "near"),
    ],
)
def test_the_class_of_a_question_is_what_it_says_or_else_whether_it_is_judged(written, meta, judged, answer):
    folder = written("plain", {"a": "x"}, {"q": {"text": "x", "meta": meta}}, [("q", "a", 1)] if judged else [])
    (read,) = sets.read(folder)
    assert answer == read.questions[0].answer


def test_a_question_without_a_judgement_does_not_count_for_ranking(written):
    (read,) = sets.read(written("plain", {"a": "x"}, {"q": "x", "r": "y"}, [("q", "a", 1)]))
    assert ["q"] == [question.id for question in read.judged]
    assert {"q": 1.0} == read.weights()


@pytest.fixture
def bilingual(written):
    def text(lang, **more):
        return {"text": "x", "meta": {"lang": lang, **more}}

    return written(
        "memtomem_v2",
        {"e": text("en"), "k": text("ko")},
        {
            "q1": text("en", type="direct"),
            "q2": text("en", type="direct"),
            "q3": text("en", type="negation"),
            "q4": text("ko", type="direct"),
        },
        [("q1", "e", 2), ("q1", "k", 1), ("q2", "e", 1), ("q3", "e", 2), ("q4", "k", 2)],
    )


def test_memtomem_has_a_track_for_each_language_and_one_across(bilingual):
    english, korean, cross = sets.read(bilingual)
    assert ("memtomem_v2_en", "memtomem_v2_ko", "memtomem_v2_cross") == (english.name, korean.name, cross.name)
    assert (["e"], ["k"], ["e", "k"]) == tuple(
        [document.id for document in track.documents] for track in (english, korean, cross)
    )
    assert {"e": 2} == english.gains["q1"]
    assert {"e": 2, "k": 1} == cross.gains["q1"]


def test_memtomem_gains_are_linear_and_only_score_two_is_primary(bilingual):
    english = sets.read(bilingual)[0]
    assert 1 == english.gains["q2"]["e"]
    assert 2 == english.primary


def test_memtomem_counts_each_language_and_query_type_alike(bilingual):
    assert {"q1": 0.25, "q2": 0.25, "q3": 0.5} == sets.read(bilingual)[0].weights()


def test_one_track_is_read_by_its_name_after_a_colon(bilingual):
    assert ["memtomem_v2_ko"] == [track.name for track in sets.read(f"{bilingual}:ko")]


def test_an_unknown_track_names_the_tracks_there_are(bilingual):
    with pytest.raises(QueryError, match=r"no track 'fr'\. Its tracks: en, ko, cross"):
        sets.read(f"{bilingual}:fr")


def test_a_missing_folder_is_one_clear_line(tmp_path):
    with pytest.raises(QueryError, match=r"^there is no evaluation set at .*nowhere"):
        sets.read(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(written, name):
    folder = written("plain", {"a": "x"}, {"q": "x"}, [])
    (folder / name).unlink()
    with pytest.raises(QueryError, match=f"^plain has no {name}"):
        sets.read(folder)


def test_a_malformed_line_is_named_by_its_number(written):
    folder = written("plain", {"a": "x"}, {"q": "x"}, [])
    (folder / "corpus.jsonl").write_text('{"id": "a", "text": "x"}\n{"id": "b"}\n')
    with pytest.raises(QueryError, match=r"^plain/corpus, line 2:"):
        sets.read(folder)


@pytest.mark.parametrize("line", ["q a 1", "q\ta", "q\ta\thigh"])
def test_a_malformed_judgement_is_named_by_its_number(written, line):
    folder = written("plain", {"a": "x"}, {"q": "x"}, [])
    (folder / "qrels.tsv").write_text(f"query-id\tcorpus-id\tscore\n{line}\n")
    with pytest.raises(QueryError, match=r"^plain/qrels\.tsv, line 2:"):
        sets.read(folder)


def test_a_damaged_archive_is_one_clear_line(written):
    folder = written("plain", {"a": "x"}, {"q": "x"}, [], packed=True)
    (folder / "corpus.jsonl.gz").write_bytes(b"not an archive")
    with pytest.raises(QueryError, match=r"^plain/corpus cannot be read"):
        sets.read(folder)
