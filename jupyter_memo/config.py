"""Settings: defaults, then jupyter_memo.toml, then JUPYTER_MEMO__SECTION__KEY, then keywords. The later one wins.

The only place that reads the environment. The file is the nearest `jupyter_memo.toml` from the working folder upwards,
else the one in the user's configuration folder.
"""

from __future__ import annotations

import difflib
import getpass
import os
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs
from pathspec import GitIgnoreSpec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from jupyter_memo.errors import ConfigError, QueryError
from jupyter_memo.query import TRUST_MAX, parse_days
from jupyter_memo.response import Share

FILE_NAME = "jupyter_memo.toml"
STORE_FOLDER = ".memo"


class TrustSettings(BaseModel):
    """The trust, 0 to 3, of what comes in by each way and is told no other: a file, a record given from Python, a file
    that holds a conversation (an export of a chat holds what others wrote)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: int = Field(default=2, ge=0, le=TRUST_MAX)
    memory: int = Field(default=2, ge=0, le=TRUST_MAX)
    conversation: int = Field(default=1, ge=0, le=TRUST_MAX)


class IndexSettings(BaseModel):
    """How sources are read. `target_chunk_tokens`: join short siblings up to this many tokens; unset fits the model's
    window, 0 joins nothing. `ignore`: gitignore patterns besides those of ignore files.
    `history_days`: how long `maintain` keeps passages that were changed or removed.
    `namespaces` and `ttl` are rules by path, (glob, value) in their order, also as a table: the first whose glob
    matches a file's uri counts, where neither a run nor the file itself says otherwise. In a namespace `{parent}` is
    the file's own folder and `{root}` the first folder of its uri. `auto_namespace`: without a rule, the file's own
    folder. `keywords`: so many tags a source, taken from its text. `allow_secrets`: globs of files whose keys and
    tokens are indexed like any other text.
    `watch`: let the system tell of changes in large folders; without it they are looked at every two seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_megabytes: float = Field(default=32, gt=0)
    target_chunk_tokens: int | None = Field(default=None, ge=0)
    ignore: tuple[str, ...] = ()
    history_days: float = Field(default=90, ge=0)
    watch: bool = True
    namespaces: tuple[tuple[str, str], ...] = ()
    auto_namespace: bool = False
    ttl: tuple[tuple[str, str], ...] = ()
    trust: TrustSettings = TrustSettings()
    keywords: int = Field(default=0, ge=0, le=20)
    allow_secrets: tuple[str, ...] = ()

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
    """How long a search waits, in seconds: for a model that is still loading, for one arm, and for the words of changed
    files."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model_wait_seconds: float = Field(default=3, ge=0)
    """Most of a cold start: answering without meaning a moment earlier would only be asked again."""
    arm_timeout_seconds: float = Field(default=10, gt=0)
    sync_wait_seconds: float = Field(default=2, ge=0)
    """The words of some hundred changed files: more of them are a new folder, and nobody waits for that."""


class Settings(BaseSettings):
    """Every setting. `store` is where the index lies, `embedder` a model's name, `profile` the ranking constants,
    `share` how much text a saved notebook holds of an answer, `user` the name that judgements are kept under."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, env_prefix="JUPYTER_MEMO__", env_nested_delimiter="__"
    )

    store: str | None = None
    embedder: str = "minilm"
    profile: str = "default"
    share: Share = "snippets"
    user: str | None = None
    lock_timeout_seconds: float = Field(default=60, ge=0)
    index: IndexSettings = IndexSettings()
    search: SearchSettings = SearchSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        file = _file()
        toml = (TomlConfigSettingsSource(settings_cls, file),) if file else ()
        return (init_settings, env_settings, *toml)


def load(**keywords: Any) -> Settings:
    """The settings in force. Keywords that are None count as not given; a nested one may be written index__ignore.

    Raises ConfigError naming the key, where it was set, and the nearest key there is.
    """
    given: dict[str, Any] = {}
    for name, value in keywords.items():
        if value is None:
            continue
        section, _, key = name.partition("__")
        if key:
            given.setdefault(section, {})[key] = value
        else:
            given[name] = value
    _check_environment()
    try:
        return Settings(**given)
    except ValidationError as error:
        raise ConfigError(_explain(error, given)) from error
    except ValueError as error:  # the TOML file itself
        raise ConfigError(f"{FILE_NAME} cannot be read: {error}") from error


def store_path(path: str | Path | None, settings: Settings) -> str:
    """Where the store is: the given path, else the setting, else the nearest `.memo` upwards, else the user's data."""
    chosen = str(path) if path is not None else settings.store
    if chosen is None:
        for folder in (Path.cwd(), *Path.cwd().parents):
            if (folder / STORE_FOLDER).is_dir():
                return str(folder / STORE_FOLDER)
        return str(platformdirs.user_data_path("jupyter_memo") / "store")
    if "://" in chosen:
        return chosen
    return os.path.abspath(Path(chosen).expanduser())


def user_name(settings: Settings) -> str:
    """Who is asking: the setting, else the name of the account; empty where it has none."""
    if settings.user is not None:
        return settings.user
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # what it raises depends on the version and the system
        return ""


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


def _file() -> Path | None:
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
    own = platformdirs.user_config_path("jupyter_memo") / FILE_NAME
    return own if own.is_file() else None


def _names() -> list[str]:
    return list(_names_in(Settings, ""))


def _names_in(model: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            yield from _names_in(section, f"{prefix}{name}.")
        else:
            yield prefix + name


def _check_environment() -> None:
    """An environment variable of ours that names no setting is a slip worth an error: it would be ignored silently."""
    prefix = "JUPYTER_MEMO__"
    known = {prefix + name.replace(".", "__").upper() for name in _names()}
    for name in os.environ:
        if name.upper().startswith(prefix) and name.upper() not in known:
            near = difflib.get_close_matches(name.upper(), known, n=1)
            raise ConfigError(f"{name} names no setting." + (f" Did you mean {near[0]}?" if near else ""))


def _explain(error: ValidationError, given: dict[str, Any]) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if str(first["loc"][0]) in given:
        place = "the keywords"
    elif any(name.upper().startswith("JUPYTER_MEMO__" + key.replace(".", "__").upper()) for name in os.environ):
        place = "the environment"
    else:
        place = FILE_NAME
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, _names(), n=1)
        cure = f"Did you mean {near[0]}?" if near else "Settings: " + ", ".join(_names())
        return f"{place}: no setting is called {key!r}. {cure}"
    if first["type"] == "value_error":  # a check of our own, which says it all
        return f"{place}: {key}: {first['ctx']['error']}"
    return f"{place}: {key} = {first['input']!r} is not valid: {first['msg'].lower()}"
