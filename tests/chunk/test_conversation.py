"""Conversations by turn, whatever program wrote them down."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo.chunk import exports, registry
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Parsed

Count = Callable[[str], int]

ROLES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Why is the slope wrong?"},
    {"role": "assistant", "content": [{"type": "text", "text": "The sensor drifted."}, {"type": "image_url"}]},
]


def parse(name: str, value: Any, count: Count, *, window: int = 100) -> Parsed:
    source = value if isinstance(value, str) else json.dumps(value)
    return registry.parse(name, source.encode(), count_tokens=count, max_tokens=window)


def lines(values: list[Any]) -> str:
    return "\n".join(map(json.dumps, values))


def node(id: str, parent: str | None, children: list[str], **message: Any) -> dict[str, Any]:
    return {"id": id, "parent": parent, "children": children, "message": message or None}


def said(role: str, text: str) -> dict[str, Any]:
    return {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "create_time": 1735689600}


CHATGPT = {
    "title": "Drift",
    "create_time": 1735689600.0,
    "current_node": "d",
    "mapping": {
        "a": node("a", None, ["b"]),
        "b": node("b", "a", ["c", "d"], **said("user", "Why?")),
        "c": node("c", "b", [], **said("assistant", "Nobody knows.")),
        "d": node("d", "b", [], **said("assistant", "It drifted\ue200cite\ue202turn0\ue201.")),
    },
}


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_roles_and_contents_are_read_by_turn(count: Count, name: str) -> None:
    parsed = parse(name, lines(ROLES) if name == "a.jsonl" else ROLES, count)
    assert "conversation" == parsed.kind
    assert [
        (("system",), "Be brief.", 1),
        (("user",), "Why is the slope wrong?", 2),
        (("assistant",), "The sensor drifted.", 3),
    ] == [(piece.header, piece.text, piece.span.turn) for piece in parsed.chunks]


def test_the_turn_before_is_the_context_and_no_part_of_the_text(count: Count) -> None:
    pieces = parse("a.json", ROLES, count).chunks
    assert ["", "Be brief.", "Why is the slope wrong?"] == [piece.context for piece in pieces]
    assert "slope" not in pieces[2].text


def test_a_turn_of_json_lines_knows_its_line(count: Count) -> None:
    parsed = parse("a.jsonl", "\n" + lines(ROLES).replace("\n", "\n\n"), count)
    assert [2, 4, 6] == [piece.span.start_line for piece in parsed.chunks]


def test_each_line_may_be_a_conversation(count: Count) -> None:
    parsed = parse(
        "a.jsonl", lines([{"messages": ROLES}, {"conversations": [{"from": "human", "value": "Hm?"}]}]), count
    )
    assert [("[0]", 1, 1), ("[0]", 2, 1), ("[0]", 3, 1), ("[1]", 1, 2)] == [
        (piece.span.key, piece.span.turn, piece.span.start_line) for piece in parsed.chunks
    ]
    assert "" == parsed.chunks[3].context


def test_a_line_that_is_cut_off_is_counted(count: Count) -> None:
    parsed = parse("a.jsonl", lines(ROLES) + '\n{"role": "us', count)
    assert 3 == len(parsed.chunks)
    assert ("1 lines that are not valid JSON left out",) == parsed.notes


def test_a_chatgpt_export_is_read_along_its_current_branch(count: Count) -> None:
    parsed = parse("conversations.json", [CHATGPT], count)
    assert ["Why?", "It drifted."] == [piece.text for piece in parsed.chunks]
    assert ("Drift", "assistant, 2025-01-01 00:00") == parsed.chunks[1].header
    assert datetime(2025, 1, 1, tzinfo=UTC) == parsed.chunks[1].created_at == parsed.created_at
    assert ("1 messages of other branches left out",) == parsed.notes


def test_without_a_current_node_the_last_branch_counts(count: Count) -> None:
    value = {key: each for key, each in CHATGPT.items() if key != "current_node"}
    assert "It drifted." == parse("c.json", [value], count).chunks[-1].text


def test_a_tree_that_leads_in_circles_comes_to_an_end(count: Count) -> None:
    mapping = {
        "a": node("a", "b", ["b"], **said("user", "One")),
        "b": node("b", "a", ["a"], **said("user", "Two")),
    }
    assert 2 == len(parse("c.json", [{**CHATGPT, "current_node": "b", "mapping": mapping}], count).chunks)


def test_a_claude_export_has_its_attachments(count: Count) -> None:
    message = {
        "sender": "human",
        "text": "See this.",
        "content": [{"type": "text", "text": "See this."}],
        "created_at": "2025-03-04T05:06:07.000000Z",
        "attachments": [{"file_name": "log.txt", "extracted_content": "12 errors"}],
    }
    value = [{"uuid": "1", "name": "Logs", "created_at": "2025-03-04T00:00:00Z", "chat_messages": [message]}]
    (piece,) = parse("conversations.json", value, count).chunks
    assert "See this.\n\nlog.txt:\n12 errors" == piece.text
    assert ("Logs", "human, 2025-03-04 05:06") == piece.header


def test_a_jupyter_chat_has_names_and_no_deleted_messages(count: Count) -> None:
    value = {
        "messages": [
            {"type": "msg", "sender": "u1", "body": "Look", "time": 1735689600.0, "id": "1"},
            {"type": "msg", "sender": "u1", "body": "", "time": 1735689660.0, "id": "2", "deleted": True},
        ],
        "users": {"u1": {"username": "u1", "display_name": "Anna"}},
    }
    parsed = parse("a.chat", value, count)
    assert [("Anna, 2025-01-01 00:00",)] == [piece.header for piece in parsed.chunks]
    assert ("1 deleted messages left out",) == parsed.notes


def test_speakers_with_a_time_are_a_conversation(count: Count) -> None:
    value = [{"speaker": "Anna", "text": "Low tide at six.", "time": "2025-02-01T10:00:00+02:00"}]
    (piece,) = parse("a.json", value, count).chunks
    assert ("Anna, 2025-02-01 08:00",) == piece.header


@pytest.mark.parametrize(
    "value",
    [
        [{"name": "station 1", "date": "2020-01-01", "value": 3.2}],
        [{"author": "Anna", "message": "Fix the slope", "date": "2020-01-01"}],
        [{"user": "u1", "text": "Great product", "timestamp": 1735689600}],
        [{"role": "admin", "name": "Anna"}],
        [{"role": "user", "content": "Hm?"}, {"id": 3}],
        {"messages": "none"},
        {"messages": [1, 2]},
        {"mapping": {"a": 1}, "messages": [{"id": 1}]},
        [],
    ],
)
def test_data_that_only_looks_like_it_stays_data(count: Count, value: Any) -> None:
    if value and not (isinstance(value, dict) and "mapping" in value):
        assert "data" == parse("a.json", value, count).kind
    assert not [talk for talk in exports.conversations(value, exports.Counter()) or () if talk.turns]


def test_code_in_a_turn_is_not_cut_where_it_fits(count: Count) -> None:
    code = "```python\n" + "\n\n".join(f"x = {number}" for number in range(8)) + "\n```"
    text = "So it goes on and on. " * 10 + "\n\n" + code + "\n\nand more. " + "So it goes. " * 10
    pieces = parse("a.json", [{"role": "user", "content": text}], count, window=60).chunks
    assert any(code in piece.text for piece in pieces)
    assert {1} == {piece.span.turn for piece in pieces}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1735689600, datetime(2025, 1, 1, tzinfo=UTC)),
        (1735689600000, datetime(2025, 1, 1, tzinfo=UTC)),
        ("1735689600.0", datetime(2025, 1, 1, tzinfo=UTC)),
        ("2025-01-01", datetime(2025, 1, 1, tzinfo=UTC)),
        (True, None),
        (float("nan"), None),
        (10**400, None),
        ("1" * 400, None),
        ("yesterday", None),
        ("0001-01-01T00:00:00+14:00", None),
        ({}, None),
    ],
)
def test_times_are_read_in_every_form_they_come_in(value: object, expected: datetime | None) -> None:
    assert expected == exports.time_of(value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('{"messages": [', "not valid JSON"),
        ("[" * 99_999, "nested too deeply"),
        ("[1, 2]", "no chat"),
        ('{"messages": [], "users": {}}', "holds no text"),
    ],
)
def test_what_is_no_chat_is_one_clear_error(count: Count, source: str, message: str) -> None:
    with pytest.raises(IngestError, match=message):
        parse("a.chat", source, count)


def test_real_conversations_are_found_whole_in_every_container(count: Count, shared_data: Path) -> None:
    folder = shared_data / "formats" / "chat"
    chats = sorted(folder.glob("*.chat"))
    turns = [message["body"] for path in chats for message in json.loads(path.read_text(encoding="utf-8"))["messages"]]
    for paths in (chats, [folder / "chatgpt_export/conversations.json"], [folder / "claude_export/conversations.json"]):
        found: dict[tuple[str, str | None, int | None], list[str]] = {}
        for path in paths:
            for piece in parse(path.name, path.read_text(encoding="utf-8"), count, window=254).chunks:
                found.setdefault((path.name, piece.span.key, piece.span.turn), []).append(piece.text)
                assert piece.created_at is not None
        assert sorted(" ".join(turn.split()) for turn in turns) == sorted(
            " ".join(" ".join(parts).split()) for parts in found.values()
        )


def test_no_other_real_file_is_taken_for_a_conversation(count: Count, shared_data: Path) -> None:
    paths = [path for path in (shared_data / "formats").rglob("*.json") if "chat" not in path.parts]
    paths += [path for path in shared_data.rglob("*.jsonl") if path.stat().st_size < 100_000]
    assert 10 < len(paths)
    for path in paths:
        assert "data" == parse(path.name, path.read_text(encoding="utf-8"), count, window=254).kind, path
