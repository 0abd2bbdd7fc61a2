"""What the tests of this room share: a tokenizer that counts words and signs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def count() -> Callable[[str], int]:
    """Words and signs, each one token; a stand-in for a model's tokenizer that needs no weights."""
    return lambda text: len(re.findall(r"\w+|[^\w\s]", text))
