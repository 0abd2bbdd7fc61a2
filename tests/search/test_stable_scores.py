"""An evidence score is about the passage and the query: nothing else that happens to the index moves it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.models.hash import HashEmbedder

pytestmark = pytest.mark.slow

QUERY = "drift of the alder probe"
OTHERS = 60


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Memo]:
    with Memo.open(tmp_path / "store", embedder=HashEmbedder()) as memo:
        memo.add([{"id": "target", "kind": "paper", "text": "The alder probe drifts by two ppm a day."}])
        memo.add([{"id": f"other{n}", "text": f"Probe {n} stands by the beck at mark {n % 7}."} for n in range(OTHERS)])
        yield memo


def score(memo: Memo, **options: object) -> tuple[float, ...]:
    """Every number of the target's reason."""
    found = next(each for each in memo.search(QUERY, limit=100, **options) if each.passage.uri == "target")  # type: ignore[arg-type]
    assert found.why is not None
    return (found.score, *(vote.raw for vote in found.why.arms))


def resave(memo: Memo) -> None:
    for turn in range(8):
        text = "A heron stood on the drift fence." if turn % 2 == 0 else "Probe {n} stands by the beck at mark {m}."
        memo.add([{"id": f"other{n}", "text": text.format(n=n, m=n % 7)} for n in range(10)])


def test_saving_other_files_again_and_again_moves_nothing(filled: Memo) -> None:
    before = score(filled)
    resave(filled)
    assert before == score(filled)


def test_optimising_moves_nothing(filled: Memo) -> None:
    before = score(filled)
    resave(filled)
    filled.optimize()
    assert before == score(filled)


def test_a_narrower_scope_moves_nothing(filled: Memo) -> None:
    assert score(filled) == score(filled, kind="paper") == score(filled, source="tar*")


def test_a_second_writer_that_leaves_what_it_found_moves_nothing(filled: Memo) -> None:
    before = score(filled)
    code = (
        "import sys\n"
        "from jupyter_memo.engine import Memo\n"
        "if __name__ == '__main__':\n"
        "    with Memo.open(sys.argv[1], embedder='hash') as memo:\n"
        "        for text in ('A heron.', 'Probe 3 stands by the beck at mark 3.'):\n"
        "            memo.add([{'id': 'other3', 'text': text}])\n"
    )
    subprocess.run([sys.executable, "-c", code, filled.path], check=True, capture_output=True)
    assert before == score(filled)


def test_new_passages_do_move_it(filled: Memo) -> None:
    before = score(filled)
    filled.add([{"id": f"more{n}", "text": f"The alder drift fence, post {n}."} for n in range(50)])
    assert before != score(filled)


def test_the_statistics_count_each_live_passage_once(filled: Memo) -> None:
    resave(filled)
    counts = filled._runner.run(filled._store.statistics(("s:probe", "s:heron"), ()))
    assert (OTHERS + 1, {"s:probe": OTHERS + 1}) == (counts.passages, counts.frequencies)
