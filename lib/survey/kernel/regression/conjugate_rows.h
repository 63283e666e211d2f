#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

// Conjugate gradients for many systems A_i x_i = y_i at once, a row for each system,
// with A_i symmetric and positive definite.  The caller multiplies all directions by
// their matrices.  Rows are packed: aligned, with zeros after their columns.
//
// A row stops where its residual is below 1e-6 of its right side.
// So the result of a row does not depend on other rows.

struct ConjugateRows {
  num::View x;
  num::View residual;
  num::View direction;
  std::span<float> square;  ///< squared length of each residual
  std::span<float> limit;   ///< a row whose square is not above it has stopped
};

/// Starts with x = 0 for the right sides y.  Returns whether some row continues.
bool conjugate_start(num::ConstView y, const ConjugateRows& rows);

/// Makes one step; row i of `product` is A_i times row i of the directions.
/// Returns whether some row continues.
bool conjugate_step(num::ConstView product, const ConjugateRows& rows);

/// Adds factor_i x_i to row i of `to`.
void add_scaled_rows(num::ConstView x, std::span<const float> factor, num::View to);

/// Sets row i of `to` to factor_i x_i.
void scale_rows(num::ConstView x, std::span<const float> factor, num::View to);

/// Adds diagonal * x_i (elementwise) to row i of `to`.
void add_diagonal(num::ConstView x, std::span<const float> diagonal, num::View to);

/// Sets to_i to the sum over columns j of a_ij b_ij.
void row_products(num::ConstView a, num::ConstView b, std::span<float> to);

}  // namespace oa::attention
