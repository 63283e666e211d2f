"""Decoders of sums: which of the m rows of V add up to a query q, x in {0, 1}^m.

Each takes V (t, m, d), q (t, d), the size k of the sets or None, and one parameter, and returns
a score for each vector, which `decide` turns into sets, or the sets themselves.
"""

import numpy as np


def decide(score, k):
    """The k largest scores, or those above 1/2."""
    if k is None:
        return score > 0.5
    chosen = np.zeros(score.shape, bool)
    np.put_along_axis(chosen, np.argsort(-score, axis=-1)[..., :k], True, axis=-1)
    return chosen


def with_size(v, q, k, weight):
    """Adds a number to each vector, so that the distance grows by (weight (sum x - k))^2."""
    v = np.concatenate([v, np.full((*v.shape[:-1], 1), weight, v.dtype)], axis=-1)
    q = np.concatenate([q, np.full((*q.shape[:-1], 1), weight * k, q.dtype)], axis=-1)
    return v, q


def descent(v, q, penalty, low, high, sweeps=300):
    """The minimum of |q - x'V|^2 + penalty |x|_1 over low <= x <= high, by coordinates."""
    x = np.zeros(v.shape[:2])
    rest = q.astype(float)
    norms = np.einsum("tmd,tmd->tm", v, v)
    for _ in range(sweeps):
        for j in range(v.shape[1]):
            free = x[:, j] + np.einsum("td,td->t", rest, v[:, j]) / norms[:, j]
            shrunk = np.sign(free) * np.maximum(np.abs(free) - penalty / (2 * norms[:, j]), 0.0)
            new = np.clip(shrunk, low, high)
            rest += (x[:, j] - new)[:, None] * v[:, j]
            x[:, j] = new
    return x


def lasso(v, q, k, penalty):
    return descent(v, q, penalty, -np.inf, np.inf)


def box(v, q, k, penalty):
    return descent(v, q, penalty, 0.0, 1.0)


def omp(v, q, k, tolerance):
    """Orthogonal matching pursuit; of unknown size: until the residual is below the tolerance."""
    trials, m, d = v.shape
    picked = np.zeros((trials, 0), int)
    sets = np.zeros((trials, m), bool)
    rest, open_ = q.copy(), np.ones(trials, bool)
    for size in range(1, (k or d) + 1):
        fit = np.abs(np.einsum("tmd,td->tm", v, rest))
        np.put_along_axis(fit, picked, -1.0, axis=1)
        picked = np.concatenate([picked, np.argmax(fit, axis=1)[:, None]], axis=1)
        a = np.take_along_axis(v, picked[..., None], axis=1)
        gram = a @ a.transpose(0, 2, 1) + 1e-9 * np.eye(size)
        x = np.linalg.solve(gram, a @ q[..., None])
        rest = q - (a.transpose(0, 2, 1) @ x)[..., 0]
        chosen = np.zeros((trials, m), bool)
        np.put_along_axis(chosen, picked, True, axis=1)
        sets[open_] = chosen[open_]
        if k is None:
            open_ &= np.linalg.norm(rest, axis=1) > tolerance
    return sets


def log_odds(share):
    return np.log(share / (1.0 - share))


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-np.clip(x, -700, 700)))


def amp(v, q, k, damping, share, steps=200):
    """Approximate message passing with the posterior mean of a bit as denoiser."""
    d = v.shape[2]
    x = np.full(v.shape[:2], share)
    rest = q - np.einsum("tm,tmd->td", x, v)
    for _ in range(steps):
        variance = np.maximum(np.einsum("td,td->t", rest, rest) / d, 1e-6)[:, None]
        field = x + np.einsum("tmd,td->tm", v, rest)
        mean = sigmoid(log_odds(share) + (2 * field - 1) / (2 * variance))
        memory = (mean * (1 - mean) / variance).sum(axis=1, keepdims=True) / d
        x += damping * (mean - x)
        rest += damping * (q - np.einsum("tm,tmd->td", x, v) + rest * memory - rest)
    return x


def expectation_propagation(v, q, k, trial, share, steps=100):
    """Binary least squares by EP (Cespedes et al., 2014): a Gaussian with the moments of bits."""
    noise, damping = trial
    if k is not None:
        v, q = with_size(v, q, k, 1.0)
    eye = noise * np.eye(v.shape[2])
    precision = np.full(v.shape[:2], 1.0 / (share * (1.0 - share)))
    shift = share * precision
    for _ in range(steps):
        spread = 1.0 / precision
        start = shift * spread
        weighted = v * spread[..., None]
        inverse = np.linalg.inv(eye + v.transpose(0, 2, 1) @ weighted)
        gain = weighted @ inverse
        mu = start + np.einsum("tmd,td->tm", gain, q - np.einsum("tm,tmd->td", start, v))
        sigma = np.maximum(spread - np.einsum("tmd,tmd->tm", gain, weighted), 1e-12)
        cavity = np.maximum(1.0 / sigma - precision, 1e-9)
        place = (mu / sigma - shift) / cavity
        mean = sigmoid(log_odds(share) + (place - 0.5) * cavity)
        variance = np.maximum(mean * (1.0 - mean), 1e-6)
        new = 1.0 / variance - cavity
        kept = new <= 0.0
        new_shift = mean / variance - place * cavity
        precision += damping * np.where(kept, 0.0, new - precision)
        shift += damping * np.where(kept, 0.0, new_shift - shift)
    return mean


def beam(v, q, k, penalty, width, largest=16):
    """Grows sets by a vector at a time and keeps the `width` nearest, without repetitions."""
    return np.stack([grow(*one, k, penalty, width, largest) for one in zip(v, q)])


def grow(v, q, k, penalty, width, largest):
    m = len(v)
    bits = np.uint64(1) << np.arange(m, dtype=np.uint64)
    masks, rest = np.zeros(1, np.uint64), q[None]
    best, answer = q @ q, masks[0]
    for size in range(1, (k or min(largest, m)) + 1):
        near = np.einsum("sd,sd->s", rest, rest)[:, None] - 2.0 * rest @ v.T
        near += np.einsum("md,md->m", v, v)
        near[masks[:, None] & bits != 0] = np.inf
        near = near.ravel()
        first = np.arange(near.size)
        if near.size > width * size:  # a set has at most `size` parents
            first = np.argpartition(near, width * size)[: width * size]
        first = first[np.isfinite(near[first])]
        parent, member = np.divmod(first, m)
        children, once = np.unique(masks[parent] | bits[member], return_index=True)
        cost = near[first[once]]
        if len(once) > width:
            kept = np.argpartition(cost, width)[:width]
            children, once, cost = children[kept], once[kept], cost[kept]
        masks, rest = children, rest[parent[once]] - v[member[once]]
        least = np.argmin(cost)
        if k is not None or cost[least] + penalty * size < best:
            best, answer = cost[least] + penalty * size, masks[least]
    return answer & bits != 0


def swaps(v, q, k, penalty, starts, seed=1):
    """Descent from random sets by the best exchange; of unknown size: or the best flip."""
    rng = np.random.default_rng(seed)
    return np.stack([best_descent(*one, k, penalty, starts, rng) for one in zip(v, q)])


def best_descent(v, q, k, penalty, starts, rng):
    m, d = v.shape
    gram, own = (v @ v.T).astype(np.float32), np.einsum("md,md->m", v, v)
    price = (own + penalty).astype(np.float32)
    sizes = np.full(starts, k) if k is not None else rng.integers(1, d + 1, starts)
    order = rng.random((starts, m)).argsort(axis=1).argsort(axis=1)
    x = order < sizes[:, None]
    field = ((q - x @ v) @ v.T).astype(np.float32)  # the vectors' products with the residual
    moving = np.arange(starts)
    while len(moving):
        s, f, rows = x[moving], field[moving], np.arange(len(moving))
        put = np.where(s, np.inf, price - 2.0 * f)  # the change of cost by adding
        drop = np.where(s, own - penalty + 2.0 * f, np.inf)
        out, into = exchange(s, put, drop, gram, k)
        gain = drop[rows, out] + put[rows, into] - 2.0 * gram[out, into]
        swap = gain < -1e-5
        leave, enter = swap, swap
        if k is None:
            # The best flip, where it is better than the exchange.
            alone, other = drop.argmin(axis=1), put.argmin(axis=1)
            less, more = drop[rows, alone], put[rows, other]
            shrink = (less < gain) & (less <= more) & (less < -1e-5)
            extend = (more < gain) & (more < less) & (more < -1e-5)
            swap = swap & ~shrink & ~extend
            leave, enter = swap | shrink, swap | extend
            out, into = np.where(shrink, alone, out), np.where(extend, other, into)
        x[moving[leave], out[leave]] = False
        x[moving[enter], into[enter]] = True
        field[moving[leave]] += gram[out[leave]]
        field[moving[enter]] -= gram[into[enter]]
        moving = moving[leave | enter]
    cost = ((q - x @ v) ** 2).sum(axis=1) + penalty * x.sum(axis=1)
    return x[cost.argmin()]


def exchange(s, put, drop, gram, k):
    """The best exchange of each set: which vector leaves and which one enters."""
    rows = np.arange(len(s))
    if k is None:
        change = drop[:, :, None] + put[:, None, :] - 2.0 * gram
        out, into = np.divmod(change.reshape(len(s), -1).argmin(axis=1), s.shape[1])
        return out, into
    members = np.nonzero(s)[1].reshape(len(s), k)
    change = drop[rows[:, None], members][..., None] + put[:, None, :] - 2.0 * gram[members]
    place, into = np.divmod(change.reshape(len(s), -1).argmin(axis=1), s.shape[1])
    return members[rows, place], into
