"""What is found from a folder upwards: a project's settings file and its index. Whose they are, and what such a file
may decide.

Anybody can leave a file in a folder that is shared, and a folder that was downloaded holds what its author put there.
So what belongs to another account is passed over, as git does it; and a file that came with a folder may say how to
index and rank, but not what could harm whoever merely stands in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_memo.response import SHARES

FILE_NAME = "jupyter_memo.toml"
STORE_FOLDER = ".memo"

TRUST = "trust_projects"
"""The setting that lists the folders whose files are believed whatever they say, and whoever owns them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strange:
    """Something that was found and passed over, for it belongs to another account."""

    path: Path
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The nearest one that may be used, None without any, and what was passed over on the way to it."""

    path: Path | None
    strange: tuple[Strange, ...] = ()


def nearest(start: Path, name: str, there: Callable[[Path], bool], trusted: Iterable[str]) -> Found:
    """The nearest file or folder of a name from `start` upwards for which `there` holds, and which is either in a
    trusted folder or belongs to this account or the system's."""
    strange: list[Strange] = []
    for folder in (start, *start.parents):
        if not there(folder / name):
            continue
        owner = stranger(folder / name)
        if not owner or trusts(trusted, folder):
            return Found(path=folder / name, strange=tuple(strange))
        strange.append(Strange(path=folder / name, owner=owner))
    return Found(path=None, strange=tuple(strange))


def trusts(trusted: Iterable[str], folder: Path) -> bool:
    """Whether a folder is one of those listed: by its path, by `PARENT/*` for all below PARENT, or by `*` for all."""
    real = Path(os.path.realpath(folder))
    for entry in trusted:
        if entry == "*":
            return True
        below = entry.endswith(("/*", os.sep + "*"))
        try:
            named = Path(entry[:-2] or os.sep if below else entry).expanduser()
        except RuntimeError:  # nobody's home
            continue
        if not named.is_absolute():
            continue
        named = Path(os.path.realpath(named))
        if named in real.parents if below else named == real:
            return True
    return False


def stranger(path: Path) -> str:
    """The account that a file or folder belongs to, where that is neither this one nor the system's; empty for what is.
    A link must be this account's as well as what it leads to. Where files have no such owners, nobody is a stranger."""
    if not hasattr(os, "geteuid"):
        return ""
    other = _owners(path) - {0, os.geteuid()}
    return _name(min(other)) if other else ""


def _owners(path: Path) -> set[int]:
    try:
        return {path.lstat().st_uid, path.stat().st_uid}
    except OSError:  # gone in this moment: there is nothing to believe
        return set()


def _name(uid: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return f"user {uid}"


def beyond(values: Mapping[str, Any], users: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
    """The settings, of those by dotted name that a file in `folder` holds, that it may not decide. `users` are all
    settings as the user has them without that file: what they say themselves, the file may say too.

    A value of a wrong kind is not looked at: that is an error wherever it stands.
    """
    return tuple(key for key in sorted(values) if _harms(key, values[key], users.get(key), folder))


def holds(folder: Path, store: str | Path) -> bool:
    """Whether an index lies in a project's folder. One that does not holds other folders as well, and what a project
    says of how to read its files would be done to all of them: those it ignores would leave the index."""
    return "://" not in str(store) and Path(os.path.realpath(store)).is_relative_to(os.path.realpath(folder))


def _harms(key: str, value: Any, own: Any, folder: Path) -> bool:
    if _comparable(value) == _comparable(own):
        return False
    if key == "store":
        return isinstance(value, str) and not _inside(value, folder)
    if key == "embedder":
        # A model that comes with the package has a plain name; any other makes a library load files, or fetch them.
        return isinstance(value, str) and not set(value).isdisjoint(":/\\")
    if key == "share":
        return value in SHARES and own in SHARES and SHARES.index(value) < SHARES.index(own)
    if key == "index.history_days":
        return _number(value) < _number(own)
    if key.startswith("index.trust."):
        return _number(value) > _number(own)
    return key in ("index.allow_secrets", TRUST) and bool(value)


def _comparable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _inside(store: str, folder: Path) -> bool:
    if "://" in store or store.startswith("~") or "\0" in store:
        return False
    return Path(os.path.realpath(folder / store)).is_relative_to(os.path.realpath(folder))


def _number(value: Any) -> float:
    """The number a file or a variable says; NaN, which is neither more nor less than another, for what is none."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return float("nan")
