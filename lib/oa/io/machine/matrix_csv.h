#pragma once

#include "oa/io/bytes/input.h"
#include "oa/machine/packed.h"

#include <string>
#include <vector>

namespace oa::io {

/// How a task is submitted.
enum class TaskFormat : std::uint8_t {
  Qubo,   ///< upper triangular, x'Qx
  Ising,  ///< symmetric couplings, the auxiliary spin last, -s'Ms
};

/// Task `task` of an image as the site takes it: comma-separated, one row a line, no
/// header, "96.0", and "-0.0" for nothing as the vendor's own matrices have it.
[[nodiscard]] std::string matrix_csv(const machine::PackedImage& image,
                                     const std::vector<int>& task,
                                     TaskFormat format);

/// All tasks of an image; empty text for those without a problem.
[[nodiscard]] std::vector<std::string> matrices_csv(const machine::PackedImage& image,
                                                    TaskFormat format);

inline constexpr int kMaxMatrixSize = 4096;

/// A QUBO matrix as it was submitted: square, of at most kMaxMatrixSize rows, numbers
/// that a float holds; cells below the diagonal are added to those above.  Throws
/// InputError.
[[nodiscard]] machine::TaskMatrix read_matrix_csv(Input& input);

}  // namespace oa::io

namespace oa {

template <>
struct EnumNames<io::TaskFormat> {
  static constexpr std::array kAll{"qubo", "ising"};
};

}  // namespace oa
