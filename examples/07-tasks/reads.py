"""Marginals by drawn states beside exact ones: errors of values and gradients, and times.

    reads.py [PROBLEMS]

Problems have the form of the layer: unit keys of 16 numbers, J = alpha k k', and queries that are
sums of four keys.  Needs oa.torch.
"""

import sys
import time

import torch

import oa.torch as ot


def problems(m, n, alpha):
    k = torch.nn.functional.normalize(torch.randn(m, 16, dtype=torch.float64), dim=1)
    sums = torch.stack([k[torch.randperm(m)[:4]].sum(0) for _ in range(n)])
    return (alpha * k @ k.T).requires_grad_(), (1 - 0.7 * alpha * sums @ k.T).requires_grad_()


def measured(J, h, slope, **how):
    """Values, gradients, and milliseconds of a problem forward and backward."""
    start = time.process_time()
    p = ot.marginals(J, h, **how)
    middle = time.process_time()
    gradients = torch.autograd.grad((p * slope).sum(), (J, h))
    times = middle - start, time.process_time() - middle
    return p.detach(), *gradients, *(1000 * t / len(h) for t in times)


def main(count="8"):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    print("variables  alpha  reads   forward ms  backward ms   error of p    of dJ     of dh")
    for m in (20, 24, 49):
        for alpha in (4.0, 16.0):
            J, h = problems(m, int(count), alpha)
            slope = torch.randn(h.shape, dtype=torch.float64)
            exact = measured(J, h, slope) if m <= 24 else None
            for reads in (None, 256, 1024, 4096):
                if reads is None and exact is None:
                    continue
                p, dj, dh, *times = measured(J, h, slope, reads=reads)
                line = f"{m:9}{alpha:7g}{reads or 'exact':>7}{times[0]:13.1f}{times[1]:13.1f}"
                if reads and exact:
                    far = [
                        100 * float((a - b).norm() / b.norm()) for a, b in zip((dj, dh), exact[1:])
                    ]
                    line += f"{float((p - exact[0]).square().mean().sqrt()):13.4f}"
                    line += "".join(f"{error:8.1f} %" for error in far)
                print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
