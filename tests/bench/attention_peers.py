"""Layers of softmax attention of width 64 with one head: oa-bench beside ONNX Runtime, on one core.

    pip install onnx onnxruntime
    taskset -c 1 python tests/bench/attention_peers.py build/release/tools/oa-bench

A layer has four maps without bias. Rounds of both alternate; a line has medians of processor time.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

WIDTH = 64


def session(tokens: int, causal: bool) -> onnxruntime.InferenceSession:
    rng = np.random.default_rng(1)
    maps = [(rng.normal(size=(WIDTH, WIDTH)) / 8).astype(np.float32) for _ in range(4)]
    weights = [numpy_helper.from_array(w, f"w{i}") for i, w in enumerate(maps)]
    nodes = [helper.make_node("MatMul", ["x", f"w{i}"], [f"p{i}"]) for i in range(3)]
    words = {"num_heads": 1, "unidirectional": int(causal), "domain": "com.microsoft"}
    nodes.append(helper.make_node("MultiHeadAttention", ["p0", "p1", "p2"], ["o"], **words))
    nodes.append(helper.make_node("MatMul", ["o", "w3"], ["y"]))
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, tokens, WIDTH]) for name in "xy"
    )
    graph = helper.make_graph(nodes, "layer", [x], [y], weights)
    domains = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=domains, ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


def ours(tool: str, tokens: int, causal: bool) -> float:
    kind = "flash2:plain=true,output=true"
    words = [tool, "--json", "--rounds", "5", "--kinds", kind, "--n", str(tokens)]
    words += ["--causal"] * causal
    report = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return float(report["rows"][0]["ms"]["median"])


def theirs(layer: onnxruntime.InferenceSession, x: np.ndarray) -> float:
    calls = max(1, 2**20 // x.shape[1] ** 2)
    begin = time.process_time()
    for _ in range(calls):
        layer.run(None, {"x": x})
    return 1e3 * (time.process_time() - begin) / calls


def main() -> None:
    print(f"              our ms  ONNX Runtime {onnxruntime.__version__}, ms  times")
    for causal in (False, True):
        for tokens in (256, 1024, 4096):
            layer = session(tokens, causal)
            x = np.random.default_rng(2).normal(size=(1, tokens, WIDTH)).astype(np.float32)
            theirs(layer, x)
            rounds = [(ours(sys.argv[1], tokens, causal), theirs(layer, x)) for _ in range(5)]
            a, b = (statistics.median(column) for column in zip(*rounds))
            name = f"{'causal' if causal else 'dense'} {tokens}"
            print(f"{name:12}{a:8.3f}{b:25.3f}{b / a:7.1f}", flush=True)


if __name__ == "__main__":
    main()
