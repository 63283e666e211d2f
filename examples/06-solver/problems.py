"""Kinds of problems with constraints, levels and least squares.

Each says why its penalties suffice, so that every minimum of the QUBO is feasible, and
has qubo(); read(), which is the value in the original space, or None if infeasible; and
known(), the best value by other means, with these.
"""

import itertools
import math
import operator

from qubo import Qubo, Random, ones, permutation


class Family:
    largest = False  # the value is to be maximised
    percent = True  # gaps are per cent of the known value, else differences


class Tsp(Family):
    """A shortest tour: variable (city, position), distances in a square of 100.

    Penalty A of each city and position, A > the greatest distance d.  Where a city or
    position has two 1s, removing one never raises the energy.  A missing city then has a
    missing position; putting it there costs at most 2 d and saves 2 A.
    """

    def __init__(self, rng, n):
        self.n = n
        points = [(100 * rng.random(), 100 * rng.random()) for _ in range(n)]
        self.distance = [[round(math.dist(p, q)) for q in points] for p in points]

    def qubo(self):
        n, q = self.n, Qubo()
        penalty = max(map(max, self.distance)) + 1
        for i in range(n):
            q.add_one_of(penalty, [i * n + p for p in range(n)])
            q.add_one_of(penalty, [p * n + i for p in range(n)])
        for i, k in itertools.permutations(range(n), 2):
            for p in range(n):
                q.add(i * n + p, k * n + (p + 1) % n, self.distance[i][k])
        return q, n * n

    def read(self, x):
        places = permutation(x, self.n)
        return places and self.length(sorted(range(self.n), key=places.__getitem__))

    def length(self, tour):
        return sum(self.distance[a][b] for a, b in zip(tour, tour[1:] + tour[:1]))

    def known(self):
        """Shortest paths from the last city through each set of other cities."""
        last, d = self.n - 1, self.distance
        best = [[math.inf] * last for _ in range(1 << last)]
        for i in range(last):
            best[1 << i][i] = d[last][i]
        for visited in range(1, 1 << last):
            outside = [k for k in range(last) if not visited >> k & 1]
            for i in range(last):
                length = best[visited][i]
                if length < math.inf:
                    for k in outside:
                        row = best[visited | 1 << k]
                        row[k] = min(row[k], length + d[i][k])
        shortest = min(b + d[i][last] for i, b in enumerate(best[-1]))
        return shortest, "optimal: dynamic programming over sets"


class Qap(Family):
    """Quadratic assignment: variable (object, place), flows 0 to 9 times distances.

    Penalty A of each object and place.  Adding a missing object at a free place costs at
    most the product of sorted flows and sorted distances, which is below 2 A.
    """

    def __init__(self, rng, n):
        self.n = n
        points = [(rng.between(0, 9), rng.between(0, 9)) for _ in range(n)]
        self.distance = [[abs(a - c) + abs(b - d) for c, d in points] for a, b in points]
        self.flow = [[0] * n for _ in range(n)]
        for i, k in itertools.combinations(range(n), 2):
            self.flow[i][k] = self.flow[k][i] = max(0, rng.between(-5, 9))

    def qubo(self):
        n, q = self.n, Qubo()
        sorted_pairs = itertools.product(map(sorted, self.flow), map(sorted, self.distance))
        penalty = max(sum(map(operator.mul, *pair)) for pair in sorted_pairs) // 2 + 1
        for i in range(n):
            q.add_one_of(penalty, [i * n + p for p in range(n)])
            q.add_one_of(penalty, [p * n + i for p in range(n)])
        for i, k in itertools.combinations(range(n), 2):
            for p, r in itertools.permutations(range(n), 2):
                q.add(i * n + p, k * n + r, self.flow[i][k] * self.distance[p][r])
        return q, n * n

    def read(self, x):
        places = permutation(x, self.n)
        return places and self.cost(places)

    def cost(self, p):
        pairs = itertools.combinations(range(self.n), 2)
        return sum(self.flow[i][k] * self.distance[p[i]][p[k]] for i, k in pairs)

    def known(self):
        if self.n <= 7:
            costs = map(self.cost, itertools.permutations(range(self.n)))
            return min(costs), "optimal: all permutations"
        rng, best = Random("qap"), math.inf
        for _ in range(2000):
            p = sorted(range(self.n), key=lambda _: rng.random())
            while self.improve(p):
                pass
            best = min(best, self.cost(p))
        return best, "best of 2000 local searches by exchanges"

    def improve(self, p):
        n, f, d = self.n, self.flow, self.distance
        better = False
        for r, s in itertools.combinations(range(n), 2):
            u, v = d[p[r]], d[p[s]]
            others = (k for k in range(n) if k not in (r, s))
            change = sum((f[r][k] - f[s][k]) * (v[p[k]] - u[p[k]]) for k in others)
            if change < 0:
                p[r], p[s] = p[s], p[r]
                better = True
        return better


class Colour(Family):
    """Four colours for the vertices of a graph: variable (vertex, colour), value the
    number of edges with equal ends.  A colouring without such edges is planted.

    A vertex has a colour with at most degree / 4 conflicts; the penalty is larger.
    """

    percent = False
    colours = 4

    def __init__(self, rng, n):
        self.n = n
        planted = [rng.between(0, self.colours - 1) for _ in range(n)]
        most = round(4.4 * n)  # near the threshold of colourings, where they are hard to find
        pairs = [e for e in itertools.combinations(range(n), 2) if planted[e[0]] != planted[e[1]]]
        self.edges = sorted(sorted(pairs, key=lambda _: rng.random())[:most])

    def qubo(self):
        q = Qubo()
        degree = [sum(v in e for e in self.edges) for v in range(self.n)]
        penalty = max(degree) // self.colours + 1
        for v in range(self.n):
            q.add_one_of(penalty, [v * self.colours + c for c in range(self.colours)])
        for a, b in self.edges:
            for c in range(self.colours):
                q.add(a * self.colours + c, b * self.colours + c, 1)
        return q, self.n * self.colours

    def read(self, x):
        colour = ones(x, self.n, self.colours)
        return colour and sum(colour[a] == colour[b] for a, b in self.edges)

    def known(self):
        return 0, "optimal: planted"


class Knapsack(Family):
    """The greatest value within a capacity; slack in digits 1, 2, 4, ..., the last one
    smaller, so that it takes all values up to the capacity.

    Penalty (greatest value + 1) times the square of the excess: an excess e is removed
    by at most e items, because no weight is below 1.
    """

    largest = True

    def __init__(self, rng, n):
        self.weight = [rng.between(1, 60) for _ in range(n)]
        self.value = [w + rng.between(0, 30) for w in self.weight]
        self.capacity = sum(self.weight) // 2

    def digits(self):
        digit, left = 1, self.capacity
        while left > 0:
            yield min(digit, left)
            left -= digit
            digit *= 2

    def qubo(self):
        q, coefficients = Qubo(), list(enumerate(self.weight + list(self.digits())))
        q.add_square(max(self.value) + 1, coefficients, -self.capacity)
        for i, v in enumerate(self.value):
            q.add(i, i, -v)
        return q, len(coefficients)

    def read(self, x):
        taken = [i for i in range(len(self.weight)) if x[i]]
        feasible = sum(self.weight[i] for i in taken) <= self.capacity
        return sum(self.value[i] for i in taken) if feasible else None

    def known(self):
        best = [0] * (self.capacity + 1)
        for w, v in zip(self.weight, self.value):
            for c in range(self.capacity, w - 1, -1):
                best[c] = max(best[c], best[c - w] + v)
        return best[-1], "optimal: dynamic programming over capacities"


class Partition(Family):
    """Numbers below 10^6 in two parts; the value is the difference of their sums.
    No penalties."""

    percent = False

    def __init__(self, rng, n):
        self.numbers = [rng.between(1, 999999) for _ in range(n)]

    def qubo(self):
        q = Qubo()
        q.add_square(1, [(i, 2 * a) for i, a in enumerate(self.numbers)], -sum(self.numbers))
        return q, len(self.numbers)

    def read(self, x):
        return abs(sum(a if one else -a for a, one in zip(self.numbers, x)))

    def known(self):
        half = len(self.numbers) // 2
        left, right = ([0], [0])
        for sums, numbers in ((left, self.numbers[:half]), (right, self.numbers[half:])):
            for a in numbers:
                sums[:] = [s + a for s in sums] + [s - a for s in sums]
            sums.sort()
        best, k = math.inf, len(right) - 1
        for s in left:
            while k > 0 and s + right[k] > 0:
                best = min(best, s + right[k])
                k -= 1
            best = min(best, abs(s + right[k]))
        return best, "optimal: meet in the middle"


class Schedule(Family):
    """Jobs on one machine, the least weighted tardiness: variable (job, start).

    Each violation costs at least the penalty, which is more than the order by due dates
    costs.
    """

    def __init__(self, rng, n):
        self.n = n
        self.length = [rng.between(1, 4) for _ in range(n)]
        self.weight = [rng.between(1, 9) for _ in range(n)]
        self.slots = sum(self.length)
        self.due = [length + rng.between(0, self.slots // 2) for length in self.length]

    def late(self, job, start):
        return self.weight[job] * max(0, start + self.length[job] - self.due[job])

    def qubo(self):
        q, starts, end, first = Qubo(), [], 0, 1
        for j in sorted(range(self.n), key=self.due.__getitem__):
            first += self.late(j, end)
            end += self.length[j]
        for j in range(self.n):
            number = self.slots - self.length[j] + 1
            mine = [(len(starts) + s, j, s) for s in range(number)]
            q.add_one_of(first, [v for v, _, _ in mine])
            for v, _, s in mine:
                q.add(v, v, self.late(j, s))
                for u, other, t in starts:
                    if s < t + self.length[other] and t < s + self.length[j]:
                        q.add(u, v, first)
            starts += mine
        self.starts = starts
        return q, len(starts)

    def read(self, x):
        self.qubo()
        chosen = [(s, j) for v, j, s in self.starts if x[v]]
        busy = [s + t for s, j in chosen for t in range(self.length[j])]
        if sorted(j for _, j in chosen) != list(range(self.n)) or len(set(busy)) < len(busy):
            return None
        return sum(self.late(j, s) for s, j in chosen)

    def known(self):
        best = [0] + [math.inf] * ((1 << self.n) - 1)
        for done in range(1 << self.n):
            start = sum(self.length[j] for j in range(self.n) if done >> j & 1)
            for j in range(self.n):
                if not done >> j & 1:
                    after = done | 1 << j
                    best[after] = min(best[after], best[done] + self.late(j, start))
        return best[-1], "optimal: dynamic programming over sets"


class Independent(Family):
    """The most vertices without an edge between them, edges with probability 0.2.

    Penalty 2 of each edge: removing one of its ends saves 2 and costs 1.
    """

    largest = True

    def __init__(self, rng, n):
        self.n = n
        self.edges = [e for e in itertools.combinations(range(n), 2) if rng.random() < 0.2]

    def qubo(self):
        q = Qubo()
        for v in range(self.n):
            q.add(v, v, -1)
        for a, b in self.edges:
            q.add(a, b, 2)
        return q, self.n

    def read(self, x):
        return None if any(x[a] and x[b] for a, b in self.edges) else sum(x)

    def known(self):
        """Branch and bound; the bound is a number of cliques that cover the vertices."""
        near = [0] * self.n
        for a, b in self.edges:
            near[a] |= 1 << b
            near[b] |= 1 << a
        best = 0

        def search(size, left):
            nonlocal best
            best = max(best, size)
            order, cliques = [], 0
            uncovered = left
            while uncovered:
                cliques += 1
                candidates = uncovered
                while candidates:
                    v = (candidates & -candidates).bit_length() - 1
                    uncovered &= ~(1 << v)
                    candidates &= near[v]
                    order.append((v, cliques))
            for v, bound in reversed(order):
                if size + bound <= best:
                    return
                left &= ~(1 << v)
                search(size + 1, left & ~near[v])

        search(0, (1 << self.n) - 1)
        return best, "optimal: branch and bound over vertices"


class Regression(Family):
    """Least squares with levels -1, 0, 1 and a price of each other than 0: variables
    (plus, minus) of each column.  Four columns are planted, with noise.

    Both variables of a column at once only cost, so no penalty is needed.
    """

    price = 100

    def __init__(self, rng, n):
        rows = 20
        self.columns = [[rng.between(-9, 9) for _ in range(rows)] for _ in range(n)]
        self.target = [rng.between(-2, 2) for _ in range(rows)]
        for j in range(4):
            planted = self.columns[j * n // 4]
            self.target = [t + a * (-1) ** j for t, a in zip(self.target, planted)]

    def qubo(self):
        q = Qubo()
        for row, target in zip(zip(*self.columns), self.target):
            terms = [t for j, a in enumerate(row) for t in ((2 * j, a), (2 * j + 1, -a))]
            q.add_square(1, terms, -target)
        for v in range(2 * len(self.columns)):
            q.add(v, v, self.price)
        return q, 2 * len(self.columns)

    def read(self, x):
        left = list(self.target)
        for j, column in enumerate(self.columns):
            left = [t - (x[2 * j] - x[2 * j + 1]) * a for t, a in zip(left, column)]
        return sum(t * t for t in left) + self.price * sum(x)

    def known(self):
        """All sets of columns whose price is below the best value."""
        n = len(self.columns)
        product = [[sum(a * b for a, b in zip(c, d)) for d in self.columns] for c in self.columns]
        best = math.inf

        def search(first, value, inner):
            """`inner` has the products of columns and residual."""
            nonlocal best
            best = min(best, value)
            size = self.paid
            if (size + 1) * self.price >= best or first == n:
                return
            if (size + 2) * self.price >= best:
                most = min(product[j][j] - 2 * abs(inner[j]) for j in range(first, n))
                best = min(best, value + most + self.price)
                return
            self.paid += 1
            for j in range(first, n):
                for sign in (1, -1):
                    changed = value + product[j][j] - 2 * sign * inner[j] + self.price
                    search(j + 1, changed, [a - sign * b for a, b in zip(inner, product[j])])
            self.paid -= 1

        # A greedy solution first: it limits how many columns are tried.
        inner = [sum(a * t for a, t in zip(c, self.target)) for c in self.columns]
        value, rest, free = sum(t * t for t in self.target), list(inner), set(range(n))
        start = value
        while free:
            j = min(free, key=lambda k: product[k][k] - 2 * abs(rest[k]))
            gain = product[j][j] - 2 * abs(rest[j]) + self.price
            if gain >= 0:
                break
            value += gain
            sign = 1 if rest[j] > 0 else -1
            rest = [a - sign * b for a, b in zip(rest, product[j])]
            free.remove(j)
        best, self.paid = value, 0
        search(0, start, inner)
        return best, "optimal: all sets of columns that could pay"


class Mimo(Family):
    """Detection: as many antennas as users, symbols of a square constellation, Rayleigh
    channel, signal to noise at an antenna in dB.  Levels are -3, -1, 1, 3 for 16-QAM,
    each in binary digits; the value is the squared residual.  No penalties.
    """

    scale = 256  # channel and received vector are rounded to 1/256

    def __init__(self, rng, users, constellation, decibels):
        levels = math.isqrt(int(constellation.removesuffix("qam")))
        self.digits = [1 << k for k in range(levels.bit_length() - 1)]
        self.lowest = 1 - levels
        power = 2 * (levels**2 - 1) / 3
        noise = math.sqrt(users * power / 10 ** (int(decibels.removesuffix("db")) / 10) / 2)
        gain = self.scale * math.sqrt(0.5)
        draws = [[(rng.normal(), rng.normal()) for _ in range(users)] for _ in range(users)]
        channel = [[(round(gain * re), round(gain * im)) for re, im in row] for row in draws]
        self.rows = [[re for re, _ in row] + [-im for _, im in row] for row in channel]
        self.rows += [[im for _, im in row] + [re for re, _ in row] for row in channel]
        self.sent = [rng.between(0, levels - 1) * 2 + self.lowest for _ in range(2 * users)]
        self.received = [
            sum(map(operator.mul, row, self.sent)) + round(self.scale * noise * rng.normal())
            for row in self.rows
        ]

    def qubo(self):
        q, n = Qubo(), len(self.sent)
        count = len(self.digits)
        for row, y in zip(self.rows, self.received):
            digits = [(j, k) for j in range(n) for k in range(count)]
            terms = [(j * count + k, 2 * self.digits[k] * row[j]) for j, k in digits]
            q.add_square(1, terms, self.lowest * sum(row) - y)
        return q, n * count

    def read(self, x):
        count = len(self.digits)
        groups = [x[j * count : (j + 1) * count] for j in range(len(self.sent))]
        levels = [sum(map(operator.mul, self.digits, group)) for group in groups]
        return self.residual([self.lowest + 2 * level for level in levels])

    def residual(self, symbols):
        sums = (sum(map(operator.mul, row, symbols)) for row in self.rows)
        return sum((y - s) ** 2 for y, s in zip(self.received, sums)) / self.scale**2

    def known(self):
        return self.residual(self.sent), "residual of the transmitted symbols; others may be below"


KINDS = {
    "tsp": Tsp, "qap": Qap, "colour": Colour, "knapsack": Knapsack, "partition": Partition,
    "schedule": Schedule, "independent": Independent, "regression": Regression, "mimo": Mimo,
}  # fmt: skip
