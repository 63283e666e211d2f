#!/usr/bin/env python3
"""Compares pictures: the first with each other one.  Prints "same" if they have the
same size and hardly a pixel differs by more than what smoothing does at edges."""
import struct
import sys
import zlib

import numpy as np


def read_png(path):
    """The pixels of an 8-bit RGB or RGBA PNG, (rows, columns, 3)."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    assert depth == 8 and color in (2, 6), (depth, color)
    step = 3 if color == 2 else 4
    raw = zlib.decompress(packed)
    rows = np.zeros((height, width * step), np.uint8)
    before = np.zeros(width * step, np.uint8)
    stride = width * step + 1
    for y in range(height):
        line = np.frombuffer(raw, np.uint8, width * step, y * stride + 1)
        before = rows[y] = undo(raw[y * stride], line, before, step)
    return rows.reshape(height, width, step)[:, :, :3].astype(int)


def undo(kind, line, above, step):
    if kind == 0:
        return line
    if kind == 2:
        return line + above
    if kind == 1:
        return np.cumsum(line.reshape(-1, step), axis=0, dtype=np.uint8).reshape(-1)
    out = [0] * step + line.tolist()
    up = [0] * step + above.tolist()
    for i in range(step, len(out)):
        a, b, c = out[i - step], up[i], up[i - step]
        if kind == 3:
            guess = (a + b) // 2
        else:
            p = a + b - c
            guess = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        out[i] = (out[i] + guess) % 256
    return np.array(out[step:], np.uint8)


first = read_png(sys.argv[1])
for path in sys.argv[2:]:
    other = read_png(path)
    # A page of whole points may lack a part of the last pixel.
    rows, cols = min(first.shape[0], other.shape[0]), min(first.shape[1], other.shape[1])
    if max(first.shape[0] - rows, first.shape[1] - cols, other.shape[0] - rows,
           other.shape[1] - cols) > 2:
        sys.exit(f"{path}: {other.shape}, not {first.shape}")
    difference = np.abs(first[:rows, :cols] - other[:rows, :cols]).max(axis=2)
    off = (difference > 100).mean()
    if off > 0.006 or difference.mean() > 1.5:
        sys.exit(f"{path}: {off:.4f} of the pixels differ, by {difference.mean():.2f}")
print("same")
