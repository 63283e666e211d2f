"""oa.torch: relaxed, binary and level coefficients, and their gradients."""

from __future__ import annotations

import inspect
import itertools
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import oa.torch as ot  # noqa: E402
from oa.torch import elsewhere, ops  # noqa: E402

Problem = tuple[Any, Any]


def problems(b: int, n: int, m: int, rank: int, seed: int = 1, dtype: Any = None) -> Problem:
    """Problems with coefficients at both bounds and between."""
    g = torch.Generator().manual_seed(seed)
    v = torch.randn(b, m, rank, generator=g, dtype=torch.float64)
    J = v @ v.mT / rank + 0.1 * torch.eye(m, dtype=torch.float64)
    h = torch.randn(b, n, m, generator=g, dtype=torch.float64)
    return J.to(dtype or torch.float64), h.to(dtype or torch.float64)


FUNCTIONS: dict[str, Any] = {
    "box": ot.box_qp,
    "smoothed": lambda J, h: ot.box_qp(J, h, gradient="smoothed"),
    "bounds": lambda J, h: ot.box_qp(J, h, -0.5, 0.75),
    "wide": lambda J, h: ot.box_qp(J, h, -0.5, torch.inf),
    "total": lambda J, h: ot.box_qp(J, h, total=2.0),
    "budget": lambda J, h: ot.box_qp(J, h, budget=1.0),
    "mean_field": lambda J, h: ot.mean_field(J, h, 0.3),
    "lasso": lambda J, h: ot.lasso_qp(J, h, 0.3),
    "binary": ot.binary_qp,
    "binary-box": lambda J, h: ot.binary_qp(J, h, relaxation="box"),
    "binary-round": lambda J, h: ot.binary_qp(J, h, "round", relaxation="box"),
    "binary-total": lambda J, h: ot.binary_qp(J, h, total=2),
    "binary-budget": lambda J, h: ot.binary_qp(J, h, budget=2),
    "levels": lambda J, h: ot.levels_qp(J, h, 3),
}
KINDS = ("box", "bounds", "wide", "mean_field", "lasso")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shared", [False, True])
def test_gradcheck(kind: str, shared: bool) -> None:
    J, h = problems(2, 3, 6, 4)
    J = J[0] if shared else J
    assert torch.autograd.gradcheck(
        FUNCTIONS[kind], (J.requires_grad_(), h.requires_grad_()), eps=1e-7, atol=1e-5
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_box_optimality(dtype: Any) -> None:
    for m, rank in ((5, 5), (49, 12), (49, 64), (300, 20)):
        J, h = problems(3, 4, m, rank, m, dtype)
        x = ot.box_qp(J, h)
        g = x @ J + h
        goal = (x - g / J.diagonal(dim1=-2, dim2=-1)[:, None]).clamp(0, 1)
        assert (goal - x).abs().max() < (1e-5 if dtype == torch.float32 else 1e-11)
        assert ((x > 0) & (x < 1)).any() and (x == 0).any() and (x == 1).any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("lo", "hi"), [(0, 1e8), (-1e6, torch.inf), (-torch.inf, 0.5), (3, 1e38)])
def test_wide_bounds(lo: float, hi: float, dtype: Any) -> None:
    for m, size in ((5, 1.0), (49, 1e4), (49, 1e-4)):
        J, h = problems(3, 4, m, 20, m, dtype)
        h = size * h
        x = ot.box_qp(J, h, lo, hi)
        goal = (x - (x @ J + h) / J.diagonal(dim1=-2, dim2=-1)[:, None]).clamp(lo, hi)
        scale = x.abs().amax(-1, keepdim=True)
        assert ((goal - x) / scale).abs().max() < (1e-5 if dtype == torch.float32 else 1e-11)
        other, root = elsewhere.within(J, h, elsewhere.box, lo, hi, None)
        assert ((other - x) / scale).abs().max() < 1e-6
        assert torch.equal(root, ((x > lo) & (x < hi)).to(dtype))
    found = ot.box_qp(torch.eye(2), torch.tensor([-3.0, 1.0]), 0, 1e8)
    assert torch.equal(found, torch.tensor([3.0, 0.0]))


def test_infinite_bounds_need_a_minimum() -> None:
    for J, h in ((torch.zeros(2, 2), [-1.0, 1.0]), (torch.ones(2, 2), [-1.0, 1.0])):
        with pytest.raises(ValueError, match="lo, hi: no minimum"):
            ot.box_qp(J, torch.tensor(h), -torch.inf, torch.inf)
        assert torch.isfinite(ot.box_qp(J, torch.tensor(h), -1e9, 1e9)).all()


@pytest.mark.parametrize("lo_hi", [(0, 1), (-1, 2), (0, torch.inf)])
@pytest.mark.parametrize("gradient", ["implicit", "smoothed"])
def test_couplings_of_no_convex_function(lo_hi: tuple[float, float], gradient: str) -> None:
    J, h = problems(2, 3, 6, 4)
    turned = J - 1.1 * torch.linalg.eigvalsh(J)[:, :1, None] * torch.eye(6, dtype=J.dtype)
    for wrong in (turned, turned[:1], torch.tensor([[0.0, 1.0], [1.0, 0.0]])):
        fields = h[..., : wrong.shape[-1]].to(wrong.dtype)
        with pytest.raises(ValueError, match="J: not positive semidefinite"):
            ot.box_qp(wrong, fields, *lo_hi, gradient=gradient)
        with pytest.raises(ValueError, match="J: not positive semidefinite"):
            ot.lasso_qp(wrong, fields, 0.1)
    if lo_hi == (0, 1):
        assert torch.isfinite(ot.box_qp(turned, h, gradient=gradient, check=False)).all()
    assert torch.isnan(ot.box_qp(J * torch.nan, h, *lo_hi)).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_rounded_couplings_are_convex(dtype: Any) -> None:
    for m, rank in ((2, 1), (49, 3), (200, 10), (300, 64)):
        v = torch.randn(4, m, rank, generator=torch.Generator().manual_seed(m), dtype=torch.float64)
        for scale in (1e-2, 1, 1e2):
            J = (scale * v @ v.mT / rank).to(dtype)
            x = ot.box_qp(J, torch.full((4, 1, m), -scale, dtype=dtype))
            assert torch.isfinite(x).all()
    zero = torch.zeros(3, 3, dtype=dtype)
    assert torch.equal(ot.box_qp(zero, -torch.ones(3, dtype=dtype)), torch.ones(3, dtype=dtype))


def test_smoothed_gradient_between_bounds() -> None:
    J, h = problems(2, 3, 6, 4)
    lo, w = -0.5, 1.25

    def plainly(J: Any, h: Any) -> Any:
        shifted = (h + lo * J.sum(-1).unsqueeze(-2)) / w
        return lo + w * ot.box_qp(J, shifted, gradient="smoothed", temperature=0.2)

    found = []
    for f in (
        lambda J, h: ot.box_qp(J, h, lo, lo + w, gradient="smoothed", temperature=0.2),
        plainly,
    ):
        leaves = J.clone().requires_grad_(), h.clone().requires_grad_()
        x = f(*leaves)
        # Gradients of J are symmetric ones.
        dj, dh = torch.autograd.grad((x * h).sum(), leaves)
        found.append((x, dj + dj.mT, dh))
    assert all(torch.allclose(a, b, atol=1e-9) for a, b in zip(*found))


@pytest.mark.parametrize("kind", ["box", "mean_field"])
def test_large_terms_leave_the_others_exact(kind: str) -> None:
    J, h = problems(2, 5, 20, 8)
    hidden = torch.arange(20) % 3 == 1
    J32, h32 = J.float(), h.float().masked_fill(hidden, 1e9)
    rest = ~hidden
    expected, _ = ops.relax(J[:, rest][..., rest], h[..., rest], kind, 0.3, 0.3, 1e-7, 1e-6)
    for x in (
        ops.relax(J32, h32, kind, 0.3, 0.3, 1e-7, 1e-6)[0],
        elsewhere.relax(J32, h32, kind, 0.3, 0.3)[0],
    ):
        assert (x[..., hidden] == 0).all() and (x[..., rest] - expected).abs().max() < 1e-5


def test_gradients_of_temperature_and_penalty() -> None:
    J, h = problems(2, 3, 6, 4)
    t = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    for f in (ot.mean_field, ot.lasso_qp):
        plain, learned = f(J, h, 0.3), f(J, h, t)
        assert torch.allclose(plain, learned, atol=1e-12)
        assert torch.autograd.gradcheck(f, (J, h, t), eps=1e-7, atol=1e-5)
        assert torch.equal(f(J, h, t.detach()), plain)
        with pytest.raises(ValueError, match="expected one number"):
            f(J, h, torch.ones(3, requires_grad=True))
    for name, call in (
        ("temperature", lambda: ot.box_qp(J, h, gradient="smoothed", temperature=t)),
        ("temperature", lambda: ot.binary_qp(J, h, temperature=t)),
        ("temperature", lambda: ot.OptimizingAttention(8, temperature=t)),
        ("penalty", lambda: ot.OptimizingAttention(8, keys="own", penalty=t)),
    ):
        with pytest.raises(ValueError, match=f"{name}: it gets no gradient"):
            call()


SOLVERS = ("auto", "exact", "round", "sa", "pt", "tabu", "sb", "sb-discrete", "cim", "cim-control",
           "admm", "greedy")  # fmt: skip


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers(solver: str) -> None:
    J, h = 2 * torch.eye(3), torch.tensor([-1.2, 0.5, -3.0])
    assert torch.equal(ot.binary_qp(J, h, solver), torch.tensor([1.0, 0.0, 1.0]))
    layer = ot.OptimizingAttention(8, keys="own", solver=solver)
    assert torch.isfinite(layer(torch.randn(2, 5, 8))[0]).all()
    if solver in ("sa", "greedy"):
        assert torch.equal(ot.levels_qp(J, h, 3, solver), torch.tensor([0.5, 0.0, 1.0]))
        with pytest.raises(ValueError, match=f"max_nodes has no effect with the solver {solver}"):
            ot.binary_qp(J, h, solver, max_nodes=7)


@pytest.mark.parametrize("kind", ["box", "smoothed", "mean_field", "lasso"])
@pytest.mark.parametrize("m", [4, 49, 70])
def test_operations_of_pytorch_say_the_same(kind: str, m: int) -> None:
    J, h = problems(2, 5, m, 20)
    b = torch.randn(h.shape, dtype=h.dtype, generator=torch.Generator().manual_seed(2))
    x, root = ops.relax(J, h, kind, 0.3, 0.3, 1e-7, 1e-6)
    y, slope = elsewhere.relax(J, h, kind, 0.3, 0.3)
    assert (x - y).abs().max() < 1e-9 and (root - slope).abs().max() < 1e-6
    free = kind in ("box", "lasso")
    dj, dh = ops.relax_backward(J, x, root, b, free, 1e-7)
    w = elsewhere.systems(J, root, b, free)
    assert (dh + w).abs().max() < 1e-8 * w.abs().max().clamp_min(1)
    assert (dj + (w.mT @ x + x.mT @ w) / 2).abs().max() < 1e-7
    x32, root32 = ops.relax(J.float(), h.float(), kind, 0.3, 0.3, 1e-7, 1e-6)
    assert (x - x32).abs().max() < 1e-5 * x.abs().max()
    _, dh32 = ops.relax_backward(J.float(), x32, root32, b.float(), free, 1e-5)
    assert (dh - dh32).abs().max() < 1e-3 * dh.abs().max()
    y32, _ = elsewhere.relax(J.float(), h.float(), kind, 0.3, 0.3)
    assert (x - y32).abs().max() < 1e-5 * x.abs().max()


@pytest.mark.parametrize("levels", [2, 4])
@pytest.mark.parametrize("relaxation", ["mean_field", "box"])
def test_discrete(levels: int, relaxation: str) -> None:
    J, h = problems(2, 3, 5, 3)
    J, h = J.requires_grad_(), h.requires_grad_()
    if levels == 2:
        x = ot.binary_qp(J, h, relaxation=relaxation, temperature=0.2)
    else:
        x = ot.levels_qp(J, h, levels, relaxation=relaxation, temperature=0.2)
    grid = torch.tensor(list(itertools.product(range(levels), repeat=5)), dtype=J.dtype)
    grid = grid / (levels - 1)
    energy = 0.5 * torch.einsum("gi,bij,gj->bg", grid, J, grid)[:, None] + h @ grid.T
    assert torch.equal(x.detach(), grid[energy.argmin(-1)])
    # The gradient is that of the relaxation, which gradcheck looks at.
    weight = torch.randn(x.shape, dtype=x.dtype, generator=torch.Generator().manual_seed(3))
    (x * weight).sum().backward()
    j, k = J.detach().requires_grad_(), h.detach().requires_grad_()
    relaxed = (
        ot.mean_field(j, k, 0.2)
        if relaxation == "mean_field"
        else ot.box_qp(j, k, gradient="smoothed", temperature=0.2)
    )
    (relaxed * weight).sum().backward()
    assert torch.allclose(J.grad, j.grad, atol=1e-12) and torch.allclose(h.grad, k.grad, atol=1e-12)


def test_smoothed_gradient_is_its_formula() -> None:
    J, h = problems(1, 3, 6, 4)
    h.requires_grad_()
    J.requires_grad_()
    x = ot.box_qp(J, h, gradient="smoothed", temperature=0.2)
    g = torch.randn(x.shape, dtype=x.dtype, generator=torch.Generator().manual_seed(3))
    (x * g).sum().backward()
    y = torch.sigmoid(-(x @ J + h) / 0.2).detach()
    s = y * (1 - y) / 0.2
    w = torch.linalg.solve(J.detach() + torch.diag_embed(1 / s[0]), g[0].unsqueeze(-1))[..., 0]
    assert torch.allclose(h.grad[0], -w, atol=1e-10)
    xd = x.detach()[0]
    assert torch.allclose(J.grad[0], -(w.mT @ xd + xd.mT @ w) / 2, atol=1e-10)


def test_rounding() -> None:
    J, h = problems(2, 4, 20, 8)
    x = ot.box_qp(J, h)
    assert torch.equal(ot.binary_qp(J, h, "round"), (x > 0.5).double())
    assert torch.equal(ot.levels_qp(J, h, 3, "round"), ((2 * x - 0.5).ceil() / 2).clamp_min(0))


def test_shapes() -> None:
    J, h = problems(6, 4, 5, 3)
    x = ot.box_qp(J, h)
    assert torch.equal(ot.box_qp(J.reshape(2, 3, 5, 5), h.reshape(2, 3, 4, 5)).flatten(0, 1), x)
    assert torch.equal(ot.box_qp(J, h[:, 0]), x[:, 0])
    assert torch.equal(ot.box_qp(J[0], h[0, 0]), x[0, 0])
    assert torch.allclose(ot.box_qp(J[0], h), ot.box_qp(J[0].expand(6, 5, 5), h))
    assert ot.binary_qp(J, h[:, 0]).shape == (6, 5)
    assert torch.equal(ot.box_qp(J.mT, h.mT.contiguous().mT), x)  # other strides
    assert ot.box_qp(J, h[:, :0]).shape == (6, 0, 5)


def test_threads_do_not_matter() -> None:
    J, h = problems(3, 200, 30, 8, dtype=torch.float32)
    before = torch.get_num_threads()
    found = []
    for threads in (1, 2):
        torch.set_num_threads(threads)
        found.append([FUNCTIONS[kind](J, h) for kind in KINDS])
    torch.set_num_threads(before)
    assert all(torch.equal(a, b) for a, b in zip(*found))


def test_opcheck() -> None:
    J, h = problems(2, 3, 4, 3)
    J, h = J.requires_grad_(), h.requires_grad_()
    for kind in ("box", "smoothed", "mean_field", "lasso"):
        torch.library.opcheck(
            ops.relax, (J, h, kind, 0.3, 0.3, 1e-7, 1e-6),
            test_utils=("test_schema", "test_autograd_registration", "test_faketensor"),
        )  # fmt: skip


BAD: list[tuple[Any, Any, dict[str, Any], type, str]] = [
    (torch.eye(2).int(), torch.zeros(2), {}, TypeError, "J: elements"),
    (torch.eye(2), torch.zeros(2).double(), {}, TypeError, "h: torch.float64 beside J"),
    ([[1.0]], torch.zeros(1), {}, TypeError, "J: list"),
    (torch.eye(2), None, {}, TypeError, "h: NoneType"),
    (torch.ones(2, 3), torch.zeros(3), {}, ValueError, "J: shape"),
    (torch.eye(2), torch.zeros(3), {}, ValueError, "h: shape"),
    (torch.eye(2).expand(3, 2, 2), torch.zeros(4, 1, 2), {}, ValueError, "h: shape"),
    (torch.eye(2).to("meta"), torch.zeros(2), {}, ValueError, "h: on cpu, J on meta"),
    (torch.eye(2).to_sparse(), torch.zeros(2), {}, TypeError, "J: layout torch.sparse_coo"),
    (torch.eye(2), torch.zeros(2), {"lo": 1.0, "hi": 0.0}, ValueError, "lo, hi"),
    (torch.eye(2), torch.zeros(2), {"gradient": "none"}, ValueError, "gradient"),
    (torch.eye(2), torch.zeros(2), {"temperature": 0.0}, ValueError, "temperature"),
]


@pytest.mark.parametrize(("J", "h", "options", "error", "says"), BAD)
def test_bad_input(J: Any, h: Any, options: dict[str, Any], error: type, says: str) -> None:
    with pytest.raises(error, match=says):
        ot.box_qp(J, h, **options)


def test_bad_options() -> None:
    J, h = problems(1, 1, 2, 2)
    for call, says in (
        (lambda: ot.binary_qp(J, h, "magic"), "magic"),
        (lambda: ot.binary_qp(J, h, relaxation="none"), "relaxation"),
        (lambda: ot.levels_qp(J, h, 1), "levels"),
        (lambda: ot.lasso_qp(J, h, -1.0), "penalty"),
    ):
        with pytest.raises(ValueError, match=says):
            call()


LAYERS: dict[str, dict[str, Any]] = {
    "paper": {},
    "paper-causal": {"causal": True, "coefficients": "continuous", "gradient": "implicit"},
    "own": {"keys": "own", "heads": 2, "coefficients": "continuous", "gradient": "implicit"},
    "shared": {"keys": "shared", "heads": 2, "solver": "exact", "output": True},
    "separate": {"keys": "separate", "coefficients": "levels", "levels": 3, "plain": True},
    "lasso": {"coefficients": "lasso", "lambda_": 0.1},
    "queries": {"queries": 3, "coefficients": "continuous"},
    "marginal": {"keys": "separate", "heads": 2, "coefficients": "marginal"},
    "loops": {
        "keys": "own",
        "heads": 2,
        "coefficients": "continuous",
        "gradient": "implicit",
        "loops": 3,
    },
}


def layer_of(name: str) -> Any:
    torch.manual_seed(3)
    return ot.OptimizingAttention(8, **LAYERS[name])


@pytest.mark.parametrize("name", LAYERS)
def test_layer(name: str) -> None:
    layer, x = layer_of(name), torch.randn(2, 6, 8)
    y, weights = layer(x)
    n = 3 if name == "queries" else 6
    assert y.shape == (2, n, 8) and weights.shape == (2, n, 6)
    assert layer(x, need_weights=False)[1] is None
    alone, _ = layer(x[0])
    assert torch.allclose(alone, y[0], atol=1e-6)
    y.square().sum().backward()
    assert all(p.grad is None or torch.isfinite(p.grad).all() for p in layer.parameters())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half, _ = layer(x)
    assert half.shape == y.shape and torch.isfinite(half).all()


@pytest.mark.parametrize("name", LAYERS)
def test_gradcheck_of_layers(name: str) -> None:
    layer = layer_of(name).double()
    # Other gradients are those of a relaxation, not of the coefficients themselves.
    exact = name == "lasso" or layer.gradient == "implicit"
    layer.relaxed = layer.relaxed or not exact
    keys, values = zip(*layer.named_parameters())
    torch.manual_seed(10)  # sums of coefficients are not near 0, where weights are steep
    x = torch.randn(1, 4, 8, dtype=torch.float64, requires_grad=True)

    def output(x: Any, *values: Any) -> Any:
        return torch.func.functional_call(layer, dict(zip(keys, values)), (x,))[0]

    inputs = (x, *(v.detach().requires_grad_() for v in values))
    assert torch.autograd.gradcheck(output, inputs, eps=1e-7, atol=1e-5, fast_mode=True)


MASKED = ("paper", "own", "shared", "separate")


def outputs_and_gradients(layer: Any, run: Any) -> list[Any]:
    layer.zero_grad()
    rows = run()
    sum(row.square().sum() for row in rows).backward()
    return [*rows, *(p.grad.clone() for p in layer.parameters() if p.grad is not None)]


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("name", MASKED)
def test_padded_sequences_are_those_without_padding(name: str, relaxed: bool) -> None:
    layer, x = layer_of(name).double(), torch.randn(3, 6, 8, dtype=torch.float64)
    layer.relaxed = relaxed
    lengths = (4, 6, 1)
    padding = torch.arange(6) >= torch.tensor(lengths)[:, None]

    def padded() -> list[Any]:
        y, weights = layer(x, key_padding_mask=padding)
        assert (weights.mT[padding] == 0).all()
        return [row[:n] for row, n in zip(y, lengths)]

    def alone() -> list[Any]:
        return [layer(row[:n])[0] for row, n in zip(x, lengths)]

    found, expected = outputs_and_gradients(layer, padded), outputs_and_gradients(layer, alone)
    assert len(found) == len(expected) > 5
    assert all(torch.allclose(f, e, atol=1e-9) for f, e in zip(found, expected))


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("name", MASKED)
def test_hidden_keys_do_not_matter(name: str, relaxed: bool) -> None:
    layer, x = layer_of(name), torch.randn(2, 6, 8)
    layer.relaxed = relaxed
    mask = torch.ones(6, 6, dtype=torch.bool).triu(1)
    other = x.clone()
    other[:, 5] = torch.randn(2, 8)
    if name != "paper":
        with pytest.raises(ValueError, match="attn_mask: .* centre=False"):
            layer(x, attn_mask=mask)
        layer.centre = False
    y, changed = (layer(each, attn_mask=mask)[0] for each in (x, other))
    assert torch.allclose(y[:, :5], changed[:, :5], atol=1e-6)
    causal = ot.OptimizingAttention(8, causal=True, **LAYERS[name])
    causal.load_state_dict(layer.state_dict())
    causal.relaxed, causal.divide_output = relaxed, layer.divide_output
    assert torch.allclose(y, causal(x)[0], atol=1e-5)
    nothing, weights = layer(x, attn_mask=torch.ones(2, 6, 6, dtype=torch.bool))
    assert (weights == 0).all() and torch.isfinite(nothing).all()


def test_cross_attention() -> None:
    layer = layer_of("separate")
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    y, weights = layer(q, k, v)
    assert y.shape == (2, 3, 8) and weights.shape == (2, 3, 5)
    assert torch.equal(layer(q, value=v, key=k)[0], y)
    assert torch.equal(layer(q, k)[0], layer(q, k, k)[0])
    assert torch.equal(layer(q, value=v)[0], layer(q, v, v)[0])
    own = layer_of("own")
    assert torch.equal(own(q, k)[0], own(q, k, k)[0])
    _, heads = layer_of("own")(torch.randn(2, 3, 8), average_attn_weights=False)
    assert heads.shape == (2, 2, 3, 3)


def test_arguments_are_those_of_multihead_attention() -> None:
    ours, theirs = (
        list(inspect.signature(kind.forward).parameters)
        for kind in (ot.OptimizingAttention, torch.nn.MultiheadAttention)
    )
    assert ours == theirs


def test_bad_layers() -> None:
    layer, x = layer_of("own"), torch.randn(2, 3, 8)
    bad = torch.zeros(2, 3, dtype=torch.bool)
    for call, error, says in (
        (lambda: ot.OptimizingAttention(8, 3), ValueError, "heads"),
        (lambda: ot.OptimizingAttention(8, keys="other"), ValueError, "keys"),
        (lambda: ot.OptimizingAttention(8, coefficients="real"), ValueError, "coefficients"),
        (lambda: ot.OptimizingAttention(8, keys="own", coefficients="lasso"), ValueError, "lasso"),
        (lambda: layer(x[..., :4]), ValueError, "query: shape"),
        (lambda: layer(x.long()), TypeError, "query: elements"),
        (lambda: layer(x, x.double()), TypeError, "key: torch.float64"),
        (lambda: layer(x, x.to("meta")), ValueError, "key: on meta"),
        (lambda: layer(x, x, x.clone()), ValueError, "key: keys='own'"),
        (lambda: layer(x, attn_mask=bad), ValueError, "attn_mask: shape"),
        (lambda: layer(x, key_padding_mask=bad + 0.5), ValueError, "not 0 or -inf"),
        (lambda: layer(x, key_padding_mask=bad.int()), TypeError, "key_padding_mask: elements"),
    ):
        with pytest.raises(error, match=says):
            call()
