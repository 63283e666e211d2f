"""The fused kernel under Triton's interpreter, beside the operators of oa.torch."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

CHECK = """
import itertools
import torch
import oa.torch as ot
from oa.torch.triton_kernels import fused_attention

torch.manual_seed(1)
for form, causal, (n, m, d) in itertools.product(
    ("mean_field", "clamp"), (False, True), ((20, 20, 8), (5, 33, 16))
):
    if causal and n != m:
        continue
    q, k, v = (torch.randn(1, r, d) for r in (n, m, m))
    q, k = q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)
    scales = torch.tensor([2.0]), torch.tensor([6.0]), torch.tensor([0.5])
    inputs = [t.requires_grad_() for t in (q, k, v, *scales)]
    out = fused_attention(*inputs, sweeps=80, form=form, causal=causal)
    weight = torch.randn_like(out)
    found = torch.autograd.grad((out * weight).sum(), inputs)
    a, b, p = (s[:, None, None] for s in scales)
    J, h = a * (k @ k.mT), p - b * (q @ k.mT)
    if causal:
        h = h.masked_fill(torch.ones(n, m, dtype=torch.bool).triu(1), 1e9)
    if form == "clamp":
        x = ot.box_qp(J + 0.3 * torch.eye(m), h)
    else:
        x = ot.mean_field(J, h, 0.3)
    y = x @ v / x.sum(-1, keepdim=True).clamp_min(1)
    expected = torch.autograd.grad((y * weight).sum(), inputs)
    print(form, causal, n, float((out - y).detach().abs().max()))
    assert (out - y).abs().max() < 1e-4, (form, causal, n)
    for name, g, e in zip("q k v alpha beta penalty".split(), found, expected):
        apart = float((g - e).abs().max() / e.abs().max().clamp_min(1))
        print("   ", name, apart)
        assert apart < 1e-3, (name, apart)

layer = ot.OptimizingAttention(8, 2, "separate", output=True)
layer.relaxed, layer.sweeps = True, 80
q, k, v = layer._maps(*3 * [torch.randn(1, 9, 8)])
plain, _ = layer.attend(q, k, v, layer._scales())
assert (plain - layer.attend_fused(q, k, v, layer._scales())).abs().max() < 1e-4
"""


def test_kernel() -> None:
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CHECK], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
