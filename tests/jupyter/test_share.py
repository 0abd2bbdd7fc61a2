"""Share levels: text that must not be saved is in no form of a saved output."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from jupyter_memo import wire
from jupyter_memo.jupyter import display
from jupyter_memo.records import Span
from jupyter_memo.response import SHARES, Folded, Miss, SearchResponse, Share, WhyNot

WHOLE, SNIPPET, TITLE, FOLDER = "wholetextonly", "snippetonly", "titleonly", "folderonly"
SECRETS = {
    "full": (),
    "snippets": (WHOLE,),
    "titles": (WHOLE, SNIPPET),
    "none": (WHOLE, SNIPPET, TITLE, FOLDER, "tagonly", "spaceonly", "keyonly"),
}


@pytest.fixture
def planted(response: SearchResponse) -> SearchResponse:
    """Ten results that carry a word of their own for each thing a level may leave out."""
    results = []
    for rank, result in enumerate((*response.results, *response.results[:3]), 1):
        passage = replace(
            result.passage,
            id=f"{rank:016x}",
            uri=f"{FOLDER}/a{rank}.md",
            header=(f"{FOLDER} above", f"{TITLE} {rank}"),
            text=f"{SNIPPET} here. {WHOLE} there.",
            namespace="spaceonly",
            tags=("tagonly",),
            span=replace(result.passage.span, key="keyonly.x"),
        )
        why = result.why
        assert why is not None
        why = replace(why, provenance=replace(why.provenance, uri=passage.uri))
        below = Folded(
            id=f"{rank:015x}f",
            uri=f"{FOLDER}/copy{rank}.md",
            title=f"{TITLE} copy",
            span=passage.span,
            score=0.1,
            likeness=0.95,
            own=(SNIPPET,),
        )
        results.append(
            replace(
                result,
                rank=rank,
                passage=passage,
                snippet=f"{SNIPPET} here.",
                marks=((0, len(SNIPPET)),),
                why=why,
                before=f"{SNIPPET} above" if rank == 1 else "",
                after=f"{SNIPPET} below" if rank == 1 else "",
                folded=(below,) if rank == 1 else (),
            )
        )
    hint = response.narrow_hint
    assert hint is not None
    return replace(response, results=tuple(results), narrow_hint=replace(hint, field="ns", value="spaceonly"))


def forms(response: SearchResponse) -> dict[str, str]:
    return {
        name: form if isinstance(form, str) else json.dumps(form) for name, form in display.bundle(response).items()
    }


@pytest.mark.parametrize("share", SHARES)
def test_what_a_level_leaves_out_is_in_no_form(share: Share, planted: SearchResponse) -> None:
    for name, form in forms(planted.shared(share)).items():
        assert [] == [secret for secret in SECRETS[share] if secret in form], name


@pytest.mark.parametrize("share", SHARES)
def test_what_a_level_keeps_is_in_every_form(share: Share, planted: SearchResponse) -> None:
    kept = {WHOLE, SNIPPET, TITLE, FOLDER} - set(SECRETS[share])
    for name, form in forms(planted.shared(share)).items():
        assert [] == [word for word in kept if word not in form], name


@pytest.mark.parametrize("share", ["titles", "none"])
def test_every_form_says_what_was_left_out(share: Share, planted: SearchResponse) -> None:
    told = wire.LEFT_OUT[share]
    for form in forms(planted.shared(share)).values():
        assert told in " ".join(form.split())


@pytest.mark.parametrize("share", SHARES)
def test_scores_ranks_and_counts_stay_at_every_level(share: Share, planted: SearchResponse) -> None:
    saved = wire.loads(json.dumps(display.bundle(planted.shared(share))[display.MIME]))
    assert [r.score for r in planted] == [r.score for r in saved]
    assert [r.why.arms for r in planted if r.why] == [r.why.arms for r in saved if r.why]
    assert planted.total == saved.total


@pytest.mark.parametrize("share", SHARES)
def test_every_level_follows_the_schema(share: Share, planted: SearchResponse) -> None:
    data = display.bundle(planted.shared(share))[display.MIME]
    jsonschema.Draft202012Validator(wire.schema()).validate(data)
    assert share == data["text"]


@pytest.mark.parametrize("share", ["snippets", "titles", "none"])
def test_ten_results_stay_below_sixty_kilobytes(share: Share, planted: SearchResponse) -> None:
    bundle = display.bundle(planted.shared(share))
    assert 60_000 > len(json.dumps(bundle, ensure_ascii=False, separators=(",", ":")).encode())


def test_snippets_are_saved_unless_another_level_is_asked_for(planted: SearchResponse) -> None:
    assert display.bundle(planted) == display.bundle(planted.shared("snippets"))


def test_a_lower_level_makes_a_smaller_output(planted: SearchResponse) -> None:
    sizes = [sum(map(len, forms(planted.shared(share)).values())) for share in SHARES]
    assert sorted(sizes, reverse=True) == sizes


def test_the_response_itself_stays_whole(planted: SearchResponse) -> None:
    shared = planted.shared("none")
    display.bundle(shared)
    assert planted.results == shared.results


def test_whole_passages_are_capped_too_and_the_cut_is_said(planted: SearchResponse) -> None:
    long = tuple(replace(r, passage=replace(r.passage, text="word " * 50_000)) for r in planted.results)
    made = forms(replace(planted, results=long).shared("full"))
    assert 240_000 > sum(map(len, made.values()))
    assert all("Texts were cut to" in form for form in made.values())


def test_two_bundles_of_one_response_are_the_same_text(planted: SearchResponse) -> None:
    assert json.dumps(display.bundle(planted)) == json.dumps(display.bundle(planted))


def test_no_folder_of_this_machine_is_saved(
    planted: SearchResponse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inside, outside = str(tmp_path / "notes" / "a.md"), "/home/ada/private/b.md"
    results = tuple(
        replace(
            r,
            passage=replace(r.passage, uri=uri),
            document=uri,
            why=replace(r.why, provenance=replace(r.why.provenance, uri=uri)) if r.why else None,
        )
        for r, uri in zip(planted.results, (inside, outside), strict=False)
    )
    for share in SHARES:
        for form in forms(replace(planted, results=results).shared(share)).values():
            assert str(tmp_path) not in form
            assert "ada" not in form
            assert ("notes/a.md" in form) is (share != "none")
            assert ("b.md" in form) is (share != "none")


@pytest.mark.parametrize("share", SHARES)
def test_why_something_is_missing_is_told_in_numbers_alone_where_none_is_shared(share: Share) -> None:
    told = WhyNot(
        query="q",
        target="*.md",
        step="folded",
        sentence=f"{FOLDER}/b.md is folded below {FOLDER}/a.md.",
        cure=f"Name its namespace: ns:{FOLDER}",
        number=0.93,
        passed=(f"{FOLDER} indexed",),
        near=(f"{FOLDER}/c.md",),
        share=share,
    )
    for form in told._repr_mimebundle_().values():
        assert ("folded" in form, "0.93" in form or share != "none") == (True, True)
        assert (FOLDER in form) == (share != "none")


def test_a_path_of_this_machine_is_no_path_of_what_is_folded_or_missed(planted: SearchResponse) -> None:
    first = planted.results[0]
    moved = replace(first, folded=tuple(replace(each, uri="/home/me/secretly/b.md") for each in first.folded))
    missed = Miss(uri="/home/me/secretly/c.md", title="c", span=Span(), relevance=0.1, fused=0.1)
    for response in (replace(planted, results=(moved,)), replace(planted, results=(), nearest=(missed,))):
        assert [] == [name for name, form in forms(response).items() if "secretly" in form]
