"""A query that is the sum of three keys: which three?  Softmax attention beside ours."""

import torch

import oa.torch

torch.manual_seed(1)
ITEMS, WIDTH, ASKED, QUERIES = 48, 20, 3, 200


def recalled(chosen: torch.Tensor, right: torch.Tensor) -> str:
    """The share of queries whose items are all found, and no others."""
    return f"{100 * (chosen == right).all(-1).double().mean():.0f} %"


keys = torch.nn.functional.normalize(torch.randn(ITEMS, WIDTH), dim=-1)
right = torch.zeros(QUERIES, ITEMS)
for row in right:
    row[torch.randperm(ITEMS)[:ASKED]] = 1
queries = right @ keys

# Softmax looks at each key by itself: the three keys of the largest products.
largest = (queries @ keys.T).topk(ASKED, dim=-1).indices
print(
    "softmax, the three largest:", recalled(torch.zeros_like(right).scatter(1, largest, 1), right)
)

# Ours looks at all keys together: |k'x - q|^2 and a small price for each key.
layer = oa.torch.OptimizingAttention(
    WIDTH, keys="shared", plain=True, unit=False, alpha=48, beta=48, penalty=1, solver="exact"
)
with torch.no_grad():
    layer.Wqk.weight.copy_(torch.eye(WIDTH))
y, weights = layer(queries[None], keys[None])
print("optimising, exact:", recalled((weights[0] > 0).float(), right))

# Without a proof: the box QP, rounded.
layer.solver = "round"
y, weights = layer(queries[None], keys[None])
print("optimising, rounded:", recalled((weights[0] > 0).float(), right))

# The gradient of the query reaches the items that are missing.
query = (keys[0] + keys[1]).clone().requires_grad_()
x = oa.torch.mean_field(48 * keys @ keys.T, 1 - 48 * keys @ query, temperature=1.0)
x[2].backward()
print("toward a third item:", bool(query.grad @ keys[2] > 0))
