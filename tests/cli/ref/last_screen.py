"""What a terminal of so many columns shows in the end: last_screen.py COLUMNS <WRITTEN.

Knows carriage returns, clearing up to the end of a line, and long lines that go on below;
anything else of a terminal is shown as ^[.  Numbers become N before long lines go on: some
depend on time.  Lines of progress that were drawn over must have fitted.
"""
import re
import sys

columns = int(sys.argv[1])


def plain(line):
    return re.sub(r"[0-9][0-9,.:]*", "N", line)


for line in sys.stdin.read().split("\n")[:-1]:
    shown = ""
    for part in line.split("\r"):
        if shown.startswith("oa-train: ") and part:
            assert len(shown) < columns, shown
        clears = part.endswith("\x1b[K") or part.startswith("\x1b[K")
        part = part.replace("\x1b[K", "")
        shown = part if clears or len(part) >= len(shown) else part + shown[len(part):]
    shown = plain(shown.replace("\x1b", "^["))
    for begin in range(0, max(len(shown), 1), columns):
        print(shown[begin : begin + columns])
