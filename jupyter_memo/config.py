"""Settings: defaults, the user's own jupyter_memo.toml, the project's, JUPYTER_MEMO__SECTION__KEY, keywords.

The later one wins, setting by setting. This is the only place that reads the environment. The user's own file lies in
the user's configuration folder; the project's is the nearest `jupyter_memo.toml` from a folder upwards, the working
folder where none is named. What a project's file may decide, and which is believed, `project` says.

What the settings are, `settings` says.
"""

from __future__ import annotations

import difflib
import functools
import getpass
import json
import logging
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from jupyter_memo import own_profiles, project
from jupyter_memo.errors import ConfigError
from jupyter_memo.profile import PROFILES
from jupyter_memo.project import FILE_NAME as FILE_NAME
from jupyter_memo.project import STORE_FOLDER as STORE_FOLDER
from jupyter_memo.settings import IndexSettings as IndexSettings
from jupyter_memo.settings import PanelSettings as PanelSettings
from jupyter_memo.settings import SearchSettings as SearchSettings
from jupyter_memo.settings import Settings as Settings
from jupyter_memo.settings import placeholders as placeholders

PREFIX = "JUPYTER_MEMO__"

_log = logging.getLogger(__name__)

Origin = Literal["file", "environment", "keywords", "change"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Settings that stand in one place: `values` by dotted name, not yet checked; `profiles` are the tables of the
    user's own, neither are they; `file` where it is one."""

    origin: Origin
    values: Mapping[str, Any]
    file: Path | None = None
    profiles: Any = None

    def place(self, key: str) -> str:
        """Where a setting stands, in words that help to find it: a file, a variable, the keywords of a call."""
        if self.file is not None:
            return shown(self.file)
        return variable(key) if self.origin == "environment" else f"the {self.origin}"


def load(*, start: Path | None = None, path: str | Path | None = None, **keywords: Any) -> Settings:
    """The settings in force for an index at `path`, where it is named. Keywords that are None count as not given; a
    nested one may be written index__ignore. The project's file is looked for from `start` upwards, the working folder
    where it is not given.

    Raises ConfigError naming the setting, where it was set, and the nearest one there is.
    """
    return checked(*_standing(start, path, keywords)[0])


def layers(start: Path | None = None) -> tuple[Layer, ...]:
    """What is set outside of a call, the weakest first: the user's own file, the project's, the environment; each only
    where it is there, and of the project's what counts. Raises ConfigError."""
    return _standing(start, None, {})[0][:-1]


def notices(path: str | Path | None = None, *, start: Path | None = None, **keywords: Any) -> tuple[str, ...]:
    """What `load` and `store_path` pass over with the same arguments, for it is not to be believed: one line each, with
    the cure. Raises ConfigError."""
    standing, told = _standing(start, path, keywords)
    settings = checked(*standing)
    if path is None and settings.store is None:
        cure = "%memo open opens it this once"
        told += tuple(_passed(each, cure) for each in _nearest_store(start, settings.trust_projects).strange)
    return told


def warn(lines: Iterable[str]) -> None:
    """Tell of what was passed over, each line once in the life of this process."""
    for line in lines:
        _warn(line)


@functools.cache
def _warn(line: str) -> None:
    _log.warning("%s", line)


def _standing(
    start: Path | None, path: str | Path | None, keywords: Mapping[str, Any]
) -> tuple[tuple[Layer, ...], tuple[str, ...]]:
    """All layers, that of the keywords last, and what of the project's file does not count, in words."""
    given = {name.replace("__", "."): value for name, value in keywords.items() if value is not None}
    stronger = (_environment(), Layer(origin="keywords", values=_flat(given, "the keywords")))
    own = (file_layer(own_file()),) if there(own_file()) else ()
    users = {key: field.default for key, field in fields().items()}
    for layer in (*own, *stronger):
        users |= layer.values
    trusted = _texts(users[project.TRUST])
    found = project.nearest(_from(start), FILE_NAME, there, trusted)
    told = tuple(_passed(each) for each in found.strange)
    if found.path is None or found.path == own_file():
        return (*own, *stronger), told
    layer = file_layer(found.path)
    folder = found.path.parent
    if not project.trusts(trusted, folder):
        beyond = project.beyond(layer.values, users, folder)
        layer, why = _without(layer, beyond), "a project's own file may not decide that"
        told += _ignored(found.path, _felt(beyond, stronger), why, _cure(folder))
        if not project.holds(folder, _chosen(start, path, users, layer, trusted)):
            wider = tuple(key for key in sorted(layer.values) if key.startswith("index.") and key in fields())
            layer, why = _without(layer, wider), "the index lies outside its folder and holds other folders too"
            cure = f"%memo open {_printable(shown(folder / STORE_FOLDER))} gives the project an index of its own"
            told += _ignored(found.path, _felt(wider, stronger), why, cure)
    return (*own, layer, *stronger), told


def _chosen(
    start: Path | None, path: str | Path | None, users: Mapping[str, Any], layer: Layer, trusted: tuple[str, ...]
) -> str:
    """Where the index will be, before anything is checked."""
    own = users["store"]
    found = path or (own if isinstance(own, str) else None) or layer.values.get("store")
    if not isinstance(found, str | os.PathLike):
        found = _nearest_store(start, trusted).path or _data_folder()
    return str(found) if "://" in str(found) else os.path.abspath(_from(start) / expanded(str(found)))


def _felt(keys: Iterable[str], stronger: Iterable[Layer]) -> tuple[str, ...]:
    """Those of the settings that nothing stronger decides."""
    return tuple(key for key in keys if not any(key in layer.values for layer in stronger))


def _without(layer: Layer, keys: tuple[str, ...]) -> Layer:
    return replace(layer, values={key: value for key, value in layer.values.items() if key not in keys})


def _ignored(file: Path, keys: tuple[str, ...], why: str, cure: str) -> tuple[str, ...]:
    if not keys:
        return ()
    *rest, last = keys
    told = f"{', '.join(rest)} and {last} do not count" if rest else f"{last} does not count"
    return (f"{_printable(shown(file))}: {told}, for {why}. {cure}",)


def _texts(listed: Any) -> tuple[str, ...]:
    """The texts of a list that is not checked yet."""
    return tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list | tuple) else ()


def _passed(strange: project.Strange, cure: str = "") -> str:
    told = f"{_printable(shown(strange.path))} belongs to {strange.owner} and is passed over"
    return f"{told}. {_cure(strange.path.parent)}" + (f"; {cure}" if cure else "")


def _cure(folder: Path) -> str:
    file = _printable(shown(own_file()))
    return f"If you trust it: {project.TRUST} = [{json.dumps(shown(folder))}] at the top of {file}"


def _printable(text: str) -> str:
    """Text of a disk in one line."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def file_layer(file: Path) -> Layer:
    """What stands in a settings file. Raises ConfigError when it cannot be read as one."""
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{shown(file)} cannot be read: {error}. Mend it, or move it away") from error
    return file_layer_of(values, file)


def file_layer_of(values: Mapping[str, Any], file: Path) -> Layer:
    """The same of what stands, or is about to stand, in the file."""
    settings = {key: value for key, value in values.items() if key != own_profiles.SECTION}
    flat = _flat(settings, shown(file))
    return Layer(origin="file", values=flat, file=file, profiles=values.get(own_profiles.SECTION))


def checked(*standing: Layer) -> Settings:
    """The settings that layers make, the weakest first. Raises ConfigError for what is not valid."""
    values: dict[str, Any] = {}
    known = dict(PROFILES)
    for layer in standing:
        for key in layer.values.keys() - fields().keys():
            raise unknown(key, layer.place(key))
        if layer.profiles is not None:
            known |= own_profiles.read(layer.profiles, layer.place(own_profiles.SECTION), known)
        values |= layer.values
        store = layer.values.get("store")
        if layer.file is not None and isinstance(store, str) and store.strip() and "://" not in store:
            # The same folder for everybody who reads the file, wherever they stand.
            values["store"] = os.path.abspath(layer.file.parent / expanded(store))
    try:
        settings = Settings.model_validate(_nested(values))
    except ValidationError as error:
        raise ConfigError(_explain(error, standing)) from error
    settings._profiles = known
    return settings


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
    where it is not given) upwards that may be believed, else the user's data."""
    if path is not None and (not isinstance(path, str | os.PathLike) or not str(path).strip() or "\0" in str(path)):
        raise ConfigError(f"{str(path)[:80]!r} is no place for an index. Name a folder, such as .memo, or an address")
    chosen = str(path) if path is not None else settings.store
    if chosen is None:
        found = _nearest_store(start, settings.trust_projects).path
        if found is not None:
            return str(found)
        return str(_data_folder() / "store")
    if "://" in chosen:
        return chosen
    return os.path.abspath(_from(start) / expanded(chosen))


def followed_folder() -> Path:
    """Where is noted what this account has indexed into which index; see `ingest.followed`."""
    return _data_folder() / "followed"


def _data_folder() -> Path:
    return platformdirs.user_data_path("jupyter_memo")


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


def _from(start: Path | None) -> Path:
    try:
        return Path.cwd() if start is None else Path(os.path.abspath(start))
    except FileNotFoundError as error:
        raise ConfigError("the working folder is not there any more. Change to another one with cd") from error


def _nearest_store(start: Path | None, trusted: tuple[str, ...]) -> project.Found:
    # One that may not be opened is somebody else's, in a folder that is shared.
    def may_open(folder: Path) -> bool:
        return os.access(folder, os.R_OK | os.X_OK) and folder.is_dir()

    return project.nearest(_from(start), STORE_FOLDER, may_open, trusted)


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
