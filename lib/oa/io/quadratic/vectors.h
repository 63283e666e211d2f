#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::io {

/// Reads initial vectors, one for each problem: result lines, JSON arrays,
/// lines of numbers with spaces or commas, or an .npy array with a row for each vector.
/// An open value, null or ?, becomes qubo::kFree.  A JSON object without "x" has values
/// by name.  Energies are ignored.  Throws InputError.
[[nodiscard]] std::vector<Claim> read_vectors(Input& input);

/// Reads the values that a file fixes for variables of `f`: 0, 1 (the spin +1), or
/// qubo::kFree for free variables.  The file is a JSON object or has lines "variable
/// value".  A variable is named by its name or, without names, by its number from 0; an
/// integer's name means its digits.  Throws InputError.
[[nodiscard]] std::vector<std::uint8_t> read_fixed(
    Input& input, const qubo::Quadratic& f, std::span<const qubo::Integer> integers);

/// The values of a claim that has values by name.
[[nodiscard]] std::vector<std::uint8_t> fixed_by(
    const Claim& claim,
    const qubo::Quadratic& f,
    std::span<const qubo::Integer> integers);

/// Converts 0 and 1, or -1 and 1, to 0s and 1s.  `where` is for messages.
[[nodiscard]] std::vector<std::uint8_t> bits_of(std::span<const double> x,
                                                const std::string& where);

}  // namespace oa::io
