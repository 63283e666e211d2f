"""Does attention gain from couplings between decisions, or from their inference?

    couplings.py train TASK LENGTH STEPS SEEDS RESULTS KINDS [RATES]
    couplings.py table RESULTS...

TASK is `brackets` or a file of text.  One causal layer of a transformer, whose only difference is
how the weights w of a query follow from its logits f, and where couplings J come from:

    softmax   w = softmax(f)                     sigmoid  decisions alone: P(w = 1) from f
    places    as sigmoid, f with a learned number for each pair of positions
    keys      energy w'Jw/2 - f'w, J = a k k' of the keys, a learned
    table     energy w'Jw/2 - f'w, a learned J of positions

Of the last two there are exact probabilities (oa.torch.marginals) and those of the mean field.
All but softmax are divided by max(1, sum), and begin as the sigmoid; `from 4`: with J = 4 between
all pairs, so that decisions exclude each other.  KINDS are names as below, with colons between
them.  Of several RATES the best for held-out questions counts.  Needs oa.torch.
"""

import json
import math
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import oa.torch as ot

RATES = "0.003:0.005:0.01:0.02:0.03:0.05:0.08:0.12"
STUDENT = {3: 4.303, 5: 2.776}  # quantiles for means of so many seeds
WIDTH, BATCH, BRACKETS, NEVER = 32, 32, 3, 1000.0


# -- tasks: windows of tokens, and an answer at each token, or -1
def brackets(count, length, rng):
    """Well-formed beginnings; after each closing bracket: which kind may be closed next?"""
    x = np.zeros((count, length), np.int64)
    y = np.full((count, length), -1)
    for row, answers in zip(x, y):
        opened = []
        for i in range(length):
            if not opened or rng.random() < 0.55:
                opened.append(rng.integers(BRACKETS))
                row[i] = opened[-1]
            else:
                row[i] = BRACKETS + opened.pop()
                answers[i] = opened[-1] if opened else BRACKETS
    return torch.tensor(x), torch.tensor(y)


def windows(ids, length):
    whole = ids[: (len(ids) - 1) // length * length + 1]
    return whole[:-1].reshape(-1, length), whole[1:].reshape(-1, length)


def examples(task, length):
    """Training, held-out and test examples, and the number of tokens and of answers."""
    if task == "brackets":
        rng = np.random.default_rng(1)
        parts = [brackets(count, length, rng) for count in (40_000, 4_000, 10_000)]
        return parts, 2 * BRACKETS, BRACKETS + 1
    text = open(task, encoding="utf-8").read()
    letters = {c: i for i, c in enumerate(sorted(set(text)))}
    ids = torch.tensor([letters[c] for c in text])
    at = [0, 85 * len(ids) // 100, 90 * len(ids) // 100, len(ids)]
    parts = [windows(ids[low:high], length) for low, high in zip(at, at[1:])]
    return parts, len(letters), len(letters)


# -- the model
class Attention(nn.Module):
    def __init__(self, kind, length):
        super().__init__()
        self.kind = kind
        self.maps = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)
        start = 4.0 if "from 4" in kind else 0.0
        self.bias = nn.Parameter(torch.tensor(1.0 if start else -1.0))
        size = {"places": length * length, "keys": 1, "table": length * (length - 1) // 2}
        self.learned = nn.Parameter(torch.full((size.get(kind.split(",")[0], 0),), start))
        self.later = nn.Buffer(torch.ones(length, length).triu(1).bool())

    def couplings(self, k):
        n = self.later.shape[0]
        if self.kind.startswith("keys"):
            return self.learned * (k @ k.mT / math.sqrt(WIDTH)) * (1 - torch.eye(n))
        j = torch.zeros(n, n).masked_scatter(self.later, self.learned)
        return j + j.mT

    def weights(self, q, k):
        logits = q @ k.mT / math.sqrt(WIDTH)
        if self.kind == "softmax":
            return logits.masked_fill(self.later, -NEVER).softmax(-1)
        if self.kind == "places":
            logits = logits + self.learned.reshape(self.later.shape)
        fields = (-self.bias - logits).masked_fill(self.later, NEVER)
        if self.kind in ("sigmoid", "places"):
            w = torch.sigmoid(-fields)
        else:
            infer = ot.mean_field if self.kind.endswith("mean field") else ot.marginals
            w = infer(self.couplings(k), fields, 1.0)
        return w / w.sum(-1, keepdim=True).clamp(min=1.0)

    def forward(self, x):
        q, k, v = self.maps(x).chunk(3, -1)
        return self.out(self.weights(q, k) @ v)


class Model(nn.Module):
    def __init__(self, kind, length, tokens, answers):
        super().__init__()
        self.tokens = nn.Embedding(tokens, WIDTH)
        self.places = nn.Parameter(0.02 * torch.randn(length, WIDTH))
        self.attention = Attention(kind, length)
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH)
        )
        self.answers = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, answers))

    def forward(self, ids):
        x = self.tokens(ids) + self.places
        x = x + self.attention(self.before(x))
        return self.answers(x + self.mlp(self.between(x)))


def trained(kind, data, length, tokens, answers, rate, steps, seed):
    torch.manual_seed(seed)
    model = Model(kind, length, tokens, answers)
    adam = torch.optim.AdamW(model.parameters(), rate, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.OneCycleLR(adam, rate, steps, pct_start=0.05)
    x, y = data
    for _ in range(steps):
        some = torch.randint(len(x), (BATCH,))
        said = model(x[some]).flatten(0, 1)
        adam.zero_grad()
        functional.cross_entropy(said, y[some].flatten(), ignore_index=-1).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        plan.step()
    return model


@torch.no_grad()
def right(model, data):
    counts = [(model(x).argmax(-1) == y).sum() for x, y in zip(*(d.split(500) for d in data))]
    return int(sum(counts))


def train(task, length, steps, seeds, results, kinds, rates=RATES):
    """Each kind: the rate of most answers to held-out questions, then all seeds at this rate."""
    length, steps, seeds = int(length), int(steps), range(1, int(seeds) + 1)
    rates = [float(rate) for rate in rates.split(":")]
    torch.set_num_threads(1)
    (learned, held_out, test), *sizes = examples(task, length)
    with open(results, "w") as out:
        for kind in kinds.split(":"):
            start = time.process_time()
            line = dict(task=task.split("/")[-1], length=length, kind=kind, steps=steps, tried=[])
            for rate in rates if len(rates) > 1 else []:
                model = trained(kind, learned, length, *sizes, rate, steps, 0)
                line["tried"].append(right(model, held_out))
            line["rate"] = rate = rates[int(np.argmax(line["tried"]) if line["tried"] else 0)]
            models = [trained(kind, learned, length, *sizes, rate, steps, seed) for seed in seeds]
            line["right"] = [right(model, test) for model in models]
            line["asked"] = int((test[1] >= 0).sum())
            line["parameters"] = sum(p.numel() for p in models[0].parameters())
            line["seconds"] = (time.process_time() - start) / (len(models) + len(line["tried"]))
            print(json.dumps(line), file=out, flush=True)


def table(*paths):
    """Means over seeds, with Student's 95 % interval, and the answers of each seed."""
    print("task       length  kind                       parameters   right %          seeds")
    for line in (json.loads(text) for path in paths for text in open(path)):
        shares = 100 * np.array(line["right"]) / line["asked"]
        wide = STUDENT[len(shares)] * shares.std(ddof=1) / math.sqrt(len(shares))
        print(
            f"{line['task'][:9]:9}{line['length']:8}  {line['kind']:26}{line['parameters']:11,}"
            f"{shares.mean():9.2f} +- {wide:5.2f}  {' '.join(f'{share:.2f}' for share in shares)}"
        )


if __name__ == "__main__":
    {"train": train, "table": table}[sys.argv[1]](*sys.argv[2:])
