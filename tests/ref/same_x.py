"""Whether streams of solutions hold the same x: prints what they hold."""
import sys

from frames import frames


def solutions(path):
    for header, meta, data, _ in frames(path):
        if meta["oa.kind"] == "solution":
            yield data[slice(*header["x"]["data_offsets"])]


first = list(solutions(sys.argv[1]))
for path in sys.argv[2:]:
    same = sum(a == b for a, b in zip(first, solutions(path), strict=True))
    print(f"{path}: {same} of {len(first)} images as in {sys.argv[1]}")
