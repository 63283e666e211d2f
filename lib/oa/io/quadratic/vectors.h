#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::io {

/// Initial vectors, one for each problem: lines of results or JSON arrays, lines of
/// numbers with spaces or commas, or an .npy array with a row for each.  An open value,
/// null or ?, is qubo::kFree.  A JSON object without "x" has values by name.  Energies
/// are not read.  Throws InputError.
[[nodiscard]] std::vector<Claim> read_vectors(Input& input);

/// The values that a file fixes for variables of `f`: 0, 1 (the spin +1), or
/// qubo::kFree for free variables.  The file is a JSON object or has lines "variable
/// value"; variables are named by their name or, without names, by their number from 0.
/// The name of an integer stands for its digits.  Throws InputError.
[[nodiscard]] std::vector<std::uint8_t> read_fixed(
    Input& input, const qubo::Quadratic& f, std::span<const qubo::Integer> integers);

/// The same for a claim's values by name.
[[nodiscard]] std::vector<std::uint8_t> fixed_by(
    const Claim& claim,
    const qubo::Quadratic& f,
    std::span<const qubo::Integer> integers);

/// 0s and 1s of a vector of 0 and 1, or of -1 and 1.  `where` is for messages.
[[nodiscard]] std::vector<std::uint8_t> bits_of(std::span<const double> x,
                                                const std::string& where);

}  // namespace oa::io
