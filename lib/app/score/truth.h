#pragma once

#include "oa/io/tensor/number_array.h"
#include "oa/qubo/alphabet.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace oa::app {

/// The true coefficients of least squares problems: an array with a row for each query.
/// Numbers are complex, or real parts followed by imaginary parts.
class Truth {
 public:
  /// Reads an .npy file.  Throws InputError.
  explicit Truth(const std::string& path);
  explicit Truth(io::NumberArray array) : array_(std::move(array)) {}

  /// Returns a problem's coefficients as levels; its stream has `problems` of them.
  /// Throws InputError for another shape, and for a number that is not in the alphabet.
  [[nodiscard]] std::vector<std::uint8_t> levels(const qubo::Problem& problem,
                                                 std::int64_t problems,
                                                 const qubo::Alphabet& alphabet) const;

 private:
  io::NumberArray array_;
};

}  // namespace oa::app
