"""oa.torch: a model of every kind of attention, of sets and of vectors, beside the tools."""

from __future__ import annotations

import copy
import csv
import json
import pathlib
import re
import struct
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import oa  # noqa: E402
import oa.torch as ot  # noqa: E402
from conftest import STEPS, checkpoint, numbers_of, run  # noqa: E402
from oa.torch.operations import OPERATIONS  # noqa: E402

F = torch.nn.functional
KINDS = re.search(
    r"expected (.*), or one of", run("oa-train", "-", "--attention", "?", check=False).stderr
)
# What a kind needs, or what its loss has beside the entropy.
OPTIONS = {
    "csr": ":rows=0;0-1;0+2;1-3;0+4;0;1;;8;0-9;0+10;11;12;0+4+9;14;0-15",
    "learned-mask": ":penalty=0,noise=false,block=3",
}
MORE = [
    "optimizing:keys=separate,heads=2,output=true",
    "optimizing:keys=own,heads=2,loops=3",
    "optimizing:keys=shared,plain=true,unit=false,alpha=0",
    "softmax:score=sigmoid,heads=2,loops=3",
    "softmax:keys=shared,loops=20",
    "flash2:heads=4,plain=true",
    "learned-mask:penalty=0,noise=false,block=2,relative=true",
    "linear:feature=identity",
    "linear:feature=relu",
    "linear:feature=exp",
    "rfa:gate=true,heads=2,features=8",
    "identity-qk:temperature=true,self=false",
    "linformer:k=3,shared=false",
    "h3:head_dim=2,states=4",
    "mesa:steps=2,heads=2",
    "ttt:batch=3,heads=2",
    "mlp:hidden=2",
    "gla:heads=2,pool,window:heads=2",
]
LEARN = [*STEPS, "--held-out", 8, "--batch", 16, "--clip", 0, "-j", 1]
used: set[str] = set()


@pytest.fixture(scope="session")
def digits(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("digits")
    run("oa-digits", "-q", "-o", path, "--train", 24, "--test", 6)
    return path


@pytest.fixture(scope="module", autouse=True)
def every_operation_is_tested() -> Any:
    plain = dict(OPERATIONS)
    for name, function in plain.items():

        def called(call: Any, *inputs: Any, function: Any = function) -> Any:
            used.add(call.name)
            return function(call, *inputs)

        OPERATIONS[name] = called
    yield
    OPERATIONS.update(plain)


def learned(data: pathlib.Path, folder: pathlib.Path, *words: Any) -> tuple[Any, dict[str, Any]]:
    """A model, and the gradients of its first step after that."""
    path, state = folder / "model.bin", folder / "state"
    learn = [*LEARN, *(["--tolerance", 1e-7] if "optimizing" in str(words) else [])]
    learn += ["--curriculum", "false"] if "optimizing:" in str(words) else []
    done = run("oa-train", data, "-q", "-o", path, "--epochs", 2, *learn, *words, check=False)
    if re.search("no causal form|needs a causal layer", done.stderr):
        pytest.skip("not in this direction")
    assert done.returncode == 0, done.stderr
    run("oa-train", data, "-q", "-o", folder / "next.bin", "--init", path, "--epochs", 1,
        "--checkpoint", state, *learn)  # fmt: skip
    share = 1 - float(np.float32(0.9))
    found = checkpoint(state).items()
    return ot.load(path), {name[6:]: m / share for name, m in found if name.startswith("first.")}


def check(model: Any, folder: pathlib.Path, loss: Any, gradients: dict[str, Any]) -> None:
    """The gradients are those of the trainer, and the model is saved as it was read."""
    loss.backward()
    largest = max(np.abs(g).max() for g in gradients.values())
    assert largest > 0 and set(gradients) == {name for name, _ in model.named_parameters()}
    for name, parameter in model.named_parameters():
        gradient = 0 if parameter.grad is None else parameter.grad.double().numpy()
        apart = np.abs(gradient - gradients[name]).max() / largest
        assert apart < 1e-3, (name, apart)
    ot.save(model, folder / "again.bin")
    assert (folder / "again.bin").read_bytes() == (folder / "model.bin").read_bytes()


@pytest.mark.parametrize("causal", [False, True], ids=["all", "causal"])
@pytest.mark.parametrize("kind", [k + OPTIONS.get(k, "") for k in KINDS[1].split(", ")] + MORE)
def test_a_kind(digits: pathlib.Path, tmp_path: pathlib.Path, kind: str, causal: bool) -> None:
    words = ["--attention", kind, "--layers", kind.count(",pool") + kind.count(",window") + 1,
             "--dim", 8, "--patch", 7, *(["--causal"] if causal else [])]  # fmt: skip
    if kind == "optimizing":
        words += ["--coefficients", "continuous"]
    model, gradients = learned(digits, tmp_path, *words)
    labels = numbers_of(digits / "t10k-labels-idx1-ubyte")
    images = numbers_of(digits / "t10k-images-idx3-ubyte")
    expected = oa.load(tmp_path / "model.bin").predict(images, labels).probabilities
    with torch.no_grad():
        found = model(torch.from_numpy(images)).double().softmax(-1).numpy()
    assert np.abs(found - expected).max() < 1e-5
    images = torch.from_numpy(numbers_of(digits / "train-images-idx3-ubyte")[:16])
    labels = torch.from_numpy(numbers_of(digits / "train-labels-idx1-ubyte")[:16]).long()
    check(model, tmp_path, F.cross_entropy(model(images), labels), gradients)


def idx(path: pathlib.Path, array: np.ndarray[Any, Any]) -> None:
    code, kind = {"u": (8, "u1"), "i": (12, ">i4"), "f": (13, ">f4")}[array.dtype.kind]
    head = struct.pack(f">BBBB{array.ndim}I", 0, 0, code, array.ndim, *array.shape)
    path.write_bytes(head + array.astype(kind).tobytes())


@pytest.fixture(scope="session")
def sets(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("sets")
    run("oa-tasks", "superposed", "-q", "-o", path, "--train", 24, "--test", 6, "--memory", 6,
        "--sum", 2, "--width", 8, "--labels", 8)  # fmt: skip
    return path


@pytest.mark.parametrize("words", [
    ["--attention", "softmax"],
    ["--attention", "optimizing:keys=shared", "--coefficients", "continuous"],
    ["--attention", "threshold,softmax", "--layers", 2, "--embedding", "mlp", "--residual", "true"],
    ["--attention", "mamba"],
    ["--attention", "window", "--embedding", "mlp", "--token-mlp", 4],
], ids=str)  # fmt: skip
def test_sets(sets: pathlib.Path, tmp_path: pathlib.Path, words: list[Any]) -> None:
    model, gradients = learned(sets, tmp_path, "--dim", 8, *words)
    table = tmp_path / "table.csv"
    run("oa-score", "-q", "--model", tmp_path / "model.bin", sets, "--csv", table)

    def logits(part: str, count: int) -> Any:
        ids = torch.from_numpy(numbers_of(sets / f"{part}-tokens-idx2-int")[:count])
        vectors = torch.from_numpy(numbers_of(sets / f"{part}-vectors-idx3-float")[:count])
        return model(ids, vectors)

    with torch.no_grad():
        found = logits("t10k", 6).flatten(0, 1).numpy()
    for row, line in zip(found, csv.DictReader(table.open())):
        assert line["pred"].split() == [str(c) for c in np.flatnonzero(row > 0)]
    targets = torch.from_numpy(numbers_of(sets / "train-targets-idx3-int")[:16]).long()
    there = F.one_hot(targets + 1, 9).amax(-2)[..., 1:].float()
    loss = F.binary_cross_entropy_with_logits(logits("train", 16), there)
    check(model, tmp_path, loss, gradients)


@pytest.mark.parametrize("embedding", ["linear", "mlp"])
@pytest.mark.parametrize("causal", [[], ["--causal"]], ids=["all", "causal"])
def test_vectors(tmp_path: pathlib.Path, embedding: str, causal: list[str]) -> None:
    rng = np.random.default_rng(1)
    for part, count in (("train", 24), ("t10k", 6)):
        vectors = rng.normal(size=(count, 7, 5)).astype(np.float32)
        idx(tmp_path / f"{part}-vectors-idx3-float", vectors)
        largest = vectors[..., :3].argmax(-1).astype(np.int32)
        idx(tmp_path / f"{part}-targets-idx2-int", largest)
    task = {"task": "largest", "objective": "positions", "width": 5, "classes": 3}
    (tmp_path / "task.json").write_text(json.dumps(task))
    words = ["--attention", "gla,softmax", "--layers", 2, "--dim", 8, "--embedding", embedding]
    model, gradients = learned(tmp_path, tmp_path, *words, *causal)
    table = tmp_path / "table.csv"
    run("oa-score", "-q", "--model", tmp_path / "model.bin", tmp_path, "--csv", table)
    expected = [float(row["surprise"]) for row in csv.DictReader(table.open())]

    def surprise(part: str, count: int) -> Any:
        vectors = torch.from_numpy(numbers_of(tmp_path / f"{part}-vectors-idx3-float")[:count])
        targets = torch.from_numpy(numbers_of(tmp_path / f"{part}-targets-idx2-int")[:count])
        logits = model(vectors).flatten(0, 1)
        return F.cross_entropy(logits, targets.flatten().long(), reduction="none")

    with torch.no_grad():
        assert np.abs(surprise("t10k", 6).numpy() - expected).max() < 1e-5
    check(model, tmp_path, surprise("train", 16).mean(), gradients)
    for given, says in ((torch.zeros(2, 7, 4), r"vectors: shape \(2, 7, 4\)"),
                        (torch.zeros(2, 8, 5), "sequences: shape .* up to 7"),
                        (torch.zeros(7, 5), r"vectors: shape \(7, 5\)")):  # fmt: skip
        with pytest.raises(ValueError, match=says):
            model(given)


@pytest.mark.parametrize("words", [["--queries", 2], ["--attention", "mamba,window"]], ids=str)
def test_classes_of_sequences(tmp_path: pathlib.Path, words: list[Any]) -> None:
    rng = np.random.default_rng(1)
    for part, count in (("train", 24), ("t10k", 6)):
        lengths = rng.integers(1, 7, count)
        tokens = rng.integers(0, 5, (count, 6), dtype=np.int32)
        tokens[np.arange(6) >= lengths[:, None]] = -1
        idx(tmp_path / f"{part}-tokens-idx2-int", tokens)
        idx(tmp_path / f"{part}-labels-idx1-ubyte", rng.integers(0, 3, count, dtype=np.uint8))
    task = {"task": "any", "objective": "class", "vocabulary": 5, "classes": 3}
    (tmp_path / "task.json").write_text(json.dumps(task))
    model, _ = learned(tmp_path, tmp_path, "--dim", 8, "--layers", 2, *words)
    table = tmp_path / "table.csv"
    run("oa-score", "-q", "--model", tmp_path / "model.bin", tmp_path, "--csv", table)
    for row, sequence in zip(csv.DictReader(table.open()), tokens):
        with torch.no_grad():
            found = model(torch.from_numpy(sequence[sequence >= 0][None])).softmax(-1)[0]
        expected = [float(row[f"logits_{c}"]) for c in range(3)]
        assert np.abs(found.numpy() - expected).max() < 1e-5


def test_patterns_in_another_order(tmp_path: pathlib.Path) -> None:
    run("oa-digits", "-q", "-o", tmp_path, "--train", 24, "--test", 6)
    words = ["--attention", "sparse-transformer", "--patch", 2, "--dim", 4, "--pooling", "concat"]
    model, gradients = learned(tmp_path, tmp_path, *words)
    images = torch.from_numpy(numbers_of(tmp_path / "train-images-idx3-ubyte")[:16])
    labels = torch.from_numpy(numbers_of(tmp_path / "train-labels-idx1-ubyte")[:16]).long()
    check(model, tmp_path, F.cross_entropy(model(images), labels), gradients)


def test_a_model_is_a_module(digits: pathlib.Path, tmp_path: pathlib.Path) -> None:
    words = ["--attention", "optimizing,mamba", "--layers", 2, "--dim", 8, "--patch", 7]
    model, _ = learned(digits, tmp_path, *words)
    assert sorted(model.state_dict()) == sorted(oa.load(tmp_path / "model.bin"))
    images = torch.from_numpy(numbers_of(digits / "t10k-images-idx3-ubyte"))
    with torch.no_grad():
        expected = model(images)
        assert torch.equal(copy.deepcopy(model)(images), expected)
        named = dict(model.named_parameters())
        assert torch.equal(torch.func.functional_call(model, named, (images,)), expected)
        assert torch.allclose(model.double()(images).float(), expected, atol=1e-5)
    torch.manual_seed(3)
    drawn = [ot.Model(model.config).state_dict() for _ in range(2)]
    assert not torch.equal(drawn[0]["Wv.0.weight"], drawn[1]["Wv.0.weight"])
    torch.manual_seed(3)
    assert torch.equal(ot.Model(model.config).state_dict()["Wv.0.weight"], drawn[0]["Wv.0.weight"])


def test_an_operation_of_a_user() -> None:
    model = ot.Model({"oa.attention": "query"})
    images = torch.zeros(1, 28, 28)
    before = model(images)
    plain = OPERATIONS.pop("scaled")
    with pytest.raises(ValueError, match="the operation scaled is not in oa.torch"):
        model(images)
    ot.operation("scaled")(lambda call, x: 0 * x)
    assert not torch.equal(model(images), before)
    OPERATIONS["scaled"] = plain
    assert torch.equal(model(images), before)


def test_every_operation_was_used() -> None:
    if not used:
        pytest.skip("needs the tests above")
    assert set(OPERATIONS) - used == set()
