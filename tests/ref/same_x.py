"""Whether streams of solutions hold the same x: prints what they hold."""
import json
import struct
import sys


def solutions(path):
    with open(path, "rb") as f:
        while size := f.read(8):
            header = json.loads(f.read(struct.unpack("<Q", size)[0]))
            meta = header.pop("__metadata__", {})
            data = f.read(max((t["data_offsets"][1] for t in header.values()), default=0))
            if meta["oa.kind"] == "solution":
                yield data[slice(*header["x"]["data_offsets"])]


first = list(solutions(sys.argv[1]))
for path in sys.argv[2:]:
    same = sum(a == b for a, b in zip(first, solutions(path), strict=True))
    print(f"{path}: {same} of {len(first)} images as in {sys.argv[1]}")
