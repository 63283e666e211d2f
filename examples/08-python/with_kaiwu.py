"""From a Kaiwu model to a proof, to eight bits, to the machine and back."""

import subprocess

import kaiwu as kw
import numpy as np

import oa
import oa.kaiwu

# The shortest round trip: x[u, k] is 1 where city u is number k of the tour.
cities = np.array([[0, 0], [3, 0.5], [3.5, 2.25], [1.75, 3], [0.25, 2]])
distance = np.linalg.norm(cities[:, None] - cities, axis=-1).round(2)
n = len(cities)
x = kw.core.ndarray((n, n), "x", kw.core.Binary)
after = np.roll(x, -1, axis=1)
length = [distance[u, v] * x[u].dot(after[v]) for u in range(n) for v in range(n) if u != v]
model = kw.core.QuboModel(kw.core.quicksum(length))
model.add_constraint(x.sum(axis=0) == 1, "one city at a time", penalty=10)
model.add_constraint(x.sum(axis=1) == 1, "every city once", penalty=10)

# The proof.
solver = oa.kaiwu.Solver()
solution, energy = solver.solve_qubo(model)
violated, _ = model.verify_constraint(solution)
print(f"length {energy:.2f}, {solver.status}, {violated} constraints violated")

# Eight bits: the matrix that the machine gets, and what rounding costs.
problem = oa.kaiwu.from_qubo(model)
packed = oa.cim.pack(problem, "mat.tar.gz", machine="cpqc-550", precision="best", force=True)
spins, bits = packed["spins_max"], packed["field_bits_max"]
print(f"{spins} spins of {bits} bits; optima kept: {packed['kept_every'] == 1}")

# The machine, simulated here, and back: energies are those of the model.
subprocess.run("oa-cim-sim -q -o results mat.tar.gz".split(), check=True)
(returned,) = oa.cim.ingest("mat.manifest", "results")
print(f"the machine's best: {returned['energy']:.2f}, {returned['energy'] - energy:.2f} longer")
