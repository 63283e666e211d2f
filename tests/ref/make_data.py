#!/usr/bin/env python3
"""Makes the frozen files of tests/data, with nothing of ours: json, struct, zlib, numpy.

    make_data.py DATA     writes DATA/{stream,model,npy,idx}/v1/{ok,bad}/ and DATA/stream/v2/

Files of a released version are never made again: this script is the record of how they
came about, and where the files of the next version begin.  What it writes depends on
nothing but itself.  FILE.why holds what a reader must say of FILE, less the path before
it.
"""
import gzip
import json
import os
import struct
import sys
import zlib

import numpy as np

TYPES = {np.dtype("<f4"): "F32", np.dtype("<f8"): "F64", np.dtype("u1"): "U8",
         np.dtype("<i8"): "I64", np.dtype("<i4"): "I32"}


# -- safetensors and streams -------------------------------------------------------------

def raw(header, data=b""):
    """A frame of this header, which may be anything."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def frame(metadata, tensors=(), pad=True):
    """A frame as a simple writer would make it: tensors in the order given."""
    header, data = {}, b""
    if metadata is not None:
        header["__metadata__"] = metadata
    for name, array in dict(tensors).items():
        header[name] = {"dtype": TYPES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header, separators=(",", ":")).encode()
    return raw(text + b" " * (-len(text) % 8 if pad else 0), data)


def head(**more):
    return frame({"oa.kind": "head", "oa.version": "1", **more})


def end(body, images, complete="true", **more):
    return frame({"oa.kind": "end", "frames": str(images), "complete": complete,
                  "checksum": f"{zlib.crc32(body):08x}", **more})


def stream(*frames, complete="true"):
    body = b"".join(frames)
    return body + end(body, len(frames) - 1, complete)


V = np.array([[1, 0], [0.5, -1], [2, 0.25]], "<f4")
J = (2 * V @ V.T).astype("<f4")
H = np.array([[-3, 1, -4.5], [0.5, -1.5, -2]], "<f4")


def energies(x):
    x = x.astype("f8")
    return (0.5 * np.einsum("na,ab,nb->n", x, J.astype("f8"), x)
            + (H.astype("f8") * x).sum(1)).astype("<f8")


def problem(index, label=None, **other):
    tensors = {"J": J, "V": V, "h": H, "index": np.array([index], "<i8")}
    if label is not None:
        tensors["label"] = np.array([label], "<i8")
    tensors.update(other)
    return {k: v for k, v in tensors.items() if v is not None}


X = np.array([[1, 0, 0], [0, 1, 1]], "u1")


def solution(index, label=None, **other):
    e = energies(X)
    tensors = problem(index, label, x=X, energy=e,
                      bound=np.array([e[0], -np.inf], "<f8"),
                      status=np.array([0, 2], "u1"),
                      seconds=np.array([0.25, 0], "<f8"))
    tensors.update(other)
    return {k: v for k, v in tensors.items() if v is not None}


def with_top():
    top = np.array([[[1, 0, 0], [0, 0, 0]], [[0, 1, 1], [0, 0, 0]]], "u1")
    e = np.array([energies(np.repeat(t[None], 2, 0))[q] for q in range(2) for t in top[q]],
                 "<f8").reshape(2, 2)
    return {"top_x": top, "top_energy": e, "top_count": np.array([2, 1], "<i8")}


def P(*args, **other):
    return frame({"oa.kind": "problem"}, problem(*args, **other))


def S(*args, **other):
    return frame({"oa.kind": "solution"}, solution(*args, **other))


def changed(array, at, value):
    array = array.copy()
    array[at] = value
    return array


def good_streams():
    real = np.array([[1, 0.5, 0], [0.25, 0, 0]], "<f4")
    a = stream(head(), P(22, 6), P(7))
    b = stream(head(), S(3, 1))
    foreign = {"note": np.array([1], "u1"), **problem(5, 2)}  # nothing is aligned
    return {
        "problems.oa": a,
        "solutions.oa": stream(head(), S(22, 6), S(0)),
        "top.oa": stream(head(), S(1, **with_top())),
        "real.oa": stream(head(), S(1, x=real, energy=energies(real),
                                    bound=np.full(2, -np.inf, "<f8"))),
        "empty.oa": stream(head()),
        "incomplete.oa": stream(head(), P(22, 6), complete="false"),
        "two-parts.oa": a + b,
        "members.oa.gz": gzip.compress(a, mtime=0) + gzip.compress(b, mtime=0),
        "foreign.oa": stream(
            frame({"oa.version": "1", "made.by": "\u00e9 \"q\"", "oa.kind": "head"},
                  {"w": np.array([[1.5]], "<f8")}, pad=False),
            frame({"oa.kind": "problem", "more": "x"}, foreign, pad=False)),
    }


def bad_streams():
    body = head() + P(22, 6)
    good = body + end(body, 1)
    e = energies(X)

    def one(kind, tensors):
        return stream(head(), frame({"oa.kind": kind}, tensors))

    flipped = bytearray(good)
    flipped[len(body) - 1] ^= 0x40  # in the data: V or a label, still finite
    return {
        "empty.oa": (b"", ": empty file (expected a stream)"),
        "no-end.oa": (body, ":frame 2: truncated: the stream has no end mark"),
        "cut-in-data.oa": (body[:-1], f":byte {len(head())}: tensors take 100 bytes but 99 are left"),
        "cut-in-header.oa": (body[:len(head()) + 20],
                             f":byte {len(head())}: not safetensors, or damaged: a header of "
                             f"{struct.unpack('<Q', P(22, 6)[:8])[0]} bytes (12 are left)"),
        "cut-in-length.oa": (body[:len(head()) + 5],
                             f":byte {len(head())}: truncated (the header's length takes 8 bytes)"),
        "garbage.oa": (good + b"\n",
                       f":byte {len(good)}: truncated (the header's length takes 8 bytes)"),
        "flipped.oa": (bytes(flipped),
                       f":frame 2: the checksum is {zlib.crc32(flipped[:len(body)]):08x}, "
                       f"but the end mark says {zlib.crc32(body):08x}"),
        "count.oa": (body + end(body, 2), ":frame 2: the end mark counts 2 frames, but 1 came"),
        "mark.oa": (body + end(body, 1, "maybe"), ":frame 2: a damaged end mark"),
        "no-checksum.oa": (body + frame({"oa.kind": "end", "frames": "1", "complete": "true"}),
                           ":frame 2: no 'checksum' in its metadata (expected a frame of a stream)"),
        "no-head.oa": (P(1), ":frame 0: a problem without a head before it"),
        "two-heads.oa": (head() + head(), ":frame 1: a second head before the end mark"),
        "kind.oa": (head() + frame({"oa.kind": "answer"}),
                    ":frame 1: 'answer' is not a kind of frame (expected head, problem, solution, task-problem, task-solution or end)"),
        "no-kind.oa": (frame({}, {"w": V}),
                       ":frame 0: no 'oa.kind' in its metadata (expected a frame of a stream)"),
        "version.oa": (frame({"oa.kind": "head", "oa.version": "3"}),
                       ":frame 0: stream version '3' (this program reads versions 1 and 2)"),
        "missing.oa": (one("problem", problem(1, h=None)), ":frame 1: tensor 'h' is missing"),
        "dtype.oa": (one("problem", problem(1, h=H.astype("<f8"))),
                     ":frame 1: tensor 'h' is F64 (expected F32)"),
        "shape.oa": (one("problem", problem(1, V=V[:2].copy())),
                     ":frame 1: tensor 'V' has shape (2,2) (expected (3,2))"),
        "asymmetric.oa": (one("problem", problem(1, J=changed(J, (0, 1), 9))),
                          ":frame 1: J is not symmetric: J[1,0] is 1 but J[0,1] is 9"),
        "nan.oa": (one("problem", problem(1, h=changed(H, (1, 2), np.nan))),
                   ":frame 1: h[1,2] is nan (expected a finite number)"),
        "energy.oa": (one("solution", solution(1, energy=changed(e, 1, 7))),
                      f":frame 1: query 1: the energy of its x is {e[1]:g}, not 7"),
        "bound.oa": (one("solution", solution(1, bound=e + 1)),
                     f":frame 1: query 0: the bound {e[0] + 1:g} lies above the energy {e[0]:g}"),
        "coefficient.oa": (one("solution", solution(1, x=changed(X, (0, 1), 2))),
                           ":frame 1: x holds 2 (expected 0 or 1)"),
        "status.oa": (one("solution", solution(1, status=np.array([0, 3], "u1"))),
                      ":frame 1: status 3 (expected 0, 1 or 2)"),
        "seconds.oa": (one("solution", solution(1, seconds=np.array([0, -1], "<f8"))),
                       ":frame 1: query 1: seconds is -1 (expected a finite number, at least 0)"),
        "truncated.oa.gz": (gzip.compress(good, mtime=0)[:-3], ": truncated gzip data"),
        "garbage.oa.gz": (gzip.compress(good, mtime=0) + b"x",
                          ": trailing garbage after the gzip data"),
        "crc.oa.gz": (gzip.compress(good, mtime=0)[:-8] + bytes(8),
                      ": broken gzip data (incorrect data check)"),
    }


# Version 2: tasks, whose queries have unequal numbers of variables.
SIZES = np.array([1, 3, 2], "<i8")
TASK_H = np.array([-3, 0.5, -1.5, -2, 1, -4.5], "<f4")  # all queries, one after the other
TASK_X = np.array([1, 0, 1, 1, 0, 1], "u1")
TARGETS = np.array([[4, -1], [-1, -1], [0, 70000]], "<i4")


def rows_of(flat):
    return np.split(flat, np.cumsum(SIZES)[:-1])


def task_energies(x):
    return np.array([0.5 * a @ J[:len(a), :len(a)].astype("f8") @ a + h.astype("f8") @ a
                     for a, h in zip(rows_of(x.astype("f8")), rows_of(TASK_H))], "<f8")


def task(index, first=True, **other):
    tensors = {"J": J, "V": V, "h": TASK_H, "sizes": SIZES, "index": np.array([index], "<i8")}
    if first:
        tensors["residual"] = np.array([[1, 2], [0, -1], [0.5, 0]], "<f4")
        tensors["targets"] = TARGETS
    tensors.update(other)
    return {k: v for k, v in tensors.items() if v is not None}


def task_solution(index, first=True, **other):
    e = task_energies(TASK_X)
    tensors = task(index, first, x=TASK_X, energy=e, bound=np.array([e[0], -np.inf, e[2] - 1], "<f8"),
                   status=np.array([0, 2, 1], "u1"), seconds=np.array([0.25, 0, 1e-6], "<f8"))
    tensors.update(other)
    return {k: v for k, v in tensors.items() if v is not None}


def T(kind, tensors, at=0, of=1, layer=0):
    return frame({"oa.kind": kind, "oa.layer": str(layer), "oa.head": str(at), "oa.heads": str(of)},
                 tensors)


def head2(**more):
    return frame({"oa.kind": "head", "oa.version": "2", **more})


def good_tasks():
    # Of each query the two lowest: 2 * SIZES numbers, one query after the other.
    tops = [[[1], [0]], [[0, 1, 1], [0, 0, 0]], [[0, 1], [0, 0]]]
    top_e = np.zeros((3, 2), "<f8")
    for q, rows in enumerate(tops):
        for t, row in enumerate(rows):
            a = np.array(row, "f8")
            top_e[q, t] = 0.5 * a @ J[:len(a), :len(a)].astype("f8") @ a + rows_of(TASK_H)[q].astype("f8") @ a
    tops = np.concatenate([np.array(t, "u1").ravel() for t in tops])
    count = np.array([2, 1, 2], "<i8")
    tops[2 + 3:2 + 6] = 0
    top_e[1, 1] = 0
    equal = {"oa.layer": "0", "oa.head": "0", "oa.heads": "1"}
    return {
        "tasks.oa": stream(head2(), T("task-problem", task(3)), T("task-problem", task(4))),
        "heads.oa": stream(head2(), *(T("task-problem", task(i, k == 0), k, 2, 1)
                                      for i in (8, 9) for k in (0, 1))),
        "solutions.oa": stream(head2(), T("task-solution", task_solution(3), 0, 2),
                               T("task-solution", task_solution(3, False), 1, 2)),
        "top.oa": stream(head2(), T("task-solution", task_solution(
            5, top_x=tops, top_energy=top_e, top_count=count))),
        "mixed.oa": stream(head2(), P(1, 2), T("task-problem", task(2)), P(3)),
        "parts.oa": stream(head(), S(1)) + stream(head2(), T("task-solution", task_solution(2))),
        "cut-short.oa": stream(head2(), T("task-problem", task(8), 0, 2), complete="false"),
        "equal.oa": stream(head2(), frame({"oa.kind": "task-problem", **equal}, task(
            6, sizes=np.array([3, 3], "<i8"), h=H.ravel().copy(), targets=None,
            residual=np.zeros((2, 2), "<f4")))),
    }


def bad_tasks():
    e = task_energies(TASK_X)

    def one(tensors, kind="task-problem", **place):
        return stream(head2(), T(kind, tensors, **place))

    return {
        "version.oa": (stream(head(), T("task-problem", task(3))),
                       ":frame 1: a task-problem in a part of version 1 (expected version 2)"),
        "no-head.oa": (T("task-problem", task(3)), ":frame 0: a task-problem without a head before it"),
        "lacks-heads.oa": (one(task(3), of=2), ":frame 2: example 3 has 1 of its 2 heads"),
        "second-head.oa": (one(task(3, False), at=1, of=2),
                           ":frame 1: head 1 of example 3 (expected its head 0)"),
        "order.oa": (stream(head2(), T("task-problem", task(3), 0, 2), T("task-problem", task(4), 1, 2)),
                     ":frame 2: head 1 of 2, layer 0, example 4 (expected head 1 of 2, layer 0, example 3)"),
        "place.oa": (stream(head2(), frame({"oa.kind": "task-problem", "oa.layer": "0", "oa.head": "0"},
                                           task(3))),
                     ":frame 1: no 'oa.heads' in its metadata"),
        "layer.oa": (one(task(3), layer=-1), ":frame 1: oa.layer is '-1' (expected 0 to 65535)"),
        "no-sizes.oa": (one(task(3, sizes=None)), ":frame 1: tensor 'sizes' is missing"),
        "size-0.oa": (one(task(3, sizes=changed(SIZES, 2, 0))),
                      ":frame 1: query 2 has 0 variables (expected 1 to 3)"),
        "size-4.oa": (one(task(3, sizes=changed(SIZES, 1, 4))),
                      ":frame 1: query 1 has 4 variables (expected 1 to 3)"),
        "no-queries.oa": (one(task(3, sizes=SIZES[:0])),
                          ":frame 1: sizes of 0 queries (expected 1 to 65536)"),
        "h.oa": (one(task(3, h=TASK_H[:5].copy())), ":frame 1: tensor 'h' has shape (5) (expected (6))"),
        "nan.oa": (one(task(3, h=changed(TASK_H, 4, np.nan))),
                   ":frame 1: h of query 2, variable 0, is nan (expected a finite number)"),
        "residual.oa": (one(task(3, residual=V[:2].copy())),
                        ":frame 1: tensor 'residual' has shape (2,2) (expected (3,2))"),
        "targets.oa": (one(task(3, targets=changed(TARGETS, (0, 1), -2))),
                       ":frame 1: a target is -2 (expected -1 or more)"),
        "energy.oa": (one(task_solution(3, energy=changed(e, 1, 7)), "task-solution"),
                      f":frame 1: query 1: the energy of its x is {e[1]:g}, not 7"),
        "bound.oa": (one(task_solution(3, bound=e + 1), "task-solution"),
                     f":frame 1: query 0: the bound {e[0] + 1:g} lies above the energy {e[0]:g}"),
        "coefficient.oa": (one(task_solution(3, x=changed(TASK_X, 5, 2)), "task-solution"),
                           ":frame 1: x holds 2 (expected 0 or 1)"),
    }


def good_models():
    w = np.arange(6, dtype="<f4").reshape(2, 3) / 4
    return {
        "plain.bin": frame(None, {"Wq.0.weight": w, "Wq.0.bias": w[0]}),
        "metadata.bin": frame({"oa.kind": "model", "attention": "optimizing"}, {"w": w}),
        "misaligned.bin": frame(None, {"a": np.array([7], "u1"), "w": w.astype("<f8"),
                                       "b": np.array([1, 2, 3], "u1"), "i": np.array([-1], "<i8")},
                                pad=False),
        "spaced.bin": raw(b'{ "s" : {"data_offsets": [0, 4], "shape": [ ],\n\t"dtype": "F32"} }   ',
                          struct.pack("<f", 2.5)),
        "types.bin": raw({t: {"dtype": t, "shape": [2], "data_offsets": [a, b]} for t, a, b in
                          [("BOOL", 0, 2), ("F16", 2, 6), ("BF16", 6, 10), ("I32", 10, 18),
                           ("U64", 18, 34), ("I8", 34, 36), ("U16", 36, 40), ("U32", 40, 48),
                           ("I16", 48, 52)]}, bytes(range(52))),
        "none.bin": frame(None),
        "no-elements.bin": frame({}, {"w": np.zeros((0, 3), "<f4")}),
        "packed.bin.gz": gzip.compress(frame(None, {"w": w}), mtime=0),
    }


def bad_models():
    def t(shape, offsets, dtype="U8"):
        return {"dtype": dtype, "shape": shape, "data_offsets": offsets}

    twice = b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}'
    at0 = ":byte 0: "
    expected = "(expected a stream or a model)"
    claim = raw({"t": t([1 << 32], [0, 1 << 32])}, bytes(20))
    fine = raw({"t": t([2], [0, 2])}, b"ab")
    return {
        "pickle.bin": (b"PK\x03\x04\x00\x00\x08\x08" + bytes(40),
                       at0 + "a zip archive (oa-cim-ingest reads results in archives) " + expected),
        "text.bin": (b"hello, world\n", at0 + "text " + expected),
        "long-header.bin": (struct.pack("<Q", 93) + b"{" * 92,
                            at0 + "not safetensors, or damaged: a header of 93 bytes (92 are left)"),
        "4gib-header.bin": (struct.pack("<Q", 4 << 30) + b"{" * 92, at0 +
                            "not in a known format, or damaged " + expected),
        "4gib-data.bin": (claim, at0 + "tensors take 4294967296 bytes but 20 are left"),
        "no-json.bin": (raw(b"{'a':1}"), at0 + "the header is not JSON (byte 2 of it)"),
        "array.bin": (raw([]), at0 + "not safetensors (the header is not a JSON object)"),
        "twice.bin": (raw(twice, b"ab"), at0 + "tensor 'a' appears twice"),
        "key-twice.bin": (raw(b'{"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"a"),
                          at0 + "tensor 'a' has the key 'dtype' twice"),
        "metadata-twice.bin": (raw(b'{"__metadata__":{"k":"1","k":"2"}}'),
                               at0 + "__metadata__ has the key 'k' twice"),
        "metadata-number.bin": (raw({"__metadata__": {"k": 1}}),
                                at0 + "__metadata__ has a number where none belongs"),
        "overlap.bin": (raw({"a": t([2], [0, 2]), "b": t([2], [1, 3])}, b"abc"),
                        at0 + "the data of tensor 'b' overlap those of another (byte 1, expected 2)"),
        "gap.bin": (raw({"a": t([1], [0, 1]), "b": t([1], [2, 3])}, b"abc"),
                    at0 + "the data of tensor 'b' follow a gap (byte 2, expected 1)"),
        "backwards.bin": (raw({"a": t([1], [1, 0])}, b"a"), at0 + "tensor 'a' has impossible data_offsets"),
        "overflow.bin": (raw({"a": t([1 << 32, 1 << 32], [0, 0], "F32")}),
                         at0 + "tensor 'a' has the impossible shape (4294967296,4294967296)"),
        "offset-overflow.bin": (raw({"a": t([1], [(1 << 64) - 1, 0])}),
                                at0 + "tensor 'a' has impossible data_offsets"),
        "size.bin": (raw({"a": t([3], [0, 2])}, b"ab"),
                     at0 + "tensor 'a' takes 2 bytes, but U8(3) needs 3"),
        "dtype.bin": (raw({"a": t([1], [0, 1], "F8")}, b"a"), at0 + "tensor 'a' has unknown dtype 'F8'"),
        "lacks.bin": (raw({"a": {"dtype": "U8", "shape": []}}), at0 + "tensor 'a' lacks data_offsets"),
        "name.bin": (raw({"a\x1b[31m": t([1], [0, 1])}, b"a"),
                     at0 + "tensor 'a?[31m' has a name that is empty, too long or not printable"),
        "rank.bin": (raw({"a": t([1] * 9, [0, 1])}, b"a"), at0 + "tensor 'a' has more than 8 dimensions"),
        "short.bin": (fine[:-1], at0 + "tensors take 2 bytes but 1 are left"),
        "long.bin": (fine + b"c", f":byte {len(fine)}: trailing garbage after the last tensor"),
        "empty.bin": (b"", ": empty (expected safetensors)"),
    }


# -- npy ---------------------------------------------------------------------------------

def npy(header, data=b"", version=(1, 0)):
    text = header.encode() + b"\n"
    size = struct.pack("<H" if version[0] == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + size + text + data


def saved(array):
    from io import BytesIO
    file = BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def good_npys():
    a = np.arange(6, dtype="<f8").reshape(2, 3)
    ok = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }"
    return {
        "rows.npy": saved(a),
        "columns.npy": saved(np.asfortranarray(a)),
        "big-endian.npy": saved(a.astype(">f4")),
        "scalar.npy": saved(np.float32(2.5)),
        "none.npy": saved(np.zeros((0, 4), "<i8")),
        "bool.npy": saved(np.array([True, False])),
        "version2.npy": npy(ok, b"ab", (2, 0)),
        "version3.npy": npy(ok, b"ab", (3, 0)),
        "packed.npy.gz": gzip.compress(saved(a), mtime=0),
    }


def bad_npys():
    def descr(what, shape="(1,)", order="False"):
        return npy(f"{{'descr': {what}, 'fortran_order': {order}, 'shape': {shape}, }}")

    has = ": the .npy header has "
    a = saved(np.arange(3, dtype="<f4"))
    return {
        "object.npy": (saved(np.array([None, {}], dtype=object)),
                       has + "the type '|O' (expected plain numbers, such as <f4 or <f8)"),
        "text.npy": (saved(np.array(["abc"])),
                     has + "the type '<U3' (expected plain numbers, such as <f4 or <f8)"),
        "complex.npy": (saved(np.array([1j])),
                        has + "the type '<c16' (expected plain numbers, such as <f4 or <f8)"),
        "structured.npy": (saved(np.zeros(1, [("a", "<f4")])),
                           has + "a structured type (expected plain numbers)"),
        "magic.npy": (b"\x93NUMPX" + a[6:], ": not an .npy file"),
        "version.npy": (npy("{}", version=(4, 0)), ": .npy version 4 (expected 1, 2 or 3)"),
        "header.npy": (a[:8] + b"\xff\xff" + a[10:],
                       ": an .npy header of 65535 bytes is longer than the file or the limit"),
        "4gib-header.npy": (npy("{}", version=(2, 0))[:8] + struct.pack("<I", (1 << 32) - 1) + b"{}",
                            ": an .npy header of 4294967295 bytes is longer than the file or the limit"),
        "short.npy": (a[:-1], ": (3) F32 takes 12 bytes, but 11 are there"),
        "long.npy": (a + b"x", ": (3) F32 takes 12 bytes, but more follow"),
        "claim.npy": (descr("'<f4'", "(1073741824,)"),
                      ": (1073741824) F32 takes 4294967296 bytes, but 0 are there"),
        "overflow.npy": (descr("'<f4'", "(1048576, 1048577)"),
                         ": the impossible shape (1048576,1048577)"),
        "negative.npy": (descr("'<f4'", "(-1,)"), has + "an impossible shape"),
        "rank.npy": (descr("'<f4'", "(1,1,1,1,1,1,1,1,1)"), has + "an impossible shape"),
        "order.npy": (descr("'<f4'", "(0,)", "None"), has + "neither True nor False for fortran_order"),
        "lacks.npy": (npy("{'descr': '<f4', 'shape': (0,)}"),
                      has + "not exactly descr, fortran_order and shape"),
        "twice.npy": (npy("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (0,)}"),
                      has + "the key 'descr' twice"),
        "code.npy": (npy("__import__('os').system('true')"), has + "no '{' where one belongs"),
        "empty.npy": (b"", ": truncated .npy header"),
    }


# -- IDX ---------------------------------------------------------------------------------

def images(count, rows, cols, data, magic=0x803):
    return struct.pack(">IIII", magic, count, rows, cols) + data


def labels(count, data, magic=0x801):
    return struct.pack(">II", magic, count) + data


def good_idxs():
    return {
        "images.idx": images(2, 3, 4, bytes(range(24))),
        "labels.idx": labels(3, bytes([7, 0, 9])),
        "no-images.idx": images(0, 28, 28, b""),
        "images.idx.gz": gzip.compress(images(2, 3, 4, bytes(range(24))), mtime=0),
        "labels.idx.gz": gzip.compress(labels(3, bytes([7, 0, 9])), mtime=0),
    }


def bad_idxs():
    return {
        "magic.idx": (images(1, 1, 1, b"x", 0x0d03), ": IDX magic 0x00000d03 (expected 0x00000803, images)"),
        "labels-magic.idx": (images(1, 1, 1, b"x"), ": IDX magic 0x00000803 (expected 0x00000801, labels)"),
        "short.idx": (images(2, 3, 4, bytes(23)), ": has 23 bytes of data (its header says 24)"),
        "long.idx": (images(2, 3, 4, bytes(25)), ": goes on after its 24 bytes of data"),
        "labels-short.idx": (labels(3, b"ab"), ": has 2 bytes of data (its header says 3)"),
        "labels-long.idx": (labels(1, b"ab"), ": goes on after its 1 bytes of data"),
        "claim.idx": (images(0x7fffffff, 4096, 4096, b"x"),
                      ": has 1 bytes of data (its header says 36028797002186752)"),
        "labels-claim.idx": (labels(0xffffffff, b"x"), ": claims 4294967295 entries"),
        "no-rows.idx": (images(1, 0, 5, b""), ": images of 0x5 pixels (expected 1 to 4096 a side)"),
        "wide.idx": (images(1, 1, 4097, b""), ": images of 1x4097 pixels (expected 1 to 4096 a side)"),
        "header.idx": (images(1, 1, 1, b"")[:15], ": truncated in the IDX header"),
        "empty.idx": (b"", ": truncated in the IDX header"),
        "truncated.idx.gz": (gzip.compress(images(2, 3, 4, bytes(24)), mtime=0)[:-9],
                             ": truncated gzip data"),
    }


def main(top):
    formats = {"stream": (good_streams, bad_streams), "model": (good_models, bad_models),
               "npy": (good_npys, bad_npys), "idx": (good_idxs, bad_idxs)}
    versions = {f"{name}/v1": both for name, both in formats.items()}
    versions["stream/v2"] = (good_tasks, bad_tasks)
    for version, (good, bad) in versions.items():
        for which in ("ok", "bad"):
            os.makedirs(f"{top}/{version}/{which}", exist_ok=True)
        for file, data in good().items():
            with open(f"{top}/{version}/ok/{file}", "wb") as f:
                f.write(data)
        for file, (data, why) in bad().items():
            with open(f"{top}/{version}/bad/{file}", "wb") as f:
                f.write(data)
            with open(f"{top}/{version}/bad/{file}.why", "w", encoding="utf-8") as f:
                f.write(why + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
