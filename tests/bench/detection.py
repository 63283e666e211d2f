"""MIMO detection by oa-anneal: residuals and bit errors by group, beside linear detectors.

Usage: OA_SHARED=FOLDER detection.py [LIMIT] [SAMPLES] [WORDS]

Takes the instances of FOLDER/detection whose group names contain one of WORDS (default: all).
oa-anneal, which PATH must have, solves each one for LIMIT seconds (10), and draws SAMPLES states (400)
at the temperature of the noise, by the SNR in the name of the group.  Columns:

  reached   instances whose residual is at most that of the transmitted symbols, of how many
  residual  the mean, and that of the transmitted symbols
  proved    instances with a proved optimum
  zf, mmse  bit error rate of zero forcing and of least mean squared error, both rounded
  best      bit error rate of the best vector
  marginal  bit error rate of the more frequent value of each bit over the samples

Published for all 150 instances of the contest: zero forcing .411, k-best .262, BSB .216, MMSE .207,
LQA .206, regularised BSB .186, expectation propagation .169, the best tuned .155.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402


def gray(bits: np.ndarray) -> np.ndarray:
    """Odd levels of the bits (.., k) of one dimension: s0 (2^(k-1) - s1 (2^(k-2) - ...))."""
    signs = 1.0 - 2.0 * bits
    k = bits.shape[-1]
    level = np.ones(bits.shape[:-1])
    for place in range(k - 1, 0, -1):
        level = 2.0 ** (k - place) - signs[..., place] * level
    return signs[..., 0] * level


class Instance:
    """Real numbers: y = H z + noise, with odd levels z of `digits` bits."""

    def __init__(self, channel: np.ndarray, received: np.ndarray, bits: np.ndarray, snr: float):
        users, k = bits.shape
        self.digits = k // 2
        scale = np.sqrt(2.0 * (4.0**self.digits - 1.0) / 3.0)
        h = channel.astype(complex) / scale
        self.h = np.block([[h.real, -h.imag], [h.imag, h.real]])
        self.y = np.r_[received.real, received.imag].astype(float)
        self.bits = np.vstack([bits[:, 0::2], bits[:, 1::2]])
        # Both parts have half of the power of the noise.
        self.noise = float((np.abs(channel) ** 2).sum()) / users / 10.0 ** (snr / 10.0)
        choices = np.arange(2**self.digits)
        table = choices[:, None] >> np.arange(self.digits) & 1
        self.table = table[np.argsort(gray(table))]  # bits of levels, lowest first

    def qubo(self) -> tuple[np.ndarray, float]:
        """The matrix, and the constant that makes x'Qx the residual; digit b has weight 2^b."""
        a = np.hstack([self.h * 2.0**b for b in range(self.digits)])
        gram, linear = a.T @ a, -2.0 * a.T @ self.y
        diagonal = np.diag(2.0 * linear - 4.0 * gram.sum(1))
        return 4.0 * gram + diagonal, gram.sum() - linear.sum() + self.y @ self.y

    def levels(self, x: np.ndarray) -> np.ndarray:
        """The numbers of each level from 0, of vectors x (.., variables)."""
        digits = x.reshape(*x.shape[:-1], self.digits, -1).astype(int)
        return (digits << np.arange(self.digits)[:, None]).sum(-2)

    def residual(self, levels: np.ndarray) -> float:
        return float(((self.y - self.h @ (2.0 * levels + 1.0 - 2.0**self.digits)) ** 2).sum())

    def sent(self) -> float:
        return float(((self.y - self.h @ gray(self.bits)) ** 2).sum())

    def errors(self, levels: np.ndarray) -> float:
        return float((self.table[levels] != self.bits).mean())

    def linear(self, ridge: float) -> np.ndarray:
        gram = self.h.T @ self.h + ridge * np.eye(self.h.shape[1])
        z = np.linalg.solve(gram, self.h.T @ self.y)
        most = 2**self.digits - 1
        return np.clip(np.rint((z + most) / 2.0), 0, most).astype(int)

    def mmse(self) -> np.ndarray:
        power = (4.0**self.digits - 1.0) / 3.0
        return self.linear(self.noise / 2.0 / power)


def anneal(*arguments: str) -> str:
    return subprocess.run(["oa-anneal", "-q", *arguments], check=True, capture_output=True, text=True).stdout


def measure(instance: Instance, limit: float, samples: int, folder: pathlib.Path) -> dict[str, float]:
    matrix, constant = instance.qubo()
    file, drawn = folder / "problem.npy", folder / "samples.npy"
    np.save(file, matrix)
    found = json.loads(anneal("--time-limit", str(limit), str(file)))
    best = instance.levels(np.array(found["x"]))
    row = {
        "reached": instance.residual(best) <= instance.sent() * (1.0 + 1e-9),
        "residual": instance.residual(best),
        "sent": instance.sent(),
        "proved": found["proved_optimal"],
        "zf": instance.errors(instance.linear(0.0)),
        "mmse": instance.errors(instance.mmse()),
        "best": instance.errors(best),
    }
    if samples:
        # The density of y is exp(-|y - Hz|^2 / noise).
        anneal("--sample", str(samples), "--temperature", str(instance.noise), "--samples", str(drawn), str(file))
        table = np.load(drawn)
        weights, states = table[:, 1], instance.levels(table[:, 3:])
        ones = (weights[:, None, None] * instance.table[states]).sum(0) / weights.sum()
        row["marginal"] = float(((ones > 0.5) != instance.bits).mean())
    return row


def show(name: str, rows: list[dict[str, float]]) -> None:
    mean = {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}
    counts = [f"{sum(row[key] for row in rows):3.0f} of {len(rows)}" for key in ("reached", "proved")]
    rates = "".join(f"{mean[key]:9.4f}" for key in ("zf", "mmse", "best", "marginal") if key in mean)
    print(f"{name:18}{counts[0]:>10}{mean['residual']:9.1f}{mean['sent']:9.1f}{counts[1]:>10}{rates}", flush=True)


def main() -> None:
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    words = sys.argv[3:] or [""]
    files = sorted(pathlib.Path(os.environ["OA_SHARED"], "detection").glob("*.npz"))
    print(f"{'':18}{'reached':>10}{'residual':>9}{'sent':>9}{'proved':>10}{'zf':>9}{'mmse':>9}{'best':>9}{'marginal':>9}")
    everything = []
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            if not any(word in file.stem for word in words):
                continue
            data = np.load(file)
            snr = float(file.stem.rsplit("-", 1)[1].removesuffix("db"))
            instances = [Instance(*one, snr) for one in zip(data["H"], data["y"], data["bits"])]
            rows = [measure(one, limit, samples, pathlib.Path(folder)) for one in instances]
            show(file.stem, rows)
            everything += rows
    show("all", everything)


if __name__ == "__main__":
    main()
