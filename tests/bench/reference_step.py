"""The training step of the public reproduction, with its ADMM layer and with oa.torch.

    python tests/bench/reference_step.py EXPERIMENTS LQP [--threads 1] [--batch 128] [--data FOLDER]

EXPERIMENTS has model.py and continuous_weight_admm/model.py of the reproduction, LQP the package
lqp_py.  Both models are built as in its train.py.  Three forms of each start from equal weights
and see equal batches: as it is; box_qp() in place of its solver, called with the same arguments;
OptimizingAttention in place of its attention.  Printed are images a second of a step (forward,
backward, Adam; the fastest), the loss of the first batch, and how far the losses of all steps and
the gradient of the first are from those of the first form.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import pathlib
import sys
import time
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import torch
from torch import Tensor, nn

import oa.torch

FORMS = ("its ADMM layer", "box_qp in its place", "OptimizingAttention")


def module(path: pathlib.Path) -> Any:
    """A file of the reproduction; packages that its training does not use may be missing."""
    unused = ("line_profiler", "icecream", "kaiwu", "tqdm")
    spec = importlib.util.spec_from_file_location(f"reference_{path.parent.name}", path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, {name: mock.MagicMock() for name in unused}):
        spec.loader.exec_module(loaded)
    return loaded


class Ours(nn.Module):
    """The solver of the reproduction by oa.torch."""

    def forward(self, Q: Tensor, p: Tensor, A: None, b: None, lb: Tensor, ub: Tensor) -> Tensor:
        return oa.torch.box_qp(Q, p.squeeze(-1)).unsqueeze(-1)


class Layer(nn.Module):
    """Its attention by oa.torch: Q and V are given, so the layer has no maps."""

    def __init__(self, dim: int, coefficients: str) -> None:
        super().__init__()
        gradient = "none" if coefficients == "binary" else "implicit"  # as in the reproduction
        self.layer = oa.torch.OptimizingAttention(
            dim, coefficients=coefficients, gradient=gradient, divide_output=True
        )
        self.layer.Wq = self.layer.Wv = nn.Identity()

    def forward(self, Q: Tensor, V: Tensor) -> Tensor:
        y: Tensor = self.layer(Q, V, need_weights=False)[0]
        return y


def images(folder: str | None, count: int) -> tuple[Tensor, Tensor]:
    if folder is None:
        g = torch.Generator().manual_seed(1)
        return torch.rand(count, 1, 28, 28, generator=g), torch.randint(10, (count,), generator=g)
    found = []
    for name, offset in (("images-idx3", 16), ("labels-idx1", 8)):
        path = pathlib.Path(folder, f"train-{name}-ubyte.gz")
        found.append(np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8, offset=offset))
    pixels = torch.from_numpy(found[0].copy()).view(-1, 1, 28, 28)[:count]
    return (pixels / 255 - 0.5) / 0.5, torch.from_numpy(found[1].copy()).long()[:count]


def model_of(path: pathlib.Path, form: str) -> nn.Module:
    torch.manual_seed(1)
    made: nn.Module = module(path).OptimAttn(
        image_size=(28, 28), patch_size=(4, 4), num_classes=10, dim=64, channels=1
    )
    if form == FORMS[1]:
        made.attention.solver = Ours()
    elif form == FORMS[2]:
        binary = "continuous" not in str(path)
        made.attention = Layer(64, "binary" if binary else "continuous")
    return made


class Measured(NamedTuple):
    seconds: float  # of the fastest step
    losses: list[float]
    gradient: Tensor  # of the first step


def measure(model: nn.Module, x: Tensor, y: Tensor, batch: int) -> Measured:
    adam = torch.optim.Adam(model.parameters(), lr=0.001)
    losses: list[float] = []
    times, gradient = [], torch.empty(0)
    for some, labels in zip(x.split(batch), y.split(batch)):
        begin = time.perf_counter()
        adam.zero_grad()
        loss = nn.functional.cross_entropy(model(some), labels)
        loss.backward()
        adam.step()
        times.append(time.perf_counter() - begin)
        if not losses:
            gradient = torch.cat(
                [p.grad.flatten() for p in model.parameters() if p.grad is not None]
            )
        losses.append(loss.item())
    return Measured(min(times), losses, gradient)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("experiments", type=pathlib.Path)
    parser.add_argument("lqp")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--data", help="a folder with MNIST; without, random pixels")
    options = parser.parse_args()
    sys.path.insert(0, options.lqp)
    torch.set_num_threads(options.threads)
    x, y = images(options.data, options.batch * options.steps)
    print(f"batch {options.batch}, threads {options.threads}, {options.steps} steps")
    for name in ("model.py", "continuous_weight_admm/model.py"):
        print(name, f"{'':17} images a second, times, loss; apart: losses, gradient")
        first: Measured | None = None
        for form in FORMS:
            found = measure(model_of(options.experiments / name, form), x, y, options.batch)
            first = first or found
            losses = max(abs(a - b) for a, b in zip(found.losses, first.losses))
            gradient = (found.gradient - first.gradient).abs().max() / first.gradient.abs().max()
            print(
                f"  {form:22} {options.batch / found.seconds:8.1f} "
                f"{first.seconds / found.seconds:8.1f}    {found.losses[0]:.6f}  "
                f"{losses:.0e}  {gradient:.0e}",
                flush=True,
            )


if __name__ == "__main__":
    main()
