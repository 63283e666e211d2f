"""oa.torch under torch.func, torch.compile and autocast, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.func import functional_call, grad, jacfwd, jacrev, vmap  # noqa: E402

from test_torch import FUNCTIONS, LAYERS, layer_of, problems  # noqa: E402


def same(found: Any, expected: Any) -> bool:
    return all(torch.allclose(f, e, atol=1e-9) for f, e in zip(found, expected))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_transforms_of_functions(name: str) -> None:
    f, (J, h) = FUNCTIONS[name], problems(3, 2, 5, 3)

    def loss(J: Any, h: Any) -> Any:
        return f(J, h).square().sum()

    leaves = J.clone().requires_grad_(), h.clone().requires_grad_()
    expected = torch.autograd.grad(loss(*leaves), leaves)
    assert same(grad(loss, (0, 1))(J, h), expected)
    assert same(vmap(grad(loss, (0, 1)))(J, h), expected)
    assert same([vmap(f)(J, h), vmap(f, (0, 1))(J, h.transpose(0, 1))], [f(J, h)] * 2)
    for at in (0, 1):
        assert torch.allclose(jacfwd(f, at)(J, h), jacrev(f, at)(J, h), atol=1e-9)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives_are_refused(name: str) -> None:
    f, (J, h) = FUNCTIONS[name], problems(1, 2, 4, 3)

    def slope(h: Any) -> Any:
        return grad(lambda h: f(J, h).square().sum())(h)

    for second in (jacfwd, jacrev):
        with pytest.raises(NotImplementedError, match="second derivative"):
            second(slope)(h)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_functions(name: str) -> None:
    torch._dynamo.reset()
    f, (J, h) = FUNCTIONS[name], problems(2, 3, 4, 3)
    found = []
    for g in (f, torch.compile(f, backend="aot_eager", fullgraph=True)):
        leaves = J.clone().requires_grad_(), h.clone().requires_grad_()
        x = g(*leaves)
        found.append([x, *torch.autograd.grad(x.square().sum(), leaves)])
    assert same(*found)


@pytest.mark.parametrize("name", ["box", "smoothed", "bounds", "lasso"])
def test_transforms_refuse_what_is_not_convex(name: str) -> None:
    torch._dynamo.reset()
    f, (J, h) = FUNCTIONS[name], problems(2, 3, 4, 3)
    for g in (vmap(f), torch.compile(f, backend="aot_eager"), jacrev(f)):
        assert torch.isfinite(g(J, h)).all()
        with pytest.raises(ValueError, match="J: not positive semidefinite"):
            g(-J, h)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_autocast(name: str) -> None:
    J, h = problems(2, 3, 4, 3, dtype=torch.float32)
    h.requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        product = J @ torch.eye(4)  # half as wide as h
        x = FUNCTIONS[name](product, h)
    assert product.dtype == torch.bfloat16 and x.dtype == torch.float32
    assert torch.equal(x, FUNCTIONS[name](product.float(), h))
    x.sum().backward()
    assert torch.isfinite(h.grad).all()


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("name", LAYERS)
def test_transforms_of_layers(name: str, relaxed: bool) -> None:
    torch._dynamo.reset()
    layer, x = layer_of(name).double(), torch.randn(2, 6, 8, dtype=torch.float64)
    layer.relaxed = relaxed
    parameters = dict(layer.named_parameters())

    def loss(parameters: Any, x: Any) -> Any:
        return functional_call(layer, parameters, (x,))[0].square().sum()

    found = grad(loss)(parameters, x)
    each = vmap(grad(loss), (None, 0))(parameters, x.unsqueeze(1))
    stacked = {k: torch.stack([p, p]) for k, p in parameters.items()}
    models = vmap(functional_call, (None, 0, None))(layer, stacked, (x,))[0]
    y = torch.compile(layer, backend="aot_eager", fullgraph=True)(x)[0]
    y.square().sum().backward()
    assert torch.allclose(y, layer(x)[0]) and torch.allclose(models[1], y)
    assert torch.allclose(vmap(layer)(x.unsqueeze(1))[0].squeeze(1), y)
    for key, parameter in parameters.items():
        expected = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        assert torch.allclose(found[key], expected, atol=1e-8), key
        assert torch.allclose(each[key].sum(0), expected, atol=1e-8), key


@pytest.mark.parametrize("name", LAYERS)
def test_layers_of_mixed_types(name: str) -> None:
    layer, x = layer_of(name), torch.randn(2, 6, 8)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y, _ = layer(x, x.bfloat16())
    assert torch.isfinite(y).all()
    for call, error, says in (
        (lambda: layer(x.double()), TypeError, "query: torch.float64, the layer has torch.float32"),
        (lambda: layer(x.to("meta")), ValueError, "query: on meta, the layer on cpu"),
    ):
        with pytest.raises(error, match=says):
            call()
    meta = layer.to("meta")(x.to("meta"))[0]
    assert meta.shape == y.shape and meta.device.type == "meta"
