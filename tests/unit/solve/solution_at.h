#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/result.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace oa::solve {

/// x with its exact energy.
inline Solution solution_at(const qubo::Quadratic& f, std::vector<std::uint8_t> x) {
  const TwoDoubles energy = exact_energy(f, x).two();
  return {energy, std::move(x)};
}

inline Solution solution_at_zero(const qubo::Quadratic& f) {
  return solution_at(f, std::vector<std::uint8_t>(f.linear.size()));
}

}  // namespace oa::solve
