"""A model of oa-train, fine-tuned in PyTorch, and back to oa-qubo, oa-anneal and oa-score."""

import json
import pathlib
import subprocess

import numpy as np
import torch

import oa
import oa.torch


def run(*words: object) -> str:
    return subprocess.run(
        [str(w) for w in words], check=True, capture_output=True, text=True
    ).stdout


def idx(name: str, offset: int, *shape: int) -> torch.Tensor:
    data = np.frombuffer(pathlib.Path("digits", name).read_bytes(), np.uint8, offset=offset)
    return torch.from_numpy(data.reshape(-1, *shape).copy())


run("oa-digits", "-q", "-o", "digits", "--train", 400, "--test", 60)
run("oa-train", "digits", "-q", "-o", "model.bin", "--epochs", 8, "--held-out", 100)
images, labels = (
    idx("train-images-idx3-ubyte", 16, 28, 28),
    idx("train-labels-idx1-ubyte", 8).long(),
)
test = idx("t10k-images-idx3-ubyte", 16, 28, 28)

model = oa.torch.load("model.bin").train()
adam = torch.optim.Adam(model.parameters(), lr=1e-3)
losses = []
for step in range(20):
    some = torch.randperm(300, generator=torch.Generator().manual_seed(step))[:50]
    loss = torch.nn.functional.cross_entropy(model(images[some]), labels[some])
    adam.zero_grad()
    loss.backward()
    adam.step()
    losses.append(loss.item())
print("fine-tuned, the loss falls:", sum(losses[-5:]) < sum(losses[:5]))
oa.torch.save(model, "tuned.bin")

# The tools solve the binary problems of the tuned model exactly; PyTorch does, too.
run("oa-qubo", "-q", "tuned.bin", "digits/t10k-images-idx3-ubyte", "-o", "problems.oa",
    "--labels", "digits/t10k-labels-idx1-ubyte")  # fmt: skip
run("oa-anneal", "-q", "problems.oa", "-o", "solved.oa")
score = json.loads(run("oa-score", "--json", "solved.oa"))
for optimum in model.optima.values():
    optimum.solver = "exact"
with torch.no_grad():
    classes = model.eval()(test).argmax(-1)
correct = int((classes == idx("t10k-labels-idx1-ubyte", 8)).sum())
print("as many correct as oa-score:", abs(correct - score["correct"]) <= 1)
print("more than half are correct:", correct > 30)
print("the file has its configuration:", oa.load("tuned.bin").config["oa.attention"])
