#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <string>

namespace oa::qubo {

/// Returns a hash of a problem, 16 hexadecimal digits.  The hash depends on vartype,
/// sense, number of variables and exact terms, not on term order, file format or names.
/// Two different problems have equal hashes with probability 2^-64.
///
/// `fixed` has a value or kFree for each variable, or is empty.
[[nodiscard]] std::string fingerprint(const Model& model,
                                      std::span<const std::uint8_t> fixed);

}  // namespace oa::qubo
