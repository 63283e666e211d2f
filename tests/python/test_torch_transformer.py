"""oa.torch.OptimizingAttention in the Transformer layers of PyTorch, and with GradScaler."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

import oa.torch as ot  # noqa: E402

KINDS: dict[str, dict[str, Any]] = {
    "paper": {},
    "shared": {"keys": "shared", "centre": False, "solver": "exact", "output": True},
    "separate": {"keys": "separate", "centre": False, "coefficients": "continuous"},
    "own": {"keys": "own", "centre": False, "coefficients": "levels"},
}


def attention(name: str, **options: Any) -> Any:
    return ot.OptimizingAttention(8, 2, **{**KINDS[name], **options})


def with_batch(x: Any, first: bool) -> Any:
    return x if first else x.transpose(0, 1)


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(5)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", KINDS)
def test_encoder_layers(name: str, first: bool) -> None:
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=first)
    layer.self_attn = attention(name, batch_first=first)
    x = torch.randn(3, 6, 8)
    rows = with_batch(x, first)
    padding = torch.arange(6) >= torch.tensor([4, 6, 2])[:, None]
    causal = nn.Transformer.generate_square_subsequent_mask(6)
    for options in (
        {},
        {"src_key_padding_mask": padding},
        {"src_mask": causal},
        {"src_mask": causal, "is_causal": True},
        {"src_mask": causal.isinf(), "src_key_padding_mask": padding},
    ):
        layer.train()
        y = layer(rows, **options)
        y.square().mean().backward()
        assert all(p.grad is not None for p in layer.self_attn.parameters())
        layer.eval()
        assert torch.equal(layer(rows, **options), y)
        with torch.no_grad():  # where PyTorch's own attention takes its fast path
            assert torch.equal(layer(rows, **options), y)
        # The same by the layer's own masks of bool.
        mask, ignored = options.get("src_mask"), options.get("src_key_padding_mask")
        hidden = None if mask is None else mask if mask.dtype == torch.bool else mask.isinf()
        mixed, _ = layer.self_attn(rows, rows, rows, ignored, attn_mask=hidden)
        z = layer.norm1(rows + mixed)
        z = layer.norm2(z + layer.linear2(torch.relu(layer.linear1(z))))
        assert torch.allclose(z, y, atol=1e-6)
    assert torch.allclose(layer(x[0]), with_batch(layer(rows), first)[0], atol=1e-6)


@pytest.mark.parametrize("first", [True, False])
def test_encoders_and_decoders(first: bool) -> None:
    def encoder_layer() -> Any:
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=first)
        layer.self_attn = attention("paper", batch_first=first)
        return layer

    def decoder_layer() -> Any:
        layer = nn.TransformerDecoderLayer(8, 2, 16, batch_first=first)
        layer.self_attn = attention("shared", batch_first=first)
        layer.multihead_attn = attention("separate", batch_first=first)
        return layer

    encoder = nn.TransformerEncoder(encoder_layer(), 2)
    decoder = nn.TransformerDecoder(decoder_layer(), 2)
    model = nn.Transformer(8, 2, custom_encoder=encoder, custom_decoder=decoder, batch_first=first)
    source, target = torch.randn(3, 6, 8), torch.randn(3, 5, 8)
    padding = torch.arange(6) >= torch.tensor([4, 6, 2])[:, None]
    mask = nn.Transformer.generate_square_subsequent_mask(5)
    for training in (True, False):
        model.train(training)
        y = model(
            with_batch(source, first), with_batch(target, first), tgt_mask=mask,
            src_key_padding_mask=padding, memory_key_padding_mask=padding,
        )  # fmt: skip
        assert y.shape == with_batch(target, first).shape
        y.square().mean().backward()
        assert all(torch.isfinite(p.grad).all() for p in model.parameters())
    with torch.no_grad():
        memory = encoder(with_batch(source, first), src_key_padding_mask=padding)
        changed = target.clone()
        changed[:, 4] += 1
        rows = [
            with_batch(decoder(with_batch(t, first), memory, tgt_mask=mask), first)
            for t in (target, changed)
        ]
        assert torch.allclose(rows[0][:, :4], rows[1][:, :4], atol=1e-6)


@pytest.mark.parametrize("name", KINDS)
def test_arguments_of_multihead_attention(name: str) -> None:
    x = torch.randn(3, 6, 8)
    layer = attention(name)
    mask = torch.rand(3, 6, 6) < 0.3
    y, weights = layer(x, attn_mask=mask)
    as_floats = torch.zeros(3, 6, 6).masked_fill(mask, -torch.inf)
    for same in (
        as_floats,
        as_floats.clamp_min(torch.finfo(torch.float32).min),
        mask.repeat_interleave(2, 0),
        as_floats.bfloat16(),
    ):
        assert torch.equal(layer(x, attn_mask=same)[0], y)
    causal = torch.ones(6, 6, dtype=torch.bool).triu(1)
    expected = layer(x, attn_mask=causal)[0]
    assert torch.equal(layer(x, is_causal=True)[0], expected)
    assert torch.equal(layer(x, attn_mask=causal, is_causal=True)[0], expected)
    of_time = attention(name, batch_first=False)
    of_time.load_state_dict(layer.state_dict())
    turned, same = of_time(x.transpose(0, 1), attn_mask=mask)
    assert torch.equal(turned.transpose(0, 1), y) and torch.equal(same, weights)
    with pytest.raises(ValueError, match="not 0 or -inf"):
        layer(x, attn_mask=torch.full((6, 6), -1.0))
    if name != "paper":
        with pytest.raises(ValueError, match="centre=False"):
            attention(name, centre=True)(x, is_causal=True)


@pytest.mark.parametrize("name", KINDS)
def test_types_and_devices(name: str) -> None:
    layer = attention(name, dtype=torch.float64)
    assert {p.dtype for p in layer.parameters()} == {torch.float64}
    assert layer(torch.randn(2, 3, 8, dtype=torch.float64))[0].dtype == torch.float64
    layer = attention(name, device="meta")
    assert {p.device.type for p in layer.parameters()} == {"meta"}
    half = attention(name, dtype=torch.bfloat16)
    assert torch.isfinite(half(torch.randn(2, 3, 8, dtype=torch.bfloat16))[0]).all()


@pytest.mark.parametrize("name", KINDS)
def test_numbers_that_are_not_finite(name: str) -> None:
    layer, x = attention(name), torch.randn(3, 6, 8)
    x[1, 2, 3] = torch.nan
    y, weights = layer(x)
    assert torch.isnan(y[1]).all(-1).any() and torch.isnan(weights[1]).any()
    assert torch.equal(y[[0, 2]], layer(x[[0, 2]])[0])


@pytest.mark.parametrize("name", KINDS)
def test_grad_scaler_survives_an_overflow(name: str) -> None:
    """The step that overflowed is skipped, the scale falls, and training goes on."""
    layer = attention(name)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10)
    x = torch.randn(3, 6, 8)
    overflowed = x.clone()
    overflowed[0, 0, 0] = torch.inf
    before = [p.detach().clone() for p in layer.parameters()]
    for rows, factor, skipped in ((overflowed, 1.0, True), (x, torch.inf, True), (x, 1.0, False)):
        optimizer.zero_grad()
        scale = scaler.get_scale()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = (layer(rows)[0].float() * factor).square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        assert (scaler.get_scale() < scale) == skipped
        unchanged = all(torch.equal(p, b) for p, b in zip(layer.parameters(), before))
        assert unchanged == skipped
    assert all(torch.isfinite(p).all() for p in layer.parameters())
