"""The lines of PyTorch in oa-model(5) compute what the tools compute."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import oa  # noqa: E402
from conftest import numbers_of, run  # noqa: E402

PAGE = pathlib.Path(__file__).parents[2] / "man" / "oa-model.5"


def test_the_model_of_the_page(tmp_path: pathlib.Path) -> None:
    blocks = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", PAGE.read_text(), re.M | re.S)
    said: dict[str, Any] = {}
    exec(next(b for b in blocks if "import torch\n" in b and "sys.argv" not in b), said)
    run("oa-digits", "-q", "-o", tmp_path, "--train", 600, "--test", 40)
    path = tmp_path / "model.bin"
    run("oa-train", "-q", "-j", 1, tmp_path, "-o", path, "--epochs", 1)
    used = set()

    class Seen(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            used.add(name)
            return super().__getitem__(name)

    model = oa.load(path)
    tensors = Seen({name: torch.tensor(model[name]).double() for name in model})
    images = numbers_of(tmp_path / "t10k-images-idx3-ubyte")
    solved = oa.solve_stream(model.pose(images))
    expected = model.predict(images, layer_by_layer=True)
    for k, frame in enumerate(solved):
        J, h, V = said["problem"](tensors, torch.tensor(images[k]).double())
        for name, ours in (("J", J), ("h", h), ("V", V)):
            assert np.abs(frame[name] - ours.numpy()).max() < 1e-5
        found = said["classify"](tensors, V, torch.tensor(frame["x"]).double())
        assert np.abs(found.numpy() - expected.probabilities[k]).max() < 1e-5
    assert used == set(tensors)
