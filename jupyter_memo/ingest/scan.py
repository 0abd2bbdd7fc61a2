"""The scan: which files under the asked paths are to be read, and why each other one is not."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from jupyter_memo.chunk import registry
from jupyter_memo.config import STORE_FOLDER
from jupyter_memo.errors import QueryError
from jupyter_memo.ingest import secrets
from jupyter_memo.ingest.roots import Root, Roots

IGNORED_FOLDERS = frozenset(
    {
        "__pycache__",
        "node_modules",
        "site-packages",
        "venv",
        "build",
        "dist",
        "htmlcov",
    }
)
"""Folders nobody writes notes in. Hidden ones (.git, .venv, .ipynb_checkpoints, .memo) are left out by their dot."""

UNTOLD = (STORE_FOLDER, ".ipynb_checkpoints")
"""Not even named as skipped: the index is no part of what it indexes, and JupyterLab's copies of notebooks stand beside
nearly every one of them."""

IGNORE_FILES = (".gitignore", ".memoignore")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One file to be read. `uri` is its root's alias and its path below the root; `size` in bytes. `ctime_ns` also
    changes with the file's name and rights, where the system keeps such a time."""

    path: Path
    root: Root
    uri: str
    size: int
    mtime_ns: int
    ctime_ns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """One file or folder that is not read, with the reason and, where there is one, the cure. What is `unreadable` may
    be so for a moment only: what the index holds of it stays."""

    uri: str
    reason: str
    unreadable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """Everything below the asked paths, each list ordered by uri."""

    found: tuple[Found, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a scan leaves out besides ignore files: files above `max_bytes`, and what the patterns `ignore` match."""

    max_bytes: int = 32 * 1024 * 1024
    ignore: tuple[str, ...] = ()


def scan(paths: tuple[Path, ...], roots: Roots, rules: Rules) -> Scan:
    """Walk absolute paths, each of which lies in one of the roots. Raises QueryError for a path that is not there.

    A symbolic link is followed only while its target stays inside the asked folder's root; no folder is walked twice.
    """
    found: dict[str, Found] = {}
    skipped: dict[str, Skipped] = {}
    walk = _Walk(roots, rules)
    for path in sorted(paths, key=lambda path: len(path.parts)):
        if not os.path.exists(path):  # noqa: PTH110 (a name that is too long is not there, either)
            raise QueryError(f"there is no file or folder at {short(path)}. Check the spelling")
        for entry in walk.start(path):
            if isinstance(entry, Found):
                found.setdefault(entry.uri, entry)
            else:
                skipped.setdefault(entry.uri, entry)
    return Scan(
        found=tuple(found[uri] for uri in sorted(found)),
        skipped=tuple(skipped[uri] for uri in sorted(skipped) if uri not in found),
    )


def short(path: Path) -> str:
    """A path as a person would type it: from the working folder or from the home folder (`~`) where that is shorter.
    Never raises."""
    ways = [str(path)]
    with contextlib.suppress(ValueError, OSError):  # another drive, or a working folder that is gone
        relative = os.path.relpath(path)
        # A folder may really be called ~.
        ways.append(f".{os.sep}{relative}" if relative.startswith("~") else relative)
    with contextlib.suppress(ValueError, RuntimeError):  # not below the home folder, or nobody's home
        below = path.relative_to(Path.home())
        ways.append("~" if below == Path() else f"~{os.sep}{below}")
    return min(ways, key=len)


Specs = tuple[tuple[Path, GitIgnoreSpec], ...]


class _Walk:
    def __init__(self, roots: Roots, rules: Rules) -> None:
        self._roots = roots
        self._rules = rules
        self._seen: set[tuple[int, int]] = set()

    def start(self, path: Path) -> Iterator[Found | Skipped]:
        """A path a person named: its own name may be hidden or ignored, what lies below it follows the rules."""
        if path.is_dir():
            if not self._walked(path):  # in a folder above, which was named as well
                yield from self._folder(path, self._specs_above(path))
        else:
            yield self._file(path, self._roots.of(path), self._roots.uri(path))

    def _walked(self, folder: Path) -> bool:
        try:
            status = folder.stat()
        except OSError:
            return False
        return (status.st_dev, status.st_ino) in self._seen

    def _folder(self, folder: Path, specs: Specs) -> Iterator[Found | Skipped]:
        name = self._roots.uri(folder) + "/"
        try:
            status = folder.stat()
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Skipped(uri=name, reason=f"the folder cannot be read ({error.strerror})", unreadable=True)
            return
        if (status.st_dev, status.st_ino) in self._seen:
            yield Skipped(uri=name, reason="the folder was walked already (a link leads back to it)")
            return
        self._seen.add((status.st_dev, status.st_ino))
        specs = (*specs, *_specs(folder))
        root = self._roots.of(folder)
        above = "" if name == "./" else name
        for entry in entries:
            if entry.name in UNTOLD:
                continue
            path = Path(entry.path)
            is_folder = _leads_to_folder(entry)
            reason = self._why_ignored(path, is_folder, entry.is_symlink(), specs)
            if reason:
                yield Skipped(uri=above + entry.name + ("/" if is_folder else ""), reason=reason)
            elif is_folder:
                yield from self._folder(path, specs)
            else:
                yield self._file(path, root, above + entry.name)

    def _why_ignored(self, path: Path, is_folder: bool, is_link: bool, specs: Specs) -> str:
        if path.name in IGNORE_FILES:
            return "it holds ignore rules, which were applied"
        if path.name.startswith("."):
            return "hidden folder. Name it to index it" if is_folder else "hidden file. Name it to index it"
        if is_folder and path.name in IGNORED_FOLDERS:
            return "generated or installed files. Name the folder to index it"
        if is_link and not self._inside(path):
            return "a link that leads nowhere or out of the indexed folder"
        # The innermost rule that says anything decides, as git has it: a folder may take back what one above left out.
        for base, spec in reversed(specs):
            verdict = spec.check_file(path.relative_to(base).as_posix() + ("/" if is_folder else "")).include
            if verdict is not None:
                return "left out by an ignore rule" if verdict else ""
        return ""

    def _inside(self, path: Path) -> bool:
        try:
            return path.resolve(strict=True).is_relative_to(self._roots.of(path).folder.resolve())
        except (OSError, RuntimeError):
            return False

    def _file(self, path: Path, root: Root, uri: str) -> Found | Skipped:
        try:
            status = path.stat()
        except OSError as error:
            return Skipped(uri=uri, reason=f"it cannot be read ({error.strerror})", unreadable=True)
        if not stat.S_ISREG(status.st_mode):
            return Skipped(uri=uri, reason="not a regular file")
        if uri != (legible := uri.encode("utf-8", "replace").decode()):
            # What is kept of it could not be told from another name, so that it would be read anew each time.
            return Skipped(uri=legible, reason="its name, or that of a folder above it, is no text. Rename it")
        if registry.reader(path.name) is None:
            return Skipped(uri=uri, reason=secrets.by_name(path.name) or registry.why_not(path.name))
        if status.st_size > self._rules.max_bytes:
            size, limit = status.st_size / 2**20, self._rules.max_bytes / 2**20
            return Skipped(uri=uri, reason=f"{size:.0f} MB is above the limit of {limit:.0f} MB (index.max_megabytes)")
        if status.st_size == 0:
            return Skipped(uri=uri, reason="empty file")
        return Found(
            path=path,
            root=root,
            uri=uri,
            size=status.st_size,
            mtime_ns=status.st_mtime_ns,
            ctime_ns=status.st_ctime_ns,
        )

    def _specs_above(self, start: Path) -> Specs:
        """The rules of the settings and of the folders between the root and the start, outermost first."""
        root = self._roots.of(start).folder
        specs: list[tuple[Path, GitIgnoreSpec]] = []
        if self._rules.ignore:
            specs.append((root, GitIgnoreSpec.from_lines(self._rules.ignore)))
        for folder in reversed(start.parents):
            if folder.is_relative_to(root):
                specs.extend(_specs(folder))
        return tuple(specs)


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself, or a drive that is away: told when it is looked at
        return False


def _specs(folder: Path) -> Iterator[tuple[Path, GitIgnoreSpec]]:
    for name in IGNORE_FILES:
        try:
            lines = (folder / name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        yield folder, GitIgnoreSpec.from_lines(lines)
