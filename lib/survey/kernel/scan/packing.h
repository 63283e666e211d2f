#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/num/matrix.h"

namespace oa::attention {

// Kernels of this room take tokens as rows of a num::ConstView with weaker promises
// than those of num: rows may have any alignment, `stride` may be any number, even
// negative, and memory behind the columns belongs to other heads and is neither read
// nor written. Internally they use packed blocks: aligned rows without gaps, padded
// with zeros.  Packing costs one pass and avoids that rows 4096 bytes apart compete for
// few lines of the L1 cache.

/// The rows in reverse order, for a causal scan from the end of a sequence.
[[nodiscard]] inline num::ConstView reversed(num::ConstView x) {
  return {x.rows == 0 ? x.data : x.row(x.rows - 1), x.rows, x.cols, -x.stride};
}
[[nodiscard]] inline num::View reversed(num::View x) {
  return {x.rows == 0 ? x.data : x.row(x.rows - 1), x.rows, x.cols, -x.stride};
}

/// to = scale * from, packed: `width` floats a row, a multiple of num::kLane, padded
/// with zeros.
void pack(num::ConstView from, float scale, float* to, int width);

/// to = scale * from o factor, packed, with packed `factor`
void pack_product(
    num::ConstView from, float scale, const float* factor, float* to, int width);

/// to = packed `from`; writes only the columns of `to`.
void unpack(const float* from, int width, num::View to);

/// Unpacks rows i times factors_i.
void unpack_scaled(const float* from, const float* factors, int width, num::View to);

/// to = scale * from o factor, both packed
void unpack_product(
    const float* from, const float* factor, float scale, int width, num::View to);

}  // namespace oa::attention
