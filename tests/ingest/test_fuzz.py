"""Real files after mechanical damage, indexed beside sound ones: each has one line in the report, no neighbour is lost.

The runs happen in a process of their own, which gives up with the stacks of its threads on a file that takes too long.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jupyter_memo.chunk import decoding, registry

Damage = Callable[[bytes, random.Random], bytes]

HANG_SECONDS = 120
"""On one file; the slowest takes some seconds."""

RUN_SECONDS = 1800

LARGE = 250_000
"""Bytes above which a real file is left to the slow run."""

SOUND_NOTE = "# Probe {number}\n\nThe sound note {number} beside a damaged file.\n"
SOUND_DATA = '{{"station": "alder", "number": {number}}}\n'

WORKER = """
import faulthandler, json, resource, sys
from jupyter_memo.engine import Memo

folder, store, hang, megabytes = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])

def begin(done, total, uri):
    faulthandler.dump_traceback_later(hang, exit=True)
    print(f"{done} of {total}: {uri}", file=sys.stderr, flush=True)

with Memo.open(store, embedder="hash", index__max_megabytes=megabytes) as memo:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = memo.index(folder, progress=begin)
    again = memo.index(folder, progress=begin)
    faulthandler.cancel_dump_traceback_later()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ids = [source.id for source in memo._runner.run(memo._store.files())]
    rows = memo._runner.run(memo._store.source_passages(*ids))
spans = [
    [row.passage.uri, row.passage.text, {name: getattr(row.passage.span, name) for name in row.passage.span.__slots__}]
    for row in rows
]
told = [[each.uri, each.status, each.reason, each.added] for each in report.sources]
print(json.dumps({
    "sources": told, "spans": spans, "megabytes": (peak - before) / 1024,
    "again": [again.added, again.dropped], "unlisted": report.unlisted,
}))
"""


def truncated(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def with_mark(data: bytes, chance: random.Random) -> bytes:
    marks = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\xef\xbb\xbf\xef\xbb\xbf")
    return chance.choice(marks) + data


def recoded(data: bytes, chance: random.Random) -> bytes:
    encoding = chance.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "utf-8-sig"))
    return data.decode("utf-8", "replace").encode(encoding, "replace")


def with_other_ends_of_lines(data: bytes, chance: random.Random) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\r", b"\n\n", b"\xe2\x80\xa8", b"\x0b", b"\x0c")))


def zeroed(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + b"\0" * len(data[at:]) if chance.random() < 0.7 else b"\0" * len(data)


def with_zeros(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 5))):
        at = chance.randrange(len(data))
        data = data[:at] + b"\0" * chance.choice((1, 3, 1000)) + data[at:]
    return data


def flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 10, 200))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def nested(data: bytes, chance: random.Random) -> bytes:
    depth = chance.choice((500, 5_000, 100_000))
    opens, closes = chance.choice(
        ((b"[", b"]"), (b'{"a":', b"}"), (b"> ", b""), (b"(", b")"), (b"- ", b""), (b"<div>", b"</div>"))
    )
    return chance.choice((opens * depth + data, opens * depth + b"1" + closes * depth))


def in_one_line(data: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.5:
        return data.replace(b"\n", b" ")
    line = chance.choice((b"word ", b"x", b'"a",', b"\\u00e9", b"[1],", b"<a ", b"<!--")) * 400_000
    return chance.choice((line, data + line, b'{"a": "' + line.replace(b'"', b"") + b'"}'))


def again_and_again(data: bytes, chance: random.Random) -> bytes:
    return data * min(chance.choice((2, 3)), max(1, 1_000_000 // len(data)))


def with_a_stretch_again(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + data[at : at + 50] * 200 + data[at:]


def shuffled(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def unharmed(data: bytes, chance: random.Random) -> bytes:
    return data  # under a suffix that is not its own


DAMAGES: tuple[Damage, ...] = (
    truncated,
    with_mark,
    recoded,
    with_other_ends_of_lines,
    zeroed,
    with_zeros,
    flipped,
    nested,
    in_one_line,
    again_and_again,
    with_a_stretch_again,
    shuffled,
    unharmed,
)


@dataclass(frozen=True)
class Damaged:
    """A folder with one damaged file between two sound ones."""

    folder: str
    name: str
    data: bytes


def real_files(shared_data: Path, most: int) -> dict[str, list[Path]]:
    """Files by suffix, so that every format is damaged as often as every other."""
    found: dict[str, list[Path]] = {}
    for folder in (shared_data / "formats", shared_data / "notebooks", shared_data.parent / "design"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and registry.reader(path.name) and 0 < path.stat().st_size <= most:
                found.setdefault(path.suffix.lower(), []).append(path)
    return found


def damaged(shared_data: Path, seed: int, times: int, most: int) -> Iterator[Damaged]:
    chance = random.Random(seed)
    files = real_files(shared_data, most)
    for number in range(times):
        path = chance.choice(files[chance.choice(sorted(files))])
        damage = DAMAGES[number % len(DAMAGES)]
        other = damage is unharmed or chance.random() < 0.15
        suffix = chance.choice((*sorted(registry.READERS), "", ".xyz")) if other else path.suffix
        data = damage(path.read_bytes(), chance)
        if chance.random() < 0.15:
            data = chance.choice(DAMAGES)(data, chance) if data else data
        yield Damaged(folder=f"f{number:04d}", name=f"m-{damage.__name__}-{path.stem}{suffix}", data=data)


def indexed(folder: Path, store: Path, megabytes: float = 32) -> dict[str, Any]:
    """What an index run in another process says; the report of a run that ends in any other way is a failure."""
    command = [sys.executable, "-c", WORKER, str(folder), str(store), str(HANG_SECONDS), str(megabytes)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=RUN_SECONDS, check=False)
    assert 0 == done.returncode, done.stderr[-6000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def out_of_range(name: str, data: bytes, text: str, span: dict[str, Any]) -> str:
    """What is wrong with where a passage is said to stand; empty when nothing is."""
    if not text.strip():
        return "no text"
    first, last = span["start_line"], span["end_line"]
    if (first is None) != (last is None):
        return "half a range of lines"
    if any(span[field] is not None and span[field] < 1 for field in ("page", "turn")):
        return "a page or turn before the first"
    reader = registry.reader(name)
    if reader == "notebook":
        notebook = json.loads(decoding.decode(data, uri=name)[0])
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
        return "" if 0 <= span["cell"] < len(cells) else "no such cell"
    if first is None:
        return ""
    encoding, _ = decoding.encoding_of(data, uri=name, cookie=reader == "python")
    lines = data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    return "" if 1 <= first <= last <= lines else f"lines {first} to {last} of {lines}"


def check(shared_data: Path, tmp_path: Path, *, seed: int, times: int, most: int) -> None:
    files = list(damaged(shared_data, seed, times, most))
    expected, sound = {}, []
    for number, each in enumerate(files):
        folder = tmp_path / "field" / each.folder
        folder.mkdir(parents=True)
        beside = {
            "a-sound.md": SOUND_NOTE.format(number=number).encode(),
            "z-sound.json": SOUND_DATA.format(number=number).encode(),
        }
        for name, data in {**beside, each.name: each.data}.items():
            (folder / name).write_bytes(data)
            expected[f"field/{each.folder}/{name}"] = data
        sound += [f"field/{each.folder}/{name}" for name in beside]
    found = indexed(tmp_path / "field", tmp_path / "store")
    told = {uri: (status, reason, added) for uri, status, reason, added in found["sources"]}
    assert {1} == set(Counter(uri for uri, *_ in found["sources"]).values())
    assert sorted(expected) == sorted(told)
    assert [] == [uri for uri in sound if told[uri][0] != "indexed" or told[uri][2] != 1]
    assert {"indexed", "skipped", "failed"} >= {status for status, _, _ in told.values()}
    assert [] == [uri for uri, (_, reason, added) in told.items() if not added and not reason]
    assert [] == [(uri, reason) for uri, (_, reason, _) in told.items() if "could not be read: " in reason]
    assert [] == [(uri, reason) for uri, (_, reason, _) in told.items() if len(reason.splitlines()) > 1]
    assert [0, 0] == found["again"]
    placed = Counter(uri for uri, _, _ in found["spans"])
    assert {uri: added for uri, (_, _, added) in told.items() if added} == placed
    wrong = [
        (uri, problem)
        for uri, text, span in found["spans"]
        if (problem := out_of_range(uri, expected[uri], text, span))
    ]
    assert [] == wrong
    assert times // 4 < sum(status == "indexed" for status, _, _ in told.values()) - len(sound)


@pytest.mark.slow
def test_damaged_files_are_told_of_one_by_one_and_harm_no_neighbour(shared_data: Path, tmp_path: Path) -> None:
    check(shared_data, tmp_path, seed=1, times=20, most=LARGE)


@pytest.mark.slow
def test_a_hundred_damaged_files_are_told_of_one_by_one(shared_data: Path, tmp_path: Path) -> None:
    check(shared_data, tmp_path, seed=2, times=100, most=5_000_000)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3, 13))
def test_a_thousand_damaged_files_are_told_of_one_by_one(shared_data: Path, tmp_path: Path, seed: int) -> None:
    check(shared_data, tmp_path, seed=seed, times=100, most=5_000_000)


ENDLESS = {
    ".md": b"Some words of an endless line. ",
    ".txt": b"x",
    ".json": b"[1],",
    ".csv": b"1,",
    ".py": b"x+",
    ".yaml": b"word ",
    ".toml": b"word ",
    ".bib": b"word ",
    ".rst": b"word ",
    ".html": b"<p>word <b",
}
"""What a line without end is made of."""


def endless(folder: Path, megabytes: float, suffixes: tuple[str, ...]) -> list[str]:
    """Files of one long line between two sound ones; their names."""
    folder.mkdir()
    around = {".json": (b"[", b"0]"), ".toml": (b'x = "', b'"\n'), ".bib": (b"@article{a, title={", b"}}\n")}
    for suffix in suffixes:
        unit = ENDLESS[suffix]
        before, after = around.get(suffix, (b"", b""))
        with (folder / f"long{suffix}").open("wb") as file:
            file.write(before)
            for _ in range(round(megabytes * 16)):
                file.write(unit * (2**16 // len(unit)))
            file.write(after)
    (folder / "a.md").write_text(SOUND_NOTE.format(number=1))
    (folder / "z.json").write_text(SOUND_DATA.format(number=2))
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.slow
def test_a_line_without_end_harms_no_neighbour(tmp_path: Path) -> None:
    names = endless(tmp_path / "field", 0.125, tuple(ENDLESS))
    found = indexed(tmp_path / "field", tmp_path / "store")
    told = {uri: (status, reason) for uri, status, reason, _ in found["sources"]}
    assert [f"field/{name}" for name in names] == sorted(told)
    assert [("indexed", "")] * 3 == [told[f"field/{name}"] for name in ("a.md", "long.md", "z.json")]
    assert all(status == "indexed" or reason for status, reason in told.values())


@pytest.mark.slow
def test_a_line_of_two_hundred_megabytes_is_above_the_limit_and_bounded_where_that_is_raised(tmp_path: Path) -> None:
    endless(tmp_path / "field", 200, (".csv",))
    uri, neighbours = "field/long.csv", {"field/a.md", "field/z.json"}
    refused = {
        name: (status, reason) for name, status, reason, _ in indexed(tmp_path / "field", tmp_path / "store")["sources"]
    }
    assert "skipped" == refused[uri][0]
    assert "above the limit" in refused[uri][1]
    assert {"indexed"} == {refused[name][0] for name in neighbours}
    found = indexed(tmp_path / "field", tmp_path / "store", megabytes=400)
    told = {name: (status, reason) for name, status, reason, _ in found["sources"]}
    assert "indexed" == told[uri][0]
    assert "longer than" in told[uri][1]
    assert {"unchanged"} == {told[name][0] for name in neighbours}
    assert 2000 > found["megabytes"]


@pytest.mark.exhaustive
def test_prose_of_two_hundred_megabytes_on_one_line_is_read_in_bounded_time_and_memory() -> None:
    source = (
        "import faulthandler, resource; faulthandler.dump_traceback_later(900, exit=True)\n"
        "from jupyter_memo.chunk import registry\n"
        "data = b'Some words of an endless line. ' * (200 * 2**20 // 31)\n"
        "count = lambda text: len(text.split())\n"
        "print(len(registry.parse('a.txt', data, count_tokens=count, max_tokens=254).chunks))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, env=environment, check=False)
    assert 0 == done.returncode, done.stderr[-3000:]
    pieces, megabytes = map(int, done.stdout.split())
    assert 100_000 < pieces
    assert 3000 > megabytes
