"""Fixtures that several rooms share: real evaluation data by path, a clock that stands still, a weightless model."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jupyter_memo.engine import Memo
    from jupyter_memo.models.protocols import Embedder

PROJECT = Path(__file__).resolve().parent.parent
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--distributions", help="a folder with the sdist and the wheel to test; built when it is not given"
    )


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of evaluation data beside the project; it is never copied into it. Skips where it is absent."""
    folder = PROJECT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("shared evaluation data is not here")
    return folder


@pytest.fixture(scope="session", autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What an account keeps outside of its indexes goes to a folder of the tests, in child processes too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def now() -> datetime:
    """The moment at which every test happens."""
    return NOW


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The hashed bag of words: the same vectors on every machine, no weights to load."""
    from jupyter_memo.models.hash import HashEmbedder

    return HashEmbedder()


@pytest.fixture
def memo(tmp_path: Path, embedder: Embedder) -> Iterator[Memo]:
    """An engine over an empty store in tmp_path/.memo, with the hash embedder; files in tmp_path have no alias."""
    from jupyter_memo.engine import Memo

    with Memo.open(tmp_path / ".memo", embedder=embedder) as opened:
        yield opened
