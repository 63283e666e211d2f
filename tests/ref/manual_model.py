#!/usr/bin/env python3
"""Runs the model in oa-model(5) with numpy and compares it with what oa-score writes.

Usage: manual_model.py PAGE MODEL IMAGES SOLUTIONS SCORES
"""
import csv
import json
import struct
import sys
import types

import numpy as np

TYPES = {"F32": "<f4", "F64": "<f8", "U8": "u1", "I64": "<i8"}


def tensors_in(data):
    """(metadata, tensors) of each safetensors file in `data`: one of a model, many of a stream."""
    at = 0
    while at < len(data):
        size, = struct.unpack_from("<Q", data, at)
        header = json.loads(data[at + 8:at + 8 + size])
        at += 8 + size
        meta = header.pop("__metadata__", {})
        tensors, end = {}, 0
        for name, t in header.items():
            first, last = t["data_offsets"]
            values = np.frombuffer(data[at + first:at + last], TYPES[t["dtype"]])
            tensors[name] = values.reshape(t["shape"]).astype("f8")
            end = max(end, last)
        at += end
        yield meta, tensors


# -- the functions of PyTorch that the page uses

def linear(v, weight, bias):
    return v @ weight.T + bias


def layer_norm(v, shape, weight, bias, eps=1e-5):
    assert v.shape[-1:] == shape
    centred = v - v.mean(-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + eps) * weight + bias


def gelu(v, approximate):
    assert approximate == "tanh"
    return 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v ** 3)))


def pad(v, sides, value):
    left, right, top, bottom = sides
    return np.pad(v, ((top, bottom), (left, right)), constant_values=value)


def unfold(v, size, stride):
    """(1, 1, rows, columns) to (1, size * size, blocks)"""
    rows, columns = v.shape[2:]
    blocks = [v[0, 0, r:r + size, c:c + size].ravel()
              for r in range(0, rows - size + 1, stride)
              for c in range(0, columns - size + 1, stride)]
    return np.array(blocks).T[None]


def softmax(v, dim):
    e = np.exp(v - v.max(dim, keepdims=True))
    return e / e.sum(dim, keepdims=True)


def torch_of_numpy():
    torch = types.ModuleType("torch")
    torch.nn = types.ModuleType("torch.nn")
    torch.nn.functional = types.ModuleType("torch.nn.functional")
    for f in (linear, layer_norm, gelu, pad, unfold, softmax):
        setattr(torch.nn.functional, f.__name__, f)
    torch.clamp = lambda v, min: np.maximum(v, min)
    return {"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": torch.nn.functional}


def code_of(page):
    """The first literal block of the page that imports torch."""
    block = None
    for line in open(page, encoding="utf-8"):
        if line.startswith(".Bd -literal"):
            block = []
        elif line.startswith(".Ed"):
            if block and "import torch\n" in block and not any("sys.argv" in b for b in block):
                return "".join(block)
            block = None
        elif block is not None:
            block.append(line)
    sys.exit(f"{page}: no lines of PyTorch")


def main(page, model, images, solutions, scores):
    sys.modules.update(torch_of_numpy())
    said = {}
    exec(compile(code_of(page), page, "exec"), said)
    (_, t), = tensors_in(open(model, "rb").read())
    pixels = np.frombuffer(open(images, "rb").read()[16:], "u1").reshape(-1, 28, 28).astype("f8")
    with open(scores, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    columns = [c for c in rows[0] if c.startswith(("logits_", "probability_"))]
    used, worst, count = set(), 0.0, 0

    class Seen(dict):
        def __getitem__(self, name):
            used.add(name)
            return dict.__getitem__(self, name)

    for meta, frame in tensors_in(open(solutions, "rb").read()):
        if meta["oa.kind"] != "solution":
            continue
        index = int(frame["index"][0])
        j, h, v = said["problem"](Seen(t), pixels[index])
        for name, ours in (("J", j), ("h", h), ("V", v)):
            assert np.abs(frame[name] - ours).max() < 1e-5, (name, index)
        p = said["classify"](Seen(t), v, frame["x"])
        theirs = [float(rows[count][c]) for c in columns[:10]]
        assert int(rows[count]["idx"]) == index
        worst = max(worst, np.abs(p - theirs).max())
        count += 1
    assert worst < 1e-5, worst
    assert used == set(t), (used ^ set(t))
    print(f"{count} images, class probabilities within 1e-5, all {len(used)} tensors used")


if __name__ == "__main__":
    main(*sys.argv[1:])
