"""Detection in miniature: the decoder of DETR, its cross-attention as it is or ours.

    oa-tasks scenes -o scenes
    python scenes.py scenes [--steps 1500] [--seeds 1,2] [--kinds softmax,continuous,binary]

A picture has 7 x 7 cells; some hold a digit, others clutter.  Ten learned queries, one for each
digit, read the cells: is the digit there, and in which cell?  Printed are, of test pictures,
the average precision (a detection counts if its cell is right), how many of ten answers
present or absent are right, how many pictures have all ten right, and how many cells of digits
that are present.
"""

import argparse
import pathlib
import time

import numpy as np
import torch
from torch import nn

import oa.torch

DIGITS, CELLS, SIDE = 10, 7, 8
Tensor = torch.Tensor


def read(folder: str, part: str) -> tuple[Tensor, Tensor]:
    """Pictures as cells (n,49,64), and the cell of each digit (n,10), -1 for none."""
    data = pathlib.Path(folder, f"{part}-images-idx3-ubyte").read_bytes()
    images = torch.from_numpy(np.frombuffer(data, np.uint8, offset=16).copy())
    images = (
        images.view(-1, CELLS, SIDE, CELLS, SIDE).transpose(2, 3).reshape(-1, CELLS**2, SIDE**2)
    )
    data = pathlib.Path(folder, f"{part}-targets-idx2-int").read_bytes()
    cells = np.frombuffer(data, ">i4", offset=12).reshape(-1, DIGITS).astype(np.int64)
    return images, torch.from_numpy(cells)


class Decoder(nn.Module):
    """A layer of DETR's decoder: among queries, from queries to cells, each query by itself."""

    def __init__(self, kind: str, dim: int, heads: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(dim) for _ in range(3))
        self.among = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.cross: nn.Module
        if kind == "softmax":
            self.cross = nn.MultiheadAttention(dim, heads, batch_first=True)
        else:
            self.cross = oa.torch.OptimizingAttention(
                dim, heads, "separate", coefficients=kind, output=True
            )
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x: Tensor, cells: Tensor) -> Tensor:
        y = self.norms[0](x)
        x = x + self.among(y, y, y, need_weights=False)[0]
        y = self.norms[1](x)
        if isinstance(self.cross, nn.MultiheadAttention):
            x = x + self.cross(y, cells, cells, need_weights=False)[0]
        else:
            x = x + self.cross(y, cells, need_weights=False)[0]
        return x + self.mlp(self.norms[2](x))


class Detector(nn.Module):
    def __init__(self, kind: str, dim: int = 64, heads: int = 4, layers: int = 2) -> None:
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(SIDE**2, dim), nn.GELU(), nn.Linear(dim, dim))
        self.positions = nn.Parameter(0.3 * torch.randn(CELLS**2, dim))
        self.norm = nn.LayerNorm(dim)
        self.queries = nn.Parameter(torch.randn(DIGITS, dim))
        self.layers = nn.ModuleList(Decoder(kind, dim, heads) for _ in range(layers))
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 1 + CELLS**2))

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Logits: the digit is there (n,10); its cell (n,10,49)."""
        cells = self.norm(self.embed(images.float() / 128 - 1) + self.positions)
        x = self.queries.expand(len(images), -1, -1)
        for layer in self.layers:
            x = layer(x, cells)
        out = self.head(x)
        return out[..., 0], out[..., 1:]


def loss_of(model: Detector, images: Tensor, cells: Tensor) -> Tensor:
    there, where = model(images)
    present = cells >= 0
    loss = nn.functional.binary_cross_entropy_with_logits(there, present.float())
    return loss + nn.functional.cross_entropy(where[present], cells[present])


def train(kind: str, seed: int, steps: int, batch: int, rate: float, data: tuple[Tensor, Tensor]):
    """The model, and its losses."""
    torch.manual_seed(seed)
    model = Detector(kind)
    adam = torch.optim.AdamW(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, rate, steps, pct_start=0.1)
    losses = []
    for step in range(steps):
        for layer in model.layers:  # first the mean field, as in the curriculum of oa-train
            layer.cross.relaxed = 2 * step < steps
        some = torch.randint(len(data[0]), (batch,))
        loss = loss_of(model, data[0][some], data[1][some])
        adam.zero_grad()
        loss.backward()
        adam.step()
        schedule.step()
        losses.append(loss.item())
    return model, losses


def average_precision(scores: Tensor, right: Tensor, present: int) -> float:
    """The area below precision over recall, of detections in the order of their scores."""
    hits = right[scores.argsort(descending=True, stable=True)].double()
    precision = hits.cumsum(0) / torch.arange(1, len(hits) + 1)
    best = precision.flip(0).cummax(0).values.flip(0)  # of this recall and of larger ones
    return float((best * hits).sum() / max(1, present))


def measure(model: Detector, images: Tensor, cells: Tensor) -> tuple[float, ...]:
    with torch.no_grad():
        parts = [model(part) for part in images.split(250)]
    there = torch.cat([t for t, _ in parts])
    where = torch.cat([w.argmax(-1) for _, w in parts])
    present = cells >= 0
    answers = (there > 0) == present
    found = present & (where == cells)
    precisions = [
        average_precision(there[:, d], found[:, d], int(present[:, d].sum())) for d in range(DIGITS)
    ]
    shares = answers.double().mean(), answers.all(-1).double().mean(), found.sum() / present.sum()
    return sum(precisions) / DIGITS, *map(float, shares)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--kinds", default="softmax,continuous,binary")
    parser.add_argument("--held-out", type=int, help="test on the last pictures of training")
    parser.add_argument("--quick", action="store_true", help="print what no processor changes")
    options = parser.parse_args()
    data, test = read(options.folder, "train"), read(options.folder, "t10k")
    if options.held_out:
        test = tuple(t[-options.held_out :] for t in data)
        data = tuple(t[: -options.held_out] for t in data)
    if not options.quick:
        print("                  AP  answers  pictures  cells   images a second")
    for kind in options.kinds.split(","):
        for seed in map(int, options.seeds.split(",")):
            begin = time.process_time()
            model, losses = train(kind, seed, options.steps, options.batch, options.rate, data)
            rate = options.steps * options.batch / (time.process_time() - begin)
            if options.quick:
                count = len(losses) // 10
                print(f"{kind}: loss halved: {sum(losses[-count:]) < sum(losses[:count]) / 2}")
                continue
            ap, answers, pictures, cells = (100 * share for share in measure(model, *test))
            print(
                f"{kind:10} {seed:3} {ap:6.1f}   {answers:6.1f}    {pictures:6.1f} {cells:6.1f}"
                f"      {rate:6.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
