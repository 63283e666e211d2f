"""oa.torch: model files both ways, the layer, and trainings beside oa-train."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import struct
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
    "continuous": ["--coefficients", "continuous", "--normalization", "capped"],
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


PLAIN = ["--held-out", 32, "--batch", 64, "--average", 0, "--shift", 0, "--rotate", 0, "--scale",
         0, "--shear", 0, "--warmup", 0, "--schedule", "constant", "--lr", 0.001]  # fmt: skip
# Without the cap, weights of a query whose coefficients add up to 1e-7 are as inexact as these.
TRAINED: dict[str, list[Any]] = {
    "binary": [],
    "binary-implicit": ["--gradient", "implicit"],
    "continuous": ["--coefficients", "continuous", "--normalization", "capped"],
    "continuous-implicit": ["--coefficients", "continuous", "--gradient", "implicit"],
    "continuous-none": ["--coefficients", "continuous", "--gradient", "none"],
    "levels": ["--levels", 4],
    "lasso": ["--coefficients", "lasso", "--lambda", 0.1, "--gradient", "implicit"],
    "causal": ["--causal", "--coefficients", "continuous", "--normalization", "fifth"],
    "exact": ["--exact", "true", "--dim", 16],
    "own": ["--attention", "optimizing:keys=own,heads=2", "--coefficients", "continuous"],
    "shared": ["--attention", "optimizing:keys=shared,heads=4,output=true"],
    "separate-exact": ["--attention", "optimizing:keys=separate,heads=2,unit=false,beta=2",
                       "--exact", "true", "--dim", 16],
    "softmax": ["--attention", "softmax:heads=4"],
}  # fmt: skip


def start(digits: pathlib.Path, folder: pathlib.Path, words: list[Any], epochs: int) -> Any:
    """A model, and the tensors of a checkpoint after so many steps on all images from it."""
    path = folder / "start.bin"
    if not {"lasso", "softmax:heads=4"} & set(words):
        words = [*words, "--tolerance", 1e-7]
    run("oa-train", digits, "-q", "-o", path, "--epochs", 3, *PLAIN, *words)
    run("oa-train", digits, "-q", "-o", folder / "end.bin", "--init", path, "--epochs", epochs,
        "--checkpoint", folder / "state", *PLAIN, *words)  # fmt: skip
    model = ot.load(path)
    for block in model.blocks:
        if isinstance(block.attention, ot.OptimizingAttention):
            block.attention.tolerance = 1e-7
    images = torch.from_numpy(images_of(digits / "train-images-idx3-ubyte")[:64])
    labels = np.frombuffer((digits / "train-labels-idx1-ubyte").read_bytes(), np.uint8, offset=8)
    return model.train(), images, torch.from_numpy(labels[:64].copy()).long(), tensors(folder)


def tensors(folder: pathlib.Path) -> dict[str, Any]:
    data = (folder / "state").read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    found = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, last = entry["data_offsets"]
            array = np.frombuffer(data[8 + size + first : 8 + size + last], "<f4")
            found[name] = array.reshape(entry["shape"])
    return found


@pytest.mark.parametrize("name", TRAINED)
def test_gradients_of_the_trainer(digits: pathlib.Path, tmp_path: pathlib.Path, name: str) -> None:
    model, images, labels, state = start(digits, tmp_path, TRAINED[name], 1)
    torch.nn.functional.cross_entropy(model(images), labels).backward()
    names = model.file_names()
    worst = 0.0
    for parameter, value in model.named_parameters():
        mean = state[f"first.{names[parameter]}"].astype(float)  # 0.1 of the gradient
        gradient = torch.zeros_like(value) if value.grad is None else value.grad
        expected = mean / (1 - np.float32(0.9))
        apart = np.abs(gradient.double().numpy() - expected).max()
        worst = max(worst, apart / max(1.0, np.abs(expected).max()))
    print(name, worst)
    assert worst < 1e-5


@pytest.mark.parametrize(
    "name", ["binary", "binary-implicit", "shared", "exact", "continuous", "own", "softmax"]
)
def test_200_steps_beside_the_trainer(
    digits: pathlib.Path, tmp_path: pathlib.Path, name: str
) -> None:
    model, images, labels, state = start(digits, tmp_path, TRAINED[name], 200)
    adam = torch.optim.Adam(model.parameters(), lr=0.001)
    for _ in range(200):
        adam.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        adam.step()
    names = model.file_names()
    apart = max(
        np.abs(p.detach().numpy() - state[f"values.{names[k]}"]).max()
        for k, p in model.named_parameters()
    )
    print(name, apart, loss.item())
    assert apart < 1e-3
