#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <string>

namespace oa::qubo {

/// Tells single problems apart: 16 hexadecimal digits, a hash of vartype, sense, number
/// of variables and the exact terms.  The order of terms, the format of a file and
/// names do not count.  Different problems have the same one with a probability of
/// 2^-64.
///
/// `polynomial`, if not null, is what `f` stands for; its numbers count then.  `fixed`
/// has a value or kFree for each variable, or is empty.
[[nodiscard]] std::string fingerprint(const Quadratic& f,
                                      const Polynomial* polynomial,
                                      std::span<const std::uint8_t> fixed);

}  // namespace oa::qubo
