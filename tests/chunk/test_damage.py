"""Real files after mechanical damage: read, or refused in one clear line; never another exception, never a hang."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jupyter_memo.chunk import cut, registry, structured
from jupyter_memo.chunk.window import BREADCRUMB_JOIN
from jupyter_memo.errors import IngestError

Count = Callable[[str], int]
Damage = Callable[[bytes, random.Random], bytes]

MAX_BYTES = 400_000
WINDOW = 254
HANG_SECONDS = 60


def truncated(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 10, 200))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def with_zeros(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + b"\0" * chance.choice((1, 1000)) + data[at:]


def shuffled(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def repeated(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + data[at : at + 50] * 200 + data[at:]


def on_one_line(data: bytes, chance: random.Random) -> bytes:
    return data.replace(b"\n", b" ")


def in_another_encoding(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(("utf-16", "utf-8-sig", "latin-1", "utf-32", "utf-16-le")), "replace")


def with_other_ends_of_lines(data: bytes, chance: random.Random) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\r")))


def nested(data: bytes, chance: random.Random) -> bytes:
    return chance.choice((b"[", b'{"a":', b"{", b"- ", b"((", b"> ")) * 3000 + data


DAMAGES: tuple[Damage, ...] = (
    truncated,
    flipped,
    with_zeros,
    shuffled,
    repeated,
    on_one_line,
    in_another_encoding,
    with_other_ends_of_lines,
    nested,
)


@contextmanager
def no_hang(name: str) -> Iterator[None]:
    """A hang becomes a failure that names the file."""

    def fail(*_: object) -> None:
        raise AssertionError(f"{name} took more than {HANG_SECONDS} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(HANG_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def damage_and_read(shared_data: Path, count: Count, seed: int, times: int) -> int:
    """How many of the damaged files were read."""
    chance = random.Random(seed)
    folders = (shared_data / "formats", shared_data / "notebooks")
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    files = [path for path in files if registry.reader(path.name) and 0 < path.stat().st_size < MAX_BYTES]
    by_suffix: dict[str, list[Path]] = {}
    for path in files:
        by_suffix.setdefault(path.suffix.lower(), []).append(path)
    read = 0
    for number in range(times):
        path = chance.choice(by_suffix[chance.choice(sorted(by_suffix))])  # every format as often as every other
        damage = chance.choice(DAMAGES)
        suffix = chance.choice(sorted(registry.READERS)) if chance.random() < 0.3 else path.suffix
        name = f"{number}-{damage.__name__}-{path.name}{suffix}"
        if registry.reader(name) is None:
            continue
        data = damage(path.read_bytes(), chance)
        refused = None
        with no_hang(name):
            try:
                parsed = registry.parse(name, data, count_tokens=count, max_tokens=WINDOW)
            except IngestError as error:
                refused = str(error)
        if refused is not None:
            assert 1 == len(refused.splitlines()), name
            continue
        read += 1
        for piece in parsed.chunks:
            assert WINDOW >= count(BREADCRUMB_JOIN.join(piece.header)) + count(piece.text), name
            piece.text.encode("utf-8")
    return read


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no alarm on this system")
def test_a_hundred_damaged_files_are_read_or_refused(shared_data: Path, count: Count) -> None:
    assert 40 < damage_and_read(shared_data, count, seed=1, times=100)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no alarm on this system")
def test_a_thousand_damaged_files_are_read_or_refused(shared_data: Path, count: Count) -> None:
    assert 400 < damage_and_read(shared_data, count, seed=2, times=1000)


def test_a_text_without_end_is_parted_into_pieces_that_know_their_lines(count: Count) -> None:
    lines = [" ".join(f"w{number}x{place}" for place in range(200)) for number in range(400)]
    pieces = registry.parse("a.txt", "\n".join(lines).encode(), count_tokens=count, max_tokens=WINDOW).chunks
    assert " ".join(lines).split() == [word for piece in pieces for word in piece.text.split()]
    for piece in pieces:
        first, last = piece.span.start_line, piece.span.end_line
        assert first is not None
        assert last is not None
        assert " ".join(piece.text.split()) in " ".join(lines[first - 1 : last])
        assert f"w{first - 1}x" in piece.text.split()[0]


def test_a_parted_text_loses_nothing_where_it_has_no_place_to_part(count: Count) -> None:
    text = "".join(chr(97 + number % 26) for number in range(cut.STRETCH * 2 + 7))
    pieces = registry.parse("a.txt", text.encode(), count_tokens=count, max_tokens=WINDOW).chunks
    assert text == "".join(piece.text for piece in pieces).replace(" ", "")


def test_toml_that_nobody_wrote_by_hand_is_refused_in_one_line(count: Count) -> None:
    data = b'x = "' + b"a" * structured.MAX_TOML + b'"\n'
    with pytest.raises(IngestError, match="TOML of more than"):
        registry.parse("a.toml", data, count_tokens=count, max_tokens=WINDOW)
