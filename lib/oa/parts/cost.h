#pragma once

#include <cstddef>
#include <cstdint>

namespace oa::parts {

/// What a part costs for the rows it was asked about.  A multiplication with its
/// addition is two FLOPs.  Counted are products of matrices, scans and convolutions;
/// exponentials have a count of their own, because one costs as much as a dozen FLOPs
/// or more; what else grows with the number of elements only is not counted.
struct Cost {
  std::int64_t parameters = 0;
  std::int64_t forward = 0;      ///< FLOPs
  std::int64_t backward = 0;     ///< FLOPs
  std::int64_t projections = 0;  ///< those of `forward` that map tokens one by one
  std::int64_t exponentials = 0;
  std::int64_t pairs = 0;     ///< of a query and a key that are scored
  std::int64_t traffic = 0;   ///< bytes between a cache that holds a tile and the next
  std::size_t saved = 0;      ///< bytes that the way back needs of the way forward
  std::size_t workspace = 0;  ///< bytes for anything else, for both ways

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

/// The FLOPs of a product of a (rows,inner) and an (inner,cols) matrix.
[[nodiscard]] constexpr std::int64_t product_flops(std::int64_t rows,
                                                   std::int64_t inner,
                                                   std::int64_t cols) {
  return 2 * rows * inner * cols;
}

}  // namespace oa::parts
