#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/num/matrix.h"

namespace oa::attention {

// Kernels of this room take tokens as rows of a num::ConstView with weaker promises
// than num.  Rows may have any alignment, and `stride` may be any number,
// even negative.  Memory after the columns belongs to other heads,
// and is neither read nor written.  Kernels copy tokens into packed blocks:
// aligned rows without gaps, padded with zeros.  Packing costs one pass,
// but rows 4096 bytes apart would compete for few lines of the L1 cache.

/// The rows in reverse order, for a causal scan from the end of a sequence.
[[nodiscard]] inline num::ConstView reversed(num::ConstView x) {
  return {x.rows == 0 ? x.data : x.row(x.rows - 1), x.rows, x.cols, -x.stride};
}
[[nodiscard]] inline num::View reversed(num::View x) {
  return {x.rows == 0 ? x.data : x.row(x.rows - 1), x.rows, x.cols, -x.stride};
}

/// Packs scale * from:
/// `width` floats a row, a multiple of num::kLane, padded with zeros.
void pack(num::ConstView from, float scale, float* to, int width);

/// Packs scale * from * factor, elementwise, with packed `factor`.
void pack_product(
    num::ConstView from, float scale, const float* factor, float* to, int width);

/// Unpacks `from`; writes only the columns of `to`.
void unpack(const float* from, int width, num::View to);

/// Unpacks rows i times factors_i.
void unpack_scaled(const float* from, const float* factors, int width, num::View to);

/// Unpacks scale * from * factor, elementwise, both packed.
void unpack_product(
    const float* from, const float* factor, float scale, int width, num::View to);

}  // namespace oa::attention
