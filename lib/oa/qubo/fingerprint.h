#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <string>

namespace oa::qubo {

/// Identifies a single problem: 16 hexadecimal digits, a hash of vartype, sense, number
/// of variables and exact terms.  It does not depend on the order of terms, the file
/// format and names.  Two different problems have equal hashes with probability 2^-64.
///
/// `fixed` has a value or kFree for each variable, or is empty.
[[nodiscard]] std::string fingerprint(const Model& model,
                                      std::span<const std::uint8_t> fixed);

}  // namespace oa::qubo
