#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::io {

/// Vectors to begin with, one for each problem: lines of results or of JSON arrays,
/// lines of numbers separated by spaces or commas, or an .npy array with a row for
/// each.  The energy is left out.  Throws InputError.
[[nodiscard]] std::vector<Claim> read_vectors(Input& input);

/// The values that a file gives to some variables of `f`: 0, 1 (the spin +1) or
/// qubo::kFree for each.  The file is a JSON object or has lines "variable value"; a
/// variable is called by its name or, without names, by its number from 0.  Throws
/// InputError.
[[nodiscard]] std::vector<std::uint8_t> read_fixed(Input& input,
                                                   const qubo::Quadratic& f);

/// 0s and 1s of a vector of 0 and 1, or of -1 and 1; `where` names it in messages.
[[nodiscard]] std::vector<std::uint8_t> bits_of(std::span<const double> x,
                                                const std::string& where);

}  // namespace oa::io
