#pragma once

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/result.h"
#include "unit/solve/solution_at.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace oa::solve {

/// How a random problem of conflicts looks.
struct ConflictShape {
  int n = 10;
  double density = 0.5;    ///< share of pairs with a penalty
  int most_weight = 1;     ///< weights are -1 to -most_weight
  double further = 0.0;    ///< share of other pairs with a coupling of either sign
  double too_small = 0.0;  ///< share of penalties that are 1 less than sufficient
};

/// Minus weights, with penalties that equal the least gain of the two, or are 1 more or
/// less.
inline qubo::Quadratic random_conflicts(Rng& rng, const ConflictShape& shape) {
  const auto number = [&](int most) {
    return 1.0 + static_cast<double>(rng.below(static_cast<std::uint32_t>(most)));
  };
  std::vector<qubo::Term> terms;
  std::vector<double> gains;
  for (int i = 0; i < shape.n; ++i) {
    gains.push_back(number(shape.most_weight));
    terms.push_back({i, i, -gains.back()});
  }
  std::vector<std::pair<int, int>> penalised;
  for (int i = 0; i < shape.n; ++i) {
    for (int k = i + 1; k < shape.n; ++k) {
      if (rng.uniform() < shape.density) {
        penalised.emplace_back(i, k);
      } else if (rng.uniform() < shape.further) {
        const double weight = number(shape.most_weight);
        const bool negative = rng.below(2) == 0;
        terms.push_back({i, k, negative ? -weight : 0.5 * weight});
        gains[at(i)] += negative ? weight : 0.0;
        gains[at(k)] += negative ? weight : 0.0;
      }
    }
  }
  for (const auto& [i, k] : penalised) {
    const double least = std::min(gains[at(i)], gains[at(k)]);
    const double beside = rng.below(2) == 0 ? 0.0 : 1.0;
    terms.push_back({i, k, least + (rng.uniform() < shape.too_small ? -1.0 : beside)});
  }
  qubo::Quadratic f(shape.n);
  f.add(terms);
  f.offset = 0.5;
  return f;
}

}  // namespace oa::solve
