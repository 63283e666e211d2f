"""Decoders beside every set of tiny sums.  Run by `make check`."""

import itertools

import decoders
import numpy as np
from rivals import Problems, by_numpy, by_tools, wilson
from tokens import ceiling

rng = np.random.default_rng(1)
TRIALS, M, D, K, PENALTY = 24, 8, 5, 3, 0.1
every = np.array(list(itertools.product([False, True], repeat=M)))


def draw(d, k, noise):
    v = rng.standard_normal((TRIALS, M, d))
    v /= np.linalg.norm(v, axis=2, keepdims=True)
    x = rng.random((TRIALS, M)).argsort(axis=1).argsort(axis=1) < k
    return v, np.einsum("tm,tmd->td", x, v) + noise * rng.standard_normal((TRIALS, d)), x


def least(v, q, sets, penalty):
    rest = q[:, None] - np.einsum("sm,tmd->tsd", sets, v)
    cost = (rest**2).sum(axis=2) + penalty * sets.sum(axis=1)
    return sets[cost.argmin(axis=1)]


v, q, x = draw(D, K, 0.2)
of_size = least(v, q, every[every.sum(axis=1) == K], 0.0)
of_any = least(v, q, every, PENALTY)
for name, decode in (("beam", decoders.beam), ("swaps", decoders.swaps)):
    assert (decode(v, q, K, 0.0, 256) == of_size).all(), name
    assert (decode(v, q, None, PENALTY, 256) == of_any).all(), name
for k, sets, trial in ((K, of_size, 1.0), (None, of_any, PENALTY)):
    found = by_tools("--solver exact")(Problems(v, q[:, None], sets[:, None]), k, trial)
    assert found.right == found.proved == TRIALS

# Sums that anything decodes.
v, q, x = draw(16, 2, 0.01)
easy = Problems(v, q[:, None], x[:, None])
for decode, trial in ((decoders.box, 0.03), (decoders.lasso, 0.03), (decoders.omp, 0.1)):
    assert by_numpy(decode)(easy, 2, trial).right == TRIALS, decode.__name__
for decode, trial in ((decoders.amp, 0.5), (decoders.expectation_propagation, (0.01, 0.1))):
    assert by_numpy(decode, takes_share=True)(easy, 2, trial).right >= 0.9 * TRIALS, decode.__name__

# The bound of tokens to keep holds for every choice, and is near the best.
gains, unit = rng.random((TRIALS, M)), rng.standard_normal((TRIALS, M, D))
unit /= np.linalg.norm(unit, axis=2)[:, :, None]
alike = unit @ unit.transpose(0, 2, 1)
some = every[every.sum(axis=1) == K].astype(float)
values = some @ gains.T - 0.15 * (np.einsum("si,tij,sj->st", some, alike, some) - K)
bound = ceiling(gains, alike, 0.3, K)
assert (bound >= values.max(axis=0) - 1e-9).all() and (bound < 1.2 * values.max(axis=0)).all()

low, high = wilson(0, 100)
assert abs(low) < 1e-9 and abs(high - 3.6995) < 1e-3
print("decoders find the sets of least cost")
