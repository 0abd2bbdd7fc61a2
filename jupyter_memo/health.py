"""How the store, the model and the surroundings are: status, and a doctor that names a cure for each fault."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
from collections import Counter
from pathlib import Path

from jupyter_memo.ingest import scan, unread
from jupyter_memo.ingest.roots import Roots
from jupyter_memo.models import Door
from jupyter_memo.profile import Calibration
from jupyter_memo.response import Check, Status
from jupyter_memo.search.calibrate import LEAST_PASSAGES
from jupyter_memo.search.meaning import key_of, shown_name
from jupyter_memo.store.lance import Store
from jupyter_memo.text.paths import pathless

DISK_LOW_MEGABYTES = 200
"""Below this a compaction, which writes the new files before it removes the old ones, may not fit."""


def model_state(door: Door) -> str:
    """The state of the model in words, with the reason when it failed."""
    return f"failed: {door.error}" if door.state == "failed" else door.state


async def status(
    store: Store, door: Door, *, model: str, profile: str, roots: Roots, notices: tuple[str, ...] = ()
) -> Status:
    """What stands in the store right now. Paths are shown as a person would type them; the doctor tells more of a
    model that failed."""
    embedder = door.embedder
    counts = await store.counts(key_of(embedder) if embedder else None)
    without = await unread.load(store)
    namespaces: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for (namespace, kind), passages in sorted((await store.shares()).items()):
        namespaces[namespace] += passages
        kinds[kind] += passages
    return Status(
        store=store.path if "://" in store.path else scan.short(Path(store.path)),
        read_only=store.read_only,
        profile=profile,
        model=embedder.id if embedder else shown_name(model),
        model_state=pathless(model_state(door)),
        passages=counts["passages"],
        sources=counts["sources"],
        pending=counts.get("without_vectors", 0),
        roots=tuple(scan.short(root.folder) for root in roots.entries),
        index_version=(await store.snapshot()).version,
        namespaces=tuple(namespaces.most_common()),
        kinds=tuple(kinds.most_common()),
        read_only_because=store.read_only_because,
        notices=notices,
        unread=without.told(),
        unread_total=without.total,
    )


def checks(
    found: Status,
    door: Door,
    vector_models: tuple[str, ...],
    roots: Roots,
    calibration: Calibration | None,
    withheld: tuple[int, int] = (0, 0),
) -> tuple[Check, ...]:
    """The doctor's list: versions, store, disk, model, vectors, floor, roots, secrets. Nothing is changed by looking.
    `withheld` counts the passages that look like secrets and the sources they were left out of."""
    versions = " · ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("jupyter_memo", "lancedb", "tantivy", "pyarrow")
    )
    return (
        Check(name="versions", ok=True, detail=f"Python {sys.version.split()[0]} · {versions}"),
        _store(found),
        _disk(found),
        _model(door, found),
        _vectors(found, vector_models),
        _floor(found, calibration),
        _roots(roots),
        _secrets(*withheld),
        *map(passed_over, found.notices),
    )


def passed_over(notice: str) -> Check:
    """What of settings and indexes is not believed."""
    detail, _, cure = notice.partition(". ")
    return Check(name="settings", ok=False, detail=detail, cure=cure)


def _store(found: Status) -> Check:
    detail = f"{found.store}: {found.passages} passages of {found.sources} sources, version {found.index_version}"
    if not found.passages:
        return Check(name="index", ok=False, detail=f"{found.store} is empty", cure="%memo_index PATH")
    because = f": {found.read_only_because}" if found.read_only_because else ""
    return Check(name="index", ok=True, detail=detail + (f", read-only{because}" if found.read_only else ""))


def _disk(found: Status) -> Check:
    if "://" in found.store:
        return Check(name="disk", ok=True, detail="the store is not on this machine")
    home, rest = f"~{os.sep}", found.store.removeprefix(f"~{os.sep}")
    folder = Path.home() / rest if found.store.startswith(home) else Path(rest)
    free = shutil.disk_usage(folder).free // 2**20
    ok = free >= DISK_LOW_MEGABYTES
    return Check(name="disk", ok=ok, detail=f"{free} MB free", cure="" if ok else "free some space, or move the store")


def _model(door: Door, found: Status) -> Check:
    if door.state == "absent":
        return Check(name="model", ok=True, detail="none is set: words and identifiers are searched")
    ok = door.state == "ready"
    cure = "" if ok else ("%memo backfill tries again" if door.state == "failed" else "wait a moment")
    return Check(name="model", ok=ok, detail=f"{found.model} is {model_state(door)}", cure=cure)


def _vectors(found: Status, vector_models: tuple[str, ...]) -> Check:
    if found.pending:
        stored = f" (vectors are stored for {', '.join(vector_models)})" if vector_models else ""
        detail = f"{found.pending} of {found.passages} passages wait for a vector of {found.model}{stored}"
        return Check(name="vectors", ok=False, detail=detail, cure="%memo backfill")
    return Check(name="vectors", ok=True, detail="every passage that should have a vector has one")


def _floor(found: Status, calibration: Calibration | None) -> Check:
    if calibration is None:
        ok = found.passages < LEAST_PASSAGES
        told = "not measured yet" + (f": an index run measures it from {LEAST_PASSAGES} passages on" if ok else "")
        cure = "" if ok else "memo.calibrate() in Python, or index again"
        return Check(name="floor", ok=ok, detail=told, cure=cure)
    floors = (("words and meaning", calibration.hybrid), ("words alone", calibration.words))
    told = ", ".join(f"{value:.3f} for {name}" for name, value in floors if value is not None)
    measured = f"confidence below {told} is no answer; measured on {calibration.passages} passages"
    return Check(name="floor", ok=True, detail=measured)


def _secrets(passages: int, sources: int) -> Check:
    if not passages:
        return Check(name="secrets", ok=True, detail="nothing that looks like a key or a password was held back")
    detail = f"held back because they look like keys or passwords: passages {passages}, sources {sources}"
    return Check(name="secrets", ok=True, detail=f"{detail}. %memo_index names them, --allow-secrets lets them in")


def _roots(roots: Roots) -> Check:
    gone = [scan.short(root.folder) for root in roots.entries if not root.folder.is_dir()]
    if gone:
        cure = "index them again from where they are now; what was indexed stays searchable"
        return Check(name="folders", ok=False, detail=f"not on this machine: {', '.join(gone)}", cure=cure)
    names = ", ".join(scan.short(root.folder) for root in roots.entries) or "none yet"
    return Check(name="folders", ok=True, detail=names)
