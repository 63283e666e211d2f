#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <string>

namespace oa::qubo {

/// Identifies a single problem: 16 hexadecimal digits, a hash of vartype, sense, number
/// of variables and exact terms.  It does not depend on the order of terms, the file
/// format and names.  Two different problems have equal hashes with probability 2^-64.
///
/// `polynomial`, if not null, is the origin of `f`; its numbers are hashed then.
/// `fixed` has a value or kFree for each variable, or is empty.
[[nodiscard]] std::string fingerprint(const Quadratic& f,
                                      const Polynomial* polynomial,
                                      std::span<const std::uint8_t> fixed);

}  // namespace oa::qubo
