"""Writes an IDX data set as other files of the same pictures, without any package.

Usage: make_pictures.py DATA OUT

OUT/tree/{train,test}/CLASS/INDEX.png   grey PNG
OUT/paper/{train,test}/CLASS/INDEX.ppm  twice as large, in colour, dark on white
OUT/NAME_images.npy, OUT/NAME_labels.npy of both parts
"""
import os
import struct
import sys
import zlib

data, out = sys.argv[1:]


def read(name):
    content = open(f"{data}/{name}", "rb").read()
    extents = struct.unpack(f">{content[3]}I", content[4 : 4 + 4 * content[3]])
    return extents, content[4 + 4 * content[3] :]


def chunk(kind, content):
    whole = kind + content
    return struct.pack(">I", len(content)) + whole + struct.pack(">I", zlib.crc32(whole))


def png(rows, cols, pixels):
    lines = b"".join(b"\0" + pixels[r * cols : (r + 1) * cols] for r in range(rows))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", cols, rows, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )


def paper(rows, cols, pixels):
    body = bytearray()
    for r in range(2 * rows):
        for c in range(2 * cols):
            body += bytes([255 - pixels[r // 2 * cols + c // 2]] * 3)
    return b"P6\n# ink\n%d %d\n255\n" % (2 * cols, 2 * rows) + body


def npy(kind, shape, content):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + content


def put(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


for part, name in ("train", "train"), ("t10k", "test"):
    (count, rows, cols), pixels = read(f"{part}-images-idx3-ubyte")
    _, labels = read(f"{part}-labels-idx1-ubyte")
    size = rows * cols
    for i in range(count):
        one = pixels[i * size : (i + 1) * size]
        put(f"{out}/tree/{name}/{labels[i]}/{i:05}.png", png(rows, cols, one))
        put(f"{out}/paper/{name}/{labels[i]}/{i:05}.ppm", paper(rows, cols, one))
    put(f"{out}/{name}_images.npy", npy("|u1", (count, rows, cols), pixels))
    put(f"{out}/{name}_labels.npy", npy("<i8", f"({count},)", struct.pack(f"<{count}q", *labels)))
