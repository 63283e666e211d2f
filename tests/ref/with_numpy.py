#!/usr/bin/env python3
"""Reads what our tools write and writes what they read, with numpy and none of our code.

Run by tests/cli/ref/numpy.sh in an empty folder, tools on PATH; says what it did, or
fails.
"""
import json
import struct
import subprocess
import sys
import zlib

import numpy as np

TYPES = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "F16": "<f2",
         "U32": "<u4", "I32": "<i4", "F32": "<f4", "U64": "<u8", "I64": "<i8", "F64": "<f8"}


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}")
    return done.stdout


# -- ours, read by numpy -----------------------------------------------------------------

def no_twice(pairs):
    keys = [k for k, _ in pairs]
    assert len(keys) == len(set(keys)), keys
    return dict(pairs)


def frames(data):
    """(metadata, tensors) of each frame; checks what oa-stream(5) says of the bytes."""
    at = start = images = 0
    while at < len(data):
        begin = at
        size, = struct.unpack_from("<Q", data, at)
        assert size % 8 == 0, "the header is padded"
        text = data[at + 8:at + 8 + size].decode()
        header = json.loads(text, object_pairs_hook=no_twice)
        at += 8 + size
        meta = header.pop("__metadata__")
        assert list(meta) == sorted(meta), "metadata in the order of their keys"
        compact = json.dumps({"__metadata__": meta, **header}, separators=(",", ":"),
                             ensure_ascii=False)
        assert text.rstrip(" ") == compact, "no spaces but the padding"
        tensors, end = {}, 0
        for name, t in header.items():
            first, last = t["data_offsets"]
            assert first == end, "neither gap nor overlap"
            values = np.frombuffer(data[at + first:at + last], TYPES[t["dtype"]])
            tensors[name], end = values.reshape(t["shape"]), last
        order = [(-v.itemsize, k) for k, v in tensors.items()]
        assert order == sorted(order), "by falling size, then by name"
        at += end
        if meta["oa.kind"] == "end":
            assert not tensors
            assert meta["checksum"] == f"{zlib.crc32(data[start:begin]):08x}"
            assert meta["frames"] == str(images)
            start, images = at, 0
        elif meta["oa.kind"] != "head":
            images += 1
        yield meta, tensors


def check_energies(t):
    x, j, h = (t[k].astype("f8") for k in ("x", "J", "h"))
    energy = 0.5 * np.einsum("na,ab,nb->n", x, j, x) + (x * h).sum(1)
    assert np.allclose(t["energy"], energy, rtol=1e-12, atol=1e-12)
    assert (t["bound"] <= t["energy"]).all()
    assert (t["J"].view("u4") == t["J"].T.copy().view("u4")).all()


def read_ours():
    for kind in ("problem", "solution"):
        data = run("make-stream", "--kind", kind, "--images", "20", "--variables", "49",
                   "--queries", "7", "--width", "16", "--first", "100")
        data += run("make-stream", "--kind", kind, "--images", "3")
        all_frames = list(frames(data))
        kinds = [meta["oa.kind"] for meta, _ in all_frames]
        assert kinds == (["head"] + [kind] * 20 + ["end", "head"] + [kind] * 3 + ["end"])
        images = [t for meta, t in all_frames if meta["oa.kind"] == kind]
        assert [int(t["index"][0]) for t in images] == [*range(100, 120), 0, 1, 2]
        assert images[0]["J"].shape == (49, 49) and images[0]["V"].shape == (49, 16)
        if kind == "solution":
            for t in images:
                check_energies(t)
        print(f"read {len(images)} frames of kind {kind}, checksums and all")


# -- numpy's, read by ours ---------------------------------------------------------------

def same(path, array):
    """oa-view must tell all elements of an array as they are."""
    told = json.loads(run("oa-view", "--json", "-v", path))
    assert told["shape"] == list(array.shape), (path, told["shape"], array.shape)
    values = np.array([np.nan if v is None else v for v in told["values"]], array.dtype)
    expected = np.where(np.isfinite(array), array, np.array(np.nan).astype(array.dtype)) \
        if array.dtype.kind == "f" else array
    assert np.array_equal(values, expected.ravel(), equal_nan=array.dtype.kind == "f"), path


def random_array(rng, dtype, shape):
    raw = rng.bytes(int(np.prod(shape)) * np.dtype(dtype).itemsize)
    array = np.frombuffer(raw, "u1" if dtype == "?" else dtype)
    return (array % 2).astype("?").reshape(shape) if dtype == "?" else array.reshape(shape)


def write_npy(rng):
    count = 0
    for dtype in TYPES.values():
        for shape in [(), (1,), (7,), (3, 5), (2, 3, 4), (2, 1, 3, 2), (0, 3)]:
            array = random_array(rng, dtype, shape)
            order = [array, np.asfortranarray(array) if shape else array,
                     array.astype(array.dtype.newbyteorder(">"))]
            np.save("a.npy", order[count % 3])
            same("a.npy", array)
            count += 1
    print(f"wrote {count} arrays of numpy")


if __name__ == "__main__":
    read_ours()
    write_npy(np.random.RandomState(1))
