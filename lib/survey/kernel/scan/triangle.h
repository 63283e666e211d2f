#pragma once

#include "oa/num/matrix.h"

namespace oa::attention {

// Solves and products with the lower triangle of a matrix (c x c), whose other elements
// are not read, for right sides of `width` columns.  Blocks of 8 rows are computed in
// registers; the rest are products of matrices.  c^2 width FLOPs.  Views are those of
// num.

/// X <- X - tril(M, -1) U,  U = B o X
void solve_lower(num::ConstView m, num::ConstView b, num::View x, num::View u);

/// Y <- Y - tril(M, -1)' Z,  Z = B o Y
void solve_lower_transposed(num::ConstView m,
                            num::ConstView b,
                            num::View y,
                            num::View z);

/// O <- O + tril(P) U.  NaN in a row of U stays out of the rows of O before it.
void add_lower_product(num::ConstView p, num::ConstView u, num::View o);

/// x_ij = 0 for j >= i + kept: `kept` = 0 leaves the strictly lower triangle, 1 the
/// diagonal too.
void keep_lower(int kept, num::View x);

}  // namespace oa::attention
