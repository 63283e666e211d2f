"""A model of dimod, solved with a proof; and one with a constraint."""

import dimod

import oa
import oa.dimod

# Partition these numbers into two sets with equal sums.
numbers = [7, 11, 5, 3, 8, 2, 12, 6]
bqm = dimod.BinaryQuadraticModel("SPIN")
for i, a in enumerate(numbers):
    bqm.offset += a * a
    for k in range(i):
        bqm.add_quadratic(numbers[k], a, 2 * numbers[k] * a)
found = oa.dimod.Sampler().sample(bqm)
half = sorted(a for a, side in found.first.sample.items() if side == found.first.sample[12])
print(f"difference {found.first.energy:g}, {found.info['status']}; {sum(half)} = half of 54")

# The best three of these items that weigh at most 15.
x = {a: dimod.Binary(a) for a in numbers}
cqm = dimod.ConstrainedQuadraticModel()
cqm.set_objective(-sum(a * v for a, v in x.items()))
cqm.add_constraint(sum(x.values()) == 3, label="three")
cqm.add_constraint(sum(a * v for a, v in x.items()) <= 15, label="weight")
best = oa.solve(oa.dimod.from_cqm(cqm))
taken = [a for a, v in best.x.items() if v]
print(f"{len(taken)} items of {sum(taken)}, feasible: {best.feasible}, {best.status}")
