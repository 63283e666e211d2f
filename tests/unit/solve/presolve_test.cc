#include "oa/solve/presolve.h"

#include "ref/random_quadratic.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oa::solve {
namespace {

/// The minimum over 0/1 vectors, by presolving and trying what is left.
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
  TEST_CASE("presolving keeps the minimum, and the way back reaches it") {
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
      const Presolve reduced(f, false);
      CHECK(least(f, reduced) == ref::best_value(f));
      reduced_away += f.size() - left(reduced);
    }
    CHECK(reduced_away > 400);
  }

  TEST_CASE("a tree vanishes, two problems in one are told apart") {
    qubo::Quadratic tree(50);
    std::vector<qubo::Term> terms;
    for (int i = 1; i < 50; ++i) {
      terms.push_back({i, i / 3, i % 2 != 0 ? 3.0 : -2.0});
      tree.linear[static_cast<std::size_t>(i)] = i % 5 - 2.0;
    }
    tree.add(terms);
    CHECK(Presolve(tree, false).parts().empty());

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
    CHECK(Presolve(two, false).parts().size() == 2);
  }

  TEST_CASE("a step that would round is not taken") {
    qubo::Quadratic f(2);
    f.linear = {-1.0, 0x1p-60};
    const std::vector<qubo::Term> terms{{0, 1, -1.0}};
    f.add(terms);
    // x_1 = 1 whatever x_0 is, but its linear term cannot be added to -1.
    const Presolve reduced(f, false);
    CHECK(least(f, reduced) == ref::best_value(f));
  }
}

}  // namespace oa::solve
