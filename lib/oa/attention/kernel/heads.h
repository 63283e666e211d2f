#pragma once

#include "oa/num/matrix.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>

namespace oa::attention {

/// Queries, keys and values of one sequence, all heads side by side.
/// Query head h has d columns of q from h*d on; its group g = floor(h * groups / heads)
/// has d columns of k and v from g*d on.  Rows may have any alignment and stride;
/// memory after the columns belongs to other heads.
struct HeadsView {
  num::ConstView q;  ///< queries x heads d
  num::ConstView k;  ///< keys x groups d
  num::ConstView v;  ///< keys x groups d
  int heads = 1;
  int groups = 1;
  float scale = 1.0F;  ///< of the logits: scale * q_i . k_j

  [[nodiscard]] int width() const { return q.cols / heads; }
  [[nodiscard]] int heads_per_group() const { return heads / groups; }
};

/// True if the shapes of a HeadsView are valid, for assert().
[[nodiscard]] inline bool well_formed(const HeadsView& x) {
  return x.groups >= 1 && x.heads % x.groups == 0 && x.width() >= 1 &&
         x.q.cols == x.heads * x.width() && x.k.cols == x.groups * x.width() &&
         num::same_shape(x.k, x.v);
}

/// Returns the columns first .. first + width - 1.
/// The view is not followed by zeros, unlike other views.
[[nodiscard]] inline num::ConstView columns(num::ConstView x, int first, int width) {
  assert(first + width <= x.cols);
  return {x.data + first, x.rows, width, x.stride};
}
[[nodiscard]] inline num::View columns(num::View x, int first, int width) {
  assert(first + width <= x.cols);
  return {x.data + first, x.rows, width, x.stride};
}

/// Returns the rows first .. first + count - 1.
[[nodiscard]] inline num::View row_block(num::View x, int first, int count) {
  assert(first + count <= x.rows);
  return {x.row(first), count, x.cols, x.stride};
}
[[nodiscard]] inline num::ConstView row_block(num::ConstView x, int first, int count) {
  assert(first + count <= x.rows);
  return {x.row(first), count, x.cols, x.stride};
}

/// Queries first .. last - 1.
struct QueryRows {
  int first = 0;
  int last = 0;
};
template <class Matrix>
[[nodiscard]] Matrix rows_of(Matrix all, const QueryRows& rows) {
  return row_block(all, rows.first, rows.last - rows.first);
}

/// Sets to = from.  Does not touch memory after the columns, as num::copy() would.
inline void copy_rows(num::ConstView from, num::View to) {
  assert(num::same_shape(from, to));
  for (int i = 0; i < from.rows; ++i) {
    std::copy_n(from.row(i), from.cols, to.row(i));
  }
}

/// Returns the first `count` floats of row i.
[[nodiscard]] inline std::span<float> first_of_row(num::View x, int i, int count) {
  return {x.row(i), static_cast<std::size_t>(count)};
}

/// The gradients of a HeadsView, which are overwritten.
struct HeadsGradient {
  num::View q;
  num::View k;
  num::View v;
};

}  // namespace oa::attention
