#pragma once

#include <cstddef>
#include <cstdint>

namespace oa::parts {

/// The cost of a part for a number of rows.  Counts products of matrices, scans and
/// convolutions; a multiply-add is two FLOPs.  Exponentials, which cost at least a
/// dozen FLOPs each, are counted separately, other elementwise work not at all.
struct Cost {
  std::int64_t parameters = 0;
  std::int64_t forward = 0;      ///< FLOPs
  std::int64_t backward = 0;     ///< FLOPs
  std::int64_t projections = 0;  ///< part of `forward` that maps single tokens
  std::int64_t exponentials = 0;
  std::int64_t pairs = 0;  ///< scored pairs of query and key
  std::int64_t traffic =
      0;  ///< bytes between the cache that holds a tile and the next one
  std::size_t saved = 0;      ///< bytes of forward that backward needs
  std::size_t workspace = 0;  ///< other bytes, forward and backward

  Cost& operator+=(const Cost& other) {
    parameters += other.parameters;
    forward += other.forward;
    backward += other.backward;
    projections += other.projections;
    exponentials += other.exponentials;
    pairs += other.pairs;
    traffic += other.traffic;
    saved += other.saved;
    workspace += other.workspace;
    return *this;
  }
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  bool operator==(const Cost&) const = default;
};

/// FLOPs of a product of a (rows,inner) and an (inner,cols) matrix.
[[nodiscard]] constexpr std::int64_t product_flops(std::int64_t rows,
                                                   std::int64_t inner,
                                                   std::int64_t cols) {
  return 2 * rows * inner * cols;
}

}  // namespace oa::parts
