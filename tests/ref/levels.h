#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/problem.h"

#include <array>
#include <cstdint>
#include <vector>

namespace oa::ref {

inline constexpr std::array kEncodings{
    Encoding::Binary, Encoding::Unary, Encoding::OneHot, Encoding::DomainWall};

/// One query of m coefficients of 2 to 8 levels, in any encoding, with the penalties
/// that are proved; convex, of low rank, with ties, or neither convex nor small.
[[nodiscard]] qubo::Problem random_levels(const Rng& rng, int m);

/// All choices of levels with the least energy, by trying each, in the order of their
/// numbers; and that energy.
struct BestLevels {
  std::vector<std::vector<std::uint8_t>> levels;
  double energy = 0.0;
};
[[nodiscard]] BestLevels best_levels(const qubo::Problem& problem);

}  // namespace oa::ref
