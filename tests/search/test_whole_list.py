"""What a response says of its list as a whole: scale, mode, total, what follows, and what was hidden."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jupyter_memo import profile
from jupyter_memo.engine import Memo
from jupyter_memo.models.protocols import Embedder

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DEEP = profile.override(profile.get("default"), depth=200, **{"abstain.enabled": False, "cutoff.enabled": False})

# query, mode, granularity, profile: scale, effective mode, total mode
TABLE = [
    ("weir gauge", "auto", "passage", "default", "evidence", "hybrid", "exact"),
    ("weir gauge", "auto", "document", "default", "evidence", "hybrid", "exact"),
    ("weir gauge", "keyword", "passage", "default", "evidence", "keyword_only", "exact"),
    ("weir gauge", "semantic", "passage", "default", "evidence", "semantic_only", "exact"),
    ("weir", "exact", "passage", "default", "evidence", "exact", "exact"),
    ("weir gauge", "auto", "passage", "rrf", "rrf", "hybrid", "exact"),
    ("weir gauge", "auto", "passage", "minmax", "minmax", "hybrid", "exact"),
    ("weir gauge", "auto", "passage", "keyword-only", "rrf", "keyword_only", "exact"),
    ("weir gauge", "auto", "passage", "semantic-only", "rrf", "semantic_only", "exact"),
    ("weir gauge", "auto", "passage", "memtomem", "rrf", "hybrid", "page"),
    ("kind:note", "auto", "passage", "default", "none", "filter_only", "exact"),
    ("kind:note", "semantic", "document", "rrf", "none", "filter_only", "exact"),
    ("-storm kind:note", "keyword", "passage", "default", "none", "filter_only", "exact"),
    ("-storm kind:note", "auto", "document", "keyword-only", "none", "filter_only", "exact"),
    ("zebra", "keyword", "passage", "default", "evidence", "keyword_only", "exact"),
    ("kind:data", "auto", "passage", "default", "none", "filter_only", "exact"),
    ("weir kind:data", "auto", "passage", "default", "evidence", "hybrid", "exact"),
]


@pytest.mark.parametrize(("query", "mode", "granularity", "name", "scale", "effective", "total_mode"), TABLE)
def test_scale_mode_and_total_say_what_was_done(
    many: Memo, query: str, mode: str, granularity: str, name: str, scale: str, effective: str, total_mode: str
) -> None:
    response = many.search(
        query,
        mode=mode,  # type: ignore[arg-type]
        granularity=granularity,  # type: ignore[arg-type]
        profile=name,
        now=NOW,
        sync=False,
        limit=7,
    )
    assert (scale, effective, total_mode) == (response.score_scale, response.mode_effective, response.total_mode)
    listed = next((stage.before for stage in response.trace.stages if stage.stage == "limit"), 0)
    if effective == "filter_only":
        listed = response.total
    assert max(0, listed - 7) == response.truncated
    assert len(response) == min(7, listed)
    assert response.total >= listed


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_what_follows_is_told_to_the_last_one(many: Memo, limit: int) -> None:
    whole = many.search("kind:note", now=NOW, sync=False).total
    response = many.search("kind:note", now=NOW, sync=False, limit=limit, offset=3)
    assert max(0, whole - 3 - limit) == response.truncated


# --- what is hidden


def hidden(memo: Memo, query: str, **options: object) -> list[str]:
    response = memo.search(query, now=NOW, **options)  # type: ignore[arg-type]
    return [hint for hint in response.hints if "not searched" in hint]


def test_a_hint_names_what_was_hidden_and_how_to_ask_for_it(many: Memo) -> None:
    count = dict(many.namespaces())["agent:log"]
    told = f"{count} passages in agent:log were not searched. Ask for them: ns:agent:log"
    assert [told] == hidden(many, "weir gauge")
    assert [told] == hidden(many, "kind:note kind:paper")
    response = many.search("weir gauge ns:agent:log", now=NOW)
    assert {"agent:log"} == {result.passage.namespace for result in response}


def test_where_a_namespace_is_named_nothing_is_hidden(many: Memo) -> None:
    assert [] == hidden(many, "weir ns:field") == hidden(many, "weir", namespace="agent:log")


def test_several_are_named_most_passages_first(tmp_path: Path, embedder: Embedder) -> None:
    with Memo.open(tmp_path / ".memo", embedder=embedder) as memo:
        memo.add([{"id": "plain", "text": "the probe"}])
        assert [] == hidden(memo, "probe")
        memo.add([{"id": "one", "text": "the probe", "namespace": "archive:old notes"}])
        assert ['1 passage in archive:old notes was not searched. Ask for them: ns:"archive:old notes"'] == hidden(
            memo, "probe"
        )
        assert ["one"] == [each.passage.uri for each in memo.search('probe ns:"archive:old notes"')]
        for number in range(5):
            memo.add([{"id": f"{number}{at}", "text": "the probe", "namespace": f"agent:{number}"} for at in range(2)])
        assert [
            "11 passages in agent:0, agent:1, agent:2 and 3 more were not searched. Ask for them: ns:agent:0"
        ] == hidden(memo, "probe")
