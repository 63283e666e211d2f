"""Where the optimum pays: sums of k of m vectors in d numbers, of known size, without training.

    map.py measure RESULTS QUERIES PLACE...     PLACE: d,k,noise,m
    map.py draw FIGURE RESULTS...
    map.py table RESULTS...

Heuristics get the time of the proof, at least LEAST_MS a query; the best of three at each place
counts.  Needs the oa tools on PATH.
"""

import json
import sys
import tempfile

import decoders
from rivals import best_trial, by_numpy, by_tools, read_task, run, walk, wilson

LEAST_MS = 2.0
WEIGHT = 0.5
EXACT = "--solver exact --max-nodes 100000"
PROOF_S = 4.0
EP_TRIALS = [(n, d) for n in (0.0025, 0.01, 0.04) for d in (0.1, 0.3)]
BOX_TRIALS = [0.0, 0.003, 0.01, 0.03, 0.1]
# Name, decoder of an effort, its trial, a small effort.
SEARCHES = [
    ("tabu", lambda n: by_tools(f"--solver tabu --reads {n}"), WEIGHT, 64),
    ("beam", lambda n: walk(decoders.beam, n), 0.0, 64),
    ("swaps", lambda n: walk(decoders.swaps, n), 0.0, 32),
]


def draw_problems(place, queries, seed):
    d, k, noise, m = place
    with tempfile.TemporaryDirectory() as work:
        run(
            f"oa-tasks superposed -q -o {work}/task --train 0 --test {max(1, queries // 8)} "
            f"--width {d} --sum {k} --noise {noise} --memory {m} --seed {seed}"
        )
        return read_task(f"{work}/task")


def tuned(decode, trials, k, test, others):
    return decode(test, k, best_trial(decode, trials, k, others))


def at_equal_time(search, k, ms, test, others):
    """The effort that fits into `ms` a query, by two pilots, and its result."""
    name, decoder, trial, effort = search
    few = others.first(8)
    first = decoder(effort)(few, k, trial).ms
    more = max(4 * effort, int(effort * ms / first))
    slope = (decoder(more)(few, k, trial).ms - first) / (more - effort)
    # The slope leaves out the time that a program needs to start.
    effort = max(1, int(ms / slope)) if slope > 0 else more
    return effort, decoder(effort)(test, k, trial)


def measure(results, queries, *places):
    ep = by_numpy(decoders.expectation_propagation, takes_share=True)
    with open(results, "w") as out:
        for place in places:
            d, k, noise, m = (float(x) for x in place.split(","))
            d, k, m = int(d), int(k), int(m)
            others = draw_problems((d, k, noise, m), 32, 2)
            pilot = by_tools(EXACT)(others.first(16), k, WEIGHT)
            # Fewer queries where proofs are slow.
            count = min(int(queries), max(64, int(1000 * PROOF_S / pilot.ms)))
            test = draw_problems((d, k, noise, m), count, 1)
            optimum = by_tools(EXACT)(test, k, WEIGHT)
            line = dict(d=d, k=k, noise=noise, m=m, queries=optimum.count, ms=optimum.ms)
            line |= dict(proved=optimum.proved, exact=optimum.right, best=-1)
            for search in SEARCHES:
                allowed = max(LEAST_MS, optimum.ms)
                effort, found = at_equal_time(search, k, allowed, test, others)
                line |= {search[0]: found.right, f"{search[0]}_effort": effort}
                line |= {f"{search[0]}_ms": found.ms}
                if found.right > line["best"]:
                    line |= dict(best=found.right, winner=search[0])
            line["ep"] = tuned(ep, EP_TRIALS, k, test, others).right
            line["box"] = tuned(by_numpy(decoders.box), BOX_TRIALS, k, test, others).right
            print(json.dumps(line), file=out, flush=True)


def read(paths):
    return [json.loads(line) for path in paths for line in open(path)]


def table(*paths):
    print(
        "numbers  sum noise vectors  queries  exact  best at equal time    gap and 95 %          "
        "     EP    box       ms  proved"
    )
    for p in read(paths):
        count = p["queries"]
        share = {name: 100 * p[name] / count for name in ("exact", "best", "ep", "box", "proved")}
        gap, low, high = difference(p["exact"], p["best"], count)
        winner = f"{share['best']:6.1f} {p['winner']} {p[p['winner'] + '_effort']:,}"
        wide = f"{gap:5.1f} ({low:.1f} to {high:.1f})"
        print(
            f"{p['d']:7} {p['k']:4} {p['noise']:5g} {p['m']:7} {count:8,} {share['exact']:6.1f} "
            f"{winner:20} {wide:20}  {share['ep']:6.1f} {share['box']:6.1f} {p['ms']:8.2f} "
            f"{share['proved']:7.1f}"
        )


def difference(a, b, count):
    """a - b in per cent, with Newcombe's interval for independent shares."""
    low_a, high_a = wilson(a, count)
    low_b, high_b = wilson(b, count)
    a, b = 100 * a / count, 100 * b / count
    low = ((a - low_a) ** 2 + (high_b - b) ** 2) ** 0.5
    high = ((high_a - a) ** 2 + (b - low_b) ** 2) ** 0.5
    return a - b, a - b - low, a - b + high


# -- the figure: small maps of numbers, a row for each pair of axes
CELL_W, CELL_H, GAP, LEFT, TOP = 34, 20, 22, 62, 46
AXES = {"m": "vectors", "k": "vectors in a sum", "d": "numbers of a vector", "noise": "noise"}
PANELS = [
    ("exact search, right %", lambda p: 100 * p["exact"] / p["queries"], 100),
    ("best heuristic, equal time", lambda p: 100 * p["best"] / p["queries"], 100),
    ("expectation propagation", lambda p: 100 * p["ep"] / p["queries"], 100),
    ("box", lambda p: 100 * p["box"] / p["queries"], 100),
    ("proof, ms a query", lambda p: p["ms"], None),
]


def shade(share):
    """From white to a blue on which black can be read."""
    low, high = (255, 255, 255), (96, 158, 214)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high))


def text(x, y, words, size=9, anchor="middle", more=""):
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" {more}>{words}</text>'


def number(value, top):
    if top:
        return f"{value:.0f}"
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def panel(x0, y0, title, of, top, points, across, up, names):
    columns, rows = (sorted({p[axis] for p in points}) for axis in (across, up))
    width, height = CELL_W * len(columns), CELL_H * len(rows)
    most = max(of(p) for p in points)
    parts = [text(x0, y0 - 6, title, 10, "start", 'font-weight="bold"')]
    for p in points:
        x = x0 + CELL_W * columns.index(p[across])
        y = y0 + height - CELL_H * (rows.index(p[up]) + 1)
        value = of(p)
        share = value / top if top else (value / most) ** 0.5
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL_W}" height="{CELL_H}" fill="{shade(share)}" '
            'stroke="#999" stroke-width="0.5"/>'
        )
        parts.append(text(x + CELL_W / 2, y + CELL_H / 2 + 3.5, number(value, top), 10))
    for i, value in enumerate(columns):
        parts.append(text(x0 + CELL_W * (i + 0.5), y0 + height + 11, f"{value:g}"))
    parts.append(text(x0 + width / 2, y0 + height + 24, AXES[across], 10))
    if names:
        for i, value in enumerate(rows):
            y = y0 + height - CELL_H * (i + 0.5) + 3
            parts.append(text(x0 - 5, y, f"{value:g}", 9, "end"))
        x, y = x0 - 30, y0 + height / 2
        parts.append(text(x, y, AXES[up], 10, "middle", f'transform="rotate(-90 {x} {y})"'))
    return parts, width, height


def draw(figure, *paths):
    """A row of panels for each file; the axes are what varies."""
    parts, y, right = [], TOP, 0
    for path in paths:
        points = read([path])
        up, across = [a for a in ("k", "noise", "m", "d") if len({p[a] for p in points}) > 1][:2]
        fixed = [f"{AXES[a]}: {points[0][a]:g}" for a in AXES if a not in (up, across)]
        parts.append(text(LEFT, y - 24, ", ".join(fixed), 11, "start"))
        x = LEFT
        for i, (title, of, top) in enumerate(PANELS):
            more, width, height = panel(x, y, title, of, top, points, across, up, i == 0)
            parts += more
            x += width + GAP
        right, y = max(right, x), y + height + 84
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {y - 50}" '
        f'width="{right}" height="{y - 50}" font-family="Helvetica, Arial, sans-serif">'
    )
    paper = '<rect width="100%" height="100%" fill="white"/>'
    with open(figure, "w") as out:
        out.write("\n".join([head, paper, *parts, "</svg>", ""]))


if __name__ == "__main__":
    {"measure": measure, "draw": draw, "table": table}[sys.argv[1]](*sys.argv[2:])
