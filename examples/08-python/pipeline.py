"""The whole pipeline: from images to an accuracy."""

import pathlib
import subprocess

import numpy as np

import oa

if not pathlib.Path("model.bin").exists():  # the tools come with the package
    subprocess.run("oa-digits -q -o digits --train 300 --test 20".split(), check=True)
    subprocess.run("oa-train -q digits -o model.bin --epochs 1 --held-out 50".split(), check=True)

model = oa.load("model.bin")
images = np.fromfile("digits/t10k-images-idx3-ubyte", np.uint8)[16:].reshape(-1, 28, 28)
labels = np.fromfile("digits/t10k-labels-idx1-ubyte", np.uint8)[8:]
problems = list(model.pose(images, labels))
batch = oa.solve_batch(
    np.stack([frame["J"] for frame in problems]), np.stack([frame["h"] for frame in problems])
)
solved = oa.solve_stream(problems)
oa.write_stream("solved.oa", solved)
report = oa.score("solved.oa")
same = all((frame["x"] == x).all() for frame, x in zip(solved, batch.x))
print(f"{batch.proved.size} QUBOs, {batch.proved.sum()} proved, {report['images']} images")
print(f"the stream and the batch have the same answers: {same}")
