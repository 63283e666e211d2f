#pragma once

#include "oa/num/matrix.h"

namespace oa::num {

/// y = GELU(x) in the form x * sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3)
/// (Hendrycks and Gimpel, arXiv:1606.08415; "tanh" in PyTorch), slope = dy/dx.
/// y may be x.
void gelu(ConstView x, View y, View slope);

/// y = max(x, 0), slope = [x > 0].  y may be x.
void relu(ConstView x, View y, View slope);

/// x *= by, element by element
void multiply(ConstView by, View x);

/// p = softmax of scale * s, row by row; the padding of p is zero.  p may be s.
void softmax(ConstView s, float scale, View p);

/// ds = scale * p * (dp - <p, dp>), row by row.  ds may be dp.
void softmax_backward(ConstView p, ConstView dp, float scale, View ds);

/// s = sqrt(sigma'(g / temperature) / temperature): the square root of the derivative
/// of a smoothed threshold at gradient g.
void sigmoid_slope_root(ConstView g, float temperature, View s);

/// x = sigmoid(-g / temperature), row by row; the padding of x is zero.  x may be g.
void logistic(ConstView g, float temperature, View x);

/// Also sets root = sqrt(x (1 - x) / temperature); a root below 1e-5 becomes 0.
void logistic(ConstView g, float temperature, View x, View root);

}  // namespace oa::num
