#pragma once

#include "oa/num/matrix.h"

namespace oa::attention {

// Products of two vectors for each token and head.  Rows are tokens.  Heads are blocks
// of `width` columns in a, b and y, and blocks of width^2 columns, a matrix by rows, in
// p. With width 1 the products are elementwise.  Views may have any alignment and
// stride (scan/packing.h).  2 width FLOPs for each column of a.

/// p = a b', head by head
void head_outer(num::ConstView a, num::ConstView b, int width, num::View p);

/// y = p' a, head by head
void head_sum_rows(num::ConstView p, num::ConstView a, int width, num::View y);

/// y = p b, head by head
void head_sum_columns(num::ConstView p, num::ConstView b, int width, num::View y);

}  // namespace oa::attention
