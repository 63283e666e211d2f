"""Draws circles, squares and triangles with a pen, without any package.

Usage: make_shapes.py OUT TRAIN TEST [SEED]

OUT/{train,test}/{circle,square,triangle}/NN.png, so many of each class: colour PNG of 32 by 32
pixels, dark ink on nearly white paper, of any size and place, turned a little, with noise.
"""
import math
import os
import random
import struct
import sys
import zlib

out, train, test = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
draw = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
SIZE = 32


def chunk(kind, content):
    whole = kind + content
    return struct.pack(">I", len(content)) + whole + struct.pack(">I", zlib.crc32(whole))


def png(rows):
    lines = b"".join(b"\0" + bytes(row) for row in rows)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )


def corners(kind, x, y, radius, turn):
    """Of the shape's outline, a polygon."""
    count = {"circle": 40, "square": 4, "triangle": 3}[kind]
    start = turn + {"circle": 0, "square": math.pi / 4, "triangle": -math.pi / 2}[kind]
    return [
        (
            x + radius * math.cos(start + 2 * math.pi * k / count),
            y + radius * math.sin(start + 2 * math.pi * k / count),
        )
        for k in range(count)
    ]


def distance(px, py, a, b):
    """From a point to the line between two."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((px - a[0]) * dx + (py - a[1]) * dy) / (dx * dx + dy * dy)
    t = min(1.0, max(0.0, t))
    return math.hypot(px - a[0] - t * dx, py - a[1] - t * dy)


def picture(kind):
    radius = draw.uniform(7, 12)
    x, y = (draw.uniform(radius + 2, SIZE - radius - 2) for _ in range(2))
    outline = corners(kind, x, y, radius, draw.uniform(-0.3, 0.3))
    pen = draw.uniform(0.8, 1.6)
    ink = [draw.randrange(90) for _ in range(3)]
    paper = [draw.randrange(225, 256) for _ in range(3)]
    rows = []
    for r in range(SIZE):
        row = []
        for c in range(SIZE):
            near = min(
                distance(c, r, outline[k - 1], outline[k]) for k in range(len(outline))
            )
            share = min(1.0, max(0.0, pen + 0.5 - near))
            noise = draw.randrange(-12, 13)
            for i, p in zip(ink, paper):
                row.append(min(255, max(0, round(share * i + (1 - share) * p) + noise)))
        rows.append(row)
    return png(rows)


for part, count in ("train", train), ("test", test):
    for kind in "circle", "square", "triangle":
        os.makedirs(f"{out}/{part}/{kind}", exist_ok=True)
        for k in range(count):
            with open(f"{out}/{part}/{kind}/{k:02}.png", "wb") as file:
                file.write(picture(kind))
