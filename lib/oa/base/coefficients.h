#pragma once

#include "oa/base/field.h"

#include <array>
#include <cstdint>

namespace oa {

/// What the coefficients of an optimising attention may be, and so the variables of its
/// problems.
enum class Coefficients : std::uint8_t {
  Binary,      ///< 0 or 1: the QUBO (or the box QP and a threshold)
  Continuous,  ///< [0,1]: the box QP
  Lasso,       ///< any sign, with the penalty lambda/m |x|_1
};

/// A relaxed coefficient above this is rounded to 1: above one half by more than single
/// precision leaves open, so that a model and a solver round in the same way.
inline constexpr double kRoundedUp = 0.5 + 1e-6;

template <>
struct EnumNames<Coefficients> {
  static constexpr std::array kAll{"binary", "continuous", "lasso"};
};

}  // namespace oa
