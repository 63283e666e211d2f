"""Streams, models and machines beside the tools."""

from __future__ import annotations

import copy
import csv
import json
import pathlib
import pickle
import shutil
from typing import Any

import numpy as np
import pytest

import oa
from conftest import run


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Drawn digits, a model, its problems and their solutions."""
    path = tmp_path_factory.mktemp("pipeline")
    run("oa-digits", "-q", "-o", path / "digits", "--train", 300, "--test", 12)
    run("oa-train", path / "digits", "-q", "-o", path / "model.bin", "--epochs", 1,
        "--held-out", 50)  # fmt: skip
    images = path / "digits" / "t10k-images-idx3-ubyte"
    shutil.copy(images, path / "images-idx3-ubyte")
    shutil.copy(images.with_name("t10k-labels-idx1-ubyte"), path / "labels-idx1-ubyte")
    run("oa-qubo", "-q", path / "model.bin", path / "images-idx3-ubyte",
        "--labels", path / "labels-idx1-ubyte", "-o", path / "problems.oa")  # fmt: skip
    run("oa-anneal", "-q", path / "problems.oa", "-o", path / "solved.oa")
    return path


def digits(path: pathlib.Path) -> tuple[Any, Any]:
    images = (path / "images-idx3-ubyte").read_bytes()
    labels = (path / "labels-idx1-ubyte").read_bytes()
    return (
        np.frombuffer(images, np.uint8, offset=16).reshape(-1, 28, 28),
        np.frombuffer(labels, np.uint8, offset=8),
    )


def test_frames(folder: pathlib.Path) -> None:
    frames = list(oa.stream(folder / "solved.oa"))
    assert [int(f["index"][0]) for f in frames] == list(range(12))
    first = frames[0]
    assert first.kind == "solution" and first["J"].dtype == np.float32
    assert not first["J"].flags.owndata and not first["J"].flags.writeable
    energies = [
        0.5 * x.astype(float) @ first["J"] @ x + h @ x.astype(float)
        for x, h in zip(first["x"], first["h"])
    ]
    assert energies == pytest.approx(first["energy"], rel=1e-5, abs=1e-5)
    assert first.head.metadata["oa.attention"] == "optimizing"
    assert "J" in first and "nonsense" not in first and "h" in first.keys()
    with pytest.raises(KeyError):
        first["nonsense"]
    assert list(first) == list(dict(first)) == first.keys() and len(first) == len(first.keys())
    views = first["J"]
    del frames, first
    assert np.isfinite(views).all()  # its frame stays


@pytest.mark.parametrize("name", ["problems.oa", "solved.oa"])
def test_the_same_bytes(folder: pathlib.Path, tmp_path: pathlib.Path, name: str) -> None:
    oa.write_stream(tmp_path / "again.oa", oa.stream(folder / name))
    assert (tmp_path / "again.oa").read_bytes() == (folder / name).read_bytes()
    twice = tmp_path / "twice.oa"
    twice.write_bytes((folder / name).read_bytes() * 2)
    oa.write_stream(tmp_path / "again.oa", list(oa.stream(twice)))
    assert (tmp_path / "again.oa").read_bytes() == twice.read_bytes()


def test_frames_from_arrays(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    made = [
        oa.frame(f.head, f.kind, **{name: f[name] for name in f.keys()})
        for f in oa.stream(folder / "problems.oa")
    ]
    oa.write_stream(tmp_path / "again.oa", made)
    assert (tmp_path / "again.oa").read_bytes() == (folder / "problems.oa").read_bytes()
    first = made[0]
    with pytest.raises(ValueError, match="symmetric"):
        oa.frame(first.head, J=np.triu(first["J"]), h=first["h"], V=first["V"], index=0)
    with pytest.raises(ValueError, match="is missing"):
        oa.frame(first.head, J=first["J"], h=first["h"], index=0)
    with pytest.raises(ValueError, match="no frames"):
        oa.write_stream(tmp_path / "empty.oa", [])


def test_pipeline(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    images, labels = digits(folder)
    model = oa.load(folder / "model.bin")
    problems = model.pose(images, labels)
    solved = oa.solve_stream(problems)
    report = oa.score(solved)
    oa.write_stream(tmp_path / "problems.oa", problems)
    assert (tmp_path / "problems.oa").read_bytes() == (folder / "problems.oa").read_bytes()
    expected = json.loads(run("oa-score", "--json", folder / "solved.oa").stdout)
    assert report["correct"] == expected["correct"]
    listed = oa.score(list(solved))
    assert listed["correct"] == report["correct"]
    assert model.config["oa.attention"] == "optimizing"
    assert len(model) == len(list(model)) and model[next(iter(model))].size > 0


def test_batch_says_the_same_as_the_stream(folder: pathlib.Path) -> None:
    frames = list(oa.stream(folder / "solved.oa"))
    found = oa.solve_batch(np.stack([f["J"] for f in frames]), np.stack([f["h"] for f in frames]))
    assert (found.x == np.stack([f["x"] for f in frames])).all()
    assert (found.energy == np.stack([f["energy"] for f in frames])).all()
    assert (found.bound == np.stack([f["bound"] for f in frames])).all()
    assert (found.proved == (np.stack([f["status"] for f in frames]) == 0)).all()
    one = oa.solve_batch(frames[0]["J"], frames[0]["h"])
    assert (one.x == frames[0]["x"]).all() and one.x.shape == frames[0]["h"].shape
    again = oa.solve_batch(frames[0]["J"], frames[0]["h"], threads=2)
    assert (again.x == one.x).all() and (again.nodes == one.nodes).all()


def test_batch_of_other_coefficients() -> None:
    rng = np.random.default_rng(5)
    a = rng.normal(size=(4, 4))
    j = (a @ a.T).astype(np.float32)
    h = rng.normal(size=(6, 4)).astype(np.float32)
    real = oa.solve_batch(j, h, coefficients="continuous")
    assert real.x.dtype == np.float32 and ((0 <= real.x) & (real.x <= 1)).all()
    gradient = real.x @ j + h
    assert (np.abs(gradient[(real.x > 0) & (real.x < 1)]) < 1e-3).all()
    grid = oa.solve_batch(j, h, levels=4)
    assert (np.round(grid.x * 3) == pytest.approx(grid.x * 3, abs=1e-6)) and grid.proved.all()
    values = np.array(np.meshgrid(*[np.arange(4) / 3] * 4)).reshape(4, -1)
    energies = 0.5 * np.einsum("ib,ij,jb->b", values, j, values) + h @ values
    assert grid.energy == pytest.approx(energies.min(axis=1), abs=1e-5)


def test_zeros_of_both_signs_are_equal() -> None:
    assert oa.solve_batch([[1.0, 0.0], [-0.0, 1.0]], [[-1.0, 1.0]]).x.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("j", "h", "options", "says"),
    [
        (np.ones((2, 3)), np.ones((1, 3)), {}, "J: an array of shape"),
        (np.ones((2, 2)), np.ones((1, 3)), {}, "h: an array of shape"),
        (np.ones((3, 2, 2)), np.ones((2, 1, 2)), {}, "beside J"),
        (np.triu(np.ones((2, 2))), np.ones((1, 2)), {}, "problem 0: J is not symmetric"),
        (np.full((2, 2), np.nan), np.ones((1, 2)), {}, r"problem 0: J\[0,0\] is nan"),
        (np.ones((2, 2)), np.full((1, 2), 1e300), {}, r"h\[0,0\] is inf"),
        (np.ones((2, 2)), np.ones((1, 2)), {"levels": 99}, "levels"),
        (np.ones((2, 2)), np.ones((1, 2)), {"coefficients": "lasso"}, "coefficients"),
        (np.ones((2, 2)), np.ones((1, 2)), {"solver": "magic"}, "magic"),
        (np.ones((2, 2)), np.ones((1, 2)), {"solver": "sa", "coefficients": "continuous"}, "sa"),
    ],
)
def test_bad_batches(j: Any, h: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        oa.solve_batch(j, h, **options)


def test_empty_batches() -> None:
    for j, h in (
        ((4, 4), (0, 4)),
        ((4, 4), (3, 0, 4)),
        ((2, 4, 4), (2, 0, 4)),
        ((4, 4), (0, 3, 4)),
    ):
        found = oa.solve_batch(np.ones(j), np.zeros(h))
        assert found.x.shape == h and found.energy.shape == h[:-1]


def test_predictions(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    images, labels = digits(folder)
    found = oa.load(folder / "model.bin").predict(images, labels)
    run("oa-score", "--model", folder / "model.bin", folder / "images-idx3-ubyte",
        "--labels", folder / "labels-idx1-ubyte", "--csv", tmp_path / "p.csv")  # fmt: skip
    with open(tmp_path / "p.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert found.classes.tolist() == [int(row["pred"]) for row in rows]
    assert (found.probabilities.argmax(axis=1) == found.classes).all()
    assert (found.labels == labels).all()
    assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(12))


def test_labels_are_not_wrapped(folder: pathlib.Path) -> None:
    images, _ = digits(folder)
    model = oa.load(folder / "model.bin")
    with pytest.warns(UserWarning, match="no labels"):
        assert (model.predict(images[:2], [-1, -1]).labels == -1).all()
    for labels in ([-1, 3], [1, 260]):
        with pytest.raises(ValueError, match="labels: (-1|260)"):
            model.predict(images[:2], np.array(labels))
    with pytest.raises(TypeError, match="whole numbers"):
        model.predict(images[:2], np.array([0.5, 1.0]))


def test_colours_come_last_or_second(folder: pathlib.Path) -> None:
    images, _ = digits(folder)
    colours = np.stack([images, images // 2, images // 3], axis=-1)
    model = oa.load(folder / "model.bin")
    last = list(model.pose(colours, fit=True))
    second = list(model.pose(np.moveaxis(colours, -1, 1), fit=True))
    assert len(last) == 12
    assert all((a["J"] == b["J"]).all() for a, b in zip(last, second))


def test_options_that_functions_set_themselves(folder: pathlib.Path) -> None:
    images, _ = digits(folder)
    model = oa.load(folder / "model.bin")
    for name, call in {
        "output": lambda: oa.solve_stream(folder / "problems.oa", output="x"),
        "json": lambda: oa.score(folder / "solved.oa", json=True),
        "csv": lambda: model.predict(images, csv="x"),
    }.items():
        with pytest.raises(TypeError, match=f"{name}: not an option"):
            call()


def test_bad_images(folder: pathlib.Path) -> None:
    model = oa.load(folder / "model.bin")
    with pytest.raises(TypeError, match="uint8"):
        model.pose(np.zeros((1, 28, 28)))
    with pytest.raises(ValueError, match="shape"):
        model.pose(np.zeros(28, dtype=np.uint8))
    with pytest.raises(ValueError, match="28"):
        model.pose(np.zeros((1, 5, 5), dtype=np.uint8))
    with pytest.raises(FileNotFoundError):
        oa.load(folder / "no such model")
    with pytest.raises(FileNotFoundError):
        oa.stream(folder / "no such stream")
    with pytest.raises(ValueError, match="model"):
        list(oa.stream(folder / "model.bin"))
    with pytest.raises(ValueError, match="nonsense"):
        model.pose(np.zeros((1, 28, 28), dtype=np.uint8), nonsense=1)


def test_machine(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    frames = list(oa.stream(folder / "problems.oa"))[:2]
    archive = tmp_path / "mat.tar.gz"
    summary = oa.cim.pack(frames, archive, machine="cpqc-550", merge=True, precision="best")
    assert summary["tasks"] == 2
    run("oa-cim-sim", "-q", archive, "-o", tmp_path / "results")
    solved = oa.cim.ingest(tmp_path / "mat.manifest", tmp_path / "results")
    assert isinstance(solved, oa.Stream)
    assert [f.kind for f in solved] == ["solution"] * 2


@pytest.mark.parametrize("format", ["qubo", "ising"])
def test_machine_of_14_bits(tmp_path: pathlib.Path, rng: np.random.Generator, format: str) -> None:
    q = np.triu(rng.normal(size=(12, 12)))
    archive = tmp_path / "m.tar.gz"
    options = {"machine": "cpqc-1000", "precision": "vendor", "format": format, "force": True}
    coarse = oa.cim.pack(q, archive, **options)
    fine = oa.cim.pack(q, archive, bits=14, **options)
    assert fine["scale_max"] == pytest.approx(coarse["scale_max"] * 8191 / 127)
    run("oa-cim-sim", "-q", archive, "-o", tmp_path / "results")
    (found,) = oa.cim.ingest(tmp_path / "m.manifest", tmp_path / "results")
    assert found["energy"] == pytest.approx(oa.solve(q).energy)
    with pytest.raises(ValueError, match="2049 spins .expected at most 2048 with 14 bits"):
        oa.cim.pack(np.ones((2048, 2048)), archive, bits=14, precision="vendor", force=True)


def test_copies_of_frames(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for copied in (copy.deepcopy, lambda frame: pickle.loads(pickle.dumps(frame))):
        frames = [copied(frame) for frame in oa.stream(folder / "solved.oa")]
        for frame, other in zip(frames, oa.stream(folder / "solved.oa"), strict=True):
            assert frame.kind == other.kind and frame.metadata == other.metadata
            assert all((frame[name] == other[name]).all() for name in other)
            assert copied(frame.head).metadata == other.head.metadata
        model = oa.load(folder / "model.bin")
        assert oa.score(frames) == oa.score(folder / "solved.oa")
        assert list(model)


def test_constraints_on_a_machine(tmp_path: pathlib.Path) -> None:
    (tmp_path / "p.lp").write_text(
        "Max\n o: 3 x + 2 y + z\nst\n c: x + y <= 1\n d: y + z <= 1\nBinary\n x y z\nEnd\n"
    )
    problem = oa.read(tmp_path / "p.lp")
    with pytest.warns(UserWarning, match="2 constraints became penalties"):
        oa.cim.pack(problem, tmp_path / "m.tar.gz")
    rows = {0: [[1, 0, 1], [1, 1, 1]]}
    (best,) = oa.cim.ingest(tmp_path / "m.manifest", rows)
    assert best["feasible"] and best["energy"] == 4.0
    assert dict(zip(best["names"], best["x"])) == {"x": 1, "y": 0, "z": 1}
    (worse,) = oa.cim.ingest(tmp_path / "m.manifest", {0: [[1, 1, 1]]})
    assert not worse["feasible"] and worse["violated"]
    oa.cim.pack({("a", "b", ("c", 1)): -1.0}, tmp_path / "cubic.tar.gz")


def test_spins_of_a_machine(tmp_path: pathlib.Path) -> None:
    q = {("a", "b"): 2.0, ("a", "a"): -1.0, ("b", "b"): -1.0, ("b", "c"): -3.0}
    archive = tmp_path / "mat.tar.gz"
    oa.cim.pack(q, archive)
    results = oa.cim.ingest(tmp_path / "mat.manifest", {0: [[0, 1, 1], [1, 0, 0]]})
    assert isinstance(results, list)
    best = oa.solve(q)
    assert dict(zip(results[0]["names"], results[0]["x"])) == best.x
    assert results[0]["energy"] == best.energy
    report = tmp_path / "report.json"
    rows = np.array([[0, 1, 1], [1, 0, 0], [0, 1, 1], [0, 0, 0]])
    oa.cim.ingest(tmp_path / "mat.manifest", {0: 2 * rows - 1}, tasks=True, json=report)
    task = json.loads(report.read_text())["by_task"][0]
    assert task["runs"] == 4 and task["distinct"] == 3 and task["optimum_hits"] == 2
    oa.cim.pack(q, tmp_path / "ising.tar.gz", format="ising")
    for spins in ([[0, 1, 1]], [[0, 1, 1, 1]], [[1, 0, 0, 0]]):
        results = oa.cim.ingest(tmp_path / "ising.manifest", {0: spins})
        assert isinstance(results, list) and results[0]["energy"] == best.energy
    with pytest.raises(ValueError, match="no task"):
        oa.cim.ingest(tmp_path / "mat.manifest", {7: [[0, 1, 1]]})
    with pytest.raises(ValueError, match="spins"):
        oa.cim.ingest(tmp_path / "mat.manifest", {0: [[0, 1]]})
    for wrong in ([[0, 1, 2]], [[-1, 0, 1]], [[0, 1, -1]]):
        with pytest.raises(ValueError, match="not all -1 and 1, or all 0 and 1"):
            oa.cim.ingest(tmp_path / "mat.manifest", {0: wrong})
    with pytest.raises(ValueError, match=r"task 0: .*shape \(0, 3\)"):
        oa.cim.ingest(tmp_path / "mat.manifest", {0: np.zeros((0, 3))})
    with pytest.raises(ValueError, match="no task"):
        oa.cim.ingest(tmp_path / "mat.manifest", {})


def test_folder_of_checkpoints(tmp_path: pathlib.Path) -> None:
    """The files as Kaiwu 1.3 writes them: columns first, numbers of 8 bytes."""
    q = {("a", "b"): 2.0, ("a", "a"): -1.0, ("b", "b"): -1.0, ("b", "c"): -3.0}
    oa.cim.pack(q, tmp_path / "mat.tar.gz", format="ising")
    folder = tmp_path / "tmp"
    folder.mkdir()

    def write(name: str, content: object, digit: str = "0", protocol: int = 4) -> None:
        file = folder / f"{name}_{32 * digit}_results.pkl"
        file.write_bytes(pickle.dumps(content, protocol=protocol))

    rows = np.asfortranarray([[1.0, -1.0, -1.0, 1.0], [-1.0, 1.0, 1.0, 1.0]])
    for protocol in (3, 4, 5):
        write("mat0", rows, protocol=protocol)
        write("my_other_task", -rows.astype(np.int8), protocol=protocol)
        (folder / "mat0.log").write_text("no result")
        spins = oa.cim.read_checkpoints(folder)
        assert list(spins) == ["mat0", "my_other_task"] and spins["mat0"].dtype == np.int8
        assert (spins["mat0"] == rows).all() and (spins["my_other_task"] == -rows).all()
        for results in (folder, {0: spins["my_other_task"]}):
            (best,) = oa.cim.ingest(tmp_path / "mat.manifest", results)
            assert best["energy"] == oa.solve(q).energy
    with pytest.raises(ValueError, match="no task other0 .*there are mat0, my_other_task"):
        oa.cim.pack(q, tmp_path / "other.tar.gz", name="other")
        oa.cim.ingest(tmp_path / "other.manifest", folder)
    for wrong in (2.0 * rows, ["mat0"], pathlib.Path("x"), print):
        write("mat0", wrong)
        with pytest.raises(ValueError, match="not an array of spins|not all -1 and 1"):
            oa.cim.read_checkpoints(folder)
    write("mat0", rows)
    write("mat0", rows, digit="1")
    with pytest.raises(ValueError, match="several tasks 'mat0'"):
        oa.cim.read_checkpoints(folder)
    assert oa.cim.read_checkpoints(tmp_path) == {}


def test_maximised_problems_stay_so_on_a_machine(tmp_path: pathlib.Path) -> None:
    q = np.array([[1, 2], [0, -1]])
    oa.cim.pack(oa.Problem(q, sense="max"), tmp_path / "m.tar.gz")
    first = (tmp_path / "m.manifest").read_bytes()
    results = oa.cim.ingest(tmp_path / "m.manifest", {0: [[1, 0], [1, 1]]})
    assert isinstance(results, list) and results[0]["energy"] == 2.0
    oa.cim.pack(q, tmp_path / "m.tar.gz", sense="max")  # the same again replaces the files
    assert (tmp_path / "m.manifest").read_bytes() == first
    with pytest.raises(ValueError, match="apart"):
        oa.cim.pack([oa.Problem(q, sense="max"), q], tmp_path / "n.tar.gz")


def test_weights_without_a_double_are_packed(
    rng: np.random.Generator, tmp_path: pathlib.Path
) -> None:
    q = rng.normal(size=(6, 6))  # q[i, k] + q[k, i] is rarely a double
    assert oa.cim.pack(q, tmp_path / "m.tar.gz")["problems"] == 1
    oa.write(q, tmp_path / "q.json", "bqm")
    back = oa.read(tmp_path / "q.json")
    for x in rng.integers(0, 2, size=(20, 6)):
        assert back.energy(x) == oa.Problem(q).energy(x)


def test_files_and_processes_are_not_needed(
    folder: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("no process and no temporary file is needed")

    images, labels = digits(folder)
    monkeypatch.setattr("subprocess.Popen", refuse)
    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    model = oa.load(folder / "model.bin")
    solved = oa.solve_stream(model.pose(images, labels))
    assert oa.score(solved)["images"] == 12
    assert len(model.predict(images).classes) == 12
    summary = oa.cim.pack(list(solved)[:2], tmp_path / "mat.tar.gz", machine="cpqc-550")
    assert summary["tasks"] > 0
    with pytest.raises(ValueError, match="solver"):
        oa.solve_stream(solved, solver="nonsense")
    with pytest.raises(ValueError):
        model.pose(images, nonsense=1)


def test_streams_in_memory(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    solved = oa.solve_stream(folder / "problems.oa", no_times=True)
    run("oa-anneal", "-q", "--no-times", folder / "problems.oa", "-o", tmp_path / "solved.oa")
    oa.write_stream(tmp_path / "again.oa", solved)
    assert (tmp_path / "again.oa").read_bytes() == (tmp_path / "solved.oa").read_bytes()
    frames = iter(solved)
    first = next(frames)
    del solved
    assert len(list(frames)) == 11 and first["x"].size > 0


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import types

    seen: list[Any] = []

    class Bar:
        def __init__(self, desc: str, total: int | None, leave: bool) -> None:
            self.n = 0
            seen.append((desc, total))

        def refresh(self) -> None:
            seen.append(self.n)

        def close(self) -> None:
            seen.append("closed")

    tqdm = types.SimpleNamespace(tqdm=Bar)
    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(auto=tqdm))
    monkeypatch.setitem(sys.modules, "tqdm.auto", tqdm)
    monkeypatch.setattr("oa._progress._visible", lambda: True)
    j = np.zeros((1, 30, 30), dtype=np.float32)
    h = np.random.default_rng(5).normal(size=(400, 1, 30)).astype(np.float32)
    j = np.broadcast_to(j, (400, 30, 30))
    oa.solve_batch(j, h, solver="sa", reads=3000, sweeps=300, threads=1)
    assert seen[0] == ("problems", 400) and seen[-2:] == [400, "closed"]
