"""Settings: defaults, the user's own jupyter_memo.toml, the project's, JUPYTER_MEMO__SECTION__KEY, keywords.

The later one wins, setting by setting. This is the only place that reads the environment. The user's own file lies in
the user's configuration folder; the project's is the nearest `jupyter_memo.toml` from a folder upwards, the working
folder where none is named.

The fields below are the one source of all settings: what they say is also what JupyterLab's settings form shows.
"""

from __future__ import annotations

import difflib
import functools
import getpass
import json
import os
import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pathspec import GitIgnoreSpec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo

from jupyter_memo.errors import ConfigError, QueryError
from jupyter_memo.profile import PROFILES
from jupyter_memo.query import LIMIT_MAX, TRUST_MAX, Mode, parse_days
from jupyter_memo.response import Share

FILE_NAME = "jupyter_memo.toml"
STORE_FOLDER = ".memo"
PREFIX = "JUPYTER_MEMO__"


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
    """Every setting. `load` finds them; this class knows what they may be."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    store: str | None = Field(
        default=None,
        description="Folder or address of the index. Unset, it is the nearest folder called .memo upwards, else one in "
        "your user data.",
    )
    embedder: str = Field(
        default="minilm",
        description="Embedding model: minilm, none (words and identifiers alone) or transformers:NAME (extra `st`).",
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
    index: IndexSettings = Field(default=IndexSettings(), title="Index")
    search: SearchSettings = Field(default=SearchSettings(), title="Search")

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


Origin = Literal["file", "environment", "keywords", "change"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Settings that stand in one place: `values` by dotted name, not yet checked; `file` where it is one."""

    origin: Origin
    values: Mapping[str, Any]
    file: Path | None = None

    def place(self, key: str) -> str:
        """Where a setting stands, in words that help to find it: a file, a variable, the keywords of a call."""
        if self.file is not None:
            return shown(self.file)
        return variable(key) if self.origin == "environment" else f"the {self.origin}"


def load(*, start: Path | None = None, **keywords: Any) -> Settings:
    """The settings in force. Keywords that are None count as not given; a nested one may be written index__ignore.
    The project's file is looked for from `start` upwards, the working folder where it is not given.

    Raises ConfigError naming the setting, where it was set, and the nearest one there is.
    """
    given = {name.replace("__", "."): value for name, value in keywords.items() if value is not None}
    return checked(*layers(start), Layer(origin="keywords", values=_flat(given, "the keywords")))


def layers(start: Path | None = None) -> tuple[Layer, ...]:
    """What is set outside of a call, the weakest first: the user's own file, the project's, the environment; each only
    where it is there. Raises ConfigError."""
    files = dict.fromkeys((own_file(), _project_file(start)))
    found = [file_layer(file) for file in files if file is not None and there(file)]
    return (*found, _environment())


def file_layer(file: Path) -> Layer:
    """What stands in a settings file. Raises ConfigError when it cannot be read as one."""
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{shown(file)} cannot be read: {error}. Mend it, or move it away") from error
    return file_layer_of(values, file)


def file_layer_of(values: Mapping[str, Any], file: Path) -> Layer:
    """The same of what stands, or is about to stand, in the file."""
    return Layer(origin="file", values=_flat(values, shown(file)), file=file)


def checked(*standing: Layer) -> Settings:
    """The settings that layers make, the weakest first. Raises ConfigError for what is not valid."""
    values: dict[str, Any] = {}
    for layer in standing:
        for key in layer.values.keys() - fields().keys():
            raise unknown(key, layer.place(key))
        values |= layer.values
        store = layer.values.get("store")
        if layer.file is not None and isinstance(store, str) and store.strip() and "://" not in store:
            # The same folder for everybody who reads the file, wherever they stand.
            values["store"] = os.path.abspath(layer.file.parent / expanded(store))
    try:
        return Settings.model_validate(_nested(values))
    except ValidationError as error:
        raise ConfigError(_explain(error, standing)) from error


def unknown(key: str, place: str) -> ConfigError:
    """The error for a name that no setting has."""
    near = difflib.get_close_matches(key, fields(), n=1)
    cure = f"Did you mean {near[0]}?" if near else "Settings: " + ", ".join(fields())
    return ConfigError(f"{place}: no setting is called {key!r}. {cure}")


def own_file() -> Path:
    """The user's own settings file, whether it is there or not."""
    return platformdirs.user_config_path("jupyter_memo") / FILE_NAME


def there(file: Path) -> bool:
    """Whether there is such a file, as far as this account may see. A service may run with the home of another one,
    where Path.is_file raises."""
    return os.path.isfile(file)  # noqa: PTH113


def variable(key: str) -> str:
    """The environment variable of a setting: search.limit is JUPYTER_MEMO__SEARCH__LIMIT."""
    return PREFIX + key.replace(".", "__").upper()


@functools.cache
def fields() -> Mapping[str, FieldInfo]:
    """Every setting by its dotted name, in the order of the form."""
    return dict(_fields_in(Settings, ""))


def store_path(path: str | Path | None, settings: Settings, *, start: Path | None = None) -> str:
    """Where the store is: the given path, else the setting, else the nearest `.memo` from `start` (the working folder
    where it is not given) upwards, else the user's data."""
    chosen = str(path) if path is not None else settings.store
    if chosen is None:
        start = _from(start)
        for folder in (start, *start.parents):
            # One that may not be opened is somebody else's, in a folder that is shared.
            if os.access(folder / STORE_FOLDER, os.R_OK | os.X_OK) and (folder / STORE_FOLDER).is_dir():
                return str(folder / STORE_FOLDER)
        return str(platformdirs.user_data_path("jupyter_memo") / "store")
    if "://" in chosen:
        return chosen
    return os.path.abspath(_from(start) / expanded(chosen))


def expanded(store: str) -> Path:
    """A path as it was typed, with ~ written out. Raises ConfigError where that is nobody's home."""
    try:
        return Path(store).expanduser()
    except RuntimeError as error:
        raise ConfigError(f"store = {store!r}: there is no such home folder. Write the whole path") from error


def shown(path: Path) -> str:
    """A path as a person would type it: from the home folder where it lies below it."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):  # not below it, or nobody's home
        return str(path)


def user_name(settings: Settings) -> str:
    """Who is asking: the setting, else the name of the account; empty where it has none."""
    if settings.user is not None:
        return settings.user
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # what it raises depends on the version and the system
        return ""


def parent_pid() -> int | None:
    """The process that says it started this kernel (on Windows this is another number, which finds nothing)."""
    named = os.environ.get("JPY_PARENT_PID", "")
    return int(named) if named.isdecimal() else None


READ_AHEAD_BYTES = 32 * 2**20


def bound_reading() -> None:
    """Let LanceDB read at most so far ahead of what it works on, unless its own variable says otherwise.

    Its default of 2 GiB takes whole tables into memory while it joins their pieces. It looks once, when it first reads.
    """
    os.environ.setdefault("LANCE_DEFAULT_IO_BUFFER_SIZE", str(READ_AHEAD_BYTES))


def lean_environment() -> dict[str, str]:
    """The environment of a process of ours that shall hold no more memory than it uses: one heap for all threads, large
    blocks apart from it. Other allocators than that of glibc do not look at it."""
    return {
        **os.environ,
        "MALLOC_ARENA_MAX": "1",
        "MALLOC_MMAP_THRESHOLD_": "131072",
        "MALLOC_TRIM_THRESHOLD_": "131072",
    }


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


def _from(start: Path | None) -> Path:
    return Path.cwd() if start is None else Path(os.path.abspath(start))


def _project_file(start: Path | None) -> Path | None:
    start = _from(start)
    return next((folder / FILE_NAME for folder in (start, *start.parents) if there(folder / FILE_NAME)), None)


def _environment() -> Layer:
    """Our variables. One that names no setting is a slip worth an error: it would be ignored silently."""
    names = {variable(key): key for key in fields()}
    values: dict[str, Any] = {}
    for name, text in os.environ.items():
        if not name.upper().startswith(PREFIX):
            continue
        key = names.get(name.upper())
        if key is None:
            near = difflib.get_close_matches(name.upper(), names, n=1)
            raise ConfigError(f"{name} names no setting." + (f" Did you mean {near[0]}?" if near else ""))
        values[key] = _several(name, text) if isinstance(fields()[key].default, tuple) else text
    return Layer(origin="environment", values=values)


def _several(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ConfigError(f'{name} = {text!r} is no JSON. Write a list: ["a", "b"]') from error


def _fields_in(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        if isinstance(field.default, BaseModel):
            yield from _fields_in(type(field.default), f"{prefix}{name}.")
        else:
            yield prefix + name, field


def _sections() -> set[str]:
    return {key.rpartition(".")[0] for key in fields()} - {""}


def _flat(values: Mapping[str, Any], place: str, prefix: str = "") -> dict[str, Any]:
    """Nested sections by dotted name; what only looks like a setting keeps its name, for the message."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        key = prefix + name
        if isinstance(value, BaseModel):
            value = value.model_dump(exclude_unset=True)
        if key not in _sections():
            found[key] = value
        elif isinstance(value, dict):
            found |= _flat(value, place, f"{key}.")
        else:
            raise ConfigError(f"{place}: {key} is a section, not a value. Name a setting in it, such as {_first(key)}")
    return found


def _first(section: str) -> str:
    return next(key for key in fields() if key.startswith(f"{section}."))


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for key, value in values.items():
        *sections, name = key.split(".")
        here = nested
        for section in sections:
            here = here.setdefault(section, {})
        here[name] = value
    return nested


def _explain(error: ValidationError, standing: tuple[Layer, ...]) -> str:
    first = error.errors()[0]
    parts = [str(part) for part in first["loc"]]
    key = next(name for end in range(len(parts), 0, -1) if (name := ".".join(parts[:end])) in fields())
    place = next(layer.place(key) for layer in reversed(standing) if key in layer.values)
    if first["type"] == "value_error":  # a check of our own, which says it all
        return f"{place}: {key}: {first['ctx']['error']}"
    return f"{place}: {key} = {first['input']!r} is not valid: {first['msg'].lower()}"
