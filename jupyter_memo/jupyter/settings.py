"""Settings for JupyterLab: where each comes from, changing the user's own file, and the schema of Lab's settings form.

`python -m jupyter_memo.jupyter.settings` writes the schema, `labextension/schema/plugin.json` of a checkout, from the
fields in `jupyter_memo/settings.py`; with `--check` it only compares and exits 1 where the two differ.
"""

from __future__ import annotations

import json
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import tomlkit
from filelock import FileLock, Timeout
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Table

from jupyter_memo import config, wire
from jupyter_memo.errors import ConfigError

SCHEMA_FILE = Path(__file__).parent.parent.parent / "labextension" / "schema" / "plugin.json"

LOCK_SECONDS = 10.0
"""How long a change waits for another one; each takes milliseconds."""


def read(root: Path) -> dict[str, Any]:
    """Every setting as it stands for whoever works in a folder: {file, settings: [{key, value, default, origin, where,
    help, own}]}; that of the profile has also `choices`, the names there are, with those of the user's own.

    `file` is the user's own file, there or not. `origin` is default, file or environment, `where` the file or the
    variable that decides, and `own` what the user's own file says (null: nothing). Raises ConfigError.
    """
    standing = config.layers(root)
    found = config.checked(*standing)
    settings = _plain(found)
    own = next((layer for layer in standing if layer.file == config.own_file()), None)
    mine = {} if own is None else _own(own)
    defaults = _plain(config.Settings())
    listed = []
    for key, field in config.fields().items():
        decides = next((layer for layer in reversed(standing) if key in layer.values), None)
        listed.append(
            {
                "key": key,
                "value": settings[key],
                "default": defaults[key],
                "origin": "default" if decides is None else decides.origin,
                "where": "" if decides is None else decides.place(key),
                "help": field.description or "",
                "own": mine.get(key),
                **({"choices": list(found.profiles)} if key == "profile" else {}),
            }
        )
    return {"file": config.shown(config.own_file()), "settings": listed}


def write(root: Path, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Change settings in the user's own file, null takes one out, and tell how all of them stand then, as `read`.

    Comments and order of the file stay. Everything is checked before anything is written. Raises ConfigError.
    """
    file = config.own_file()
    asked = _asked(changes, root)
    with _alone(file):
        text = ""
        if config.there(file):
            config.file_layer(file)
            text = file.read_bytes().decode()  # with the ends of lines that it has
        try:
            changed = _changed(text, asked)
        except (TOMLKitError, ValueError) as error:
            raise _by_hand(file, asked) from error
        _check(file, changed, asked)
        if changed != text:
            _replace(file, changed)
    return read(root)


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Let no other server change the file meanwhile, nor another thread of this one. Raises ConfigError."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(file.with_name(f".{file.name}.lock"), thread_local=False)
        lock.acquire(timeout=LOCK_SECONDS)
    except Timeout:
        raise ConfigError(
            f"{config.shown(file)} is being changed by another program (waited {LOCK_SECONDS:.0f} s). Try again"
        ) from None
    except OSError as error:
        raise _unwritable(file, error) from error
    try:
        yield
    finally:
        lock.release()


def schema() -> dict[str, Any]:
    """The settings of `config.py`, and those of the panel, as JupyterLab's settings form reads them (draft 7)."""
    panel = {"panel": {**_section(config.PanelSettings), "title": "Panel", "default": {}}}
    return {
        "jupyter.lab.setting-icon": "ui-components:search",
        "jupyter.lab.setting-icon-label": "Memo",
        "jupyter.lab.transform": True,
        "title": "Memo",
        "description": "Search over what you have written. All but the panel's settings are kept in your own "
        f"{config.FILE_NAME}, which notebooks, the command line and the panel read.",
        "type": "object",
        "properties": {**_section(config.Settings)["properties"], **panel},
    }


def main(arguments: list[str]) -> int:
    """Write the schema file, or with --check compare it. Returns the exit status."""
    return wire.generated(SCHEMA_FILE, schema(), "jupyter_memo.jupyter.settings", arguments)


def _plain(settings: config.Settings) -> dict[str, Any]:
    """Values as JSON holds them, by dotted name."""
    dumped = settings.model_dump(mode="json")
    found = {}
    for key in config.fields():
        value: Any = dumped
        for part in key.split("."):
            value = value[part]
        found[key] = value
    return found


def _own(layer: config.Layer) -> dict[str, Any]:
    """What a file says, in the form in which it is shown; a folder as it was typed."""
    checked = _plain(config.checked(layer))
    return {key: value if key == "store" else checked[key] for key, value in layer.values.items()}


def _asked(changes: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """Changes as they are to stand in a file. Raises ConfigError for what no setting may be."""
    for key in changes.keys() - config.fields().keys():
        raise config.unknown(key, "the change")
    given = {key: value for key, value in changes.items() if value is not None}
    try:
        json.dumps(given, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        raise ConfigError(f"the change: {', '.join(given)} cannot be written down: {error}. Type it again") from error
    change = config.Layer(origin="change", values=given)
    settings = config.checked(change)
    if given.keys() & {"profile", "search.mode"}:
        _ = config.checked(*config.layers(root), change).ranking  # or nothing could be opened any more
    store = given.get("store")
    if store is not None and "://" not in store and not config.expanded(store).is_absolute():
        raise ConfigError(f"the change: store = {store!r} is no full path. Write one, such as ~/notes/.memo")
    plain = _plain(settings)
    return {key: None if value is None else plain[key] for key, value in changes.items()}


def _check(file: Path, text: str, asked: Mapping[str, Any]) -> None:
    """That the file will be sound, and will say what was asked. Raises ConfigError."""
    try:
        values = tomllib.loads(text)
    except ValueError as error:
        raise _by_hand(file, asked) from error
    own = _own(config.file_layer_of(values, file))
    wrong = [key for key, value in asked.items() if own.get(key) != value]
    if wrong:
        raise _by_hand(file, wrong)


def _by_hand(file: Path, keys: Iterable[str]) -> ConfigError:
    told = ", ".join(keys)
    return ConfigError(f"{told}: {config.shown(file)} is written in a way that only you can change. Change it there")


def _changed(text: str, changes: Mapping[str, Any]) -> str:
    document = tomlkit.parse(text)
    for key, value in changes.items():
        *sections, name = key.split(".")
        chain: list[Any] = [document]
        for section in sections:
            if section not in chain[-1]:
                if value is None:
                    break
                inline = isinstance(chain[-1], InlineTable)
                chain[-1][section] = tomlkit.inline_table() if inline else tomlkit.table()
            chain.append(chain[-1][section])
        if len(chain) <= len(sections):
            continue
        here = chain[-1]
        if value is not None:
            here[name] = _item(value, here)
        elif name in here:
            del here[name]
            _prune(chain, sections)
    return tomlkit.dumps(document)


def _item(value: Any, here: Any) -> Any:
    """Rules by path as a table of their own, as a person writes them, where that keeps them all."""
    pairs = isinstance(value, list | tuple) and value and all(isinstance(each, list | tuple) for each in value)
    if pairs and isinstance(here, Table) and all(len(each) == 2 for each in value):
        rules = dict(value)
        if len(rules) == len(value):
            table = tomlkit.table()
            table.update(rules)
            return table
    return value


def _prune(chain: list[Any], sections: list[str]) -> None:
    """Sections that nothing stands in any more, not even a comment."""
    for outer, section in reversed(list(zip(chain, sections, strict=False))):
        if len(outer[section]) or outer[section].as_string().strip():
            return
        del outer[section]


def _replace(file: Path, text: str) -> None:
    """Write a file as one: whoever reads it meanwhile sees the old one or the new one."""
    file = file.resolve()  # a link to where somebody keeps such files stays one
    made: Path | None = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=file.parent, prefix=f".{file.name}.", delete=False) as out:
            made = Path(out.name)
            out.write(text.encode())
        if file.exists():
            made.chmod(file.stat().st_mode & 0o777)
        made.replace(file)
    except OSError as error:
        if made is not None:
            with suppress(OSError):
                made.unlink()
        raise _unwritable(file, error) from error


def _unwritable(file: Path, error: OSError) -> ConfigError:
    return ConfigError(
        f"{config.shown(file)} cannot be written: {error.strerror}. Check its permissions and the room on disk"
    )


def _section(model: Any) -> dict[str, Any]:
    """The fields of one section, those of its own sections nested."""
    drawn = model.model_json_schema()
    made: dict[str, Any] = {"type": "object", "description": " ".join((model.__doc__ or "").split()), "properties": {}}
    for name, field in model.model_fields.items():
        given = drawn["properties"][name]
        title = field.title or name.replace("_", " ").capitalize()
        if hasattr(type(field.default), "model_fields"):
            made["properties"][name] = {**_section(type(field.default)), "title": title, "default": {}}
        else:
            made["properties"][name] = {**_form(given), "title": title}
    return made


def _form(given: Mapping[str, Any]) -> dict[str, Any]:
    """A field in the words that the form knows: one type or null as a list of types, a pair as two named entries."""
    made = {key: value for key, value in given.items() if key not in ("anyOf", "pair", "prefixItems")}
    if "anyOf" in given:
        one, _ = given["anyOf"]
        made |= {**one, "type": [one["type"], "null"]}
        made.pop("default", None)  # which the form would call null
    if "pair" in given:
        names = [{"type": "string", "title": title} for title in given["pair"]]
        made["items"] = {"type": "array", "title": "Rule", "items": names, "minItems": 2, "maxItems": 2}
    return made


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
