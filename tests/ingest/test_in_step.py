"""Whatever happens to a folder, the next search says what is in it: checked against a model, a dict of paths and texts,
and with two processes at work on one tree."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from jupyter_memo import profile
from jupyter_memo.engine import Memo
from jupyter_memo.ingest import sync

EVERYWHERE = "probe"
"""A word that every text holds."""

FOLDERS = ("", "a", "b", "a/deep")
NAMES = ("one.md", "One.md", "two.md", "three.txt", "four.json")
UNREADABLE = ".json"
"""No text here is JSON: what a file of this name says cannot be read."""

PATHS = tuple(f"{folder}/{name}".lstrip("/") for folder in FOLDERS for name in NAMES)

places = st.sampled_from(PATHS)
texts = st.lists(st.sampled_from(("alder", "beech", "cedar", "maple", "rowan")), max_size=3).map(
    lambda words: " ".join((EVERYWHERE, *words))
)
choices = st.integers(min_value=0, max_value=999)


@contextlib.contextmanager
def refusing(paths: set[Path]) -> Iterator[None]:
    """As if these files had been made unreadable: taking the right away from the administrator has no effect."""
    real = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path in paths:
            raise PermissionError(13, "Permission denied")
        return real(path)

    with mock.patch.object(Path, "read_bytes", read_bytes):
        yield


EVERY_COPY = profile.override(profile.get("keyword-only"), **{"fold.enabled": False})


def shown(memo: Memo, **options: object) -> list[tuple[str, str]]:
    """Where every passage is and what it says, by its uri."""
    found = memo.search(EVERYWHERE, profile=EVERY_COPY, limit=100, **options)
    return sorted((result.passage.uri, result.passage.text) for result in found.results)


class Disk(RuleBasedStateMachine):
    """A folder, a store that indexed it, and what a search of it must give."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp())
        self.folder = self.home / "lab"
        self.folder.mkdir()
        self.texts: dict[str, str] = {}
        self.locked: dict[str, str | None] = {}
        self.refused: set[Path] = set()
        self.stack = contextlib.ExitStack()
        # However slow the machine is, every search looks at the disk and waits for what it finds.
        self.stack.enter_context(mock.patch.object(sync, "EVERY_TIME_SECONDS", float("inf")))
        self.stack.enter_context(refusing(self.refused))
        self.memo = self._opened()

    def _opened(self) -> Memo:
        return Memo.open(self.home / "store", embedder="none", search__sync_wait_seconds=600)

    def teardown(self) -> None:
        try:
            self.search()
        finally:
            self.memo.close()
            self.stack.close()
            shutil.rmtree(self.home)

    def _there(self, choice: int) -> str:
        names = sorted(self.texts)
        return names[choice % len(names)]

    def _clear(self, path: str) -> None:
        """Make room for a file: no folder in its place, no file in place of its folders."""
        for above in [path, *(str(parent) for parent in Path(path).parents)][:-1]:
            place = self.folder / above
            if place.is_dir() and above == path:
                shutil.rmtree(place)
                for name in [name for name in self.texts if name.startswith(f"{path}/")]:
                    self._forget(name)
            elif place.is_file() and above != path:
                place.unlink()
                self._forget(above)
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)

    def _forget(self, path: str) -> None:
        self.texts.pop(path)
        self.locked.pop(path, None)
        self.refused.discard(self.folder / path)

    def _moved(self, old: str, new: str) -> None:
        self._clear(new)
        if old not in self.texts:  # it stood where the folder of the new place is now
            return
        if new in self.texts:
            self._forget(new)
        (self.folder / old).replace(self.folder / new)
        self.texts[new] = self.texts[old]
        locked = old in self.locked
        self._forget(old)
        if locked:
            self.locked[new] = None
            self.refused.add(self.folder / new)
            self.search()  # once moved back unseen, it would be as if it had never moved

    @initialize(first=st.dictionaries(places, texts, max_size=5))
    def begin(self, first: dict[str, str]) -> None:
        for path, text in first.items():
            self.write(path, text)
        self.memo.index(self.folder)

    @rule(path=places, text=texts)
    def write(self, path: str, text: str) -> None:
        """Create or edit; in place, as an editor of plain text does."""
        if path in self.locked:
            return
        self._clear(path)
        (self.folder / path).write_text(text)
        self.texts[path] = text

    @rule(path=places, text=texts)
    def write_beside_and_replace(self, path: str, text: str) -> None:
        """As most editors save: a new file takes the name of the old one."""
        self._clear(path)
        fresh = self.home / "fresh"
        fresh.write_text(text)
        fresh.replace(self.folder / path)
        if path in self.texts:
            self._forget(path)
        self.texts[path] = text

    @rule(path=places)
    def write_nothing(self, path: str) -> None:
        self.write(path, "")

    @precondition(lambda self: self.texts)
    @rule(choice=choices)
    def delete(self, choice: int) -> None:
        path = self._there(choice)
        (self.folder / path).unlink()
        self._forget(path)

    @precondition(lambda self: self.texts)
    @rule(choice=choices, new=places)
    def move(self, choice: int, new: str) -> None:
        """Rename, also over another file, into another folder, or by the case of a letter alone."""
        old = self._there(choice)
        if old != new:
            self._moved(old, new)

    @precondition(lambda self: self.texts)
    @rule(choice=choices)
    def change_case(self, choice: int) -> None:
        old = self._there(choice)
        head, _, name = old.rpartition("/")
        new = f"{head}/{name.swapcase() if name[0].islower() else name.lower()}".lstrip("/")
        if name.lower().endswith((".md", ".txt")) and new != old:
            self._moved(old, new)

    @precondition(lambda self: len(self.texts) > 1)
    @rule(choice=choices, other=choices)
    def exchange(self, choice: int, other: int) -> None:
        """Two files take each other's names."""
        one, two = self._there(choice), self._there(other)
        if one == two or one in self.locked or two in self.locked:
            return
        (self.folder / one).replace(self.home / "aside")
        (self.folder / two).replace(self.folder / one)
        (self.home / "aside").replace(self.folder / two)
        self.texts[one], self.texts[two] = self.texts[two], self.texts[one]

    @rule(old=st.sampled_from(FOLDERS[1:]), new=st.sampled_from(("c", "a/c", "d.md")))
    def move_a_folder(self, old: str, new: str) -> None:
        if not (self.folder / old).is_dir() or (self.folder / new).exists() or not (self.folder / new).parent.is_dir():
            return
        if f"{new}/".startswith(f"{old}/"):
            return
        (self.folder / old).replace(self.folder / new)
        for path in [path for path in self.texts if path.startswith(f"{old}/")]:
            fresh = f"{new}/{path.removeprefix(f'{old}/')}"
            self.texts[fresh] = self.texts[path]
            locked = path in self.locked
            self._forget(path)
            if locked:
                self.locked[fresh] = None
                self.refused.add(self.folder / fresh)
        self.search()

    @precondition(lambda self: self.texts)
    @rule(choice=choices, text=texts)
    def replace_by_a_folder(self, choice: int, text: str) -> None:
        path = self._there(choice)
        (self.folder / path).unlink()
        self._forget(path)
        self.write(f"{path}/inside.md", text)

    @precondition(lambda self: self.texts)
    @rule(choice=choices, new=places, keep_time=st.booleans())
    def copy(self, choice: int, new: str, keep_time: bool) -> None:
        old = self._there(choice)
        if old == new or old in self.locked or new in self.locked:
            return
        self._clear(new)
        if old not in self.texts:
            return
        (shutil.copy2 if keep_time else shutil.copy)(self.folder / old, self.folder / new)
        self.texts[new] = self.texts[old]

    @precondition(lambda self: self.texts)
    @rule(choice=choices, hours=st.integers(min_value=-9, max_value=9))
    def touch(self, choice: int, hours: int) -> None:
        moment = time.time() + 3600 * hours
        os.utime(self.folder / self._there(choice), (moment, moment))

    @precondition(lambda self: self.texts)
    @rule(choice=choices, text=texts)
    def bring_back_an_old_version(self, choice: int, text: str) -> None:
        """Another text, and a time long ago."""
        path = self._there(choice)
        self.write(path, text)
        os.utime(self.folder / path, (1e9 + choice, 1e9 + choice))

    @precondition(lambda self: self.texts)
    @rule(choice=choices)
    def lock(self, choice: int) -> None:
        """The file can no longer be read: what was indexed of it stays."""
        path = self._there(choice)
        if path in self.locked or not self.texts[path] or path.endswith(UNREADABLE):
            return
        self.search()
        self.locked[path] = self.texts[path]
        self.refused.add(self.folder / path)

    @precondition(lambda self: self.locked)
    @rule(choice=choices)
    def unlock(self, choice: int) -> None:
        path = sorted(self.locked)[choice % len(self.locked)]
        self.refused.discard(self.folder / path)
        del self.locked[path]
        # Giving back a right leaves the time of the last change of the contents and sets that of the file.
        (self.folder / path).chmod(0o644)

    @rule()
    def index_again(self) -> None:
        self.memo.index(self.folder)

    @rule()
    def open_again(self) -> None:
        self.memo.close()
        self.memo = self._opened()

    @rule()
    def search(self) -> None:
        read = {**self.texts, **self.locked}
        expected = sorted(
            (f"lab/{path}", text) for path, text in read.items() if text and not path.endswith(UNREADABLE)
        )
        assert expected == shown(self.memo)


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    folder.mkdir()
    return folder


@pytest.fixture
def memo(tmp_path: Path) -> Iterator[Memo]:
    with Memo.open(tmp_path / "store", embedder="none", search__sync_wait_seconds=600) as opened:
        yield opened


def test_text_that_was_removed_comes_back_elsewhere_while_its_old_name_holds_another(memo: Memo, lab: Path) -> None:
    (lab / "a.md").write_text("probe alder")
    memo.index(lab)
    (lab / "a.md").unlink()
    assert [] == shown(memo)
    (lab / "b.md").write_text("probe alder")
    (lab / "a.md").write_text("probe beech")
    assert [("lab/a.md", "probe beech"), ("lab/b.md", "probe alder")] == shown(memo)


def test_a_file_that_can_be_read_again_is_read_though_its_time_is_as_before(memo: Memo, lab: Path) -> None:
    memo.index(lab)
    (lab / "a.md").write_text("probe alder")
    with refusing({lab / "a.md"}):
        assert [] == shown(memo)
    (lab / "a.md").chmod(0o600)
    assert [("lab/a.md", "probe alder")] == shown(memo)


def test_a_file_that_went_and_came_back_as_it_was_is_found(memo: Memo, lab: Path, tmp_path: Path) -> None:
    (lab / "a.md").write_text("probe alder")
    memo.index(lab)
    os.utime(lab / "a.md", (1e9, 1e9))
    assert [("lab/a.md", "probe alder")] == shown(memo)
    (lab / "a.md").rename(tmp_path / "aside")
    assert [] == shown(memo)
    (tmp_path / "aside").rename(lab / "a.md")
    assert [("lab/a.md", "probe alder")] == shown(memo)


def test_a_file_that_cannot_be_read_under_its_new_name_leaves_its_old_one(memo: Memo, lab: Path) -> None:
    (lab / "a.md").write_text("probe alder")
    memo.index(lab)
    (lab / "a.md").rename(lab / "a.json")
    response = memo.search(EVERYWHERE)
    assert 0 == len(response.results)
    assert any("Could not read lab/a.json" in hint for hint in response.hints)


def named(memo: Memo) -> list[str]:
    return [hint for hint in memo.search(EVERYWHERE).hints if "Could not read" in hint]


def test_of_a_file_that_never_could_be_read_only_the_report_of_the_run_tells(lab: Path, tmp_path: Path) -> None:
    (lab / "a.json").write_text("{")
    (lab / "c.md").write_text("probe cedar")
    with Memo.open(tmp_path / "store", embedder="none", search__sync_wait_seconds=600) as memo:
        assert {"lab/a.json"} == {source.uri for source in memo.index(lab).sources if source.status == "failed"}
        assert [] == named(memo)
    with Memo.open(tmp_path / "store", embedder="none", search__sync_wait_seconds=600) as memo:
        response = memo.search(EVERYWHERE)
    sync = response.trace.stages[0]
    assert ([], True, "nothing has changed") == ([*response.hints], sync.ran, sync.note)


def test_a_new_file_that_cannot_be_read_is_named_once(memo: Memo, lab: Path) -> None:
    (lab / "c.md").write_text("probe cedar")
    memo.index(lab)
    (lab / "b.json").write_text("{")
    response = memo.search(EVERYWHERE)
    assert 1 == sum(hint.count("lab/b.json") for hint in response.hints)
    assert response.trace.stages[0].ran
    (lab / "d.md").write_text("probe dogwood")
    assert [[], []] == [named(memo), named(memo)]


def test_what_cannot_be_read_any_more_is_named_until_it_is_gone(memo: Memo, lab: Path) -> None:
    (lab / "b.md").write_text("probe beech")
    memo.index(lab)
    with refusing({lab / "b.md"}):
        (lab / "b.md").write_text("probe birch")
        assert [True, True] == ["lab/b.md" in "".join(named(memo)) for _ in range(2)]
    (lab / "b.md").unlink()
    assert [] == named(memo)


CHILD = """
import sys
from jupyter_memo.engine import Memo

store, folder, times, how = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
with Memo.open(store, embedder="none", search__sync_wait_seconds=600) as memo:
    print("ready", flush=True)
    for _ in range(times):
        if how == "index":
            memo.index(folder)
        else:
            memo.search("probe")
"""


def child(store: Path, folder: Path, times: int, how: str) -> subprocess.Popen[str]:
    """Another process that indexes the same tree so many times, or searches it; it has opened the store."""
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(store), str(folder), str(times), how],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    assert "ready" == process.stdout.readline().strip()
    return process


def edited(folder: Path, number: int) -> dict[str, str]:
    """The tree in its state of this number: some files are new, some gone, some moved, some changed."""
    texts = {f"{place % 3}/{place}.md": f"{EVERYWHERE} {place} in state {number // 2}" for place in range(20)}
    texts |= {f"moving/{number}.md": f"{EVERYWHERE} that moves"}
    texts |= {f"state{number % 4}.md": f"{EVERYWHERE} state {number}"}
    for path in sorted(folder.rglob("*.md")):
        if path.relative_to(folder).as_posix() not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return texts


@pytest.mark.slow
@pytest.mark.parametrize("how", ["index", "search"])
def test_two_processes_at_work_on_one_tree_leave_no_doubles_and_no_ghosts(tmp_path: Path, how: str) -> None:
    folder, store = tmp_path / "lab", tmp_path / "store"
    texts = edited(folder, 0)
    with Memo.open(store, embedder="none", search__sync_wait_seconds=600) as memo:
        memo.index(tmp_path / "lab")
        process = child(store, folder, 3, how)
        try:
            for number in range(1, 4):
                texts = edited(folder, number)
                memo.index(folder)
            process.communicate(timeout=120)
        finally:
            process.kill()
            process.communicate()
        assert 0 == process.returncode
        memo.index(folder)
        assert sorted((f"lab/{path}", text) for path, text in texts.items()) == shown(memo)
        rows = memo._runner.run(
            memo._store.source_passages(*(each.id for each in memo._runner.run(memo._store.files())))
        )
        assert len(texts) == len(rows) == len({row.passage.id for row in rows})


def follow(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        Disk,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            database=None,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_after_a_search_results_are_what_is_on_the_disk() -> None:
    follow(examples=4, steps=15)


@pytest.mark.slow
def test_after_many_changes_results_are_what_is_on_the_disk() -> None:
    follow(examples=20, steps=30)


@pytest.mark.exhaustive
def test_after_a_search_results_are_what_is_on_the_disk_whatever_happened_before() -> None:
    follow(examples=100, steps=50)
