"""What the settings are. The fields below are the one source of all of them: what they say is also what JupyterLab's
settings form shows. `config` finds the values.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any, Literal

from pathspec import GitIgnoreSpec
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator

from jupyter_memo.errors import ProfileError, QueryError
from jupyter_memo.profile import PROFILES, Profile, get
from jupyter_memo.query import LIMIT_MAX, TRUST_MAX, Mode, parse_days
from jupyter_memo.response import Share


class TrustSettings(BaseModel):
    """The trust of what comes in and is told no other, 0 to 3, by the way it comes in; `trust:` asks for it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: int = Field(default=2, ge=0, le=TRUST_MAX, description="Of what stands in a file.")
    memory: int = Field(default=2, ge=0, le=TRUST_MAX, description="Of a record that is added from Python.")
    conversation: int = Field(
        default=1, ge=0, le=TRUST_MAX, description="Of a file that holds a conversation: others wrote a part of it."
    )


class IndexSettings(BaseModel):
    """How sources are read. Indexing the same path again applies a change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    max_megabytes: float = Field(default=32, gt=0, description="A file larger than this is skipped, and named.")
    target_chunk_tokens: int | None = Field(
        default=None,
        ge=0,
        description="Short neighbouring sections are joined up to so many tokens; 0 joins nothing. Unset, it is what "
        "fits the model's window.",
    )
    ignore: tuple[str, ...] = Field(
        default=(), description="Patterns of files to leave out, besides those of ignore files; as in .gitignore."
    )
    history_days: float = Field(
        default=90, ge=0, description="Maintenance keeps passages that were changed or removed for so many days."
    )
    watch: bool = Field(
        default=True,
        description="The system tells of changes in large folders. Without it they are looked at every two seconds.",
    )
    namespaces: tuple[tuple[str, str], ...] = Field(
        default=(),
        title="Namespaces by path",
        description="The first glob that matches a file gives its namespace, where neither the run nor the file itself "
        "says one. {parent} is the file's own folder, {root} the first folder of its path.",
        json_schema_extra={"pair": ["Glob", "Namespace"]},
    )
    auto_namespace: bool = Field(
        default=False, description="Where no rule gives one, a file's own folder is its namespace."
    )
    ttl: tuple[tuple[str, str], ...] = Field(
        default=(),
        title="Time to live by path",
        description="The first glob that matches a file says how long it is found, from its date on: 12h, 30d, 2w, 6m, "
        "1y.",
        json_schema_extra={"pair": ["Glob", "How long"]},
    )
    trust: TrustSettings = Field(default=TrustSettings(), title="Trust")
    keywords: int = Field(
        default=0, ge=0, le=20, description="So many tags a source, taken from its text (extra `keywords`)."
    )
    allow_secrets: tuple[str, ...] = Field(
        default=(),
        description="Globs of files whose keys and tokens are examples: they are indexed like any other text.",
    )

    @field_validator("namespaces", "ttl", mode="before")
    @classmethod
    def _in_order(cls, value: Any) -> Any:
        return tuple(value.items()) if isinstance(value, dict) else value

    @field_validator("namespaces")
    @classmethod
    def _sound_namespaces(cls, rules: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        for glob, namespace in rules:
            _check_glob(glob)
            if not namespace.strip():
                raise ValueError(f"the rule for {glob!r} names no namespace. Write one, or take the rule out")
            try:
                known = placeholders(namespace) <= {"parent", "root"}
            except ValueError:
                known = False
            if not known:
                raise ValueError(f"{namespace!r} may hold {{parent}} and {{root}}, and no other braces")
        return rules

    @field_validator("ttl")
    @classmethod
    def _sound_ttl(cls, rules: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        for glob, days in rules:
            _check_glob(glob)
            try:
                parse_days(days)
            except QueryError as error:
                raise ValueError(str(error)) from error
        return rules

    @field_validator("allow_secrets")
    @classmethod
    def _sound_globs(cls, globs: tuple[str, ...]) -> tuple[str, ...]:
        for glob in globs:
            _check_glob(glob)
        return globs


class SearchSettings(BaseModel):
    """What a search does where its call does not say."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    limit: int | None = Field(
        default=None, ge=1, le=LIMIT_MAX, description="Results on a page. Unset, it is what the profile says."
    )
    mode: Mode = Field(default="auto", description="What to search by: words and meaning as they fit, or one of them.")
    model_wait_seconds: float = Field(
        # Most of a cold start: answering without meaning a moment earlier would only be asked again.
        default=3,
        ge=0,
        description="A search waits so long for a model that is still loading, then answers from words alone.",
    )
    arm_timeout_seconds: float = Field(
        default=10, gt=0, description="A part of a search that takes longer is left out of the answer, and named."
    )
    sync_wait_seconds: float = Field(
        # The words of some hundred changed files: more of them are a new folder, and nobody waits for that.
        default=2,
        ge=0,
        description="A search waits so long for the words of changed files; the rest is told as pending.",
    )


class Settings(BaseModel):
    """Every setting. `config.load` finds them; this class knows what they may be."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    store: str | None = Field(
        default=None,
        description="Folder or address of the index. Unset, it is the nearest folder called .memo upwards, else one in "
        "your user data.",
    )
    embedder: str = Field(
        default="minilm",
        description="Embedding model: minilm, multilingual (beside it one for other scripts, extra `multilingual`), "
        "none (words and identifiers alone) or transformers:NAME (extra `st`).",
    )
    profile: str = Field(
        default="default",
        description="Ranking profile: the constants that results are ranked by.",
        json_schema_extra={"enum": list(PROFILES)},
    )
    share: Share = Field(default="snippets", description="How much text of an answer a saved notebook holds.")
    user: str | None = Field(
        default=None, description="The name that judgements are kept under. Unset, it is that of your account."
    )
    lock_timeout_seconds: float = Field(
        default=60, ge=0, description="Writing waits so long for another program that writes to the same index."
    )
    trust_projects: tuple[str, ...] = Field(
        default=(),
        description="Folders whose own settings file and index are believed whatever they say and whoever owns them; "
        "FOLDER/* for all folders below one, * for all there are. A project's file cannot say this.",
    )
    index: IndexSettings = Field(default=IndexSettings(), title="Index")
    search: SearchSettings = Field(default=SearchSettings(), title="Search")
    _profiles: Mapping[str, Profile] = PrivateAttr(default_factory=lambda: PROFILES)

    @property
    def profiles(self) -> Mapping[str, Profile]:
        """The profiles there are, by name: those of the package, then the user's own."""
        return self._profiles

    @property
    def ranking(self) -> Profile:
        """The profile that is set. Raises ProfileError where there is none of that name, or where the mode that is set
        needs an arm that it switches off."""
        chosen, mode = get(self.profile, self.profiles), self.search.mode
        if mode != "auto" and chosen.fusion.weight(mode) == 0:
            raise ProfileError(
                f"search.mode = {mode!r} finds nothing by profile {chosen.name}, whose fusion.{mode} is 0. "
                "Set search.mode = 'auto', or another profile"
            )
        return chosen

    @field_validator("store")
    @classmethod
    def _sound_store(cls, store: str | None) -> str | None:
        if store is not None and (not store.strip() or "\0" in store):
            raise ValueError(f"{store!r} names no folder. Write a path or an address, or take the setting out")
        return store


class PanelSettings(BaseModel):
    """How the side panel behaves. JupyterLab alone keeps these: they stand in its form, in no file of ours."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    side: Literal["left", "right"] = Field(default="right", description="Where the panel stands; after a reload.")
    search_as_you_type: bool = Field(default=True, description="Search while typing. Without it, Enter searches.")
    debounce_ms: int = Field(
        default=200, ge=0, le=5000, title="Pause before a search", description="In milliseconds, after the last key."
    )


def placeholders(template: str) -> set[str]:
    """The names in braces. Raises ValueError for braces that do not pair."""
    parts = list(string.Formatter().parse(template))
    if any(form or conversion for _, _, form, conversion in parts):
        raise ValueError(template)
    return {name for _, name, _, _ in parts if name is not None}


def _check_glob(glob: str) -> None:
    """Raises ValueError for a pattern that can name no file."""
    try:
        sound = bool(glob.strip()) and glob[:1] not in "!#" and bool(GitIgnoreSpec.from_lines((glob,)))
    except ValueError:
        sound = False
    if not sound:
        raise ValueError(f"{glob!r} is no glob. Write one as in .gitignore, such as 'notes/**' or '*.md'")
