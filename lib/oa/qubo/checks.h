#pragma once

#include "oa/qubo/problem.h"

#include <span>
#include <string>
#include <string_view>

// Checks of numbers from outside.  Messages are prefixed with `where`.

namespace oa::qubo {

/// Throws InputError unless the matrix is finite.
void check_finite(const std::string& where,
                  std::string_view name,
                  std::span<const float> values,
                  int cols);

/// Throws InputError unless a tensor with the shape of h is finite.
void check_finite(const std::string& where,
                  std::string_view name,
                  std::span<const float> values,
                  const Problem& problem);

/// Throws InputError unless the matrix of m rows is bitwise symmetric.
void check_symmetric(const std::string& where, std::span<const float> j, int m);

}  // namespace oa::qubo
