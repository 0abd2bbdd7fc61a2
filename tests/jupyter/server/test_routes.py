"""Every route over a real Jupyter server, a real worker and the real engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from jupyter_memo import wire
from jupyter_memo.engine import Memo
from jupyter_memo.jupyter.routes import ROUTES, SEARCH_HEADER
from jupyter_memo.models.hash import HashEmbedder

Ask = Callable[..., Any]

NOTE = """\
---
tags: [physics]
---
# Criticality

The flow loses ESS near the critical point. ![x](https://example.org/x.png) <b>bold</b>

# Cooking

Lentils need no soaking at all.
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a note, a notebook and code, indexed."""
    folder = tmp_path_factory.mktemp("root")
    (folder / "notes").mkdir()
    (folder / "notes" / "a.md").write_text(NOTE, encoding="utf-8")
    (folder / "f.py").write_text('def mean(x):\n    """Return the magnetisation."""\n    return x\n', encoding="utf-8")
    cells = [nbformat.v4.new_markdown_cell("# Chains"), nbformat.v4.new_code_cell("tau = autocorrelation(chain)")]
    for cell, name in zip(cells, ("first", "second"), strict=True):
        cell["id"] = name
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "c.ipynb")
    with Memo.open(folder / ".memo", embedder=HashEmbedder()) as memo:
        memo.index(folder)
        memo.add([{"id": "remembered", "text": "The seminar moved to Thursday.", "kind": "note"}])
    return folder


async def listed(fetch: Ask, query: str, **more: Any) -> tuple[str, dict[str, Any]]:
    answer = await fetch("POST", "search", {"query": query, **more})
    assert 200 == answer.code, answer.body
    return answer.headers[SEARCH_HEADER], json.loads(answer.body)


async def test_a_search_answers_by_the_schema(fetch: Ask) -> None:
    _, found = await listed(fetch, "critical point", limit=2)
    response = wire.loads(json.dumps(found))
    assert ("notes/a.md", 2, "snippets") == (response[0].passage.uri, response.limit, found["text"])


async def test_an_empty_query_lists_everything_the_newest_first(fetch: Ask) -> None:
    _, found = await listed(fetch, " ")
    assert ("filter_only", 4) == (found["mode_effective"], found["total"])


async def test_a_search_is_scoped(fetch: Ask) -> None:
    scopes: list[tuple[dict[str, Any], set[str]]] = [
        ({"kind": "code"}, {"f.py"}),
        ({"kind": ["code", "notebook"]}, {"f.py", "c.ipynb"}),
        ({"tag": "physics"}, {"notes/a.md"}),
        ({"source": "notes/*"}, {"notes/a.md"}),
        ({"min_trust": 3}, set()),
        ({"namespace": "nowhere"}, set()),
        ({"before": "1990"}, set()),
    ]
    for given, uris in scopes:
        _, found = await listed(fetch, "", **given)
        assert uris == {result["passage"]["uri"] for result in found["results"]}, given


async def test_what_cannot_be_asked_is_told_with_a_cure(told: Ask) -> None:
    for given in (
        {"mode": "nope"},
        {"profile": "nope"},
        {"limit": 1000},
        {"limit": "ten"},
        {"kind": 3},
        {"kind": "nope"},
        {"since": 3},
        {"sync": "yes"},
        {"query": ["a"]},
    ):
        status, error = await told("POST", "search", {"query": "x", **given})
        assert (400, {"code", "message", "hint"}) == (status, set(error)), given


async def test_similar_takes_a_result(fetch: Ask, told: Ask) -> None:
    search, found = await listed(fetch, "autocorrelation")
    status, alike = await told("POST", "similar", {"search": search, "rank": 1})
    assert 200 == status
    assert found["results"][0]["passage"]["id"] not in {result["passage"]["id"] for result in alike["results"]}


async def test_similar_takes_a_text(told: Ask) -> None:
    status, found = await told("POST", "similar", {"text": "lentils need soaking", "limit": 1})
    assert (200, "notes/a.md") == (status, found["results"][0]["passage"]["uri"])


async def test_similar_to_an_unknown_passage_is_not_found(told: Ask) -> None:
    status, error = await told("POST", "similar", {"id": "0" * 32})
    assert (404, "LifecycleError") == (status, error["code"])


async def test_similar_to_nothing_is_refused(told: Ask) -> None:
    status, error = await told("POST", "similar", {})
    assert (400, "QueryError") == (status, error["code"])


async def test_a_context_is_given_with_its_sources(told: Ask) -> None:
    status, made = await told("POST", "context", {"query": "critical point", "max_tokens": 300, "profile": "rrf"})
    assert (200, "notes/a.md", 300) == (status, made["excerpts"][0]["uri"], made["max_tokens"])
    assert "The flow loses ESS near the critical point." in made["text"]
    status, made = await told("POST", "context", {"query": "quantum zebra"})
    assert (200, "", True) == (status, made["text"], made["reason"].startswith("Nothing in this index"))
    assert 400 == (await told("POST", "context", {"query": "a", "even_if_flat": 1}))[0]


async def test_other_wordings_and_surfaces_are_taken(fetch: Ask) -> None:
    _, found = await listed(fetch, "critical point", queries=["ESS is lost"], surfaces=["file", "memory"])
    assert ["ESS is lost"] == found["queries"]
    assert ["memory", "file"] == [leg["surface"] for leg in found["legs"]]


async def test_a_result_is_explained(fetch: Ask, told: Ask) -> None:
    search, _ = await listed(fetch, "critical point")
    status, found = await told("POST", "explain", {"search": search, "rank": 1})
    assert (200, True, 1) == (status, found["same"], len(found["response"]["results"]))
    assert {"keyword", "semantic"} == {each["arm"] for each in found["without"]}


async def test_why_something_is_not_found_is_told(told: Ask) -> None:
    status, found = await told("POST", "why-not", {"query": "lentils", "target": "f.py"})
    assert (200, "f.py") == (status, found["uri"])
    assert found["sentence"]


async def test_a_result_is_cited(fetch: Ask, told: Ask) -> None:
    search, _ = await listed(fetch, "critical point")
    status, found = await told("POST", "cite", {"search": search, "rank": 1, "style": "bibtex"})
    assert 200 == status
    assert found["text"].startswith("@misc{")


async def test_a_quote_holds_no_image_and_no_html(fetch: Ask, told: Ask) -> None:
    search, _ = await listed(fetch, "critical point")
    _, found = await told("POST", "cite", {"search": search, "rank": 1, "style": "quote"})
    text = found["text"]
    assert all(line.startswith(">") for line in text.splitlines())
    assert "notes/a.md" in text
    assert "![" not in text
    assert "<b" not in text


async def test_a_judgement_is_kept(fetch: Ask, told: Ask, root: Path) -> None:
    search, _ = await listed(fetch, "critical point")
    status, found = await told("POST", "judge", {"search": search, "rank": 1, "grade": 3})
    assert (200, {"grade": 3, "uri": "notes/a.md"}) == (status, found)
    with Memo.open(root / ".memo", embedder="none", read_only=True) as memo:
        assert "critical point" in {judgement.query for judgement in memo.judgements()}


async def test_a_passage_is_judged_by_its_id(fetch: Ask, told: Ask) -> None:
    _, found = await listed(fetch, "autocorrelation")
    id = found["results"][0]["passage"]["id"]
    given = {"query": "how long is the chain", "id": id, "grade": 2}
    assert (200, {"grade": 2, "uri": "c.ipynb"}) == await told("POST", "judge", given)
    for wrong, status in (({"grade": 9}, 400), ({"query": ""}, 400), ({"id": "0" * 32}, 404), ({"grade": True}, 400)):
        assert status == (await told("POST", "judge", {**given, **wrong}))[0]


async def test_a_list_that_nobody_keeps_is_not_found(told: Ask) -> None:
    status, error = await told("POST", "cite", {"search": "unknown", "rank": 1})
    assert (404, "LifecycleError") == (status, error["code"])


async def test_a_rank_that_is_not_there_is_refused(fetch: Ask, told: Ask) -> None:
    search, _ = await listed(fetch, "critical point")
    for rank in (0, 99, "1", None, True):
        status, error = await told("POST", "explain", {"search": search, "rank": rank})
        assert (400, "QueryError") == (status, error["code"]), rank


async def test_a_result_is_opened_where_it_stands(fetch: Ask, told: Ask) -> None:
    cell = {"cell": 1, "cell_id": "second", "part": "source", "line": 1, "line_end": 1}
    for query, place in {
        "critical point": {"path": "notes/a.md", "kind": "text", "line": 4, "line_end": 10},
        "magnetisation": {"path": "f.py", "kind": "text", "line": 1, "line_end": 3},
        "autocorrelation": {"path": "c.ipynb", "kind": "notebook", **cell},
    }.items():
        search, _ = await listed(fetch, query)
        status, found = await told("POST", "open", {"search": search, "rank": 1})
        assert (200, {**place, "why": ""}) == (status, found)


async def test_a_record_has_no_file_to_open(fetch: Ask, told: Ask) -> None:
    _, found = await listed(fetch, "seminar Thursday")
    status, place = await told("POST", "open", {"id": found["results"][0]["passage"]["id"]})
    assert (200, None, "record") == (status, place["path"], place["kind"])
    assert place["why"]


async def test_a_passage_is_given_whole(fetch: Ask, told: Ask) -> None:
    _, found = await listed(fetch, "lentils")
    id = found["results"][0]["passage"]["id"]
    status, passage = await told("GET", "passage", params={"id": id})
    assert (200, id) == (status, passage["id"])
    assert "Lentils need no soaking at all." in passage["text"]


async def test_an_unknown_passage_is_not_found(told: Ask) -> None:
    status, error = await told("GET", "passage", params={"id": "nope"})
    assert (404, "LifecycleError") == (status, error["code"])


async def test_values_for_completion_are_those_of_the_index(told: Ask) -> None:
    status, found = await told("GET", "values")
    assert (200, ["physics"], ["notes/*"]) == (status, found["fields"]["tag"], found["fields"]["source"])


async def test_facets_count_what_there_is(told: Ask) -> None:
    status, found = await told("GET", "facets")
    assert 200 == status
    assert {"kinds", "namespaces", "tags", "folders", "months"} == set(found)
    assert ([["physics", 1]], [["notes", 1]]) == (found["tags"], found["folders"])
    assert 4 == sum(count for _, count in found["kinds"]) == sum(count for _, count in found["months"])


async def test_status_names_the_installation_and_the_store(told: Ask) -> None:
    status, found = await told("GET", "status")
    assert (200, None, 4, True, []) == (
        status,
        found["error"],
        found["store"]["passages"],
        found["writable"],
        found["jobs"],
    )
    assert {"version", "python", "environment", "root", "schema"} < set(found)
    assert {"default", "memtomem"} < set(found["store"]["profiles"])


async def test_the_doctor_lists_checks(told: Ask) -> None:
    status, found = await told("GET", "doctor")
    assert 200 == status
    assert {"name", "ok", "detail", "cure"} == set(found["checks"][0])


async def test_settings_say_where_each_stands(told: Ask) -> None:
    status, found = await told("GET", "settings")
    by_key = {each["key"]: each for each in found["settings"]}
    assert (200, "hash", "environment") == (status, by_key["embedder"]["value"], by_key["embedder"]["origin"])


async def test_a_setting_that_is_none_is_refused(told: Ask) -> None:
    status, error = await told("PUT", "settings", {"nope": 1})
    assert (400, "ConfigError") == (status, error["code"])


async def test_an_index_run_is_followed_to_its_report(told: Ask, finished: Ask, root: Path) -> None:
    (root / "later").mkdir()
    (root / "later" / "b.md").write_text("# Later\n\nA zeppelin.\n", encoding="utf-8")
    (root / "later" / "odd.xyz").write_bytes(b"\0\1\2")
    status, begun = await told("POST", "index", {"paths": ["later"], "tags": ["new"]})
    over = await finished(begun["job"])
    assert (202, "done", ["later"], 1) == (status, over["state"], over["paths"], over["report"]["read"])
    assert ["later/odd.xyz"] == [each["uri"] for each in over["report"]["skipped"]]
    assert "1 source read" in over["text"]
    _, jobs = await told("GET", "index")
    assert begun["job"] == jobs["jobs"][0]["job"]
    _, found = await told("POST", "search", {"query": "zeppelin", "tag": "new"})
    assert 1 == len(found["results"])


async def test_an_index_run_of_nothing_is_refused(told: Ask) -> None:
    for paths in ([], "notes", [3], None):
        status, error = await told("POST", "index", {"paths": paths})
        assert (400, "QueryError") == (status, error["code"])


async def test_an_unknown_index_run_is_not_found(told: Ask) -> None:
    for method in ("GET", "DELETE"):
        status, error = await told(method, "index/abc123")
        assert (404, "NotFound") == (status, error["code"])


async def test_searches_are_counted_in_the_metrics_of_the_server(fetch: Ask, jp_fetch: Ask) -> None:
    await listed(fetch, "critical point")
    text = (await jp_fetch("metrics")).body.decode()
    assert 'jupyter_memo_searches_total{mode="hybrid",outcome="found"}' in text
    assert 'jupyter_memo_search_arm_seconds_count{arm="keyword"}' in text
    assert "jupyter_memo_index_passages" in text


def test_every_route_is_asked_by_a_test_here() -> None:
    own = Path(__file__).read_text(encoding="utf-8")
    names = {route[0].removeprefix("jupyter-memo/").split("/")[0] for route in ROUTES}
    assert [] == sorted(name for name in names if f'", "{name}' not in own)
