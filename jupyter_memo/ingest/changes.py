"""What differs between the disk and the index, source by source: to be read, moved, gone, or as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jupyter_memo.ingest import prepare as preparing
from jupyter_memo.ingest import scan as scanning
from jupyter_memo.ingest import standing
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.ingest.withholding import bare
from jupyter_memo.records import Source

Stamp = Callable[[scanning.Found, Source | None], str]


class Known:
    """The file sources of an index, by id and by place. At a place that held several, the one that is there now, else
    the one that left last."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.by_id = {source.id: source for source in sources if source.surface == "file"}
        self._places: dict[tuple[str, str], Source] = {}
        for source in sorted(self.by_id.values(), key=_presence):
            self._places[source.root, source.path] = source

    def at(self, entry: scanning.Found) -> Source | None:
        """What the index holds, or held, of the file at this place."""
        return self._places.get(standing.place(entry))

    def live(self, entry: scanning.Found) -> Source | None:
        """What the index holds of it now."""
        source = self.at(entry)
        return source if source is not None and source.removed_at is None else None

    def any_below(self, roots: Roots, path: Path) -> bool:
        """Whether anything at or below an absolute path is in the index now."""
        return any(
            source.removed_at is None and standing.below(source, roots, (path,)) for source in self.by_id.values()
        )

    def new_id(self, entry: scanning.Found) -> str:
        """The id of a file that the index has not seen. A name that a file was renamed from is free again, its id is
        not."""
        root, path = standing.place(entry)
        id, number = preparing.source_id("file", root, path), 2
        while id in self.by_id:
            id, number = preparing.source_id("file", root, f"{path}\x1f{number}"), number + 1
        return id


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """`fresh` is new or changed and is to be read; `same` is as the index has it; `settled` are sources of `same` whose
    bytes had to be compared and whose times can be trusted from now on; `moved` (uri -> source) are those of `fresh`
    that the index knows from another place; `gone` is id -> why a source leaves the index."""

    fresh: tuple[scanning.Found, ...] = ()
    same: tuple[Source, ...] = ()
    settled: tuple[Source, ...] = ()
    moved: Mapping[str, Source]
    gone: Mapping[str, str]
    skipped: tuple[scanning.Skipped, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.fresh or self.gone)


def compare(
    found: scanning.Scan,
    known: Known,
    *,
    roots: Roots,
    paths: tuple[Path, ...],
    stamp: Stamp | None,
    now: datetime,
    passed: Callable[[scanning.Found, Source | None], bool] = lambda *_: False,
) -> Changes:
    """Compare what a scan of `paths` found with the index. Files whose size or time leaves a doubt are read.

    `stamp` gives the fingerprint that a file would be indexed with, so that one that is to be read otherwise is read
    again; None asks for its bytes alone. What has `passed` an earlier look, as it is now, is not looked into again.
    """
    fresh, same, settled = [], [], []
    for entry in found.found:
        held = known.live(entry)
        if passed(entry, held):
            continue
        if held is None or (stamp is not None and stamp(entry, held) != bare(held.fingerprint)):
            fresh.append(entry)
        elif standing.untouched(held, entry):
            same.append(held)
        elif held.size == entry.size and standing.digest(entry) == held.sha256:
            same.append(held)
            settled.append(standing.seen_again(held, entry, now))
        else:
            fresh.append(entry)
    moved = dict(_moved(fresh, known, roots, {entry.path for entry in found.found}))
    staying = {source.id for source in moved.values()}
    for entry in found.found:
        if entry.uri not in moved and (held := known.live(entry)):
            staying.add(held.id)
    skipped = {entry.uri: entry for entry in found.skipped}
    taken = {standing.place(entry) for entry in found.found}
    gone = {
        source.id: reason
        for source in known.by_id.values()
        if source.id not in staying and source.removed_at is None and standing.below(source, roots, paths)
        if (
            reason := "another file has its name now"
            if (source.root, source.path) in taken
            else standing.why_gone(source, skipped)
        )
        is not None
    }
    return Changes(
        fresh=tuple(fresh),
        same=tuple(same),
        settled=tuple(source for source in settled if source is not None),
        moved=moved,
        gone=gone,
        skipped=found.skipped,
    )


def _moved(fresh: list[scanning.Found], known: Known, roots: Roots, there: set[Path]) -> Iterator[tuple[str, Source]]:
    """Which of the files to be read stood elsewhere before: the same bytes as a source whose file is gone.

    Of several, first those that are in the index now, then by name, then by folder: the closest.
    """
    if not fresh:
        return
    sizes = {entry.size for entry in fresh}
    waiting: dict[int, list[Source]] = {}
    for source in known.by_id.values():
        if source.size in sizes and source.sha256 and _left(source, roots, there):
            waiting.setdefault(source.size, []).append(source)
    for entry in fresh:
        candidates = waiting.get(entry.size)
        if not candidates:
            continue
        digest = standing.digest(entry)
        alike = [source for source in candidates if source.sha256 == digest]
        if held := known.at(entry):
            # A file that comes back to its own place is no other one.
            alike = [source for source in alike if source.removed_at is None or source.id == held.id]
        if not alike:
            continue
        _, path = standing.place(entry)
        closest = max(alike, key=lambda source: (source.removed_at is None, *_closeness(source.path, path), source.id))
        candidates.remove(closest)
        if held is None or closest.id != held.id:
            yield entry.uri, closest


def _left(source: Source, roots: Roots, there: set[Path]) -> bool:
    """Whether a source's file is no longer at its place. One whose folder is not on this machine is only out of
    reach."""
    if source.removed_at is not None:
        return True
    path = roots.path(source.root, source.path)
    folder = roots.path(source.root, "")
    if path is None or folder is None or path in there:
        return False
    return folder.is_dir() and not _same_name(path)


def _same_name(path: Path) -> bool:
    """Whether a file of exactly this name is on the disk. Where the case of names is ignored, the old name of a file
    still opens it: the folder's own listing tells."""
    try:
        return path.exists() and path.name in {entry.name for entry in path.parent.iterdir()}
    except OSError:
        return True


def _closeness(before: str, now: str) -> tuple[bool, int]:
    """Whether the name is kept, and how many of the innermost folders are."""
    old, new = before.split("/"), now.split("/")
    kept = 0
    while kept < min(len(old), len(new)) and old[-1 - kept] == new[-1 - kept]:
        kept += 1
    return old[-1] == new[-1], kept


def _presence(source: Source) -> tuple[bool, float, str]:
    """Sorts those that left before those that are there, the latest last."""
    left = source.removed_at
    return left is None, left.timestamp() if left else 0.0, source.id
