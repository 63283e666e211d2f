"""Whether streams hold the same solutions: same_heads.py FIRST OTHER...

Prints, for each other stream, how many frames of the first it has with the same problems and x."""
import json
import struct
import sys


def frames(path):
    with open(path, "rb") as f:
        while size := f.read(8):
            header = json.loads(f.read(struct.unpack("<Q", size)[0]))
            meta = header.pop("__metadata__", {})
            end = max((t["data_offsets"][1] for t in header.values()), default=0)
            data = f.read(end)
            yield meta, {name: data[slice(*t["data_offsets"])] for name, t in header.items()}


def solutions(path):
    return {(t["index"], meta.get("oa.head")): [t[name] for name in ("J", "sizes", "h", "x", "energy")]
            for meta, t in frames(path) if meta["oa.kind"].endswith("solution")}


first = solutions(sys.argv[1])
for path in sys.argv[2:]:
    other = solutions(path)
    equal = sum(other.get(key) == value for key, value in first.items())
    print(f"{path}: {equal} of {len(first)} frames as in {sys.argv[1]}")
