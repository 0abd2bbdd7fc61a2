"""The golden files that the front end is compared with are what this version of Python makes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from jupyter_memo import wire

GOLDEN = Path(__file__).parent.parent / "golden"
CURE = "run: python tests/golden/forms.py"


@pytest.fixture(scope="module")
def golden() -> ModuleType:
    spec = importlib.util.spec_from_file_location("golden_forms", GOLDEN / "forms.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_golden_form_is_current(golden: ModuleType) -> None:
    for name, written in golden.forms().items():
        assert written == (GOLDEN / name).read_text(encoding="utf-8"), f"{name} is out of date. {CURE}"


def test_the_golden_responses_of_this_module_can_be_read_back(golden: ModuleType) -> None:
    for name, build in golden.BUILDERS.items():
        assert build() == wire.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
