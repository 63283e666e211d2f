"""Box QPs in PyTorch beside other packages: forward and backward, time and error.

    python tests/bench/torch_layers.py [--threads 1] [--only NAME,...]
    python tests/bench/torch_layers.py --attention [--threads 1]

128 problems J of 49 variables with 49 right-hand sides each, as in a batch of attention.
Packages that solve them one after the other get 2 of the 128, and their time counts 64 times.
Errors are those of x and of the gradient of h, beside oa.torch in double precision.  (The name
is not torch.py: Python would import it in place of PyTorch.)

--attention measures weights and layers of attention for batches of these sizes, in milliseconds of
processor time.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

import oa.torch

warnings.filterwarnings("ignore")
BATCH, ROWS, SIZE, WIDTH = 128, 49, 49, 64


def problems(dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """J, h and the gradient of x."""
    g = torch.Generator().manual_seed(1)
    v = torch.randn(BATCH, SIZE, WIDTH, generator=g, dtype=torch.float64)
    h = 0.7 * torch.randn(BATCH, ROWS, SIZE, generator=g, dtype=torch.float64)
    dx = torch.randn(BATCH, ROWS, SIZE, generator=g, dtype=torch.float64)
    return (v @ v.mT / WIDTH).to(dtype), h.to(dtype), dx.to(dtype)


class LqpLayer(torch.autograd.Function):
    """The ADMM layer of lqp_py by its formula: each problem with a factor of its own matrix.

    x = (Q + rho I)^-1 (rho (z - u) - p),  z = clamp(x + u),  u += x - z, until both residuals
    are below 1e-3, as its default; backward differentiates the fixed point.
    """

    @staticmethod
    def forward(ctx: Any, Q: Tensor, p: Tensor) -> Tensor:
        rho, (b, m) = 1.0, p.shape
        eye = torch.eye(m, dtype=Q.dtype)
        factor = torch.linalg.lu_factor(Q + rho * eye)
        z = torch.zeros(b, m, 1, dtype=Q.dtype)
        u = torch.zeros_like(z)
        for _ in range(1000):
            x = torch.linalg.lu_solve(*factor, rho * (z - u) - p[..., None])
            before, z = z, (x + u).clamp(0, 1)
            u = u + x - z
            if max((x - z).norm(dim=1).max(), rho * (z - before).norm(dim=1).max()) < 1e-3:
                break
        ctx.save_for_backward(Q, z, u)
        return z[..., 0]

    @staticmethod
    def backward(ctx: Any, dz: Tensor) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        Q, z, u = ctx.saved_tensors
        free = ((z > 0) & (z < 1)).to(Q.dtype)
        eye = torch.eye(Q.shape[-1], dtype=Q.dtype)
        # Rows of bound variables are those of the identity.
        matrix = free * Q * free.mT + (1 - free) * eye
        w = free * torch.linalg.solve(matrix, free * dz[..., None])
        return -(w @ z.mT + z @ w.mT) / 2, -w[..., 0]


def each(J: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
    """Every problem with a matrix of its own."""
    Q = J[:, None].expand(-1, h.shape[1], -1, -1).reshape(-1, SIZE, SIZE)
    return Q, h.reshape(-1, SIZE)


def bounds(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    eye = torch.eye(SIZE, dtype=dtype)
    return torch.cat([eye, -eye]), torch.cat([torch.ones(SIZE), torch.zeros(SIZE)]).to(dtype)


def ours(J: Tensor, h: Tensor) -> Tensor:
    return oa.torch.box_qp(J, h)


def plain(J: Tensor, h: Tensor, steps: int, rho: float = 0.3, relax: float = 1.0) -> Tensor:
    """Steps of ADMM in operations of PyTorch, differentiated by it."""
    inverse = torch.linalg.inv(J + rho * torch.eye(SIZE, dtype=J.dtype))
    z = u = torch.zeros_like(h)
    for _ in range(steps):
        x = relax * ((rho * (z - u) - h) @ inverse) + (1 - relax) * z
        z = (x + u).clamp(0, 1)
        u = u + x - z
    return z


def lqp(J: Tensor, h: Tensor) -> Tensor:
    x: Tensor = LqpLayer.apply(*each(J, h))
    return x.reshape(h.shape)


def qpth(J: Tensor, h: Tensor) -> Tensor:
    from qpth.qp import QPFunction

    G, upper = bounds(J.dtype)
    none = torch.empty(0, dtype=J.dtype)
    Q, p = each(J, h)
    x: Tensor = QPFunction(verbose=-1)(Q, p, G, upper, none, none)
    return x.reshape(h.shape)


def proxsuite(J: Tensor, h: Tensor) -> Tensor:
    from proxsuite.torch.qplayer import QPFunction

    Q, p = each(J, h)
    eye = torch.eye(SIZE, dtype=J.dtype)
    none = torch.empty(0, dtype=J.dtype)
    found = QPFunction(structural_feasibility=True)(
        Q, p, torch.empty(0, SIZE, dtype=J.dtype), none, eye,
        torch.zeros(SIZE, dtype=J.dtype), torch.ones(SIZE, dtype=J.dtype),
    )  # fmt: skip
    x: Tensor = found[0]
    return x.reshape(h.shape)


_layer: list[Any] = []


def cvxpylayers(J: Tensor, h: Tensor) -> Tensor:
    import cvxpy as cp
    from cvxpylayers.torch import CvxpyLayer

    if not _layer:
        x, root, p = cp.Variable(SIZE), cp.Parameter((SIZE, SIZE)), cp.Parameter(SIZE)
        goal = cp.Minimize(0.5 * cp.sum_squares(root @ x) + p @ x)
        _layer.append(CvxpyLayer(cp.Problem(goal, [x >= 0, x <= 1]), [root, p], [x]))
    Q, p = each(J, h)
    (found,) = _layer[0](torch.linalg.cholesky(Q).mT, p)
    x: Tensor = found
    return x.reshape(h.shape)


PEERS: dict[str, tuple[Callable[[Tensor, Tensor], Tensor], torch.dtype, int]] = {
    "oa.torch, float32": (ours, torch.float32, BATCH),
    "oa.torch, float64": (ours, torch.float64, BATCH),
    # As many steps as single precision can use, with rho and relax tuned on these problems.
    "plain torch, tuned, 50": (lambda J, h: plain(J, h, 50, 0.5, 1.8), torch.float32, BATCH),
    "plain torch, 200 steps": (lambda J, h: plain(J, h, 200), torch.float32, BATCH),
    "lqp_py's formula": (lqp, torch.float32, BATCH),
    "qpth": (qpth, torch.float64, 2),
    "proxsuite": (proxsuite, torch.float64, 2),
    "cvxpylayers": (cvxpylayers, torch.float64, 2),
}


def measure(layer: Callable[[Tensor, Tensor], Tensor], dtype: torch.dtype, batch: int) -> Any:
    J, h, dx = (t[:batch] for t in problems(dtype))
    exact, g = J.double(), h.double().clone().requires_grad_()
    best = oa.torch.box_qp(exact, g)
    (best * dx).sum().backward()
    times = []
    for _ in range(5 if batch == BATCH else 2):
        j, p = J.clone().requires_grad_(), h.clone().requires_grad_()
        begin = time.perf_counter()
        x = layer(j, p)
        middle = time.perf_counter()
        (x * dx).sum().backward()
        end = time.perf_counter()
        times.append(((middle - begin) * 1e3 * BATCH / batch, (end - middle) * 1e3 * BATCH / batch))
    times.sort(key=sum)
    forward, backward = times[len(times) // 2 if batch == BATCH else 0]
    apart = float((x.detach().double() - best.detach()).abs().max())
    assert p.grad is not None and g.grad is not None
    # Where a coordinate is at a bound or just beside it, gradients may differ in kind.
    differ = (p.grad.double() - g.grad).abs()
    return forward, backward, apart, float(differ.median()), float(differ.max())


def weights() -> dict[str, Callable[[Tensor], Tensor]]:
    """What makes coefficients of the scores of a query."""
    functions: dict[str, Callable[[Tensor], Tensor]] = {"softmax": lambda h: h.softmax(-1)}
    try:
        import entmax

        functions |= {"sparsemax": entmax.sparsemax, "entmax15": entmax.entmax15}
    except ImportError as error:
        print(error)
    J = problems(torch.float32)[0]
    return functions | {"oa.torch.box_qp": lambda h: oa.torch.box_qp(J, -h)}


def layers() -> dict[str, Callable[[Tensor], Tensor]]:
    """Layers of 4 heads, without the weights that MultiheadAttention averages for a plot."""
    theirs = torch.nn.MultiheadAttention(WIDTH, 4, batch_first=True)
    found: dict[str, Callable[[Tensor], Tensor]] = {
        "MultiheadAttention": lambda x: theirs(x, x, x, need_weights=False)[0]
    }
    for kind in ("binary", "continuous"):
        own = oa.torch.OptimizingAttention(WIDTH, 4, coefficients=kind)
        found[f"OptimizingAttention, {kind}"] = lambda x, own=own: own(x, x, x)[0]
    return found


def attention() -> None:
    """Prints processor time of weights and of layers."""
    print(f"{'':32} forward backward     both   times")
    for some, shape in ((weights(), (BATCH, ROWS, SIZE)), (layers(), (BATCH, SIZE, WIDTH))):
        first = 0.0
        for name, layer in some.items():
            times = []
            for seed in range(7):
                x = torch.randn(shape, generator=torch.Generator().manual_seed(seed))
                x.requires_grad_()
                begin = time.process_time()
                y = layer(x)
                middle = time.process_time()
                (y * y).sum().backward()
                times.append((middle - begin, time.process_time() - middle))
            forward, backward = (1e3 * t for t in sorted(times, key=sum)[3])
            first = first or forward + backward
            print(f"{name:32} {forward:7.1f}  {backward:7.1f} {forward + backward:8.1f}", end="")
            print(f" {(forward + backward) / first:7.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--attention", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.attention:
        return attention()
    J, h, _ = problems(torch.float64)
    x = oa.torch.box_qp(J, h)
    inside = float(((x > 0) & (x < 1)).double().mean())
    print(
        f"{BATCH} x {ROWS} problems of {SIZE}, {100 * inside:.0f} % of x inside the box,", end=" "
    )
    print(f"threads: {options.threads}")
    print(f"{'':23} forward backward     both   times  error of x  of dh")
    first = 0.0
    for name, (layer, dtype, batch) in PEERS.items():
        if options.only and not any(part in name for part in options.only.split(",")):
            continue
        try:
            forward, backward, apart, _, dh = measure(layer, dtype, batch)
        except Exception as error:  # a package that is missing or fails
            print(f"{name:23} {type(error).__name__}: {str(error)[:60]}")
            continue
        both = forward + backward
        first = first or both
        print(f"{name:23} {forward:7.1f}  {backward:7.1f} {both:8.1f} {both / first:7.1f}", end=" ")
        print(f"    {apart:.0e}  {dh:.0e}", flush=True)


if __name__ == "__main__":
    main()
