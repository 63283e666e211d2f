#pragma once

#include "oa/io/bytes/input.h"
#include "oa/machine/packed.h"

#include <string>
#include <vector>

namespace oa::io {

/// The form of a submitted matrix.
enum class TaskFormat : std::uint8_t {
  Qubo,   ///< upper triangular, x'Qx
  Ising,  ///< symmetric couplings, the auxiliary spin last, -s'Ms
};

/// Writes task `task` of an image as the vendor's site reads it:
/// comma-separated rows without a header.
/// Numbers look like "96.0" and zeros are "-0.0", as in the vendor's matrices.
[[nodiscard]] std::string matrix_csv(const machine::PackedImage& image,
                                     const std::vector<int>& task,
                                     TaskFormat format);

/// Writes all tasks of an image; a task without a problem gets empty text.
[[nodiscard]] std::vector<std::string> matrices_csv(const machine::PackedImage& image,
                                                    TaskFormat format);

inline constexpr int kMaxMatrixSize = 4096;

/// A submitted matrix.
struct MatrixFile {
  machine::TaskMatrix q;  ///< cells below the diagonal are added to their mirror cells
  /// Why the matrix is not Ising (symmetric, empty diagonal); empty if it is Ising.
  std::string not_ising;
};

/// Reads a square matrix of at most kMaxMatrixSize rows.
/// Each cell must be exact as a float.  Throws InputError.
[[nodiscard]] MatrixFile read_matrix_csv(Input& input);

}  // namespace oa::io

namespace oa {

template <>
struct EnumNames<io::TaskFormat> {
  static constexpr std::array kAll{"qubo", "ising"};
};

}  // namespace oa
