#include "oa/solve/recover/square_cliques.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/solve/portfolio/squares.h"
#include "oa/solve/recover/squares.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/recover/planted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace oa::solve {
namespace {

using test::between;

Square sum_of_ones(std::vector<std::int32_t> variables, int right, double penalty) {
  Square s{.right = right, .penalty = penalty};
  for (const std::int32_t i : variables) {
    s.entries.push_back({i, 1});
  }
  return s;
}

/// Couplings up to `most` of a share of the pairs, and linear terms.
qubo::Quadratic objective(Rng& rng, int n, int most, double share) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t k = 0; k <= i; ++k) {
      if (i == k || rng.uniform() < share) {
        terms.push_back({k, i, static_cast<double>(between(rng, -most, most))});
      }
    }
  }
  f.add(terms);
  return f;
}

using Squared = std::vector<Square>;

/// Sum x = k.
Squared one_sum(Rng& rng, int n, double penalty) {
  std::vector<std::int32_t> all(at(n));
  std::iota(all.begin(), all.end(), 0);
  return {sum_of_ones(all, between(rng, 1, n - 1), penalty)};
}

/// Rows and columns of a table of `n` entries, three in a row, that are sums of some x.
Squared table(Rng& rng, int n, double penalty) {
  const int rows = n / 3;
  std::vector<int> x(at(3 * rows));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i / 3 % 3 == i % 3 ? 1 : between(rng, 0, 1);  // no row is 0
  }
  Squared all;
  for (int r = 0; r < rows; ++r) {
    const std::int32_t i = 3 * r;
    all.push_back(sum_of_ones(
        {i, i + 1, i + 2}, x[at(i)] + x[at(i + 1)] + x[at(i + 2)], penalty));
  }
  for (std::int32_t c = 0; c < 3; ++c) {
    std::vector<std::int32_t> column;
    int right = 0;
    for (std::int32_t i = c; i < 3 * rows; i += 3) {
      column.push_back(i);
      right += x[at(i)];
    }
    all.push_back(sum_of_ones(column, right, penalty));
  }
  return all;
}

/// A weighted sum.
Squared weighted(Rng& rng, int n, double penalty) {
  Square s{.penalty = penalty};
  int all = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    s.entries.push_back({i, i == 0 ? 1 : between(rng, 1, 5)});
    all += static_cast<int>(s.entries.back().weight);
  }
  s.right = between(rng, 1, all - 1);
  return {s};
}

using Kind = Squared (*)(Rng&, int, double);
constexpr Kind kKinds[] = {one_sum, table, weighted};

bool same(const Square& a, const Square& b) {
  return a.right == b.right && a.entries.size() == b.entries.size() &&
         std::equal(a.entries.begin(),
                    a.entries.end(),
                    b.entries.begin(),
                    [](const auto& x, const auto& y) {
                      return x.variable == y.variable && x.weight == y.weight;
                    });
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("squares without slack are found beside couplings of the rest") {
    int found = 0;
    int planted = 0;
    test::each_fork(Rng(91), 300, [&](Rng& rng, int k) {
      const int n = 12 + 3 * between(rng, 0, 4);
      qubo::Quadratic f = objective(rng, n, 9, 0.5);
      const Squared all = kKinds[at(k % 3)](rng, n, 200.0);
      for (const Square& s : all) {
        add_square(f, s);
      }
      const Squares squares = find_squares(f, Stop());
      planted += static_cast<int>(all.size());
      for (const Square& s : all) {
        found += static_cast<int>(std::ranges::count_if(
            squares.squares, [&](auto& t) { return same(s, t); }));
      }
      for (int t = 0; t < 20 && !squares.squares.empty(); ++t) {
        const auto x = ref::bits_of(rng.u32(), n);
        CHECK(value_of(squares, x) == qubo::energy(f, x));
      }
    });
    CAPTURE(found);
    CHECK(found > 0.9 * planted);
  }

  TEST_CASE("proofs under squares without slack hold, whatever the penalties") {
    CheckedProofs proofs;
    test::each_fork(Rng(92), 400, [&](Rng& rng, int k) {
      const bool linear = rng.below(2) == 0;
      qubo::Quadratic f = objective(rng, 9, 3, linear ? 0.0 : 0.2);
      for (const Square& s : kKinds[k % 3](rng, 9, between(rng, 1, linear ? 12 : 60))) {
        add_square(f, s);
      }
      proofs.check(f, find_squares(f, Stop()), rng);
    });
    CHECK(proofs.found > 100);
    CHECK(proofs.proved > 50);
    CHECK(proofs.sufficient > 50);
  }
}

}  // namespace oa::solve
