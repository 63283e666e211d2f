#pragma once

#include "oa/num/matrix.h"

namespace oa::attention {

// Solves and products with the lower triangle of a matrix (c x c) for right sides of
// `width` columns; elements above the diagonal are not read.
// Blocks of 8 rows are computed in registers, the rest by matrix products.
// c^2 width FLOPs.  Views are those of num.

/// X <- X - tril(M, -1) U, where U = B * X, elementwise.
void solve_lower(num::ConstView m, num::ConstView b, num::View x, num::View u);

/// Y <- Y - tril(M, -1)' Z, where Z = B * Y, elementwise.
void solve_lower_transposed(num::ConstView m,
                            num::ConstView b,
                            num::View y,
                            num::View z);

/// O <- O + tril(P) U.  NaN in a row of U does not reach earlier rows of O.
void add_lower_product(num::ConstView p, num::ConstView u, num::View o);

/// Clears x_ij for j >= i + kept:
/// kept = 0 leaves the strictly lower triangle, 1 also the diagonal.
void keep_lower(int kept, num::View x);

}  // namespace oa::attention
