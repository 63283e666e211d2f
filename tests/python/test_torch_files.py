"""oa.torch: model files both ways, the layer, and trainings beside oa-train."""

from __future__ import annotations

import csv
import os
import pathlib
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import oa  # noqa: E402
import oa.torch as ot  # noqa: E402
from conftest import STEPS, checkpoint, numbers_of, run  # noqa: E402

SHARED = os.environ.get("OA_SHARED")


@pytest.fixture(scope="session")
def digits(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("digits")
    run("oa-digits", "-q", "-o", path, "--train", 96, "--test", 64)
    return path


def train(digits: pathlib.Path, to: pathlib.Path, *words: Any) -> pathlib.Path:
    run("oa-train", digits, "-q", "-o", to, "--held-out", 32, "--batch", 64, *words)
    return to


def probabilities(model: Any, images: Any) -> Any:
    with torch.no_grad():
        return torch.softmax(model(torch.from_numpy(images)).double(), -1).numpy()


PLAIN = [*STEPS, "--held-out", 32, "--batch", 64]
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
    "separate-exact": ["--attention", "optimizing:keys=separate,heads=2,unit=false,beta=2",
                       "--exact", "true", "--dim", 16],
    "queries": ["--queries", 3],
    "marginal": ["--attention", "optimizing:keys=separate,heads=2", "--coefficients", "marginal",
                 "--patch", 14],
    "marginal-causal": ["--attention", "optimizing:keys=shared", "--coefficients", "marginal",
                        "--patch", 14, "--causal"],
    "uniform": ["--attention", "uniform", "--pooling", "concat"],
}  # fmt: skip


def start(digits: pathlib.Path, folder: pathlib.Path, words: list[Any], epochs: int) -> Any:
    """A model, and the tensors of a checkpoint after so many steps on all images from it."""
    path = folder / "start.bin"
    if not {"lasso", "marginal", "uniform"} & set(words):
        words = [*words, "--tolerance", 1e-7]
    run("oa-train", digits, "-q", "-o", path, "--epochs", 3, "--lr", 0.001, *PLAIN, *words)
    run("oa-train", digits, "-q", "-o", folder / "end.bin", "--init", path, "--epochs", epochs,
        "--checkpoint", folder / "state", "--lr", 0.0003, *PLAIN, *words)  # fmt: skip
    model = ot.load(path)
    for optimum in model.optima.values():
        optimum.tolerance = 1e-7
    images = torch.from_numpy(numbers_of(digits / "train-images-idx3-ubyte")[:64])
    labels = torch.from_numpy(numbers_of(digits / "train-labels-idx1-ubyte")[:64]).long()
    return model.train(), images, labels, checkpoint(folder / "state")


@pytest.mark.parametrize("name", TRAINED)
def test_a_trained_model(digits: pathlib.Path, tmp_path: pathlib.Path, name: str) -> None:
    """Logits and gradients are those of the tools, and the model is saved as it was read."""
    model, images, labels, state = start(digits, tmp_path, TRAINED[name], 1)
    path, pictures = tmp_path / "start.bin", digits / "t10k-images-idx3-ubyte"
    ot.save(model, tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == path.read_bytes()
    expected = oa.load(path).predict(pictures).probabilities
    # Two roundings of one relaxation can differ where a coefficient is a half.
    off = np.abs(probabilities(ot.load(path), numbers_of(pictures)) - expected).max(axis=1)
    assert np.sort(off)[-2] < 1e-5, off.max()
    torch.nn.functional.cross_entropy(model(images), labels).backward()
    worst = 0.0
    for parameter, value in model.named_parameters():
        mean = state[f"first.{parameter}"].astype(float)  # 0.1 of the gradient
        gradient = torch.zeros_like(value) if value.grad is None else value.grad
        expected = mean / (1 - np.float32(0.9))
        apart = np.abs(gradient.double().numpy() - expected).max()
        worst = max(worst, apart / max(1.0, np.abs(expected).max()))
    print(name, worst)
    # J of the lasso is nearly singular: it amplifies the rounding of single precision.
    assert worst < (1e-4 if name == "lasso" else 1e-5)


def test_steps_beside_the_trainer(digits: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model, images, labels, state = start(digits, tmp_path, TRAINED["continuous"], 200)
    adam = torch.optim.Adam(model.parameters(), lr=0.0003)
    for _ in range(200):
        adam.zero_grad()
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        adam.step()
    for parameter, value in model.named_parameters():
        assert np.abs(value.detach().numpy() - state[f"values.{parameter}"]).max() < 1e-3


TASKS: dict[str, list[Any]] = {
    "recall": [],
    "induction": ["--layers", 2, "--attention", "softmax:heads=2"],
    "copy": ["--coefficients", "continuous"],
    "scenes": [],
}


@pytest.mark.parametrize("task", TASKS)
def test_models_of_tasks(tmp_path: pathlib.Path, task: str) -> None:
    run("oa-tasks", task, "-q", "-o", tmp_path, "--train", 96, "--test", 20)
    path = train(tmp_path, tmp_path / "model.bin", "--epochs", 1, *TASKS[task])
    run("oa-score", "-q", "--model", path, tmp_path, "--csv", tmp_path / "table")
    table = list(csv.DictReader((tmp_path / "table").open()))
    pictures = task == "scenes"
    read = numbers_of(tmp_path / f"t10k-{'images-idx3-ubyte' if pictures else 'tokens-idx2-int'}")
    model = ot.load(path)
    with torch.no_grad():
        logits = model(torch.from_numpy(read)).double().numpy()
    at = [[int(row[name]) for row in table] for name in ("idx", "row")]
    if pictures:
        assert logits.shape == (20, 10, 50)
        cells = np.array([int(row["pred"]) for row in table])
        there = np.array([row["present"] == "True" for row in table])
        assert (logits[..., 1:].argmax(-1)[tuple(at)] == cells).all()
        assert ((logits[..., 0] > 0)[tuple(at)] == there).all()
    else:
        targets = numbers_of(tmp_path / "t10k-targets-idx2-int")
        asked = np.nonzero(targets >= 0)
        right = -torch.log_softmax(torch.tensor(logits), -1).numpy()[(*asked, targets[asked])]
        expected = np.array([float(row["surprise"]) for row in table])
        assert len(right) == len(expected) > 20 and np.abs(right - expected).max() < 1e-5
    ot.save(model, tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == path.read_bytes()


def test_sequences_of_a_padded_batch() -> None:
    config = {"oa.attention": "optimizing:keys=separate", "oa.objective": "positions",
              "oa.length": "9", "oa.vocabulary": "5", "oa.previous": "true"}  # fmt: skip
    model = ot.Model({**config, "oa.causal": "true"}).eval()
    rows = torch.randint(5, (2, 9))
    padded = torch.where(torch.arange(9) < 6, rows, -1)
    assert torch.allclose(model(padded)[:, :6], model(rows[:, :6]), atol=1e-6)
    for given, error, says in (
        (padded, ValueError, "sequences: -1 to"),
        (rows + 5, ValueError, "sequences: 5 to"),
        (rows.float(), TypeError, "sequences: elements of type torch.float32"),
        (rows[0], ValueError, "sequences: shape"),
        (torch.randint(5, (2, 10)), ValueError, "sequences: shape"),
    ):
        with pytest.raises(error, match=says):
            ot.Model(config)(given)


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({"oa.length": "9"}, "tokens have neither ids nor vectors"),
        ({"oa.objective": "sets"}, "sets need query tokens"),
        ({"oa.attention": "zebra"}, "attention 'zebra' is not known"),
        ({"oa.attention": "softmax:window=3"}, "attention 'softmax' has no option 'window'"),
        ({"oa.dim": "many"}, "oa.dim is 'many'"),
        ({"oa.lambda": "nan"}, "oa.lambda is 'nan'"),
        ({"oa.positions": "yes"}, "oa.positions is 'yes'"),
        ({"oa.attention": "softmax:score=tanh"}, "score 'tanh' .expected softmax|sigmoid"),
        ({"oa.attention": "optimizing:keys=own,unit=no"}, "unit 'no' .expected true|false"),
    ],
)
def test_models_that_are_refused(config: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ot.Model(config)


def test_settings_of_load(tmp_path: pathlib.Path) -> None:
    path, images = tmp_path / "model.bin", torch.randint(256, (3, 28, 28), dtype=torch.uint8)
    ot.save(ot.Model({}), path)
    expected = ot.load(path)(images)
    assert torch.equal(ot.load(path, positions=True, levels=2)(images), expected)
    found = [ot.load(path, positions=no)(images) for no in (False, "false")]
    assert torch.equal(*found) and not torch.allclose(found[0], expected)
    for name, value in (
        ("positions", "yes"), ("positions", 1), ("positions", None), ("divide_output", "True"),
        ("classes", True), ("classes", 10.0), ("value_scale", "much"), ("lambda", torch.inf),
        ("embedding", "MLP"), ("pooling", "max"), ("coefficients", True),
        ("normalization", False), ("objective", "words"), ("attention", "none"), ("stripes", 1),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=name):
            ot.load(path, **{name: value})
    assert ot.load(path, levels=4).optima["0"].coefficients == "levels"


@pytest.mark.skipif(not SHARED, reason="no OA_SHARED")
@pytest.mark.parametrize("name", ["binarised", "continuous", "softmax_attention", "only_mlp"])
def test_reference(tmp_path: pathlib.Path, name: str) -> None:
    path = pathlib.Path(str(SHARED)) / "reference" / f"{name}.safetensors"
    data = pathlib.Path(str(SHARED)) / "mnist" / "t10k-images-idx3-ubyte.gz"
    changes = {"coefficients": "continuous"} if name == "continuous" else {}
    images = numbers_of(data)[:500]
    expected = oa.load(path).predict(images, **changes).probabilities
    model = ot.load(path, **changes)
    apart = np.abs(probabilities(model, images) - expected).max(axis=1)
    # Both round in single precision, and are as far from double precision.
    assert np.quantile(apart, 0.99) < 1e-5 and apart.max() < 2e-5
    ot.save(model, tmp_path / "again.bin")
    again = oa.load(tmp_path / "again.bin")
    before = oa.load(path)
    assert all((again[k] == before[k]).all() for k in before)
    assert changes or again.config == before.config
