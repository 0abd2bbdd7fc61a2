"""What indexing costs: python tests/bench/ingest.py again|share|memory|stream [options]   (Linux: memory is read there)

again   CPU time of a first, second and third run over small files that do not change. The hash embedder makes the first
        run cheap and so the share of the others large; `--embedder minilm` is what users have. Exits 1 when the third
        costs more than 2 % of the first.
share   DATA: the part of the wall time of indexing real files in which the model does not work. Exits 1 above 15 %.
memory  Peak memory of an index run over 100,000 passages beside one over 10,000, each in a process of its own, those
        that it starts counted in. Hash embedder. Exits 1 above 1.5 times.
stream  Memory while a generator of a million records is added, every 20,000 of them: what this process holds when they
        are read, and the most it held since the line before, alone and with the processes it started (upkeep, which
        holds the words of the index for a while). Files that are mapped do not count. Hash embedder. Exits 1 when
        later this process holds more than 1.25 times its most within the first 100,000 records. The line "then" is
        what follows the last record: the calibration, whose questions fill the caches for searches (160 MiB at most).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jupyter_memo.engine import Memo
from jupyter_memo.models import Door
from jupyter_memo.models.protocols import Embedder

AGAIN_MOST = 0.02
SHARE_MOST = 0.15
MEMORY_MOST = 1.5
STREAM_MOST = 1.25
STEP = 100_000
EVERY = 20_000
LOOK_SECONDS = 0.2

VOCABULARY = 20_000
WORDS = 40
PASSAGES_A_FILE = 20
MEGABYTE = 2**20


def texts(seed: int, length: int = WORDS) -> Iterator[str]:
    """Sentences whose words are as unevenly spread as those of a language (Zipf's law)."""
    drawn = random.Random(seed)
    words = [f"{drawn.choice('bdfgklmnprstvz')}{drawn.choice('aeiou')}{number:x}" for number in range(VOCABULARY)]
    weights = [1 / rank for rank in range(1, VOCABULARY + 1)]
    while True:
        pool = drawn.choices(words, weights, k=100 * length)
        for start in range(0, len(pool), length):
            yield " ".join(pool[start : start + length])


def mapped() -> float:
    """Megabytes of files that this process has mapped and the system holds: libraries, most of it."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[2]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def held(*processes: str) -> float:
    """Megabytes of memory these processes hold now, files they have mapped left out."""
    pages = 0
    for process in processes:
        with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
            resident, shared = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1:3]
            pages += int(resident) - int(shared)
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def children() -> list[str]:
    """The processes that this one has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                found.append(stat.parent.name)
    return found


class Most:
    """The most memory that was held since it was last asked: by this process alone, and with those it started."""

    def __init__(self) -> None:
        self._alone, self._together = 0.0, 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _look(self) -> None:
        alone = held("self")
        self._alone, self._together = max(self._alone, alone), max(self._together, alone + held(*children()))

    def _watch(self) -> None:
        while True:
            self._look()
            time.sleep(LOOK_SECONDS)

    def taken(self) -> tuple[float, float]:
        self._look()
        most = self._alone, self._together
        self._alone, self._together = 0.0, 0.0
        return most


def again(options: argparse.Namespace, folder: Path) -> int:
    files = folder / "files"
    said = texts(1)
    for number in range(options.files):
        path = files / f"{number // 100:03}" / f"{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {number}\n\n{next(said)}\n", encoding="utf-8")
    time.sleep(2.1)  # what was written within two seconds of being read is read again
    spent = []
    with Memo.open(folder / "store", embedder=options.embedder) as memo:
        for _ in range(3):
            cpu, wall = time.process_time(), time.perf_counter()
            report = memo.index(files)
            spent.append(time.process_time() - cpu)
            passed = time.perf_counter() - wall
            print(f"run {len(spent)}: {spent[-1]:7.2f} s CPU {passed:7.2f} s, {report.added} added", flush=True)
    share = spent[2] / spent[0]
    print(f"the third run costs {100 * share:.2f} % of the first, over {options.files} files")
    return int(share > AGAIN_MOST)


class Timed:
    """An embedder that keeps the times at which it worked."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.spans: list[tuple[float, float]] = []
        self.texts = 0
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def encode_passages(self, texts: list[str]) -> Any:
        began = time.perf_counter()
        found = self._embedder.encode_passages(texts)
        with self._lock:
            self.spans.append((began, time.perf_counter()))
            self.texts += len(texts)
        return found

    def encode_queries(self, texts: list[str]) -> np.ndarray:
        return self._embedder.encode_queries(texts)


def busy(spans: list[tuple[float, float]]) -> float:
    """Seconds covered by spans, each counted once."""
    covered, until = 0.0, 0.0
    for began, ended in sorted(spans):
        covered += max(0.0, ended - max(began, until))
        until = max(until, ended)
    return covered


def share(options: argparse.Namespace, folder: Path) -> int:
    door = Door("minilm")
    door.start()
    model = door.wait(None)
    assert model is not None
    model.encode_passages(["warm"])
    timed = Timed(model)
    with Memo.open(folder / "store", embedder=timed) as memo:
        began = time.perf_counter()
        report = memo.index(*options.paths)
        whole = time.perf_counter() - began
    working = busy(timed.spans)
    share = 1 - working / whole
    read = sum(source.status == "indexed" for source in report.sources)
    print(f"{read} files, {report.added} passages, {timed.texts} texts: {whole:.1f} s, the model {working:.1f} s")
    print(f"{100 * share:.1f} % of the time is not spent in the model")
    return int(share > SHARE_MOST)


def memory(options: argparse.Namespace, folder: Path) -> int:
    peaks = []
    for passages in (options.few, options.many):
        command = [sys.executable, __file__, "one", "--passages", str(passages), "--folder", str(folder)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        peaks.append(float(out[0]))
        print(f"{int(out[1]):7} passages: at most {peaks[-1]:.0f} MB in {float(out[2]):.0f} s", flush=True)
    print(f"{peaks[1] / peaks[0]:.2f} times")
    return int(peaks[1] / peaks[0] > MEMORY_MOST)


def one(options: argparse.Namespace, folder: Path) -> int:
    """A single index run; prints the peak of memory, the passages and the seconds."""
    files = folder / f"files-{options.passages}"
    files.mkdir()
    said = texts(2)
    for number in range(options.passages // PASSAGES_A_FILE):
        sections = (f"# Part {part}\n\n{next(said)}\n\n" for part in range(PASSAGES_A_FILE))
        (files / f"{number:05}.md").write_text("".join(sections), encoding="utf-8")
    most = Most()
    began = time.perf_counter()
    # Unpacked, so that each section is a passage.
    with Memo.open(folder / f"store-{options.passages}", embedder="hash", index__target_chunk_tokens=0) as memo:
        added = memo.index(files).added
    print(most.taken()[1] + mapped(), added, time.perf_counter() - began)
    return 0


def stream(options: argparse.Namespace, folder: Path) -> int:
    early, later = (0.0, 0.0), (0.0, 0.0)
    most = Most()
    began = time.perf_counter()

    def told(what: str) -> tuple[float, float]:
        now, (alone, together) = held("self"), most.taken()
        passed = time.perf_counter() - began
        print(
            f"{what:13} {now:6.0f} MB, at most {alone:6.0f} MB, with upkeep {together:6.0f} MB {passed:7.0f} s",
            flush=True,
        )
        return alone, together

    def sample(number: int) -> None:
        nonlocal early, later
        alone, together = told(f"{number:8} rows")
        if number <= options.step:
            early = max(early[0], alone), max(early[1], together)
        else:
            later = max(later[0], alone), max(later[1], together)

    def records() -> Iterator[dict[str, str]]:
        for number, text in zip(range(options.rows), texts(3, options.words), strict=False):
            if number % options.every == 0:
                sample(number)
            yield {"id": f"r/{number}", "text": text}
        sample(options.rows)

    with Memo.open(folder / "store", embedder="hash") as memo:
        report = memo.add(records())
        told("then")
        cpu = time.process_time()
        print(
            f"{report.added} added in {report.seconds:.0f} s, {cpu:.0f} s CPU, {len(report.sources)} listed", flush=True
        )
    alone, together = later[0] / early[0], later[1] / early[1]
    print(f"at most {alone:.2f} times what the first {options.step} rows took, with upkeep {together:.2f} times")
    return int(alone > STREAM_MOST)


WORK: dict[str, Callable[[argparse.Namespace, Path], int]] = {
    "again": again,
    "share": share,
    "memory": memory,
    "one": one,
    "stream": stream,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=sorted(WORK))
    parser.add_argument("paths", nargs="*", type=Path, help="what share indexes")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--embedder", default="hash", help="of again")
    parser.add_argument("--few", type=int, default=10_000)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--words", type=int, default=WORDS, help="of a record of the stream")
    parser.add_argument("--step", type=int, default=STEP, help="rows of the stream the later ones are compared with")
    parser.add_argument("--every", type=int, default=EVERY, help="rows of the stream between two lines")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder when not given")
    options = parser.parse_args()
    if options.folder:
        return WORK[options.work](options, options.folder)
    with tempfile.TemporaryDirectory() as folder:
        return WORK[options.work](options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
