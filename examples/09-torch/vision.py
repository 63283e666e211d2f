"""A small vision transformer, with our layer in place of MultiheadAttention.

    python vision.py FOLDER [--steps 300] [--images 6000] [--seed 1]

FOLDER has the files of MNIST, packed or not, or CIFAR-10 as train.tar.gz and test.tar.gz with
CLASS/NUMBER.jpg, which need Pillow.
"""

import argparse
import gzip
import pathlib
import tarfile
import time

import numpy as np
import torch
from torch import nn

import oa.torch

Data = tuple[torch.Tensor, torch.Tensor]


def idx(folder: str, name: str, offset: int) -> torch.Tensor:
    path = pathlib.Path(folder, name)
    data = path.read_bytes() if path.exists() else gzip.open(f"{path}.gz").read()
    return torch.from_numpy(np.frombuffer(data, np.uint8, offset=offset).copy())


def mnist(folder: str, part: str) -> Data:
    images = idx(folder, f"{part}-images-idx3-ubyte", 16).view(-1, 1, 28, 28)
    return images, idx(folder, f"{part}-labels-idx1-ubyte", 8).long()


def cifar(folder: str, part: str, most: int) -> Data:
    """At most so many pictures, equally many of each class."""
    from PIL import Image

    found: dict[str, list[np.ndarray]] = {}
    with tarfile.open(pathlib.Path(folder, f"{part}.tar.gz")) as tar:
        for member in tar:
            name = pathlib.Path(member.name).parent.name
            if member.name.endswith(".jpg") and len(found.setdefault(name, [])) < most // 10:
                found[name].append(np.array(Image.open(tar.extractfile(member))))
    images = np.stack([image for name in sorted(found) for image in found[name]])
    labels = [label for label, name in enumerate(sorted(found)) for _ in found[name]]
    return torch.from_numpy(images).permute(0, 3, 1, 2), torch.tensor(labels)


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
    def __init__(self, attention: str, image: torch.Tensor, dim: int = 48, heads: int = 4):
        super().__init__()
        channels, rows, cols = image.shape
        self.embed = nn.Conv2d(channels, dim, 4, 4)
        self.positions = nn.Parameter(0.1 * torch.randn(rows // 4 * (cols // 4), dim))
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
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="softmax,optimizing")
    options = parser.parse_args()
    if pathlib.Path(options.folder, "train.tar.gz").exists():
        data = [cifar(options.folder, "train", options.images), cifar(options.folder, "test", 2000)]
    else:
        data = [mnist(options.folder, part) for part in ("train", "t10k")]
    (x, y), (xt, yt) = ((images / 128 - 1, labels) for images, labels in data)
    for kind in options.kinds.split(","):
        torch.manual_seed(options.seed)
        model = Vision(kind, x[0])
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
