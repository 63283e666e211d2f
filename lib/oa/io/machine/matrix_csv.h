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

/// A matrix as it was submitted.
struct MatrixFile {
  machine::TaskMatrix q;  ///< cells below the diagonal are added to those above
  /// Where it is not symmetric with an empty diagonal, as Ising matrices are: a
  /// message.
  std::string not_ising;
};

/// Reads a square matrix of at most kMaxMatrixSize rows of numbers that a float holds.
/// Throws InputError.
[[nodiscard]] MatrixFile read_matrix_csv(Input& input);

}  // namespace oa::io

namespace oa {

template <>
struct EnumNames<io::TaskFormat> {
  static constexpr std::array kAll{"qubo", "ising"};
};

}  // namespace oa
