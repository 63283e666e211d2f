#include "ref/levels.h"

#include "oa/qubo/levels.h"
#include "oa/solve/exact/box/penalty.h"

#include <algorithm>

namespace oa::ref {

qubo::Problem random_levels(const Rng& root, int m) {
  Rng rng = root.fork(1);
  qubo::Problem p;
  p.m = m;
  p.n = 1;
  p.coefficients = Coefficients::Levels;
  p.levels = 2 + static_cast<int>(rng.below(7));
  p.encoding = kEncodings[rng.below(kEncodings.size())];
  p.steps = {static_cast<float>(p.levels - 1)};
  if (rng.below(3) == 0) {
    p.steps[0] *= static_cast<float>(1.0 + 3.0 * rng.uniform());
  }
  const auto n = static_cast<std::size_t>(m);
  const auto kind = rng.below(4);
  const int rank = kind == 0 ? m : 1 + static_cast<int>(rng.below(3));
  std::vector<float> v(n * static_cast<std::size_t>(rank));
  for (float& one : v) {
    one = kind == 2 ? static_cast<float>(rng.below(3)) - 1.0F  // ties
                    : static_cast<float>(rng.normal());
  }
  p.j.resize(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      float sum = kind == 3 ? static_cast<float>(rng.normal()) : 0.0F;
      for (std::size_t k = 0; kind != 3 && k < static_cast<std::size_t>(rank); ++k) {
        sum += v[a * static_cast<std::size_t>(rank) + k] *
               v[b * static_cast<std::size_t>(rank) + k];
      }
      p.j[a * n + b] = p.j[b * n + a] = sum;
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    p.h.push_back(kind == 2 ? static_cast<float>(rng.below(5)) - 3.0F
                            : static_cast<float>(rng.normal()) * 2.0F);
  }
  p.penalty = solve::proved_penalties(p);
  return p;
}

BestLevels best_levels(const qubo::Problem& p) {
  const qubo::LevelCode code = qubo::code_of(p);
  std::vector<std::uint8_t> levels(static_cast<std::size_t>(p.m));
  BestLevels best;
  for (;;) {
    const double energy = qubo::energy(p, 0, qubo::spins_of(code, levels));
    if (best.levels.empty() || energy <= best.energy) {
      if (best.levels.empty() || energy < best.energy) {
        best.levels.clear();
        best.energy = energy;
      }
      best.levels.push_back(levels);
    }
    auto at = levels.rbegin();
    while (at != levels.rend() && ++*at == p.levels) {
      *at++ = 0;
    }
    if (at == levels.rend()) {
      return best;
    }
  }
}

}  // namespace oa::ref
