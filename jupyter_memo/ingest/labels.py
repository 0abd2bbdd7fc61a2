"""What the settings say of a source by its path and its channel: namespace, trust, time to live, held-back secrets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

from pathspec import GitIgnoreSpec

from jupyter_memo.config import IndexSettings, placeholders
from jupyter_memo.query import parse_days
from jupyter_memo.records import DEFAULT_TRUST, Kind, Surface

Channel = Literal["file", "memory", "conversation"]
Rules = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Rules by path are pairs of a glob, as .gitignore has them, over the uri of a file and what it gives; the first
    that matches counts. `trust` is by channel, `keywords` the number of automatic tags a source gets."""

    namespaces: Rules = ()
    auto_namespace: bool = False
    ttl: Rules = ()
    trust: tuple[tuple[Channel, int], ...] = ()
    keywords: int = 0
    allow_secrets: tuple[str, ...] = ()

    def namespace(self, uri: str) -> str:
        """The namespace of a file that says none itself; empty where no rule has one for it.

        `{parent}` in a rule is the folder that the file lies in, `{root}` the first folder of its uri. A rule that
        needs a folder says nothing of a file without one.
        """
        *folders, _ = uri.split("/")
        for glob, template in self.namespaces:
            if not matches(glob, uri) or (placeholders(template) and not folders):
                continue
            return template.format(parent=folders[-1] if folders else "", root=folders[0] if folders else "")
        return folders[-1] if self.auto_namespace and folders else ""

    def ttl_days(self, uri: str) -> float | None:
        """For how many days after its date a file is found; None is for good."""
        return next((parse_days(days, "ttl") for glob, days in self.ttl if matches(glob, uri)), None)

    def trusted(self, surface: Surface, kind: Kind | None) -> int:
        """The trust of what comes in this way. A file that holds a conversation was, as a rule, exported elsewhere."""
        channel = "conversation" if surface == "file" and kind == "conversation" else surface
        return dict[str, int](self.trust).get(channel, DEFAULT_TRUST)

    def allows(self, uri: str) -> bool:
        """Whether what looks like a secret may be indexed of this file."""
        return any(matches(glob, uri) for glob in self.allow_secrets)

    def stamp(self, uri: str) -> dict[str, Any]:
        """What they say of one file, or of a record (an empty uri), as far as it may decide its passages: for the
        fingerprint, so that a changed rule labels anew."""
        if not uri:
            return {"trust": dict[str, int](self.trust).get("memory")}
        return {
            "namespace": self.namespace(uri),
            "ttl_days": self.ttl_days(uri),
            "trust": [dict[str, int](self.trust).get(channel) for channel in ("file", "conversation")],
            "keywords": self.keywords,
            "allow_secrets": self.allows(uri),
        }


NO_LABELS = Labels()


def of(settings: IndexSettings) -> Labels:
    """The labels that the settings give."""
    trust = settings.trust
    return Labels(
        namespaces=settings.namespaces,
        auto_namespace=settings.auto_namespace,
        ttl=settings.ttl,
        trust=(("file", trust.file), ("memory", trust.memory), ("conversation", trust.conversation)),
        keywords=settings.keywords,
        allow_secrets=settings.allow_secrets,
    )


def matches(glob: str, uri: str) -> bool:
    """Whether a glob names a file, or a folder that holds it."""
    return _spec(glob).match_file(uri)


def expiry(date: datetime, days: float) -> datetime | None:
    """The end of a time to live; None where it lies beyond the calendar."""
    try:
        return date + timedelta(days=days)
    except OverflowError:
        return None


@lru_cache(256)
def _spec(glob: str) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines((glob,))
