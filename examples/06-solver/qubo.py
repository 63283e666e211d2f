"""What problems.py builds with: terms, random numbers, rows of 0s and 1s."""

import itertools
import math
import random


class Qubo:
    """A sum of terms without its constant."""

    def __init__(self):
        self.weights = {}

    def add(self, i, k, weight):
        pair = (min(i, k), max(i, k))
        self.weights[pair] = self.weights.get(pair, 0) + weight

    def add_square(self, factor, coefficients, constant):
        """factor (constant + sum of coefficients x)^2"""
        for (i, a), (k, b) in itertools.combinations(coefficients, 2):
            self.add(i, k, 2 * factor * a * b)
        for i, a in coefficients:
            self.add(i, i, factor * a * (a + 2 * constant))

    def add_one_of(self, factor, variables):
        self.add_square(factor, [(v, 1) for v in variables], -1)

    def write(self, n):
        fields = [(i, k, w) for (i, k), w in sorted(self.weights.items()) if i == k]
        pairs = [(i, k, w) for (i, k), w in sorted(self.weights.items()) if i != k and w != 0]
        print("p qubo 0", n, len(fields), len(pairs))
        for term in fields + pairs:
            print(*term)


class Random:
    """The same numbers with every version of Python."""

    def __init__(self, name):
        self.random = random.Random(name).random

    def between(self, low, high):
        return low + int(self.random() * (high - low + 1))

    def normal(self):
        return math.sqrt(-2 * math.log(1 - self.random())) * math.cos(2 * math.pi * self.random())


def ones(x, rows, columns):
    """The column of the 1 of each row; None if a row has none or several."""
    found = [[c for c in range(columns) if x[r * columns + c]] for r in range(rows)]
    return [f[0] for f in found] if all(len(f) == 1 for f in found) else None


def permutation(x, n):
    places = ones(x, n, n)
    return places if places and len(set(places)) == n else None
