"""Optimising attention beside FlashAttention on a GPU: one table, under four minutes.

    python tests/bench/gpu.py [--seconds 200] [--interpret]

Needs PyTorch, Triton and python/oa/torch/{triton_kernels,elsewhere}.py beside this repository,
nothing that is built.  Width 64, 8 heads, a batch that fills the card; forward and backward of
one layer without its maps, milliseconds (median) and the most memory.
"""

from __future__ import annotations

import argparse
import importlib.util
import pathlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

HEADS, WIDTH = 8, 64
SIZES = {49: 1024, 256: 256, 1024: 64, 4096: 8}  # tokens: images of a batch


def module(name: str) -> Any:
    """A file of the package, without the package."""
    folder = pathlib.Path(__file__).parents[2] / "python" / "oa" / "torch"
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def plain(q: Tensor, k: Tensor, v: Tensor, sweeps: int) -> Tensor:
    """The sweeps of the kernel in operations of PyTorch, differentiated by it."""
    gram = torch.linalg.matrix_norm(k.mT @ k)[..., None, None]
    most = 1 + 4 * gram * 0.25 / 0.3
    momentum = (most.sqrt() - 1) / (most.sqrt() + 1)
    z = ahead = torch.zeros_like(q)
    for _ in range(sweeps):
        x = torch.sigmoid(-((4 * ahead - 8 * q) @ k.mT + 3) / 0.3)
        after = ahead + (x @ k - ahead) / most
        ahead = after + momentum * (after - z)
        z = after
    x = torch.sigmoid(-((4 * z - 8 * q) @ k.mT + 3) / 0.3)
    return x @ v / x.sum(-1, keepdim=True).clamp_min(1)


def fused(kernels: Any, sweeps: int, form: str = "mean_field") -> Callable[..., Tensor]:
    """The kernel, with the first scales of a layer."""

    def layer(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        flat = [t.flatten(0, 1) for t in (q, k, v)]
        scales = (torch.full((len(flat[0]),), s, device=q.device) for s in (4.0, 8.0, 3.0))
        found: Tensor = kernels.fused_attention(*flat, *scales, sweeps=sweeps, form=form)
        return found.reshape(q.shape)

    return layer


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=200.0)
    parser.add_argument("--interpret", action="store_true", help="small, on the CPU: a trial")
    options = parser.parse_args()
    small = options.interpret
    device = "cpu" if small else "cuda"
    kernels = module("triton_kernels")
    end = time.monotonic() + options.seconds
    name = "CPU, interpreted" if small else torch.cuda.get_device_name()
    print(f"{name}, PyTorch {torch.__version__}, heads {HEADS}, width {WIDTH}")
    print(f"{'tokens':>6} {'batch':>5}  {'layer':24} forward backward  memory MiB")
    for n, batch in ({16: 1} if small else SIZES).items():
        g = torch.Generator(device).manual_seed(1)
        shape = (batch, HEADS, n, WIDTH)
        kind = torch.float32 if small else torch.bfloat16
        q, k, v = (torch.randn(shape, generator=g, device=device, dtype=kind) for _ in range(3))
        q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
        layers: dict[str, Callable[..., Tensor]] = {
            "scaled_dot_product": F.scaled_dot_product_attention,
            **{f"ours, {t} sweeps": fused(kernels, t) for t in ((2,) if small else (5, 10, 20))},
            "ours, clamp, 10 sweeps": fused(kernels, 2 if small else 10, "clamp"),
            "ours in torch, 10 sweeps": lambda q, k, v: plain(q, k, v, 10),
        }
        if n == 49:
            layers["exact, on the CPU"] = exact
        for label, layer in layers.items():
            if time.monotonic() > end:
                print("out of time")
                return
            try:
                print(f"{n:6} {batch:5}  {label:24} {measure(layer, q, k, v)}", flush=True)
            except Exception as error:
                print(f"{n:6} {batch:5}  {label:24} {type(error).__name__}: {str(error)[:50]}")
                if not small:
                    torch.cuda.empty_cache()


def exact(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The optima of the binary problems by the library, where it is installed."""
    import oa.torch

    k32, q32 = k.float().cpu(), q.float().cpu()
    x = oa.torch.binary_qp(4 * (k32 @ k32.mT), 3 - 8 * (q32 @ k32.mT)).to(q.device)
    return (x @ v.float() / x.sum(-1, keepdim=True).clamp_min(1)).to(q.dtype)


def measure(layer: Callable[..., Tensor], q: Tensor, k: Tensor, v: Tensor) -> str:
    cuda = q.is_cuda
    forward, backward = [], []
    if cuda:
        torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated() if cuda else 0
    begin = time.monotonic()
    for turn in range(13):
        inputs = [t.detach().requires_grad_() for t in (q, k, v)]
        times = [_now(cuda)]
        out = layer(*inputs)
        times.append(_now(cuda))
        if out.requires_grad:
            out.backward(torch.ones_like(out))
        times.append(_now(cuda))
        if turn > 2 or not cuda or time.monotonic() - begin > 5:
            forward.append(1e3 * (times[1] - times[0]))
            backward.append(1e3 * (times[2] - times[1]))
        if time.monotonic() - begin > 5 or not cuda:
            break
    memory = (torch.cuda.max_memory_allocated() - before) / 2**20 if cuda else 0.0
    return f"{statistics.median(forward):7.2f}  {statistics.median(backward):7.2f}  {memory:10.0f}"


def _now(cuda: bool) -> float:
    if cuda:
        torch.cuda.synchronize()
    return time.perf_counter()


if __name__ == "__main__":
    main()
