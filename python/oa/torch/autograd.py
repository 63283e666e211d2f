"""Types of what PyTorch hands to functions with a derivative."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

Argument = Tensor | str | float
# An operator has no gradient for arguments that are not tensors.
Gradients = tuple[Tensor | None, ...]


class Context(Protocol):
    """What forward keeps for derivatives."""

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        """The tensors that were saved."""

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Saves tensors for backward."""

    def save_for_forward(self, *tensors: Tensor) -> None:
        """Saves tensors for jvp."""

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Marks outputs that have no derivative."""


class Vmap(Protocol):
    """A call of vmap."""

    @property
    def batch_size(self) -> int:
        """The size of the dimension that it maps."""
