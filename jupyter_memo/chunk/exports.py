"""The shapes in which programs write conversations down, and the turns in them.

Each is recognised by its keys, never by a file's name: the list of messages of a Jupyter chat, the tree of messages of
a ChatGPT export, the chats of a Claude export, lists of roles and contents as models are called and trained with, and
lists of speaker, text and time.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

ROLES = frozenset(
    {
        "ai",
        "assistant",
        "bot",
        "chatgpt",
        "claude",
        "developer",
        "function",
        "gpt",
        "human",
        "model",
        "system",
        "tool",
        "user",
    }
)
"""Who speaks in a conversation with a model, in lower case."""

_SPEAKERS = ("role", "speaker", "sender", "author", "from", "user", "username", "name")
_TEXTS = ("content", "text", "body", "value", "message", "parts")
_TIMES = ("time", "timestamp", "created_at", "create_time", "ts", "date", "datetime")
_TITLES = ("title", "name", "subject", "topic")
_LISTS = ("messages", "conversations", "conversation", "turns", "chat_messages")

_CITATION = re.compile("\ue200[^\ue201]{0,200}\ue201")
"""Where ChatGPT shows a link; in the text stand only its numbers."""

MILLISECONDS = 1e11
"""A number of this size counts milliseconds since 1970, a smaller one seconds (this many would be the year 5138)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What somebody said, and when where that is known. `place` is the 0-based number of its message in the list it
    stood in."""

    text: str
    place: int = 0
    speaker: str = ""
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Turns in their order. `place` is the 0-based number of the conversation in its file; `own_list` says that its
    messages have a list of their own, and are not the file's own list."""

    turns: tuple[Turn, ...]
    title: str = ""
    time: datetime | None = None
    place: int = 0
    own_list: bool = True


def conversations(value: object, left_out: Counter[str]) -> list[Conversation] | None:
    """The conversations a JSON value holds; None when it is none by its shape. `left_out` counts what is no turn."""
    if isinstance(value, dict):
        found = _one(value, 0, left_out)
        if found is None and (inner := _list_in(value)) is not None:  # an export wrapped in an object
            return conversations(inner, left_out)
        return None if found is None else [found]
    if not isinstance(value, list) or not value:
        return None
    if _are_turns(value):
        return [Conversation(turns=tuple(_turns(value, {}, left_out)), own_list=False)]
    many = [_one(each, place, left_out) if isinstance(each, dict) else None for place, each in enumerate(value)]
    if None in many:
        return None
    return [each for each in many if each is not None and each.turns]


def _one(value: dict[str, Any], place: int, left_out: Counter[str]) -> Conversation | None:
    """One conversation of whatever program, None when it is none."""
    if isinstance(value.get("mapping"), dict):
        turns = tuple(_tree(value, left_out))
    elif (messages := _list_in(value)) is not None and (
        _are_turns(messages) or (not messages and ("chat_messages" in value or "users" in value))
    ):
        turns = tuple(_turns(messages, _names(value.get("users")), left_out))
    else:
        return None
    time = next((found for name in _TIMES if (found := time_of(value.get(name)))), None)
    title = next((" ".join(each.split()) for name in _TITLES if isinstance(each := value.get(name), str)), "")
    return Conversation(turns=turns, title=title, time=time, place=place)


def _list_in(value: Mapping[str, Any]) -> list[Any] | None:
    """The list of messages of a conversation; an early Jupyter chat has an object of them."""
    for name in _LISTS:
        inner = value.get(name)
        if isinstance(inner, list):
            return inner
        if name == "messages" and isinstance(inner, dict):
            return list(inner.values())
    return None


def _are_turns(messages: Sequence[Any]) -> bool:
    """Whether every message is one: data may have an author, a text and a date as well."""
    return bool(messages) and all(isinstance(each, dict) and _is_turn(each) for each in messages)


def _is_turn(message: dict[str, Any]) -> bool:
    """A text of somebody in a role that models know, or of a speaker at a time."""
    texts = [message[name] for name in _TEXTS if name in message]
    if "tool_calls" not in message and not any(isinstance(text, str | list | dict) for text in texts):
        return False
    if any(_speaker(message.get(name)).lower() in ROLES for name in _SPEAKERS):
        return True
    speaks = _speaker(message.get("speaker")) or _speaker(message.get("sender")) or message.get("type") == "message"
    return bool(speaks) and any(time_of(message.get(name)) for name in _TIMES)


def _turns(messages: Sequence[dict[str, Any]], names: Mapping[str, str], left_out: Counter[str]) -> Iterator[Turn]:
    for place, message in enumerate(messages):
        if message.get("deleted"):
            left_out["deleted messages"] += 1
            continue
        text = next((found for name in _TEXTS if (found := _text(message.get(name)))), "")
        text = "\n\n".join((text, *_attached(message.get("attachments")))).strip()
        if not text:
            left_out["messages without text"] += 1
            continue
        speaker = next((found for name in _SPEAKERS if (found := _speaker(message.get(name)))), "")
        time = next((at for name in _TIMES if (at := time_of(message.get(name)))), None)
        yield Turn(text=text, place=place, speaker=names.get(speaker, speaker), time=time)


def _tree(value: dict[str, Any], left_out: Counter[str]) -> Iterator[Turn]:
    """The branch of a ChatGPT conversation that was current when it was exported, from its root."""
    mapping = value["mapping"]
    branch: dict[str, dict[str, Any]] = {}
    at = value.get("current_node")
    if not (isinstance(at, str) and at in mapping):
        at = _last_leaf(mapping)
    while isinstance(at, str) and at not in branch and isinstance(node := mapping.get(at), dict):
        branch[at] = node
        at = node.get("parent")
    for id, node in mapping.items():
        if id not in branch and isinstance(node, dict) and isinstance(node.get("message"), dict):
            left_out["messages of other branches"] += 1
    for node in reversed(branch.values()):
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        metadata = message.get("metadata")
        hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
        text = "" if hidden else _text(message.get("content"))
        author = message.get("author")
        if text:
            yield Turn(text=text, speaker=_speaker(author), time=time_of(message.get("create_time")))
        elif not (hidden or (isinstance(author, dict) and author.get("role") == "system")):
            left_out["messages without text"] += 1


def _last_leaf(mapping: dict[str, Any]) -> str | None:
    """The end of the branch that goes through the last child of each message."""
    roots = [id for id, node in mapping.items() if isinstance(node, dict) and node.get("parent") not in mapping]
    at = roots[0] if roots else None
    seen = set()
    while at is not None and at not in seen:
        seen.add(at)
        children = mapping[at].get("children") if isinstance(mapping[at], dict) else None
        inner = [child for child in children if child in mapping] if isinstance(children, list) else []
        if not inner:
            break
        at = inner[-1]
    return at


def _text(value: object) -> str:
    """The text of a content: itself, or the texts among its parts."""
    if isinstance(value, str):
        return _CITATION.sub("", value.replace("\r\n", "\n").replace("\x00", "")).strip()
    if isinstance(value, list):
        return "\n\n".join(filter(None, map(_part, value)))
    if isinstance(value, dict):
        return _part(value)
    return ""


def _part(value: object) -> str:
    if not isinstance(value, dict):
        return _text(value) if isinstance(value, str) else ""
    for name in ("text", "parts", "content", "result"):
        inner = value.get(name)
        if isinstance(inner, str) and inner.strip():
            code = value.get("content_type") == "code"
            return f"```\n{inner.strip()}\n```" if code else _text(inner)
        if isinstance(inner, list):
            return "\n\n".join(part for each in inner if (part := _text(each) if isinstance(each, str) else ""))
    return ""


def _attached(value: object) -> Iterator[str]:
    """The texts of files that were put beside a message, under their names."""
    for each in value if isinstance(value, list) else ():
        text = _text(each.get("extracted_content")) if isinstance(each, dict) else ""
        if text:
            yield f"{each.get('file_name') or 'attachment'}:\n{text}"


def _speaker(value: object) -> str:
    """Who speaks, on one line: a name, or what an object calls itself."""
    if isinstance(value, dict):
        value = next((found for name in ("display_name", "name", "role", "username") if (found := value.get(name))), "")
    return " ".join(value.split())[:80] if isinstance(value, str) else ""


def _names(users: object) -> dict[str, str]:
    """The names that the users of a Jupyter chat go by."""
    if not isinstance(users, dict):
        return {}
    return {str(id): name for id, user in users.items() if isinstance(user, dict) and (name := _speaker(user))}


def time_of(value: object) -> datetime | None:
    """An aware UTC time from seconds or milliseconds since 1970, or from a time as ISO writes it; None for others."""
    try:
        if isinstance(value, str):
            if value.replace(".", "", 1).isdecimal():
                value = float(value)
            else:
                time = datetime.fromisoformat(value.strip())
                return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
            return datetime.fromtimestamp(value / 1000 if value >= MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None
