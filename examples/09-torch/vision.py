"""A small vision transformer, with our layer in place of MultiheadAttention.

    python vision.py FOLDER [--steps 300] [--images 6000]

FOLDER has the files of MNIST, packed or not.
"""

import argparse
import gzip
import pathlib
import time

import numpy as np
import torch
from torch import nn

import oa.torch


def read(folder: str, name: str, offset: int) -> torch.Tensor:
    path = pathlib.Path(folder, name)
    data = path.read_bytes() if path.exists() else gzip.open(f"{path}.gz").read()
    return torch.from_numpy(np.frombuffer(data, np.uint8, offset=offset).copy())


class Block(nn.Module):
    def __init__(self, attention: nn.Module, dim: int) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attention = attention
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.before(x)
        if isinstance(self.attention, nn.MultiheadAttention):
            mixed = self.attention(y, y, y, need_weights=False)[0]
        else:
            mixed = self.attention(y, need_weights=False)[0]
        x = x + mixed
        return x + self.mlp(self.after(x))


class Vision(nn.Module):
    def __init__(self, attention: str, dim: int = 48, heads: int = 4) -> None:
        super().__init__()
        self.embed = nn.Conv2d(1, dim, 4, 4)
        self.positions = nn.Parameter(0.1 * torch.randn(49, dim))
        layers: list[nn.Module] = []
        for _ in range(2):
            if attention == "softmax":
                layers.append(nn.MultiheadAttention(dim, heads, batch_first=True))
            else:
                layers.append(
                    oa.torch.OptimizingAttention(dim, heads, keys="separate", output=True)
                )
        self.blocks = nn.Sequential(*[Block(a, dim) for a in layers])
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 10))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = self.embed(images).flatten(2).mT + self.positions
        return self.head(self.blocks(x).mean(1))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--images", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--quick", action="store_true", help="print what no processor changes")
    options = parser.parse_args()
    names = ("train-images-idx3-ubyte", "t10k-images-idx3-ubyte")
    x, xt = (read(options.folder, n, 16).view(-1, 1, 28, 28) / 128 - 1 for n in names)
    names = ("train-labels-idx1-ubyte", "t10k-labels-idx1-ubyte")
    y, yt = (read(options.folder, n, 8).long() for n in names)
    for kind in ("softmax", "optimizing"):
        torch.manual_seed(1)
        model = Vision(kind)
        adam = torch.optim.Adam(model.parameters(), lr=2e-3)
        begin = time.monotonic()
        for step in range(options.steps):
            # As in the curriculum of oa-train: first the mean field, then binary coefficients.
            for block in model.blocks:
                block.attention.relaxed = 2 * step < options.steps
            some = torch.randint(min(options.images, len(x)), (options.batch,))
            loss = nn.functional.cross_entropy(model(x[some]), y[some])
            adam.zero_grad()
            loss.backward()
            adam.step()
        took = time.monotonic() - begin
        with torch.no_grad():
            right = torch.cat([model(part).argmax(-1) for part in xt[:2000].split(200)])
        accuracy = float((right == yt[: len(right)]).double().mean())
        if options.quick:
            print(f"{kind}: better than chance: {accuracy > 1 / 5}")
        else:
            rate = options.batch * options.steps / took
            print(f"{kind}: {100 * accuracy:.1f} % of {len(right)}, {rate:.0f} images a second")


if __name__ == "__main__":
    main()
