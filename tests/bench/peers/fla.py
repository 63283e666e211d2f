"""Our scans beside the plain PyTorch forms of flash-linear-attention, on one core.

    python fla.py SCANS FLA [TOKENS]

SCANS is the program of `make scans`, FLA the package's folder fla/ops.  Only its files
naive.py are read: the package itself needs Triton.  A line for each kind: our milliseconds
for 16 heads of 64, those of the chunked form of FLA, their ratio, and by how much outputs
of 256 tokens differ from FLA's step by step (relative, root mean square).
"""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

HEADS, WIDTH, ROUNDS = 16, 64, 5


def module(fla: pathlib.Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, fla / name / "naive.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def inputs(kind: str, tokens: int) -> dict[str, Tensor]:
    """q, k, v, decays and steps as layers begin: unit keys, decays of 0.98 to 0.999."""
    g = torch.Generator().manual_seed(1)
    shape = (tokens, HEADS, WIDTH)
    q, k, v = (torch.randn(*shape, generator=g) for _ in range(3))
    data = {"q": F.normalize(q, dim=-1), "k": F.normalize(k, dim=-1), "v": v}
    if kind != "delta":
        a = torch.rand(*(shape if kind == "kda" else shape[:2]), generator=g)
        data["decay"] = torch.log(0.98 + 0.019 * a)
    data["step"] = torch.rand(tokens, HEADS, generator=g)
    if kind == "mesa":
        data["ridge"] = 0.25 + torch.rand(HEADS, WIDTH, generator=g)
    return data


def ours(scans: str, kind: str, data: dict[str, Tensor]) -> tuple[float, Tensor]:
    with tempfile.TemporaryDirectory() as folder:
        for name, x in data.items():
            x.contiguous().numpy().tofile(pathlib.Path(folder) / name)
        tokens = data["q"].shape[0]
        size = [str(n) for n in (tokens, HEADS, WIDTH, ROUNDS)]
        run = subprocess.run([scans, kind, folder, *size], check=True, capture_output=True)
        o = torch.from_file(f"{folder}/o", size=data["v"].numel()).clone()
        return float(run.stdout), o.view_as(data["v"])


def theirs(fla: pathlib.Path, kind: str, data: dict[str, Tensor], chunked: bool) -> Tensor:
    x = {name: value[None] for name, value in data.items()}
    q, k, v, step = x["q"], x["k"], x["v"], x["step"]
    if kind == "delta":
        rule = module(fla, "delta_rule")
        across = [t.transpose(1, 2) for t in (q * WIDTH**0.5, k, v, step)]
        f = rule.delta_rule_chunkwise if chunked else rule.delta_rule_recurrence
        return f(*across)[0].transpose(1, 2)[0]
    if kind == "mesa":
        mesa = module(fla, "mesa_net")
        arguments = (q, k, v, x["decay"], data["ridge"], step)
        if chunked:
            return mesa.naive_mesa_net_CG(*arguments, 64)[0][0]
        return mesa.naive_mesa_net_exact(*arguments)[0][0]
    rule = module(fla, "kda" if kind == "kda" else "gated_delta_rule")
    name = "kda" if kind == "kda" else "gated_delta_rule"
    f = getattr(rule, ("naive_chunk_" if chunked else "naive_recurrent_") + name)
    return f(q=q, k=k, v=v, g=x["decay"], beta=step, scale=1.0)[0][0]


def median_ms(f: Any) -> float:
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        f()
        times.append(1e3 * (time.process_time() - begin))
    return sorted(times)[ROUNDS // 2]


def main() -> None:
    torch.set_num_threads(1)
    scans, fla = sys.argv[1], pathlib.Path(sys.argv[2])
    tokens = int(sys.argv[3]) if len(sys.argv) > 3 else 2048
    print("kind          our ms   their ms  ratio  error")
    for kind in ("delta", "gated-delta", "kda", "mesa"):
        few = inputs(kind, 256)
        expected = theirs(fla, kind, few, chunked=False)
        error = (ours(scans, kind, few)[1] - expected).norm() / expected.norm()
        data = inputs(kind, tokens)
        ms = ours(scans, kind, data)[0]
        with torch.no_grad():
            other = median_ms(lambda: theirs(fla, kind, data, chunked=True))  # noqa: B023
        print(f"{kind:12} {ms:7.2f} {other:10.2f} {ms / other:6.3f}  {error:.1e}", flush=True)


if __name__ == "__main__":
    main()
