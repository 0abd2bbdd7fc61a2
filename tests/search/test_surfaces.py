"""A search over several surfaces: each by itself under one plan, merged; and what a surface is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_memo import profile as profiles
from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.query import Scope
from jupyter_memo.response import SearchResponse

RECORDS = (
    {"id": "kite", "text": "The red kite soars over the valley", "kind": "note"},
    {"id": "prey", "text": "A kite eats worms and mice", "kind": "note"},
    {"id": "ana", "text": "Ana: did you see the red kite today?", "kind": "conversation"},
    {"id": "ben", "text": "Ben: the red kite, yes, and dinner is at eight", "kind": "conversation"},
)
FILES = {
    "birds.md": "# Birds\n\nThe red kite nests in tall trees.\n",
    "boats.md": "# Boats\n\nA boat crosses the river at noon.\n",
}
LOOSE = profiles.override(profiles.get("default"), **{"abstain.enabled": False, "cutoff.enabled": False})


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    folder = tmp_path_factory.mktemp("surfaces")
    notes = folder / "notes"
    notes.mkdir()
    for name, text in FILES.items():
        (notes / name).write_text(text, encoding="utf-8")
    with Memo.open(folder / ".memo", embedder=embedder) as memo:
        memo.add(RECORDS)
        memo.index(notes)
        yield memo


def homes(response: SearchResponse) -> list[tuple[str, str]]:
    return [(each.passage.surface, each.passage.uri.rsplit("/", 1)[-1]) for each in response]


def test_a_conversation_is_chat_wherever_it_lies(filled: Memo, tmp_path: Path) -> None:
    chat = tmp_path / "chat.md"
    chat.write_text("**User:** where is the kite?\n\n**Assistant:** over the valley.\n", encoding="utf-8")
    with Memo.open(tmp_path / ".memo", embedder="hash") as memo:
        memo.index(chat, kind="conversation")
        assert {"chat"} == {each.passage.surface for each in memo.search("kite valley", profile=LOOSE)}
        before = memo.search("kite valley", surface="chat", profile=LOOSE)
        memo.index(chat, kind="note")
        assert {"file"} == {each.passage.surface for each in memo.search("kite valley", profile=LOOSE)}
        assert (len(before) > 0, 0) == (True, len(memo.search("kite valley", surface="chat", profile=LOOSE)))


def test_one_surface_is_a_filter(filled: Memo) -> None:
    for asked in (
        {"surface": "chat"},
        {"surfaces": "chat"},
        {"surfaces": ["chat"]},
        {"scope": Scope(surfaces=("chat",))},
    ):
        found = filled.search("red kite", profile=LOOSE, **asked)
        assert ({"chat"}, (), "evidence") == ({home for home, _ in homes(found)}, found.legs, found.score_scale)


def test_a_scope_of_two_surfaces_is_a_filter_too(filled: Memo) -> None:
    found = filled.search("red kite", profile=LOOSE, scope=Scope(surfaces=("chat", "memory")))
    assert ({"chat", "memory"}, ()) == ({home for home, _ in homes(found)}, found.legs)


def test_several_are_searched_apart_and_merged(filled: Memo) -> None:
    found = filled.search("red kite", surfaces=("file", "chat", "memory"), profile=LOOSE)
    assert ["memory", "chat", "file"] == [leg.surface for leg in found.legs]
    assert {"memory", "chat", "file"} == {home for home, _ in homes(found)}
    assert "surfaces" == found.score_scale
    assert homes(found) == homes(filled.search("red kite", surfaces="all", profile=LOOSE))


def test_every_native_score_is_that_of_a_search_of_the_surface_alone(filled: Memo) -> None:
    found = filled.search("red kite", surfaces="all", profile=LOOSE, min_relevance=0)
    for surface in ("memory", "chat", "file"):
        alone = {each.passage.id: each.score for each in filled.search("red kite", surface=surface, profile=LOOSE)}
        own = {each.passage.id: each.native for each in found if each.passage.surface == surface}
        assert pytest.approx(alone, abs=1e-6) == own


def test_each_surface_tells_what_it_found_and_gave(filled: Memo) -> None:
    found = filled.search("red kite", surfaces="all", profile=LOOSE, limit=3)
    for leg in found.legs:
        own = [each for each in found if each.passage.surface == leg.surface]
        assert len(own) == leg.shown <= leg.merged <= leg.found
        assert leg.best == max(each.native or 0 for each in own)
    assert [None, 0.15, 0.15] == [leg.floor for leg in found.legs]
    assert sum(leg.merged for leg in found.legs) >= found.total


def test_votes_and_weights_give_the_score(filled: Memo) -> None:
    for profile in (LOOSE, "rrf"):
        for each in filled.search("red kite", surfaces="all", profile=profile):
            assert each.why is not None
            product = each.why.fused
            for weight in each.why.weights:
                product *= weight.factor
            assert pytest.approx(each.score, abs=1e-6) == product
            assert ("merge", each.rank) == next((p.stage, p.rank) for p in each.why.places if p.stage == "merge")
            assert "surface" == each.why.weights[-1].name


def test_pages_of_a_merged_list_are_the_list(filled: Memo) -> None:
    whole = homes(filled.search("red kite valley", surfaces="all", profile=LOOSE))
    pages = [filled.search("red kite valley", surfaces="all", profile=LOOSE, limit=2, offset=at) for at in (0, 2, 4)]
    assert whole[:6] == [each for page in pages for each in homes(page)]


def test_one_plan_holds_on_every_surface(filled: Memo) -> None:
    found = filled.search('"red kite" -dinner', surfaces="all", profile=LOOSE)
    assert {"kite", "ana", "birds.md"} == {name for _, name in homes(found)}


def test_without_the_shared_plan_chat_and_file_take_the_query_as_words(filled: Memo) -> None:
    own = profiles.override(LOOSE, **{"surfaces.shared_plan": False})
    found = {name for _, name in homes(filled.search('"red kite" -dinner', surfaces="all", profile=own))}
    assert "ben" in found
    assert "prey" not in found


def test_a_field_of_the_query_holds_for_all(filled: Memo) -> None:
    assert {"memory"} == {home for home, _ in homes(filled.search("kite kind:note", surfaces="all", profile=LOOSE))} - {
        "file"
    }


def test_a_surface_that_has_no_answer_gives_nothing_and_says_why(filled: Memo) -> None:
    found = filled.search("boat river", surfaces="all")
    by = {leg.surface: leg for leg in found.legs}
    assert ["boats.md"] == [name for _, name in homes(found)]
    assert 0 == by["chat"].merged
    assert by["chat"].note


def test_where_no_surface_answers_nothing_is_found(filled: Memo) -> None:
    found = filled.search("quantum zebra", surfaces="all")
    assert (0, True) == (len(found), bool(found.reason))
    assert found.trace.floor is not None
    assert found.trace.floor.refused


def test_filters_alone_list_the_newest_of_the_surfaces(filled: Memo) -> None:
    found = filled.search("kind:note", surfaces=("memory", "chat"))
    assert ("none", (), {"memory"}) == (found.score_scale, found.legs, {home for home, _ in homes(found)})


def test_what_is_like_a_text_is_merged_as_well(filled: Memo) -> None:
    found = filled.similar("red kite over the valley", surfaces="all", profile=LOOSE)
    assert {"memory", "chat", "file"} == {home for home, _ in homes(found)}
    assert "surfaces" == found.score_scale


def test_a_merged_result_is_explained_by_merged_searches(filled: Memo) -> None:
    found = filled.search("red kite", surfaces="all", profile=LOOSE)
    assert filled.explain(found, 1, profile=LOOSE).same


@pytest.mark.parametrize(("target", "step"), [("kite", "found"), ("boats.md", "floor"), ("prey", "limit")])
def test_why_not_follows_a_passage_on_its_surface_and_in_the_merged_list(filled: Memo, target: str, step: str) -> None:
    target = f"*{target}"
    told = filled.why_not("red kite", target, surfaces="all", profile=LOOSE, limit=3)
    assert step == told.step
    assert any("searched for on its surface" in each for each in told.passed)


def test_a_passage_whose_document_another_one_stands_for_is_followed_into_the_merged_list(memo: Memo) -> None:
    parts = "\n\n".join(f"The red kite in part {number}. " + "filler " * 250 for number in range(3))
    memo.add([{"id": "long", "text": parts}, *RECORDS[2:]])
    last = memo.search("red kite", surface="memory", profile=LOOSE).results[-1].passage.id
    told = memo.why_not("red kite", last, surfaces="all", granularity="document", profile=LOOSE)
    assert ("found", True) == (told.step, told.number in (1, 2, 3))


@pytest.mark.parametrize("given", ["chats", ["memory", "disk"], 3, [None]])
def test_an_unknown_surface_is_refused(filled: Memo, given: object) -> None:
    with pytest.raises(QueryError, match=r"surface .* is unknown"):
        filled.search("red kite", surfaces=given)


def test_an_unknown_surface_of_a_filter_is_refused(filled: Memo) -> None:
    with pytest.raises(QueryError, match="Did you mean chat"):
        filled.search("red kite", surface="chats")


def test_two_that_contradict_are_refused(filled: Memo) -> None:
    with pytest.raises(QueryError, match="Keep one"):
        filled.search("red kite", surfaces="chat", scope=Scope(surfaces=("file",)))
