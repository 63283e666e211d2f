#pragma once

#include "oa/base/field.h"

#include <array>
#include <cstdint>

namespace oa {

/// The values that coefficients of an optimising attention may take.
enum class Coefficients : std::uint8_t {
  Binary,      ///< 0 or 1: the QUBO (or the box QP and a threshold)
  Levels,      ///< equal steps from 0 up, at most kMaxLevels of them
  Continuous,  ///< [0,1]: the box QP
  Lasso,       ///< any sign, with the penalty lambda/m |x|_1
  Marginal,    ///< P(x = 1) of binary x, from exp(-energy/T) with a learned T
};

template <>
struct EnumNames<Coefficients> {
  static constexpr std::array kAll{
      "binary", "levels", "continuous", "lasso", "marginal"};
};

inline constexpr int kMaxLevels = 16;

/// How 0/1 variables (spins) encode the level of a coefficient.  Each spin has a
/// weight; the level is the sum of the weights of spins that are 1.
enum class Encoding : std::uint8_t {
  Binary,      ///< weights 1, 2, 4, ..., and a remainder
  Unary,       ///< weights 1
  OneHot,      ///< weights 1, 2, 3, ...; at most one spin is 1
  DomainWall,  ///< weights 1; no spin is 1 after one that is 0
};

template <>
struct EnumNames<Encoding> {
  static constexpr std::array kAll{"binary", "unary", "one-hot", "domain-wall"};
};

}  // namespace oa
