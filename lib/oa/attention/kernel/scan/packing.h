#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/num/matrix.h"

namespace oa::attention {

// Kernels of this room take tokens as rows of a num::ConstView with fewer promises than
// num has: rows may begin anywhere, `stride` may be any number, also a negative one,
// and what lies behind the columns is other heads' data, which is neither read nor
// written.  Inside they work on packed blocks: aligned rows one behind the other, with
// zeros behind the last column.  That costs one pass over the data, and spares rows
// that are 4096 bytes apart from sharing the same few lines of the first cache.

/// The same rows, last first: with it a causal scan runs from the end of a sequence.
[[nodiscard]] inline num::ConstView reversed(num::ConstView x) {
  return {x.rows == 0 ? x.data : x.row(x.rows - 1), x.rows, x.cols, -x.stride};
}
[[nodiscard]] inline num::View reversed(num::View x) {
  return {x.rows == 0 ? x.data : x.row(x.rows - 1), x.rows, x.cols, -x.stride};
}

/// to = scale * from, packed: `width` floats a row, a multiple of num::kLane; zeros
/// behind the columns of `from`.
void pack(num::ConstView from, float scale, float* to, int width);

/// to = scale * from o factor, packed; `factor` is packed, too.
void pack_product(
    num::ConstView from, float scale, const float* factor, float* to, int width);

/// to = packed `from`; only the columns of `to` are written.
void unpack(const float* from, int width, num::View to);

/// Likewise, and row i times factors_i.
void unpack_scaled(const float* from, const float* factors, int width, num::View to);

/// to = scale * from o factor, both packed.
void unpack_product(
    const float* from, const float* factor, float scale, int width, num::View to);

}  // namespace oa::attention
