#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// A problem of 0/1 variables, minimised, with pairs of this probability.  Weights are
/// integers, or numbers that are rounded when halved or added.
inline qubo::Quadratic random_sparse(Rng& rng, int n, double density, bool integers) {
  qubo::Quadratic f(n);
  const auto weight = [&] {
    const double whole = static_cast<double>(rng.below(9)) - 4.0;
    return integers ? whole : whole * (rng.uniform() + 1e-3) + 1e-17 * whole;
  };
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    f.linear[static_cast<std::size_t>(i)] = rng.below(2) != 0 ? weight() : 0.0;
    for (int k = 0; k < i; ++k) {
      if (rng.uniform() < density) {
        terms.push_back({k, i, weight()});
      }
    }
  }
  f.offset = weight();
  f.add(terms);
  return f;
}

}  // namespace oa::solve
