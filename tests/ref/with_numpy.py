#!/usr/bin/env python3
"""Reads what our tools write and writes what they read, with numpy and none of our code.

Run by tests/cli/ref/numpy.sh in an empty folder, tools on PATH; says what it did, or
fails.
"""
import gzip
import json
import struct
import subprocess
import sys
import zlib

import numpy as np

TYPES = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "F16": "<f2",
         "U32": "<u4", "I32": "<i4", "F32": "<f4", "U64": "<u8", "I64": "<i8", "F64": "<f8"}


NAMES = {np.dtype(code): name for name, code in TYPES.items()}


def run(*command, data=None):
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=False)
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


# -- streams, written by hand ------------------------------------------------------------

def raw(text, data=b""):
    return struct.pack("<Q", len(text)) + text + data


def frame(metadata, tensors, pad=True):
    """A frame as a simple writer would make it: tensors in the order given."""
    header, data = {"__metadata__": metadata}, b""
    for name, array in tensors.items():
        header[name] = {"dtype": NAMES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header, separators=(",", ":")).encode()
    return raw(text + b" " * (-len(text) % 8 if pad else 0), data)


def stream(*images):
    head = {"oa.kind": "head", "oa.version": "1", "note": "\u00e9\n\""}
    body = frame(head, {}) + b"".join(images)
    end = {"oa.kind": "end", "frames": str(len(images)), "complete": "true",
           "checksum": f"{zlib.crc32(body):08x}"}
    return body + frame(end, {})


# -- numpy's, read by ours ---------------------------------------------------------------

def same(path, name, array):
    """oa-view must tell all elements of an array as they are."""
    told = json.loads(run("oa-view", "--json", "-v", path))
    if name is not None:
        told, = [t for t in told["tensors"] if t["name"] == name]
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
            same("a.npy", None, array)
            count += 1
    print(f"wrote {count} arrays of numpy")


def write_safetensors(rng):
    for order in (1, -1):
        tensors = {f"t/{k}": random_array(rng, k, (3, 2)) for k in list(TYPES.values())[::order]}
        header, data = {}, b""
        for name, array in tensors.items():
            header[name] = {"shape": list(array.shape), "dtype": NAMES[array.dtype],
                            "data_offsets": [len(data), len(data) + array.nbytes]}
            data += array.tobytes()
        header = dict(sorted(header.items()))  # the order of the data is another
        with open("m.bin", "wb") as f:
            f.write(raw(json.dumps(header, indent=1).encode(), data))
        for name, array in tensors.items():
            same("m.bin", name, array)
    print(f"wrote {len(tensors)} tensors, aligned and not")


def write_stream(rng):
    m, n, d = 49, 10, 8
    images = []
    for index in range(12):
        v = rng.randn(m, d).astype("<f4")
        j = (2 * v.astype("f8") @ v.T.astype("f8")).astype("<f4")
        j = np.triu(j) + np.triu(j, 1).T  # bitwise symmetric, whatever the product does
        h = rng.randn(n, m).astype("<f4")
        x = rng.randint(0, 2, (n, m)).astype("u1")
        xd = x.astype("f8")
        energy = 0.5 * np.einsum("na,ab,nb->n", xd, j.astype("f8"), xd) + (xd * h).sum(1)
        images.append(frame({"oa.kind": "solution"}, {
            "status": np.zeros(n, "u1"), "x": x, "seconds": rng.rand(n), "h": h, "V": v,
            "index": np.array([index], "<i8"), "J": j, "energy": energy, "bound": energy - 1},
            pad=index % 2 == 0))
    data = stream(*images)
    for packed in (data, data + gzip.decompress(gzip.compress(data)), gzip.compress(data)):
        print(run("oa-view", "--check", data=packed).decode(), end="")
    assert run("oa-view", "--select", "0-11", data=data).startswith(data[:-200])


def write_idx(rng):
    pixels = rng.randint(0, 256, (20, 28, 28)).astype("u1")
    with gzip.open("i.gz", "wb") as f:
        f.write(struct.pack(">IIII", 0x803, *pixels.shape) + pixels.tobytes())
    told = json.loads(run("oa-view", "--json", "i.gz"))
    assert told["images"] == 20 and told["rows"] == 28 and told["max"] == pixels.max()
    assert abs(told["mean"] - pixels.mean()) < 1e-9
    print("wrote images")


if __name__ == "__main__":
    read_ours()
    generator = np.random.RandomState(1)
    write_npy(generator)
    write_safetensors(generator)
    write_stream(generator)
    write_idx(generator)
