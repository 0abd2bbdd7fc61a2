"""Names of models, and a model that loads in the background."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from jupyter_memo.errors import ConfigError, MissingExtraError, ModelError
from jupyter_memo.models import Door, Embedder, load, transformers
from jupyter_memo.models.hash import HashEmbedder


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("minilmm", "Did you mean minilm?"),
        ("Hash", "Did you mean hash?"),
        ("transformer:x", "Did you mean transformers:NAME?"),
        ("transformers:", "Name a model of the hub or a folder behind it"),
        ("intfloat/e5-small", "write transformers:intfloat/e5-small"),
        ("zzz", "Use one of: hash, minilm, multilingual, none, transformers:NAME"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name: str, cure: str) -> None:
    for attempt in (load, Door):
        with pytest.raises(ConfigError) as caught:
            attempt(name)
        assert cure in str(caught.value)


def test_none_is_a_setting_and_not_a_fault() -> None:
    assert load("none") is None
    door = Door("none")
    assert "absent" == door.state
    assert door.wait(0) is None
    assert "" == door.error


def test_an_embedder_that_is_there_is_ready_at_once() -> None:
    model = HashEmbedder()
    door = Door(model)
    assert "ready" == door.state
    assert door.embedder is model


def test_what_is_no_embedder_is_refused() -> None:
    with pytest.raises(ConfigError, match="42"):
        Door(42)  # type: ignore[arg-type]


def test_a_door_goes_from_idle_over_loading_to_ready() -> None:
    gate = threading.Event()
    model = HashEmbedder()

    def slow() -> Embedder:
        gate.wait(10)
        return model

    door = Door(slow)
    assert "idle" == door.state
    door.start()
    assert "loading" == door.state
    assert door.wait(0) is None
    assert door.embedder is None
    gate.set()
    assert door.wait(10) is model
    assert "ready" == door.state


def test_waiting_starts_a_door_that_is_idle() -> None:
    assert isinstance(Door("hash").wait(10), HashEmbedder)


def test_a_class_is_a_factory() -> None:
    assert isinstance(Door(HashEmbedder).wait(10), HashEmbedder)


def test_a_model_is_loaded_once_however_often_it_is_started() -> None:
    loads: list[int] = []
    gate = threading.Event()

    def counted() -> Embedder:
        loads.append(1)
        gate.wait(10)
        return HashEmbedder()

    door = Door(counted)
    threads = [threading.Thread(target=door.start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gate.set()
    door.wait(10)
    door.start()
    assert 1 == len(loads)


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (ModelError("the file is damaged"), "the file is damaged"),
        (OSError("disk"), "OSError: disk"),
        (SystemExit(3), "SystemExit: 3"),
    ],
)
def test_a_failure_is_told_and_not_raised(failure: BaseException, said: str) -> None:
    def fail() -> Embedder:
        raise failure

    door = Door(fail)
    assert door.wait(10) is None
    assert "failed" == door.state
    assert said == door.error


def test_a_failed_door_can_be_tried_again() -> None:
    outcomes: list[Embedder | Exception] = [OSError("not yet"), HashEmbedder()]

    def second_time() -> Embedder:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    door = Door(second_time)
    door.wait(10)
    assert "failed" == door.state
    door.retry()
    assert isinstance(door.wait(10), HashEmbedder)
    assert "" == door.error


def test_retry_leaves_a_ready_model_alone() -> None:
    door = Door(HashEmbedder)
    model = door.wait(10)
    door.retry()
    assert door.embedder is model
    assert "ready" == door.state


def test_without_the_extra_the_pip_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jupyter_memo\[st\]'"):
        load("transformers:somebody/model")


@pytest.mark.model
def test_a_missing_folder_is_told_without_asking_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformers, "_from_hub", lambda *_: pytest.fail("the hub was asked"))
    with pytest.raises(ModelError, match="no model folder"):
        load("transformers:./not/there")


def test_importing_the_room_loads_no_model_library() -> None:
    heavy = "{'numpy', 'onnxruntime', 'tokenizers', 'torch', 'sentence_transformers'}"
    program = f"import sys, jupyter_memo.models; print(sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "[]" == done.stdout.strip()


def test_the_default_model_needs_no_torch() -> None:
    program = (
        "import sys; from jupyter_memo.models import load; load('minilm').encode_queries(['a']); "
        "print(sorted({'torch', 'transformers', 'huggingface_hub'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "[]" == done.stdout.strip()


ENDING = """
import time
from jupyter_memo.models.door import Door

def load():
    time.sleep(1.0)
    print("loaded", flush=True)

Door(load).start()
"""


def test_a_program_that_ends_waits_for_a_model_that_is_loading() -> None:
    done = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True, check=True, timeout=60)
    assert ("loaded\n", "") == (done.stdout, done.stderr)
