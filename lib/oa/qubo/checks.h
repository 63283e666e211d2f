#pragma once

#include "oa/qubo/problem.h"

#include <span>
#include <string>
#include <string_view>

// Checks of numbers that come from outside.  Messages begin with `where`.

namespace oa::qubo {

/// Throws InputError unless all numbers of a matrix are finite.
void check_finite(const std::string& where,
                  std::string_view name,
                  std::span<const float> values,
                  int cols);

/// Throws InputError unless all numbers of a tensor shaped like h are finite.
void check_finite(const std::string& where,
                  std::string_view name,
                  std::span<const float> values,
                  const Problem& problem);

/// Throws InputError unless the matrix of m rows equals its transpose, bit for bit.
void check_symmetric(const std::string& where, std::span<const float> j, int m);

}  // namespace oa::qubo
