"""oa.torch: model files both ways, the layer, and trainings beside oa-train."""

from __future__ import annotations

import gzip
import os
import pathlib
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import oa  # noqa: E402
import oa.torch as ot  # noqa: E402
from conftest import run  # noqa: E402

SHARED = os.environ.get("OA_SHARED")


@pytest.fixture(scope="session")
def digits(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("digits")
    run("oa-digits", "-q", "-o", path, "--train", 96, "--test", 64)
    return path


def images_of(path: pathlib.Path) -> np.ndarray[Any, Any]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return np.frombuffer(data, np.uint8, offset=16).reshape(-1, 28, 28).copy()


def train(digits: pathlib.Path, to: pathlib.Path, *words: Any) -> pathlib.Path:
    run("oa-train", digits, "-q", "-o", to, "--held-out", 32, "--batch", 64, *words)
    return to


def probabilities(model: Any, images: Any) -> Any:
    with torch.no_grad():
        return torch.softmax(model(torch.from_numpy(images)).double(), -1).numpy()


MODELS = {
    "paper": ["--lr", 0.01],
    "continuous": ["--coefficients", "continuous"],
    "levels": ["--levels", 4],
    "lasso": ["--coefficients", "lasso", "--lambda", 0.1],
    "exact": ["--exact", "true", "--dim", 16],
    "causal": ["--causal", "--normalization", "capped"],
    "fifth": ["--coefficients", "continuous", "--normalization", "fifth"],
    "queries": ["--queries", 3],
    "own": ["--attention", "optimizing:keys=own,heads=2"],
    "shared": ["--attention", "optimizing:keys=shared,plain=true,unit=false,alpha=0"],
    "separate": ["--attention", "optimizing:keys=separate,heads=4,output=true",
                 "--coefficients", "continuous"],
    "separate-causal": ["--attention", "optimizing:keys=separate", "--causal"],
    "softmax": ["--attention", "softmax"],
    "heads": ["--attention", "softmax:heads=4,plain=true,output=true", "--recipe", "reference"],
    "sigmoid": ["--attention", "softmax:keys=shared,score=sigmoid"],
    "flash2": ["--attention", "flash2:heads=2", "--causal"],
    "layers": ["--attention", "optimizing:keys=own,softmax:heads=2", "--layers", 2,
               "--residual", "true"],
    "mlp": ["--attention", "mlp:hidden=1"],
    "uniform": ["--attention", "uniform", "--pooling", "concat"],
    "query": ["--attention", "query"],
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_logits_of_the_tools(digits: pathlib.Path, tmp_path: pathlib.Path, name: str) -> None:
    path = train(digits, tmp_path / "model.bin", "--epochs", 2, *MODELS[name])
    images = images_of(digits / "t10k-images-idx3-ubyte")
    expected = oa.load(path).predict(digits / "t10k-images-idx3-ubyte").logits
    model = ot.load(path)
    # Two roundings of one relaxation can differ where a coefficient is a half.
    apart = np.abs(probabilities(model, images) - expected).max(axis=1)
    assert np.sort(apart)[-2] < 1e-5, apart.max()
    ot.save(model, tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == path.read_bytes()


@pytest.mark.skipif(not SHARED, reason="no OA_SHARED")
@pytest.mark.parametrize("name", ["binarised", "continuous", "softmax_attention", "only_mlp"])
def test_reference(tmp_path: pathlib.Path, name: str) -> None:
    path = pathlib.Path(str(SHARED)) / "reference" / f"{name}.safetensors"
    data = pathlib.Path(str(SHARED)) / "mnist" / "t10k-images-idx3-ubyte.gz"
    changes = {"coefficients": "continuous"} if name == "continuous" else {}
    images = images_of(data)[:500]
    expected = oa.load(path).predict(images, **changes).logits
    model = ot.load(path, **changes)
    apart = np.abs(probabilities(model, images) - expected).max(axis=1)
    # Both round in single precision, and are as far from double precision.
    assert np.quantile(apart, 0.99) < 1e-5 and apart.max() < 2e-5
    ot.save(model, tmp_path / "again.bin")
    again = oa.load(tmp_path / "again.bin")
    before = oa.load(path)
    assert all((again[k] == before[k]).all() for k in before) and again.config == before.config
