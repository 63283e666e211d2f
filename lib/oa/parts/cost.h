#pragma once

#include <cstddef>
#include <cstdint>

namespace oa::parts {

/// What a part costs for one image.  Of the arithmetic, products of matrices are
/// counted, a multiplication with its addition as two; what grows with the number of
/// elements only is not.
struct Cost {
  std::int64_t parameters = 0;
  std::int64_t forward = 0;   ///< FLOPs
  std::int64_t backward = 0;  ///< FLOPs
  std::size_t workspace = 0;  ///< bytes, for both ways

  Cost& operator+=(const Cost& other) {
    parameters += other.parameters;
    forward += other.forward;
    backward += other.backward;
    workspace += other.workspace;
    return *this;
  }
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  bool operator==(const Cost&) const = default;
};

/// The FLOPs of a product of a (rows,inner) and an (inner,cols) matrix.
[[nodiscard]] constexpr std::int64_t product_flops(int rows, int inner, int cols) {
  return std::int64_t{2} * rows * inner * cols;
}

}  // namespace oa::parts
