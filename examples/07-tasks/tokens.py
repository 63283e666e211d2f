"""Tokens to keep: what greedy choices cost beside the proved optimum.

    tokens.py blank MNIST FOLDER IMAGES PATCH    training images of which random patches are kept
    tokens.py choose MODEL MNIST WORK RESULTS IMAGES PATCH KEEP...
    tokens.py table RESULTS...

The relevance r of a token is the share of queries that choose it in the model's attention, the
redundancy s of two the cosine of their values.  KEEP tokens maximise

    sum r_i x_i - beta / (KEEP - 1) sum_{i<j} s_ij x_i x_j.

PATCH is the side of a patch, in pixels.  Pixels that no kept token covers are blank; the model
classifies the rest.  Needs the oa tools.
"""

import csv
import gzip
import json
import pathlib
import sys

import numpy as np
from rivals import run, wilson

SIDE = 28
BETAS = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0]


def read_images(path):
    data = gzip.open(path).read()
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return np.frombuffer(data, "u1", -1, 4 + 4 * data[3]).reshape(shape)


def mnist(folder, part):
    files = (f"{folder}/{part}-{name}.gz" for name in ("images-idx3-ubyte", "labels-idx1-ubyte"))
    return [read_images(path) for path in files]


def covered(kept, patch):
    """The pixels that kept tokens cover: images of 0 and 1."""
    grid = kept.reshape(-1, SIDE // patch, SIDE // patch).astype(np.uint8)
    return grid.repeat(patch, axis=1).repeat(patch, axis=2)


def blank(folder, out, images, patch):
    patch = int(patch)
    x, y = (data[: int(images)] for data in mnist(folder, "train"))
    rng = np.random.default_rng(1)
    tokens = (SIDE // patch) ** 2
    order = rng.random((len(x), tokens)).argsort(axis=1)
    kept = order < rng.integers(8, tokens + 1, len(x))[:, None]
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "images.npy", x * covered(kept, patch))
    np.save(out / "labels.npy", y)


# -- the model
def frames(path):
    """Tensors of each frame of a stream, see oa-stream(5)."""
    kinds = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U8": "u1", "I32": "<i4"}
    data = path.read_bytes()
    at = 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 8], "little")
        header = json.loads(data[at + 8 : at + 8 + length])
        start, end = at + 8 + length, at + 8 + length
        tensors = {}
        kind = header.pop("__metadata__")["oa.kind"]
        for name, entry in header.items():
            low, high = entry["data_offsets"]
            array = np.frombuffer(data[start + low : start + high], kinds[entry["dtype"]])
            tensors[name] = array.reshape(entry["shape"])
            end = max(end, start + high)
        yield kind, tensors
        at = end


def save(work, images, labels):
    np.save(work / "images.npy", images)
    np.save(work / "labels.npy", labels)
    return f"{work}/images.npy --labels {work}/labels.npy"


def relevance_and_redundancy(model, images, labels, work):
    data = save(work, images, labels)
    run(f"oa-qubo -q -j 1 {model} {data} | oa-anneal -q -j 1 -o {work}/solved.oa")
    r, s = [], []
    for kind, tensors in frames(work / "solved.oa"):
        if kind == "solution":
            chosen = tensors["x"].mean(axis=0)
            r.append(chosen / max(chosen.max(), 1e-9))
            unit = tensors["V"] / np.maximum(np.linalg.norm(tensors["V"], axis=1), 1e-9)[:, None]
            s.append(unit @ unit.T)
    return np.array(r, float), np.array(s, float)


def right_answers(model, images, labels, kept, patch, work):
    data = save(work, images * covered(kept, patch), labels)
    run(f"oa-score -q -j 1 {model} {data} --csv {work}/said.csv")
    rows = list(csv.DictReader(open(work / "said.csv")))
    return np.array([row["correct"] == "True" for row in rows])


# -- choices
def value(x, r, s, weight):
    pairs = np.einsum("ti,tij,tj->t", x, s, x) - np.einsum("ti,tii->t", x, s)
    return (r * x).sum(axis=1) - weight * pairs / 2


def step_by_step(r, s, weight, keep, worst):
    """Adds the token of most relevance less redundancy: the worst pair (MMR), or the sum."""
    x = np.zeros(r.shape)
    cost = np.zeros(r.shape)
    for _ in range(keep):
        best = np.argmax(np.where(x > 0, -np.inf, r - weight * cost), axis=1)
        x[np.arange(len(r)), best] = 1.0
        new = s[np.arange(len(r)), best]
        cost = np.maximum(cost, new) if worst else cost + new
    return x


def ceiling(r, s, weight, keep, steps=1000):
    """An upper bound of the value: Frank and Wolfe's, as redundancy is convex if the sum holds."""

    def first(gains):
        x = np.zeros(r.shape)
        np.put_along_axis(x, np.argsort(-gains, axis=1)[:, :keep], 1.0, axis=1)
        return x

    x, least = first(r), np.full(len(r), np.inf)
    redundancy = (s @ x[:, :, None])[:, :, 0]
    for _ in range(steps):
        gains = r - weight * redundancy
        way = first(gains) - x
        rise = (gains * way).sum(axis=1)
        least = np.minimum(least, ((r - weight * redundancy / 2) * x).sum(axis=1) + rise)
        more = (s @ way[:, :, None])[:, :, 0]
        bend = weight * (way * more).sum(axis=1)
        length = np.minimum(1.0, rise / np.maximum(bend, 1e-12))[:, None]
        x += length * way
        redundancy += length * more
    own = np.sort(np.diagonal(s, axis1=1, axis2=2))[:, -keep:].sum(axis=1)
    return least + weight * own / 2


def optimum(r, s, weight, keep, work):
    """Proved by oa-anneal, or its best in 0.2 s, with a penalty for another number of tokens."""
    penalty = 2.0 + 2.0 * weight * keep
    with open(work / "choices.jsonl", "w") as out:
        for fields, couplings in zip(r, s):
            q = np.triu(weight * couplings + 2.0 * penalty, 1)
            np.fill_diagonal(q, penalty * (1.0 - 2.0 * keep) - fields)
            print(json.dumps(np.round(q, 7).tolist()), file=out)
    lines = run(f"oa-anneal -q -j 1 --time-limit 0.2 --format jsonl <{work}/choices.jsonl")
    results = [json.loads(line) for line in lines.splitlines()]
    x = np.array([result["x"] for result in results], float)
    proved = np.array([result["proved_optimal"] for result in results])
    return x, proved, np.array([result["seconds"] for result in results])


def choices(r, s, beta, keep, work, method):
    weight = beta / (keep - 1)
    if method == "optimum":
        return optimum(r, s, weight, keep, work)[0]
    return step_by_step(r, s, beta if method == "MMR" else weight, keep, method == "MMR")


def choose(model, folder, work, results, images, patch, *keeps):
    work, images, patch = pathlib.Path(work), int(images), int(patch)
    work.mkdir(parents=True, exist_ok=True)
    x, y = (data[:images] for data in mnist(folder, "t10k"))
    tuning_x, tuning_y = (data[-(images // 4) :] for data in mnist(folder, "train"))
    r, s = relevance_and_redundancy(model, x, y, work)
    tuning = relevance_and_redundancy(model, tuning_x, tuning_y, work)
    rng = np.random.default_rng(1)
    with open(results, "w") as out:
        for keep in map(int, keeps):
            right = {}
            everything = np.ones(r.shape, bool)
            right["all tokens"] = right_answers(model, x, y, everything, patch, work)
            some = rng.random(r.shape).argsort(axis=1).argsort(axis=1) < keep
            right["random"] = right_answers(model, x, y, some, patch, work)
            best = {}
            for method in ("MMR", "greedy", "optimum"):
                shares = []
                for beta in BETAS:
                    kept = choices(*tuning, beta, keep, work, method)
                    answers = right_answers(model, tuning_x, tuning_y, kept, patch, work)
                    shares.append(answers.mean())
                best[method] = BETAS[int(np.argmax(shares))]
                kept = choices(r, s, best[method], keep, work, method)
                right[method] = right_answers(model, x, y, kept, patch, work)
            top = step_by_step(r, s, 0.0, keep, False)
            right["relevance alone"] = right_answers(model, x, y, top, patch, work)
            # The gap at a weight where redundancy matters, and at the optimum's best one.
            line = dict(tokens=r.shape[1], keep=keep, images=images, beta=best)
            weights = sorted({1.0, best["optimum"]})
            line["gaps"] = [gaps(r, s, beta, keep, work) for beta in weights]
            line["right"] = {name: int(answers.sum()) for name, answers in right.items()}
            differ = right["optimum"].astype(int) - right["greedy"]
            line["optimum_alone"] = int((differ > 0).sum())
            line["greedy_alone"] = int((differ < 0).sum())
            print(json.dumps(line), file=out, flush=True)


def gaps(r, s, beta, keep, work):
    weight = beta / (keep - 1)
    x, proved, seconds = optimum(r, s, weight, keep, work)
    greedy = step_by_step(r, s, weight, keep, False)
    mmr = step_by_step(r, s, beta, keep, True)
    most = value(x, r, s, weight)
    assert (x.sum(axis=1) == keep).all()
    above = np.where(proved, most, np.maximum(most, ceiling(r, s, weight, keep)))
    below = (most - value(greedy, r, s, weight)) / np.abs(most)
    below_mmr = (most - value(mmr, r, s, weight)) / np.abs(most)
    return dict(
        beta=beta,
        proved=int(proved.sum()),
        ms=1000 * float(seconds.mean()),
        greedy=float(below.mean()),
        greedy_worst=float(below.max()),
        at_most=float(((above - value(greedy, r, s, weight)) / np.abs(most)).mean()),
        greedy_optimal=int((below < 1e-6).sum()),
        mmr=float(below_mmr.mean()),
    )


def table(*paths):
    for line in (json.loads(text) for path in paths for text in open(path)):
        count = line["images"]
        print(f"{line['keep']} of {line['tokens']} tokens, {count:,} images; beta: {line['beta']}")
        for name, right in line["right"].items():
            low, high = wilson(right, count)
            print(f"  {name:16} {100 * right / count:6.2f} % right ({low:.2f} to {high:.2f})")
        alone = line["optimum_alone"], line["greedy_alone"]
        print("  right by the optimum alone: {}, by greedy alone: {}".format(*alone))
        for gap in line["gaps"]:
            below = f"{100 * gap['greedy']:.3f} % (worst {100 * gap['greedy_worst']:.2f})"
            print(
                f"  beta {gap['beta']:g}: below the best: greedy {below}, of the optimum at most "
                f"{100 * gap['at_most']:.3f} %, MMR {100 * gap['mmr']:.3f} %; greedy is the best "
                f"of {gap['greedy_optimal']:,}, "
                f"proved {gap['proved']:,}, {gap['ms']:.1f} ms each"
            )


if __name__ == "__main__":
    {"blank": blank, "choose": choose, "table": table}[sys.argv[1]](*sys.argv[2:])
