#pragma once

#include "oa/base/field.h"

#include <array>
#include <cstdint>

namespace oa {

/// The values that coefficients of an optimising attention may take.
enum class Coefficients : std::uint8_t {
  Binary,      ///< 0 or 1: the QUBO (or the box QP and a threshold)
  Continuous,  ///< [0,1]: the box QP
  Lasso,       ///< any sign, with the penalty lambda/m |x|_1
};

template <>
struct EnumNames<Coefficients> {
  static constexpr std::array kAll{"binary", "continuous", "lasso"};
};

}  // namespace oa
