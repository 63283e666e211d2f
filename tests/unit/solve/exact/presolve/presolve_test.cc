#include "oa/solve/exact/presolve/presolve.h"

#include "ref/random_quadratic.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oa::solve {
namespace {

/// The minimum over 0/1 vectors, by presolving and exhaustive search of the rest.
double least(const qubo::Quadratic& f, const Presolve& reduced) {
  std::vector<std::uint8_t> x(f.linear.size());
  for (const Presolve::Part& part : reduced.parts()) {
    double best = 0.0;
    for (unsigned bits = 0; bits < (1U << part.f.size()); ++bits) {
      const auto y = ref::bits_of(bits, part.f.size());
      const double e = qubo::energy(part.f, y);
      if (bits == 0 || e < best) {
        best = e;
        for (std::size_t k = 0; k < y.size(); ++k) {
          x[static_cast<std::size_t>(part.variables[k])] = y[k];
        }
      }
    }
  }
  reduced.restore(x);
  return qubo::energy(f, x);
}

int left(const Presolve& reduced) {
  int n = 0;
  for (const Presolve::Part& part : reduced.parts()) {
    n += part.f.size();
  }
  return n;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("presolving keeps the minimum, and restoring reaches it") {
    const Rng root(21);
    int reduced_away = 0;
    for (int t = 0; t < 400; ++t) {
      Rng rng = root.fork(static_cast<std::uint64_t>(t));
      CAPTURE(t);
      auto f =
          converted(ref::random_quadratic(rng, 1 + static_cast<int>(rng.below(11))),
                    qubo::Vartype::Binary)
              .f;
      f.sense = qubo::Sense::Min;
      const Presolve reduced(f, digits_of(f).unit, {});
      CHECK(least(f, reduced) == ref::best_value(f));
      reduced_away += f.size() - left(reduced);
    }
    CHECK(reduced_away > 400);
  }

  TEST_CASE("a tree vanishes, and two problems in one are separated") {
    qubo::Quadratic tree(50);
    std::vector<qubo::Term> terms;
    for (int i = 1; i < 50; ++i) {
      terms.push_back({i, i / 3, i % 2 != 0 ? 3.0 : -2.0});
      tree.linear[static_cast<std::size_t>(i)] = i % 5 - 2.0;
    }
    tree.add(terms);
    CHECK(Presolve(tree, 0, {}).parts().empty());

    qubo::Quadratic two(10);
    terms.clear();
    for (int i = 0; i < 5; ++i) {
      for (int k = i + 1; k < 5; ++k) {
        terms.push_back({i, k, 1.0});
        terms.push_back({5 + i, 5 + k, 1.0});
      }
    }
    two.add(terms);
    std::ranges::fill(two.linear, -1.5);
    CHECK(Presolve(two, -1, {}).parts().size() == 2);
  }

  TEST_CASE("sums that are not doubles are kept exactly") {
    qubo::Quadratic f(2);
    f.linear = {-1.0, 0x1p-60};
    const std::vector<qubo::Term> terms{{0, 1, -1.0}};
    f.add(terms);
    const Presolve reduced(f, -60, {});
    CHECK(reduced.parts().empty());
    CHECK(reduced.offset().value == -2.0);
    CHECK(reduced.offset().rest == 0x1p-60);
  }

  TEST_CASE("the smallest of several minima survives, if asked for") {
    const Rng root(22);
    int reduced_away = 0;
    for (int t = 0; t < 600; ++t) {
      Rng rng = root.fork(static_cast<std::uint64_t>(t));
      CAPTURE(t);
      const int n = 2 + static_cast<int>(rng.below(9));
      qubo::Quadratic f(n);  // with weights -1, 0 and 1, so that ties are frequent
      const bool symmetric = rng.below(2) != 0;
      f.vartype = symmetric ? qubo::Vartype::Spin : qubo::Vartype::Binary;
      std::vector<qubo::Term> terms;
      for (int i = 0; i < n; ++i) {
        f.linear[static_cast<std::size_t>(i)] =
            symmetric ? 0.0 : static_cast<double>(rng.below(3)) - 1.0;
        for (int k = 0; k < i; ++k) {
          if (rng.below(3) == 0) {
            terms.push_back({i, k, static_cast<double>(rng.below(3)) - 1.0});
          }
        }
      }
      f.add(terms);
      f = converted(f, qubo::Vartype::Binary).f;
      const double best = ref::best_value(f);
      std::vector<std::uint8_t> smallest;
      for (unsigned bits = 0; bits < (1U << n); ++bits) {
        auto x = ref::bits_of(bits, n);
        if (qubo::energy(f, x) == best && (smallest.empty() || x < smallest)) {
          smallest = std::move(x);
        }
      }
      const Presolve reduced(f, -2, {symmetric, Ties::Smallest});
      std::vector<std::uint8_t> x = smallest;
      // It is among the minima of the rest, and restoring gives it.
      reduced.restore(x);
      CHECK(x == smallest);
      reduced_away += n - left(reduced);
      std::vector<std::uint8_t> found(x.size());
      for (const Presolve::Part& part : reduced.parts()) {
        const double least = ref::best_value(part.f);
        std::vector<std::uint8_t> first;
        for (unsigned bits = 0; bits < (1U << part.f.size()); ++bits) {
          auto y = ref::bits_of(bits, part.f.size());
          if (qubo::energy(part.f, y) == least && (first.empty() || y < first)) {
            first = std::move(y);
          }
        }
        for (std::size_t k = 0; k < first.size(); ++k) {
          found[static_cast<std::size_t>(part.variables[k])] = first[k];
        }
      }
      reduced.restore(found);
      CHECK(found == smallest);
    }
    CHECK(reduced_away > 600);
  }
}

}  // namespace oa::solve
