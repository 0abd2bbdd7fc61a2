"""Copies on a real store: folded in the list, known to counts, pages, budget, cutoff, reasons and to `why_not`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_memo import profile, wire
from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.render import html, text
from jupyter_memo.response import SearchResponse

WEIR = """# Weir

The gauge at the weir is read by hand once a week and the level is written into the book with the hour of the reading.
The wiper of the probe is cleaned on the same day with fresh water and a soft cloth, and the battery is changed when
its voltage falls below 11.8 at the terminal. Whoever reads the gauge signs the book.
"""
MOSS = "# Moss\n\nMoss grows on the north side of the weir wall and holds the water for many days after the rain.\n"
TROUT = "# Trout\n\nTrout and eels pass the weir by the ladder at night, when the gauge stands above thirty.\n"
OPEN = profile.override(profile.get("default"), **{"cutoff.enabled": False, "abstain.enabled": False})
QUERY = "gauge read by hand at the weir"


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    """One note in three folders, an older version of it, and two other notes."""
    folder = tmp_path_factory.mktemp("river")
    texts = {
        "notes/weir.md": WEIR,
        "old/weir-copy1.md": WEIR,
        "checkpoints/weir-checkpoint.md": WEIR,
        "old/weir-v1.md": WEIR.replace("11.8", "11.2"),
        "notes/moss.md": MOSS,
        "notes/trout.md": TROUT,
    }
    for name, said in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(said, encoding="utf-8")
    with Memo.open(folder / ".memo", embedder=embedder) as memo:
        memo.index(*(folder / name for name in ("notes", "old", "checkpoints")))
        yield memo


def ask(memo: Memo, query: str = QUERY, **options: object) -> SearchResponse:
    return memo.search(query, **{"profile": OPEN, "sync": False, **options})  # type: ignore[arg-type]


def uris(response: SearchResponse) -> list[str]:
    return [result.passage.uri for result in response]


def below(response: SearchResponse, rank: int = 1) -> set[str]:
    return {each.uri for each in response.at(rank).folded}


COPIES = {"notes/weir.md", "old/weir-copy1.md", "checkpoints/weir-checkpoint.md", "old/weir-v1.md"}


@pytest.mark.parametrize("granularity", ["passage", "document"])
def test_copies_in_several_folders_are_one_result(river: Memo, granularity: str) -> None:
    response = ask(river, granularity=granularity)
    assert 3 == len(response)
    assert COPIES == {response[0].passage.uri, *below(response)}
    assert {"notes/moss.md", "notes/trout.md"} == set(uris(response)[1:])


def test_the_total_counts_results_and_the_trace_what_was_folded(river: Memo) -> None:
    response = ask(river)
    assert (3, "exact", 0) == (response.total, response.total_mode, response.truncated)
    stage = next(each for each in response.trace.stages if each.stage == "fold")
    assert (6, 3, "3 say the same as 1 above them") == (stage.before, stage.after, stage.note)


def test_a_version_stands_by_itself_where_its_number_is_asked_for(river: Memo) -> None:
    response = ask(river, "the gauge is read by hand, voltage below 11.2")
    assert "old/weir-v1.md" == response[0].passage.uri
    # The others hold nothing of the query that it does not.
    assert COPIES - {"old/weir-v1.md"} == below(response)


def test_a_folder_that_is_asked_for_stands_by_itself(river: Memo) -> None:
    assert "checkpoints/weir-checkpoint.md" in uris(ask(river, "gauge checkpoints"))


def test_under_a_filter_that_leaves_one_copy_nothing_is_folded(river: Memo) -> None:
    response = ask(river, source="checkpoints/*")
    assert (["checkpoints/weir-checkpoint.md"], set()) == (uris(response), below(response))


def test_pages_have_no_gaps_and_no_repeats(river: Memo) -> None:
    pages = [ask(river, limit=1, offset=at) for at in range(3)]
    assert uris(ask(river)) == [uri for page in pages for uri in uris(page)]
    assert [3, 3, 3] == [page.total for page in pages]
    assert [2, 1, 0] == [page.truncated for page in pages]


def test_what_is_folded_uses_up_no_budget(river: Memo) -> None:
    response = ask(river)
    tokens = [result.passage.tokens + OPEN.budget.overhead_tokens for result in response]
    assert sum(tokens) == response.trace.budget.used_tokens
    assert uris(response) == uris(ask(river, max_tokens=sum(tokens)))


def test_the_cutoff_counts_what_is_folded_once(river: Memo) -> None:
    # Unfolded, the gap behind the four copies is the first that counts.
    cut = profile.override(OPEN, **{"cutoff.enabled": True, "cutoff.min_results": 2, "cutoff.gap": 0.1})
    apart = ask(river, profile=profile.override(cut, **{"fold.enabled": False}))
    together = ask(river, profile=cut)
    assert (4, COPIES) == (len(apart), set(uris(apart)))
    assert 2 == len(together)
    assert together.trace.cutoff is not None
    assert 2 == together.trace.cutoff.index


def test_with_folding_off_every_copy_is_a_result(river: Memo) -> None:
    response = ask(river, profile=profile.override(OPEN, **{"fold.enabled": False}))
    assert (6, 6) == (len(response), response.total)


def test_a_list_by_date_folds_nothing(river: Memo) -> None:
    response = ask(river, "source:*weir*")
    assert ("filter_only", 4) == (response.mode_effective, len(response))


@pytest.mark.parametrize("name", ["rrf", "minmax", "keyword-only", "precise"])
def test_copies_are_folded_under_other_profiles_too(river: Memo, name: str) -> None:
    response = ask(river, profile=name)
    assert COPIES == {response[0].passage.uri, *below(response)}


def test_why_not_names_the_result_it_is_folded_below_and_its_likeness(river: Memo) -> None:
    response = ask(river)
    target = next(uri for uri in COPIES if uri != response[0].passage.uri and uri != "old/weir-v1.md")
    told = river.why_not(QUERY, target, profile=OPEN)
    assert ("folded", 1.0, target) == (told.step, told.number, told.uri)
    assert f"{target} is folded below {response[0].passage.uri}, number 1 of the list: likeness 1.00" in told.sentence


def test_an_explanation_finds_a_result_that_another_copy_stands_for(river: Memo) -> None:
    response = ask(river)
    told = river.explain(response, 1, profile=OPEN)
    assert told.same
    assert None not in [each.rank for each in told.without]


def test_every_surface_tells_how_many_and_html_where(river: Memo) -> None:
    response = ask(river)
    assert "+ 3 more like this" in text.plain(response)
    page = html.static(response)
    assert "<details><summary>3 more like this</summary>" in page
    assert all(f"<bdi>{uri}</bdi>" in page for uri in below(response))
    assert "97\u202f% the same words" in page or "has 11.2" in page


def test_what_a_notebook_keeps_of_it_depends_on_the_share_level(river: Memo) -> None:
    response = ask(river)
    kept = {share: wire.loads(wire.dumps(response, share)).results[0].folded for share in ("full", "titles", "none")}  # type: ignore[arg-type]
    assert response.results[0].folded == kept["full"]
    assert any(each.own for each in kept["full"])
    assert (below(response), {()}) == ({each.uri for each in kept["titles"]}, {each.own for each in kept["titles"]})
    assert {("", "")} == {(each.uri, each.title) for each in kept["none"]}


def test_a_file_that_goes_takes_its_place_below_with_it(river: Memo, tmp_path: Path, embedder: Embedder) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(WEIR, encoding="utf-8")
    with Memo.open(tmp_path / ".memo", embedder=embedder) as memo:
        memo.index(tmp_path)
        assert 1 == len(memo.search(QUERY, profile=OPEN)[0].folded)
        Path(tmp_path / memo.search(QUERY, profile=OPEN)[0].passage.uri).unlink()
        memo.index(tmp_path)
        assert [()] == [result.folded for result in memo.search(QUERY, profile=OPEN)]
