"""Attention that solves optimisation problems, in PyTorch; see oa-python(7)."""

try:
    import torch  # noqa: F401
except ImportError as error:
    raise ImportError("oa.torch needs PyTorch: pip install torch") from error

from oa.torch.files import Model, load, save
from oa.torch.functions import binary_qp, box_qp, lasso_qp, levels_qp, marginals, mean_field
from oa.torch.layer import OptimizingAttention
from oa.torch.operations import operation

__all__ = [
    "Model",
    "OptimizingAttention",
    "binary_qp",
    "box_qp",
    "lasso_qp",
    "levels_qp",
    "load",
    "marginals",
    "mean_field",
    "operation",
    "save",
]
