"""Whether streams hold the same solutions: same_heads.py FIRST OTHER...

Prints, for each other stream, how many frames of the first it has with the same problems and x."""
import sys

from frames import frames


def solutions(path):
    found = {}
    for header, meta, data, _ in frames(path):
        if meta["oa.kind"].endswith("solution"):
            t = {name: data[slice(*t["data_offsets"])] for name, t in header.items()}
            parts = [t[name] for name in ("J", "sizes", "h", "x", "energy")]
            found[t["index"], meta.get("oa.head")] = parts
    return found


first = solutions(sys.argv[1])
for path in sys.argv[2:]:
    other = solutions(path)
    equal = sum(other.get(key) == value for key, value in first.items())
    print(f"{path}: {equal} of {len(first)} frames as in {sys.argv[1]}")
