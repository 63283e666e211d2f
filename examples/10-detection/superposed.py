"""Which of 40 random vectors were added?  Decodes sums of 6 of them in 20 numbers each."""

import json
import subprocess

import numpy as np

rng = np.random.default_rng(1)
V = rng.standard_normal((40, 20))
X = np.zeros((50, 40))
for row in X:
    row[rng.choice(40, 6, replace=False)] = 1
np.save("V.npy", V)
np.save("Q.npy", X @ V + 0.1 * rng.standard_normal((50, 20)))
np.save("X.npy", X)
pipe = "oa-qubo -q --values V.npy --queries Q.npy --lambda 0.1 | oa-anneal -q | oa-score --truth X.npy --json"
score = json.loads(subprocess.run(pipe, shell=True, check=True, capture_output=True).stdout)
print("whole sets wrong:", score["errors"], "of 50 proved:", score["proved_optimal"])
