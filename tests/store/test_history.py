"""History that ends: pruned by age, or erased with every byte of it."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from jupyter_memo.errors import StoreError
from jupyter_memo.store import history, indexes, terms
from jupyter_memo.store.lance import Store


@pytest.fixture
def word() -> str:
    """A word that no compression shortens and that stands nowhere else."""
    return "q" + secrets.token_hex(12)


def files_with(store: Store, word: str) -> set[str]:
    """Which parts of the store hold the word, in any case: table and kind of file."""
    wanted = word.lower().encode()
    found = set()
    for path in Path(store.path).rglob("*"):
        if path.is_file() and wanted in path.read_bytes().lower():
            table, kind = path.relative_to(store.path).parts[:2]
            found.add(f"{table}/{kind}")
    return found


@pytest.fixture
def told(row, word):
    """A row that has the word everywhere: text, heading, tag and name of the file."""
    return row("p1", f"the word {word} here", source_id="s1", header=(word,), tags=(word,), uri=f"notes/{word}.md")


@pytest.fixture
def fill(run, store, row, source, told, word, day):
    """Write a row that holds the word among many that do not, and end it on the second day."""

    async def write(run_id: str, rows, ended, sources) -> None:
        async with store.writing():
            await store.begin(run_id)
            if rows:
                await store.add(rows, None, run_id)
            if ended:
                await store.supersede([each.passage.id for each in ended], day(2), run_id)
            await store.tally(rows, ended, run_id)
            await store.put_sources(sources)
            await store.commit(run_id)

    def fill(*, remove: bool = False) -> None:
        others = [row(f"x{number}", f"text {number}", source_id="s2", uri="notes/b.md") for number in range(60)]
        first = source("s1", "r1", uri=told.passage.uri, path=f"{word}.md", title=f"{word}.md")
        run(write("r1", [told, *others], [], [first, source("s2", "r1", uri="notes/b.md")]))
        after = [] if remove else [row("p2", "other words", uri="notes/a.md", recorded_at=day(2))]
        run(write("r2", after, [told], []))
        gone = {"removed_at": day(2)} if remove else {"uri": "notes/a.md", "path": "a.md", "title": "a.md"}
        named = {"uri": told.passage.uri} if remove else {}
        run(write("r3", [], [], [source("s1", "r3", **gone, **named)]))

    return fill


def purge(run, store, ids=None) -> history.Ended:
    async def work() -> history.Ended:
        async with store.writing():
            return await store.purge(ids)

    return run(work())


def prune(run, store, before) -> history.Ended:
    async def work() -> history.Ended:
        async with store.writing():
            return await store.prune(before)

    return run(work())


@pytest.mark.parametrize("upkept", [False, True], ids=["as written", "after upkeep"])
def test_no_byte_of_what_was_purged_is_left(run, store, fill, word, optimize, live, upkept) -> None:
    fill()
    if upkept:
        run(optimize(store))
    there = files_with(store, word)
    assert {"passages.lance/data", "sources.lance/data", "terms.lance/data"} <= there
    if upkept:
        assert "passages.lance/_indices" in there
    assert 1 == purge(run, store).passages
    assert set() == files_with(store, word)
    assert 61 == len(run(live(store)))


def test_the_name_of_a_removed_file_goes_with_it(run, store, fill, word) -> None:
    fill(remove=True)
    purge(run, store, ["s1"])
    assert set() == files_with(store, word)
    assert ["s2"] == [source.id for source in run(store.sources())]


def test_purging_one_source_keeps_the_history_of_others(run, store, fill, live, day) -> None:
    fill()
    assert 0 == purge(run, store, ["s2"]).passages
    assert 61 == len(run(live(store, as_of=day(1))))
    assert 1 == purge(run, store, ["s1"]).passages
    assert 60 == len(run(live(store, as_of=day(1))))


def test_a_purge_cut_short_leaves_a_whole_store_and_the_next_completes_it(
    run, store, fill, word, live, monkeypatch
) -> None:
    fill()

    async def killed(_table) -> None:
        raise RuntimeError("lance error: cut short")

    with monkeypatch.context() as patched:
        patched.setattr(indexes, "rebuild", killed)
        with pytest.raises(StoreError, match="cut short"):
            purge(run, store)
    assert set() != files_with(store, word)
    again = run(Store.open(store.path))
    assert 61 == len(run(live(again)))
    purge(run, again)
    assert set() == files_with(again, word)
    run(again.close())


def test_words_and_vectors_are_found_as_before_after_a_purge(run, store, row, write, key, vector, plan, live) -> None:
    rows = [row(f"p{number}", f"word{number}", vector=vector(f"word{number}")) for number in range(30)]
    run(write(store, "r1", rows, key=key))
    run(write(store, "r2", end=["p3"]))
    purge(run, store)
    assert ["p7"] == [id for id, _ in run(store.keyword(plan("word7"), "true", 5))]
    assert "p8" == run(store.semantic(vector("word8"), key, plan(), "true", 5))[0][0]
    assert [] == run(store.keyword(plan("word3"), "true", 5))
    assert 0 == run(store.counts())["unindexed"]


def test_names_of_sources_are_ids_uris_globs_and_folders_now_or_earlier(run, store, fill, word) -> None:
    fill()
    for name in ("s1", "notes/a.md", f"notes/{word}.md", f"notes/{word[:8]}*"):
        assert {"s1"} == run(store.sources_named(name))
    for name in ("notes", "notes/", "notes/*.md"):
        assert {"s1", "s2"} == run(store.sources_named(name))
    assert set() == run(store.sources_named("note"))


def test_history_is_pruned_by_its_age_and_the_rest_stays(run, store, row, write, live, day) -> None:
    run(write(store, "r1", [row("a", "x"), row("b", "y"), row("c", "z")]))
    run(write(store, "r2", end=["a"], at=day(10)))
    run(write(store, "r3", end=["b"], at=day(20)))
    assert 1 == prune(run, store, day(15)).passages
    assert ["b", "c"] == run(live(store, as_of=day(16)))
    assert ["c"] == run(live(store))
    assert 0 == prune(run, store, day(15)).passages


def test_a_removed_source_is_pruned_when_it_holds_nothing_any_more(run, store, row, write, source, day) -> None:
    async def remove(id: str) -> None:
        async with store.writing():
            await store.begin(f"remove {id}")
            await store.put_sources([source(id, f"remove {id}", removed_at=day(3))])
            await store.commit(f"remove {id}")

    run(write(store, "r1", [row("a", "x", source_id="s1"), row("b", "y", source_id="s2")]))
    run(write(store, "r2", end=["a"], at=day(3)))
    run(write(store, "r3", end=["b"], at=day(30)))
    run(remove("s1"))
    run(remove("s2"))
    assert 0 == prune(run, store, day(3)).sources
    assert 1 == prune(run, store, day(9)).sources
    assert ["s2"] == [each.id for each in run(store.sources())]


def test_forgotten_passages_that_have_not_ended_are_history_to_nobody(run, store, row, write, day) -> None:
    run(write(store, "r1", [row("a", "x", forgotten_at=day(1))]))
    prune(run, store, day(50))
    purge(run, store)
    assert ["a"] == [each.passage.id for each in run(store.source_passages("s1"))]


def test_statistics_of_words_stay_as_they_were(run, store, fill, word, row, day) -> None:
    fill()
    names = [*terms.count([row("p", f"text word {word} other")])]
    before = run(store.statistics(names, ()))
    assert (61, 60) == (before.passages, max(before.frequencies.values()))
    prune(run, store, day(50))
    assert before == run(store.statistics(names, ()))
    purge(run, store)
    assert before == run(store.statistics(names, ()))


def test_terms_are_summed_up_in_pieces(run, store, row, monkeypatch) -> None:
    async def tally() -> None:
        async with store.writing():
            for number in range(6):
                await store.begin(f"r{number}")
                dropped = [row("old", "every once")] if number == 5 else []
                await store.tally([row(f"p{number}", f"every own{number}")], dropped, f"r{number}")
                await store.commit(f"r{number}")

    names = [*terms.count([row("p", "every own3 once")])]
    run(tally())
    before = run(store.statistics(names, ()))
    assert 5 in before.frequencies.values()
    monkeypatch.setattr(terms, "SUMMED_ROWS", 3)
    run(terms.sum_up(store._tables.terms))
    assert before == run(store.statistics(names, ()))
    found = run(store._tables.terms.query().to_arrow())["term"].to_pylist()
    assert sorted({*found}) == sorted(found)


@pytest.mark.slow
def test_a_long_run_sees_to_upkeep_by_itself(run, store, row, write) -> None:
    for number in range(indexes.WORTH_FRAGMENTS + 20):
        run(write(store, f"r{number}", [row(f"p{number}", "text")]))
    assert indexes.WORTH_FRAGMENTS > run(store.counts())["fragments"]


def test_a_read_of_a_version_that_was_purged_says_to_search_again(run, store, row, write, plan) -> None:
    run(write(store, "r1", [row("p1", "word"), row("p2", "word")]))
    reader = run(Store.open(store.path, read_only=True))
    version = run(reader.snapshot()).version
    run(write(store, "r2", end=["p1"]))
    purge(run, store)
    with pytest.raises(StoreError, match="Search again"):
        run(reader.keyword(plan("word"), "true", 5, version=version))
    assert ["p2"] == [id for id, _ in run(reader.keyword(plan("word"), "true", 5))]
    run(reader.close())


def test_sources_are_asked_for_by_id(run, store, source) -> None:
    async def put() -> None:
        async with store.writing():
            await store.begin("r")
            await store.put_sources([source(f"s{number}", "r") for number in range(5)])
            await store.commit("r")

    run(put())
    assert ["s1", "s3"] == [each.id for each in run(store.sources(["s3", "s1", "none"]))]
    assert [] == run(store.sources([]))
    assert 5 == len(run(store.sources()))


def test_sources_get_an_index_when_there_are_many(run, store, source, optimize, monkeypatch) -> None:
    monkeypatch.setattr(indexes, "INDEXED_ROWS", 3)

    async def put() -> None:
        async with store.writing():
            await store.begin("r")
            await store.put_sources([source(f"s{number}", "r") for number in range(4)])
            await store.commit("r")

    run(optimize(store))
    assert not run(indexes.has_index(store._tables.sources, "id"))
    run(put())
    run(optimize(store))
    assert run(indexes.has_index(store._tables.sources, "id"))
