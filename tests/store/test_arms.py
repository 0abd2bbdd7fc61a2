from __future__ import annotations

import numpy as np
import pytest

from jupyter_memo.store import match
from jupyter_memo.store.tables import ModelKey

EVERYTHING = "true"


def ids(hits: list[tuple[str, float]]) -> list[str]:
    return [id for id, _ in hits]


def test_a_new_store_finds_nothing_in_any_arm(run, store, plan, key, vector) -> None:
    assert [] == run(store.keyword(plan("server"), EVERYTHING, 10))
    assert [] == run(store.exact(plan(identifiers=("os.path",)), EVERYTHING, 10))
    assert [] == run(store.semantic(vector("x"), key, plan("server"), EVERYTHING, 10))
    assert [] == run(store.newest(EVERYTHING, None, 10, 0))


def test_words_are_found_by_their_stems(run, store, plan, row, write, settle) -> None:
    run(write(store, "r", [row("p1", "the server handles errors"), row("p2", "a quiet garden")]))
    run(settle(store))
    assert ["p1"] == ids(run(store.keyword(plan("Handling an ERROR"), EVERYTHING, 10)))


def test_bm25_is_the_formula_of_lucene(run, store, plan, row, write, settle) -> None:
    texts = {"p1": "error error server", "p2": "error", "p3": "garden path"}
    run(write(store, "r", [row(id, text) for id, text in texts.items()]))
    run(settle(store))
    idf = np.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = {
        id: idf * 2.2 * n / (n + 1.2 * (0.25 + 0.75 * length / 2)) for id, n, length in (("p1", 2, 3), ("p2", 1, 1))
    }
    assert pytest.approx(expected, abs=1e-4) == dict(run(store.keyword(plan("error"), EVERYTHING, 10)))


@pytest.mark.parametrize(
    "words", ["", " ", "++", "?!", "\u0301", "\U0001f642", "\x00", "\ud800", "a" * 5000, '"', "NOT", "a:b {x}"]
)
def test_odd_words_never_raise(run, store, plan, row, write, settle, words: str) -> None:
    run(write(store, "r", [row("p1", "a plain text")]))
    run(settle(store))
    assert isinstance(run(store.keyword(plan(words), EVERYTHING, 10)), list)
    assert isinstance(run(store.exact(plan(identifiers=(words,)), EVERYTHING, 10)), list)
    asked = plan(words, phrases=(words,), excluded=(words,), excluded_identifiers=(words,))
    assert isinstance(run(store.keyword(asked, EVERYTHING, 10)), list)
    assert isinstance(run(store.newest(EVERYTHING, asked, 10, 0)), list)


def test_characters_are_found_inside_a_run_without_spaces(run, store, plan, row, write, settle) -> None:
    rows = [row("p1", "機械学習の実験"), row("p2", "학습 데이터를 분석한다"), row("p3", "実験の記録")]
    run(write(store, "r", rows))
    run(settle(store))
    assert ["p1"] == ids(run(store.keyword(plan("学習"), EVERYTHING, 10)))
    assert ["p2"] == ids(run(store.keyword(plan("데이터"), EVERYTHING, 10)))


def test_a_query_in_two_scripts_adds_up_both(run, store, plan, row, write, settle) -> None:
    run(write(store, "r", [row("p1", "tokyo 東京"), row("p2", "tokyo"), row("p3", "東京")]))
    run(settle(store))
    hits = run(store.keyword(plan("tokyo 東京"), EVERYTHING, 10))
    assert "p1" == hits[0][0]
    assert {"p1", "p2", "p3"} == {*ids(hits)}


@pytest.mark.parametrize("excluded", [(), ("gamma",)])
@pytest.mark.parametrize("few", [1, 1000])
def test_a_long_query_scores_other_spellings_as_a_short_one_does(
    run, store, plan, row, write, optimize, monkeypatch, excluded, few
) -> None:
    texts = (
        "colour beta",
        "color",
        "color beta beta",
        "gamma color delta",
        "data frame beta",
        "delta",
        "none of these",
    )
    run(write(store, "r", [row(f"p{number}", text) for number, text in enumerate(texts)]))
    run(optimize(store))
    spelt = (("colour", ("color",)), ("datafram", ("data frame",)))
    asked = plan("colour beta delta dataframe", variants=spelt, excluded=excluded)
    short = run(store.keyword(asked, EVERYTHING, 10))
    monkeypatch.setattr(match, "LONG_WORDS", 1)
    monkeypatch.setattr(match, "FLAT_ROWS", 0)
    monkeypatch.setattr(match, "LISTED_IDS", few)
    long = run(store.keyword(asked, EVERYTHING, 10))
    assert 6 - len(excluded) == len(short)
    assert ids(short) == ids(long)
    assert pytest.approx(dict(short), abs=1e-4) == dict(long)


def test_a_literal_is_found_whole_with_its_case(run, store, plan, row, write, settle) -> None:
    rows = [
        row("p1", "see net/http for it"),
        row("p2", "see Net/HTTP"),
        row("p3", "net and http"),
        row("p4", "C++ and C"),
    ]
    run(write(store, "r", rows))
    run(settle(store))
    assert ["p1"] == ids(run(store.exact(plan(identifiers=("net/http",)), EVERYTHING, 10)))
    assert ["p4"] == ids(run(store.exact(plan(identifiers=("C++",)), EVERYTHING, 10)))


def test_a_token_of_its_own_comes_before_one_inside_a_chain(run, store, plan, row, write, settle) -> None:
    # The token alone is common and the chain is rare, so that BM25 by itself would put the chain first.
    rows = [row(f"own{number:02d}", "call join " + "and more words " * 9) for number in range(40)]
    run(write(store, "r", [*rows, row("inside", "os.path.join")]))
    run(settle(store))
    hits = run(store.exact(plan(identifiers=("join",)), EVERYTHING, 100))
    assert [*(f"own{number:02d}" for number in range(40)), "inside"] == ids(hits)
    assert hits[-1][1] < hits[-2][1]


def test_cosines_are_those_of_numpy(run, store, plan, row, write, vector, key, settle) -> None:
    words = [f"w{number}" for number in range(50)]
    run(write(store, "r", [row(word, word, vector=vector(word)) for word in words], key=key))
    run(settle(store))
    query = vector("question")
    expected = sorted(((word, float(vector(word) @ query)) for word in words), key=lambda hit: -hit[1])
    hits = run(store.semantic(3 * query, key, plan(), EVERYTHING, 50))
    assert [word for word, _ in expected] == ids(hits)
    assert pytest.approx([cosine for _, cosine in expected], abs=1e-3) == [cosine for _, cosine in hits]


def test_a_passage_without_a_vector_is_not_found_by_meaning(run, store, plan, row, write, vector, key, settle) -> None:
    run(write(store, "r", [row("p1", "a", vector=vector("a")), row("p2", "b")], key=key))
    run(settle(store))
    assert ["p1"] == ids(run(store.semantic(vector("b"), key, plan(), EVERYTHING, 10)))


def test_vectors_of_two_models_stand_side_by_side(run, store, plan, row, write, vector, key) -> None:
    other = ModelKey(id="other", sha256="1" * 64, dim=4)
    run(write(store, "r1", [row("p1", "a", vector=vector("a"))], key=key))
    run(write(store, "r2", [row("p2", "b", vector=vector("b", 4))], key=other))
    assert ["p1"] == ids(run(store.semantic(vector("a"), key, plan(), EVERYTHING, 10)))
    assert ["p2"] == ids(run(store.semantic(vector("a", 4), other, plan(), EVERYTHING, 10)))
    assert {key, other} == {*run(store.vector_keys())}


def test_a_model_nobody_has_used_finds_nothing(run, store, plan, row, write, vector, key) -> None:
    run(write(store, "r", [row("p1", "a", vector=vector("a"))], key=key))
    other = ModelKey(id="other", sha256="1" * 64, dim=8)
    assert [] == run(store.semantic(vector("a"), other, plan(), EVERYTHING, 10))


@pytest.mark.parametrize("query", [np.zeros(8), np.full(8, np.nan)])
def test_a_vector_without_direction_finds_nothing(run, store, plan, row, write, vector, key, query) -> None:
    run(write(store, "r", [row("p1", "a", vector=vector("a"))], key=key))
    assert [] == run(store.semantic(query, key, plan(), EVERYTHING, 10))


def test_ties_are_ordered_by_id_over_the_whole_tie(run, store, plan, row, write, vector, key, settle) -> None:
    names = [f"p{number:03d}" for number in range(300)]
    rows = [row(name, "same os.path words", vector=vector("same")) for name in reversed(names)]
    run(write(store, "r", rows, key=key))
    run(settle(store))
    assert names[:10] == ids(run(store.keyword(plan("words"), EVERYTHING, 10)))
    assert names[:10] == ids(run(store.exact(plan(identifiers=("os.path",)), EVERYTHING, 10)))
    assert names[:10] == ids(run(store.semantic(vector("same"), key, plan(), EVERYTHING, 10)))
    assert names[5:15] == run(store.newest(EVERYTHING, None, 10, 5))


def test_the_newest_come_first_and_pages_do_not_overlap(run, store, row, write, day, settle) -> None:
    run(write(store, "r", [row(f"p{number}", "x", created_at=day(number)) for number in (3, 1, 4, 2)]))
    run(settle(store))
    assert ["p4", "p3"] == run(store.newest(EVERYTHING, None, 2, 0))
    assert ["p2", "p1"] == run(store.newest(EVERYTHING, None, 2, 2))
    assert [] == run(store.newest(EVERYTHING, None, 2, 4))


def clause_rows(row, vector) -> list:
    texts = {
        "p1": "server errors in the log, C++ code",
        "p2": "the errors of a server, don't stop, C code",
        "p3": "a garden, t time, os.path.join here",
        "p4": "서버 오류 분석 server errors",
        "p5": "a++b server",
    }
    return [row(id, text, vector=vector(text), header=("Notes",)) for id, text in texts.items()]


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ({"phrases": ("server error",)}, {"p1", "p4"}),
        ({"phrases": ("to be",)}, set()),
        ({"phrases": ("오류 분석",)}, {"p4"}),
        ({"phrases": ("오류", "server error")}, {"p4"}),
        ({"phrases": ("분석 server errors",)}, {"p4"}),
        ({"phrases": ("++",)}, {"p1", "p5"}),
        ({"excluded": ("errors",)}, {"p3", "p5"}),
        ({"excluded": ("don't",)}, {"p1", "p3", "p4", "p5"}),
        ({"excluded": ("오류",)}, {"p1", "p2", "p3", "p5"}),
        ({"excluded": ("++",)}, {"p2", "p3", "p4"}),
        ({"excluded": ("garden", "log")}, {"p2", "p4", "p5"}),
        ({"excluded_phrases": ("server errors",)}, {"p2", "p3", "p5"}),
        ({"excluded_identifiers": ("C++",)}, {"p2", "p3", "p4", "p5"}),
        ({"excluded_identifiers": ("os.path",)}, {"p1", "p2", "p4", "p5"}),
        ({"phrases": ("server errors",), "excluded": ("log",)}, {"p4"}),
    ],
)
def test_phrases_and_exclusions_hold_in_every_arm(run, store, plan, row, write, vector, key, settle, clauses, expected):
    run(write(store, "r", clause_rows(row, vector), key=key))
    run(settle(store))
    # Every passage has these words and this token, so that the clauses alone decide.
    asked = plan("server garden notes", identifiers=("Notes",), **clauses)
    assert expected == {*ids(run(store.keyword(asked, EVERYTHING, 10)))}
    assert expected == {*ids(run(store.exact(asked, EVERYTHING, 10)))}
    assert expected == {*ids(run(store.semantic(vector("q"), key, asked, EVERYTHING, 10)))}
    assert expected == {*run(store.newest(EVERYTHING, asked, 10, 0))}


def test_clauses_that_fit_many_passages_are_exact_too(run, store, plan, row, write, vector, key, settle) -> None:
    # More ids than go into a filter, and the nearest vectors all on the wrong side.
    near, far = vector("near"), vector("far")
    rows = [row(f"a{number:04d}", "alpha one", vector=near) for number in range(1200)]
    rows += [row(f"b{number:04d}", "beta one", vector=far) for number in range(1200)]
    run(write(store, "r", rows, key=key))
    run(settle(store))
    expected = [f"b{number:04d}" for number in range(5)]
    assert expected == ids(run(store.semantic(near, key, plan(phrases=("beta one",)), EVERYTHING, 5)))
    assert expected == ids(run(store.semantic(near, key, plan(excluded=("alpha",)), EVERYTHING, 5)))
    assert expected == run(store.newest(EVERYTHING, plan(excluded=("alpha",)), 5, 0))


def test_one_passage_among_five_thousand_is_found_by_every_arm(
    run, store, plan, row, write, vector, key, settle
) -> None:
    near, far = vector("near"), vector("far")
    rows = [row(f"p{number:04d}", "error error os.path", vector=near) for number in range(5000)]
    needle = row("needle", "one error among many words, and os.path", vector=far, namespace="here")
    run(write(store, "r", [*rows[:2500], needle, *rows[2500:]], key=key))
    run(settle(store))
    where = "namespace = 'here'"
    asked = plan("error", identifiers=("os.path",))
    assert ["needle"] == ids(run(store.keyword(asked, where, 1)))
    assert ["needle"] == ids(run(store.exact(asked, where, 1)))
    assert ["needle"] == ids(run(store.semantic(near, key, asked, where, 1)))
    assert ["needle"] == run(store.newest(where, asked, 1, 0))


@pytest.mark.slow
def test_the_vector_index_finds_what_exact_search_finds(run, store, plan, row, write, key, settle, optimize) -> None:
    chance = np.random.default_rng(5)
    wide = ModelKey(id="wide", sha256="2" * 64, dim=64)
    centres = chance.normal(size=(200, 64))
    values = centres[chance.integers(0, 200, 60_000)] + 0.7 * chance.normal(size=(60_000, 64))
    values = (values / np.linalg.norm(values, axis=1, keepdims=True)).astype(np.float32)
    rows = [
        row(f"p{number:05d}", "x", vector=values[number], kind="rare" if number % 20 == 0 else "code", trust=number % 4)
        for number in range(60_000)
    ]
    for start in range(0, 60_000, 20_000):
        run(write(store, f"r{start}", rows[start : start + 20_000], key=wide))
    run(optimize(store))
    for where, admitted in (
        (EVERYTHING, np.full(60_000, True)),
        ("kind = 'rare'", np.arange(60_000) % 20 == 0),
        ("trust >= 2", np.arange(60_000) % 4 >= 2),
    ):
        recalls = []
        for query in values[::3000] + 0.1 * chance.normal(size=(20, 64)).astype(np.float32):
            cosines = np.where(admitted, values @ query, -np.inf)
            expected = {f"p{number:05d}" for number in np.argsort(-cosines)[:10]}
            recalls.append(len(expected & {*ids(run(store.semantic(query, wide, plan(), where, 10)))}) / 10)
        assert np.mean(recalls) >= 0.98, where
