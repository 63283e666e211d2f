#pragma once

#include "oa/num/matrix.h"

namespace oa::attention {

// Products of two vectors for each token (row) and head.  Heads are blocks of `width`
// columns in a, b and y, and of width^2 columns in p, a matrix row by row.
// If width is 1, products are elementwise.  Views may have any alignment and stride
// (scan/packing.h).  A product takes 2 width FLOPs for each column of a.

/// Computes p = a b' for each head.
void head_outer(num::ConstView a, num::ConstView b, int width, num::View p);

/// Computes y = p' a for each head.
void head_sum_rows(num::ConstView p, num::ConstView a, int width, num::View y);

/// Computes y = p b for each head.
void head_sum_columns(num::ConstView p, num::ConstView b, int width, num::View y);

}  // namespace oa::attention
